//! What wind does to the curtain: twelve smooth functions of x and y, all zero at the rod, and a clip of gusts.

use std::f32::consts::{PI, TAU};

use glam::Vec3;
use supple::model::ModelError;
use supple::pose::Clip;

use super::sheet::{HALF_WIDTH, HEIGHT};
use crate::displacement::{Flex, looping_clip, wave};

/// Ripples come in pairs, a quarter of a wave apart: turning from one to the other makes them run.
pub(super) const FLEXES: [Flex; 12] = [
    ("swings out", |p| Vec3::Z * 0.90 * hanging(p)),
    ("lifts", |p| Vec3::Y * 0.32 * hanging(p)),
    ("bellies", |p| Vec3::Z * 0.28 * (PI * down(p)).sin().powi(2) * (0.5 * PI * aside(p)).cos()),
    ("turns", |p| Vec3::Z * 0.50 * aside(p) * hanging(p)),
    ("sways", |p| Vec3::X * 0.40 * hanging(p)),
    ("gathers", |p| Vec3::NEG_X * 0.35 * aside(p) * hanging(p)),
    ("long ripple, sine", |p| Vec3::Z * 0.13 * hanging(p) * (PI * (aside(p) + 0.5 * down(p))).sin()),
    ("long ripple, cosine", |p| Vec3::Z * 0.13 * hanging(p) * (PI * (aside(p) + 0.5 * down(p))).cos()),
    ("short ripple, sine", |p| Vec3::Z * 0.07 * hanging(p) * (TAU * (aside(p) - 0.3 * down(p))).sin()),
    ("short ripple, cosine", |p| Vec3::Z * 0.07 * hanging(p) * (TAU * (aside(p) - 0.3 * down(p))).cos()),
    ("falling ripple, sine", |p| Vec3::Z * 0.07 * hanging(p) * (3.0 * PI * down(p)).sin()),
    ("falling ripple, cosine", |p| Vec3::Z * 0.07 * hanging(p) * (3.0 * PI * down(p)).cos()),
];

/// Gusts: 110 frames at 30 per second; the frame after the last is the first.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const FRAMES: usize = 110;
    looping_clip("wind", FRAMES, 30.0, |frame| {
        let share = frame as f32 / FRAMES as f32;
        // One strong gust, in which the ripples grow too.
        let gust = (PI * share).sin().powi(2);
        let strength = 0.3 + 0.7 * gust;
        let swing = gust * (0.85 + 0.15 * wave(3.0, 0.0, share));
        let mut values = [0.0; 12];
        // What swings out also comes up, by the square of how far: the cloth keeps its length.
        values[0] = swing;
        values[1] = swing * swing;
        values[2] = 0.6 * strength * wave(2.0, 0.1, share);
        values[3] = 0.6 * strength * wave(1.0, 0.3, share);
        values[4] = 0.5 * strength * wave(2.0, 0.6, share);
        values[5] = 0.5 * gust;
        for (first, turns, amount) in [(6, 4.0, 1.0), (8, 5.0, 0.9), (10, 3.0, 0.9)] {
            values[first] = amount * strength * wave(turns, 0.25, share);
            values[first + 1] = amount * strength * wave(turns, 0.0, share);
        }
        values
    })
}

/// 0 at the rod, 1 at the lower edge.
fn down(p: Vec3) -> f32 {
    (1.0 - p.y / HEIGHT).max(0.0)
}

/// -1 at the left edge, 1 at the right one, seen from the front.
fn aside(p: Vec3) -> f32 {
    p.x / HALF_WIDTH
}

/// How freely the cloth moves: nothing at the rod, and no kink there.
fn hanging(p: Vec3) -> f32 {
    let down = down(p);
    down * down * (1.5 - 0.5 * down)
}
