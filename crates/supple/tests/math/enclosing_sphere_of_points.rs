//! Smallest spheres around points: against every sphere through two to four of them.

use glam::{DMat3, DVec3, Vec3};
use proptest::prelude::*;
use supple::Sphere;
use supple::math::smallest_enclosing_sphere;

/// The point in the flat through one to four points that is equally far from all of them, if there is exactly one:
/// `<x - p, q - p> = |q - p|^2 / 2` for all others `q`, and no part across the flat.
fn circumcenter(points: &[DVec3]) -> Option<DVec3> {
    let edges: Vec<DVec3> = points[1..].iter().map(|q| *q - points[0]).collect();
    let across = match edges[..] {
        [] => return Some(points[0]),
        [e] => [e, e.any_orthogonal_vector(), e.cross(e.any_orthogonal_vector())],
        [e, f] => [e, f, e.cross(f)],
        _ => [edges[0], edges[1], edges[2]],
    };
    let right = |i: usize| edges.get(i).map_or(0.0, |e| e.length_squared() / 2.0);
    let rows = DMat3::from_cols(across[0], across[1], across[2]).transpose();
    let center = points[0] + rows.inverse() * DVec3::new(right(0), right(1), right(2));
    center.is_finite().then_some(center)
}

/// Smallest sphere by trying every set of 2 to 4 points: the oracle.
fn brute_force_radius(points: &[Vec3]) -> f64 {
    let points: Vec<_> = points.iter().map(|p| p.as_dvec3()).collect();
    let mut best = f64::INFINITY;
    for mask in 1u32..1 << points.len() {
        if mask.count_ones() > 4 {
            continue;
        }
        let chosen: Vec<_> =
            points.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, p)| *p).collect();
        if let Some(center) = circumcenter(&chosen) {
            best = best.min(points.iter().map(|p| p.distance_squared(center)).fold(0.0, f64::max));
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

/// Optimal if the center cannot move without losing a point: it is in the hull of the points on the
/// boundary. Tested by directions: every half-space through the center holds a boundary point.
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
        // The center is rounded to f32: half a step of 1.2e-4 at 2000, along three axes.
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
