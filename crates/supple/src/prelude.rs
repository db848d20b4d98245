//! What most programs need: `use supple::prelude::*;`.

pub use crate::math::{Distance, Isometry, Point};
pub use crate::model::{Model, SelfFilter};
pub use crate::narrow::{Plane, Probe, Ray};
pub use crate::pose::Pose;
pub use crate::query::{
    cast_ray, cast_ray_any, cast_rays, closest_point, closest_points, collide, collide_any, overlap,
    self_collide, self_collide_with,
};
pub use crate::refit::Body;
pub use crate::scene::{Groups, Scene};
pub use crate::skin::Skinning;
pub use crate::tree::{BuildOptions, Shape};
