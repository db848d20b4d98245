//! Many bodies: which of them are near each other, which triangles touch, what a ray, a solid shape or a point meets.
//!
//! In: bodies with collision groups, posed at any time. Out: pairs of bodies whose bounds overlap, their contacts, hits.
//! Must hold: an id of a removed body never finds another one; answers are sorted and, with their counters, the same on
//! any number of threads.

mod bodies;
mod broad_phase;
mod rounds;
mod contacts;
mod rays;
mod near;

pub use bodies::{BodyId, Groups, Scene};
pub use contacts::{BodyContact, BodyContacts};
pub use near::{ScenePoint, SceneTriangle};
pub use rays::SceneHit;
