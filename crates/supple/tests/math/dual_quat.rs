//! Dual quaternions: rigid transforms and back, products, inverses.

use glam::{DQuat, DVec3};
use supple::Isometry;
use supple::math::DualQuat;

fn near(a: DualQuat, b: DualQuat, tolerance: f64) -> bool {
    a.real.abs_diff_eq(b.real, tolerance) && a.dual.abs_diff_eq(b.dual, tolerance)
}

fn screw(angle: f64, translation: DVec3) -> DualQuat {
    let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
    DualQuat::from_isometry(Isometry::new(DQuat::from_axis_angle(axis, angle), translation))
}

#[test]
fn isometry_round_trip_and_product() {
    let (a, b) = (screw(1.0, DVec3::new(1.0, 2.0, 3.0)), screw(-2.5, DVec3::new(-4.0, 0.0, 1.0)));
    let p = DVec3::new(0.1, 0.2, -5.0);
    let by_parts = a.to_isometry().transform_point(b.to_isometry().transform_point(p));
    assert!((a * b).to_isometry().transform_point(p).abs_diff_eq(by_parts, 1e-14));
    assert!(near(DualQuat::from_isometry(a.to_isometry()), a, 1e-15));
}

#[test]
fn conjugate_of_what_is_normalized_inverts() {
    let b = screw(2.0, -DVec3::X)
        + DualQuat {
            real: DQuat::from_xyzw(1.0, 0.0, 0.0, 0.3),
            dual: DQuat::from_xyzw(0.0, 1.0, 0.0, -1.0),
        };
    let unit = b.normalized();
    assert!((unit.real.length() - 1.0).abs() < 1e-15 && unit.real.dot(unit.dual).abs() < 1e-15);
    assert!(near(unit * unit.conjugate(), DualQuat::IDENTITY, 1e-14));
}
