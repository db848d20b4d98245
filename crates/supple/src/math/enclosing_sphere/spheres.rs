//! A nearly smallest enclosing sphere of spheres, with a certificate: it stops when a lower bound of the radius
//! is reached.
//!
//! In: spheres. Out: a sphere that contains each of them, by [`Sphere::contains_sphere`].
//!
//! Based on: Ritter, An Efficient Bounding Sphere, 1990 (the start); Bădoiu, Clarkson, Smaller Core-Sets for
//! Balls, 2003 (few points stand for all).

use glam::{DVec3, Vec3};

use super::points::smallest_sphere;
use crate::math::outward::radius_of;
use crate::math::sphere::Sphere;

/// A sphere around the spheres; radius 0 at the origin if there are none.
///
/// Exact, up to rounding, for two spheres and where one sphere contains the others. Otherwise the radius is at
/// most [`SPHERES_PRECISION`] above the smallest one, or slightly more where the largest sphere sticks out of its
/// surroundings but contains them almost (the search is limited, see `MAX_CORE`). Numbers must be finite,
/// radii not negative.
pub fn enclosing_sphere_of_spheres(spheres: &[Sphere]) -> Sphere {
    let Some(first) = spheres.first() else {
        return Sphere::new(Vec3::ZERO, 0.0);
    };
    let largest =
        spheres.iter().fold(first, |best, sphere| if sphere.radius > best.radius { sphere } else { best });
    if spheres.iter().all(|sphere| largest.contains_sphere(sphere)) {
        return *largest;
    }
    let center = match spheres {
        [a, b] => center_of_two(a, b),
        many => center_of_many(many, largest),
    };
    let center = center.as_vec3();
    Sphere::new(center, radius_of(farthest_side(center.as_dvec3(), spheres).0))
}

/// Where the search stops: upper and lower bound of the radius this close, relatively.
pub const SPHERES_PRECISION: f64 = 1e-3;

/// 10,000 random sets of 3 to 1,000 spheres took 2 to 11 points; spheres nearly inside their largest take more.
const MAX_CORE: usize = 48;

/// Center of the smallest sphere around two: the middle of their common line, or the larger if it contains the
/// other.
fn center_of_two(a: &Sphere, b: &Sphere) -> DVec3 {
    let (large, small) = if a.radius >= b.radius { (a, b) } else { (b, a) };
    let start = large.center.as_dvec3();
    let between = small.center.as_dvec3() - start;
    let distance = between.length();
    // Radius (distance + r + s) / 2, center that much less r away from the larger one.
    let step = (distance + f64::from(small.radius) - f64::from(large.radius)) * 0.5;
    if step > 0.0 { start + between * (step / distance) } else { start }
}

/// Grows a set of points of the spheres: its smallest sphere bounds the radius from below, and how far spheres extend from its
/// center from above; the far point of the sphere that extends farthest comes in next, until both bounds meet.
fn center_of_many(spheres: &[Sphere], largest: &Sphere) -> DVec3 {
    // Ritter's start: the farthest from anywhere, and the farthest from that.
    let origin = largest.center.as_dvec3();
    let (_, one_end) = farthest_side(origin, spheres);
    let (_, other_end) = farthest_side(one_end.center.as_dvec3(), spheres);
    let mut center = center_of_two(one_end, other_end);
    let mut best = (f64::INFINITY, center);
    let mut core = [DVec3::ZERO; MAX_CORE];
    for count in 0..MAX_CORE {
        let (radius, farthest) = farthest_side(center, spheres);
        if radius < best.0 {
            best = (radius, center);
        }
        core[count] = far_point(farthest, center) - origin;
        let lower = smallest_sphere(core[..=count].iter().copied());
        if best.0 <= lower.radius_sq.sqrt() * (1.0 + SPHERES_PRECISION) {
            break;
        }
        center = origin + lower.center;
    }
    best.1
}

/// Distance from `center` to the far side of the sphere that extends farthest, and that sphere; `spheres` is not
/// empty.
fn farthest_side(center: DVec3, spheres: &[Sphere]) -> (f64, &Sphere) {
    let far_side = |sphere: &Sphere| sphere.center.as_dvec3().distance(center) + f64::from(sphere.radius);
    let mut best = (far_side(&spheres[0]), &spheres[0]);
    for sphere in &spheres[1..] {
        let distance = far_side(sphere);
        if distance > best.0 {
            best = (distance, sphere);
        }
    }
    best
}

/// The point of the sphere that is farthest from `center`; any direction will do from its own center.
fn far_point(sphere: &Sphere, center: DVec3) -> DVec3 {
    let outward = (sphere.center.as_dvec3() - center).try_normalize().unwrap_or(DVec3::X);
    sphere.center.as_dvec3() + outward * f64::from(sphere.radius)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use proptest::prelude::*;

    use super::super::smallest_enclosing_sphere;
    use super::*;

    /// Smallest radius of a dense sample of the spheres' surfaces: below the optimum, by less than 0.3 %.
    fn lower_bound(spheres: &[Sphere]) -> f64 {
        let directions = (0..2000).map(|i| {
            let z = (f64::from(i) + 0.5) / 1000.0 - 1.0;
            let around = f64::from(i) * PI * (3.0 - 5f64.sqrt());
            let ring = (1.0 - z * z).sqrt();
            DVec3::new(ring * around.cos(), ring * around.sin(), z)
        });
        let surface = directions
            .flat_map(|n| spheres.iter().map(move |b| b.center.as_dvec3() + n * f64::from(b.radius)));
        let surface: Vec<_> = surface.collect();
        smallest_sphere(surface.iter().copied()).radius_sq.sqrt()
    }

    fn sphere() -> impl Strategy<Value = Sphere> {
        (proptest::array::uniform3(-10.0..10.0f32), 0.0..6.0f32)
            .prop_map(|(c, r)| Sphere::new(Vec3::from_array(c), r))
    }

    proptest! {
        #[test]
        fn contains_all_and_is_nearly_smallest(spheres in proptest::collection::vec(sphere(), 1..9)) {
            let around = enclosing_sphere_of_spheres(&spheres);
            for sphere in &spheres {
                prop_assert!(around.contains_sphere(sphere));
            }
            let smallest = lower_bound(&spheres);
            prop_assert!(f64::from(around.radius) <= smallest * 1.01, "{} above {}", around.radius, smallest);
        }

        #[test]
        fn spheres_that_stick_out_of_a_large_one(
            rim in proptest::collection::vec(
                (proptest::array::uniform3(-1.0..1.0f32), 0.0..3.0f32, -0.2..0.5f32),
                2..8,
            ),
        ) {
            // The hard case: the large sphere matters from every side, so many of its points are needed.
            let on_rim = |(n, r, out): ([f32; 3], f32, f32)| {
                Sphere::new(Vec3::from_array(n).normalize_or(Vec3::Y) * (10.0 + out - r), r)
            };
            let spheres: Vec<_> =
                [Sphere::new(Vec3::ZERO, 10.0)].into_iter().chain(rim.into_iter().map(on_rim)).collect();
            let around = enclosing_sphere_of_spheres(&spheres);
            prop_assert!(spheres.iter().all(|sphere| around.contains_sphere(sphere)));
            prop_assert!(f64::from(around.radius) <= lower_bound(&spheres) * 1.01);
        }

        #[test]
        fn spheres_without_radius_are_points(
            points in proptest::collection::vec(proptest::array::uniform3(-10.0..10.0f32), 1..40),
        ) {
            let points: Vec<_> = points.into_iter().map(Vec3::from_array).collect();
            let spheres: Vec<_> = points.iter().map(|&p| Sphere::new(p, 0.0)).collect();
            let (of_spheres, exact) = (enclosing_sphere_of_spheres(&spheres), smallest_enclosing_sphere(&points));
            prop_assert!(points.iter().all(|&p| of_spheres.contains(p)));
            let limit = f64::from(exact.radius) * (1.0 + 2.0 * SPHERES_PRECISION);
            prop_assert!(f64::from(of_spheres.radius) <= limit);
        }
    }

    #[test]
    fn one_sphere_that_contains_the_others_is_the_answer() {
        let big = Sphere::new(Vec3::new(0.1, 0.2, 0.3), 5.0);
        let inside = Sphere::new(Vec3::new(2.1, 0.2, 0.3), 2.9);
        assert_eq!(enclosing_sphere_of_spheres(&[inside, big]), big);
        assert_eq!(enclosing_sphere_of_spheres(&[inside, big, inside, big]), big);
        assert_eq!(enclosing_sphere_of_spheres(&[big]), big);
        assert_eq!(enclosing_sphere_of_spheres(&[]), Sphere::new(Vec3::ZERO, 0.0));
    }

    #[test]
    fn two_spheres_are_exact() {
        let pair = [Sphere::new(Vec3::ZERO, 1.0), Sphere::new(Vec3::X * 6.0, 3.0)];
        let around = enclosing_sphere_of_spheres(&pair);
        assert_eq!(around.center, Vec3::X * 4.0);
        assert!(around.radius >= 5.0 && around.radius <= 5.000001);
    }
}
