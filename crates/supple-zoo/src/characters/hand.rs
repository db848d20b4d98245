//! A left hand with a stump of its forearm: 19 joints, 4,800 triangles.

use glam::DVec3;
use supple::Model;

use super::hand_shape::{HandFrame, add_hand, fingers};
use super::recipe::Recipe;
use super::rig::Rig;
use crate::sculpt::Primitive;

/// A left hand of life size that stands on its forearm at y = 0, fingers up, palm towards +Z.
///
/// 19 joints (three per finger, two movable metacarpals), 2,402 vertices, 4,800 triangles. Clips: grasp, wave, point, twist,
/// random.
pub fn hand() -> Model {
    recipe().cook()
}

/// The palm of a left hand is along x thumb.
const FRAME: HandFrame =
    HandFrame { wrist: WRIST, along: DVec3::Y, thumb: DVec3::NEG_X, palm: DVec3::Z, scale: 1.0 };
const WRIST: DVec3 = DVec3::new(0.0, 0.1, 0.0);

fn recipe() -> Recipe {
    let mut recipe = Recipe {
        name: "hand",
        rig: rig(),
        lumps: Vec::new(),
        focuses: Vec::new(),
        cell: 0.0025,
        edge: 0.0062,
        vertices: 2402,
        softness: Some(14),
    };
    let stump = Primitive::cone(DVec3::Y * 0.024, WRIST, 0.033, 0.027);
    recipe.lump("forearm", stump.stretched(DVec3::Z, 0.85).blend(0.012));
    add_hand(&mut recipe, FRAME, |finger, segment| match (finger, segment) {
        ("ring" | "little", 0) => format!("palm_{finger}"),
        (_, 0) => "hand".to_owned(),
        (_, phalanx) => format!("{finger}_{phalanx}"),
    });
    // The heel of the hand moves with the wrist, not with a metacarpal.
    let heel = Primitive::cone(FRAME.at(0.8, 0.9, 0.0), FRAME.at(1.0, -0.8, 0.0), 0.0178, 0.0178);
    recipe.lump("hand", heel.stretched(DVec3::Z, 0.86).blend(0.015));
    // The stump is cut flat.
    recipe.lump("forearm", Primitive::sphere(DVec3::Y * -4.0, 4.0).blend(0.012).carved());
    for finger in fingers() {
        for point in &finger.points[1..] {
            recipe.focus_here(FRAME.at_point(*point), 0.018, 0.62);
        }
    }
    recipe
}

fn rig() -> Rig {
    let mut rig = Rig::default();
    rig.bone("forearm", "", DVec3::ZERO, WRIST, FRAME.fold());
    rig.bone("hand", "forearm", WRIST, FRAME.at(4.0, 0.0, 0.0), FRAME.fold());
    for finger in fingers() {
        let is_thumb = finger.name == "thumb";
        let mut parent = "hand".to_owned();
        // The metacarpals of ring and little finger move when the hand closes, the others do not.
        if matches!(finger.name, "ring" | "little") {
            let base = FRAME.at(2.2, 0.33 * finger.points[0].y, 0.0);
            parent = format!("palm_{}", finger.name);
            rig.bone(&parent, "hand", base, FRAME.at_point(finger.points[0]), FRAME.fold());
        }
        for phalanx in 0..3 {
            let [head, tail] = [phalanx, phalanx + 1].map(|i| FRAME.at_point(finger.points[i]));
            let name = format!("{}_{}", finger.name, phalanx + 1);
            rig.bone(&name, &parent, head, tail, if is_thumb { FRAME.thumb_fold() } else { FRAME.fold() });
            parent = name;
        }
    }
    rig
}
