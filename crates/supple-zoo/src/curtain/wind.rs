//! What wind does to the curtain: threads that hang from the rod and head for directions that change along them and in time. They
//! bend and are not stretched; neighbouring threads head almost alike.

use std::f32::consts::PI;

use glam::{Quat, Vec3};

use super::sheet::{HALF_WIDTH, HEIGHT, fold};
use crate::flexible::wave;

/// Frames of a gust, at 30 per second; the frame after the last is the first.
pub(super) const FRAMES: usize = 110;

/// Where a frame takes a point on or beside the sheet. Nothing moves at the rod.
pub(super) fn blown(p: Vec3, frame: usize) -> Vec3 {
    const STEPS: usize = 24;
    let time = frame as f32 / FRAMES as f32;
    let (x, y) = (p.x.clamp(-HALF_WIDTH, HALF_WIDTH), p.y.clamp(0.0, HEIGHT));
    if y == HEIGHT {
        return p;
    }
    let (down, aside) = (1.0 - y / HEIGHT, x / HALF_WIDTH);
    let step = down / STEPS as f32;
    let threads = (0..STEPS).map(|i| heading(step * (i as f32 + 0.5), aside, time)).sum::<Vec3>();
    // What is beside the sheet, its two sides and the hem, turns with the threads.
    let middle = Vec3::new(x, y, fold(x, y));
    let turn = Quat::from_rotation_arc(Vec3::NEG_Y, heading(down, aside, time));
    Vec3::new(x, HEIGHT, middle.z) + threads * (step * HEIGHT) + turn * (p - middle)
}

/// Where a thread heads for at a part of its length: straight down without wind.
fn heading(down: f32, aside: f32, time: f32) -> Vec3 {
    // One strong gust, in which everything else grows too.
    let gust = (PI * time).sin().powi(4);
    let strength = 0.35 + 0.65 * gust;
    // Less where the rod holds it.
    let loose = strength * down * (2.0 - down);
    let out = 0.48 * gust * (0.85 + 0.15 * wave(3.0, 0.0, time))
        + 0.17 * strength * wave(1.0, 0.3, time) * aside
        + 0.16 * strength * wave(2.0, 0.1, time) * (PI * down).cos()
        + 0.07 * loose * wave(4.0, 0.5 * aside + 0.25 * down, time)
        + 0.045 * loose * wave(-5.0, aside - 0.15 * down, time)
        + 0.34 * loose * wave(-3.0, 1.3 * down, time)
        + 0.26 * loose * wave(-7.0, 1.9 * down, time);
    let sideways = 0.15 * strength * wave(2.0, 0.6, time) - 0.08 * gust * aside;
    let (out_sin, out_cos) = out.sin_cos();
    let (side_sin, side_cos) = sideways.sin_cos();
    Vec3::new(side_sin, -out_cos * side_cos, out_sin * side_cos)
}
