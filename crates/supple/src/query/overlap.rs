//! Which triangles of a body a solid shape overlaps: a sphere, a capsule, a box, the hull of points.
//!
//! Must hold: the triangles found are those that brute force finds with the same test.

use super::descent::{Visitor, descend};
use super::walk::Search;
use crate::answer::{Answer, QueryStats};
use crate::math::Aabb;
use crate::narrow::Probe;
use crate::refit::{Body, EightBoxes, EightVolumes, PosedLeaf};
use crate::simd::{Eight, lanes};
use crate::tree::WIDTH;

/// All triangles of a body that a solid shape overlaps, ascending. Triangles inside it count; a shape inside the body that
/// touches none of its triangles overlaps nothing, see [`locate_point`](crate::locate_point). Right up to rounding in f64: exact
/// predicates are for triangles and rays.
///
/// Costs what lies in and around the probe. To know only whether there is anything, [`overlap_any`].
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Probe, Shape, Skinning};
/// # let shape = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// let mut man = Body::new(&shape, Skinning::Linear)?;
/// let at_the_head = Probe::sphere(Vec3::new(0.0, 1.7, 0.0), 0.2)?;
/// assert!(!supple::overlap(&mut man, &at_the_head).found.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap(body: &mut Body, probe: &Probe) -> Answer<Vec<u32>> {
    let mut found = Vec::new();
    let stats = ask(body, probe, |triangle| {
        found.push(triangle);
        Search::GoOn
    });
    found.sort_unstable();
    Answer { found, stats }
}

/// Some triangle of a body that a solid shape overlaps, or none if there is none. The same one for the same input.
///
/// Costs less than [`overlap`]: stops at the first.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Probe, Shape, Skinning};
/// # let shape = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// # let mut man = Body::new(&shape, Skinning::Linear)?;
/// let trigger = Probe::capsule([Vec3::new(-1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)], 0.1)?;
/// assert!(supple::overlap_any(&mut man, &trigger).found.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn overlap_any(body: &mut Body, probe: &Probe) -> Answer<Option<u32>> {
    let mut found = None;
    let stats = ask(body, probe, |triangle| {
        found = Some(triangle);
        Search::Stop
    });
    Answer { found, stats }
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

impl<F: FnMut(u32) -> Search> Visitor for Overlap<'_, F> {
    #[inline(always)]
    fn visits<E: Eight>(&self, boxes: &EightBoxes, _: &mut [f32; WIDTH]) -> u8 {
        boxes.overlapping::<E>(&self.bounds)
    }

    #[inline(always)]
    fn wants(&self, _: f32) -> bool {
        true
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search {
        for lane in lanes(leaf.boxes.overlapping::<E>(&self.bounds) & leaf.present) {
            stats.triangle_tests += 1;
            if self.probe.overlaps(&leaf.triangle(lane)) && (self.found)(triangles[lane]) == Search::Stop {
                return Search::Stop;
            }
        }
        Search::GoOn
    }
}
