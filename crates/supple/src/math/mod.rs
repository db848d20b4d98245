//! Geometry and algebra that know nothing of meshes: rigid transforms, bounding volumes.
//!
//! Transforms are computed in `f64`: they are made once per joint and pose, so precision is cheap. Bounding volumes are `f32`
//! like the vertices they contain; every radius is rounded outward.

pub mod aabb;
mod distance;
pub mod dual_quat;
pub mod enclosing_sphere;
mod even_polar;
pub mod isometry;
pub mod outward;
mod point;
pub mod polar;
pub mod rotation_center;
pub(crate) mod shortest_arc;
pub mod sphere;
pub mod symmetric_eigen;

pub use aabb::Aabb;
pub use distance::{Distance, DistanceError};
pub use dual_quat::DualQuat;
pub(crate) use enclosing_sphere::smallest_enclosing_sphere_of_few;
pub use enclosing_sphere::{enclosing_sphere_of_spheres, smallest_enclosing_sphere};
pub use isometry::Isometry;
pub use point::{Point, PointError};
pub use polar::{largest_stretch, polar};
pub use rotation_center::rotation_center;
pub use sphere::Sphere;
pub use symmetric_eigen::SymmetricEigen;

pub(crate) use distance::reported;
pub(crate) use even_polar::EvenPolar;
