//! Questions to bodies. Each returns its answer with what it cost.

mod planes;
mod couple;
mod walk;
mod collide;
mod budget;
mod surface_point;
mod details;
mod descent;
mod slabs;
mod shear;
mod cast_ray;
mod cast_rays;
mod ray_details;
mod point_inside;
mod overlap;
mod near;
mod distance;
mod closest_point;
mod time_of_contact;
mod self_collide;
mod self_collide_between;
mod bounded_walk;
mod ball_contacts;
mod ball_triangle_contacts;
mod ball_plane_contacts;

pub use crate::model::{SelfFilter, SelfFilterError};
pub use crate::query_stats::QueryStats;
pub use ball_contacts::{BallContact, ball_contacts};
pub use ball_plane_contacts::{PlaneContact, ball_plane_contacts};
pub use ball_triangle_contacts::{TriangleContact, ball_triangle_contacts};
pub use budget::{Budget, OpenPair, Partial, collide_within};
pub use cast_ray::{cast_ray, cast_ray_all, cast_ray_any};
pub use cast_rays::cast_rays;
#[cfg(feature = "rayon")]
pub use cast_rays::cast_rays_in_parallel;
pub use closest_point::{ClosestPoint, closest_point};
pub use collide::{Collision, collide, collide_into, collide_with, first_contact};
pub use details::{ContactDetails, ContactSide, contact_details};
pub use distance::{Distance, NearPair, NearPairs, distance, distance_within, pairs_within};
pub use overlap::{overlap, overlaps_any};
pub use point_inside::{PointError, point_inside};
pub use ray_details::{RayHitDetails, ray_hit_details};
pub use self_collide::{Certificates, self_collide, self_collide_with};
pub use self_collide_between::self_collide_between;
pub use time_of_contact::{ContactInTime, TimeOfContact, TimeOfContactError, time_of_contact};
