//! A man: 27 joints, 4,400 vertices, hands whose four fingers move together.

use glam::DVec3;
use supple::Model;

use super::body_plan::BodyPlan;
use super::hand_shape::add_hand;
use super::head_shape::{HeadFrame, add_head};
use super::recipe::Recipe;
use super::rig::Rig;
use crate::sculpt::Primitive;

/// An adult man of 1.75 m in A-pose on y = 0, facing +Z, with smooth weights.
///
/// 27 joints, 4,400 vertices. Clips: walk, run, wave, twist, fall, random.
pub fn man() -> Model {
    recipe().cook()
}

fn recipe() -> Recipe {
    let mut recipe = Recipe {
        name: "man",
        rig: rig(),
        lumps: Vec::new(),
        focuses: Vec::new(),
        cell: 0.008,
        edge: 0.029,
        vertices: 4400,
        softness: Some(14),
    };
    add_torso(&mut recipe);
    add_head(&mut recipe, HeadFrame { center: v(0.0, 1.63, 0.0), scale: 1.0 }, "head", 1.0);
    let neck = Primitive::cone(v(0.0, 1.44, -0.025), v(0.0, 1.58, -0.005), 0.064, 0.054);
    recipe.lump("neck", neck.blend(0.03));
    add_leg(&mut recipe);
    add_arm(&mut recipe);
    let joint_of = |finger: &str, segment: usize| match (finger, segment) {
        (_, 0) | ("thumb", 1) => "hand_l",
        ("thumb", _) => "thumb_l",
        (_, 1) => "fingers_1_l",
        _ => "fingers_2_l",
    };
    add_hand(&mut recipe, PLAN.hand(), |finger, segment| joint_of(finger, segment).to_owned());
    recipe.focus(PLAN.hand().at(12.0, 0.5, 0.0), 0.06, 0.24);
    recipe.focus(PLAN.hand().at(6.0, 1.5, 0.0), 0.06, 0.32);
    recipe.focus(v(0.105, 0.03, 0.08), 0.1, 0.5);
    recipe
}

/// Arms point down and out by 40 degrees.
const PLAN: BodyPlan = BodyPlan {
    hips: v(0.0, 0.97, -0.01),
    spine: v(0.0, 1.08, -0.01),
    chest: v(0.0, 1.22, -0.01),
    neck: v(0.0, 1.46, -0.02),
    head: v(0.0, 1.57, -0.005),
    crown: v(0.0, 1.75, 0.0),
    hip: v(0.092, 0.92, -0.005),
    knee: v(0.098, 0.5, 0.0),
    ankle: v(0.102, 0.085, -0.02),
    ball: v(0.108, 0.025, 0.125),
    toe: v(0.108, 0.025, 0.195),
    collar: v(0.025, 1.44, 0.0),
    shoulder: v(0.19, 1.42, -0.02),
    elbow: v(0.4121, 1.2335, -0.02),
    wrist: v(0.6036, 1.0728, 0.0),
    hand_scale: 0.98,
};

const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn rig() -> Rig {
    let mut rig = Rig::default();
    PLAN.add_bones(&mut rig);
    let hand = PLAN.hand();
    let [knuckles, middle, tips] = [hand.at(9.0, 0.0, 0.0), hand.at(13.2, 0.0, 0.4), hand.at(18.0, 0.0, 1.4)];
    rig.bone("thumb_l", "hand_l", hand.at(5.0, 4.9, 1.3), hand.at(9.9, 6.9, 1.9), hand.thumb_fold());
    rig.bone("fingers_1_l", "hand_l", knuckles, middle, hand.fold());
    rig.bone("fingers_2_l", "fingers_1_l", middle, tips, hand.fold());
    rig
}

fn add_torso(recipe: &mut Recipe) {
    recipe.lump("hips", Primitive::ellipsoid(v(0.0, 0.965, -0.01), v(0.16, 0.11, 0.108)).blend(0.05));
    recipe.pair("hips", Primitive::sphere(v(0.072, 0.915, -0.058), 0.082).blend(0.04));
    let waist = Primitive::cone(v(0.0, 1.07, -0.01), v(0.0, 1.18, -0.005), 0.142, 0.148);
    recipe.lump("spine", waist.stretched(DVec3::Z, 0.7).blend(0.06));
    recipe.lump("chest", Primitive::ellipsoid(v(0.0, 1.31, -0.012), v(0.165, 0.185, 0.112)).blend(0.06));
    let pectoral = Primitive::sphere(v(0.078, 1.345, 0.065), 0.08).stretched(DVec3::Z, 0.5);
    recipe.pair("chest", pectoral.blend(0.03));
    let blade = Primitive::cone(v(0.09, 1.4, -0.075), v(0.075, 1.27, -0.08), 0.06, 0.045);
    recipe.pair("chest", blade.stretched(DVec3::Z, 0.7).blend(0.05));
    let flank = Primitive::cone(v(0.135, 1.37, -0.035), v(0.105, 1.16, -0.02), 0.055, 0.05);
    recipe.pair("chest", flank.blend(0.06));
    recipe.lump(
        "clavicle_l",
        Primitive::cone(v(0.035, 1.475, -0.035), v(0.15, 1.44, -0.025), 0.045, 0.05).blend(0.05),
    );
}

fn add_leg(recipe: &mut Recipe) {
    // The first lump of the group melts into the body, the others only a little into each other.
    let leg = |lump: Primitive, seam: f64| lump.blend(seam).group(10);
    let (knee, ankle) = (PLAN.knee, PLAN.ankle);
    let thigh = Primitive::cone(v(0.1, 0.86, 0.0), knee + v(0.0, 0.03, 0.0), 0.092, 0.056);
    recipe.lump("thigh_l", leg(thigh, 0.035));
    recipe.lump("thigh_l", leg(Primitive::cone(v(0.1, 0.78, 0.03), v(0.1, 0.6, 0.024), 0.066, 0.046), 0.03));
    recipe.lump("thigh_l", leg(Primitive::sphere(knee + v(0.0, 0.01, 0.018), 0.042), 0.02));
    recipe.lump("shin_l", leg(Primitive::cone(knee, ankle, 0.052, 0.034), 0.01));
    recipe.lump(
        "shin_l",
        leg(Primitive::cone(v(0.103, 0.40, -0.028), v(0.1, 0.24, -0.026), 0.052, 0.034), 0.03),
    );
    recipe.lump("foot_l", Primitive::sphere(v(0.1, 0.036, -0.045), 0.036).blend(0.03));
    recipe.lump("foot_l", Primitive::cone(ankle + v(0.0, -0.01, 0.015), PLAN.ball, 0.043, 0.028).blend(0.03));
    let sole = Primitive::cone(v(0.1, 0.025, -0.04), v(0.108, 0.022, 0.12), 0.032, 0.046);
    recipe.lump("foot_l", sole.stretched(DVec3::Y, 0.6).blend(0.02));
    let toes = Primitive::cone(v(0.108, 0.02, 0.13), v(0.106, 0.018, 0.17), 0.046, 0.036);
    recipe.lump("toe_l", toes.stretched(DVec3::Y, 0.55).blend(0.02));
    // The ground cuts the soles flat.
    recipe.lump("hips", Primitive::sphere(DVec3::Y * -40.0, 40.0).blend(0.012).carved());
}

fn add_arm(recipe: &mut Recipe) {
    let arm = |lump: Primitive, seam: f64| lump.blend(seam).group(11);
    let (shoulder, elbow) = (PLAN.shoulder, PLAN.elbow);
    let on = |base: DVec3, along: f64, z: f64| base + PLAN.arm() * along + DVec3::Z * z;
    recipe.lump("upper_arm_l", arm(Primitive::sphere(shoulder + v(0.005, -0.008, 0.0), 0.062), 0.045));
    recipe.lump("upper_arm_l", arm(Primitive::cone(on(shoulder, 0.03, 0.0), elbow, 0.052, 0.038), 0.03));
    let biceps = Primitive::cone(on(shoulder, 0.11, 0.014), on(shoulder, 0.2, 0.012), 0.04, 0.036);
    recipe.lump("upper_arm_l", arm(biceps, 0.03));
    recipe.lump("forearm_l", arm(Primitive::cone(elbow, PLAN.wrist, 0.038, 0.026), 0.01));
    let muscle = Primitive::cone(on(elbow, 0.05, 0.008), on(elbow, 0.12, 0.01), 0.041, 0.033);
    recipe.lump("forearm_l", arm(muscle, 0.03));
}
