//! Small spheres around spheres: against those around points of their surfaces.

use std::f64::consts::PI;

use glam::{DVec3, Vec3};
use proptest::prelude::*;
use supple::Sphere;
use supple::math::enclosing_sphere::SPHERES_PRECISION;
use supple::math::{enclosing_sphere_of_spheres, smallest_enclosing_sphere};

/// Smallest radius of a dense sample of the spheres' surfaces: below the optimum, by less than 0.3 %.
fn lower_bound(spheres: &[Sphere]) -> f64 {
    let directions = (0..2000).map(|i| {
        let z = (f64::from(i) + 0.5) / 1000.0 - 1.0;
        let around = f64::from(i) * PI * (3.0 - 5f64.sqrt());
        let ring = (1.0 - z * z).sqrt();
        DVec3::new(ring * around.cos(), ring * around.sin(), z)
    });
    let surface = directions
        .flat_map(|n| spheres.iter().map(move |b| (b.center.as_dvec3() + n * f64::from(b.radius)).as_vec3()));
    let surface: Vec<_> = surface.collect();
    f64::from(smallest_enclosing_sphere(&surface).radius)
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
