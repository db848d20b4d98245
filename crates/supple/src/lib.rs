//! Exact collision detection for meshes that deform.
//!
//! Skinned characters, morphing faces and flexing parts are moved by a few joints and coefficients. `supple` works from
//! those: a [`model::Model`] is what a file says, a [`pose::Pose`] is what changes per frame, and a deformation is two
//! stages, one that changes the rest shape ([`rest`]) and one that skins it ([`skin`]).
//!
//! Modules stand in the order in which data meets them; each uses only those above it.
//!
//! Conventions are those of glTF: right-handed, +Y up, metres, column vectors, counter-clockwise front faces.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod simd;
mod query_stats;

pub mod math;
pub mod mesh;
pub mod pose;
pub mod rest;
pub mod skin;
pub mod model;
pub mod tree;
pub mod refit;
pub mod reference;
pub mod narrow;
pub mod query;
pub mod oracle;

pub use query::{QueryStats, collide, first_contact};
pub use refit::Body;
pub use skin::Skinning;
pub use tree::{BuildError, BuildOptions, Shape};
