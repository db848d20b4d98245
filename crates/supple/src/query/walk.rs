//! The walk over two trees at once.
//!
//! A pair of nodes whose bounds overlap is replaced by one of them and the children of the other, whose bounds are
//! computed there and then and tested eight at a time; at two leaves the triangles are posed and tested exactly.
//! Must hold: every pair of triangles that touch is reported once, unless the search is stopped.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 2.2 with refitting as in section 5.3.

use super::planes::Planes;
use crate::narrow::triangles_touch;
use crate::query_stats::QueryStats;
use crate::refit::{Body, Children, EightVolumes, PosedLeaf, Volume};
use crate::simd::{self, Eight, Kernel, places};
use crate::tree::WIDTH;

/// Whether the walk goes on after a pair.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Search {
    GoOn,
    Stop,
}

/// In which order overlapping children are visited.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Order {
    /// All will be visited anyway.
    Any,
    /// Those that overlap most are the likeliest to touch.
    DeepestFirst,
}

/// Walks both trees and reports touching pairs.
pub(super) fn walk<V: Volume>(
    a: &mut Body,
    b: &mut Body,
    order: Order,
    stats: &mut QueryStats,
    found: impl FnMut([u32; 2]) -> Search,
) {
    let roots = [&mut *a, &mut *b].map(|body| body.children::<V>(body.above_root(), stats));
    stats.node_visits += 1;
    let root_of_b = b.bounds::<V>(roots[1]).bounds.get(0);
    let mut open = a.take_open_pairs();
    let walk = Walk::<V, _> { a, b, order, stats, found, open: &mut open, roots, root_of_b };
    simd::run(walk);
    a.keep_open_pairs(open);
}

/// A child of a node: where its bound is, times eight, plus its place there.
#[derive(Clone, Copy)]
pub(super) struct Place(pub(super) u32);

impl Place {
    #[inline(always)]
    pub(super) fn new(slot: usize, place: usize) -> Self {
        Self((slot * WIDTH + place) as u32)
    }

    #[inline(always)]
    pub(super) fn slot(self) -> usize {
        self.0 as usize / WIDTH
    }

    #[inline(always)]
    pub(super) fn place(self) -> usize {
        self.0 as usize % WIDTH
    }
}

struct Walk<'a, V: Volume, F> {
    a: &'a mut Body,
    b: &'a mut Body,
    order: Order,
    stats: &'a mut QueryStats,
    found: F,
    open: &'a mut Vec<(u32, u32)>,
    roots: [usize; 2],
    root_of_b: V,
}

/// What a walk needs to know of a node.
pub(super) struct Visited<V> {
    pub node: usize,
    pub leaf: bool,
    pub bound: V,
}

#[inline(always)]
pub(super) fn visited<V: Volume>(body: &Body, place: Place) -> Visited<V> {
    let children = body.bounds::<V>(place.slot());
    Visited {
        node: children.first as usize + place.place(),
        leaf: children.leaves >> place.place() & 1 != 0,
        bound: children.bounds.get(place.place()),
    }
}

impl<V: Volume, F: FnMut([u32; 2]) -> Search> Kernel for Walk<'_, V, F> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(mut self) {
        if self.a.bounds::<V>(self.roots[0]).bounds.overlapping::<E>(&self.root_of_b) == 0 {
            return;
        }
        self.open.push((Place::new(self.roots[0], 0).0, Place::new(self.roots[1], 0).0));
        while let Some((in_a, in_b)) = self.open.pop() {
            let (own, other): (Visited<V>, Visited<V>) =
                (visited(self.a, Place(in_a)), visited(self.b, Place(in_b)));
            if own.leaf && other.leaf {
                if self.leaves::<E>(&own, &other) == Search::Stop {
                    return;
                }
                continue;
            }
            if other.leaf || (!own.leaf && own.bound.size() >= other.bound.size()) {
                let slot = self.a.children::<V>(own.node, self.stats);
                let children = self.a.bounds::<V>(slot);
                self.stats.node_visits += u64::from(children.count);
                let pair = |place: usize| (Place::new(slot, place).0, in_b);
                push_overlapping::<E, V>(children, &other.bound, self.order, self.open, pair);
            } else {
                let slot = self.b.children::<V>(other.node, self.stats);
                let children = self.b.bounds::<V>(slot);
                self.stats.node_visits += u64::from(children.count);
                let pair = |place: usize| (in_a, Place::new(slot, place).0);
                push_overlapping::<E, V>(children, &own.bound, self.order, self.open, pair);
            }
        }
    }
}

/// Pushes the children that overlap a bound of the other body; the last one is visited next.
#[inline(always)]
fn push_overlapping<E: Eight, V: Volume>(
    children: &Children<V>,
    other: &V,
    order: Order,
    open: &mut Vec<(u32, u32)>,
    pair: impl Fn(usize) -> (u32, u32),
) {
    // Where bounds are infinite, even what is not there overlaps.
    let mask = children.bounds.overlapping::<E>(other) & children.present();
    if order == Order::Any || mask.count_ones() < 2 {
        open.extend(places(mask).map(pair));
        return;
    }
    let (sorted, count) = ascending(mask, &children.bounds.depths::<E>(other));
    open.extend(sorted[..count].iter().map(|&place| pair(place)));
}

/// The places of a mask by ascending keys, equal ones in their order, and how many there are.
#[inline(always)]
pub(super) fn ascending(mask: u8, keys: &[f32; WIDTH]) -> ([usize; WIDTH], usize) {
    let (mut sorted, mut count) = ([0; WIDTH], 0);
    for place in places(mask) {
        let mut at = count;
        while at > 0 && keys[sorted[at - 1]] > keys[place] {
            sorted[at] = sorted[at - 1];
            at -= 1;
        }
        sorted[at] = place;
        count += 1;
    }
    (sorted, count)
}

impl<V: Volume, F: FnMut([u32; 2]) -> Search> Walk<'_, V, F> {
    /// Tests all triangles of two leaves that reach into each other's bounds.
    #[inline(always)]
    fn leaves<E: Eight>(&mut self, own: &Visited<V>, other: &Visited<V>) -> Search {
        let slot_b = self.b.leaf(other.node, self.stats);
        let mask_b = own.bound.reached_by::<E>(self.b.posed_leaf(slot_b));
        if mask_b == 0 {
            return Search::GoOn;
        }
        let slot_a = self.a.leaf(own.node, self.stats);
        let (leaf_a, leaf_b) = (self.a.posed_leaf(slot_a), self.b.posed_leaf(slot_b));
        let (first_a, first_b) =
            (self.a.tree().nodes[own.node].range().start, self.b.tree().nodes[other.node].range().start);
        let planes = Planes::<E>::new(leaf_a, leaf_b);
        for place_a in places(other.bound.reached_by::<E>(leaf_a)) {
            let mut near = leaf_b.boxes.overlapping::<E>(&leaf_a.boxes.get(place_a)) & mask_b;
            if near != 0 {
                near &= !planes.separated(&leaf_a.triangle(place_a), leaf_b);
            }
            for place_b in places(near) {
                self.stats.triangle_tests += 1;
                if touch(leaf_a, place_a, leaf_b, place_b) {
                    let pair = [
                        self.a.tree().triangles[first_a + place_a],
                        self.b.tree().triangles[first_b + place_b],
                    ];
                    if (self.found)(pair) == Search::Stop {
                        return Search::Stop;
                    }
                }
            }
        }
        Search::GoOn
    }
}

/// Not inlined: the exact test is long, and gains nothing from wide registers.
#[inline(never)]
fn touch(leaf_a: &PosedLeaf, place_a: usize, leaf_b: &PosedLeaf, place_b: usize) -> bool {
    triangles_touch(&leaf_a.triangle(place_a), &leaf_b.triangle(place_b))
}
