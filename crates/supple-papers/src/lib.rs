//! The papers' own methods: their trees, volumes, refits and walks, so that they can be compared and reproduced; and the ways
//! to blend rigid transforms ([`blend`]).
//!
//! In: a model, one of the [trees](Tree), a [method](Method), a [volume](Volume), a pose. Out: volumes of nodes, touching
//! triangles.
//! Must hold: the same law as for the library's own bounds; a volume contains the f32-posed vertices below its node. Pairs found are those
//! that the library finds.
//!
//! | | |
//! | --- | --- |
//! | volumes | [`BoundingSphere`]; [`Slabs`]: boxes, 14-, 18-, 26-DOPs |
//! | trees | eight children or two, one triangle per leaf, collapsed or not; the library's own |
//! | on demand | linear, spherical, dual quaternion skins; displacement fields; reference shapes |
//! | from vertices | bottom up, hybrid, a new tree |
//! | walks | all pairs, the first, contacts of bounded depth; with and without frame stamps; from the roots or from a [`Front`] |
//!
//! The papers know rigid joints only; a joint that scales by more than [`NEARLY_RIGID`] is an error here, unless the vertices of several
//! joints are looked at. This is written to be read beside the papers, not for speed: numbers are f64, one at a time. The library's own queries are several times as fast.
//!
//! ```
//! use std::sync::Arc;
//! use supple::{Isometry, Skinning};
//! use supple_papers::{Body, BoundingSphere, Method, Shape, Tree, Walk, collide};
//!
//! let man = Arc::new(supple_zoo::make("man", 0)?);
//! let mesh = man.mesh();
//! let tree = Tree::halves(mesh.positions(), mesh.triangles()).collapsed(mesh.positions(), mesh.triangles(), 0.6);
//! let shape = Arc::new(Shape::<BoundingSphere>::new(&man, Skinning::Linear, tree, Method::Linear)?);
//! let [mut a, mut b] = [Body::new(&shape)?, Body::new(&shape)?];
//! b.set_pose(&man.rest_pose(), &Isometry::from_translation(glam::Vec3::X * 0.4))?;
//! let (pairs, stats) = collide(&mut a, &mut b, Walk::default());
//! assert!(!pairs.is_empty() && stats.refits < 2 * shape.tree().nodes().len() as u64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapters 3 to 6; D. L. James, D. K. Pai, BD-Tree, 2004,
//! section 3; T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

pub mod blend;
mod library_tightness;
mod engine;

pub use engine::{
    Body, BoundingSphere, Front, Method, MethodError, NEARLY_RIGID, Node, PosedJoint, RestSolid, Shape,
    Slabs, Tree, TurnedSlabs, Volume, Walk, collide, collide_from, contacts, sphere_of_cap, tightness,
    violations, weight_corners,
};
pub use library_tightness::{LevelTightness, library_tightness};
