//! Bodies: shapes in a pose, with bounds and vertices computed when a query first asks for them.
//!
//! In: a pose, O(joints). Out, on demand: the bound of a node from joint matrices and weights alone, and the posed
//! position of a vertex.
//! Must hold: a bound contains every vertex below its node, as computed in f32 by the one vertex function; a node is
//! bounded at most once per pose, a vertex posed at most once per pose, and setting a pose clears nothing.

mod volume;
mod cache;
mod body;
mod law;
mod tightness;

pub use body::Body;
pub use law::{Violation, violations};
pub use tightness::{LevelTightness, tightness};
pub use volume::VolumeKind;

pub(crate) use cache::LeafTriangle;
pub(crate) use volume::Volume;
