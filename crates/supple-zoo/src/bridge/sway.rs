//! How the bridge moves: sideways, up and down, twisting, all together; and a clip in which that grows dangerous.
//!
//! A motion is a curve over the bridge, `u` from -1 at one end to 1 at the other, with no value and no slope at the ends:
//!
//! ```text
//! curve(u) = (1 - u^2)^2 wave(u);   cross-sections follow the curve and turn with its slope, to first order
//! ```
//!
//! Curves that move the deck by much vanish at the towers, u = +-1/2, which are stiff.

use std::f64::consts::{PI, TAU};

use glam::Vec3;
use supple::model::ModelError;
use supple::pose::Clip;

use super::plan::{HALF_LENGTH, SADDLE, TOP};
use crate::displacement::{Flex, looping_clip, wave};

/// Names and displacements for a coefficient of 1.
pub(super) const SWAYS: [Flex; 10] = [
    ("sways", |p| swayed(p, 24.0, |u| (PI * u).cos())),
    ("sways, two waves", |p| swayed(p, 11.0, |u| (TAU * u).sin())),
    ("sways, three waves", |p| swayed(p, 7.0, |u| (PI * u).cos() * (TAU * u).cos())),
    ("leans", |p| Vec3::X * (5.0 * curve(p.z, |_| 1.0)[0] * share_of_towers(p))),
    ("heaves", |p| heaved(p, 8.0, |u| (PI * u).cos())),
    ("heaves, two waves", |p| heaved(p, 6.0, |u| (TAU * u).sin())),
    ("heaves, three waves", |p| heaved(p, 4.0, |u| (PI * u).cos() * (TAU * u).cos())),
    ("twists", |p| twisted(p, 0.4, |u| (PI * u).cos())),
    ("twists, two waves", |p| twisted(p, 0.6, |u| (TAU * u).sin())),
    ("towers nod", |p| Vec3::Z * (-4.0 * curve(p.z, |u| (PI * u).sin())[0] * share_of_towers(p))),
];

/// Eight seconds in which the wind takes hold of the bridge and lets go again.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const FRAMES: usize = 240;
    /// Whole turns in the clip, how early they start, and how far they go, for each motion.
    const MOTIONS: [[f32; 3]; 10] = [
        [2.0, 0.0, 1.0],
        [3.0, 0.2, 0.6],
        [4.0, 0.4, 0.5],
        [6.0, 0.1, 0.5],
        [3.0, 0.3, 0.7],
        [5.0, 0.0, 0.8],
        [7.0, 0.6, 0.5],
        [4.0, 0.7, 0.5],
        [6.0, 0.5, 0.8],
        [3.0, 0.8, 0.6],
    ];
    looping_clip("sway", FRAMES, 30.0, |frame| {
        let share = frame as f32 / FRAMES as f32;
        let strength = 0.25 + 0.75 * (std::f32::consts::PI * share).sin().powi(2);
        MOTIONS.map(|[turns, lead, amount]| amount * strength * wave(turns, lead, share))
    })
}

/// Sideways; the ground does not move.
fn swayed(p: Vec3, metres: f32, shape: impl Fn(f64) -> f64) -> Vec3 {
    let [value, slope] = curve(p.z, shape);
    Vec3::new(value, 0.0, -slope * p.x) * (metres * above_ground(p))
}

/// Up; the deck turns with the slope, the hangers above it stay upright.
fn heaved(p: Vec3, metres: f32, shape: impl Fn(f64) -> f64) -> Vec3 {
    let [value, slope] = curve(p.z, shape);
    let above_deck = p.y - TOP;
    let turn = slope * above_deck * (-(above_deck / 4.0).powi(2)).exp();
    Vec3::new(0.0, value, -turn) * (metres * above_ground(p))
}

/// About the middle of the deck.
fn twisted(p: Vec3, radians: f32, shape: impl Fn(f64) -> f64) -> Vec3 {
    let [value, _] = curve(p.z, shape);
    Vec3::new(TOP - p.y, p.x, 0.0) * (radians * value * above_ground(p))
}

/// A curve and its slope per metre.
fn curve(z: f32, shape: impl Fn(f64) -> f64) -> [f32; 2] {
    /// Rounding and the third derivative are then both below 1e-6 of the slope.
    const STEP: f64 = 1e-4;
    let at = |u: f64| (1.0 - u * u).max(0.0).powi(2) * shape(u);
    let u = f64::from(z / HALF_LENGTH);
    let slope = (at(u + STEP) - at(u - STEP)) / (2.0 * STEP);
    [at(u) as f32, slope as f32 / HALF_LENGTH]
}

/// 0 on the ground, 1 from the deck upwards.
fn above_ground(p: Vec3) -> f32 {
    let share = (p.y / 8.0).clamp(0.0, 1.0);
    share * share * (3.0 - 2.0 * share)
}

/// 0 on the ground, 1 on top of the towers, as a post bends that stands in the ground.
fn share_of_towers(p: Vec3) -> f32 {
    (p.y / SADDLE).powi(2)
}
