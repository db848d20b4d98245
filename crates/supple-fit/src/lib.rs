//! Turns any mesh animation into a skin: cloth, elastic bodies, whatever a simulation computed.
//!
//! In: a rest mesh and the positions of its vertices in every frame. Out: a [`Model`](supple::Model) whose
//! proxy-joints, weights and displacement fields reproduce the frames with a fraction of the memory, and which collides
//! through on-demand refit like every other model.
//!
//! ```
//! use glam::Vec3;
//! use supple::Mesh;
//! use supple_fit::{Corrections, FitOptions, MeshSequence, fit};
//!
//! // A strip of ten quads that bends more and more.
//! let bent = |amount: f32| -> Vec<Vec3> {
//!     (0..22).map(|i| ((i / 2) as f32 * 0.1, (i % 2) as f32 * 0.1)).map(|(x, y)| Vec3::new(x, y, amount * x * x)).collect()
//! };
//! let triangles = (0..10u32).flat_map(|q| [[2 * q, 2 * q + 2, 2 * q + 1], [2 * q + 1, 2 * q + 2, 2 * q + 3]]).collect();
//! let frames = (0..8).map(|t| bent(0.1 * t as f32)).collect();
//! let sequence = MeshSequence::evenly(Mesh::new(bent(0.0), triangles)?, frames, 24.0)?;
//!
//! let options = FitOptions::default().with_joints(4).with_corrections(Corrections::Count(2));
//! let fitted = fit(&sequence, &options, &|_| ())?;
//! assert!(fitted.distortion.percent < 1.0);
//! let pose = fitted.model.sample(&fitted.model.clips()[0], 0.25)?; // as of any other model
//! # assert_eq!(pose.nodes.len(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Modules stand in the order in which data meets them; each uses only those above it.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapter 7 (Skinning Arbitrary Deformations); for comparison
//! D. L. James, C. D. Twigg, Skinning Mesh Animations, 2005.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod error;
mod sequence;
mod options;
mod symmetric_eigen;
mod skyline;
mod lsqr;
mod alignment;
mod distance;
mod placement;
mod falloff;
mod blending;
mod dual_blend;
mod rigid_system;
mod rigid;
mod affine;
mod distortion;
mod corrections;
mod simplex;
mod vertex_weights;
mod frames;
mod rig;
mod fitting;
pub mod articulated;
pub mod reduce;

pub use articulated::ArticulatedOptions;
pub use distortion::Distortion;
pub use error::FitError;
pub use fitting::{Fitted, Sizes, fit};
pub use options::{Corrections, Distance, FitOptions, Placement, Progress, Solver, Weights};
pub use sequence::MeshSequence;
