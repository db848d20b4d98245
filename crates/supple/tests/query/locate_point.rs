//! Points inside and outside posed bodies: against brute force, and against solid angles.

use crate::subjects::cases::cases;
use crate::subjects::characters::shape_of;
use crate::subjects::random_model::Random;
use crate::subjects::zoo::zoo;
use glam::{DVec3, Vec3};
use supple::math::{Aabb, Isometry};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::oracle::{self, PosedMesh};
use supple::{Body, OpenSurface, Point, PointError, PointLocation, Skinning, locate_point};

fn at(point: Vec3) -> Point {
    Point::new(point).unwrap()
}

fn located(body: &mut Body, point: Vec3) -> Result<PointLocation, OpenSurface> {
    Ok(locate_point(body, at(point))?.found)
}

/// How often a surface is wrapped around a point, by solid angles in f64.
///
/// A. van Oosterom, J. Strackee, The Solid Angle of a Plane Triangle, 1983.
fn winding_by_angles(mesh: &Mesh, positions: &[Vec3], point: Vec3) -> f64 {
    let angle = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(|v| positions[v as usize].as_dvec3() - point.as_dvec3());
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * DVec3::dot(a, b.cross(c)).atan2(below)
    };
    mesh.triangles().iter().map(angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

#[test]
fn posed_zoo_against_brute_force_and_solid_angles() {
    for name in ["man", "creature", "hand", "blob", "dolphin", "chair"] {
        let shape = zoo(name);
        let model = shape.model();
        let mut inside = 0;
        for (i, skinning) in Skinning::ALL.into_iter().enumerate() {
            let mut pose = model.rest_pose();
            if let Some(clip) = model.clips().first() {
                clip.sample_looped(0.3 * i as f64, &mut pose).unwrap();
            }
            let mut body = Body::new(&shape, skinning).unwrap();
            body.set_pose(&pose).unwrap();
            let positions = model.posed_at(&pose, skinning, Isometry::IDENTITY).unwrap().positions();
            let bounds = Aabb::from_points(positions.iter().copied());
            let mut random = Random(i as u64);
            for round in 0..cases(40, 150) {
                let vertex = positions[random.below(positions.len())];
                let mut point = bounds.center() + bounds.half_extents() * random.vec3() * 1.1;
                // Many share a coordinate or two with a vertex, so that the path meets corners and edges.
                match round % 4 {
                    0 => point.y = vertex.y,
                    1 => (point.y, point.z) = (vertex.y, vertex.z),
                    2 => point = vertex + (point - vertex) * 0.05,
                    _ => {}
                }
                let expected = oracle::locate_point(PosedMesh::new(model.mesh(), &positions), at(point));
                let found = located(&mut body, point).unwrap();
                assert_eq!(found, expected, "{name} {skinning:?} {point}");
                inside += usize::from(found.is_inside());
                if !found.on_surface {
                    let winding = winding_by_angles(model.mesh(), &positions, point);
                    let off = (winding - f64::from(found.winding)).abs();
                    assert!(off < 1e-6, "{name} {skinning:?} {point}: {winding} {found:?}");
                    assert_eq!(found.crossings as i32 % 2, found.winding.rem_euclid(2), "the same parity");
                }
            }
            for _ in 0..cases(20, 50) {
                let corners = model.mesh().triangles()[random.below(model.mesh().triangles().len())];
                let found = located(&mut body, positions[corners[0] as usize]).unwrap();
                assert!(found.on_surface && found.is_inside());
            }
        }
        assert!(inside > cases(3, 10), "{name}: {inside}");
    }
}

fn cube(size: f32, at: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner = |i: u32| at + Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32) * size;
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(corner).collect(), triangles)
}

/// Whole points about a cube: on faces, edges and corners, and in their planes.
#[test]
fn a_cube_on_a_grid() {
    let (positions, triangles) = cube(2.0, Vec3::ZERO);
    let shape = shape_of(Model::rigid(Mesh::new(positions, triangles).unwrap()));
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    for (x, y, z) in (0..343).map(|i| (i % 7, i / 7 % 7, i / 49)) {
        let point = Vec3::new(x as f32, y as f32, z as f32) * 0.5 - 0.5;
        let within = Aabb { min: Vec3::ZERO, max: Vec3::splat(2.0) }.contains(point);
        let strictly = point.cmpgt(Vec3::ZERO).all() && point.cmplt(Vec3::splat(2.0)).all();
        let found = located(&mut body, point).unwrap();
        assert_eq!((found.is_inside(), found.on_surface), (within, within && !strictly), "{point}");
        assert_eq!(found.winding, i32::from(strictly));
    }
}

#[test]
fn bodies_that_overlap_themselves_are_wrapped_twice() {
    let ((mut positions, mut triangles), (other, own)) = (cube(2.0, Vec3::ZERO), cube(2.0, Vec3::ONE));
    positions.extend(other);
    triangles.extend(own.iter().map(|t| t.map(|v| v + 8)));
    let shape = shape_of(Model::rigid(Mesh::new(positions, triangles).unwrap()));
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    for (at, crossings, winding) in [(0.5, 1, 1), (1.5, 2, 2), (2.5, 1, 1), (3.5, 0, 0)] {
        let found = located(&mut body, Vec3::new(at, at - 0.1, at + 0.1)).unwrap();
        assert_eq!((found.crossings % 2, found.winding), (crossings % 2, winding));
        assert_eq!(found.is_inside(), winding == 1);
    }
}

#[test]
fn open_meshes_and_points_that_are_nowhere_are_refused() {
    let (positions, mut triangles) = cube(1.0, Vec3::ZERO);
    let whole = shape_of(Model::rigid(Mesh::new(positions.clone(), triangles.clone()).unwrap()));
    let mut body = Body::new(&whole, Skinning::Linear).unwrap();
    for point in [Vec3::NAN, Vec3::X * f32::INFINITY] {
        assert!(matches!(Point::new(point), Err(PointError(_))), "{point}");
    }
    for point in [Vec3::MAX, Vec3::MIN, Vec3::X * -1e30] {
        assert!(!located(&mut body, point).unwrap().is_inside());
    }
    triangles.pop();
    let open = shape_of(Model::rigid(Mesh::new(positions.clone(), triangles.clone()).unwrap()));
    let error = located(&mut Body::new(&open, Skinning::Linear).unwrap(), Vec3::ZERO).unwrap_err();
    assert_eq!(error.edges, 3);
    // A fin: three triangles at an edge.
    triangles = cube(1.0, Vec3::ZERO).1;
    triangles.push([0, 1, 7]);
    let fin = shape_of(Model::rigid(Mesh::new(positions, triangles).unwrap()));
    let error = located(&mut Body::new(&fin, Skinning::Linear).unwrap(), Vec3::ZERO).unwrap_err();
    assert!(error.to_string().contains("3 of its edges"), "{error}");
}

/// Each triangle with corners of its own, as exporters do at seams.
#[test]
fn seams_are_welded() {
    let (positions, triangles) = cube(1.0, Vec3::ZERO);
    let split = triangles.iter().flatten().map(|&v| positions[v as usize]).collect();
    let own = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
    let shape = shape_of(Model::rigid(Mesh::new(split, own).unwrap()));
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    assert!(located(&mut body, Vec3::splat(0.4)).unwrap().is_inside());
}

#[test]
fn real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    let shape = shape_of(supple_io::load(folder.join("khronos/CesiumMan.glb")).unwrap());
    println!("CesiumMan: {:?}", shape.model().edge_counts());
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let positions = body.positions();
    let bounds = Aabb::from_points(positions.iter().copied());
    let mut random = Random(1);
    for _ in 0..300 {
        let point = bounds.center() + bounds.half_extents() * random.vec3();
        match located(&mut body, point) {
            Ok(found) => {
                assert_eq!(
                    found,
                    oracle::locate_point(PosedMesh::new(shape.model().mesh(), &positions), at(point))
                );
            }
            Err(error) => assert_eq!(error.edges, shape.model().edge_counts().odd),
        }
    }
}
