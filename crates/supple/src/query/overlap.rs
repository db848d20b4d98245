//! Which triangles of a body a solid shape overlaps: a ball, a capsule, a box, the hull of points.
//!
//! Must hold: the triangles found are those that brute force finds with the same test.

use super::QueryStats;
use super::descent::{Question, descend};
use super::walk::Search;
use crate::math::Aabb;
use crate::narrow::Probe;
use crate::refit::{Body, EightBoxes, EightVolumes, PosedLeaf};
use crate::simd::{Eight, places};
use crate::tree::WIDTH;

/// All triangles of a body that a solid shape overlaps, ascending. Triangles inside it count; a shape inside the body that
/// touches none of its triangles overlaps nothing, see [`point_inside`](super::point_inside).
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning, narrow::Probe};
/// # let shape = Arc::new(Shape::build(Arc::new(supple_zoo::make("man", 0)?), &BuildOptions::default())?);
/// let mut man = Body::new(&shape, Skinning::Linear)?;
/// let at_the_head = Probe::ball(Vec3::new(0.0, 1.7, 0.0), 0.2)?;
/// assert!(!supple::overlap(&mut man, &at_the_head).0.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(body: &mut Body, probe: &Probe) -> (Vec<u32>, QueryStats) {
    let mut triangles = Vec::new();
    let stats = ask(body, probe, |triangle| {
        triangles.push(triangle);
        Search::GoOn
    });
    triangles.sort_unstable();
    (triangles, stats)
}

/// Whether a solid shape overlaps any triangle of a body; stops at the first.
pub fn overlaps_any(body: &mut Body, probe: &Probe) -> (bool, QueryStats) {
    let mut any = false;
    let stats = ask(body, probe, |_| {
        any = true;
        Search::Stop
    });
    (any, stats)
}

fn ask(body: &mut Body, probe: &Probe, found: impl FnMut(u32) -> Search) -> QueryStats {
    let mut stats = QueryStats::default();
    descend(body, &mut Overlap { probe, bounds: probe.bounds(), found }, &mut stats);
    stats
}

struct Overlap<'a, F> {
    probe: &'a Probe,
    bounds: Aabb,
    found: F,
}

impl<F: FnMut(u32) -> Search> Question for Overlap<'_, F> {
    #[inline(always)]
    fn reaches<E: Eight>(&self, boxes: &EightBoxes, _: &mut [f32; WIDTH]) -> u8 {
        boxes.overlapping::<E>(&self.bounds)
    }

    #[inline(always)]
    fn wants(&self, _: f32) -> bool {
        true
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search {
        for place in places(leaf.boxes.overlapping::<E>(&self.bounds) & leaf.present) {
            stats.triangle_tests += 1;
            if self.probe.overlaps(&leaf.triangle(place)) && (self.found)(triangles[place]) == Search::Stop {
                return Search::Stop;
            }
        }
        Search::GoOn
    }
}
