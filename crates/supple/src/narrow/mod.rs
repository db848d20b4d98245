//! Exact tests of primitive against primitive, on the `f32` vertices they are given.
//!
//! Comes in: triangles with finite corners, rays, points, solid shapes. Goes out: whether they touch, and where, or how far
//! apart they are. Where triangles and rays touch, no epsilon decides: every sign a decision rests on is either certain in
//! `f64`, by a derived error bound, or computed exactly.
//! Touching counts; triangles that are flat to a segment or a point are the point sets they are.

mod contact;
mod convex;
mod convex_hull;
mod distance;
mod double_double;
mod expansion;
mod flat;
mod flat_contact;
mod near_pair;
mod plane;
mod point_location;
mod predicates;
mod probe;
mod ray;
mod ray_triangle;
mod surface_point;
mod triangle_triangle;

use glam::Vec3;

pub use contact::{Contact, contact};
pub use distance::{
    ClosestPoints, PointOnTriangle, closest_point_of_triangle, closest_points_of_segment_and_triangle,
    closest_points_of_segments, closest_points_of_triangles,
};
pub use near_pair::NearPair;
pub use plane::{Plane, PlaneError};
pub use point_location::PointLocation;
pub use probe::{Probe, ProbeError};
pub use ray::{Crossing, Faces, Ray, RayError, RayHit};
pub use ray_triangle::ray_crosses;
pub use surface_point::SurfacePoint;
pub use triangle_triangle::{crossing_triangles_touch, triangles_touch};

/// Three corners, all finite. Repeated or collinear corners are allowed.
pub type Triangle = [Vec3; 3];
