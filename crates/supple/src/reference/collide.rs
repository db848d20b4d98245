//! The papers' traversal: two trees, the larger volume is opened first.
//!
//! Must hold: all pairs of triangles that touch are found, by the exact test of the posed f32 triangles.
//!
//! Based on: S. Gottschalk, Collision Queries using Oriented Bounding Boxes, 2000; L. Kavan, Real-time Skeletal Animation,
//! 2007, Algorithm 2.2; D. L. James, D. K. Pai, BD-Tree, 2004, section 3.4 (bounded depth).

use std::sync::Arc;

use glam::DAffine3;

use super::{ReferenceBody, ReferenceVolume};
use crate::narrow::triangles_touch;
use crate::query_stats::QueryStats;

/// How the trees are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReferenceWalk {
    /// Stop at the first pair.
    pub first: bool,
    /// Refit a node once per pose, not once per visit: morphing, section 5.
    pub frame_stamps: bool,
}

impl Default for ReferenceWalk {
    fn default() -> Self {
        Self { first: false, frame_stamps: true }
    }
}

/// Pairs of touching triangles of two bodies, ascending; and what it took.
pub fn reference_collide<V: ReferenceVolume>(
    a: &mut ReferenceBody<V>,
    b: &mut ReferenceBody<V>,
    walk: ReferenceWalk,
) -> (Vec<[u32; 2]>, QueryStats) {
    let mut pairs = Vec::new();
    let stats = visit(a, b, walk, usize::MAX, |a, b, [own, other], stats| {
        let found = touching_below(a, own, b, other, walk.first, &mut pairs, stats);
        walk.first && found
    });
    pairs.sort_unstable();
    (pairs, stats)
}

/// Pairs of overlapping nodes of two bodies where the trees are cut off at a level: its nodes, and leaves above it, stand for what is
/// below them. Where the trees wrap that level, see [`ReferenceShape::wrapping_level`](super::ReferenceShape::wrapping_level), no
/// pair is lost unless volumes [grow](ReferenceBody::with_coherence) from earlier poses.
pub fn reference_contacts<V: ReferenceVolume>(
    a: &mut ReferenceBody<V>,
    b: &mut ReferenceBody<V>,
    level: usize,
) -> (Vec<[usize; 2]>, QueryStats) {
    let mut pairs = Vec::new();
    let stats = visit(a, b, ReferenceWalk::default(), level, |_, _, pair, _| {
        pairs.push(pair);
        false
    });
    pairs.sort_unstable();
    (pairs, stats)
}

/// Calls `reached` with overlapping pairs of leaves, or of nodes at a level, until it says that is enough.
fn visit<V: ReferenceVolume>(
    a: &mut ReferenceBody<V>,
    b: &mut ReferenceBody<V>,
    walk: ReferenceWalk,
    level: usize,
    mut reached: impl FnMut(&mut ReferenceBody<V>, &mut ReferenceBody<V>, [usize; 2], &mut QueryStats) -> bool,
) -> QueryStats {
    let mut stats = QueryStats::default();
    let again = !walk.frame_stamps;
    let (tree_a, tree_b) = (a.tree_of_pose(&mut stats), b.tree_of_pose(&mut stats));
    let roots = (a.volume(0, again, &mut stats), b.volume(0, again, &mut stats));
    let a_from_b = a.frame().inverse() * *b.frame();
    let one_space = a_from_b == DAffine3::IDENTITY;
    let between = V::between(&a_from_b);
    let overlap = |of_a: &V, of_b: &V| {
        if one_space { of_a.overlaps(of_b) } else { of_a.overlaps_turned(of_b, &between) }
    };
    stats.node_visits += 1;
    let mut open = Vec::new();
    if overlap(&roots.0, &roots.1) {
        open.push(((0, roots.0), (0, roots.1)));
    }
    while let Some(((own, volume), (other, other_volume))) = open.pop() {
        let (node_a, node_b) = (&tree_a.nodes()[own], &tree_b.nodes()[other]);
        let ends = [node_a, node_b].map(|node| node.is_leaf() || node.level() >= level);
        if ends == [true, true] {
            if reached(a, b, [own, other], &mut stats) {
                return stats;
            }
        } else if ends[1] || (!ends[0] && volume.size() >= other_volume.size()) {
            for child in node_a.children() {
                let below = a.volume(child, again, &mut stats);
                stats.node_visits += 1;
                if overlap(&below, &other_volume) {
                    open.push(((child, below), (other, other_volume)));
                }
            }
        } else {
            for child in node_b.children() {
                let below = b.volume(child, again, &mut stats);
                stats.node_visits += 1;
                if overlap(&volume, &below) {
                    open.push(((own, volume), (child, below)));
                }
            }
        }
    }
    stats
}

/// Tests the triangles of two leaves; whether any touch.
fn touching_below<V: ReferenceVolume>(
    a: &mut ReferenceBody<V>,
    own: usize,
    b: &mut ReferenceBody<V>,
    other: usize,
    first: bool,
    pairs: &mut Vec<[u32; 2]>,
    stats: &mut QueryStats,
) -> bool {
    let before = pairs.len();
    let (tree_a, tree_b) = (Arc::clone(a.tree()), Arc::clone(b.tree()));
    for &of_a in tree_a.triangles_below(own) {
        let triangle = a.triangle(of_a, stats);
        for &of_b in tree_b.triangles_below(other) {
            stats.triangle_tests += 1;
            if triangles_touch(&triangle, &b.triangle(of_b, stats)) {
                pairs.push([of_a, of_b]);
                if first {
                    return true;
                }
            }
        }
    }
    pairs.len() > before
}
