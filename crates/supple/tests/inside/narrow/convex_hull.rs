//! Tests of what `narrow/convex_hull` keeps to itself.

use super::*;

fn is_hull(points: &[Vec3]) -> usize {
    let faces = convex_hull(points).expect("not flat");
    for &[p, q, r] in &faces {
        let [p, q, r] = [p, q, r].map(|i| points[i].as_dvec3());
        assert!(points.iter().all(|x| volume_sign(p, q, r, x.as_dvec3()) <= 0));
    }
    let mut edges: Vec<[usize; 2]> = faces.iter().flat_map(|&[p, q, r]| [[p, q], [q, r], [r, p]]).collect();
    assert!(edges.iter().all(|&[from, to]| edges.contains(&[to, from])), "the surface is open");
    let count = edges.len();
    edges.sort_unstable();
    edges.dedup();
    assert_eq!(edges.len(), count, "an edge is there twice");
    faces.len()
}

#[test]
fn lattices_and_clouds_have_closed_hulls() {
    let lattice: Vec<Vec3> =
        (0..64).map(|i| Vec3::new((i % 4) as f32, (i / 4 % 4) as f32, (i / 16) as f32)).collect();
    assert!(is_hull(&lattice) >= 12);
    let mut reversed = lattice.clone();
    reversed.reverse();
    reversed.extend(&lattice);
    assert!(is_hull(&reversed) >= 12);
    let cloud: Vec<Vec3> = (0..200)
        .map(|i| {
            let a = i as f32;
            Vec3::new((a * 12.9898).sin(), (a * 78.233).sin(), (a * 37.719).sin()) * (1.0 + 1e-6 * a)
        })
        .collect();
    assert!(is_hull(&cloud) > 20);
}

#[test]
fn flat_points_have_none() {
    for points in [&[][..], &[Vec3::ONE; 5], &[Vec3::ZERO, Vec3::X, Vec3::X * 2.0, Vec3::X * 3.0]] {
        assert_eq!(convex_hull(points), None);
    }
    let square = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0), Vec3::new(0.5, 0.25, 0.0)];
    assert_eq!(convex_hull(&square), None);
}
