//! Rigid transforms against matrices.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use supple::Isometry;

fn sample() -> Isometry {
    let rotation = DQuat::from_axis_angle(DVec3::new(1.0, -2.0, 0.5).normalize(), 1.2);
    Isometry::new(rotation, Vec3::new(0.25, 3.0, -7.5))
}

#[test]
fn product_agrees_with_matrices() {
    let (a, b) = (sample(), Isometry::from_rotation(DQuat::from_rotation_y(0.3)) * sample());
    let by_matrices = a.to_affine() * b.to_affine();
    assert!((a * b).to_affine().abs_diff_eq(by_matrices, 1e-14));
}

#[test]
fn inverse_undoes() {
    let a = sample();
    let p = DVec3::new(3.0, 1.0, -2.0);
    assert!(a.inverse().transform_point(a.transform_point(p)).abs_diff_eq(p, 1e-14));
    assert!((a * a.inverse()).to_affine().abs_diff_eq(DAffine3::IDENTITY, 1e-14));
}

#[test]
fn vectors_ignore_translation() {
    let moved = Isometry::from_translation(Vec3::X);
    assert_eq!(moved.transform_vector(Vec3::Y), DVec3::Y);
    assert_eq!(moved.transform_point(Vec3::Y), DVec3::new(1.0, 1.0, 0.0));
}
