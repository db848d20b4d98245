//! Which pieces of two bodies meet, as balls: contacts at a level of the tree, for simulators with penalty forces.
//!
//! Must hold: every pair of touching triangles lies in pieces that are reported.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, sections 3.4 and 4.

use super::QueryStats;
use super::bounded_walk::{Meeting, walk_bounded};
use super::walk::Visited;
use crate::math::Sphere;
use crate::refit::Body;
use crate::simd::Eight;

/// One ball of each of two bodies that overlap: each contains everything below its node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BallContact {
    /// A node of the first body, and one of the second.
    pub nodes: [u32; 2],
    /// Their balls.
    pub balls: [Sphere; 2],
}

/// Finds the pieces of two bodies that meet, at a level of each tree: see [`Shape::pieces`](crate::Shape::pieces). The contacts are
/// ascending by nodes; the vector is cleared first and keeps its memory from frame to frame.
///
/// What is reported overlaps, and every pair of touching triangles lies in pieces that are reported. Pieces whose triangles do
/// not touch are reported as well where their balls overlap, and left out only if, further up, balls around more of them are apart.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry};
/// # let shape = Arc::new(Shape::build(Arc::new(supple_zoo::make("chair", 0)?), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.place(Isometry::from_translation(Vec3::X * 0.2))?;
/// let mut contacts = Vec::new();
/// supple::ball_contacts(&mut a, &mut b, [2, 2], &mut contacts);
/// assert!(!contacts.is_empty());
/// assert!(contacts.iter().all(|contact| contact.balls[0].intersects(&contact.balls[1])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn ball_contacts(
    a: &mut Body,
    b: &mut Body,
    levels: [usize; 2],
    contacts: &mut Vec<BallContact>,
) -> QueryStats {
    contacts.clear();
    let stats = walk_bounded::<Sphere>([a, b], levels, contacts);
    contacts.sort_unstable_by_key(|contact| contact.nodes);
    stats
}

impl Meeting<Sphere> for Vec<BallContact> {
    #[inline(always)]
    fn meet<E: Eight>(
        &mut self,
        _: &mut Body,
        own: &Visited<Sphere>,
        other: &Visited<Sphere>,
        _: &mut QueryStats,
    ) {
        self.push(BallContact {
            nodes: [own.node as u32, other.node as u32],
            balls: [own.bound, other.bound],
        });
    }
}
