//! Walking, running and other motions on four legs, in place.
//!
//! Feet follow a [`Gait`] each, shifted in phase; legs reach by two-bone inverse kinematics down to the hock or wrist;
//! neck and tail follow in waves.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};
use supple::pose::ClipError;
use supple::{Clip, Model};

use super::gait::{Gait, smooth};
use super::limits;
use super::puppet::{Puppet, bake, bake_loop};

/// Walk, run, wave, twist, fall and random.
pub(super) fn clips(model: &Model) -> Result<Vec<Clip>, ClipError> {
    Ok(vec![
        bake_loop(model, "walk", WALK.gait.seconds, |time, puppet| stride(&WALK, time, puppet))?,
        bake_loop(model, "run", RUN.gait.seconds, |time, puppet| stride(&RUN, time, puppet))?,
        bake_loop(model, "wave", 2.4, wave)?,
        bake_loop(model, "twist", 4.0, |time, puppet| {
            let angle = 180.0 * smooth(1.0 - (2.0 * time - 1.0).abs());
            puppet.bend("neck_3", 0.0, angle, 0.0);
            puppet.bend("tail_4", 0.0, angle, 0.0);
            puppet.bend("humerus_l", 0.0, angle, 0.0);
            puppet.bend("humerus_r", 0.0, -angle, 0.0);
        })?,
        bake(model, "fall", 1.6, fall)?,
        limits::random_clip(model)?,
    ])
}

/// A gait and what the body does with it; lengths in leg lengths, angles in degrees.
struct Carriage {
    gait: Gait,
    /// When the left hind, left front, right hind and right front foot touch down.
    phases: [f64; 4],
    sink: f64,
    bob: f64,
    /// How the back bends up and down with every stride.
    arch: f64,
}

/// Hind foot, front foot on the same side, then the other side: the walk of most four-legged animals.
const WALK: Carriage = Carriage {
    gait: Gait { seconds: 1.6, stance: 0.66, reach: [0.2, 0.2], lift: 0.13, pitch: [0.0, 0.0] },
    phases: [0.0, 0.25, 0.5, 0.75],
    sink: 0.03,
    bob: 0.01,
    arch: 1.5,
};

/// A gallop: hind legs together, then front legs.
const RUN: Carriage = Carriage {
    gait: Gait { seconds: 0.7, stance: 0.36, reach: [0.32, 0.3], lift: 0.3, pitch: [0.0, 0.0] },
    phases: [0.0, 0.5, 0.1, 0.6],
    sink: 0.05,
    bob: 0.04,
    arch: 7.0,
};

fn stride(carriage: &Carriage, time: f64, puppet: &mut Puppet) {
    let leg = puppet.rest("femur_l").y;
    let wave = |speed: f64, shift: f64| (TAU * (speed * time - shift)).sin();
    let beats = if carriage.arch > 5.0 { 1.0 } else { 2.0 };
    let rise = leg * (carriage.bob * wave(beats, 0.1) - carriage.sink);
    puppet.shift("hips", DVec3::new(0.012 * leg * wave(1.0, 0.05), rise, 0.0));
    let arch = carriage.arch * wave(1.0, 0.2);
    puppet.bend("hips", -arch, 0.0, 1.5 * wave(1.0, 0.0));
    for joint in ["spine_1", "spine_2", "spine_3", "chest"] {
        puppet.bend(joint, 0.6 * arch, 0.0, -1.2 * wave(1.0, 0.0));
    }
    for (i, joint) in (1..=5).map(|i| (f64::from(i), format!("neck_{i}"))) {
        puppet.bend(&joint, -0.3 * arch + 1.2 * wave(beats, 0.05 * i), 0.0, 1.2 * wave(1.0, 0.05 * i));
    }
    puppet.bend("head", 2.0 * wave(beats, 0.35) - 0.3 * arch, 0.0, 0.0);
    wag(puppet, time, 5.0, 1.0);
    let [left_hind, left_front, right_hind, right_front] = carriage.phases.map(|phase| time - phase);
    for (side, hind, front) in [("l", left_hind, left_front), ("r", right_hind, right_front)] {
        step_front(carriage, leg, side, front, puppet);
        step_hind(carriage, leg, side, hind, puppet);
        let flap = 4.0 * wave(beats, 0.0);
        puppet.bend(&format!("wing_1_{side}"), flap, 0.0, 0.0);
    }
}

fn step_front(carriage: &Carriage, leg: f64, side: &str, phase: f64, puppet: &mut Puppet) {
    let [humerus, radius, foot] = ["humerus", "radius", "forefoot"].map(|part| format!("{part}_{side}"));
    let step = carriage.gait.step(phase);
    let offset = DVec3::new(0.0, step.up, step.forwards) * leg;
    puppet.bend(&format!("scapula_{side}"), 22.0 * step.forwards, 0.0, 0.0);
    // The elbow bulges backwards.
    puppet.reach([&humerus, &radius, &foot], puppet.rest(&foot) + offset, DVec3::NEG_Z);
    puppet.turn_in_world(&foot, x(16.0 * step.flight));
    curl_toes(puppet, "fore", side, 10.0 * step.flight);
}

fn step_hind(carriage: &Carriage, leg: f64, side: &str, phase: f64, puppet: &mut Puppet) {
    let [femur, tibia, hock, foot] =
        ["femur", "tibia", "hock", "hindfoot"].map(|part| format!("{part}_{side}"));
    let step = carriage.gait.step(phase);
    let ankle = puppet.rest(&foot) + DVec3::new(0.0, step.up, step.forwards) * leg;
    // The hock leans with the leg, as if the foot were its pivot.
    let lean = x(38.0 * step.forwards - 18.0 * step.flight);
    let target = ankle + lean * (puppet.rest(&hock) - puppet.rest(&foot));
    puppet.reach([&femur, &tibia, &hock], target, DVec3::Z);
    puppet.turn_in_world(&hock, lean);
    puppet.turn_in_world(&foot, x(18.0 * step.flight));
    curl_toes(puppet, "hind", side, 10.0 * step.flight);
}

fn curl_toes(puppet: &mut Puppet, foot: &str, side: &str, degrees: f64) {
    for toe in 1..=3 {
        puppet.bend(&format!("{foot}toe_{toe}_{side}"), degrees, 0.0, 0.0);
    }
}

/// A wave that runs down the tail.
fn wag(puppet: &mut Puppet, time: f64, degrees: f64, speed: f64) {
    for i in 1..=10 {
        let lag = TAU * (speed * time - 0.07 * f64::from(i));
        puppet.bend(&format!("tail_{i}"), 0.35 * degrees * (2.0 * lag).sin(), 0.0, degrees * lag.sin());
    }
}

/// Wags the tail, lifts the head and spreads the wings.
fn wave(time: f64, puppet: &mut Puppet) {
    let up = smooth(time / 0.25) * smooth((1.0 - time) / 0.25);
    wag(puppet, time, 14.0 * up, 3.0);
    for i in 1..=5 {
        puppet.bend(&format!("neck_{i}"), -5.0 * up, 0.0, 3.0 * up * (TAU * time).sin());
    }
    puppet.bend("head", 14.0 * up, 0.0, 0.0);
    puppet.bend("jaw", 22.0 * up, 0.0, 0.0);
    for side in ["l", "r"] {
        puppet.bend(&format!("wing_1_{side}"), up * (28.0 + 10.0 * (3.0 * TAU * time).sin()), 0.0, 0.0);
        puppet.bend(&format!("wing_2_{side}"), 30.0 * up, 0.0, 0.0);
    }
}

/// Loses its feet and falls on its left side; ends lying.
fn fall(time: f64, puppet: &mut Puppet) {
    let t = (time / 0.6).min(1.0);
    let down = t * t;
    let rest = smooth((time - 0.55) / 0.35);
    let height = puppet.rest("hips").y;
    puppet.shift("hips", DVec3::new(0.45 * height * down, -0.64 * height * down, 0.0));
    puppet.turn("hips", DQuat::from_rotation_z((-88.0 * down).to_radians()));
    let alarm = smooth(t * 2.0);
    for side in ["l", "r"] {
        let kick = alarm * (1.0 - 0.5 * rest) * if side == "r" { 1.0 } else { 0.5 };
        puppet.bend(&format!("humerus_{side}"), -30.0 * kick, 0.0, 0.0);
        puppet.bend(&format!("radius_{side}"), 45.0 * kick, 0.0, 0.0);
        puppet.bend(&format!("femur_{side}"), 30.0 * kick, 0.0, 0.0);
        puppet.bend(&format!("tibia_{side}"), 30.0 * kick, 0.0, 0.0);
        // Wings fold over the back, out of the way.
        puppet.bend(&format!("wing_1_{side}"), 62.0 * alarm, 0.0, 0.0);
    }
    for i in 1..=5 {
        // Lying on the side, the head keeps up until it comes to rest.
        puppet.bend(&format!("neck_{i}"), 3.0 * alarm, 0.0, alarm * (9.0 - 6.0 * rest));
    }
    wag(puppet, time, 6.0 * alarm * (1.0 - rest), 1.0);
}

fn x(degrees: f64) -> DQuat {
    DQuat::from_rotation_x(degrees.to_radians())
}
