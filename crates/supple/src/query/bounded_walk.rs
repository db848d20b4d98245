//! The walk over two trees that ends at a level of each.
//!
//! The first tree is walked by balls, the second by any volume that can be tested against them. A pair of nodes whose bounds
//! overlap is replaced by one of them and the children of the other, the larger first, until both end: at a leaf, or at the
//! level at which the walk of that tree is cut off. Balls and not boxes, although boxes are tighter: what is resolved at balls has to
//! begin where balls first touch, or penalty forces would jump.
//! Must hold: every pair of ends is met whose bounds overlap, and above which all bounds overlap; so no pair of touching
//! triangles is lost, as bounds contain what is below them.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 3.4 (bounded depth).

use std::marker::PhantomData;

use super::walk::{Place, Visited, visited};
use crate::answer::QueryStats;
use crate::math::{Aabb, Sphere};
use crate::refit::{Body, EightBalls, EightVolumes, Volume};
use crate::simd::{self, Eight, Kernel, places};

/// A volume that balls are tested against.
pub(super) trait AgainstBalls: Volume {
    /// Bit `i` is set where ball `i` overlaps the volume.
    fn met_by<E: Eight>(&self, balls: &EightBalls) -> u8;
    /// Bit `i` is set where volume `i` overlaps the ball, and maybe where it is slightly apart from it.
    fn met<E: Eight>(eight: &Self::Eight, ball: &Sphere) -> u8;
    /// The larger of two is opened first.
    fn half_width(&self) -> f32;
}

impl AgainstBalls for Sphere {
    #[inline(always)]
    fn met_by<E: Eight>(&self, balls: &EightBalls) -> u8 {
        balls.overlapping::<E>(self)
    }

    #[inline(always)]
    fn met<E: Eight>(eight: &EightBalls, ball: &Sphere) -> u8 {
        eight.overlapping::<E>(ball)
    }

    #[inline(always)]
    fn half_width(&self) -> f32 {
        self.radius
    }
}

impl AgainstBalls for Aabb {
    #[inline(always)]
    fn met_by<E: Eight>(&self, balls: &EightBalls) -> u8 {
        balls.reaching::<E>(self)
    }

    #[inline(always)]
    fn met<E: Eight>(eight: &Self::Eight, ball: &Sphere) -> u8 {
        boxes_within::<E>(eight, ball)
    }

    #[inline(always)]
    fn half_width(&self) -> f32 {
        self.half_extents().length()
    }
}

/// Boxes that a ball reaches, by distances that are rounded down.
#[inline(always)]
pub(super) fn boxes_within<E: Eight>(boxes: &<Aabb as Volume>::Eight, ball: &Sphere) -> u8 {
    let distances = boxes.distances_sq::<E>(&Aabb { min: ball.center, max: ball.center });
    let reach_sq = f64::from(ball.radius) * f64::from(ball.radius);
    let mut mask = 0;
    for (place, &distance_sq) in distances.iter().enumerate() {
        mask |= u8::from(f64::from(distance_sq) <= reach_sq) << place;
    }
    mask
}

/// What becomes of two nodes that meet and at which the walk ends.
pub(super) trait Meeting<V: Volume> {
    /// Looks at them.
    fn meet<E: Eight>(
        &mut self,
        b: &mut Body,
        own: &Visited<Sphere>,
        other: &Visited<V>,
        stats: &mut QueryStats,
    );
}

/// Walks both trees down to their levels.
pub(super) fn walk_bounded<V: AgainstBalls>(
    [a, b]: [&mut Body; 2],
    levels: [u32; 2],
    meeting: &mut impl Meeting<V>,
) -> QueryStats {
    let mut stats = QueryStats::default();
    let root_of_a = a.children::<Sphere>(a.above_root(), &mut stats);
    let root_of_b = b.children::<V>(b.above_root(), &mut stats);
    let mut open = a.take_open_pairs();
    simd::run(BoundedWalk::<V, _> {
        a,
        b,
        roots: [root_of_a, root_of_b],
        levels,
        stats: &mut stats,
        open: &mut open,
        meeting,
        volume: PhantomData,
    });
    a.keep_open_pairs(open);
    stats
}

struct BoundedWalk<'a, V, M> {
    a: &'a mut Body,
    b: &'a mut Body,
    roots: [usize; 2],
    levels: [u32; 2],
    stats: &'a mut QueryStats,
    /// Two entries per pair of nodes: their levels, and on top of those their places.
    open: &'a mut Vec<(u32, u32)>,
    meeting: &'a mut M,
    volume: PhantomData<V>,
}

impl<V: AgainstBalls, M: Meeting<V>> Kernel for BoundedWalk<'_, V, M> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Self { a, b, roots, levels, stats, open, meeting, .. } = self;
        stats.node_visits += 1;
        let root_of_b = b.bounds::<V>(roots[1]).bounds.get(0);
        if root_of_b.met_by::<E>(&a.bounds::<Sphere>(roots[0]).bounds) & 1 == 0 {
            return;
        }
        open.extend([(0, 0), (Place::new(roots[0], 0).0, Place::new(roots[1], 0).0)]);
        while let (Some((in_a, in_b)), Some((level_a, level_b))) = (open.pop(), open.pop()) {
            let (own, other): (Visited<Sphere>, Visited<V>) =
                (visited(a, Place(in_a)), visited(b, Place(in_b)));
            let ends = [own.leaf || level_a >= levels[0], other.leaf || level_b >= levels[1]];
            if ends == [true, true] {
                meeting.meet::<E>(b, &own, &other, stats);
            } else if ends[1] || (!ends[0] && own.bound.half_width() >= other.bound.half_width()) {
                let slot = a.children::<Sphere>(own.node, stats);
                let children = a.bounds::<Sphere>(slot);
                stats.node_visits += u64::from(children.count);
                for place in places(other.bound.met_by::<E>(&children.bounds) & children.present()) {
                    open.extend([(level_a + 1, level_b), (Place::new(slot, place).0, in_b)]);
                }
            } else {
                let slot = b.children::<V>(other.node, stats);
                let children = b.bounds::<V>(slot);
                stats.node_visits += u64::from(children.count);
                for place in places(V::met::<E>(&children.bounds, &own.bound) & children.present()) {
                    open.extend([(level_a, level_b + 1), (in_a, Place::new(slot, place).0)]);
                }
            }
        }
    }
}
