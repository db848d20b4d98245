//! The test of ray and triangle against whole numbers: on coarse grids, where rays go through edges and corners all the time,
//! and over the whole range of `f32`.

use super::exact_oracle::{Whole, whole};
use crate::subjects::random_model::Random;
use glam::Vec3;
use num_bigint::BigInt;
use supple::narrow::{Ray, Triangle, ray_crosses};

/// Solves `origin + t direction = a + v (b - a) + w (c - a)` by Cramer's rule: shares no idea with the library, which never
/// forms this system. Out: numerators of `t, u, v, w` and their positive denominator, if there is exactly one point of the line
/// in the triangle and it is not behind the origin.
fn solve<T: Whole>(ray: [[T; 3]; 2], [a, b, c]: &[[T; 3]; 3]) -> Option<([T; 4], T)> {
    let zero = || T::from(0);
    let minus = |p: &[T; 3], q: &[T; 3]| [0, 1, 2].map(|i| p[i].clone() - q[i].clone());
    let determinant = |columns: [&[T; 3]; 3]| {
        let [x, y, z] = columns;
        let term = |i: usize, j: usize, k: usize| x[i].clone() * y[j].clone() * z[k].clone();
        term(0, 1, 2) + term(1, 2, 0) + term(2, 0, 1) - term(2, 1, 0) - term(1, 0, 2) - term(0, 2, 1)
    };
    let [origin, direction] = ray;
    // -t direction + v (b - a) + w (c - a) = origin - a
    let back = direction.map(|x| -x);
    let (ab, ac, right) = (minus(b, a), minus(c, a), minus(&origin, a));
    let mut whole = determinant([&back, &ab, &ac]);
    let mut found = [
        determinant([&right, &ab, &ac]),
        determinant([&back, &right, &ac]),
        determinant([&back, &ab, &right]),
    ];
    if whole < zero() {
        whole = -whole;
        found = found.map(|x| -x);
    }
    let [t, v, w] = found;
    let u = whole.clone() - v.clone() - w.clone();
    let inside = [&t, &u, &v, &w].into_iter().all(|x| *x >= zero());
    (whole > zero() && inside).then_some(([t, u, v, w], whole))
}

/// The quotient of two whole numbers that need not fit into f64.
fn quotient(numerator: &BigInt, denominator: &BigInt) -> f64 {
    let shifted: BigInt = (numerator << 2200u32) / denominator;
    let (mut exponent, mut digits) = (-2200i32, shifted);
    while digits.bits() > 62 {
        let drop = digits.bits() - 62;
        digits >>= drop;
        exponent += drop as i32;
    }
    // In two steps: 2^-2200 alone would be 0.
    i64::try_from(digits).unwrap() as f64 * 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2)
}

/// Returns whether the ray hits.
fn check(ray: &Ray, triangle: &Triangle) -> bool {
    let big = |v: Vec3| v.to_array().map(whole);
    let expected = solve([big(ray.origin()), big(ray.direction())], &triangle.map(big));
    let found = ray_crosses(ray, triangle);
    assert_eq!(found.is_some(), expected.is_some(), "{ray:?} {triangle:?}");
    let (Some(found), Some((numbers, whole))) = (found, expected) else { return false };
    let [t, u, v, w] = numbers.each_ref().map(|x| quotient(x, &whole));
    let off = (f64::from(found.time) - t).abs();
    // A rounding to f32, and a little for that of f64.
    let rounding = (t * 1.01 * 2f64.powi(-24)).max(2f64.powi(-149));
    assert!(t > f64::from(f32::MAX) || off <= rounding, "{t} {found:?} {ray:?} {triangle:?}");
    for (found, exact) in found.barycentrics.into_iter().zip([u, v, w]) {
        assert!((f64::from(found) - exact).abs() < 2f64.powi(-24), "{exact} {found}");
        assert_eq!(found == 0.0, exact < f64::from(f32::from_bits(1)) * 0.51, "{exact:e} {found:e}");
    }
    let [a, b, c] = triangle.map(|corner| corner.as_dvec3());
    let facing = (b - a).cross(c - a).dot(ray.direction().as_dvec3());
    assert!(facing == 0.0 || facing.abs() < 1e-3 || found.back == (facing > 0.0));
    for turn in [[1, 2, 0], [2, 0, 1]] {
        let turned = ray_crosses(ray, &turn.map(|i| triangle[i])).expect("the same triangle");
        assert_eq!((turned.time, turned.back), (found.time, found.back));
    }
    let mirrored = ray_crosses(ray, &[triangle[0], triangle[2], triangle[1]]).expect("the same triangle");
    assert_eq!((mirrored.time, mirrored.back), (found.time, !found.back));
    true
}

#[test]
fn equals_whole_numbers_on_grids() {
    for (size, count) in [(2, 20_000), (3, 40_000), (4, 40_000), (7, 30_000), (30, 10_000)] {
        let mut random = Random(size as u64);
        let mut point = || Vec3::from([(); 3].map(|()| random.below(size) as f32));
        let (mut hits, mut edges) = (0, 0);
        for _ in 0..count {
            let (origin, direction, triangle) = (point(), point() - point(), [point(), point(), point()]);
            let Ok(ray) = Ray::new(origin, direction) else { continue };
            hits += usize::from(check(&ray, &triangle));
            edges += usize::from(ray_crosses(&ray, &triangle).is_some_and(|c| c.barycentrics.contains(&0.0)));
        }
        println!("grid {size}: {hits} of {count} hit, {edges} on edges");
        assert!(hits > count / 100 && (size > 7 || edges > count / 500));
    }
}

#[test]
fn equals_whole_numbers_for_any_numbers() {
    let mut random = Random(0x5eed);
    let mut hits = 0;
    for i in 0..60_000 {
        // Magnitudes from the smallest to the largest that there are; alike within a ray or triangle, or not.
        let magnitude = |random: &mut Random| 2f32.powi(random.below(250) as i32 - 125);
        let [of_origin, of_triangle, of_direction] = [(); 3].map(|()| magnitude(&mut random));
        let of_origin = if i % 3 == 0 { of_origin } else { of_triangle };
        let mut triangle = [(); 3].map(|()| random.vec3() * of_triangle);
        if i % 5 == 0 {
            triangle.iter_mut().for_each(|corner| corner[i % 3] *= magnitude(&mut random).min(1.0));
        }
        let origin = random.vec3() * of_origin;
        // Aimed at the triangle, so that some hit; the sum of weights rounds, so some are just beside.
        let [u, v] = [random.signed().abs(), random.signed().abs()];
        let target = triangle[0] * (1.0 - u) * v + triangle[1] * u * v + triangle[2] * (1.0 - v);
        let aimed = target - origin;
        let scale = of_direction.min(1e30 / aimed.abs().max_element().max(1e-30));
        let direction = if i % 7 == 0 { random.vec3() * of_direction } else { aimed * scale };
        if let Ok(ray) = Ray::new(origin, direction) {
            hits += usize::from(check(&ray, &triangle));
        }
    }
    println!("{hits} hits");
    assert!(hits > 10_000);
}

/// Rays that are exactly through a corner or the middle of an edge, where only exact signs decide.
#[test]
fn exactly_through_corners_and_edges() {
    let mut random = Random(77);
    for _ in 0..20_000 {
        // Small whole numbers times a power of two: sums of two are still exact.
        let mut point = || Vec3::from([(); 3].map(|()| random.below(2000) as f32 - 1000.0)) * 0.125;
        let (triangle, direction) = ([point(), point(), point()], point());
        let [a, b, _] = triangle;
        for target in [a, (a + b) * 0.5] {
            let Ok(ray) = Ray::new(target - direction, direction) else { continue };
            let normal = (triangle[1] - a).as_dvec3().cross((triangle[2] - a).as_dvec3());
            let in_plane = normal.dot(direction.as_dvec3()) == 0.0;
            assert_eq!(check(&ray, &triangle), !in_plane);
            if let Some(found) = ray_crosses(&ray, &triangle) {
                assert_eq!(found.time, 1.0);
                let expected = if target == a { [1.0, 0.0, 0.0] } else { [0.5, 0.5, 0.0] };
                assert_eq!(found.barycentrics, expected);
            }
        }
    }
}

#[test]
fn flat_triangles_are_not_hit() {
    let ray = Ray::new(Vec3::Z, Vec3::NEG_Z).unwrap();
    for triangle in [
        [Vec3::ZERO; 3],
        [Vec3::ZERO, Vec3::X, Vec3::X],
        [Vec3::NEG_X, Vec3::ZERO, Vec3::X],
        [Vec3::Z * 0.5, Vec3::ZERO, Vec3::NEG_Z],
    ] {
        assert!(!check(&ray, &triangle));
    }
    // Edge-on.
    assert!(!check(&ray, &[Vec3::NEG_X, Vec3::X, Vec3::NEG_Z]));
}
