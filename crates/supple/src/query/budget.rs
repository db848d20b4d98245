//! Collisions within a budget: as much of the answer as time allows, coarse levels first.
//!
//! Open pairs of nodes wait in a heap, those whose bounds overlap most in front, so both trees are descended level by level
//! where the bodies are deepest in each other. What is still open at the end is part of the answer.
//! Must hold: pairs that were found touch; pairs that touch were found or are below an open pair; a budget of visits gives
//! the same answer every time, one that suffices gives that of [`collide`](super::collide).

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::time::Instant;

use super::QueryStats;
use super::couple::TwoBodies;
use super::walk::{Agenda, Order, Place, Search, Visited, visited, walk};
use crate::math::Aabb;
use crate::refit::{Body, Volume};

/// How much a query may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Stop after so many [`node_visits`](QueryStats::node_visits). Up to eight more may be made: a node's children are
    /// visited together.
    pub visits: Option<u64>,
    /// Stop after this point of time. How far a query comes then depends on the machine. Looked at between visits; what is
    /// in work is finished.
    pub deadline: Option<Instant>,
}

impl Budget {
    /// As much as it takes.
    pub const UNLIMITED: Self = Self { visits: None, deadline: None };

    /// So many visits.
    pub fn visits(visits: u64) -> Self {
        Self { visits: Some(visits), ..Self::UNLIMITED }
    }

    /// Until a point of time.
    pub fn until(deadline: Instant) -> Self {
        Self { deadline: Some(deadline), ..Self::UNLIMITED }
    }

    fn is_spent(&self, stats: &QueryStats) -> bool {
        self.visits.is_some_and(|most| stats.node_visits >= most)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// What was found within a budget.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Partial {
    /// Pairs of triangles that touch, ascending: all of them if the answer is complete.
    pub pairs: Vec<[u32; 2]>,
    /// Where nothing is decided yet, the largest overlap first. Empty if the answer is complete.
    pub open: Vec<OpenPair>,
    /// Counters.
    pub stats: QueryStats,
}

impl Partial {
    /// Whether nothing is open: the pairs are then all there are, and none means that the bodies are apart.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}

/// Two nodes that overlap and below which triangles may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenPair {
    /// Node of the first body's tree, node of the second's.
    pub nodes: [usize; 2],
    /// Their bounds; triangles can only touch in both.
    pub bounds: [Aabb; 2],
}

/// Finds pairs of touching triangles of two bodies until a budget is spent. What was refitted stays with the bodies: asked
/// again in the same pose, with a larger budget, the query does not refit it again.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry};
/// use supple::query::{Budget, collide_within};
/// # let man = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut a = Body::new(&man, Skinning::Linear)?;
/// # let mut b = Body::new(&man, Skinning::Linear)?;
/// # b.place(Isometry::from_translation(glam::Vec3::X * 0.4))?;
/// let hasty = collide_within(&mut a, &mut b, &Budget::visits(100));
/// assert!(!hasty.is_complete() && hasty.stats.node_visits < 108);
/// let patient = collide_within(&mut a, &mut b, &Budget::UNLIMITED);
/// assert!(patient.is_complete() && patient.pairs == supple::collide(&mut a, &mut b).pairs);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn collide_within(a: &mut Body, b: &mut Body, budget: &Budget) -> Partial {
    let mut partial = Partial::default();
    let mut agenda = LargestFirst { budget: *budget, waiting: BinaryHeap::new() };
    walk::<Aabb, _>(TwoBodies { a, b }, Order::Any, &mut agenda, &mut partial.stats, |pair| {
        partial.pairs.push(pair);
        Search::GoOn
    });
    partial.pairs.sort_unstable();
    while let Some(Waiting { places, .. }) = agenda.waiting.pop() {
        let (own, other) = at(a, b, places);
        partial.open.push(OpenPair { nodes: [own.node, other.node], bounds: [own.bound, other.bound] });
    }
    partial
}

fn at(a: &Body, b: &Body, places: (u32, u32)) -> (Visited<Aabb>, Visited<Aabb>) {
    (visited(a, Place(places.0)), visited(b, Place(places.1)))
}

/// The pair whose bounds overlap most, while there is budget left.
struct LargestFirst {
    budget: Budget,
    waiting: BinaryHeap<Waiting>,
}

/// An open pair of nodes, ordered by how much their bounds overlap.
struct Waiting {
    overlap: f32,
    nodes: [usize; 2],
    places: (u32, u32),
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        // Nodes, not places: those depend on what the bodies were asked before.
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

impl Agenda for LargestFirst {
    fn next(
        &mut self,
        a: &Body,
        b: &Body,
        open: &mut Vec<(u32, u32)>,
        stats: &QueryStats,
    ) -> Option<(u32, u32)> {
        for places in open.drain(..) {
            let (own, other) = at(a, b, places);
            let overlap = own.bound.intersection(&other.bound).size();
            self.waiting.push(Waiting { overlap, nodes: [own.node, other.node], places });
        }
        if self.budget.is_spent(stats) {
            return None;
        }
        self.waiting.pop().map(|next| next.places)
    }
}
