//! The walk over two trees that looks for triangles near each other.
//!
//! Like the walk over overlapping nodes, but nodes stay in it while their boxes are within a limit that the question sets
//! and may lower at every find; the nearest are looked at first.
//! Must hold: every pair of triangles whose distance is within the limit of the nodes above it is reported once, unless
//! the search is stopped. Boxes are never farther apart than what is in them, as their distances are computed, so nothing
//! is lost to rounding.
//!
//! Eight distances of boxes in f32 are a filter; what passes it is measured in f64: far from each other, f32 could not tell the
//! boxes apart, and every pair would have to be looked at.

use super::walk::{Place, Search, Visited, ascending, visited};
use crate::answer::QueryStats;
use crate::math::Aabb;
use crate::narrow::{ClosestPoints, closest_points_of_triangles};
use crate::refit::{Body, Children, EightVolumes, PosedLeaf, Volume};
use crate::simd::{self, Eight, Kernel, places};
use crate::tree::WIDTH;

/// What is looked for.
pub(super) trait Question {
    /// The squared distance up to which a pair of nodes matters; negative where none does. For two leaves it
    /// holds for their triangles.
    fn limit_sq(&mut self, nodes: [usize; 2]) -> f64;
    /// Takes a pair of triangles that may be within the limit. `nodes` are their leaves.
    fn found(&mut self, nodes: [usize; 2], pair: [u32; 2], closest: &ClosestPoints) -> Search;
}

/// Walks both trees and reports pairs.
pub(super) fn walk_near(a: &mut Body, b: &mut Body, stats: &mut QueryStats, question: &mut impl Question) {
    let roots = [&mut *a, &mut *b].map(|body| body.children::<Aabb>(body.above_root(), stats));
    let mut open = a.take_open_pairs();
    simd::run(NearWalk { a, b, stats, question, open: &mut open, roots });
    a.keep_open_pairs(open);
}

struct NearWalk<'a, Q> {
    a: &'a mut Body,
    b: &'a mut Body,
    stats: &'a mut QueryStats,
    question: &'a mut Q,
    open: &'a mut Vec<(u32, u32)>,
    roots: [usize; 2],
}

impl<Q: Question> Kernel for NearWalk<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(mut self) {
        self.stats.node_visits += 1;
        self.open.push((Place::new(self.roots[0], 0).0, Place::new(self.roots[1], 0).0));
        while let Some((in_a, in_b)) = self.open.pop() {
            let (own, other): (Visited<Aabb>, Visited<Aabb>) =
                (visited(self.a, Place(in_a)), visited(self.b, Place(in_b)));
            if own.bound.distance_sq(&other.bound) > self.question.limit_sq([own.node, other.node]) {
                continue;
            }
            if own.leaf && other.leaf {
                if self.leaves::<E>(&own, &other) == Search::Stop {
                    return;
                }
            } else if other.leaf || (!own.leaf && own.bound.size() >= other.bound.size()) {
                let slot = self.a.children::<Aabb>(own.node, self.stats);
                let children = self.a.bounds::<Aabb>(slot);
                self.stats.node_visits += u64::from(children.count);
                let limit = |node: usize| self.question.limit_sq([node, other.node]);
                let pair = |place: usize| (Place::new(slot, place).0, in_b);
                push_near::<E>(children, &other.bound, limit, self.open, pair);
            } else {
                let slot = self.b.children::<Aabb>(other.node, self.stats);
                let children = self.b.bounds::<Aabb>(slot);
                self.stats.node_visits += u64::from(children.count);
                let limit = |node: usize| self.question.limit_sq([own.node, node]);
                let pair = |place: usize| (in_a, Place::new(slot, place).0);
                push_near::<E>(children, &own.bound, limit, self.open, pair);
            }
        }
    }
}

/// Pushes the children that are within the limit; the nearest is visited next.
#[inline(always)]
fn push_near<E: Eight>(
    children: &Children<Aabb>,
    other: &Aabb,
    mut limit_sq: impl FnMut(usize) -> f64,
    open: &mut Vec<(u32, u32)>,
    pair: impl Fn(usize) -> (u32, u32),
) {
    let lower = children.bounds.distances_sq::<E>(other);
    let (mut near, mut least, mut distances) = (0, f64::INFINITY, [0.0; WIDTH]);
    for place in places(children.present()) {
        let limit = limit_sq(children.first as usize + place);
        if f64::from(lower[place]) <= limit {
            distances[place] = children.bounds.get(place).distance_sq(other);
            least = least.min(distances[place]);
            near |= u8::from(distances[place] <= limit) << place;
        }
    }
    let depths = children.bounds.depths::<E>(other);
    let (sorted, count) = ascending(near, &farthest_first(&distances, least, &depths));
    open.extend(sorted[..count].iter().map(|&place| pair(place)));
}

/// Keys that put the farthest first; of those that overlap, the one that overlaps least. Distances are taken relative to the
/// least of them, so that f32 can tell them apart.
#[inline(always)]
fn farthest_first(distances: &[f64; WIDTH], least: f64, depths: &[f32; WIDTH]) -> [f32; WIDTH] {
    let mut keys = [0.0; WIDTH];
    for place in 0..WIDTH {
        let farther = (distances[place] - least) as f32;
        keys[place] = if distances[place] > 0.0 { -farther } else { depths[place].max(0.0) };
    }
    keys
}

impl<Q: Question> NearWalk<'_, Q> {
    /// Measures all triangles of two leaves that are within the limit, as far as their boxes tell.
    #[inline(always)]
    fn leaves<E: Eight>(&mut self, own: &Visited<Aabb>, other: &Visited<Aabb>) -> Search {
        let nodes = [own.node, other.node];
        let slot_b = self.b.leaf(other.node, self.stats);
        let slot_a = self.a.leaf(own.node, self.stats);
        let to_a = self.b.posed_leaf(slot_b).boxes.distances_sq::<E>(&own.bound);
        let to_b = self.a.posed_leaf(slot_a).boxes.distances_sq::<E>(&other.bound);
        let (first_a, first_b) =
            (self.a.tree().nodes[own.node].range().start, self.b.tree().nodes[other.node].range().start);
        for place_a in places(self.a.posed_leaf(slot_a).present) {
            if f64::from(to_b[place_a]) > self.question.limit_sq(nodes) {
                continue;
            }
            let aabb = self.a.posed_leaf(slot_a).boxes.get(place_a);
            let distances = self.b.posed_leaf(slot_b).boxes.distances_sq::<E>(&aabb);
            for place_b in places(self.b.posed_leaf(slot_b).present) {
                let limit = self.question.limit_sq(nodes);
                if f64::from(to_a[place_b].max(distances[place_b])) > limit
                    || aabb.distance_sq(&self.b.posed_leaf(slot_b).boxes.get(place_b)) > limit
                {
                    continue;
                }
                self.stats.triangle_tests += 1;
                let closest =
                    measured(self.a.posed_leaf(slot_a), place_a, self.b.posed_leaf(slot_b), place_b);
                let pair =
                    [self.a.tree().triangles[first_a + place_a], self.b.tree().triangles[first_b + place_b]];
                if self.question.found(nodes, pair, &closest) == Search::Stop {
                    return Search::Stop;
                }
            }
        }
        Search::GoOn
    }
}

/// Not inlined: long, and in f64.
#[inline(never)]
fn measured(leaf_a: &PosedLeaf, place_a: usize, leaf_b: &PosedLeaf, place_b: usize) -> ClosestPoints {
    closest_points_of_triangles(&leaf_a.triangle(place_a), &leaf_b.triangle(place_b))
}
