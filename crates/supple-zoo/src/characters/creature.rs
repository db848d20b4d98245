//! A four-legged dragon: 56 joints, 13,600 triangles, with neck, tail, horns and small wings.

use glam::DVec3;
use supple::Model;

use super::recipe::Recipe;
use super::rig::Rig;
use crate::sculpt::Primitive;

/// A dragon of 4 m from nose to tail that stands on four legs on y = 0, facing +Z.
///
/// 56 joints, 6,802 vertices, 13,600 triangles, smooth weights. Clips: walk, run, wave (of the tail), twist, fall, random.
pub fn creature() -> Model {
    recipe().cook()
}

fn recipe() -> Recipe {
    let mut recipe = Recipe {
        name: "creature",
        rig: rig(),
        lumps: Vec::new(),
        focuses: Vec::new(),
        cell: 0.017,
        edge: 0.046,
        vertices: 6802,
        softness: Some(14),
    };
    add_trunk(&mut recipe);
    add_head(&mut recipe);
    add_front_leg(&mut recipe);
    add_hind_leg(&mut recipe);
    add_wing(&mut recipe);
    add_crest(&mut recipe);
    // The ground cuts the soles flat.
    recipe.lump("hips", Primitive::sphere(DVec3::Y * -90.0, 90.0).blend(0.02).carved());
    recipe.focus(v(0.0, 1.77, 1.42), 0.16, 0.45);
    recipe.focus(v(0.06, 1.95, 1.16), 0.1, 0.45);
    recipe.focus(v(0.25, 0.04, 0.62), 0.12, 0.55);
    recipe.focus(v(0.25, 0.04, -0.36), 0.12, 0.55);
    recipe.focus(TAIL[10], 0.3, 0.5);
    recipe
}

const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const SPINE: [DVec3; 6] = [
    v(0.0, 1.03, -0.62),
    v(0.0, 1.08, -0.4),
    v(0.0, 1.11, -0.15),
    v(0.0, 1.11, 0.1),
    v(0.0, 1.09, 0.32),
    v(0.0, 1.13, 0.6),
];
const NECK: [DVec3; 6] = [
    v(0.0, 1.13, 0.6),
    v(0.0, 1.26, 0.77),
    v(0.0, 1.41, 0.89),
    v(0.0, 1.56, 0.97),
    v(0.0, 1.69, 1.05),
    v(0.0, 1.79, 1.16),
];
const TAIL: [DVec3; 11] = [
    v(0.0, 1.02, -0.7),
    v(0.0, 0.98, -0.9),
    v(0.0, 0.91, -1.1),
    v(0.0, 0.82, -1.29),
    v(0.0, 0.72, -1.47),
    v(0.0, 0.63, -1.66),
    v(0.0, 0.55, -1.86),
    v(0.0, 0.5, -2.07),
    v(0.0, 0.48, -2.28),
    v(0.0, 0.5, -2.49),
    v(0.0, 0.55, -2.69),
];
const SNOUT: DVec3 = v(0.0, 1.72, 1.58);
/// Shoulder blade, shoulder, elbow, wrist, toes' base.
const FRONT: [DVec3; 5] =
    [v(0.1, 1.18, 0.36), v(0.19, 0.93, 0.54), v(0.23, 0.62, 0.36), v(0.24, 0.14, 0.47), v(0.25, 0.05, 0.58)];
/// Hip, knee, hock, ankle, toes' base.
const HIND: [DVec3; 5] = [
    v(0.15, 1.0, -0.52),
    v(0.25, 0.66, -0.32),
    v(0.25, 0.38, -0.68),
    v(0.25, 0.11, -0.54),
    v(0.25, 0.05, -0.42),
];
/// Root, elbow and tip of a folded wing.
const WING: [DVec3; 3] = [v(0.12, 1.3, 0.28), v(0.36, 1.62, 0.12), v(0.66, 1.46, -0.56)];

fn rig() -> Rig {
    let mut rig = Rig::default();
    rig.bone("hips", "", SPINE[0], SPINE[1], DVec3::X);
    for (i, name) in ["spine_1", "spine_2", "spine_3", "chest"].into_iter().enumerate() {
        let parent = ["hips", "spine_1", "spine_2", "spine_3"][i];
        rig.bone(name, parent, SPINE[i + 1], SPINE[i + 2], DVec3::X);
    }
    chain(&mut rig, "neck", "chest", &NECK, DVec3::X);
    rig.bone("head", "neck_5", NECK[5], SNOUT, DVec3::X);
    rig.bone("jaw", "head", v(0.0, 1.72, 1.2), v(0.0, 1.62, 1.5), DVec3::X);
    rig.bone("ear_l", "head", v(0.1, 1.82, 1.12), v(0.2, 1.87, 1.02), DVec3::X);
    chain(&mut rig, "tail", "hips", &TAIL, DVec3::X);
    // Limbs: every joint folds with a positive bend.
    rig.bone("scapula_l", "chest", FRONT[0], FRONT[1], DVec3::NEG_X);
    rig.bone("humerus_l", "scapula_l", FRONT[1], FRONT[2], DVec3::X);
    rig.bone("radius_l", "humerus_l", FRONT[2], FRONT[3], DVec3::NEG_X);
    rig.bone("forefoot_l", "radius_l", FRONT[3], FRONT[4], DVec3::X);
    rig.bone("femur_l", "hips", HIND[0], HIND[1], DVec3::NEG_X);
    rig.bone("tibia_l", "femur_l", HIND[1], HIND[2], DVec3::X);
    rig.bone("hock_l", "tibia_l", HIND[2], HIND[3], DVec3::NEG_X);
    rig.bone("hindfoot_l", "hock_l", HIND[3], HIND[4], DVec3::X);
    for (foot, base) in [("fore", FRONT[4]), ("hind", HIND[4])] {
        for (i, [from, to]) in toes(base).into_iter().enumerate() {
            rig.bone(&format!("{foot}toe_{}_l", i + 1), &format!("{foot}foot_l"), from, to, DVec3::X);
        }
    }
    rig.bone("wing_1_l", "chest", WING[0], WING[1], DVec3::Z);
    rig.bone("wing_2_l", "wing_1_l", WING[1], WING[2], DVec3::Y);
    rig
}

fn chain(rig: &mut Rig, name: &str, root: &str, points: &[DVec3], bend: DVec3) {
    let mut parent = root.to_owned();
    for (i, ends) in points.windows(2).enumerate() {
        let joint = format!("{name}_{}", i + 1);
        rig.bone(&joint, &parent, ends[0], ends[1], bend);
        parent = joint;
    }
}

/// Three toes that spread from the end of a foot.
fn toes(base: DVec3) -> [[DVec3; 2]; 3] {
    [-1.0, 0.0, 1.0].map(|side: f64| {
        let from = base + v(0.055 * side, -0.012, -0.01 * side.abs());
        [from, from + v(0.06 * side, -0.015, 0.14 - 0.02 * side.abs())]
    })
}

fn add_trunk(recipe: &mut Recipe) {
    let mut lump = |joint: &str, lump: Primitive| recipe.lump(joint, lump);
    lump("hips", Primitive::ellipsoid(v(0.0, 1.0, -0.52), v(0.22, 0.24, 0.28)).blend(0.12));
    lump("spine_1", Primitive::ellipsoid(v(0.0, 0.99, -0.3), v(0.23, 0.24, 0.22)).blend(0.12));
    lump("spine_2", Primitive::ellipsoid(v(0.0, 0.97, -0.05), v(0.25, 0.26, 0.22)).blend(0.12));
    lump("spine_3", Primitive::ellipsoid(v(0.0, 0.98, 0.2), v(0.26, 0.28, 0.22)).blend(0.12));
    lump("chest", Primitive::ellipsoid(v(0.0, 1.02, 0.43), v(0.24, 0.27, 0.25)).blend(0.12));
    let neck = [0.18, 0.145, 0.125, 0.112, 0.105, 0.1];
    for i in 0..5 {
        let piece = Primitive::cone(NECK[i], NECK[i + 1], neck[i], neck[i + 1]);
        lump(&format!("neck_{}", i + 1), piece.blend(if i == 0 { 0.12 } else { 0.015 }).group(10));
    }
    for i in 0..10 {
        let radius = |i: usize| 0.165 - 0.0148 * i as f64;
        let piece = Primitive::cone(TAIL[i], TAIL[i + 1], radius(i), radius(i + 1));
        lump(&format!("tail_{}", i + 1), piece.blend(if i == 0 { 0.14 } else { 0.01 }).group(11));
    }
    // The tail ends in a spade.
    let spade =
        Primitive::sphere(v(0.0, 0.57, -2.74), 0.11).stretched(DVec3::Y, 0.3).stretched(DVec3::Z, 1.4);
    recipe.thin("tail_10", spade.blend(0.04).group(11));
}

fn add_head(recipe: &mut Recipe) {
    let mut middle = |joint: &str, lump: Primitive| recipe.lump(joint, lump.group(20));
    middle("head", Primitive::ellipsoid(v(0.0, 1.79, 1.2), v(0.135, 0.115, 0.16)).blend(0.05));
    let snout = Primitive::cone(v(0.0, 1.775, 1.28), v(0.0, 1.725, 1.54), 0.098, 0.062);
    middle("head", snout.stretched(DVec3::X, 1.12).blend(0.04));
    let jaw = Primitive::cone(v(0.0, 1.7, 1.22), v(0.0, 1.625, 1.47), 0.07, 0.042);
    recipe.lump("jaw", jaw.stretched(DVec3::X, 1.2).blend(0.008).group(21));
    let mut both = |lump: Primitive| recipe.pair("head", lump);
    // Brow, cheek, nostril, eye.
    both(Primitive::cone(v(0.075, 1.86, 1.22), v(0.07, 1.835, 1.36), 0.042, 0.03).blend(0.03).group(20));
    both(Primitive::sphere(v(0.1, 1.75, 1.2), 0.06).blend(0.05).group(20));
    both(Primitive::sphere(v(0.035, 1.765, 1.56), 0.026).blend(0.02).group(20));
    both(Primitive::sphere(v(0.125, 1.815, 1.345), 0.045).blend(0.025).carved());
    both(Primitive::sphere(v(0.088, 1.81, 1.33), 0.034).blend(0.008).late());
    // Horns, in two pieces that curve back.
    for side in [1.0, -1.0] {
        let at = |x: f64, y: f64, z: f64| v(side * x, y, z);
        let horn = Primitive::cone(at(0.065, 1.86, 1.15), at(0.1, 1.98, 1.02), 0.045, 0.034);
        recipe.thin("head", horn.blend(0.03).group(22));
        let tip = Primitive::cone(at(0.1, 1.98, 1.02), at(0.12, 2.0, 0.83), 0.034, 0.015);
        recipe.thin("head", tip.blend(0.005).group(22));
    }
    let ear = Primitive::cone(v(0.1, 1.82, 1.12), v(0.22, 1.86, 1.0), 0.05, 0.02).stretched(DVec3::Y, 0.7);
    recipe.thin("ear_l", ear.blend(0.02).group(23));
}

fn add_front_leg(recipe: &mut Recipe) {
    let leg = |lump: Primitive, seam: f64| lump.blend(seam).group(30);
    let [blade, shoulder, elbow, wrist, base] = FRONT;
    let shoulder_blade = Primitive::cone(blade + v(0.04, -0.04, 0.0), shoulder, 0.1, 0.12);
    recipe.lump("scapula_l", leg(shoulder_blade, 0.08));
    recipe.lump("humerus_l", leg(Primitive::cone(shoulder, elbow, 0.118, 0.078), 0.03));
    recipe.lump("radius_l", leg(Primitive::cone(elbow, wrist, 0.08, 0.052), 0.012));
    recipe
        .lump("radius_l", leg(Primitive::cone(v(0.235, 0.52, 0.39), v(0.237, 0.36, 0.42), 0.08, 0.06), 0.03));
    add_foot(recipe, "fore", wrist, base, 30);
}

fn add_hind_leg(recipe: &mut Recipe) {
    let leg = |lump: Primitive, seam: f64| lump.blend(seam).group(40);
    let [hip, knee, hock, ankle, base] = HIND;
    recipe.lump("femur_l", leg(Primitive::cone(hip + v(0.03, -0.05, 0.02), knee, 0.19, 0.1), 0.1));
    recipe.lump("tibia_l", leg(Primitive::cone(knee, hock, 0.1, 0.058), 0.015));
    recipe
        .lump("tibia_l", leg(Primitive::cone(v(0.25, 0.6, -0.42), v(0.25, 0.5, -0.55), 0.088, 0.065), 0.04));
    recipe.lump("hock_l", leg(Primitive::cone(hock, ankle, 0.058, 0.054), 0.012));
    add_foot(recipe, "hind", ankle, base, 40);
}

fn add_foot(recipe: &mut Recipe, which: &str, ankle: DVec3, base: DVec3, group: u32) {
    let foot = format!("{which}foot_l");
    recipe.lump(&foot, Primitive::cone(ankle, base, 0.06, 0.062).blend(0.03).group(group));
    recipe.lump(
        &foot,
        Primitive::sphere(base + v(0.0, 0.0, -0.05), 0.07).stretched(DVec3::X, 1.25).blend(0.03).group(group),
    );
    for (i, [from, to]) in toes(base).into_iter().enumerate() {
        let toe = Primitive::cone(from, to, 0.046, 0.022).blend(0.025);
        recipe.lump(&format!("{which}toe_{}_l", i + 1), toe.group(group + 1 + i as u32));
    }
}

/// Arm, three fingers and the sheets between them.
fn add_wing(recipe: &mut Recipe) {
    let wing = |lump: Primitive, seam: f64| lump.blend(seam).group(50);
    let [root, elbow, ..] = WING;
    recipe.lump("wing_1_l", wing(Primitive::cone(root, elbow, 0.08, 0.045), 0.06));
    let tips = [WING[2], v(0.56, 1.24, -0.42), v(0.36, 1.2, -0.22)];
    for tip in tips {
        recipe.thin("wing_2_l", wing(Primitive::cone(elbow, tip, 0.045, 0.032), 0.01));
    }
    let last = [tips[2], root + v(0.13, 0.12, -0.12)];
    for (pair, joint) in
        [([tips[0], tips[1]], "wing_2_l"), ([tips[1], tips[2]], "wing_2_l"), (last, "wing_1_l")]
    {
        // A sheet fans out from the elbow; its edge stays behind the tips.
        let normal = (pair[0] - elbow).cross(pair[1] - elbow).normalize();
        let end = elbow + ((pair[0] + pair[1]) * 0.5 - elbow) * 0.84;
        let wide = pair[0].distance(pair[1]) * 0.42;
        let sheet = Primitive::cone(elbow, end, 0.06, wide).stretched(normal, 0.03 / wide);
        recipe.thin(joint, wing(sheet, 0.02));
    }
}

/// Spikes along neck, back and tail.
fn add_crest(recipe: &mut Recipe) {
    let mut spike = |joint: &str, base: DVec3, up: DVec3, size: f64| {
        let spike = Primitive::cone(base, base + up * size, 0.42 * size, 0.2 * size);
        recipe.thin(joint, spike.stretched(DVec3::X, 0.75).blend(0.25 * size).group(60));
    };
    for i in 1..5 {
        let along = (NECK[i + 1] - NECK[i]).normalize();
        let up = DVec3::X.cross(along) * -1.0;
        spike(&format!("neck_{}", i + 1), NECK[i] + along * 0.06 + up * 0.1, up * 0.85 - along * 0.4, 0.11);
    }
    for (i, joint) in ["spine_1", "spine_2", "spine_3", "chest"].into_iter().enumerate() {
        let top = [1.225, 1.215, 1.24, 1.27][i];
        spike(joint, v(0.0, top, SPINE[i + 1].z + 0.07), v(0.0, 0.9, -0.4), 0.14);
    }
    for i in 0..7 {
        let along = (TAIL[i + 1] - TAIL[i]).normalize();
        let up = DVec3::X.cross(along);
        let base = TAIL[i] + along * 0.08 + up * (0.145 - 0.0148 * i as f64);
        spike(&format!("tail_{}", i + 1), base, up * 0.9 + along * 0.4, 0.125 - 0.009 * i as f64);
    }
}
