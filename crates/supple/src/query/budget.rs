//! Collisions within a budget: as much of the answer as time allows, coarse levels first.
//!
//! Open pairs of nodes wait in a heap, those whose bounds overlap most in front, so both trees are descended level by level
//! where the bodies are deepest in each other. What is still open at the end is part of the answer.
//! Must hold: pairs that were found touch; pairs that touch were found or are below an open pair; a budget of visits gives
//! the same answer for the same questions in the same order, one that suffices gives that of [`collide`](super::collide).

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::fmt;
use std::marker::PhantomData;

use super::collide::PartialPairs;
use super::couple::TwoBodies;
use super::walk::{Agenda, Order, Search, Visited, visited, walk};
use crate::answer::{Answer, QueryStats, in_order};
use crate::math::Aabb;
use crate::refit::{Body, ChildAt, Volume};
use crate::tree::NodeId;

/// How much a query may cost: a number of visits, a condition of the caller's, or both.
///
/// There is no clock in it, as not every platform has one: a deadline is a condition.
///
/// ```
/// use std::time::{Duration, Instant};
/// use supple::Budget;
///
/// let deadline = Instant::now() + Duration::from_millis(2);
/// let is_late = || Instant::now() >= deadline;
/// let budget = Budget::until(&is_late);
/// # let _ = budget;
/// ```
#[derive(Clone, Copy, Default)]
#[non_exhaustive]
pub struct Budget<'a> {
    /// Stop after this many [`node_visits`](QueryStats::node_visits). Up to eight more may be made: a node's children are
    /// visited together.
    pub visits: Option<u64>,
    /// Stop when this says so. Asked between visits; what is in work is finished. How far a query comes then is the caller's
    /// business, and depends on the machine if the condition is a clock.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl<'a> Budget<'a> {
    /// As much as it takes.
    pub const UNLIMITED: Self = Self { visits: None, stop: None };

    /// This many visits. How far they go does not depend on the machine, but may depend on what the bodies were asked before in the same
    /// pose: bounds that are tighter now lead farther.
    pub fn visits(visits: u64) -> Self {
        Self { visits: Some(visits), ..Self::UNLIMITED }
    }

    /// Until a condition holds.
    pub fn until(stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        Self { stop: Some(stop), ..Self::UNLIMITED }
    }

    pub(super) fn is_unlimited(&self) -> bool {
        self.visits.is_none() && self.stop.is_none()
    }

    fn is_spent(&self, stats: &QueryStats) -> bool {
        self.visits.is_some_and(|most| stats.node_visits >= most) || self.stop.is_some_and(|stop| stop())
    }
}

impl fmt::Debug for Budget<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stop = self.stop.map(|_| "a condition");
        f.debug_struct("Budget").field("visits", &self.visits).field("stop", &stop).finish()
    }
}

/// Two nodes that overlap and below which triangles may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OpenPair {
    /// Node of the first body's tree, node of the second's.
    pub nodes: [NodeId; 2],
    /// Boxes around them; triangles can only touch in both.
    pub bounds: [Aabb; 2],
}

/// Finds pairs until the budget is spent.
pub(super) fn search_within<V: Volume>(a: &mut Body, b: &mut Body, budget: &Budget) -> Answer<PartialPairs> {
    let (mut found, mut stats) = (PartialPairs::default(), QueryStats::default());
    let mut agenda = LargestFirst::<V> { budget: *budget, waiting: BinaryHeap::new(), volume: PhantomData };
    walk::<V, _>(TwoBodies { a, b }, Order::Any, &mut agenda, &mut stats, |pair| {
        found.pairs.push(pair);
        Search::GoOn
    });
    found.pairs.sort_unstable_by_key(in_order);
    while let Some(Waiting { at, .. }) = agenda.waiting.pop() {
        let [own, other] = visited_pair::<V>(a, b, at);
        let nodes = [own.node, other.node].map(|node| NodeId(node as u32));
        let bounds = [own.bound.around(), other.bound.around()];
        // Bounds may have become tighter since they were found to overlap.
        if bounds[0].intersects(&bounds[1]) {
            found.open.push(OpenPair { nodes, bounds });
        }
    }
    Answer { found, stats }
}

fn visited_pair<V: Volume>(a: &Body, b: &Body, at: [ChildAt; 2]) -> [Visited<V>; 2] {
    [visited(a, at[0]), visited(b, at[1])]
}

/// The pair whose bounds overlap most, while there is budget left.
struct LargestFirst<'a, V> {
    budget: Budget<'a>,
    waiting: BinaryHeap<Waiting>,
    volume: PhantomData<V>,
}

/// An open pair of nodes, ordered by how much their bounds overlap.
struct Waiting {
    overlap: f32,
    nodes: [usize; 2],
    at: [ChildAt; 2],
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        // Nodes, not entries of the cache: those depend on what the bodies were asked before.
        self.overlap.total_cmp(&other.overlap).then_with(|| other.nodes.cmp(&self.nodes))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl<V: Volume> Agenda for LargestFirst<'_, V> {
    fn next(
        &mut self,
        a: &Body,
        b: &Body,
        open: &mut Vec<[ChildAt; 2]>,
        stats: &QueryStats,
    ) -> Option<[ChildAt; 2]> {
        for at in open.drain(..) {
            let [own, other] = visited_pair::<V>(a, b, at);
            let overlap = own.bound.around().intersection(&other.bound.around()).size();
            self.waiting.push(Waiting { overlap, nodes: [own.node, other.node], at });
        }
        if self.budget.is_spent(stats) {
            return None;
        }
        self.waiting.pop().map(|next| next.at)
    }
}
