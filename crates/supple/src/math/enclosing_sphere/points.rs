//! The smallest enclosing sphere of points, exact up to rounding.
//!
//! In: points. Out: the one smallest sphere that contains them, by [`Sphere::contains`].
//!
//! Based on: Welzl, Smallest Enclosing Disks, 1991 (at most 4 boundary points give the sphere);
//! Gärtner, Fast and Robust Smallest Enclosing Balls, 1999 (the farthest point enters next).

use glam::{DVec3, Vec3};

use crate::math::outward::radius_of_sq;
use crate::math::sphere::Sphere;
use crate::simd::{self, Eight, Kernel};

/// Smallest sphere around the points; radius 0 at the origin if there are none.
///
/// The centre is that of the smallest sphere, rounded to `f32`; the radius is the largest distance from there,
/// rounded up. Coordinates must be finite. Points may coincide, be collinear, coplanar or cospherical.
pub fn smallest_enclosing_sphere(points: &[Vec3]) -> Sphere {
    let Some(first) = points.first() else {
        return Sphere::new(Vec3::ZERO, 0.0);
    };
    let origin = first.as_dvec3();
    let blocks = blocks(points, origin);
    let sphere = smallest_sphere(DVec3::ZERO, |center| simd::run(Farthest { center, blocks: &blocks }));
    rounded((origin + sphere.center).as_vec3(), points.iter().copied())
}

/// The same for few points, without memory of its own.
pub(crate) fn smallest_enclosing_sphere_of_few(points: impl Iterator<Item = Vec3> + Clone) -> Sphere {
    let origin = points.clone().next().unwrap_or_default().as_dvec3();
    let relative = points.clone().map(|point| point.as_dvec3() - origin);
    let sphere = smallest_sphere(DVec3::ZERO, |center| farthest_from(center, relative.clone()));
    rounded((origin + sphere.center).as_vec3(), points)
}

/// The sphere about a center that contains the points.
fn rounded(center: Vec3, points: impl Iterator<Item = Vec3>) -> Sphere {
    let exact = center.as_dvec3();
    Sphere::new(
        center,
        radius_of_sq(points.map(|p| p.as_dvec3().distance_squared(exact)).fold(0.0, f64::max)),
    )
}

/// A sphere in `f64`; the square of the radius is what is compared.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExactSphere {
    pub center: DVec3,
    pub radius_sq: f64,
}

/// Smallest enclosing sphere by pivoting: hold the sphere of a support of at most 4 points, let the farthest
/// point of all enter, and keep as new support those of the at most 5 that matter. The radius grows with
/// every step, which ends it.
///
/// Points are relative to one of them, so that a small set far from the origin keeps its digits. Starts at one of the points; `farthest_from` finds the point that is farthest from a center, as the function of that name.
pub(super) fn smallest_sphere(start: DVec3, farthest_from: impl Fn(DVec3) -> (f64, DVec3)) -> ExactSphere {
    let mut support = Support::of(start);
    let mut sphere = ExactSphere { center: start, radius_sq: 0.0 };
    loop {
        let (distance_sq, farthest) = farthest_from(sphere.center);
        if distance_sq <= sphere.radius_sq * (1.0 + PIVOT_PRECISION) {
            return sphere;
        }
        let (next, next_support) = sphere_with(&support, farthest);
        // Only rounding stops the growth: the sphere is as good as f64 makes it. (Not `<=`: NaN ends it too.)
        let grows = next.radius_sq > sphere.radius_sq;
        if !grows {
            return sphere;
        }
        (sphere, support) = (next, next_support);
    }
}

/// A point that sticks out by less than this (of the squared radius) enters no more. The result is rounded to
/// `f32`, where a step is 1e-7, so this costs nothing; without it cospherical points trade places over the
/// last bits.
const PIVOT_PRECISION: f64 = 1e-12;

/// The largest squared distance from a center, and the first point that has it.
pub(super) fn farthest_from(center: DVec3, points: impl Iterator<Item = DVec3>) -> (f64, DVec3) {
    points.fold((0.0, center), |best, point| {
        let distance_sq = point.distance_squared(center);
        if distance_sq > best.0 { (distance_sq, point) } else { best }
    })
}

/// Four points, axis by axis.
type Four = [[f64; 4]; 3];

/// Points relative to an origin, four to a block; the last ones are repeated.
fn blocks(points: &[Vec3], origin: DVec3) -> Vec<Four> {
    let block = |points: &[Vec3]| {
        let mut block = [[0.0; 4]; 3];
        for lane in 0..4 {
            let point = points[lane.min(points.len() - 1)].as_dvec3() - origin;
            for axis in 0..3 {
                block[axis][lane] = point[axis];
            }
        }
        block
    };
    points.chunks(4).map(block).collect()
}

/// As [`farthest_from`], of points in blocks.
struct Farthest<'a> {
    center: DVec3,
    blocks: &'a [Four],
}

impl Kernel for Farthest<'_> {
    type Output = (f64, DVec3);

    /// Plain numbers, which the compiler puts side by side as wide as the processor's registers are.
    #[inline(always)]
    fn run<E: Eight>(self) -> (f64, DVec3) {
        let [cx, cy, cz] = self.center.to_array();
        let mut best = (0.0, self.center);
        for [x, y, z] in self.blocks {
            let mut squares = [0.0; 4];
            for i in 0..4 {
                let (dx, dy, dz) = (x[i] - cx, y[i] - cy, z[i] - cz);
                squares[i] = dx * dx + dy * dy + dz * dz;
            }
            let [a, b, c, d] = squares;
            // Rarely one of them.
            if (a > best.0) | (b > best.0) | (c > best.0) | (d > best.0) {
                for i in 0..4 {
                    if squares[i] > best.0 {
                        best = (squares[i], DVec3::new(x[i], y[i], z[i]));
                    }
                }
            }
        }
        best
    }
}

/// Up to 4 points on the boundary of a sphere.
#[derive(Clone, Copy)]
struct Support {
    points: [DVec3; 4],
    len: usize,
}

impl Support {
    fn of(point: DVec3) -> Self {
        Self { points: [point; 4], len: 1 }
    }

    fn push(&mut self, point: DVec3) {
        self.points[self.len] = point;
        self.len += 1;
    }

    fn as_slice(&self) -> &[DVec3] {
        &self.points[..self.len]
    }
}

/// Smallest sphere around `support` and `entering`, which is on its boundary, and the points that span it.
///
/// Every subset of the support with at most 3 points spans, with `entering`, a circumscribed sphere; the centre
/// of one of them is the answer. The answer minimises the largest distance to the at most 5 points, so the
/// candidates are compared by that: no tolerance decides, and what rounding does to a nearly flat candidate
/// only makes it lose.
fn sphere_with(support: &Support, entering: DVec3) -> (ExactSphere, Support) {
    let mut best = (ExactSphere { center: entering, radius_sq: f64::INFINITY }, Support::of(entering));
    for subset in SUBSETS.into_iter().filter(|&subset| subset < 1 << support.len) {
        let mut chosen = Support::of(entering);
        for (i, &point) in support.as_slice().iter().enumerate() {
            if subset >> i & 1 == 1 {
                chosen.push(point);
            }
        }
        let center = circumcenter(&chosen);
        let (radius_sq, _) = farthest_from(center, support.as_slice().iter().copied().chain([entering]));
        // Degenerate subsets have no finite centre.
        if center.is_finite() && radius_sq < best.0.radius_sq {
            best = (ExactSphere { center, radius_sq }, chosen);
        }
    }
    best
}

/// The subsets of 4 points with 1 to 3 elements as bit masks, small ones first: of equal spheres the first
/// wins.
const SUBSETS: [u32; 14] = [1, 2, 4, 8, 3, 5, 6, 9, 10, 12, 7, 11, 13, 14];

/// Centre of the smallest sphere with the points on its boundary; not finite if they are degenerate.
///
/// Relative to the first point, with differences `a, b, c`: `a/2`; `(|a|^2 b - |b|^2 a) x (a x b) / (2 |a x
/// b|^2)`; `(|a|^2 b x c + |b|^2 c x a + |c|^2 a x b) / (2 <a, b x c>)`.
fn circumcenter(support: &Support) -> DVec3 {
    let [p, q, r, s] = support.points;
    let (a, b, c) = (q - p, r - p, s - p);
    let (aa, bb, cc) = (a.length_squared(), b.length_squared(), c.length_squared());
    match support.len {
        1 => p,
        2 => p + a * 0.5,
        3 => {
            let normal = a.cross(b);
            p + (b * aa - a * bb).cross(normal) / (2.0 * normal.length_squared())
        }
        _ => p + (b.cross(c) * aa + c.cross(a) * bb + a.cross(b) * cc) / (2.0 * a.dot(b.cross(c))),
    }
}
