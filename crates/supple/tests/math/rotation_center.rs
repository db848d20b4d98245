//! Rotation centers: what they minimise, and the closed form for two transforms.

use glam::{DQuat, DVec3};
use proptest::prelude::*;
use supple::Isometry;
use supple::math::rotation_center;
use supple::math::rotation_center::SMALLEST_ANGLE;

fn isometry() -> impl Strategy<Value = Isometry> {
    (proptest::array::uniform4(-1.0..1.0f64), proptest::array::uniform3(-10.0..10.0f64))
        .prop_filter("not too short to normalise", |(q, _)| DQuat::from_array(*q).length() > 0.1)
        .prop_map(|(q, t)| Isometry::new(DQuat::from_array(q).normalize(), t))
}

fn drift(transforms: &[Isometry], x: DVec3) -> f64 {
    let mut sum = 0.0;
    for (i, a) in transforms.iter().enumerate() {
        for b in &transforms[..i] {
            sum += (a.transform_point(x) - b.transform_point(x)).length_squared();
        }
    }
    sum
}

proptest! {
    /// One of two transforms twice: the same sum but for a factor, found by the general route.
    #[test]
    fn pair_agrees_with_the_general_route(a in isometry(), b in isometry()) {
        let angle = 2.0 * (a.rotation.inverse() * b.rotation).xyz().length();
        prop_assume!(angle > 2.0 * SMALLEST_ANGLE);
        let (pair, many) = (rotation_center(&[a, b]), rotation_center(&[a, b, b]));
        prop_assert!(pair.abs_diff_eq(many, 1e-7 / angle), "{pair} and {many}, angle {angle}");
    }

    #[test]
    fn center_minimises_the_drift(
        c in proptest::collection::vec(isometry(), 2..6),
        step in proptest::array::uniform3(-1.0..1.0f64),
    ) {
        let x = rotation_center(&c);
        let here = drift(&c, x);
        for scale in [1e-3, 1e-1, 10.0] {
            prop_assert!(drift(&c, x + DVec3::from_array(step) * scale) >= here - 1e-8);
        }
    }

    #[test]
    fn common_joint_is_found(
        joint in proptest::array::uniform3(-10.0..10.0f64),
        c in proptest::collection::vec(isometry(), 3..6),
        place in isometry(),
    ) {
        // Every transform moves the joint to the same place.
        let joint = DVec3::from_array(joint);
        let target = place.transform_point(joint);
        let pinned = |m: &Isometry| Isometry::new(m.rotation, target - m.transform_vector(joint));
        let c: Vec<_> = c.iter().map(pinned).collect();
        let x = rotation_center(&c);
        prop_assert!(drift(&c, x) < 1e-12, "{x} for {joint}");
    }
}

#[test]
fn pair_is_nearest_to_the_origin() {
    // Rotation about the vertical line through (1, 0, 2), half a turn and less.
    for angle in [std::f64::consts::PI, 1.0, -0.1, 0.01] {
        let line = Isometry::from_translation(DVec3::new(1.0, 7.0, 2.0));
        let b = line * Isometry::new(DQuat::from_rotation_y(angle), DVec3::Y * 3.0) * line.inverse();
        let x = rotation_center(&[Isometry::IDENTITY, b]);
        assert!(x.abs_diff_eq(DVec3::new(1.0, 0.0, 2.0), 1e-10), "{angle}: {x}");
    }
}

#[test]
fn equal_rotations_give_the_origin() {
    let r = DQuat::from_rotation_x(0.4);
    let c: Vec<_> = (0..4).map(|i| Isometry::new(r, DVec3::X * f64::from(i))).collect();
    for n in 0..=4 {
        assert_eq!(rotation_center(&c[..n]), DVec3::ZERO);
    }
}

#[test]
fn three_transforms_about_one_axis_keep_the_free_direction_at_zero() {
    let line = Isometry::from_translation(DVec3::new(1.0, 7.0, 2.0));
    let about = |angle| line * Isometry::from_rotation(DQuat::from_rotation_y(angle)) * line.inverse();
    let x = rotation_center(&[about(0.1), about(0.9), about(-1.4)]);
    assert!(x.abs_diff_eq(DVec3::new(1.0, 0.0, 2.0), 1e-10), "{x}");
}
