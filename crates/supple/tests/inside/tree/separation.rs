//! Tests of what `tree/separation` keeps to itself.

use super::*;

fn points(seed: u32) -> [Vec3; 3] {
    let number = |i: u32| ((seed * 9 + i) as f32 * 78.233).sin() * 3.0;
    [0, 3, 6].map(|i| Vec3::new(number(i), number(i + 1), number(i + 2)))
}

#[test]
fn separation_is_at_most_the_distance() {
    let mut apart = 0;
    for seed in 0..400 {
        let (a, b) = (points(seed), points(seed + 1000).map(|p| p + Vec3::X * (seed % 7) as f32));
        let found = separation(&a, &b, f64::INFINITY);
        apart += u32::from(found > 0.0);
        // Points of a grid over both triangles are no nearer than that.
        let grid = |t: &[Vec3; 3]| -> Vec<DVec3> {
            let [p, q, r] = t.map(|p| p.as_dvec3());
            let point = |i: u32, j: u32| p + (q - p) * f64::from(i) / 10.0 + (r - p) * f64::from(j) / 10.0;
            (0..=10).flat_map(|i| (0..=10 - i).map(move |j| point(i, j))).collect()
        };
        let (grid_a, grid_b) = (grid(&a), grid(&b));
        let nearest = grid_a.iter().flat_map(|p| grid_b.iter().map(|q| p.distance(*q)));
        assert!(found <= nearest.fold(f64::INFINITY, f64::min), "{seed}");
    }
    assert!(apart > 100, "{apart}");
}

#[test]
fn neighbours_in_a_plane_are_apart_by_their_gap() {
    let a = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let b = a.map(|p| p + Vec3::X * 1.25);
    assert!((separation(&a, &b, f64::INFINITY) - 0.25).abs() < 1e-6);
    assert_eq!(separation(&a, &a, f64::INFINITY), 0.0);
}
