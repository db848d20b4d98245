//! A small simulator of things that fall and flex: an example of how `supple` is used in one, not a part of it.
//!
//! In: a scene, a number of bodies, a seed. Out: how they move, what that took, pictures and animations of it.
//! Must hold: all knowledge about what touches comes from the library's public queries; the same input gives the same
//! bits on any number of threads.
//!
//! A body is a rigid frame with a few vibration modes ([`prop`](Prop), [`State`]). The library finds where
//! spheres around pieces of the surfaces overlap, and which triangles of a backdrop they overlap; springs and dampers at these points push
//! bodies apart. Modules stand in the order of the data.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree: Output-Sensitive Collision Detection for Reduced Deformable Models, 2004, section 4.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod scene_kind;
mod error;
mod prop;
mod backdrop;
mod oscillator;
mod state;
mod touch;
mod response;
mod statistics;
mod scenes;
mod world;
mod layered;
mod frame;
mod animation;
mod stand_in;
mod picture;

pub use animation::{MOST_ANIMATED, animation};
pub use backdrop::Backdrop;
pub use error::DropError;
pub use frame::Frame;
pub use layered::{Contest, FRAMES, Side};
pub use picture::picture;
pub use prop::{Material, Prop};
pub use response::PUSH;
pub use scene_kind::{SceneKind, UnknownScene};
pub use scenes::Cast;
pub use state::{Energy, State};
pub use statistics::Statistics;
pub use world::{STEPS_PER_SECOND, World, check};
