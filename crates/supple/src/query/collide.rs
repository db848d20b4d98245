//! Which triangles of two bodies touch: all pairs, or any one.
//!
//! Must hold: the pairs found are those that brute force finds, whatever the bounds were.

use super::QueryStats;
use super::couple::TwoBodies;
use super::walk::{DepthFirst, Order, Search, walk};
use crate::math::{Aabb, Sphere};
use crate::refit::{Body, VolumeKind};

/// All pairs of touching triangles, and what it took to find them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Collision {
    /// Triangle of the first body, triangle of the second; ascending, each pair once.
    pub pairs: Vec<[u32; 2]>,
    /// Counters.
    pub stats: QueryStats,
}

/// Finds all pairs of touching triangles of two bodies. Exact: touching counts, no tolerance.
///
/// A body inside another without touching it gives no pairs. Example: see [`Body`].
pub fn collide(a: &mut Body, b: &mut Body) -> Collision {
    let mut pairs = Vec::new();
    let stats = collide_into(a, b, &mut pairs);
    Collision { pairs, stats }
}

/// Like [`collide`], into a vector that is cleared first and keeps its memory from frame to frame.
pub fn collide_into(a: &mut Body, b: &mut Body, pairs: &mut Vec<[u32; 2]>) -> QueryStats {
    collide_with(VolumeKind::Box, a, b, pairs)
}

/// Like [`collide_into`], with a choice of bounding volumes. The pairs do not depend on it, the counters do.
pub fn collide_with(volume: VolumeKind, a: &mut Body, b: &mut Body, pairs: &mut Vec<[u32; 2]>) -> QueryStats {
    pairs.clear();
    let mut stats = QueryStats::default();
    let all = |pair| {
        pairs.push(pair);
        Search::GoOn
    };
    match volume {
        VolumeKind::Box => walk::<Aabb, _>(TwoBodies { a, b }, Order::Any, &mut DepthFirst, &mut stats, all),
        VolumeKind::Ball => {
            walk::<Sphere, _>(TwoBodies { a, b }, Order::Any, &mut DepthFirst, &mut stats, all)
        }
    }
    pairs.sort_unstable();
    stats
}

/// Finds some pair of touching triangles, or none if the bodies do not touch. The same pair for the same input.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// assert_eq!(supple::first_contact(&mut a, &mut b).0, Some([0, 0]));
/// b.place(Isometry::from_translation(Vec3::Z))?;
/// assert_eq!(supple::first_contact(&mut a, &mut b).0, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn first_contact(a: &mut Body, b: &mut Body) -> (Option<[u32; 2]>, QueryStats) {
    let mut stats = QueryStats::default();
    let mut found = None;
    walk::<Aabb, _>(TwoBodies { a, b }, Order::DeepestFirst, &mut DepthFirst, &mut stats, |pair| {
        found = Some(pair);
        Search::Stop
    });
    (found, stats)
}
