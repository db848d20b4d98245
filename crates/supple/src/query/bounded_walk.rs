//! The walk over two trees that ends at a level of each.
//!
//! The first tree is walked by spheres, the second by any volume that can be tested against them. A pair of nodes whose bounds
//! overlap is replaced by one of them and the children of the other, the larger first, until both end: at a leaf, or at the
//! level at which the walk of that tree is cut off. Spheres and not boxes, although boxes are tighter: what is resolved at spheres has to
//! begin where spheres first touch, or penalty forces would jump.
//! Must hold: every pair of ends is met whose bounds overlap, and above which all bounds overlap; so no pair of touching
//! triangles is lost, as bounds contain what is below them.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 3.4 (bounded depth).

use std::marker::PhantomData;

use super::walk::{Visited, visited};
use crate::answer::QueryStats;
use crate::math::{Aabb, Sphere};
use crate::refit::{Body, ChildAt, EightSpheres, EightVolumes, Leaves, LevelledChild, Scratch, Volume};
use crate::simd::{self, Eight, Kernel, lanes};

/// A volume that spheres are tested against.
pub(super) trait AgainstSpheres: Volume {
    /// Bit `i` is set where sphere `i` overlaps the volume.
    fn met_by<E: Eight>(&self, spheres: &EightSpheres) -> u8;
    /// Bit `i` is set where volume `i` overlaps the sphere, and maybe where it is slightly apart from it.
    fn met<E: Eight>(eight: &Self::Eight, sphere: &Sphere) -> u8;
    /// The larger of two is opened first.
    fn half_width(&self) -> f32;
}

impl AgainstSpheres for Sphere {
    #[inline(always)]
    fn met_by<E: Eight>(&self, spheres: &EightSpheres) -> u8 {
        spheres.overlapping::<E>(self)
    }

    #[inline(always)]
    fn met<E: Eight>(eight: &EightSpheres, sphere: &Sphere) -> u8 {
        eight.overlapping::<E>(sphere)
    }

    #[inline(always)]
    fn half_width(&self) -> f32 {
        self.radius
    }
}

impl AgainstSpheres for Aabb {
    #[inline(always)]
    fn met_by<E: Eight>(&self, spheres: &EightSpheres) -> u8 {
        spheres.overlapping_box::<E>(self)
    }

    #[inline(always)]
    fn met<E: Eight>(eight: &Self::Eight, sphere: &Sphere) -> u8 {
        boxes_within::<E>(eight, sphere)
    }

    #[inline(always)]
    fn half_width(&self) -> f32 {
        self.half_extents().length()
    }
}

/// Boxes that a sphere overlaps, by distances that are rounded down.
#[inline(always)]
pub(super) fn boxes_within<E: Eight>(boxes: &<Aabb as Volume>::Eight, sphere: &Sphere) -> u8 {
    let distances = boxes.distances_sq::<E>(&Aabb { min: sphere.center, max: sphere.center });
    let reach_sq = f64::from(sphere.radius) * f64::from(sphere.radius);
    let mut mask = 0;
    for (lane, &distance_sq) in distances.iter().enumerate() {
        mask |= u8::from(f64::from(distance_sq) <= reach_sq) << lane;
    }
    mask
}

/// What becomes of two nodes that meet and at which the walk ends.
pub(super) trait Meeting<V: Volume> {
    /// Looks at them.
    fn meet<E: Eight>(
        &mut self,
        b: &mut Body,
        leaves_b: &mut Leaves,
        own: &Visited<Sphere>,
        other: &Visited<V>,
        stats: &mut QueryStats,
    );
}

/// Walks both trees down to their levels.
pub(super) fn walk_bounded<V: AgainstSpheres>(
    [a, b]: [&mut Body; 2],
    levels: [u32; 2],
    meeting: &mut impl Meeting<V>,
) -> QueryStats {
    let mut stats = QueryStats::default();
    let root_of_a = a.children::<Sphere>(a.above_root(), &mut stats);
    let root_of_b = b.children::<V>(b.above_root(), &mut stats);
    let (roots, volume) = ([root_of_a, root_of_b], PhantomData);
    Scratch::lend(|scratch| {
        simd::run(BoundedWalk::<V, _> { a, b, roots, levels, stats: &mut stats, scratch, meeting, volume });
    });
    stats
}

struct BoundedWalk<'a, V, M> {
    a: &'a mut Body,
    b: &'a mut Body,
    roots: [usize; 2],
    levels: [u32; 2],
    stats: &'a mut QueryStats,
    scratch: &'a mut Scratch,
    meeting: &'a mut M,
    volume: PhantomData<V>,
}

impl<V: AgainstSpheres, M: Meeting<V>> Kernel for BoundedWalk<'_, V, M> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let Self { a, b, roots, levels, stats, scratch, meeting, .. } = self;
        let Scratch { levelled_pairs: open, leaves: [_, leaves_b], .. } = scratch;
        stats.node_visits += 1;
        let root_of_b = b.bounds::<V>(roots[1]).bounds.get(0);
        if root_of_b.met_by::<E>(&a.bounds::<Sphere>(roots[0]).bounds) & 1 == 0 {
            return;
        }
        open.push(roots.map(|root| LevelledChild { child: ChildAt::new(root, 0), level: 0 }));
        while let Some([in_a, in_b]) = open.pop() {
            let (own, other): (Visited<Sphere>, Visited<V>) =
                (visited(a, in_a.child), visited(b, in_b.child));
            let ends = [own.leaf || in_a.level >= levels[0], other.leaf || in_b.level >= levels[1]];
            if ends == [true, true] {
                meeting.meet::<E>(b, leaves_b, &own, &other, stats);
            } else if ends[1] || (!ends[0] && own.bound.half_width() >= other.bound.half_width()) {
                let entry = a.children::<Sphere>(own.node, stats);
                let children = a.bounds::<Sphere>(entry);
                stats.node_visits += u64::from(children.count);
                for lane in lanes(other.bound.met_by::<E>(&children.bounds) & children.present()) {
                    let child = LevelledChild { child: ChildAt::new(entry, lane), level: in_a.level + 1 };
                    open.push([child, in_b]);
                }
            } else {
                let entry = b.children::<V>(other.node, stats);
                let children = b.bounds::<V>(entry);
                stats.node_visits += u64::from(children.count);
                for lane in lanes(V::met::<E>(&children.bounds, &own.bound) & children.present()) {
                    let child = LevelledChild { child: ChildAt::new(entry, lane), level: in_b.level + 1 };
                    open.push([in_a, child]);
                }
            }
        }
    }
}
