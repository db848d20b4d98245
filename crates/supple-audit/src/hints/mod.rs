//! What an artist can do about a contact: which bone to turn, and which weights to look at.
//!
//! In: a model, a pose, and the bones of the two sides of a contact. Out: plain data. Nothing here knows events or clips.

mod turn_hint;
mod judge;
mod sinking;
mod ways;
mod turn;
mod linked_surface;
mod bone_steps;
mod bleeding;

pub use bleeding::{Bleeding, bleeding, bleeding_between, bleeding_map};
pub use turn::TurnFinder;
pub use turn_hint::{Axis, HintError, MAX_TURN, MAX_TURN_QUERIES, NoTurn, TurnAnswer, TurnHint};
