//! Two models as one: a prop that a bone carries, or two characters beside each other.
//!
//! In: two models, and where the second goes. Out: one [`Model`](supple::Model) that moves as both did, so that whatever looks at one
//! model and its self-collision sees what is between the two.
//! Must hold: vertices, triangles, joints, nodes, coefficients and parts of the first keep their numbers, those of the second
//! stand behind them in their own order. Names of the second are changed only where the first has them too. Nothing of
//! the one is taken for a neighbour of the other, even where both have a vertex at the same place.

mod apart;
mod attach;
mod clip_pairs;
mod error;
mod names;
mod one_model;
mod one_rest;
mod side_by_side;

pub use attach::attach;
pub use clip_pairs::ClipPair;
pub use error::JoinError;
pub use side_by_side::{SideBySide, side_by_side};
