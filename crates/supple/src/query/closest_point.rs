//! The point of a body that is closest to a point in the world.
//!
//! Must hold: point and triangle are those that brute force finds, bit by bit.

use glam::Vec3;

use super::descent::{Visitor, descend};
use super::walk::Search;
use crate::answer::{Answer, QueryStats};
use crate::math::{Aabb, Distance, Point};
use crate::narrow::{PointOnTriangle, SurfacePoint, closest_point_of_triangle};
use crate::refit::{Body, EightBoxes, EightVolumes, PosedLeaf};
use crate::simd::{Eight, lanes};
use crate::tree::WIDTH;

/// The point of a body's surface that is closest to a point in the world, if it is at most `max` away. Computed and compared in f64,
/// rounded once.
///
/// Costs a descent to the nearest triangles, less the smaller `max` is. Whether the point is inside the body is another visitor:
/// [`locate_point`](crate::locate_point).
///
/// ```
/// # use std::sync::Arc;
/// # use glam::Vec3;
/// # use supple::{Body, BuildOptions, Distance, Mesh, Model, Point, Shape, Skinning};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let above = Point::new(Vec3::new(0.25, 0.25, 2.0))?;
/// let closest = supple::closest_point(&mut body, above, Distance::UNLIMITED).found.expect("a body has triangles");
/// assert_eq!((closest.point, closest.distance), (Vec3::new(0.25, 0.25, 0.0), 2.0));
/// assert_eq!(supple::closest_point(&mut body, above, Distance::new(1.0)?).found, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_point(body: &mut Body, point: Point, max: Distance) -> Answer<Option<SurfacePoint>> {
    let (mut stats, point) = (QueryStats::default(), point.get());
    let around = Aabb::from_points([point]);
    let mut nearest = Nearest { point, around, limit_sq: max.squared(), best: None };
    descend(body, &mut nearest, &mut stats);
    Answer { found: nearest.best.map(|(triangle, found)| SurfacePoint::new(triangle, &found)), stats }
}

/// The closest triangle so far.
struct Nearest {
    point: Vec3,
    around: Aabb,
    /// What is farther away does not count.
    limit_sq: f64,
    best: Option<(u32, PointOnTriangle)>,
}

impl Visitor for Nearest {
    /// "Times" are squared distances, rounded down.
    #[inline(always)]
    fn visits<E: Eight>(&self, boxes: &EightBoxes, times: &mut [f32; WIDTH]) -> u8 {
        *times = boxes.distances_sq::<E>(&self.around);
        (0..WIDTH).map(|lane| u8::from(self.wants(times[lane])) << lane).sum()
    }

    #[inline(always)]
    fn wants(&self, distance_sq: f32) -> bool {
        f64::from(distance_sq) <= self.limit_sq
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search {
        let distances = leaf.boxes.distances_sq::<E>(&self.around);
        for lane in lanes(leaf.present) {
            let aabb = leaf.boxes.get(lane);
            if !self.wants(distances[lane]) || aabb.distance_sq(&self.around) > self.limit_sq {
                continue;
            }
            stats.triangle_tests += 1;
            let (triangle, found) = (triangles[lane], measured(self.point, leaf, lane));
            let first = self.best.is_none_or(|(other, _)| triangle < other);
            if found.distance_sq < self.limit_sq || (found.distance_sq == self.limit_sq && first) {
                self.limit_sq = found.distance_sq;
                self.best = Some((triangle, found));
            }
        }
        Search::GoOn
    }
}

/// Not inlined: long, and in f64.
#[inline(never)]
fn measured(point: Vec3, leaf: &PosedLeaf, lane: usize) -> PointOnTriangle {
    closest_point_of_triangle(point, &leaf.triangle(lane))
}
