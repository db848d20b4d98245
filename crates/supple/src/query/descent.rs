//! The walk over one tree.
//!
//! Children that a visitor wants are visited, soonest first; their bounds are computed there and then and tested eight at
//! a time; at a leaf the triangles are posed and the visitor looks at them.
//! Must hold: every leaf is visited whose bound the visitor wants, unless it stops or no longer wants it.

use super::walk::Search;
use crate::answer::QueryStats;
use crate::math::Aabb;
use crate::refit::{Body, ChildAt, Children, EightBoxes, OrderedChild, PosedLeaf};
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
    let root = body.children::<Aabb>(body.above_root(), stats);
    let mut open = body.take_open_lists();
    simd::run(Descent { body, visitor, stats, open: &mut open.ordered, root });
    body.keep_open_lists(open);
}

struct Descent<'a, V> {
    body: &'a mut Body,
    visitor: &'a mut V,
    stats: &'a mut QueryStats,
    /// The soonest last.
    open: &'a mut Vec<OrderedChild>,
    root: usize,
}

impl<V: Visitor> Kernel for Descent<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Self { body, visitor, stats, open, root } = self;
        push_visited::<E>(body.bounds(root), root, visitor, open, stats);
        while let Some(OrderedChild { child, order }) = open.pop() {
            if !visitor.wants(order) {
                continue;
            }
            let sisters = body.bounds::<Aabb>(child.entry());
            let node = sisters.first as usize + child.lane();
            if sisters.leaves >> child.lane() & 1 == 0 {
                let entry = body.children::<Aabb>(node, stats);
                push_visited::<E>(body.bounds(entry), entry, visitor, open, stats);
                continue;
            }
            let entry = body.leaf(node, stats);
            let tree = body.tree();
            let triangles = &tree.triangles[tree.nodes[node].range()];
            if visitor.leaf::<E>(body.posed_leaf(entry), triangles, stats) == Search::Stop {
                return;
            }
        }
    }
}

/// Pushes the children that are to be visited; the soonest comes last, and is visited next.
#[inline(always)]
fn push_visited<E: Eight>(
    children: &Children<Aabb>,
    entry: usize,
    visitor: &impl Visitor,
    open: &mut Vec<OrderedChild>,
    stats: &mut QueryStats,
) {
    stats.node_visits += u64::from(children.count);
    let mut times = [0.0; WIDTH];
    let mask = visitor.visits::<E>(&children.bounds, &mut times) & children.present();
    let first = open.len();
    for lane in lanes(mask) {
        let own = OrderedChild { child: ChildAt::new(entry, lane), order: times[lane] };
        open.push(own);
        let mut at = open.len() - 1;
        while at > first && open[at - 1].order < times[lane] {
            open[at] = open[at - 1];
            at -= 1;
        }
        open[at] = own;
    }
}
