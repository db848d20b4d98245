//! The smallest enclosing sphere of points, exact up to rounding.
//!
//! In: points. Out: the one smallest sphere that contains them, by [`Sphere::contains`].
//!
//! Based on: Welzl, Smallest Enclosing Disks, 1991 (at most 4 boundary points give the sphere);
//! Gärtner, Fast and Robust Smallest Enclosing Balls, 1999 (the farthest point enters next).

use glam::{DVec3, Vec3};

use crate::math::outward::radius_of_sq;
use crate::math::sphere::Sphere;

/// Smallest sphere around the points; radius 0 at the origin if there are none.
///
/// The centre is that of the smallest sphere, rounded to `f32`; the radius is the largest distance from there,
/// rounded up. Coordinates must be finite. Points may coincide, be collinear, coplanar or cospherical.
pub fn smallest_enclosing_sphere(points: &[Vec3]) -> Sphere {
    let Some(first) = points.first() else {
        return Sphere::new(Vec3::ZERO, 0.0);
    };
    // Relative to one of the points, so that a small set far from the origin keeps its digits.
    let origin = first.as_dvec3();
    let sphere = smallest_sphere(points.iter().map(|p| p.as_dvec3() - origin));
    let center = (origin + sphere.center).as_vec3();
    let farthest_sq =
        points.iter().map(|p| p.as_dvec3().distance_squared(center.as_dvec3())).fold(0.0, f64::max);
    Sphere::new(center, radius_of_sq(farthest_sq))
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
pub(super) fn smallest_sphere(points: impl Iterator<Item = DVec3> + Clone) -> ExactSphere {
    let start = points.clone().next().unwrap_or(DVec3::ZERO);
    let mut support = Support::of(start);
    let mut sphere = ExactSphere { center: start, radius_sq: 0.0 };
    loop {
        let (distance_sq, farthest) = farthest_from(sphere.center, points.clone());
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

fn farthest_from(center: DVec3, points: impl Iterator<Item = DVec3>) -> (f64, DVec3) {
    points.fold((0.0, center), |best, point| {
        let distance_sq = point.distance_squared(center);
        if distance_sq > best.0 { (distance_sq, point) } else { best }
    })
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Smallest sphere by trying every set of 2 to 4 points: the oracle.
    fn brute_force_radius(points: &[Vec3]) -> f64 {
        let points: Vec<_> = points.iter().map(|p| p.as_dvec3()).collect();
        let mut best = f64::INFINITY;
        for mask in 1u32..1 << points.len() {
            if mask.count_ones() > 4 {
                continue;
            }
            let mut chosen = points.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, p)| *p);
            let mut support = Support::of(chosen.next().unwrap());
            chosen.for_each(|p| support.push(p));
            let center = circumcenter(&support);
            if center.is_finite() {
                best = best.min(farthest_from(center, points.iter().copied()).0);
            }
        }
        best.sqrt()
    }

    fn check(points: &[Vec3]) -> Sphere {
        let sphere = smallest_enclosing_sphere(points);
        assert!(sphere.center.is_finite() && sphere.radius.is_finite());
        assert!(points.iter().all(|&p| sphere.contains(p)));
        sphere
    }

    /// Optimal if the centre cannot move without losing a point: it is in the hull of the points on the
    /// boundary. Tested by directions: every half-space through the centre holds a boundary point.
    fn assert_smallest(points: &[Vec3], sphere: &Sphere) {
        let slack = 1e-4 * f64::from(sphere.radius);
        let rim: Vec<_> = points
            .iter()
            .map(|p| p.as_dvec3() - sphere.center.as_dvec3())
            .filter(|d| d.length() >= f64::from(sphere.radius) - slack)
            .collect();
        for i in 0..200 {
            let i = f64::from(i);
            let direction = DVec3::new((i * 1.1).sin(), (i * 1.7 + 1.0).sin(), (i * 2.3 + 2.0).sin());
            assert!(
                rim.iter().any(|d| d.dot(direction) >= -10.0 * slack),
                "nothing holds the sphere towards {direction}"
            );
        }
    }

    fn lattice_point() -> impl Strategy<Value = Vec3> {
        // Small integers, so that coincident, collinear, coplanar and cospherical points do occur.
        proptest::array::uniform3(-2..=2i8).prop_map(|p| Vec3::from_array(p.map(f32::from)))
    }

    proptest! {
        #[test]
        fn random_points_agree_with_brute_force(
            points in proptest::collection::vec(proptest::array::uniform3(-10.0..10.0f32), 1..9),
        ) {
            let points: Vec<_> = points.into_iter().map(Vec3::from_array).collect();
            let (radius, wanted) = (f64::from(check(&points).radius), brute_force_radius(&points));
            prop_assert!(radius >= wanted * (1.0 - 1e-7), "{radius} and {wanted}");
            prop_assert!(radius <= wanted * (1.0 + 1e-6), "{radius} and {wanted}");
        }

        #[test]
        fn degenerate_points_agree_with_brute_force(
            points in proptest::collection::vec(lattice_point(), 1..10),
        ) {
            let (radius, wanted) = (f64::from(check(&points).radius), brute_force_radius(&points));
            prop_assert!((radius - wanted).abs() <= wanted * 1e-6, "{radius} and {wanted}");
        }

        #[test]
        fn order_does_not_matter(
            points in proptest::collection::vec(proptest::array::uniform3(-10.0..10.0f32), 1..100),
        ) {
            let points: Vec<_> = points.into_iter().map(Vec3::from_array).collect();
            let reversed: Vec<_> = points.iter().rev().copied().collect();
            let (a, b) = (check(&points), check(&reversed));
            prop_assert!(a.center.abs_diff_eq(b.center, 1e-5) && (a.radius - b.radius).abs() <= 1e-5);
        }

        #[test]
        fn small_set_far_away(
            points in proptest::collection::vec(proptest::array::uniform3(-1.0..1.0f32), 1..9),
        ) {
            let far = Vec3::new(1000.0, -2000.0, 500.0);
            let points: Vec<_> = points.into_iter().map(|p| Vec3::from_array(p) + far).collect();
            let (radius, wanted) = (f64::from(check(&points).radius), brute_force_radius(&points));
            // The centre is rounded to f32: half a step of 1.2e-4 at 2000, along three axes.
            prop_assert!(radius <= wanted + 1.1e-4, "{radius} and {wanted}");
        }
    }

    #[test]
    fn few_points() {
        assert_eq!(smallest_enclosing_sphere(&[]), Sphere::new(Vec3::ZERO, 0.0));
        assert_eq!(smallest_enclosing_sphere(&[Vec3::ONE; 5]), Sphere::new(Vec3::ONE, 0.0));
        let pair = smallest_enclosing_sphere(&[Vec3::ZERO, Vec3::X * 2.0, Vec3::X]);
        assert_eq!(pair.center, Vec3::X);
        assert!(pair.radius >= 1.0 && pair.radius <= 1.0f32.next_up());
    }

    #[test]
    fn hundred_thousand_points() {
        // Deterministic: a low-discrepancy cube, a sphere, a disc, a line and a heap of duplicates.
        let n = 100_000u32;
        let frac = |i: u32, a: f64| (f64::from(i) * a).fract() as f32;
        let cube: Vec<_> = (0..n)
            .map(|i| Vec3::new(frac(i, 0.819_172_513), frac(i, 0.671_043_607), frac(i, 0.549_700_478)))
            .collect();
        let sphere: Vec<_> = cube.iter().map(|p| (*p - 0.5).normalize_or(Vec3::X) + 3.0).collect();
        let disc: Vec<_> = sphere.iter().map(|p| Vec3::new(p.x, p.y, 1.0)).collect();
        let line: Vec<_> = cube.iter().map(|p| Vec3::ONE * p.x).collect();
        let heap: Vec<_> = cube.iter().map(|p| (*p * 4.0).floor()).collect();
        for points in [cube, sphere, disc, line, heap] {
            assert_smallest(&points, &check(&points));
        }
    }
}
