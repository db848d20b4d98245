//! The walk over one tree.
//!
//! Children that a question reaches are visited, soonest first; their bounds are computed there and then and tested eight at
//! a time; at a leaf the triangles are posed and the question looks at them.
//! Must hold: every leaf is visited whose bound the question reaches, unless it stops or no longer wants it.

use super::walk::{Place, Search};
use crate::answer::QueryStats;
use crate::math::Aabb;
use crate::refit::{Body, Children, EightBoxes, PosedLeaf};
use crate::simd::{self, Eight, Kernel, places};
use crate::tree::WIDTH;

/// A question to one body.
///
/// Law: a box is reached, and its time wanted, if any box or triangle within it that the answer depends on is.
pub(super) trait Question {
    /// Bit `i` is set where box `i` is reached; `times` says how soon, wherever it is.
    fn reaches<E: Eight>(&self, boxes: &EightBoxes, times: &mut [f32; WIDTH]) -> u8;
    /// Whether what is reached at that time still matters.
    fn wants(&self, time: f32) -> bool;
    /// Looks at the triangles of a leaf, whose numbers are given.
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search;
}

/// Walks the tree of a body and shows the leaves to a question.
pub(super) fn descend(body: &mut Body, question: &mut impl Question, stats: &mut QueryStats) {
    let root = body.children::<Aabb>(body.above_root(), stats);
    let mut open = body.take_open_pairs();
    simd::run(Descent { body, question, stats, open: &mut open, root });
    body.keep_open_pairs(open);
}

struct Descent<'a, Q> {
    body: &'a mut Body,
    question: &'a mut Q,
    stats: &'a mut QueryStats,
    /// Where bounds are, and the bits of the time at which they are reached.
    open: &'a mut Vec<(u32, u32)>,
    root: usize,
}

impl<Q: Question> Kernel for Descent<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Self { body, question, stats, open, root } = self;
        push_reached::<E>(body.bounds(root), root, question, open, stats);
        while let Some((place, time)) = open.pop() {
            if !question.wants(f32::from_bits(time)) {
                continue;
            }
            let place = Place(place);
            let sisters = body.bounds::<Aabb>(place.slot());
            let node = sisters.first as usize + place.place();
            if sisters.leaves >> place.place() & 1 == 0 {
                let slot = body.children::<Aabb>(node, stats);
                push_reached::<E>(body.bounds(slot), slot, question, open, stats);
                continue;
            }
            let slot = body.leaf(node, stats);
            let tree = body.tree();
            let triangles = &tree.triangles[tree.nodes[node].range()];
            if question.leaf::<E>(body.posed_leaf(slot), triangles, stats) == Search::Stop {
                return;
            }
        }
    }
}

/// Pushes the children that are reached; the soonest comes last, and is visited next.
#[inline(always)]
fn push_reached<E: Eight>(
    children: &Children<Aabb>,
    slot: usize,
    question: &impl Question,
    open: &mut Vec<(u32, u32)>,
    stats: &mut QueryStats,
) {
    stats.node_visits += u64::from(children.count);
    let mut times = [0.0; WIDTH];
    let mask = question.reaches::<E>(&children.bounds, &mut times) & children.present();
    let first = open.len();
    for place in places(mask) {
        let own = (Place::new(slot, place).0, times[place].to_bits());
        open.push(own);
        let mut at = open.len() - 1;
        while at > first && f32::from_bits(open[at - 1].1) < times[place] {
            open[at] = open[at - 1];
            at -= 1;
        }
        open[at] = own;
    }
}
