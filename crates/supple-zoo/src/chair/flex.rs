//! How the chair bends and twists: ten smooth functions of the position, and a clip that shows them one after the other.

use glam::Vec3;
use supple::model::ModelError;
use supple::pose::Clip;

use crate::displacement::{Flex, looping_clip};

/// A coefficient of 1 is about 5 cm.
pub(super) const FLEXES: [Flex; 10] = [
    ("back bends", |p| Vec3::NEG_Z * 0.06 * above_seat(p).powi(2)),
    ("back sways", |p| Vec3::X * 0.05 * above_seat(p).powi(2)),
    ("back twists", |p| turned(p, 0.30 * above_seat(p))),
    ("seat sags", |p| Vec3::NEG_Y * 0.05 * (-((p.x / 0.17).powi(2) + (p.z / 0.17).powi(2))).exp()),
    ("seat warps", |p| Vec3::Y * 0.05 * (p.x / 0.24) * (p.z / 0.24)),
    ("legs splay", |p| Vec3::X * 0.06 * (p.x / 0.24) * below_seat(p).powi(2)),
    ("legs stride", |p| Vec3::Z * 0.06 * (p.z / 0.24) * below_seat(p).powi(2)),
    ("leans", |p| Vec3::X * 0.06 * (p.y / 0.8).powi(2)),
    ("twists", |p| turned(p, 0.25 * (p.y - 0.4) / 0.4)),
    ("arms spread", |p| Vec3::X * 0.05 * (p.x / 0.25) * (-((p.y - 0.68) / 0.14).powi(2)).exp()),
];

/// Each flex for 1.2 seconds, there and back, overlapping the next by half; at rest at both ends.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const SECONDS: f32 = 1.2;
    const FRAMES_PER_SECOND: f32 = 20.0;
    let duration = SECONDS * 0.5 * (FLEXES.len() as f32 + 1.0);
    let frames = (duration * FRAMES_PER_SECOND).round() as usize;
    looping_clip::<10>("flex", frames, FRAMES_PER_SECOND, |frame| {
        let time = frame as f32 / FRAMES_PER_SECOND;
        std::array::from_fn(|flex| {
            let share = ((time - 0.5 * SECONDS * flex as f32) / SECONDS).clamp(0.0, 1.0);
            let window = (std::f32::consts::PI * share).sin().powi(2);
            // 1.54 makes the largest coefficient 1.
            let value = 1.54 * window * (std::f32::consts::TAU * share).sin();
            // Exactly at rest before and after.
            if share == 0.0 || share == 1.0 { 0.0 } else { value }
        })
    })
}

/// 0 at the seat and below, 1 at the top of the back.
fn above_seat(p: Vec3) -> f32 {
    ((p.y - 0.43) / 0.40).max(0.0)
}

/// 0 at the seat and above, 1 at the feet.
fn below_seat(p: Vec3) -> f32 {
    ((0.43 - p.y) / 0.43).max(0.0)
}

/// Displacement of a turn about the vertical axis, to first order: fields are linear.
fn turned(p: Vec3, angle: f32) -> Vec3 {
    Vec3::new(angle * p.z, 0.0, -angle * p.x)
}
