//! Paths through corners and edges of a surface.

use glam::Vec3;
use supple::oracle::{self, PosedMesh};
use supple::{Mesh, Point, PointLocation};

#[test]
fn paths_through_corners_and_edges_are_counted_once() {
    let corners = vec![Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    let octahedron = Mesh::new(corners, triangles).unwrap();
    let locate = |point: Vec3| {
        let posed = PosedMesh::new(&octahedron, octahedron.positions());
        oracle::locate_point(posed, Point::new(point).unwrap())
    };
    // Through the corner, through an edge, through a face.
    for inside in [Vec3::ZERO, Vec3::X * 0.99, Vec3::Y * 0.5, Vec3::Z * 0.5, Vec3::splat(0.3)] {
        let PointLocation { on_surface, crossings, winding, .. } = locate(inside);
        assert_eq!((on_surface, crossings, winding), (false, 1, 1), "{inside}");
    }
    for outside in [Vec3::X * 1.01, Vec3::X * -2.0, Vec3::new(-1.0, 0.5, 0.0), Vec3::new(-1.0, 1.0, 0.0)] {
        assert_eq!((locate(outside).is_inside(), locate(outside).winding), (false, 0), "{outside}");
    }
    for on in [Vec3::X, Vec3::NEG_Y, Vec3::new(0.5, 0.5, 0.0), Vec3::new(0.25, 0.25, -0.5)] {
        assert!(locate(on).on_surface && locate(on).is_inside(), "{on}");
    }
}
