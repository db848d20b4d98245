//! Waving, twisting and falling on two legs.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use supple::pose::ClipError;
use supple::{Clip, Model};

use super::gait::smooth;
use super::puppet::{Puppet, bake, bake_loop};

/// Raises the right arm, waves three times and lowers it again.
pub(super) fn wave(model: &Model) -> Result<Clip, ClipError> {
    bake_loop(model, "wave", 3.0, |time, puppet| {
        let raised = smooth(time / 0.2) * smooth((1.0 - time) / 0.2);
        let shake = raised * (3.0 * TAU * smooth((time - 0.15) / 0.7)).sin();
        let z = |degrees: f64| DQuat::from_rotation_z(degrees.to_radians());
        puppet.turn("clavicle_r", z(-12.0 * raised));
        // To 22 degrees above the horizontal (the clavicle does 12 of them), whatever the rest pose.
        puppet.turn("upper_arm_r", z((elevation(puppet, "r") - 10.0) * raised));
        puppet.turn("forearm_r", z((-65.0 - 22.0 * shake / raised.max(1e-9)) * raised));
        puppet.turn("hand_r", z(-14.0 * shake));
        puppet.turn("upper_arm_l", z((-78.0 - elevation(puppet, "l")) * raised));
        puppet.turn("head", z(6.0 * raised) * DQuat::from_rotation_y((-14.0 * raised).to_radians()));
        puppet.turn("spine", z(2.5 * raised));
    })
}

/// Turns both shoulders and the neck about their own bones, up to 180 degrees in the middle of the clip: the pose in
/// which linear skinning collapses like a candy wrapper.
pub(super) fn twist(model: &Model) -> Result<Clip, ClipError> {
    bake_loop(model, "twist", 4.0, |time, puppet| {
        let angle = 180.0 * smooth(1.0 - (2.0 * time - 1.0).abs());
        puppet.bend("upper_arm_l", 0.0, angle, 0.0);
        puppet.bend("upper_arm_r", 0.0, -angle, 0.0);
        puppet.bend("neck", 0.0, angle, 0.0);
    })
}

/// Loses its feet and falls on the back; ends lying.
pub(super) fn fall(model: &Model) -> Result<Clip, ClipError> {
    let back = depth_of_back(model);
    bake(model, "fall", 1.5, |time, puppet| {
        let x = |degrees: f64| DQuat::from_rotation_x(degrees.to_radians());
        let z = |degrees: f64| DQuat::from_rotation_z(degrees.to_radians());
        // Free fall speeds up until the ground stops it at two thirds of the clip.
        let t = (time / 0.66).min(1.0);
        let down = t * t * (0.35 + 0.65 * t);
        let rest = smooth((time - 0.62) / 0.3);
        let hips = puppet.rest("hips");
        let lying = back + 0.02 * (1.0 - rest);
        puppet.turn("hips", x(-88.0 * down));
        puppet.shift("hips", DVec3::new(0.0, (lying - hips.y) * down, -0.75 * hips.y * down));
        let alarm = smooth(t * 2.0);
        puppet.turn("spine", x(22.0 * alarm * (1.0 - rest)));
        puppet.turn("chest", x(14.0 * alarm * (1.0 - rest)));
        puppet.turn("neck", x(24.0 * alarm * (1.0 - 0.9 * rest)));
        for (side, sign) in [("l", 1.0), ("r", -1.0)] {
            let fling = alarm * (1.0 - 0.55 * rest);
            puppet.turn(&format!("upper_arm_{side}"), x(-55.0 * fling) * z(sign * 38.0 * fling));
            puppet.bend(&format!("forearm_{side}"), 35.0 * fling, 0.0, 0.0);
            let kick = alarm * (1.0 - 0.75 * rest) * if sign > 0.0 { 1.0 } else { 0.75 };
            puppet.bend(&format!("thigh_{side}"), 42.0 * kick, 0.0, 0.0);
            puppet.bend(&format!("shin_{side}"), 48.0 * kick, 0.0, 0.0);
            puppet.bend(&format!("foot_{side}"), -25.0 * kick, 0.0, 0.0);
            curl_fingers(puppet, side, 20.0 * fling);
        }
    })
}

/// How far an arm points above the horizontal at rest, in degrees.
pub(super) fn elevation(puppet: &Puppet, side: &str) -> f64 {
    let along = puppet.rest(&format!("forearm_{side}")) - puppet.rest(&format!("upper_arm_{side}"));
    along.y.atan2(along.x.abs()).to_degrees()
}

/// How far the body reaches behind the hips: the height of the hips when it lies on the back.
fn depth_of_back(model: &Model) -> f64 {
    let hips = Puppet::new(model).rest("hips");
    let trunk = model
        .mesh()
        .positions()
        .iter()
        .map(|p| p.as_dvec3())
        .filter(|p| p.y > 0.8 * hips.y && p.y < 1.8 * hips.y);
    trunk.fold(0.0, |depth, p| depth.max(hips.z - p.z))
}

/// Bends all fingers of a hand, whatever joints it has for them.
pub(super) fn curl_fingers(puppet: &mut Puppet, side: &str, degrees: f64) {
    for finger in ["fingers", "index", "middle", "ring", "little"] {
        for phalanx in 1..=3 {
            puppet.bend(&format!("{finger}_{phalanx}_{side}"), degrees, 0.0, 0.0);
        }
    }
    puppet.bend(&format!("thumb_{side}"), 0.5 * degrees, 0.0, 0.0);
    for phalanx in 2..=3 {
        puppet.bend(&format!("thumb_{phalanx}_{side}"), 0.5 * degrees, 0.0, 0.0);
    }
}
