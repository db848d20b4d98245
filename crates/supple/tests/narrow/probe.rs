//! Boxes and hulls against triangles.

use glam::{DQuat, DVec3, Vec3};
use supple::{Isometry, Probe};

const UNIT: Vec3 = Vec3::splat(0.5);

#[test]
fn a_box_is_solid_and_closed() {
    let cube = Probe::cuboid(Isometry::IDENTITY, UNIT).unwrap();
    let small = [Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.1];
    assert!(cube.overlaps(&small), "inside");
    assert!(cube.overlaps(&small.map(|p| p + Vec3::X * 0.5)), "touching");
    assert!(!cube.overlaps(&small.map(|p| p + Vec3::X * 0.500_001)));
    let wall = [Vec3::new(-9.0, -9.0, 0.2), Vec3::new(9.0, -9.0, 0.2), Vec3::new(0.0, 9.0, 0.2)];
    assert!(cube.overlaps(&wall), "through the middle, no corner inside");
    // Beside an edge: only a plane along neither the faces nor the triangle separates them.
    let beside = [Vec3::new(0.8, 0.8, -3.0), Vec3::new(0.8, 0.8, 3.0), Vec3::new(3.0, -1.3, 0.0)];
    assert!(!cube.overlaps(&beside));
}

#[test]
fn a_flat_box_is_a_rectangle() {
    let placement = Isometry::new(DQuat::from_rotation_y(0.7), DVec3::new(3.0, -2.0, 5.0));
    let sheet = Probe::cuboid(placement, Vec3::new(1.0, 0.0, 1.0)).unwrap();
    let at = |x: f64, y: f64, z: f64| placement.transform_point(DVec3::new(x, y, z)).as_vec3();
    assert!(sheet.overlaps(&[at(0.3, 1.0, 0.2), at(0.1, -1.0, 0.0), at(0.0, -1.0, 0.4)]));
    assert!(!sheet.overlaps(&[at(0.3, 1.0, 0.2), at(0.1, 0.01, 0.0), at(0.0, 0.01, 0.4)]));
    assert!(!sheet.overlaps(&[at(2.3, 1.0, 0.2), at(2.1, -1.0, 0.0), at(2.0, -1.0, 0.4)]));
}

#[test]
fn a_hull_of_a_box_is_that_box() {
    let placement = Isometry::new(DQuat::from_rotation_x(0.4) * DQuat::from_rotation_z(1.1), DVec3::ONE);
    let half = Vec3::new(0.3, 0.7, 0.2);
    let cuboid = Probe::cuboid(placement, half).unwrap();
    let corner =
        |i: u32| Vec3::from_array([0, 1, 2].map(|b| if i >> b & 1 == 1 { 1.0 } else { -1.0 })) * half;
    let corners: Vec<Vec3> = (0..8).map(|i| placement.transform_point(corner(i)).as_vec3()).collect();
    let hull = Probe::hull(&corners).unwrap();
    let number = |i: u32| (f64::from(i) * 12.9898).sin() as f32 * 1.5;
    let mut both = 0;
    for i in 0..2000 {
        let triangle = [0, 3, 6]
            .map(|k| Vec3::new(number(9 * i + k), number(9 * i + k + 1), number(9 * i + k + 2)) + 1.0);
        assert_eq!(cuboid.overlaps(&triangle), hull.overlaps(&triangle), "{triangle:?}");
        both += u32::from(hull.overlaps(&triangle));
    }
    assert!(both > 200 && both < 1800);
    assert!(cuboid.bounds().min.cmple(hull.bounds().min).all());
}
