//! Many bodies: which of them are near each other, and which triangles touch.
//!
//! In: bodies with collision groups, posed at any time. Out: pairs of bodies whose bounds overlap, and their contacts.
//! Must hold: an id of a removed body never finds another one; answers are sorted and, with their counters, the same on
//! any number of threads.

mod bodies;
mod broad_phase;
mod rounds;
mod contacts;

pub use bodies::{BodyId, Groups, Scene};
pub use contacts::{BodyContact, BodyContacts, SceneContacts};
