//! Questions to bodies. Each returns its answer with what it cost.

mod planes;
mod couple;
mod walk;
mod budget;
mod collide;
mod surface_point;
mod contact_details;
mod descent;
mod slabs;
mod shear;
mod cast_ray;
mod cast_rays;
mod ray_hit_details;
mod locate_point;
mod overlap;
mod near;
mod closest_points;
mod closest_point;
mod time_of_contact;
mod self_collide;
mod self_collide_between;
mod bounded_walk;
mod sphere_contacts;
mod sphere_triangle_contacts;
mod sphere_plane_contacts;

pub use budget::{Budget, OpenPair};
pub use cast_ray::{cast_ray, cast_ray_all, cast_ray_any};
pub use cast_rays::cast_rays;
pub use closest_point::closest_point;
pub use closest_points::{closest_points, pairs_within};
pub use collide::{
    CollideOptions, PartialPairs, collide, collide_any, collide_any_near, collide_into, collide_with,
};
pub use contact_details::{ContactDetails, ContactSide, contact_details};
pub use locate_point::{OpenSurface, locate_point};
pub use overlap::{overlap, overlap_any};
pub use ray_hit_details::{RayHitDetails, ray_hit_details};
pub use self_collide::{self_collide, self_collide_into, self_collide_with};
pub use self_collide_between::self_collide_between;
pub use sphere_contacts::{SphereContact, sphere_contacts, sphere_contacts_into};
pub use sphere_plane_contacts::{PlaneContact, sphere_plane_contacts, sphere_plane_contacts_into};
pub use sphere_triangle_contacts::{
    TriangleContact, sphere_triangle_contacts, sphere_triangle_contacts_into,
};
pub use time_of_contact::{MotionError, TimedContact, time_of_contact};

pub(crate) use slabs::Slabs;
