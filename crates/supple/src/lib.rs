//! Exact collision detection for meshes that deform.
//!
//! Skinned characters, morphing faces and flexing parts are moved by a few joints and coefficients. `supple` answers from
//! those: bounding volumes are refitted inside a query, only where it looks, and only the vertices of leaves that it
//! arrives at are ever posed. The answers are exact to the triangle.
//!
//! ```
//! use std::sync::Arc;
//! use glam::Vec3;
//! use supple::prelude::*;
//!
//! let man = Arc::new(supple_zoo::make("man", 0)?); // or supple_io::load("man.glb")?
//! let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?); // once per asset
//! let mut a = Body::new(&shape, Skinning::DualQuaternion)?;
//! let mut b = Body::new(&shape, Skinning::Linear)?;
//! let walk = man.clip("walk")?;
//! a.set_pose(&man.sample(walk, 0.2)?)?; // O(joints)
//! b.set_pose_at(&man.sample(walk, 0.9)?, Isometry::from_translation(Vec3::X * 0.4))?;
//! let pairs = collide(&mut a, &mut b).found;
//! assert!(!pairs.is_empty()); // [triangle of a, triangle of b], all of them, sorted
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **There is no refit call.** Set a pose and ask; a body computes what a question needs and keeps it until the next pose.
//!
//! - [`Model`] is what a file says, [`Pose`] what changes per frame. A deformation is two stages: one changes
//!   the rest shape ([`rest`]), one skins it ([`skin`]).
//! - [`Shape`] is a model with its tree: immutable, shared by any number of bodies, can be saved and loaded.
//! - [`Body`] is an instance of a shape in a pose with a placement, with its cache; or of vertices that somebody else moves
//!   ([`Body::set_vertices`]).
//! - [`PoseHistory`] puts spare bodies back to where others were, [`Scene`] holds many bodies and asks all of them.
//! - [`oracle`] answers the same questions by brute force.
//!
//! | question | function |
//! | --- | --- |
//! | which triangles of two bodies touch | [`collide`], [`collide_any`], [`collide_any_near`], [`collide_into`], [`collide_with`], [`contact_details`] |
//! | how far apart | [`closest_points`], [`pairs_within`], [`closest_point`] |
//! | when do they touch | [`time_of_contact`] |
//! | where does a body touch itself | [`self_collide`], [`self_collide_with`], [`self_collide_into`], [`self_collide_between`] |
//! | what does a ray hit | [`cast_ray`], [`cast_ray_any`], [`cast_ray_all`], [`cast_rays`], [`ray_hit_details`] |
//! | what is in a solid shape, is a point inside | [`overlap`], [`overlap_any`], [`locate_point`] |
//! | contacts for simulators | [`sphere_contacts`], [`sphere_triangle_contacts`], [`sphere_plane_contacts`] |
//! | contacts, rays, solid shapes and closest points among many bodies | [`Scene`] |
//!
//! Every query returns an [`Answer`]: what was found, and counters of what it cost. What can be wrong is checked where it is made
//! ([`Ray`], [`Point`], [`Distance`], [`Probe`], [`Plane`]), so queries do not fail on it.
//!
//! Features: `rayon` lets whole meshes, many rays and scenes use all cores; results do not depend on it. `serde` makes plain data (poses, options,
//! answers) serializable.
//!
//! Conventions are those of glTF: right-handed, +Y up, metres, column vectors, counter-clockwise front faces. Queries are
//! about surfaces: a body inside another without touching it gives no pairs; [`locate_point`] asks about the inside.
//!
//! Modules stand in the order in which data meets them; each uses only those above it.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

// Tests of private parts share subjects with tests that see the crate from outside.
#[cfg(test)]
extern crate self as supple;

mod simd;
mod pool;
mod answer;

pub mod math;
pub mod mesh;
pub mod pose;
pub mod rest;
pub mod skin;
pub mod model;
mod tree;
mod storage;
pub mod refit;
mod history;
pub mod narrow;
mod query;
mod scene;
pub mod oracle;
pub mod prelude;

pub use answer::{Answer, Pair, QueryStats};
pub use history::{HistoryError, Past, PoseHistory};
pub use math::{Aabb, Distance, DistanceError, Isometry, Point, PointError, Sphere};
pub use mesh::{Mesh, MeshError};
pub use model::{Certificates, Model, ModelError, PosedModel, SelfFilter, SelfFilterError};
pub use narrow::{
    Faces, NearPair, Plane, PlaneError, PointLocation, Probe, ProbeError, Ray, RayError, RayHit, SurfacePoint,
};
pub use pose::{Clip, JointId, Motion, Pose, PoseError, Transform};
pub use query::{
    Budget, CollideOptions, ContactDetails, ContactSide, MotionError, OpenPair, OpenSurface, PartialPairs,
    PlaneContact, RayHitDetails, SphereContact, TimedContact, TriangleContact, cast_ray, cast_ray_all,
    cast_ray_any, cast_rays, closest_point, closest_points, collide, collide_any, collide_any_near,
    collide_into, collide_with, contact_details, locate_point, overlap, overlap_any, pairs_within,
    ray_hit_details, self_collide, self_collide_between, self_collide_into, self_collide_with,
    sphere_contacts, sphere_contacts_into, sphere_plane_contacts, sphere_plane_contacts_into,
    sphere_triangle_contacts, sphere_triangle_contacts_into, time_of_contact,
};
pub use refit::{Body, VertexUpdate, VolumeKind};
pub use scene::{BodyContact, BodyContacts, BodyId, Groups, Scene, SceneHit, ScenePoint, SceneTriangle};
pub use skin::{Skin, Skinning};
pub use storage::StorageError;
pub use tree::{
    BuildError, BuildOptions, ClassError, MAX_COORDINATE, NodeId, Piece, Shape, TreeNode, TriangleClasses,
};
