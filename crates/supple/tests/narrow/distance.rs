//! Distances of points, segments and triangles against an independent way to find them, on proper, thin, degenerate, tiny
//! and huge ones.

use crate::subjects::random_model::Random;
use glam::{DVec3, Vec3};
use proptest::prelude::*;
use supple::math::Aabb;
use supple::narrow::{
    closest_point_of_triangle, closest_points_of_segment_and_triangle, closest_points_of_segments,
    closest_points_of_triangles, triangles_touch,
};

/// The least distance of the hulls of two sets of points, by minimising over their Minkowski difference: of all corners,
/// edges, triangles and tetrahedra of its points, the one whose affine hull holds the nearest point of the origin inside.
///
/// Wolfe, Finding the nearest point in a polytope, 1976; here by listing all subsets, which knows no special cases.
fn hull_distance(a: &[Vec3], b: &[Vec3]) -> f64 {
    wide_hull_distance(&wide(a), &wide(b))
}

fn wide(points: &[Vec3]) -> Vec<DVec3> {
    points.iter().map(|p| p.as_dvec3()).collect()
}

fn wide_hull_distance(a: &[DVec3], b: &[DVec3]) -> f64 {
    let points: Vec<DVec3> = a.iter().flat_map(|p| b.iter().map(|q| *p - *q)).collect();
    let size = points.iter().map(|p| p.length()).fold(0.0, f64::max);
    if size == 0.0 {
        return 0.0;
    }
    let points: Vec<DVec3> = points.into_iter().map(|p| p / size).collect();
    let mut best = f64::INFINITY;
    for subset in 1u32..1 << points.len() {
        if subset.count_ones() <= 4 {
            let chosen: Vec<DVec3> =
                (0..points.len()).filter(|i| subset >> i & 1 != 0).map(|i| points[i]).collect();
            best = best.min(simplex_distance(&chosen));
        }
    }
    best * size
}

/// Distance from the origin to the foot on the affine hull, if the foot is inside the simplex; else infinite.
fn simplex_distance(points: &[DVec3]) -> f64 {
    // Gram-Schmidt on the edges from the first point.
    let origin = points[0];
    let edges: Vec<DVec3> = points[1..].iter().map(|p| *p - origin).collect();
    let n = edges.len();
    let mut matrix = vec![vec![0.0; n + 1]; n];
    for i in 0..n {
        for j in 0..n {
            matrix[i][j] = edges[i].dot(edges[j]);
        }
        matrix[i][n] = -edges[i].dot(origin);
    }
    let Some(weights) = solved(matrix) else { return f64::INFINITY };
    let rest = 1.0 - weights.iter().sum::<f64>();
    if rest < 0.0 || weights.iter().any(|&w| w < 0.0) {
        return f64::INFINITY;
    }
    let foot: DVec3 = origin + edges.iter().zip(&weights).map(|(e, w)| *e * *w).sum::<DVec3>();
    foot.length()
}

/// Gauss with pivots; `None` where the simplex is flat, which one of its faces then stands for.
fn solved(mut m: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = m.len();
    for column in 0..n {
        let pivot = (column..n).max_by(|&i, &j| m[i][column].abs().total_cmp(&m[j][column].abs()))?;
        if m[pivot][column].abs() < 1e-13 {
            return None;
        }
        m.swap(column, pivot);
        for row in 0..n {
            if row != column {
                let factor = m[row][column] / m[column][column];
                for k in column..=n {
                    let above = m[column][k];
                    m[row][k] -= factor * above;
                }
            }
        }
    }
    Some((0..n).map(|i| m[i][n] / m[i][i]).collect())
}

fn size(points: &[Vec3]) -> f64 {
    points.iter().map(|p| p.as_dvec3().length()).fold(0.0, f64::max)
}

fn assert_pair(a: [Vec3; 3], b: [Vec3; 3]) {
    let found = closest_points_of_triangles(&a, &b);
    let all = [a, b].concat();
    let rounding = 1e-13 * size(&all);
    assert_eq!(found.distance_sq == 0.0, triangles_touch(&a, &b), "{a:?} {b:?} {found:?}");
    // The listing squares what it divides by, so it is the coarser of the two where triangles nearly touch.
    let expected = hull_distance(&a, &b);
    let coarse = 3e-7 * size(&all);
    assert!((found.distance() - expected).abs() <= coarse, "{a:?} {b:?} {found:?} {expected}");
    assert!(found.distance() <= expected + rounding, "{a:?} {b:?}: {} {expected}", found.distance());
    for (point, triangle) in found.points.iter().zip([&a, &b]) {
        let off = wide_hull_distance(&[*point], &wide(triangle));
        assert!(off <= 3e-7 * size(&all), "{point} is off the triangle by {off}");
    }
    let apart = found.points[0].distance(found.points[1]);
    assert!((apart - found.distance()).abs() <= rounding.max(1e-150), "{apart} {}", found.distance());
    assert!(found.distance_sq >= Aabb::from_points(a).distance_sq(&Aabb::from_points(b)));
    let swapped = closest_points_of_triangles(&b, &a);
    assert!((swapped.distance() - found.distance()).abs() <= rounding);
}

fn random_triangle(random: &mut Random, kind: usize) -> [Vec3; 3] {
    let [p, q, r] = [(); 3].map(|()| random.vec3());
    match kind {
        0 => [p, q, r],
        1 => [p, p + (q - p) * 1e-3, r],
        2 => [p, q, p],
        3 => [p, p, p],
        4 => [p, p + q, p + q * 0.5],
        5 => [p, q, p + (q - p) * 0.3 + r * 1e-6],
        _ => [p, q, r].map(|v| (v * 2.0).round()),
    }
}

#[test]
fn triangles_of_all_kinds() {
    let mut random = Random(1);
    for kind_a in 0..7 {
        for kind_b in 0..7 {
            for _ in 0..40 {
                let (a, b) = (random_triangle(&mut random, kind_a), random_triangle(&mut random, kind_b));
                let aside = random.vec3() * random.below(3) as f32;
                assert_pair(a, b.map(|v| v + aside));
            }
        }
    }
}

#[test]
fn tiny_huge_and_mixed_coordinates() {
    let mut random = Random(2);
    for scale in [1e-44f32, 1e-30, 1e-12, 1e9, 1e18, 1e37] {
        for kind in 0..7 {
            for _ in 0..20 {
                let aside = random.vec3() * 2.0;
                let a = random_triangle(&mut random, kind).map(|v| v * scale);
                let b = random_triangle(&mut random, 0).map(|v| (v + aside) * scale);
                assert_pair(a, b);
                assert_pair(a, random_triangle(&mut random, kind));
            }
        }
    }
}

#[test]
fn a_gap_too_small_for_f64_is_still_a_gap() {
    let a = [Vec3::new(-1e18, 0.0, 0.0), Vec3::new(1e18, 0.0, 0.0), Vec3::new(0.0, 0.0, 1e18)];
    for gap in [1e-30f32, 1e-10, 1.0] {
        let b = a.map(|v| v + Vec3::Y * gap);
        assert_eq!(closest_points_of_triangles(&a, &b).distance(), f64::from(gap));
    }
    // Tilted, so that boxes overlap and every coordinate is rounded.
    let tilted = [Vec3::new(0.1, 0.3, -0.7), Vec3::new(0.9, -0.2, 0.4), Vec3::new(-0.3, 0.8, 0.6)];
    let inside = (tilted[0] + tilted[1] + tilted[2]) / 3.0;
    let mut nearest = f64::INFINITY;
    for steps in -3i32..=3 {
        let lifted =
            Vec3::new(inside.x, f32::from_bits(inside.y.to_bits().wrapping_add_signed(steps)), inside.z);
        let tip = [lifted; 3];
        let found = closest_points_of_triangles(&tilted, &tip);
        assert_eq!(found.distance_sq == 0.0, triangles_touch(&tilted, &tip));
        assert!(found.distance() < 1e-6);
        nearest = nearest.min(found.distance());
    }
    assert!(nearest < 1e-7);
}

fn corner() -> impl Strategy<Value = Vec3> {
    proptest::array::uniform3(-3i8..=3).prop_map(|v| Vec3::from_array(v.map(f32::from)))
}

proptest! {
    #[test]
    fn triangles_on_a_grid(a in proptest::array::uniform3(corner()), b in proptest::array::uniform3(corner())) {
        assert_pair(a, b);
    }

    #[test]
    fn points_and_triangles(point in corner(), t in proptest::array::uniform3(corner()), shift in -1.0f32..1.0) {
        let point = point + Vec3::new(shift, shift * 0.3, -shift);
        let found = closest_point_of_triangle(point, &t);
        let expected = hull_distance(&[point], &t);
        prop_assert!((found.distance_sq.sqrt() - expected).abs() < 1e-6, "{found:?} {expected}");
        let weights = found.barycentrics;
        prop_assert!(weights.iter().all(|&w| w >= 0.0) && (weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        let place: DVec3 = t.iter().zip(weights).map(|(v, w)| v.as_dvec3() * w).sum();
        prop_assert!(place.distance(found.point) < 1e-12);
        prop_assert!((found.point.distance(point.as_dvec3()) - found.distance_sq.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn segments_and_triangles(
        s in proptest::array::uniform2(corner()),
        t in proptest::array::uniform3(corner()),
        other in proptest::array::uniform2(corner()),
    ) {
        let found = closest_points_of_segment_and_triangle(s, &t);
        prop_assert!((found.distance() - hull_distance(&s, &t)).abs() < 1e-6);
        let found = closest_points_of_segments(s, other);
        prop_assert!((found.distance() - hull_distance(&s, &other)).abs() < 1e-6);
    }
}
