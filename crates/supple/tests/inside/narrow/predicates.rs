//! Tests of what `narrow/predicates` keeps to itself.

use super::*;

const TRIANGLE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

/// The sides by filter and exact answers, as a pair of triangles uses them.
fn sides(points: [DVec3; 3]) -> Sides {
    let all = || TRIANGLE.iter().chain(&points).copied();
    let extents = all().reduce(DVec3::max).unwrap() - all().reduce(DVec3::min).unwrap();
    Sides::filtered(&TRIANGLE, &points, volume_error(extents)).decided(&TRIANGLE, &points)
}

#[test]
fn the_normal_side_is_positive() {
    for (z, side) in [(1.0, 1), (0.0, 0), (-1.0, -1), (1e-45f32, 1), (-1e-45, -1), (3e38, 1)] {
        let x = DVec3::new(0.25, 0.75, f64::from(z));
        assert_eq!(volume_sign(DVec3::ZERO, DVec3::X, DVec3::Y, x), side);
        let found = sides([x, DVec3::ZERO, DVec3::X]);
        assert_eq!(found, Sides { above: u8::from(side == 1), below: u8::from(side == -1) });
    }
}

#[test]
fn points_on_one_side_are_apart() {
    let above = [DVec3::Z, DVec3::Z * 2.0, DVec3::ONE];
    assert!(sides(above).apart() && sides(above.map(|v| -v)).apart());
    // Too close for the filter, decided exactly.
    let close = [1e-40f32, 1e-30, 1.0].map(|z| DVec3::new(0.5, 0.5, f64::from(z)));
    assert!(!Sides::filtered(&TRIANGLE, &close, volume_error(DVec3::ONE)).apart());
    assert!(sides(close).apart());
}

#[test]
fn areas_follow_the_axes() {
    for axis in 0..3 {
        let mut corners = [Vec3::ZERO; 3];
        corners[1][(axis + 1) % 3] = 1.0;
        corners[2][(axis + 2) % 3] = 1.0;
        let [p, q, r] = corners;
        assert_eq!(area_along(axis, p, q, r), 1.0);
        assert_eq!(area_along((axis + 1) % 3, p, q, r), 0.0);
    }
}
