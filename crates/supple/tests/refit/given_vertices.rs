//! Bodies of given vertices: whatever the update and the volumes, bounds obey their law and every query equals brute force.

use std::sync::Arc;

use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::law::{VOLUMES, assert_law};
use crate::subjects::random_model::{Random, RestKind, grid_soup, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::{DQuat, DVec3, Quat, Vec3};
use supple::math::{Aabb, Isometry};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::oracle::{self, PosedMesh};
use supple::pose::{Motion, PoseError};
use supple::refit::{VolumeKind, bound_exactly};
use supple::{
    Body, Budget, BuildOptions, Certificates, CollideOptions, Distance, Groups, Pair, Point, Probe, Ray,
    Scene, SelfFilter, Shape, Skinning, VertexUpdate, cast_ray, cast_ray_all, closest_point, closest_points,
    collide, collide_any, collide_with, contact_details, locate_point, overlap, pairs_within,
    ray_hit_details, self_collide_with, time_of_contact,
};

fn pairs_by(volume: VolumeKind, a: &mut Body, b: &mut Body) -> Vec<Pair> {
    collide_with(a, b, &CollideOptions::default().with_volume(volume)).found.pairs
}

/// All ways to find pairs agree with brute force; returns how many there are.
fn assert_pairs(a: &mut Body, b: &mut Body, what: &str) -> usize {
    let (positions_a, positions_b) = (a.positions(), b.positions());
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    let expected = oracle::collide(
        PosedMesh::new(model_a.mesh(), &positions_a),
        PosedMesh::new(model_b.mesh(), &positions_b),
    );
    for volume in VOLUMES {
        assert_eq!(pairs_by(volume, a, b), expected, "{what}, {volume:?}");
    }
    assert_eq!(collide(a, b).found, expected, "{what}");
    let first = collide_any(a, b).found;
    assert_eq!(first.is_some(), !expected.is_empty(), "{what}");
    assert!(first.is_none_or(|pair| expected.binary_search(&pair).is_ok()), "{what}: {first:?}");
    let endless = CollideOptions::default().with_budget(Budget::until(&|| false));
    let partial = collide_with(a, b, &endless).found;
    assert!(partial.is_complete() && partial.pairs == expected, "{what}");
    for &pair in expected.iter().take(3) {
        let details = contact_details(a, b, pair).expect("a pair that touches");
        assert_eq!([details.a.triangle, details.b.triangle], pair, "{what}");
    }
    expected.len()
}

/// Everything else that can be asked.
fn assert_other_queries(a: &mut Body, b: &mut Body, what: &str) {
    let (positions_a, positions_b) = (a.positions(), b.positions());
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    let (mesh_a, mesh_b) =
        (PosedMesh::new(model_a.mesh(), &positions_a[..]), PosedMesh::new(model_b.mesh(), &positions_b[..]));
    let around = Aabb::from_points(positions_a.iter().copied());
    assert_eq!(
        a.bound(),
        around_triangles(model_a.mesh(), &positions_a),
        "{what}: unions of boxes are exact"
    );
    let (size, middle) = ((around.max - around.min).max_element().max(1e-3), around.center());

    let unlimited = Distance::UNLIMITED;
    assert_eq!(
        closest_points(a, b, unlimited).found,
        oracle::closest_points(mesh_a, mesh_b, unlimited),
        "{what}"
    );
    let tolerance = Distance::new(size * 0.02).unwrap();
    assert_eq!(
        pairs_within(a, b, tolerance).found,
        oracle::pairs_within(mesh_a, mesh_b, tolerance),
        "{what}"
    );

    for (i, direction) in [Vec3::X, Vec3::NEG_Y, Vec3::new(0.3, 0.5, -1.0)].into_iter().enumerate() {
        let aside = Vec3::splat(0.07 * i as f32) * size;
        let ray = Ray::new(middle - direction * size * 2.0 + aside, direction).unwrap();
        let expected = oracle::cast_ray_all(mesh_a, ray);
        assert_eq!(cast_ray_all(a, ray).found, expected, "{what}");
        let first = cast_ray(a, ray).found;
        assert_eq!(first, expected.first().copied(), "{what}");
        if let Some(hit) = first {
            let off = ray_hit_details(a, hit).point.distance(ray.point_at(hit.time));
            assert!(off <= size * 1e-3, "{what}: {off}");
        }
        let point = Point::new(middle + aside * 3.0).unwrap();
        let expected = oracle::closest_point(mesh_a, point, unlimited);
        assert_eq!(closest_point(a, point, unlimited).found, expected, "{what}");
    }
    let probe = Probe::sphere(middle, size * 0.3).unwrap();
    assert_eq!(overlap(a, &probe).found, oracle::overlap(mesh_a, &probe), "{what}");
    for filter in [SelfFilter::default(), SelfFilter::default().with_rings(1)] {
        let expected = oracle::self_collide_with(&model_a, &positions_a, &filter);
        assert_eq!(self_collide_with(a, &filter).unwrap().found, expected, "{what} {filter:?}");
    }
}

fn around_triangles(mesh: &Mesh, positions: &[Vec3]) -> Aabb {
    Aabb::from_points(mesh.triangles().as_flattened().iter().map(|&v| positions[v as usize]))
}

/// A square of so many cells on a side, in the plane of x and y.
fn sheet(cells: u32) -> Model {
    let side = cells + 1;
    let positions = (0..side * side).map(|i| Vec3::new((i % side) as f32, (i / side) as f32, 0.0)).collect();
    let cell = |i: u32| {
        let corner = i / cells * side + i % cells;
        [[corner, corner + 1, corner + side], [corner + 1, corner + side + 1, corner + side]]
    };
    Model::rigid(Mesh::new(positions, (0..cells * cells).flat_map(cell).collect()).unwrap())
}

fn body(shape: &Arc<Shape>) -> Body {
    Body::new(shape, Skinning::Linear).unwrap()
}

/// Two copies of a character in different poses; their vertices, fed in, give the same pairs.
fn check_character(name: &str, shape: &Arc<Shape>, share: f32) {
    let model = shape.model();
    for (i, skinning) in Skinning::ALL.into_iter().enumerate() {
        let mut a = Body::new(shape, skinning).unwrap();
        let mut b = Body::new(shape, Skinning::ALL[(i + 1) % 3]).unwrap();
        a.set_pose(&pose_at(model, i, 0.2)).unwrap();
        let extent = a.bound();
        let aside = Isometry::from_translation((extent.max - extent.min) * Vec3::X * share);
        b.set_pose_at(&pose_at(model, 0, 0.5), aside).unwrap();
        let (positions_a, positions_b) = (a.positions(), b.positions());
        let expected = collide(&mut a, &mut b).found;
        assert!(!expected.is_empty(), "{name} meets itself");
        let mut filter = SelfFilter::default();
        filter.same_joint = true;
        let own = self_collide_with(&mut a, &filter).unwrap().found;
        let mut fed_a = Body::new(shape, skinning).unwrap();
        let mut fed_b = fed_a.clone();
        for update in VertexUpdate::ALL {
            let what = format!("{name} {skinning:?} {update:?}");
            fed_a.set_vertices(&positions_a, update).unwrap();
            fed_b.set_vertices(&positions_b, update).unwrap();
            assert_eq!((fed_a.positions(), fed_b.positions()), (positions_a.clone(), positions_b.clone()));
            for volume in VOLUMES {
                assert_eq!(pairs_by(volume, &mut fed_a, &mut fed_b), expected, "{what} {volume:?}");
                // Against a posed body as well.
                assert_eq!(pairs_by(volume, &mut fed_a, &mut b), expected, "{what} {volume:?}");
            }
            assert_law(&mut fed_a, &what);
            assert_eq!(self_collide_with(&mut fed_a, &filter).unwrap().found, own, "{what}");
        }
    }
}

#[test]
fn posed_characters_fed_in_vertex_by_vertex() {
    for (name, share) in [("man", 0.25), ("creature", 0.3), ("face", 0.4)] {
        check_character(name, &zoo(name), share);
    }
}

#[test]
fn real_files_fed_in_vertex_by_vertex() {
    let Some(folder) = crate::assets::assets() else { return };
    for file in [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/MorphStressTest.glb",
        "quaternius/RobotExpressive.glb",
        "babylon/bars.glb",
    ] {
        check_character(file, &shape_of(supple_io::load(folder.join(file)).unwrap()), 0.25);
    }
}

#[test]
fn a_sheet_waves_over_a_ball() {
    let cloth = shape_of(sheet(24));
    let ball = zoo("dwarf");
    let (mut sheet, mut solid) = (body(&cloth), body(&ball));
    let extent = solid.bound();
    let size = (extent.max - extent.min).max_element();
    let mut contacts = 0;
    for frame in 0..6 {
        let phase = frame as f32 * 0.9;
        let wave = |p: &Vec3| {
            let z = ((p.x * 0.5 + phase).sin() + (p.y * 0.3 - phase).cos()) * 1.5;
            (Vec3::new(p.x, p.y, z) / 24.0 - Vec3::new(0.5, 0.5, 0.0)) * size + extent.center()
        };
        let waved: Vec<Vec3> = cloth.model().mesh().positions().iter().map(wave).collect();
        for update in VertexUpdate::ALL {
            let what = format!("frame {frame} {update:?}");
            sheet.set_vertices(&waved, update).unwrap();
            assert_law(&mut sheet, &what);
            contacts += assert_pairs(&mut sheet, &mut solid, &what);
            assert_pairs(&mut solid, &mut sheet, &what);
            assert_other_queries(&mut sheet, &mut solid, &what);
            assert_eq!(sheet.positions(), waved, "{what}");
            let boxes = supple_papers::library_tightness(&mut sheet, VolumeKind::Box);
            assert!(boxes.iter().all(|level| (level.mean, level.worst) == (1.0, 1.0)), "{what} {boxes:?}");
            let spheres = supple_papers::library_tightness(&mut sheet, VolumeKind::Sphere);
            assert!(spheres.iter().all(|level| level.worst < 1.5), "{what} {spheres:?}");
        }
    }
    assert!(contacts > 100, "they meet: {contacts}");
}

/// The certificates of a rigid body say that none of its triangles meet. They must be off.
#[test]
fn a_crumpled_sheet_touches_itself() {
    let shape = shape_of(sheet(20));
    let (mut cloth, mut flat) = (body(&shape), body(&shape));
    let mut random = Random(3);
    let crumpled: Vec<Vec3> = shape
        .model()
        .mesh()
        .positions()
        .iter()
        .map(|p| Vec3::new((p.x * 0.9).sin() * 3.0, p.y * 0.2, (p.x * 0.7).cos()) + random.vec3() * 0.1)
        .collect();
    for update in VertexUpdate::ALL {
        cloth.set_vertices(&crumpled, update).unwrap();
        for filter in [
            SelfFilter::default(),
            SelfFilter::default().with_rings(2),
            SelfFilter::default().without_creases(),
        ] {
            let expected = oracle::self_collide_with(shape.model(), &crumpled, &filter);
            assert_eq!(expected.is_empty(), filter.same_joint, "one joint moves all of it");
            for certificates in [Certificates::Used, Certificates::Ignored] {
                let filter = filter.clone().with_certificates(certificates);
                let pairs = self_collide_with(&mut cloth, &filter).unwrap().found;
                assert_eq!(pairs, expected, "{update:?} {filter:?} {certificates:?}");
            }
        }
        assert_pairs(&mut cloth, &mut flat, "crumpled and flat");
    }
    cloth.set_pose(&shape.model().rest_pose()).unwrap();
    assert!(self_collide_with(&mut cloth, &SelfFilter::default()).unwrap().found.is_empty(), "flat again");
}

#[test]
fn garbage() {
    let mut contacts = 0;
    for seed in 0..30u64 {
        let mut random = Random(seed + 77);
        let (model_a, model_b) =
            (random_model(seed, RestKind::ALL[seed as usize % 3]), grid_soup(seed, 3, 50));
        let shape = |model: Model, leaf_size| {
            Arc::new(Shape::build(model, &BuildOptions::default().with_leaf_size(leaf_size)).unwrap())
        };
        let shapes = [shape(model_a, 1 + seed as usize % 8), shape(model_b, 3)];
        let size = [1.0f32, 1e-30, 1e17, 0.0, 1e-3][seed as usize % 5];
        let positions = shapes.each_ref().map(|shape| -> Vec<Vec3> {
            let count = shape.model().mesh().positions().len();
            // On a grid every third time, so that triangles coincide and have no area.
            let place = |p: Vec3| if seed % 3 == 0 { (p * 3.0).round() } else { p };
            (0..count).map(|_| place(random.vec3()) * size).collect()
        });
        for update in VertexUpdate::ALL {
            let [mut a, mut b] = shapes.each_ref().map(body);
            a.set_vertices(&positions[0], update).unwrap();
            b.set_vertices(&positions[1], update).unwrap();
            let what = format!("seed {seed} {update:?}");
            assert_law(&mut a, &what);
            assert_law(&mut b, &what);
            contacts += assert_pairs(&mut a, &mut b, &what);
            let expected =
                oracle::self_collide_with(shapes[0].model(), &positions[0], &SelfFilter::default());
            assert_eq!(self_collide_with(&mut a, &SelfFilter::default()).unwrap().found, expected, "{what}");
            if size == 1.0 {
                assert_other_queries(&mut a, &mut b, &what);
            }
        }
    }
    assert!(contacts > 10_000, "they meet: {contacts}");
}

#[test]
fn one_triangle_and_triangles_without_area() {
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y];
    let shape = shape_of(Model::rigid(Mesh::new(corners.to_vec(), vec![[0, 1, 2]]).unwrap()));
    let (mut a, mut b) = (body(&shape), body(&shape));
    for update in VertexUpdate::ALL {
        for (points, touches) in [
            (corners, true),
            ([Vec3::splat(0.25) * Vec3::new(1.0, 1.0, 0.0); 3], true),
            ([Vec3::splat(0.25); 3], false),
            ([Vec3::new(0.2, 0.2, -1.0), Vec3::new(0.2, 0.2, 1.0), Vec3::new(0.2, 0.2, 0.5)], true),
            ([Vec3::Z, Vec3::X + Vec3::Z, Vec3::Y + Vec3::Z], false),
        ] {
            a.set_vertices(&points, update).unwrap();
            assert_law(&mut a, "one triangle");
            assert_eq!(assert_pairs(&mut a, &mut b, "one triangle"), usize::from(touches), "{points:?}");
            assert_other_queries(&mut a, &mut b, "one triangle");
        }
    }
}

#[test]
fn to_and_fro_between_poses_and_vertices() {
    let shape = zoo("dwarf");
    let model = shape.model();
    let mut random = Random(5);
    let mut other = body(&shape);
    other.set_placement(Isometry::from_translation(Vec3::new(0.2, 0.03, 0.0))).unwrap();
    for skinning in Skinning::ALL {
        let mut changing = Body::new(&shape, skinning).unwrap();
        for step in 0..9 {
            let pose = random_pose(model, step, false);
            let mut fresh = Body::new(&shape, skinning).unwrap();
            let update = VertexUpdate::ALL[step as usize % 3];
            let what = format!("{skinning:?}, step {step}, {update:?}");
            if step % 2 == 0 {
                let rest = model.mesh().positions();
                let shaken: Vec<Vec3> = rest.iter().map(|p| *p * 1.1 + random.vec3() * 0.01).collect();
                changing.set_vertices(&shaken, update).unwrap();
                fresh.set_vertices(&shaken, update).unwrap();
            } else if step % 4 == 1 {
                changing.set_pose(&pose).unwrap();
                fresh.set_pose(&pose).unwrap();
            } else {
                let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
                changing.set_joint_matrices(&matrices, &pose.coefficients).unwrap();
                fresh.set_joint_matrices(&matrices, &pose.coefficients).unwrap();
            }
            assert_eq!(changing.positions(), fresh.positions(), "{what}");
            let (found, expected) = (collide(&mut changing, &mut other), collide(&mut fresh, &mut other));
            assert_eq!(found.found, expected.found, "{what}");
            assert_law(&mut changing, &what);
            let filter = SelfFilter::default();
            let found = self_collide_with(&mut changing, &filter).unwrap().found;
            assert_eq!(found, self_collide_with(&mut fresh, &filter).unwrap().found, "{what}");
        }
    }
}

#[test]
fn placed_vertices() {
    let shape = shape_of(sheet(12));
    let rest = shape.model().mesh().positions().to_vec();
    let mut random = Random(9);
    let (mut posed, mut other) = (body(&shape), body(&shape));
    for update in VertexUpdate::ALL {
        let mut given = body(&shape);
        given.set_vertices(&rest, update).unwrap();
        for _ in 0..4 {
            let place = Isometry::from_rotation_translation(random.rotation(), random.vec3() * 5.0);
            given.set_placement(place).unwrap();
            posed.set_placement(place).unwrap();
            assert_eq!(given.positions(), posed.positions(), "as a vertex of one joint");
            assert_eq!(given.placement(), place);
            assert_law(&mut given, "placed");
            assert_pairs(&mut given, &mut other, "placed");
            assert_pairs(&mut other, &mut given, "placed");
            // Placed first, then given.
            let mut later = body(&shape);
            later.set_placement(place).unwrap();
            later.set_vertices(&rest, update).unwrap();
            assert_eq!(later.positions(), given.positions());
            // The placement stays when joints take over.
            later.set_pose(&shape.model().rest_pose()).unwrap();
            assert_eq!(later.positions(), posed.positions());
        }
        given.set_placement(Isometry::IDENTITY).unwrap();
        assert_eq!(given.positions(), rest, "exactly what was given");
    }
}

#[test]
fn what_is_refused_changes_nothing() {
    let shape = shape_of(sheet(4));
    let mut cloth = body(&shape);
    let mut positions = shape.model().mesh().positions().to_vec();
    for update in VertexUpdate::ALL {
        cloth.set_placement(Isometry::IDENTITY).unwrap();
        cloth.set_vertices(&positions, update).unwrap();
        let before = cloth.positions();
        let short = cloth.set_vertices(&positions[1..], VertexUpdate::Rebuild);
        assert_eq!(short, Err(PoseError::VertexCount { expected: 25, found: 24 }));
        assert_eq!(cloth.set_vertices(&[], update), Err(PoseError::VertexCount { expected: 25, found: 0 }));
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let was = std::mem::replace(&mut positions[7], Vec3::new(0.0, bad, 0.0));
            let refused = cloth.set_vertices(&positions, VertexUpdate::Rebuild);
            assert_eq!(refused, Err(PoseError::VertexNotFinite { vertex: 7 }));
            positions[7] = was;
        }
        let was = std::mem::replace(&mut positions[3], Vec3::X * 1.1e18);
        let refused = cloth.set_vertices(&positions, VertexUpdate::Rebuild);
        assert!(matches!(refused, Err(PoseError::VertexTooFar { vertex: 3, .. })), "{refused:?}");
        positions[3] = was;
        let far = Isometry::from_translation(DVec3::X * 2e18);
        assert!(matches!(cloth.set_placement(far), Err(PoseError::VertexTooFar { vertex: 0, .. })));
        let bent = Isometry::new(DQuat::from_xyzw(0.0, 0.0, 0.0, 3.0), DVec3::ZERO);
        assert_eq!(cloth.set_placement(bent), Err(PoseError::NotRigid));
        assert_eq!((cloth.positions(), cloth.placement()), (before, Isometry::IDENTITY));
        assert_law(&mut cloth, "refused");
        // As far as it goes.
        let turned = Isometry::from_rotation_translation(Quat::from_rotation_z(0.7), Vec3::ZERO);
        let wide: Vec<Vec3> = positions.iter().map(|p| *p * 1.7e17).collect();
        cloth.set_vertices(&wide, update).unwrap();
        cloth.set_placement(turned).unwrap();
        assert_law(&mut cloth, "far");
        let too_wide: Vec<Vec3> = positions.iter().map(|p| *p * 2.4e17).collect();
        let refused = cloth.set_vertices(&too_wide, update);
        assert!(matches!(refused, Err(PoseError::VertexTooFar { .. })), "{refused:?}");
    }
}

/// What is eager is done once, for the volumes that are asked for; hybrid leaves the lower half alone.
#[test]
fn counters() {
    let shape = zoo("man");
    let rest = body(&shape).positions();
    let mut far = body(&shape);
    far.set_placement(Isometry::from_translation(Vec3::X * 10.0)).unwrap();
    let mut near = body(&shape);
    near.set_placement(Isometry::from_translation(Vec3::X * 0.3)).unwrap();
    let mut apart = Vec::new();
    for update in VertexUpdate::ALL {
        let mut given = body(&shape);
        given.set_vertices(&rest, update).unwrap();
        let first = collide(&mut given, &mut far).stats;
        assert!(first.refits > 1 && first.vertices_deformed >= rest.len() as u64, "{update:?} {first:?}");
        let again = collide(&mut given, &mut far).stats;
        assert_eq!(
            (again.refits, again.vertices_deformed, again.triangle_tests, again.moments),
            (0, 0, 0, 0)
        );
        let by_spheres = CollideOptions::default().with_volume(VolumeKind::Sphere);
        let spheres = collide_with(&mut given, &mut far, &by_spheres).stats;
        assert!(spheres.refits >= first.refits && spheres.vertices_deformed == 0, "{update:?} {spheres:?}");
        apart.push(first.refits);
        given.set_vertices(&rest, update).unwrap();
        let mut posed = near.clone();
        let touching = collide(&mut given, &mut posed).stats;
        assert!(touching.refits > first.refits, "{update:?} {touching:?}");
        // A posed body poses what it needs; a given one has placed everything.
        assert!(touching.vertices_deformed >= first.vertices_deformed);
    }
    let nodes = shape.node_count() as u64;
    assert_eq!(apart[0], nodes + 1, "all nodes of the one, the root of the other");
    assert!(apart[1] * 2 < apart[0], "hybrid {} of {}", apart[1], apart[0]);
}

#[test]
fn inside() {
    let shape = zoo("dwarf");
    let mut given = body(&shape);
    let extent = given.bound();
    let mut random = Random(12);
    for update in VertexUpdate::ALL {
        let swollen: Vec<Vec3> =
            given.shape().model().mesh().positions().iter().map(|p| *p * 1.3 + Vec3::X * 0.1).collect();
        given.set_vertices(&swollen, update).unwrap();
        let mut inside = 0;
        for _ in 0..40 {
            let point = extent.center() + random.vec3() * (extent.max - extent.min) * 0.6;
            let point = Point::new(point).unwrap();
            let expected = oracle::locate_point(PosedMesh::new(shape.model().mesh(), &swollen), point);
            let found = locate_point(&mut given, point).unwrap().found;
            assert_eq!(found, expected);
            inside += usize::from(found.is_inside());
        }
        assert!(inside > 3);
    }
    // Two twins of a seam, which only the same place makes one.
    let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO];
    let triangles = vec![[0, 2, 1], [4, 1, 3], [0, 3, 2], [1, 2, 3]];
    let shape = shape_of(Model::rigid(Mesh::new(corners.to_vec(), triangles).unwrap()));
    let mut tetrahedron = body(&shape);
    let point = Point::new(Vec3::splat(0.1)).unwrap();
    assert!(locate_point(&mut tetrahedron, point).unwrap().found.is_inside());
    for update in VertexUpdate::ALL {
        tetrahedron.set_vertices(&corners, update).unwrap();
        assert!(locate_point(&mut tetrahedron, point).unwrap().found.is_inside());
        let mut torn = corners;
        torn[4] = Vec3::NEG_ONE;
        tetrahedron.set_vertices(&torn, update).unwrap();
        let refused = locate_point(&mut tetrahedron, point);
        assert!(matches!(refused, Err(error) if error.edges == 4), "{refused:?}");
    }
}

#[test]
fn in_scenes_with_perfect_bounds_and_before_motions() {
    let shape = zoo("dwarf");
    let rest = body(&shape).positions();
    let mut posed = body(&shape);
    posed.set_placement(Isometry::from_translation(Vec3::X * 0.2)).unwrap();
    let expected = collide(&mut body(&shape), &mut posed).found;
    for update in VertexUpdate::ALL {
        let mut given = body(&shape);
        given.set_vertices(&rest, update).unwrap();
        let mut scene = Scene::new();
        let ids = [scene.insert(given.clone(), Groups::ALL), scene.insert(posed.clone(), Groups::ALL)];
        let contacts = scene.collide().found;
        assert_eq!(contacts.len(), 1);
        assert_eq!((contacts[0].bodies, &contacts[0].pairs), (ids, &expected));

        bound_exactly(&mut given);
        let exact = collide(&mut given, &mut posed);
        assert_eq!(exact.found, expected);
        assert_law(&mut given, "exactly");

        // A motion is one of poses: it takes over, and says nothing of the vertices.
        given.set_vertices(&rest.iter().map(|p| *p * 3.0).collect::<Vec<_>>(), update).unwrap();
        let pose = shape.model().rest_pose();
        let at = |x: f32| Isometry::from_translation(Vec3::X * x);
        let still = Motion::of_placement(pose.clone(), at(0.0), at(0.0)).unwrap();
        let away = Motion::of_placement(pose, at(5.0), at(4.0)).unwrap();
        let mut moving = body(&shape);
        let found = time_of_contact([&mut given, &mut moving], [&still, &away], Distance::new(1e-3).unwrap())
            .unwrap();
        assert_eq!((found.found, given.positions()), (None, rest.clone()));
    }
}
