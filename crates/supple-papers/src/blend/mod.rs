//! Blending of rigid transforms: one transform out of several, by weights.
//!
//! In: transforms and as many convex weights (not negative, sum 1); surplus weights or transforms are
//! ignored, no transforms at all give the identity. Out: the blended transform.
//!
//! [`properties`] measures what the table says. Which method has which property (invariances: multiplying all inputs by a rigid transform from one side,
//! or changing coordinates, does the same to the output):
//!
//! | method | rigid | bi-invariant | coordinate-invariant | any number | constant speed | shortest path |
//! | --- | --- | --- | --- | --- | --- | --- |
//! | [`linear`] | no | yes | yes | yes | - | - |
//! | [`qlb0`] | yes | left only | no | yes | no | its rotation |
//! | [`spherical`] | yes | yes | yes | yes | no | yes |
//! | [`log_matrix`] | yes | no | yes | yes | no | no |
//! | [`sclerp`] | yes | yes | yes | two | yes | yes |
//! | [`dlb`] | yes | yes | yes | yes | no | yes |
//! | [`dib`] | yes | yes | yes | yes | yes | yes |
//!
//! Signs: a quaternion and its negative are the same rotation. The first transform is the pivot: every other
//! quaternion is taken with the sign that puts it on the pivot's side. If all rotations are within 90 degrees
//! of each other the result does not depend on the order; otherwise it may.
//!
//! Singular blends: where the weighted sum of quaternions vanishes (its length is below [`SINGULAR_LENGTH`])
//! there is no direction to normalise; the result then is the transform with the largest weight, the first of
//! equals.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, chapters 3 and 4.

pub mod properties;

mod dual_number;
mod dual_quaternion;
mod linear;
mod log_matrix;
mod screw;
mod spherical;
mod twist;

pub use dual_number::Dual;
pub use dual_quaternion::{Dib, dib, dlb, sclerp};
pub use linear::linear;
pub use log_matrix::log_matrix;
pub use screw::ScrewAlgebra;
pub use spherical::{qlb, qlb0, spherical, spherical_about};
pub use twist::Twist;

use supple::Isometry;

/// A sum of unit quaternions with convex weights that is shorter than this has no meaning as a rotation:
/// quaternions from files are `f32`, so 6e-8 of it is rounding, a tenth of this.
pub const SINGULAR_LENGTH: f64 = 1e-6;

/// The transform with the largest weight, the first of equals; the identity if there is none.
fn heaviest(transforms: &[Isometry], weights: &[f64]) -> Isometry {
    let mut best = (f64::NEG_INFINITY, Isometry::IDENTITY);
    for (transform, &weight) in transforms.iter().zip(weights) {
        if weight > best.0 {
            best = (weight, *transform);
        }
    }
    best.1
}
