//! Whether a point is inside a closed body.
//!
//! Must hold: the answer is that of brute force, and for a closed surface without self-intersections the truth.

use glam::Vec3;
use thiserror::Error;

use super::descent::{Visitor, descend};
use super::walk::Search;
use crate::answer::{Answer, QueryStats};
use crate::math::{Aabb, Point};
use crate::narrow::PointLocation;
use crate::refit::{Body, EightBoxes, EightVolumes, PosedLeaf};
use crate::simd::{Eight, lanes};
use crate::tree::WIDTH;

/// A surface without an inside.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
#[error(
    "the mesh has no inside: {edges} of its edges have an odd number of triangles, also after welding seams"
)]
#[non_exhaustive]
pub struct OpenSurface {
    /// Edges with an odd number of triangles.
    pub edges: usize,
}

/// Where a point is relative to a body: inside, outside or on its surface, by counting exactly how often a path from it to infinity
/// crosses the surface. Bodies may consist of several closed parts; where they overlap, see [`PointLocation`].
///
/// Costs a descent along a line from the point. The first call for a shape looks at all edges of its mesh; so does the first call after
/// [`set_vertices`](Body::set_vertices), which may tear seams apart.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Point, Shape, Skinning};
/// let shape = Arc::new(Shape::build(supple_zoo::make("man", 0)?, &BuildOptions::default())?);
/// let mut man = Body::new(&shape, Skinning::Linear)?;
/// let chest = supple::locate_point(&mut man, Point::new(Vec3::new(0.0, 1.3, 0.0))?)?.found;
/// let above = supple::locate_point(&mut man, Point::new(Vec3::new(0.0, 2.3, 0.0))?)?.found;
/// assert!(chest.is_inside() && !above.is_inside());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The mesh is open.
pub fn locate_point(body: &mut Body, point: Point) -> Result<Answer<PointLocation>, OpenSurface> {
    match body.open_edges() {
        0 => {}
        edges => return Err(OpenSurface { edges }),
    }
    let (mut stats, point) = (QueryStats::default(), point.get());
    let mut path = Path { point, bounds: PointLocation::path(point), location: PointLocation::default() };
    descend(body, &mut path, &mut stats);
    Ok(Answer { found: path.location, stats })
}

/// The path from a point to infinity.
struct Path {
    point: Vec3,
    bounds: Aabb,
    location: PointLocation,
}

impl Visitor for Path {
    #[inline(always)]
    fn visits<E: Eight>(&self, boxes: &EightBoxes, _: &mut [f32; WIDTH]) -> u8 {
        boxes.overlapping::<E>(&self.bounds)
    }

    #[inline(always)]
    fn wants(&self, _: f32) -> bool {
        true
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, _: &[u32], stats: &mut QueryStats) -> Search {
        for lane in lanes(leaf.boxes.overlapping::<E>(&self.bounds) & leaf.present) {
            stats.triangle_tests += 1;
            self.location.add(self.point, &leaf.triangle(lane));
            if self.location.on_surface {
                return Search::Stop;
            }
        }
        Search::GoOn
    }
}
