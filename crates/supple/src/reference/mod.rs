//! The papers' own methods: their trees, volumes, refits and traversals, so that they can be compared and reproduced.
//!
//! In: a model, one of the [trees](ReferenceTree), a [method](Method), a [volume](ReferenceVolume), a pose. Out: volumes of nodes, touching
//! triangles.
//! Must hold: the same law as for the library's own bounds; a volume contains the f32-posed vertices below its node. Pairs found are those
//! that the library finds.
//!
//! | | |
//! | --- | --- |
//! | volumes | [`Ball`]; [`Slabs`]: boxes, 14-, 18-, 26-DOPs |
//! | trees | eight children or two, one triangle per leaf, collapsed or not; the library's own |
//! | on demand | linear, spherical, dual quaternion skins; displacement fields; reference shapes |
//! | from vertices | bottom up, hybrid, a new tree |
//! | walks | all pairs, the first, contacts of bounded depth; with and without frame stamps |
//!
//! The papers know rigid joints only; a joint that scales by more than [`NEARLY_RIGID`] is an error here, unless the vertices of several
//! joints are looked at. This is written to be read beside the papers, not for speed: numbers are f64, one at a time. The library's own queries are several times as fast.
//!
//! ```
//! use std::sync::Arc;
//! use supple::Skinning;
//! use supple::math::Isometry;
//! use supple::reference::{Ball, Method, ReferenceBody, ReferenceShape, ReferenceTree, ReferenceWalk, reference_collide};
//!
//! let man = Arc::new(supple_zoo::make("man", 0)?);
//! let mesh = man.mesh();
//! let tree = ReferenceTree::halves(mesh.positions(), mesh.triangles()).collapsed(mesh.positions(), mesh.triangles(), 0.6);
//! let shape = Arc::new(ReferenceShape::<Ball>::new(&man, Skinning::Linear, tree, Method::Linear)?);
//! let [mut a, mut b] = [ReferenceBody::new(&shape)?, ReferenceBody::new(&shape)?];
//! b.set_pose(&man.rest_pose(), &Isometry::from_translation(glam::Vec3::X * 0.4))?;
//! let (pairs, stats) = reference_collide(&mut a, &mut b, ReferenceWalk::default());
//! assert!(!pairs.is_empty() && stats.refits < 2 * shape.tree().nodes().len() as u64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapters 5 and 6; D. L. James, D. K. Pai, BD-Tree, 2004,
//! section 3; T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003.

mod method;
mod posed_joint;
mod volume;
mod bounding_sphere;
mod ball;
mod cone;
mod slabs;
mod tree;
mod corners;
mod fields;
mod morph;
mod shape;
mod linear;
mod cap;
mod spherical;
mod dual;
mod coherence;
mod body;
mod collide;
mod compare;

pub use ball::Ball;
pub use body::ReferenceBody;
pub use cap::ball_of_cap;
pub use collide::{ReferenceWalk, reference_collide, reference_contacts};
pub use compare::{reference_tightness, reference_violations};
pub use corners::weight_corners;
pub use method::{Method, ReferenceError};
pub use posed_joint::{NEARLY_RIGID, PosedJoint};
pub use shape::ReferenceShape;
pub use slabs::{RestSolid, Slabs, TurnedSlabs};
pub use tree::{ReferenceTree, TreeNode};
pub use volume::ReferenceVolume;

/// `2^-24`, half the distance from 1 to the next f32.
const UNIT_ROUNDOFF: f64 = f32::EPSILON as f64 / 2.0;
