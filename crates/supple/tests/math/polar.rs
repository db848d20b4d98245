//! Rotation and stretch of matrices: proper, singular, mirrored, huge and tiny ones.

use glam::{DMat3, DQuat, DVec3};
use proptest::prelude::*;
use supple::math::{SymmetricEigen, polar};

/// Checks the contract and returns the two factors.
fn check(a: DMat3, tolerance: f64) -> (DQuat, DMat3) {
    let (rotation, stretch) = polar(a);
    let size = a.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
    assert!(rotation.is_finite() && (rotation.length() - 1.0).abs() < 1e-12);
    assert!(stretch.is_finite());
    assert_eq!(stretch, stretch.transpose());
    let rebuilt = DMat3::from_quat(rotation) * stretch;
    assert!(rebuilt.abs_diff_eq(a, tolerance * size), "{a} became {rebuilt}");
    (rotation, stretch)
}

fn rotation() -> impl Strategy<Value = DQuat> {
    proptest::array::uniform4(-1.0..1.0f64)
        .prop_map(DQuat::from_array)
        .prop_filter("not too short to normalise", |q| q.length() > 0.1)
        .prop_map(|q| q.normalize())
}

fn same_rotation(a: DQuat, b: DQuat, tolerance: f64) -> bool {
    a.dot(b).abs() > 1.0 - tolerance
}

proptest! {
    #[test]
    fn rotation_rounded_to_f32_gives_exactly_one(q in rotation()) {
        let a = DMat3::from_quat(q).as_mat3().as_dmat3();
        let (r, s) = polar(a);
        prop_assert_eq!(s, DMat3::IDENTITY);
        prop_assert!(same_rotation(q, r, 1e-12));
    }

    #[test]
    fn uniform_scale_gives_exactly_a_multiple_of_one(
        q in rotation(),
        scale in 0.01..100.0f64,
        sign in proptest::bool::ANY,
    ) {
        let scale = if sign { scale } else { -scale };
        let (r, s) = polar((DMat3::from_quat(q) * scale).as_mat3().as_dmat3());
        prop_assert_eq!(s, DMat3::from_diagonal(DVec3::splat(s.x_axis.x)));
        prop_assert!((s.x_axis.x - scale).abs() <= 1e-6 * scale.abs());
        prop_assert!(same_rotation(q, r, 1e-12));
    }

    #[test]
    fn random_matrices(d in proptest::array::uniform9(-10.0..10.0f64)) {
        let a = DMat3::from_cols_array(&d);
        let (_, s) = check(a, 1e-13);
        let values = SymmetricEigen::new(s).values;
        if a.determinant() > 1e-2 { prop_assert!(values.z > 0.0); }
        if a.determinant() < -1e-2 { prop_assert!(values.x < 0.0); }
    }

    #[test]
    fn recovers_its_factors(
        q in rotation(),
        v in rotation(),
        d in proptest::array::uniform3(0.1..10.0f64),
        sign in proptest::bool::ANY,
    ) {
        let sign = if sign { 1.0 } else { -1.0 };
        let v = DMat3::from_quat(v);
        let s = v * DMat3::from_diagonal(DVec3::from_array(d) * sign) * v.transpose();
        let (r, got) = check(DMat3::from_quat(q) * s, 1e-5);
        prop_assert!(got.abs_diff_eq(s, 1e-4));
        prop_assert!(same_rotation(q, r, 1e-8));
    }

    #[test]
    fn singular_matrices_keep_the_rotation_that_is_determined(
        q in rotation(),
        d in proptest::array::uniform2(0.1..10.0f64),
        noise in -1e-7..1e-7f64,
    ) {
        // A joint flattened along z, with f32 noise of either sign instead of the zero.
        let s = DMat3::from_diagonal(DVec3::new(d[0], d[1] + 0.5, noise * d[0]));
        let (r, _) = check(DMat3::from_quat(q) * s, 1e-12);
        prop_assert!(same_rotation(q, r, 1e-10));
    }
}

#[test]
fn singular_by_hand() {
    assert_eq!(polar(DMat3::ZERO), (DQuat::IDENTITY, DMat3::ZERO));
    for diagonal in [DVec3::new(2.0, 0.0, 0.0), DVec3::new(0.0, 0.0, 3.0), DVec3::new(1.0, 0.0, 5.0)] {
        let (rotation, stretch) = check(DMat3::from_diagonal(diagonal), 1e-15);
        assert!(same_rotation(rotation, DQuat::IDENTITY, 1e-15), "{diagonal}: {rotation}");
        assert!(stretch.abs_diff_eq(DMat3::from_diagonal(diagonal), 1e-15));
    }
    // Rank 1 that turns x to -y, and one that turns an axis to its opposite.
    check(DMat3::from_cols(-DVec3::Y, DVec3::ZERO, DVec3::ZERO), 1e-15);
    check(DMat3::from_cols(-DVec3::X, DVec3::ZERO, DVec3::ZERO), 1e-15);
    check(DMat3::from_cols(DVec3::ONE, DVec3::ONE * 2.0, DVec3::ONE * -3.0), 1e-14);
    check(
        DMat3::from_cols(DVec3::new(1.0, 2.0, 3.0), DVec3::new(4.0, 5.0, 6.0), DVec3::new(5.0, 7.0, 9.0)),
        1e-14,
    );
}

#[test]
fn mirror_gives_negative_definite_stretch() {
    let (_, s) = check(DMat3::from_diagonal(DVec3::new(-1.0, 2.0, 3.0)), 1e-14);
    assert!(SymmetricEigen::new(s).values.x < 0.0);
    let (r, s) = polar(-DMat3::IDENTITY);
    assert_eq!((r, s), (DQuat::IDENTITY, -DMat3::IDENTITY));
}

#[test]
fn huge_and_tiny() {
    let a =
        DMat3::from_cols(DVec3::new(1.0, 2.0, -3.0), DVec3::new(-4.0, 0.5, 6.0), DVec3::new(7.0, 8.0, 9.0));
    let (wanted, _) = polar(a);
    for scale in [1e-300, 1e-150, 1e-30, 1e30, 1e150, 1e300] {
        let (r, _) = check(a * scale, 1e-14);
        assert!(same_rotation(r, wanted, 1e-14));
        let (_, s) = check(DMat3::IDENTITY * scale, 1e-14);
        assert_eq!(s, DMat3::from_diagonal(DVec3::splat(s.x_axis.x)));
    }
}
