//! The papers' traversal: two trees, the larger volume is opened first.
//!
//! Must hold: all pairs of triangles that touch are found, by the exact test of the posed f32 triangles.
//!
//! Based on: S. Gottschalk, Collision Queries using Oriented Bounding Boxes, 2000; L. Kavan, Real-time Skeletal Animation,
//! 2007, Algorithm 2.2; D. L. James, D. K. Pai, BD-Tree, 2004, section 3.4 (bounded depth).

use std::sync::Arc;

use super::overlap::Overlap;
use super::{Body, Volume};
use supple::QueryStats;
use supple::narrow::triangles_touch;

/// How the trees are walked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Stop at the first pair.
    pub first: bool,
    /// Refit a node once per pose, not once per visit: morphing, section 5.
    pub frame_stamps: bool,
}

impl Default for Walk {
    fn default() -> Self {
        Self { first: false, frame_stamps: true }
    }
}

/// Pairs of touching triangles of two bodies, ascending; and what it took.
pub fn collide<V: Volume>(a: &mut Body<V>, b: &mut Body<V>, walk: Walk) -> (Vec<[u32; 2]>, QueryStats) {
    let mut pairs = Vec::new();
    let stats = visit(a, b, walk, usize::MAX, |a, b, [own, other], stats| {
        let found = touching_below(a, own, b, other, walk.first, &mut pairs, stats);
        walk.first && found
    });
    pairs.sort_unstable();
    (pairs, stats)
}

/// Pairs of overlapping nodes of two bodies where the trees are cut off at a level: its nodes, and leaves above it, stand for what is
/// below them. Where the trees wrap that level, see [`Shape::wrapping_level`](super::Shape::wrapping_level), no
/// pair is lost unless volumes [grow](Body::with_coherence) from earlier poses.
pub fn contacts<V: Volume>(a: &mut Body<V>, b: &mut Body<V>, level: usize) -> (Vec<[usize; 2]>, QueryStats) {
    let mut pairs = Vec::new();
    let stats = visit(a, b, Walk::default(), level, |_, _, pair, _| {
        pairs.push(pair);
        false
    });
    pairs.sort_unstable();
    (pairs, stats)
}

/// Calls `reached` with overlapping pairs of leaves, or of nodes at a level, until it says that is enough.
fn visit<V: Volume>(
    a: &mut Body<V>,
    b: &mut Body<V>,
    walk: Walk,
    level: usize,
    mut reached: impl FnMut(&mut Body<V>, &mut Body<V>, [usize; 2], &mut QueryStats) -> bool,
) -> QueryStats {
    let mut stats = QueryStats::default();
    let again = !walk.frame_stamps;
    let (tree_a, tree_b) = (a.tree_of_pose(&mut stats), b.tree_of_pose(&mut stats));
    let roots = (a.volume(0, again, &mut stats), b.volume(0, again, &mut stats));
    let overlap = Overlap::new(a, b);
    stats.node_visits += 1;
    let mut open = Vec::new();
    if overlap.test(&roots.0, &roots.1) {
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
                if overlap.test(&below, &other_volume) {
                    open.push(((child, below), (other, other_volume)));
                }
            }
        } else {
            for child in node_b.children() {
                let below = b.volume(child, again, &mut stats);
                stats.node_visits += 1;
                if overlap.test(&volume, &below) {
                    open.push(((own, volume), (child, below)));
                }
            }
        }
    }
    stats
}

/// Tests the triangles of two leaves; whether any touch.
pub(super) fn touching_below<V: Volume>(
    a: &mut Body<V>,
    own: usize,
    b: &mut Body<V>,
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
