//! Exact collision detection for meshes that deform.
//!
//! Skinned characters, morphing faces and flexing parts are moved by a few joints and coefficients. `supple` answers from
//! those: bounding volumes are refitted inside a query, only where it looks, and only the vertices of triangles that are
//! really tested are ever posed. The answers are exact to the triangle.
//!
//! ```
//! use std::sync::Arc;
//! use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry};
//!
//! let man = Arc::new(supple_zoo::make("man", 0)?); // or supple_io::load("man.glb")?
//! let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?); // once per asset
//! let mut a = Body::new(&shape, Skinning::DualQuaternion)?;
//! let mut b = Body::new(&shape, Skinning::Linear)?;
//! let walk = man.clip("walk")?;
//! a.set_pose(&man.sample(walk, 0.2)?)?; // O(joints)
//! b.set_pose_and_place(&man.sample(walk, 0.9)?, Isometry::from_translation(glam::Vec3::X * 0.4))?;
//! let collision = supple::collide(&mut a, &mut b);
//! assert!(!collision.pairs.is_empty()); // [triangle of a, triangle of b], all of them, sorted
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **There is no refit call.** Set a pose and ask; a body computes what a question needs and keeps it until the next pose.
//!
//! - [`model::Model`] is what a file says, [`pose::Pose`] what changes per frame. A deformation is two stages: one changes
//!   the rest shape ([`rest`]), one skins it ([`skin`]).
//! - [`Shape`] is a model with its tree: immutable, shared by any number of bodies, can be saved and loaded.
//! - [`Body`] is an instance of a shape in a pose at a place, with its cache; or of vertices that somebody else moves
//!   ([`Body::set_vertices`]).
//! - [`PoseHistory`] puts spare bodies back to where others were, [`Scene`] holds many bodies and finds those that touch.
//! - [`TriangleClasses`] divides the triangles of a shape, to ask about some of them only.
//! - [`query`] asks, [`oracle`] answers the same by brute force.
//!
//! With the feature `rayon`, whole meshes, many rays and scenes use all cores; results do not depend on it.
//!
//! Modules stand in the order in which data meets them; each uses only those above it.
//!
//! Conventions are those of glTF: right-handed, +Y up, metres, column vectors, counter-clockwise front faces. Queries are
//! about surfaces: a body inside another without touching it gives no pairs; [`point_inside`] asks about the inside.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod simd;
mod pool;
mod query_stats;

pub mod math;
pub mod mesh;
pub mod pose;
pub mod rest;
pub mod skin;
pub mod model;
pub mod tree;
mod storage;
pub mod refit;
pub mod history;
pub mod narrow;
pub mod query;
pub mod scene;
pub mod oracle;

pub use history::PoseHistory;
pub use narrow::{Faces, Plane, Probe, Ray, RayError, RayHit, RayOptions};
#[cfg(feature = "rayon")]
pub use query::cast_rays_in_parallel;
pub use query::{
    BallContact, Collision, PlaneContact, QueryStats, SelfFilter, SelfFilterError, TriangleContact,
    ball_contacts, ball_plane_contacts, ball_triangle_contacts, cast_ray, cast_ray_all, cast_ray_any,
    cast_rays, closest_point, collide, distance, distance_within, first_contact, overlap, overlaps_any,
    pairs_within, point_inside, self_collide, self_collide_between, time_of_contact,
};
pub use refit::{Body, Update};
pub use scene::Scene;
pub use skin::Skinning;
pub use storage::StorageError;
pub use tree::{BuildError, BuildOptions, ClassError, NodeId, Piece, Shape, TreeNode, TriangleClasses};
