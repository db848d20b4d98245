//! How the fish bends: cross-sections are moved sideways and turned, to first order, and a clip that swims.
//!
//! ```text
//! x += A P(s),   z -= A P'(s) x,   s = z / half the length, P a Legendre polynomial
//! ```
//!
//! Legendre polynomials of degree 2, 3, 4 have no mean and no mean slope over the body, as the modes of a free beam.

use glam::Vec3;
use supple::model::ModelError;
use supple::pose::Clip;

use crate::displacement::{Flex, looping_clip, wave};

/// Names and displacements for a coefficient of 1.
pub(super) const BENDS: [Flex; 3] = [
    ("bends", |p| bent(p, 0.065, |s| [1.5 * s * s - 0.5, 3.0 * s])),
    ("curves both ways", |p| bent(p, 0.040, |s| [2.5 * s.powi(3) - 1.5 * s, 7.5 * s * s - 1.5])),
    ("ripples", |p| {
        bent(p, 0.022, |s| {
            [(35.0 * s.powi(4) - 30.0 * s * s + 3.0) / 8.0, (35.0 * s.powi(3) - 15.0 * s) / 2.0]
        })
    }),
];

const HALF_LENGTH: f32 = 0.3;

/// The displacement of a bend given by its value and its slope at `s`.
fn bent(p: Vec3, amplitude: f32, curve: impl Fn(f32) -> [f32; 2]) -> Vec3 {
    let [value, slope] = curve(p.z / HALF_LENGTH);
    Vec3::new(amplitude * value, 0.0, -amplitude / HALF_LENGTH * slope * p.x)
}

/// Two strokes of the tail in a second: a wave that runs backwards.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const FRAMES: usize = 30;
    looping_clip("flap", FRAMES, 30.0, |frame| {
        let share = frame as f32 / FRAMES as f32;
        [wave(2.0, 0.0, share), 0.8 * wave(2.0, 0.25, share), 0.6 * wave(2.0, 0.5, share)]
    })
}
