//! Sphere chains: a coarse, cheap answer to which parts of a body are in each other's way.
//!
//! In: a [`Shape`](crate::Shape) and its [`Regions`]: limbs and a trunk. Out: [`SphereChains`], some dozens of spheres that fill the body, and the
//! rows of them that lead from limb to limb. Spheres follow a body's pose by a few triangles each, or contain all of
//! their triangles, from the bounds the library has. Pairs that overlap say which regions are near each other;
//! the exact self-collision can be asked about just those.
//! Must hold: every triangle belongs to one sphere; spheres that [enclose](SphereChains::enclose) lose no pair of touching triangles but
//! those of spheres that are neighbours.
//!
//! Based on: F. A. Madera, E. Ayala, F. Moo-Mena, Self-collision Detection using Sphere Chains, 2015.

mod error;
mod regions;
mod axis;
mod disk;
mod level;
mod cover;
mod pivots;
mod pairs;
mod balls;
mod sphere_chains;
mod surroundings;
mod through_trunk;
mod update;
mod overlap;
mod exact;

pub use balls::Balls;
pub use error::ChainError;
pub use exact::Agreement;
pub use overlap::{CrowdOverlap, Grouping, Member, Overlaps, Testing, crowd_overlaps};
pub use regions::{Region, RegionKind, Regions};
pub use sphere_chains::{Chain, ChainOptions, ChainSphere, Misfit, SphereChains};
