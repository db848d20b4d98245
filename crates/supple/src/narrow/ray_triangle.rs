//! Whether a ray goes through a triangle, exactly; and when and where.
//!
//! Comes in: a ray and a triangle, both with finite `f32` numbers. Goes out: nothing, or the crossing.
//! Must hold: the decision is the truth about those numbers. Touching an edge or a corner counts, so a closed mesh does not
//! leak: the sign of a shared edge is the same number for both of its triangles. A ray in the plane of a triangle does not
//! go through it, it only meets its neighbours; nothing goes through a triangle that is flat to a segment or a point.
//!
//! With corners `a, b, c` relative to the origin of the ray, direction `d` and normal `n = (b - a) x (c - a)`:
//!
//! ```text
//! edge(a, b) = det(d, a, b) = d . (a x (b - a))           the side of the edge on which the ray passes
//! edge(a, b) + edge(b, c) + edge(c, a) = d . n            positive where the back is seen
//! time = n . a / d . n                                    n . a = det(a, b, c)
//! ```
//!
//! The ray's line meets the triangle when the three edges do not differ in sign and not all are 0; their shares are the
//! barycentric coordinates of the corners opposite to them.
//!
//! # The filter
//! With `u = 2^-53`, `A` the largest `|a|, |b|, |c|` and `L` the largest `|b - a|, |c - b|, |a - c|`, axis by axis: the
//! absolute values of the terms of an edge add up to at most `sum |d_i| (A_j L_k + A_k L_j)`. Two differences, two products and
//! three sums round by `7 u` of that, those of `n . a` by `8 u` of `2 sum A_i L_j L_k`, those of `d . n` by `7 u` of
//! `2 sum |d_i| L_j L_k`. The bounds themselves are off by less than `8 u`: `16 u` is safe for all.
//!
//! Based on: S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, 2013; exact instead of sheared.

use glam::DVec3;

use super::Triangle;
use super::double_double::{Double, difference};
use super::expansion::exact_determinant;
use super::ray::{Crossing, Ray};

/// `16 u`.
const FILTER: f64 = 8.0 * f64::EPSILON;
/// A determinant is precise enough for `f32` results if it is this much larger than its error.
const PRECISE: f64 = (1u32 << 28) as f64;

/// Where a ray goes through a closed triangle; `None` if it does not.
///
/// Exact: touching an edge or a corner counts, no tolerance. A ray in the plane of the triangle does not go through it, and
/// nothing goes through a triangle without area.
///
/// ```
/// use glam::Vec3;
/// use supple::narrow::{Ray, ray_crosses};
///
/// let triangle = [Vec3::ZERO, Vec3::X, Vec3::Y];
/// let ray = Ray::new(Vec3::new(0.25, 0.0, 3.0), Vec3::NEG_Z)?;
/// let crossing = ray_crosses(&ray, &triangle).expect("it touches the edge");
/// assert_eq!((crossing.time, crossing.barycentrics, crossing.back), (3.0, [0.75, 0.25, 0.0], false));
/// # Ok::<(), supple::narrow::RayError>(())
/// ```
pub fn ray_crosses(ray: &Ray, triangle: &Triangle) -> Option<Crossing> {
    let (origin, d) = (ray.origin().as_dvec3(), ray.direction().as_dvec3());
    let corners = triangle.map(|corner| corner.as_dvec3());
    let [a, b, c] = corners.map(|corner| corner - origin);
    // Edge `i` is opposite to corner `i`.
    let sides = [corners[2] - corners[1], corners[0] - corners[2], corners[1] - corners[0]];
    let (farthest, length) = (largest(&[a, b, c]), largest(&sides));
    let edge_error = FILTER * sum_of_products(d.abs(), farthest, length);
    let mut edges = [d.dot(b.cross(sides[0])), d.dot(c.cross(sides[1])), d.dot(a.cross(sides[2]))];
    let least = edges[0].min(edges[1]).min(edges[2]);
    let greatest = edges[0].max(edges[1]).max(edges[2]);
    if least < -edge_error && greatest > edge_error {
        return None;
    }
    for i in 0..3 {
        if edges[i].abs() <= edge_error {
            edges[i] = exact_edge(ray, triangle, i);
        }
    }
    let (front, back) = (edges.iter().any(|&e| e < 0.0), edges.iter().any(|&e| e > 0.0));
    if front == back {
        return None;
    }
    let side = if back { 1.0 } else { -1.0 };

    let normal = sides[2].cross(-sides[1]);
    let (mut volume, mut rate) = (normal.dot(a), normal.dot(d));
    let volume_error = FILTER * sum_of_products(farthest, length, length);
    if volume * side < -volume_error {
        return None;
    }
    let rate_error = FILTER * sum_of_products(d.abs(), length, length);
    if rate.abs() <= PRECISE * rate_error.max(edge_error) || volume.abs() <= PRECISE * volume_error {
        edges = [0, 1, 2].map(|i| exact_edge(ray, triangle, i));
        rate = edges.iter().sum();
        volume = exact_volume(ray, triangle);
        if volume * side < 0.0 {
            return None;
        }
    }
    let total: f64 = edges.iter().sum();
    let barycentrics = edges.map(|edge| (edge / total) as f32);
    // Without a minus before a zero.
    Some(Crossing { time: (volume / rate).abs() as f32, barycentrics, back })
}

/// `sum |x_i| (y_j z_k + y_k z_j)`.
#[inline(always)]
fn sum_of_products(x: DVec3, y: DVec3, z: DVec3) -> f64 {
    x.x * (y.y * z.z + y.z * z.y) + x.y * (y.z * z.x + y.x * z.z) + x.z * (y.x * z.y + y.y * z.x)
}

#[inline(always)]
fn largest([p, q, r]: &[DVec3; 3]) -> DVec3 {
    p.abs().max(q.abs()).max(r.abs())
}

/// The edge opposite to a corner: its exact sign, its value up to rounding.
fn exact_edge(ray: &Ray, triangle: &Triangle, opposite: usize) -> f64 {
    let direction = ray.direction().to_array().map(|x| Double::sum(f64::from(x), 0.0));
    let [from, to] = [triangle[(opposite + 1) % 3], triangle[(opposite + 2) % 3]];
    exact_determinant(direction, difference(from, ray.origin()), difference(to, ray.origin()))
}

/// `det(a, b, c)`, likewise.
fn exact_volume(ray: &Ray, triangle: &Triangle) -> f64 {
    let [a, b, c] = triangle.map(|corner| difference(corner, ray.origin()));
    exact_determinant(a, b, c)
}
