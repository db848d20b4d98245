//! The walk over one tree.
//!
//! Children that a visitor wants are visited, soonest first; their bounds are computed there and then and tested eight at
//! a time; at a leaf the triangles are posed and the visitor looks at them.
//! Must hold: every leaf is visited whose bound the visitor wants, unless it stops or no longer wants it.

use super::walk::Search;
use crate::answer::QueryStats;
use crate::math::Aabb;
use crate::refit::{Body, Children, EightBoxes, OrderedNode, PosedLeaf, Scratch};
use crate::simd::{self, Eight, Kernel, lanes};
use crate::tree::WIDTH;

/// A visitor to one body.
///
/// Law: a box is visited, and its time wanted, if any box or triangle within it that the answer depends on is.
pub(super) trait Visitor {
    /// Bit `i` is set where box `i` is to be visited; `times` says how soon, wherever it is.
    fn visits<E: Eight>(&self, boxes: &EightBoxes, times: &mut [f32; WIDTH]) -> u8;
    /// Whether what is visited at that time still matters.
    fn wants(&self, time: f32) -> bool;
    /// Looks at the triangles of a leaf, whose numbers are given.
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search;
}

/// Walks the tree of a body and shows the leaves to a visitor.
pub(super) fn descend(body: &mut Body, visitor: &mut impl Visitor, stats: &mut QueryStats) {
    Scratch::lend(|scratch| simd::run(Descent { body, visitor, stats, scratch }));
}

struct Descent<'a, V> {
    body: &'a mut Body,
    visitor: &'a mut V,
    stats: &'a mut QueryStats,
    scratch: &'a mut Scratch,
}

impl<V: Visitor> Kernel for Descent<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        descend_with::<E>(self.body, self.visitor, self.stats, self.scratch);
    }
}

/// The same within a kernel, for many visitors one after the other. The list is empty, and has the soonest last; leaves stay.
#[inline(always)]
pub(super) fn descend_with<E: Eight>(
    body: &mut Body,
    visitor: &mut impl Visitor,
    stats: &mut QueryStats,
    scratch: &mut Scratch,
) {
    let Scratch { ordered: open, leaves: [leaves, _], .. } = scratch;
    // Where everything is bounded already, the box of the root saves nothing.
    let root = body.loose_children::<Aabb>(body.descent_start(), stats);
    push_visited::<E>(body.bounds(root), visitor, open, stats);
    while let Some(next) = open.pop() {
        if !visitor.wants(next.order) {
            continue;
        }
        let node = next.node();
        if !next.is_leaf() {
            let entry = body.loose_children::<Aabb>(node, stats);
            let visits = |c: &Children<Aabb>| visitor.visits::<E>(&c.bounds, &mut [0.0; WIDTH]);
            body.tighten_where(entry, stats, visits);
            push_visited::<E>(body.bounds(entry), visitor, open, stats);
            continue;
        }
        let entry = body.leaf(node, leaves);
        let tree = body.tree();
        let triangles = &tree.triangles[tree.nodes[node].range()];
        if visitor.leaf::<E>(leaves.get(entry), triangles, stats) == Search::Stop {
            open.clear();
            return;
        }
    }
}

/// Pushes the children that are to be visited; the soonest comes last, and is visited next.
#[inline(always)]
fn push_visited<E: Eight>(
    children: &Children<Aabb>,
    visitor: &impl Visitor,
    open: &mut Vec<OrderedNode>,
    stats: &mut QueryStats,
) {
    stats.node_visits += u64::from(children.count);
    let mut times = [0.0; WIDTH];
    let mask = visitor.visits::<E>(&children.bounds, &mut times) & children.present();
    let first = open.len();
    for lane in lanes(mask) {
        let is_leaf = children.leaves >> lane & 1 != 0;
        let own = OrderedNode::new(times[lane], children.first + lane as u32, is_leaf);
        open.push(own);
        let mut at = open.len() - 1;
        while at > first && open[at - 1].order < times[lane] {
            open[at] = open[at - 1];
            at -= 1;
        }
        open[at] = own;
    }
}
