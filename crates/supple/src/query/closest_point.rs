//! The point of a body that is closest to a point in the world.
//!
//! Must hold: point and triangle are those that brute force finds, bit by bit.

use glam::{DVec3, Vec3};

use super::QueryStats;
use super::descent::{Question, descend};
use super::distance::squared;
use super::walk::Search;
use crate::math::Aabb;
use crate::narrow::{PointOnTriangle, closest_point_of_triangle};
use crate::refit::{Body, EightBoxes, EightVolumes, PosedLeaf};
use crate::simd::{Eight, places};
use crate::tree::WIDTH;

/// The point of a body closest to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoint {
    /// The point, in the world.
    pub point: DVec3,
    /// The triangle it lies on; the first of equally close ones.
    pub triangle: u32,
    /// Weights of the triangle's corners: none negative, their sum 1 up to rounding.
    pub barycentrics: [f64; 3],
    /// How far it is away.
    pub distance: f64,
}

impl ClosestPoint {
    fn new(triangle: u32, found: &PointOnTriangle) -> Self {
        let PointOnTriangle { point, barycentrics, distance_sq } = *found;
        Self { point, triangle, barycentrics, distance: distance_sq.sqrt() }
    }
}

/// Finds the point of a body that is closest to `point` in the world, if it is at most `limit` away.
///
/// None is found for a point or a limit that is not a number, a point at infinity, or a negative limit.
///
/// ```
/// # use std::sync::Arc;
/// # use glam::{DVec3, Vec3};
/// # use supple::{Body, BuildOptions, Shape, Skinning, mesh::Mesh, model::Model};
/// # let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// # let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut body = Body::new(&shape, Skinning::Linear)?;
/// let (closest, _) = supple::closest_point(&mut body, Vec3::new(0.25, 0.25, 2.0), f32::INFINITY);
/// let closest = closest.expect("a body has triangles");
/// assert_eq!((closest.point, closest.distance), (DVec3::new(0.25, 0.25, 0.0), 2.0));
/// assert_eq!(supple::closest_point(&mut body, Vec3::Z * 2.0, 1.0).0, None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn closest_point(body: &mut Body, point: Vec3, limit: f32) -> (Option<ClosestPoint>, QueryStats) {
    let mut stats = QueryStats::default();
    if !point.is_finite() {
        return (None, stats);
    }
    let around = Aabb::from_points([point]);
    let mut nearest = Nearest { point, around, limit_sq: squared(limit), best: None };
    descend(body, &mut nearest, &mut stats);
    (nearest.best.map(|(triangle, found)| ClosestPoint::new(triangle, &found)), stats)
}

/// The closest triangle so far.
struct Nearest {
    point: Vec3,
    around: Aabb,
    /// What is farther away does not count.
    limit_sq: f64,
    best: Option<(u32, PointOnTriangle)>,
}

impl Question for Nearest {
    /// "Times" are squared distances, rounded down.
    #[inline(always)]
    fn reaches<E: Eight>(&self, boxes: &EightBoxes, times: &mut [f32; WIDTH]) -> u8 {
        *times = boxes.distances_sq::<E>(&self.around);
        (0..WIDTH).map(|place| u8::from(self.wants(times[place])) << place).sum()
    }

    #[inline(always)]
    fn wants(&self, distance_sq: f32) -> bool {
        f64::from(distance_sq) <= self.limit_sq
    }

    #[inline(always)]
    fn leaf<E: Eight>(&mut self, leaf: &PosedLeaf, triangles: &[u32], stats: &mut QueryStats) -> Search {
        let distances = leaf.boxes.distances_sq::<E>(&self.around);
        for place in places(leaf.present) {
            let aabb = leaf.boxes.get(place);
            if !self.wants(distances[place]) || aabb.distance_sq(&self.around) > self.limit_sq {
                continue;
            }
            stats.triangle_tests += 1;
            let (triangle, found) = (triangles[place], measured(self.point, leaf, place));
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
fn measured(point: Vec3, leaf: &PosedLeaf, place: usize) -> PointOnTriangle {
    closest_point_of_triangle(point, &leaf.triangle(place))
}
