//! The walk over two trees at once, or over one against itself.
//!
//! A pair of nodes whose bounds overlap is replaced by one of them and the children of the other, whose bounds are
//! computed there and then and tested eight at a time; at two leaves the triangles are posed and tested exactly. A node
//! against itself is replaced by its children against themselves and by the pairs of them that overlap.
//! Must hold: every pair of triangles that touch is reported once, unless the search is stopped.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 2.2 with refitting as in section 5.3.

use std::marker::PhantomData;

use super::couple::Couple;
use super::planes::Planes;
use crate::answer::QueryStats;
use crate::narrow::{crossing_triangles_touch, triangles_touch};
use crate::refit::{Body, ChildAt, Children, EightVolumes, Leaves, PosedLeaf, Scratch, Volume};
use crate::simd::{self, Eight, Kernel, lanes};
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

/// Which of the open pairs of nodes is visited next.
pub(super) trait Agenda {
    /// Takes it from those found so far; `None` ends the walk.
    fn next(
        &mut self,
        a: &Body,
        b: &Body,
        open: &mut Vec<[ChildAt; 2]>,
        stats: &QueryStats,
    ) -> Option<[ChildAt; 2]>;
}

/// The one that was found last.
pub(super) struct DepthFirst;

impl Agenda for DepthFirst {
    #[inline(always)]
    fn next(
        &mut self,
        _: &Body,
        _: &Body,
        open: &mut Vec<[ChildAt; 2]>,
        _: &QueryStats,
    ) -> Option<[ChildAt; 2]> {
        open.pop()
    }
}

/// Walks both trees and reports touching pairs.
pub(super) fn walk<V: Volume, C: Couple>(
    couple: C,
    order: Order,
    agenda: &mut impl Agenda,
    stats: &mut QueryStats,
    found: impl FnMut([u32; 2]) -> Search,
) {
    let starts = [couple.a().above_root(), couple.b().above_root()];
    walk_from::<V, C>(couple, starts, order, agenda, stats, found);
}

/// Walks what is below two nodes.
pub(super) fn walk_from<V: Volume, C: Couple>(
    mut couple: C,
    starts: [usize; 2],
    order: Order,
    agenda: &mut impl Agenda,
    stats: &mut QueryStats,
    found: impl FnMut([u32; 2]) -> Search,
) {
    let in_a = couple.a_mut().loose_children::<V>(starts[0], stats);
    let in_b = couple.b_mut().loose_children::<V>(starts[1], stats);
    let (first, volume) = ([in_a, in_b], PhantomData::<V>);
    Scratch::lend(|scratch| simd::run(Walk { couple, order, agenda, stats, found, scratch, first, volume }));
}

struct Walk<'a, V: Volume, C, A, F> {
    couple: C,
    order: Order,
    agenda: &'a mut A,
    stats: &'a mut QueryStats,
    found: F,
    scratch: &'a mut Scratch,
    /// Whose pairs of children come first.
    first: [usize; 2],
    volume: PhantomData<V>,
}

/// What a walk needs to know of a node.
pub(super) struct Visited<V> {
    pub node: usize,
    pub leaf: bool,
    pub bound: V,
}

#[inline(always)]
pub(super) fn visited<V: Volume>(body: &Body, at: ChildAt) -> Visited<V> {
    let children = body.bounds::<V>(at.entry());
    Visited {
        node: children.first as usize + at.lane(),
        leaf: children.leaves >> at.lane() & 1 != 0,
        bound: children.bounds.get(at.lane()),
    }
}

impl<V: Volume, C: Couple, A: Agenda, F: FnMut([u32; 2]) -> Search> Kernel for Walk<'_, V, C, A, F> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(mut self) {
        let [in_a, in_b] = self.first;
        let (own, others) = (self.couple.a().bounds::<V>(in_a), self.couple.b().bounds::<V>(in_b));
        self.stats.node_visits += u64::from(own.count) * u64::from(others.count);
        for lane in 0..usize::from(own.count) {
            let pair = |other: usize| [ChildAt::new(in_a, lane), ChildAt::new(in_b, other)];
            push_overlapping::<E, V>(
                others,
                &own.bounds.get(lane),
                self.order,
                &mut self.scratch.pairs,
                pair,
            );
        }
        while let Some([in_a, in_b]) =
            self.agenda.next(self.couple.a(), self.couple.b(), &mut self.scratch.pairs, self.stats)
        {
            let (own, other): (Visited<V>, Visited<V>) =
                (visited(self.couple.a(), in_a), visited(self.couple.b(), in_b));
            if self.couple.nothing_between(own.node, other.node) {
                continue;
            }
            if C::ONE_BODY && in_a == in_b && !own.leaf {
                self.against_itself::<E>(own.node);
                continue;
            }
            if own.leaf && other.leaf {
                let leaves = &mut self.scratch.leaves;
                if test_leaves::<E, V, C>(&self.couple, leaves, [&own, &other], self.stats, &mut self.found)
                    == Search::Stop
                {
                    return;
                }
                continue;
            }
            if other.leaf || (!own.leaf && own.bound.size() >= other.bound.size()) {
                let body = self.couple.a_mut();
                let entry = body.loose_children::<V>(own.node, self.stats);
                body.tighten_where::<V>(entry, self.stats, |c| c.bounds.overlapping::<E>(&other.bound));
                let children = self.couple.a().bounds::<V>(entry);
                self.stats.node_visits += u64::from(children.count);
                let pair = |lane: usize| [ChildAt::new(entry, lane), in_b];
                push_overlapping::<E, V>(children, &other.bound, self.order, &mut self.scratch.pairs, pair);
            } else {
                let body = self.couple.b_mut();
                let entry = body.loose_children::<V>(other.node, self.stats);
                body.tighten_where::<V>(entry, self.stats, |c| c.bounds.overlapping::<E>(&own.bound));
                let children = self.couple.b().bounds::<V>(entry);
                self.stats.node_visits += u64::from(children.count);
                let pair = |lane: usize| [in_a, ChildAt::new(entry, lane)];
                push_overlapping::<E, V>(children, &own.bound, self.order, &mut self.scratch.pairs, pair);
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
    open: &mut Vec<[ChildAt; 2]>,
    pair: impl Fn(usize) -> [ChildAt; 2],
) {
    // Where bounds are infinite, even what is not there overlaps.
    let mask = children.bounds.overlapping::<E>(other) & children.present();
    if order == Order::Any || mask.count_ones() < 2 {
        open.extend(lanes(mask).map(pair));
        return;
    }
    let (sorted, count) = ascending(mask, &children.bounds.depths::<E>(other));
    open.extend(sorted[..count].iter().map(|&lane| pair(lane)));
}

/// The lanes of a mask by ascending keys, equal ones in their order, and how many there are.
#[inline(always)]
pub(super) fn ascending(mask: u8, keys: &[f32; WIDTH]) -> ([usize; WIDTH], usize) {
    let (mut sorted, mut count) = ([0; WIDTH], 0);
    for lane in lanes(mask) {
        let mut at = count;
        while at > 0 && keys[sorted[at - 1]] > keys[lane] {
            sorted[at] = sorted[at - 1];
            at -= 1;
        }
        sorted[at] = lane;
        count += 1;
    }
    (sorted, count)
}

impl<V: Volume, C: Couple, A: Agenda, F: FnMut([u32; 2]) -> Search> Walk<'_, V, C, A, F> {
    /// Replaces a node against itself by its children against themselves and the pairs of them that overlap.
    #[inline(always)]
    fn against_itself<E: Eight>(&mut self, node: usize) {
        let entry = self.couple.a_mut().children::<V>(node, self.stats);
        let children = self.couple.a().bounds::<V>(entry);
        let (count, at) = (usize::from(children.count), |lane| ChildAt::new(entry, lane));
        self.stats.node_visits += (count * (count - 1) / 2) as u64;
        for first in 0..count {
            let others = children.bounds.overlapping::<E>(&children.bounds.get(first));
            let others = others & children.present() & after(first);
            self.scratch.pairs.extend(lanes(others).map(|other| [at(first), at(other)]));
            self.scratch.pairs.push([at(first), at(first)]);
        }
    }
}

/// Tests all triangles of two leaves, or of one, that overlap each other's bounds.
#[inline(always)]
pub(super) fn test_leaves<E: Eight, V: Volume, C: Couple>(
    couple: &C,
    leaves: &mut [Leaves; 2],
    [own, other]: [&Visited<V>; 2],
    stats: &mut QueryStats,
    found: &mut impl FnMut([u32; 2]) -> Search,
) -> Search {
    let of_b = usize::from(!C::ONE_BODY);
    let mut entry_b = couple.b().leaf(other.node, &mut leaves[of_b]);
    let mask_b = own.bound.overlapped_by::<E>(leaves[of_b].get(entry_b));
    if mask_b == 0 {
        return Search::GoOn;
    }
    let entry_a = couple.a().leaf(own.node, &mut leaves[0]);
    if C::ONE_BODY {
        // Arranging one leaf may have forgotten the other. There is always room for two.
        entry_b = couple.b().leaf(other.node, &mut leaves[0]);
    }
    let (leaf_a, leaf_b) = (leaves[0].get(entry_a), leaves[of_b].get(entry_b));
    let (tree_a, tree_b) = (couple.a().tree(), couple.b().tree());
    let (first_a, first_b) = (tree_a.nodes[own.node].range().start, tree_b.nodes[other.node].range().start);
    let nodes = [own.node, other.node];
    let mut candidates = [0; WIDTH];
    let lanes_a = if C::ONE_BODY {
        // Few boxes overlap but those of triangles that share a vertex: all are compared, so that there is one question.
        let kin = couple.kin(nodes);
        for lane in 0..WIDTH {
            candidates[lane] = leaf_b.boxes.overlapping::<E>(&leaf_a.boxes.get(lane)) & !kin[lane];
        }
        if candidates == [0; WIDTH] {
            return Search::GoOn;
        }
        leaf_a.present
    } else {
        other.bound.overlapped_by::<E>(leaf_a)
    };
    let planes = Planes::<E>::new(leaf_a, leaf_b);
    for lane_a in lanes(lanes_a) {
        let mut near = match C::ONE_BODY {
            true => couple.wanted(nodes, lane_a, candidates[lane_a] & mask_b),
            false => leaf_b.boxes.overlapping::<E>(&leaf_a.boxes.get(lane_a)) & mask_b,
        };
        if near == 0 {
            continue;
        }
        let triangle_a = leaf_a.triangle(lane_a);
        let heights = planes.heights(&triangle_a, leaf_a.normal(lane_a), leaf_b);
        near &= !planes.separated(&heights);
        if near == 0 {
            continue;
        }
        let sides = planes.sides(&heights);
        for lane_b in lanes(near) {
            stats.triangle_tests += 1;
            let touching = match sides.above(lane_b) {
                Some([above_a, above_b]) => {
                    let triangle_b = leaf_b.triangle(lane_b);
                    crossing_triangles_touch(&triangle_a, &triangle_b, above_b, above_a, planes.extents)
                }
                None => touch(leaf_a, lane_a, leaf_b, lane_b),
            };
            if touching {
                let pair = [tree_a.triangles[first_a + lane_a], tree_b.triangles[first_b + lane_b]];
                if found(pair) == Search::Stop {
                    return Search::Stop;
                }
            }
        }
    }
    Search::GoOn
}

/// Bits of the lanes after one.
#[inline(always)]
fn after(lane: usize) -> u8 {
    (0xfe_u32 << lane) as u8
}

/// Not inlined: the exact test is long, and gains nothing from wide registers.
#[inline(never)]
fn touch(leaf_a: &PosedLeaf, lane_a: usize, leaf_b: &PosedLeaf, lane_b: usize) -> bool {
    triangles_touch(&leaf_a.triangle(lane_a), &leaf_b.triangle(lane_b))
}
