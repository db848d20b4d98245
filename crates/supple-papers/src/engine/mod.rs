//! One engine for all of the papers' volumes, trees, refits and walks: what differs is a type or a value.

mod method;
mod posed_joint;
mod volume;
mod centroid_sphere;
mod bounding_sphere;
mod cone;
mod slabs;
mod tree;
mod corners;
mod fields;
mod morph;
mod shape;
mod linear;
mod cap;
mod spherical;
mod dual;
mod coherence;
mod body;
mod overlap;
mod collide;
mod front;
mod compare;

pub use body::Body;
pub use bounding_sphere::BoundingSphere;
pub use cap::sphere_of_cap;
pub use collide::{Walk, collide, contacts};
pub use compare::{tightness, violations};
pub use corners::weight_corners;
pub use front::{Front, collide_from};
pub use method::{Method, MethodError};
pub use posed_joint::{NEARLY_RIGID, PosedJoint};
pub use shape::Shape;
pub use slabs::{RestSolid, Slabs, TurnedSlabs};
pub use tree::{Node, Tree};
pub use volume::Volume;

/// `2^-24`, half the distance from 1 to the next f32.
const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
