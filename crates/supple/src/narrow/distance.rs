//! Closest points of points, segments and triangles.
//!
//! Comes in: finite f32 corners. Goes out: the closest points and their squared distance in f64. A result is the distance
//! of two points that lie on both things up to the rounding of f64, so it is right to about 1e-15 of their size.
//! Must hold: triangles have the distance 0 exactly when [`triangles_touch`] says so; the squared distance of two things is
//! never below that of their boxes as [`Aabb::distance_sq`] computes it, so that a search that skips what is too far by its
//! boxes loses nothing, not even to rounding.
//!
//! Which features are closest is never decided by case analysis of regions alone: all features are tried and the smallest
//! distance wins, so slivers, segments and points need no case of their own. Differences of f32 coordinates of similar
//! size are exact in f64 and so are their products; parallel segments are found by a cross product, which keeps digits
//! that the usual `a c - b^2` loses.
//!
//! Based on: C. Ericson, Real-Time Collision Detection, 2005, sections 5.1.5 to 5.1.10.

use glam::{DVec3, Vec3};

use super::{Triangle, contact, triangles_touch};
use crate::math::Aabb;

/// The closest points of two things.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClosestPoints {
    /// On the first and on the second.
    pub points: [DVec3; 2],
    /// The square of their distance.
    pub distance_sq: f64,
}

/// The point of a triangle that is closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointOnTriangle {
    /// The point.
    pub point: DVec3,
    /// Weights of the corners: none negative, their sum 1 up to rounding.
    pub barycentrics: [f64; 3],
    /// The square of the distance.
    pub distance_sq: f64,
}

impl ClosestPoints {
    /// The distance.
    pub fn distance(&self) -> f64 {
        self.distance_sq.sqrt()
    }

    fn between(a: DVec3, b: DVec3) -> Self {
        Self { points: [a, b], distance_sq: a.distance_squared(b) }
    }

    /// The first of equals.
    fn closer(self, other: Self) -> Self {
        if other.distance_sq < self.distance_sq { other } else { self }
    }

    fn swapped(self) -> Self {
        Self { points: [self.points[1], self.points[0]], ..self }
    }

    /// Rounding may have brought the points closer than boxes around the two things are.
    fn at_least(self, distance_sq: f64) -> Self {
        Self { distance_sq: self.distance_sq.max(distance_sq), ..self }
    }
}

/// The point of a triangle closest to `point`.
///
/// ```
/// use glam::{DVec3, Vec3};
/// let triangle = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
/// let closest = supple::narrow::closest_point_of_triangle(Vec3::new(1.0, 2.0, 3.0), &triangle);
/// assert_eq!((closest.point, closest.distance_sq), (DVec3::new(1.0, 2.0, 0.0), 9.0));
/// assert_eq!(closest.barycentrics, [0.25, 0.25, 0.5]);
/// ```
pub fn closest_point_of_triangle(point: Vec3, triangle: &Triangle) -> PointOnTriangle {
    let (p, corners) = (point.as_dvec3(), triangle.map(Vec3::as_dvec3));
    let mut best = [0, 1, 2].map(|i| on_edge(p, &corners, i)).into_iter().fold(None, nearer);
    if let Some(weights) = Face::of(&corners).and_then(|face| face.weights(p)) {
        best = nearer(best, weighted(p, &corners, weights));
    }
    let best = best.expect("a triangle has edges");
    let apart = Aabb::from_points([point]).distance_sq(&Aabb::from_points(*triangle));
    PointOnTriangle { distance_sq: best.distance_sq.max(apart), ..best }
}

/// The closest points of two segments, either of which may be a point.
pub fn closest_points_of_segments(a: [Vec3; 2], b: [Vec3; 2]) -> ClosestPoints {
    let apart = Aabb::from_points(a).distance_sq(&Aabb::from_points(b));
    segments(a.map(Vec3::as_dvec3), b.map(Vec3::as_dvec3)).at_least(apart)
}

/// The closest points of a segment and a triangle; 0 apart exactly when they share a point.
pub fn closest_points_of_segment_and_triangle(segment: [Vec3; 2], triangle: &Triangle) -> ClosestPoints {
    closest_points_of_triangles(&[segment[0], segment[1], segment[1]], triangle)
}

/// The closest points of two triangles; 0 apart exactly when [`triangles_touch`], both points then are one of the contact.
///
/// ```
/// use glam::{DVec3, Vec3};
/// let a = [Vec3::ZERO, Vec3::X * 4.0, Vec3::Y * 4.0];
/// let b = [Vec3::new(1.0, 1.0, 2.0), Vec3::new(1.0, 1.0, 3.0), Vec3::new(9.0, 1.0, 9.0)];
/// let closest = supple::narrow::closest_points_of_triangles(&a, &b);
/// assert_eq!(closest.points, [DVec3::new(1.0, 1.0, 0.0), DVec3::new(1.0, 1.0, 2.0)]);
/// assert_eq!(closest.distance(), 2.0);
/// ```
pub fn closest_points_of_triangles(a: &Triangle, b: &Triangle) -> ClosestPoints {
    let apart = Aabb::from_points(*a).distance_sq(&Aabb::from_points(*b));
    if apart == 0.0 && triangles_touch(a, b) {
        let common = contact(a, b).map_or(a[0], |contact| contact.points[0]).as_dvec3();
        return ClosestPoints { points: [common; 2], distance_sq: 0.0 };
    }
    // Apart: one of the closest points is a corner, or both lie on edges. Positive even where f64 cannot tell them apart.
    by_features(a, b).at_least(apart.max(f64::MIN_POSITIVE))
}

fn by_features(a: &Triangle, b: &Triangle) -> ClosestPoints {
    let (a, b) = (a.map(Vec3::as_dvec3), b.map(Vec3::as_dvec3));
    let mut best = ClosestPoints::between(a[0], b[0]);
    for i in 0..3 {
        for j in 0..3 {
            best = best.closer(segments([a[i], a[(i + 1) % 3]], [b[j], b[(j + 1) % 3]]));
        }
    }
    best = best.closer(corners_above(&a, &b, best));
    best.closer(corners_above(&b, &a, best.swapped()).swapped())
}

/// Corners of `a` that are closest to the inside of `b`; `best` where there is none closer.
fn corners_above(a: &[DVec3; 3], b: &[DVec3; 3], best: ClosestPoints) -> ClosestPoints {
    let Some(face) = Face::of(b) else { return best };
    let mut closest = best;
    for &corner in a {
        if let Some(weights) = face.weights(corner) {
            let below = b[0] * weights[0] + b[1] * weights[1] + b[2] * weights[2];
            closest = closest.closer(ClosestPoints::between(corner, below));
        }
    }
    closest
}

/// `p + s u` and `q + t v` with `s` and `t` from 0 to 1. On whole lines, with `n = u x v` and `r = q - p`,
///
/// ```text
/// s = (r x v) . n / |n|^2
/// ```
///
/// The closest `s` of the segments is that one clamped, then the closest of the point that it leads to: the distance is
/// convex. Parallel lines may start anywhere.
#[inline(always)]
fn segments([p, p_end]: [DVec3; 2], [q, q_end]: [DVec3; 2]) -> ClosestPoints {
    let (u, v, r) = (p_end - p, q_end - q, q - p);
    let n = u.cross(v);
    let n_sq = n.length_squared();
    let s = if n_sq > 0.0 { (r.cross(v).dot(n) / n_sq).clamp(0.0, 1.0) } else { 0.0 };
    let t = along(u * s - r, v);
    let s = along(r + v * t, u);
    ClosestPoints::between(at([p, p_end], s), at([q, q_end], t))
}

/// How far along `direction` a point is, from 0 to 1; 0 where there is no direction.
#[inline(always)]
fn along(point: DVec3, direction: DVec3) -> f64 {
    let length_sq = direction.length_squared();
    if length_sq > 0.0 { (point.dot(direction) / length_sq).clamp(0.0, 1.0) } else { 0.0 }
}

/// Exactly the ends for 0 and 1.
#[inline(always)]
fn at([from, to]: [DVec3; 2], s: f64) -> DVec3 {
    from * (1.0 - s) + to * s
}

/// The inside of a triangle that has one.
struct Face<'a> {
    corners: &'a [DVec3; 3],
    normal: DVec3,
    normal_sq: f64,
}

impl<'a> Face<'a> {
    fn of(corners: &'a [DVec3; 3]) -> Option<Self> {
        let [a, b, c] = *corners;
        let normal = (b - a).cross(c - a);
        let normal_sq = normal.length_squared();
        (normal_sq > 0.0).then_some(Self { corners, normal, normal_sq })
    }

    /// Barycentric coordinates of the foot of `p`, if it is inside: areas that it forms with the edges, seen along the
    /// normal.
    #[inline(always)]
    fn weights(&self, p: DVec3) -> Option<[f64; 3]> {
        let [a, b, c] = self.corners.map(|corner| corner - p);
        let area = |from: DVec3, to: DVec3| from.cross(to).dot(self.normal) / self.normal_sq;
        let weights = [area(b, c), area(c, a), area(a, b)];
        let sum = weights[0] + weights[1] + weights[2];
        // The sum is 1 but for rounding; where it is not, the triangle is so thin that its edges are all that counts.
        let inside = weights.iter().all(|&w| w >= 0.0) && (0.5..2.0).contains(&sum);
        inside.then(|| weights.map(|w| w / sum))
    }
}

fn nearer(best: Option<PointOnTriangle>, other: PointOnTriangle) -> Option<PointOnTriangle> {
    match best {
        Some(best) if best.distance_sq <= other.distance_sq => Some(best),
        _ => Some(other),
    }
}

fn on_edge(p: DVec3, corners: &[DVec3; 3], i: usize) -> PointOnTriangle {
    let j = (i + 1) % 3;
    let s = along(p - corners[i], corners[j] - corners[i]);
    let mut weights = [0.0; 3];
    (weights[i], weights[j]) = (1.0 - s, s);
    weighted(p, corners, weights)
}

fn weighted(p: DVec3, corners: &[DVec3; 3], barycentrics: [f64; 3]) -> PointOnTriangle {
    let [u, v, w] = barycentrics;
    let point = corners[0] * u + corners[1] * v + corners[2] * w;
    PointOnTriangle { point, barycentrics, distance_sq: point.distance_squared(p) }
}
