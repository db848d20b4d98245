//! Walking and running on two legs, in place.
//!
//! Feet follow a [`Gait`]; hips bob, sway and turn; legs reach for the feet by two-bone inverse kinematics; arms swing
//! against the legs.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use supple::pose::ClipError;
use supple::{Clip, Model};

use super::gait::Gait;
use super::puppet::{Puppet, bake_loop};
use super::{gestures, limits};

/// Walk, run, wave, twist, fall and random.
pub(super) fn clips(model: &Model) -> Result<Vec<Clip>, ClipError> {
    Ok(vec![
        bake_loop(model, "walk", WALK.gait.seconds, |time, puppet| stride(&WALK, time, puppet))?,
        bake_loop(model, "run", RUN.gait.seconds, |time, puppet| stride(&RUN, time, puppet))?,
        gestures::wave(model)?,
        gestures::twist(model)?,
        gestures::fall(model)?,
        limits::random_clip(model)?,
    ])
}

/// What the body does while the feet follow the gait; lengths in leg lengths, angles in degrees.
struct Carriage {
    gait: Gait,
    /// How far the hips sink on average, and how far they bob up and down.
    sink: f64,
    bob: f64,
    /// When in the period the hips are highest after a touch-down.
    high: f64,
    lean: f64,
    hip_turn: f64,
    arm_swing: f64,
    elbow: f64,
}

const WALK: Carriage = Carriage {
    gait: Gait { seconds: 1.1, stance: 0.62, reach: [0.36, 0.36], lift: 0.09, pitch: [18.0, 42.0] },
    sink: 0.03,
    bob: 0.02,
    high: 0.3,
    lean: 3.0,
    hip_turn: 7.0,
    arm_swing: 24.0,
    elbow: 18.0,
};

const RUN: Carriage = Carriage {
    gait: Gait { seconds: 0.7, stance: 0.36, reach: [0.3, 0.42], lift: 0.36, pitch: [6.0, 55.0] },
    sink: 0.05,
    bob: 0.045,
    high: 0.43,
    lean: 10.0,
    hip_turn: 10.0,
    arm_swing: 42.0,
    elbow: 85.0,
};

fn stride(carriage: &Carriage, time: f64, puppet: &mut Puppet) {
    let leg = puppet.rest("thigh_l").y - puppet.rest("foot_l").y;
    let wave = |shift: f64| (TAU * (time - shift)).cos();
    let twice = |shift: f64| (2.0 * TAU * (time - shift)).cos();
    // The left foot touches down at time 0 and the right one half a period later.
    let sway = 0.025 * leg * (TAU * (time - 0.06)).sin();
    let rise = leg * (carriage.bob * twice(carriage.high) - carriage.sink);
    puppet.shift("hips", DVec3::new(sway, rise, 0.0));
    let turn = carriage.hip_turn * wave(0.0);
    let roll = -3.0 * (TAU * (time - 0.06)).sin();
    let (yaw, lean) = (y(-turn), x(carriage.lean * 0.4));
    puppet.turn("hips", yaw * z(roll) * lean);
    puppet.turn("spine", y(turn * 0.9) * z(-roll * 0.6) * x(carriage.lean * 0.4));
    puppet.turn("chest", y(turn * 1.0) * z(-roll * 0.6) * x(carriage.lean * 0.2));
    puppet.turn("neck", y(-turn * 0.5) * x(-carriage.lean * 0.4));
    puppet.turn("head", y(-turn * 0.4) * x(-carriage.lean * 0.4 + 1.5 * twice(0.0)));
    for (side, sign, phase) in [("l", 1.0, time), ("r", -1.0, time + 0.5)] {
        step(carriage, leg, side, phase, puppet);
        let swing = carriage.arm_swing * (TAU * (phase - 0.04)).cos();
        swing_arm(carriage, side, sign, swing, puppet);
    }
}

/// Puts one foot where the gait wants it.
fn step(carriage: &Carriage, leg: f64, side: &str, phase: f64, puppet: &mut Puppet) {
    let [thigh, shin, foot, toe] = ["thigh", "shin", "foot", "toe"].map(|part| format!("{part}_{side}"));
    let step = carriage.gait.step(phase);
    let ankle = puppet.rest(&foot);
    let ball = puppet.rest(&toe);
    // The heel lies behind the ankle about half as far as the ball lies before it.
    let heel = DVec3::new(ankle.x, 0.0, ankle.z - 0.35 * (ball.z - ankle.z));
    let pivot = if step.pitch > 0.0 { heel } else { DVec3::new(ball.x, 0.0, ball.z) };
    let pitch = x(-step.pitch);
    // Feet come closer to the middle line in motion than at rest.
    let inwards = DVec3::new(-0.35 * ankle.x, 0.0, 0.0);
    let offset = inwards + DVec3::new(0.0, step.up, step.forwards) * leg;
    puppet.reach([&thigh, &shin, &foot], pivot + offset + pitch * (ankle - pivot), DVec3::Z);
    puppet.turn_in_world(&foot, pitch);
    // Toes stay on the ground while the heel lifts.
    let toe_pitch = if step.pitch > 0.0 { step.pitch } else { step.pitch * (0.15 + 0.75 * step.flight) };
    puppet.turn_in_world(&toe, x(-toe_pitch));
}

/// Lowers an arm from the A-pose and swings it back by `swing`.
fn swing_arm(carriage: &Carriage, side: &str, sign: f64, swing: f64, puppet: &mut Puppet) {
    let [upper, forearm, hand] = ["upper_arm", "forearm", "hand"].map(|part| format!("{part}_{side}"));
    let down = -78.0 - gestures::elevation(puppet, side);
    puppet.turn(&upper, x(swing + 4.0) * z(sign * down));
    puppet.bend(
        &forearm,
        carriage.elbow - 0.35 * swing.min(0.0) * (90.0 / (90.0 + carriage.elbow)),
        0.0,
        0.0,
    );
    puppet.bend(&hand, 4.0, 0.0, 0.0);
    gestures::curl_fingers(puppet, side, if carriage.elbow > 45.0 { 55.0 } else { 18.0 });
}

fn x(degrees: f64) -> DQuat {
    DQuat::from_rotation_x(degrees.to_radians())
}

fn y(degrees: f64) -> DQuat {
    DQuat::from_rotation_y(degrees.to_radians())
}

fn z(degrees: f64) -> DQuat {
    DQuat::from_rotation_z(degrees.to_radians())
}
