//! Motions of a hand: grasp, wave, point and twist.

use std::f64::consts::TAU;

use supple::pose::ClipError;
use supple::{Clip, Model};

use super::gait::smooth;
use super::limits;
use super::puppet::{Puppet, bake_loop};

const FINGERS: [&str; 4] = ["index", "middle", "ring", "little"];

/// Grasp, wave, point, twist and random.
pub(super) fn clips(model: &Model) -> Result<Vec<Clip>, ClipError> {
    Ok(vec![
        bake_loop(model, "grasp", 2.0, |time, puppet| {
            let closed = there_and_back(time);
            for (i, finger) in FINGERS.into_iter().enumerate() {
                // Fingers close one after the other, the index finger last.
                close(puppet, finger, smooth(closed * 1.3 - 0.1 * (3 - i) as f64));
            }
            close_thumb(puppet, closed);
            puppet.bend("hand", -12.0 * closed, 0.0, 0.0);
        })?,
        bake_loop(model, "wave", 1.6, |time, puppet| {
            let swing = (TAU * time).sin();
            puppet.bend("hand", 0.0, 0.0, 24.0 * swing);
            for (i, finger) in FINGERS.into_iter().enumerate() {
                let lag = (TAU * (time - 0.03 * i as f64)).sin();
                close(puppet, finger, 0.08 + 0.06 * lag);
            }
        })?,
        bake_loop(model, "point", 2.0, |time, puppet| {
            let closed = there_and_back(time);
            for finger in &FINGERS[1..] {
                close(puppet, finger, closed);
            }
            puppet.bend("index_1", -6.0 * closed, 0.0, 0.0);
            puppet.bend("index_2", -8.0 * closed, 0.0, 0.0);
            puppet.bend("index_3", -10.0 * closed, 0.0, 0.0);
            close_thumb(puppet, 0.9 * closed);
            puppet.bend("hand", 35.0 * closed, 0.0, 0.0);
        })?,
        bake_loop(model, "twist", 3.0, |time, puppet| {
            puppet.bend("hand", 0.0, 180.0 * there_and_back(time), 0.0);
        })?,
        limits::random_clip(model)?,
    ])
}

/// 0 at the ends, 1 in the middle.
fn there_and_back(time: f64) -> f64 {
    smooth(1.0 - (2.0 * time - 1.0).abs())
}

/// Closes a finger: 0 is open, 1 is a fist.
fn close(puppet: &mut Puppet, finger: &str, closed: f64) {
    for (phalanx, degrees) in [(1, 72.0), (2, 88.0), (3, 52.0)] {
        puppet.bend(&format!("{finger}_{phalanx}"), degrees * closed, 0.0, 0.0);
    }
    let cup = if finger == "little" { 10.0 } else { 3.0 };
    puppet.bend(&format!("palm_{finger}"), cup * closed, 0.0, 0.0);
}

fn close_thumb(puppet: &mut Puppet, closed: f64) {
    for (phalanx, degrees) in [(1, 26.0), (2, 34.0), (3, 40.0)] {
        puppet.bend(&format!("thumb_{phalanx}"), degrees * closed, 0.0, 0.0);
    }
}
