//! Exact tests of primitive against primitive, on the `f32` vertices they are given.
//!
//! Comes in: triangles with finite corners. Goes out: whether they touch, and where. No epsilon decides: every
//! sign a decision rests on is either certain in `f64`, by a derived error bound, or computed exactly.
//! Touching counts; triangles that are flat to a segment or a point are the point sets they are.

mod contact;
mod double_double;
mod flat;
mod flat_contact;
mod predicates;
mod triangle_triangle;

use glam::Vec3;

pub use contact::{Contact, contact};
pub use triangle_triangle::triangles_touch;

/// Three corners, all finite. Repeated or collinear corners are allowed.
pub type Triangle = [Vec3; 3];
