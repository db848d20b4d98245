//! Whether a point is inside a closed body.
//!
//! Must hold: the answer is that of brute force, and for a closed surface without self-intersections the truth.

use glam::Vec3;
use thiserror::Error;

use super::QueryStats;
use super::descent::{Question, descend};
use super::walk::Search;
use crate::math::Aabb;
use crate::narrow::PointLocation;
use crate::refit::{Body, EightBoxes, EightVolumes, PosedLeaf};
use crate::simd::{Eight, places};
use crate::tree::WIDTH;

/// Why it cannot be said whether a point is inside.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum PointError {
    /// A point that is nowhere.
    #[error("the point must be finite, it is {0}")]
    NotFinite(Vec3),
    /// A surface without an inside.
    #[error(
        "the mesh has no inside: {edges} of its edges have an odd number of triangles, also after welding seams"
    )]
    Open {
        /// So many edges.
        edges: usize,
    },
}

/// Whether a point is inside a body, by counting exactly how often a path from it to infinity crosses the surface. A point on
/// the surface is inside. Bodies may consist of several closed pieces; where they overlap, see [`PointLocation`].
///
/// The first call for a shape looks at all edges of its mesh; so does the first call after
/// [`set_vertices`](Body::set_vertices), which may tear seams apart.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Shape, Skinning};
/// let man = Arc::new(supple_zoo::make("man", 0)?);
/// let shape = Arc::new(Shape::build(Arc::clone(&man), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let (chest, _) = supple::point_inside(&mut body, Vec3::new(0.0, 1.3, 0.0))?;
/// let (above, _) = supple::point_inside(&mut body, Vec3::new(0.0, 2.3, 0.0))?;
/// assert!(chest.is_inside() && !above.is_inside());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The point is not finite, or the mesh is open.
pub fn point_inside(body: &mut Body, point: Vec3) -> Result<(PointLocation, QueryStats), PointError> {
    if !point.is_finite() {
        return Err(PointError::NotFinite(point));
    }
    match body.open_edges() {
        0 => {}
        edges => return Err(PointError::Open { edges }),
    }
    let mut stats = QueryStats::default();
    let mut path = Path { point, reach: PointLocation::path(point), location: PointLocation::default() };
    descend(body, &mut path, &mut stats);
    Ok((path.location, stats))
}

/// The path from a point to infinity.
struct Path {
    point: Vec3,
    reach: Aabb,
    location: PointLocation,
}

impl Question for Path {
    #[inline(always)]
    fn reaches<E: Eight>(&self, boxes: &EightBoxes, _: &mut [f32; WIDTH]) -> u8 {
        boxes.overlapping::<E>(&self.reach)
    }

    #[inline(always)]
    fn wants(&self, _: f32) -> bool {
        true
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, _: &[u32], stats: &mut QueryStats) -> Search {
        for place in places(leaf.boxes.overlapping::<E>(&self.reach) & leaf.present) {
            stats.triangle_tests += 1;
            self.location.add(self.point, &leaf.triangle(place));
            if self.location.on_surface {
                return Search::Stop;
            }
        }
        Search::GoOn
    }
}
