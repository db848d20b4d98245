//! Sphere chains: a coarse, cheap answer to which parts of a body are in each other's way.
//!
//! In: a [`Shape`](supple::Shape) and its [`Regions`]: limbs and a trunk. Out: [`SphereChains`], some dozens of spheres that fill the
//! body, and the rows of them that lead from limb to limb. Spheres follow a body's pose by a few triangles each, or contain all of
//! their triangles, from the bounds that supple has. Pairs that overlap say which regions are near each other;
//! the exact self-collision can be asked about just those.
//! Must hold: every triangle belongs to one sphere; spheres that [enclose](SphereChains::enclose) lose no pair of touching triangles but
//! those of spheres that are neighbours.
//!
//! ```
//! use std::sync::Arc;
//! use supple::{Body, BuildOptions, Shape, Skinning};
//! use supple_chains::{ChainOptions, Grouping, PosedSpheres, Regions, SphereChains, Testing};
//!
//! let man = Arc::new(supple_zoo::make("man", 0)?);
//! let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
//! let chains = SphereChains::build(&shape, &Regions::from_rig(&man)?, &ChainOptions::default())?;
//!
//! let (mut body, mut spheres) = (Body::new(&shape, Skinning::Linear)?, PosedSpheres::default());
//! let (clip, mut touching) = (man.clip("random")?, 0);
//! for frame in 0..30 {
//!     body.set_pose(&man.sample(clip, f64::from(frame) / 5.0)?)?;
//!     chains.follow_into(&mut body, &mut spheres)?; // poses a few hundred vertices
//!     let near = chains.overlaps(&spheres, Grouping::All, Testing::Lanes)?.found;
//!     for [a, b] in chains.regions_of(&near) {
//!         let name = |region: u32| &chains.regions()[region as usize].name;
//!         println!("frame {frame}: {} is near {}", name(a), name(b));
//!     }
//!     touching += chains.self_collide_between(&mut body, &near)?.found.len(); // triangles, but only there
//! }
//! assert!(touching > 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the feature `rayon`, [overlaps](SphereChains::overlaps) of hundreds of spheres and [crowds](crowd_overlaps) use all cores of the
//! current thread pool; results do not depend on it.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod error;
mod options;
mod regions;
mod axis;
mod disk;
mod level;
mod cover;
mod pivots;
mod pairs;
mod eight_spheres;
mod posed_spheres;
mod misfit;
mod sphere_chains;
mod fit;
mod surroundings;
mod through_trunk;
mod update;
mod threads;
mod overlap;
mod crowd;
mod exact;

pub use crowd::{CrowdOverlap, Member, crowd_overlaps};
pub use error::ChainError;
pub use exact::Agreement;
pub use fit::Fit;
pub use misfit::Misfit;
pub use options::ChainOptions;
pub use overlap::{Grouping, Testing};
pub use posed_spheres::PosedSpheres;
pub use regions::{Region, RegionKind, Regions};
pub use sphere_chains::{Chain, ChainSphere, SphereChains};

/// The example of the README runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
