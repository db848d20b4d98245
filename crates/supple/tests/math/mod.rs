//! Tests of `supple::math`.

mod aabb;
mod dual_quat;
mod enclosing_sphere_of_points;
mod enclosing_sphere_of_spheres;
mod isometry;
mod polar;
mod rotation_center;
mod sphere;
mod symmetric_eigen;
