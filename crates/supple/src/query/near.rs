//! The walk over two trees that looks for triangles near each other.
//!
//! Like the walk over overlapping nodes, but nodes stay in it while their boxes are within a limit that the visitor sets
//! and may lower at every find; the nearest are looked at first.
//! Must hold: every pair of triangles whose distance is within the limit of the nodes above it is reported once, unless
//! the search is stopped. Boxes are never farther apart than what is in them, as their distances are computed, so nothing
//! is lost to rounding.
//!
//! Eight distances of boxes in f32 are a filter; what passes it is measured in f64: far from each other, f32 could not tell the
//! boxes apart, and every pair would have to be looked at.

use super::walk::{Search, Visited, ascending, visited};
use crate::answer::QueryStats;
use crate::math::Aabb;
use crate::narrow::{ClosestPoints, closest_points_of_triangles};
use crate::refit::{Body, ChildAt, Children, EightVolumes, PosedLeaf, Scratch, Volume};
use crate::simd::{self, Eight, Kernel, lanes};
use crate::tree::WIDTH;

/// What is looked for.
pub(super) trait NearVisitor {
    /// The squared distance up to which a pair of nodes matters; negative where none does. For two leaves it
    /// holds for their triangles.
    fn limit_sq(&mut self, nodes: [usize; 2]) -> f64;
    /// Takes a pair of triangles that may be within the limit. `nodes` are their leaves.
    fn found(&mut self, nodes: [usize; 2], pair: [u32; 2], closest: &ClosestPoints) -> Search;
}

/// Walks both trees and reports pairs.
pub(super) fn walk_near(a: &mut Body, b: &mut Body, stats: &mut QueryStats, visitor: &mut impl NearVisitor) {
    let roots = [&mut *a, &mut *b].map(|body| body.children::<Aabb>(body.above_root(), stats));
    Scratch::lend(|scratch| simd::run(NearWalk { a, b, stats, visitor, scratch, roots }));
}

struct NearWalk<'a, V> {
    a: &'a mut Body,
    b: &'a mut Body,
    stats: &'a mut QueryStats,
    visitor: &'a mut V,
    scratch: &'a mut Scratch,
    roots: [usize; 2],
}

impl<V: NearVisitor> Kernel for NearWalk<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(mut self) {
        self.stats.node_visits += 1;
        self.scratch.pairs.push(self.roots.map(|root| ChildAt::new(root, 0)));
        while let Some([in_a, in_b]) = self.scratch.pairs.pop() {
            let (own, other): (Visited<Aabb>, Visited<Aabb>) = (visited(self.a, in_a), visited(self.b, in_b));
            if own.bound.distance_sq(&other.bound) > self.visitor.limit_sq([own.node, other.node]) {
                continue;
            }
            if own.leaf && other.leaf {
                if self.leaves::<E>(&own, &other) == Search::Stop {
                    return;
                }
            } else if other.leaf || (!own.leaf && own.bound.size() >= other.bound.size()) {
                let entry = self.a.children::<Aabb>(own.node, self.stats);
                let children = self.a.bounds::<Aabb>(entry);
                self.stats.node_visits += u64::from(children.count);
                let limit = |node: usize| self.visitor.limit_sq([node, other.node]);
                let pair = |lane: usize| [ChildAt::new(entry, lane), in_b];
                push_near::<E>(children, &other.bound, limit, &mut self.scratch.pairs, pair);
            } else {
                let entry = self.b.children::<Aabb>(other.node, self.stats);
                let children = self.b.bounds::<Aabb>(entry);
                self.stats.node_visits += u64::from(children.count);
                let limit = |node: usize| self.visitor.limit_sq([own.node, node]);
                let pair = |lane: usize| [in_a, ChildAt::new(entry, lane)];
                push_near::<E>(children, &own.bound, limit, &mut self.scratch.pairs, pair);
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
    open: &mut Vec<[ChildAt; 2]>,
    pair: impl Fn(usize) -> [ChildAt; 2],
) {
    let lower = children.bounds.distances_sq::<E>(other);
    let (mut near, mut least, mut distances) = (0, f64::INFINITY, [0.0; WIDTH]);
    for lane in lanes(children.present()) {
        let limit = limit_sq(children.first as usize + lane);
        if f64::from(lower[lane]) <= limit {
            distances[lane] = children.bounds.get(lane).distance_sq(other);
            least = least.min(distances[lane]);
            near |= u8::from(distances[lane] <= limit) << lane;
        }
    }
    let depths = children.bounds.depths::<E>(other);
    let (sorted, count) = ascending(near, &farthest_first(&distances, least, &depths));
    open.extend(sorted[..count].iter().map(|&lane| pair(lane)));
}

/// Keys that put the farthest first; of those that overlap, the one that overlaps least. Distances are taken relative to the
/// least of them, so that f32 can tell them apart.
#[inline(always)]
fn farthest_first(distances: &[f64; WIDTH], least: f64, depths: &[f32; WIDTH]) -> [f32; WIDTH] {
    let mut keys = [0.0; WIDTH];
    for lane in 0..WIDTH {
        let farther = (distances[lane] - least) as f32;
        keys[lane] = if distances[lane] > 0.0 { -farther } else { depths[lane].max(0.0) };
    }
    keys
}

impl<V: NearVisitor> NearWalk<'_, V> {
    /// Measures all triangles of two leaves that are within the limit, as far as their boxes tell.
    #[inline(always)]
    fn leaves<E: Eight>(&mut self, own: &Visited<Aabb>, other: &Visited<Aabb>) -> Search {
        let nodes = [own.node, other.node];
        let [leaves_a, leaves_b] = &mut self.scratch.leaves;
        let entry_b = self.b.leaf(other.node, leaves_b);
        let entry_a = self.a.leaf(own.node, leaves_a);
        let (leaf_a, leaf_b) = (leaves_a.get(entry_a), leaves_b.get(entry_b));
        let to_a = leaf_b.boxes.distances_sq::<E>(&own.bound);
        let to_b = leaf_a.boxes.distances_sq::<E>(&other.bound);
        let (first_a, first_b) =
            (self.a.tree().nodes[own.node].range().start, self.b.tree().nodes[other.node].range().start);
        for lane_a in lanes(leaf_a.present) {
            if f64::from(to_b[lane_a]) > self.visitor.limit_sq(nodes) {
                continue;
            }
            let aabb = leaf_a.boxes.get(lane_a);
            let distances = leaf_b.boxes.distances_sq::<E>(&aabb);
            for lane_b in lanes(leaf_b.present) {
                let limit = self.visitor.limit_sq(nodes);
                if f64::from(to_a[lane_b].max(distances[lane_b])) > limit
                    || aabb.distance_sq(&leaf_b.boxes.get(lane_b)) > limit
                {
                    continue;
                }
                self.stats.triangle_tests += 1;
                let closest = measured(leaf_a, lane_a, leaf_b, lane_b);
                let pair =
                    [self.a.tree().triangles[first_a + lane_a], self.b.tree().triangles[first_b + lane_b]];
                if self.visitor.found(nodes, pair, &closest) == Search::Stop {
                    return Search::Stop;
                }
            }
        }
        Search::GoOn
    }
}

/// Not inlined: long, and in f64.
#[inline(never)]
fn measured(leaf_a: &PosedLeaf, lane_a: usize, leaf_b: &PosedLeaf, lane_b: usize) -> ClosestPoints {
    closest_points_of_triangles(&leaf_a.triangle(lane_a), &leaf_b.triangle(lane_b))
}
