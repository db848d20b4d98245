//! Enclosing spheres: the smallest one of points, a nearly smallest one of spheres.
//!
//! In: points or spheres in `f32`. Out: a sphere that contains them all, by the `f64` tests of
//! [`Sphere`](super::Sphere), its radius rounded outward by derived amounts. Cost: linear in the input, 3
//! to 15 passes over random points or points of a sphere. Same input, same output.

mod spheres;
mod points;

pub use points::smallest_enclosing_sphere;
pub(crate) use points::smallest_enclosing_sphere_of_few;
pub use spheres::{SPHERES_PRECISION, enclosing_sphere_of_spheres};
