//! A human whose arms and legs are tubes: 52 joints, 26,000 triangles, hands with all their fingers.

use glam::DVec3;
use supple::Model;

use super::body_plan::BodyPlan;
use super::hand_shape::add_hand;
use super::head_shape::{HeadFrame, add_head};
use super::recipe::Recipe;
use super::rig::Rig;
use crate::sculpt::Primitive;

/// A slender human of 1.75 m in T-pose on y = 0, facing +Z; arms and legs are tubes of constant radius.
///
/// 52 joints, 13,002 vertices, 26,000 triangles. Clips: walk, run, wave, twist, fall, random.
pub fn human() -> Model {
    recipe().cook()
}

fn recipe() -> Recipe {
    let mut recipe = Recipe {
        name: "human",
        rig: rig(),
        lumps: Vec::new(),
        focuses: Vec::new(),
        cell: 0.007,
        edge: 0.016,
        vertices: 13_002,
        softness: Some(40),
    };
    add_torso(&mut recipe);
    add_head(&mut recipe, HeadFrame { center: v(0.0, 1.63, 0.0), scale: 1.0 }, "head", 1.0);
    add_limbs(&mut recipe);
    add_hand(&mut recipe, PLAN.hand(), |finger, segment| match segment {
        0 => "hand_l".to_owned(),
        phalanx => format!("{finger}_{phalanx}_l"),
    });
    recipe.focus(PLAN.hand().at(12.0, 0.5, 0.0), 0.06, 0.26);
    recipe.focus(PLAN.hand().at(6.0, 1.5, 0.0), 0.06, 0.34);
    recipe.focus(v(0.1, 0.03, 0.08), 0.1, 0.6);
    recipe
}

const PLAN: BodyPlan = BodyPlan {
    hips: v(0.0, 0.97, -0.01),
    spine: v(0.0, 1.06, -0.01),
    chest: v(0.0, 1.27, -0.015),
    neck: v(0.0, 1.46, -0.02),
    head: v(0.0, 1.57, -0.005),
    crown: v(0.0, 1.75, 0.0),
    hip: v(0.09, 0.92, -0.005),
    knee: v(0.095, 0.5, 0.0),
    ankle: v(0.1, 0.085, -0.015),
    ball: v(0.105, 0.025, 0.125),
    toe: v(0.105, 0.025, 0.195),
    collar: v(0.025, 1.43, 0.0),
    shoulder: v(0.18, 1.42, -0.02),
    elbow: v(0.465, 1.42, -0.025),
    wrist: v(0.72, 1.42, -0.015),
    hand_scale: 0.95,
};

const fn v(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn rig() -> Rig {
    let mut rig = Rig::default();
    let middle = v(0.0, 1.165, -0.012);
    rig.bone("hips", "", PLAN.hips, PLAN.spine, DVec3::X);
    rig.bone("spine", "hips", PLAN.spine, middle, DVec3::X);
    rig.bone("spine_2", "spine", middle, PLAN.chest, DVec3::X);
    rig.bone("chest", "spine_2", PLAN.chest, PLAN.neck, DVec3::X);
    PLAN.add_head_and_limbs(&mut rig);
    PLAN.add_fingers(&mut rig);
    rig
}

fn add_torso(recipe: &mut Recipe) {
    recipe.lump("hips", Primitive::ellipsoid(v(0.0, 0.95, -0.01), v(0.165, 0.1, 0.108)).blend(0.06));
    recipe.pair("hips", Primitive::sphere(v(0.068, 0.92, -0.05), 0.078).blend(0.05));
    let waist = Primitive::cone(v(0.0, 1.05, -0.01), v(0.0, 1.11, -0.01), 0.138, 0.13);
    recipe.lump("spine", waist.stretched(DVec3::Z, 0.74).blend(0.06));
    let ribs = Primitive::cone(v(0.0, 1.16, -0.01), v(0.0, 1.22, -0.012), 0.13, 0.14);
    recipe.lump("spine_2", ribs.stretched(DVec3::Z, 0.74).blend(0.06));
    recipe.lump("chest", Primitive::ellipsoid(v(0.0, 1.32, -0.015), v(0.155, 0.16, 0.11)).blend(0.06));
    recipe.pair("chest", Primitive::sphere(v(0.07, 1.34, 0.05), 0.075).stretched(DVec3::Z, 0.6).blend(0.04));
    let shoulder = Primitive::cone(v(0.035, 1.455, -0.03), v(0.14, 1.43, -0.022), 0.045, 0.048);
    recipe.lump("clavicle_l", shoulder.blend(0.05));
    recipe
        .lump("neck", Primitive::cone(v(0.0, 1.43, -0.025), v(0.0, 1.58, -0.005), 0.056, 0.05).blend(0.035));
}

/// Groups of the limbs, and the width of the seams between their tubes.
const ARM: u32 = 10;
const LEG: u32 = 11;
const MEETS: f64 = 0.008;

fn add_limbs(recipe: &mut Recipe) {
    let tube = |a: DVec3, b: DVec3, radius: f64| Primitive::cone(a, b, radius, radius);
    // The first lump of a limb melts into the body; the others only meet, so that joints do not bulge.
    let (arm, leg, meets) = (ARM, LEG, MEETS);
    let wrist = PLAN.wrist - PLAN.arm() * 0.02;
    recipe.lump("upper_arm_l", tube(PLAN.shoulder, PLAN.elbow, 0.042).blend(0.04).group(arm));
    recipe.lump("forearm_l", tube(PLAN.elbow, wrist, 0.038).blend(meets).group(arm));
    recipe.lump(
        "hand_l",
        Primitive::cone(wrist, PLAN.hand().at(3.0, 0.0, 0.0), 0.032, 0.022).blend(0.02).group(arm),
    );
    recipe.lump("thigh_l", tube(PLAN.hip - DVec3::Y * 0.04, PLAN.knee, 0.067).blend(0.04).group(leg));
    recipe.lump("shin_l", tube(PLAN.knee, PLAN.ankle + DVec3::Y * 0.05, 0.06).blend(meets).group(leg));
    recipe.lump("shin_l", tube(PLAN.ankle + DVec3::Y * 0.05, PLAN.ankle, 0.044).blend(0.02).group(leg));
    recipe.lump("foot_l", Primitive::sphere(v(0.1, 0.036, -0.04), 0.038).blend(0.03));
    recipe.lump(
        "foot_l",
        Primitive::cone(PLAN.ankle + v(0.0, -0.01, 0.01), PLAN.ball, 0.044, 0.028).blend(0.03),
    );
    let sole = Primitive::cone(v(0.1, 0.025, -0.035), v(0.105, 0.022, 0.12), 0.032, 0.044);
    recipe.lump("foot_l", sole.stretched(DVec3::Y, 0.6).blend(0.02));
    let toes = Primitive::cone(v(0.105, 0.02, 0.13), v(0.103, 0.018, 0.17), 0.044, 0.034);
    recipe.lump("toe_l", toes.stretched(DVec3::Y, 0.55).blend(0.02));
    // The ground cuts the soles flat.
    recipe.lump("hips", Primitive::sphere(DVec3::Y * -40.0, 40.0).blend(0.012).carved());
}
