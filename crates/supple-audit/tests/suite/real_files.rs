//! Hints about real characters. `SUPPLE_ASSETS` names their folder; without it the test says that it was skipped.

use std::collections::BTreeMap;

use supple_audit::{Bones, bleeding};

use crate::assets::assets;

/// Files, how many vertices bleed, and the pair of bones that most of them are about.
const CHARACTERS: [(&str, usize, [&str; 2]); 13] = [
    ("khronos/CesiumMan.glb", 8, ["Skeleton_torso_joint_1", "Skeleton_arm_joint_R"]),
    ("khronos/Fox.glb", 0, [""; 2]),
    ("khronos/RiggedFigure.glb", 0, [""; 2]),
    ("makehuman/makehuman_cmu_A.glb", 0, [""; 2]),
    ("makehuman/makehuman_default163.glb", 4, ["finger3-3.L", "finger4-3.L"]),
    ("makehuman/makehuman_layers.glb", 12, ["Head", "LeftArm"]),
    ("kaykit/Knight.glb", 0, [""; 2]),
    ("godot/mannequiny.glb", 0, [""; 2]),
    ("godot/player.glb", 0, [""; 2]),
    ("babylon/Yeti.glb", 139, ["Yeti_RightArm", "Yeti_Hips"]),
    ("rocketbox/rocketbox_Male_Adult_01.glb", 0, [""; 2]),
    ("quaternius/RobotExpressive.glb", 0, [""; 2]),
    ("vrm/100Avatars_013_Mint.vrm", 0, [""; 2]),
];

/// The Yeti's arms follow its hips and legs, a collar the opposite arm, a hip one of the arms; few other vertices are found.
#[test]
fn few_vertices_of_real_characters_bleed() {
    let Some(folder) = assets() else { return };
    for (file, count, most) in CHARACTERS {
        let model = supple_io::load(folder.join(file)).unwrap();
        let bones = Bones::new(&model);
        let found = bleeding(&model, &bones);
        let mut by_bones: BTreeMap<[&str; 2], usize> = BTreeMap::new();
        for b in &found {
            *by_bones.entry([b.owner, b.bone].map(|bone| bones.label(bone))).or_default() += 1;
        }
        assert_eq!(found.len(), count, "{file}: {by_bones:?}");
        let largest = by_bones.values().max();
        assert!(count == 0 || by_bones.get(&most) == largest, "{file}: {by_bones:?}");
    }
}
