//! How far apart: closest triangles, pairs within a distance, closest points.

use super::PosedMesh;
use crate::answer::Pair;
use crate::math::{Distance, Point};
use crate::narrow::{
    ClosestPoints, NearPair, PointOnTriangle, SurfacePoint, closest_point_of_triangle,
    closest_points_of_triangles,
};

/// The closest triangles of two posed meshes, if they are at most `max` apart; of pairs at the same distance the first.
///
/// Pairs whose boxes are farther apart than the closest so far are skipped; the distance of triangles is never below that
/// of their boxes, so this loses nothing.
pub fn closest_points(a: PosedMesh, b: PosedMesh, max: Distance) -> Option<NearPair> {
    let (triangles_a, triangles_b) = (a.triangles(), b.triangles());
    let mut best: Option<(Pair, ClosestPoints)> = None;
    for (i, (box_a, triangle_a)) in (0u32..).zip(&triangles_a) {
        for (j, (box_b, triangle_b)) in (0u32..).zip(&triangles_b) {
            let limit = best.map_or(f64::INFINITY, |(_, closest)| closest.distance_sq);
            if box_a.distance_sq(box_b) < limit {
                let closest = closest_points_of_triangles(triangle_a, triangle_b);
                if closest.distance_sq < limit {
                    best = Some(([i, j], closest));
                }
            }
        }
    }
    best.filter(|(_, closest)| closest.distance_sq <= max.squared())
        .map(|(pair, closest)| NearPair::new(pair, &closest))
}

/// All pairs of triangles of two posed meshes that are at most `max` apart, ascending; skips like [`closest_points`].
pub fn pairs_within(a: PosedMesh, b: PosedMesh, max: Distance) -> Vec<NearPair> {
    let (triangles_a, triangles_b) = (a.triangles(), b.triangles());
    let mut pairs = Vec::new();
    let limit = max.squared();
    for (i, (box_a, triangle_a)) in (0u32..).zip(&triangles_a) {
        for (j, (box_b, triangle_b)) in (0u32..).zip(&triangles_b) {
            if box_a.distance_sq(box_b) <= limit {
                let closest = closest_points_of_triangles(triangle_a, triangle_b);
                if closest.distance_sq <= limit {
                    pairs.push(NearPair::new([i, j], &closest));
                }
            }
        }
    }
    pairs
}

/// The point of a posed mesh closest to another, if it is at most `max` away; of equally close triangles the first.
pub fn closest_point(body: PosedMesh, point: Point, max: Distance) -> Option<SurfacePoint> {
    let mut best: Option<(u32, PointOnTriangle)> = None;
    for (i, (_, triangle)) in (0u32..).zip(&body.triangles()) {
        let found = closest_point_of_triangle(point.get(), triangle);
        if best.is_none_or(|(_, best)| found.distance_sq < best.distance_sq) {
            best = Some((i, found));
        }
    }
    best.filter(|(_, found)| found.distance_sq <= max.squared())
        .map(|(triangle, found)| SurfacePoint::new(triangle, &found))
}
