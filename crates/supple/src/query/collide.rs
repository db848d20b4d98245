//! Which triangles of two bodies touch: all pairs, or any one.
//!
//! Two trees are walked at once. A pair of nodes whose bounds overlap is replaced by one of them and the children of the
//! other, whose bounds are computed there and then; at two leaves the triangles are posed and tested exactly.
//! Must hold: the pairs found are those that brute force finds, whatever the bounds were.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 2.2 with refitting as in section 5.3.

use super::QueryStats;
use crate::math::{Aabb, Sphere};
use crate::narrow::triangles_touch;
use crate::refit::{Body, LeafTriangle, Volume, VolumeKind};

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
    let all = &mut |pair| {
        pairs.push(pair);
        Search::GoOn
    };
    match volume {
        VolumeKind::Box => walk::<Aabb>(a, b, Order::Any, &mut stats, all),
        VolumeKind::Ball => walk::<Sphere>(a, b, Order::Any, &mut stats, all),
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
    walk::<Aabb>(a, b, Order::DeepestFirst, &mut stats, &mut |pair| {
        found = Some(pair);
        Search::Stop
    });
    (found, stats)
}

/// Whether the walk goes on after a pair.
#[derive(Clone, Copy, PartialEq)]
enum Search {
    GoOn,
    Stop,
}

/// In which order overlapping children are visited.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    /// All will be visited anyway.
    Any,
    /// Those that overlap most are the likeliest to touch.
    DeepestFirst,
}

/// Walks both trees and reports touching pairs.
fn walk<V: Volume>(
    a: &mut Body,
    b: &mut Body,
    order: Order,
    stats: &mut QueryStats,
    found: &mut dyn FnMut([u32; 2]) -> Search,
) {
    a.refit_root::<V>(stats);
    b.refit_root::<V>(stats);
    stats.node_visits += 1;
    if !a.bound::<V>(0).overlaps(b.bound::<V>(0)) {
        return;
    }
    let mut open = a.take_open_pairs();
    open.push((0, 0));
    walk_pairs::<V>(a, b, order, &mut open, stats, found);
    a.keep_open_pairs(open);
}

/// Replaces pairs by pairs of children until none is left or the search stops.
fn walk_pairs<V: Volume>(
    a: &mut Body,
    b: &mut Body,
    order: Order,
    open: &mut Vec<(u32, u32)>,
    stats: &mut QueryStats,
    found: &mut dyn FnMut([u32; 2]) -> Search,
) {
    while let Some((node_a, node_b)) = open.pop() {
        let (node_a, node_b) = (node_a as usize, node_b as usize);
        let (leaf_a, leaf_b) = (a.tree().nodes[node_a].is_leaf(), b.tree().nodes[node_b].is_leaf());
        if leaf_a && leaf_b {
            if leaves::<V>(a, b, node_a, node_b, stats, found) == Search::Stop {
                return;
            }
            continue;
        }
        let descend_a = leaf_b || (!leaf_a && a.bound::<V>(node_a).size() >= b.bound::<V>(node_b).size());
        let start = open.len();
        if descend_a {
            descend::<V>(a, node_a, b.bound::<V>(node_b), stats, |child| open.push((child, node_b as u32)));
        } else {
            descend::<V>(b, node_b, a.bound::<V>(node_a), stats, |child| open.push((node_a as u32, child)));
        }
        if order == Order::DeepestFirst {
            deepest_last::<V>(a, b, &mut open[start..]);
        }
    }
}

/// Reports the children of a node that overlap a bound of the other body.
#[inline(always)]
fn descend<V: Volume>(
    body: &mut Body,
    node: usize,
    other: &V,
    stats: &mut QueryStats,
    mut overlapping: impl FnMut(u32),
) {
    body.refit_children::<V>(node, stats);
    let children = body.tree().nodes[node].range();
    stats.node_visits += children.len() as u64;
    for child in children {
        if body.bound::<V>(child).overlaps(other) {
            overlapping(child as u32);
        }
    }
}

/// The pair that is popped next is the one that overlaps most.
#[inline(always)]
fn deepest_last<V: Volume>(a: &Body, b: &Body, pairs: &mut [(u32, u32)]) {
    if pairs.len() > 1 {
        let depth = |&(na, nb): &(u32, u32)| a.bound::<V>(na as usize).depth(b.bound::<V>(nb as usize));
        pairs.sort_by(|x, y| depth(x).total_cmp(&depth(y)));
    }
}

/// Tests all triangles of two leaves that reach into each other's bounds.
fn leaves<V: Volume>(
    a: &mut Body,
    b: &mut Body,
    node_a: usize,
    node_b: usize,
    stats: &mut QueryStats,
    found: &mut dyn FnMut([u32; 2]) -> Search,
) -> Search {
    let mut candidates = b.take_candidates();
    b.pose_leaf(node_b, stats);
    b.triangles_reaching(node_b, a.bound::<V>(node_a), &mut candidates);
    let mut search = Search::GoOn;
    if !candidates.is_empty() {
        a.pose_leaf(node_a, stats);
        search = against_candidates(a, node_a, b.bound::<V>(node_b), &candidates, stats, found);
    }
    b.keep_candidates(candidates);
    search
}

/// Tests the triangles of a leaf against those of the other leaf that are left.
fn against_candidates<V: Volume>(
    a: &Body,
    node_a: usize,
    bound_b: &V,
    candidates: &[LeafTriangle],
    stats: &mut QueryStats,
    found: &mut dyn FnMut([u32; 2]) -> Search,
) -> Search {
    for place in a.tree().nodes[node_a].range() {
        let own = a.leaf_triangle(place);
        if !bound_b.overlaps_box(&own.bounds) {
            continue;
        }
        for other in candidates.iter().filter(|other| own.bounds.intersects(&other.bounds)) {
            stats.triangle_tests += 1;
            if triangles_touch(&own.corners, &other.corners) && found([own.id, other.id]) == Search::Stop {
                return Search::Stop;
            }
        }
    }
    Search::GoOn
}
