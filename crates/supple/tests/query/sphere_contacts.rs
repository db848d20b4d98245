//! Contacts at a level of the tree against brute force over all pieces: nothing that touches is lost, what is reported overlaps,
//! and what is left out is apart further up.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::random_model::{RestKind, grid_soup, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::{Quat, Vec3};
use supple::narrow::closest_point_of_triangle;
use supple::oracle::{self, PosedMesh};
use supple::{
    Aabb, Answer, Body, BuildOptions, Isometry, Model, NodeId, Pair, Piece, Plane, PlaneError, QueryStats,
    Shape, Skinning, Sphere, TriangleContact, VertexUpdate, sphere_contacts, sphere_contacts_into,
    sphere_plane_contacts, sphere_plane_contacts_into, sphere_triangle_contacts,
    sphere_triangle_contacts_into,
};

/// The pieces of a level, with their spheres and with those of everything above them.
struct Pieces {
    pieces: Vec<Piece>,
    /// Of the piece itself first, then upwards to the root.
    spheres: Vec<Vec<Sphere>>,
    /// By triangle.
    node_of: Vec<NodeId>,
}

fn node_of_triangles(pieces: &[Piece], triangles: usize) -> Vec<NodeId> {
    let nobody = NodeId(u32::MAX);
    let mut node_of = vec![nobody; triangles];
    for piece in pieces {
        assert!(piece.triangles.windows(2).all(|w| w[0] < w[1]));
        for &triangle in &piece.triangles {
            assert_eq!(node_of[triangle as usize], nobody, "every triangle is in one piece");
            node_of[triangle as usize] = piece.node;
        }
    }
    assert!(!node_of.contains(&nobody), "every triangle is in a piece");
    node_of
}

fn pieces_of(body: &mut Body, level: u32) -> Pieces {
    let count = body.shape().model().mesh().triangles().len();
    let levels: Vec<Vec<NodeId>> = (0..=level.min(body.shape().depth() as u32 + 8))
        .rev()
        .map(|level| node_of_triangles(&body.pieces(level), count))
        .collect();
    let pieces = body.pieces(level);
    assert!(pieces.windows(2).all(|w| w[0].node < w[1].node));
    let above = |piece: &Piece| {
        let mut nodes: Vec<NodeId> = levels.iter().map(|level| level[piece.triangles[0] as usize]).collect();
        nodes.dedup();
        nodes.into_iter().map(|node| body.node_sphere(node).unwrap()).collect()
    };
    let spheres = pieces.iter().map(above).collect();
    Pieces { pieces, spheres, node_of: levels[0].clone() }
}

impl Pieces {
    /// Those of the pieces themselves.
    fn own_spheres(&self) -> Vec<Sphere> {
        self.spheres.iter().map(|above| above[0]).collect()
    }
}

/// Returns how many contacts there are, and how many overlapping pairs were left out.
fn check_spheres(a: &mut Body, b: &mut Body, levels: [u32; 2], name: &str) -> [usize; 2] {
    let touching = touching(a, b);
    check_spheres_of(a, b, levels, &touching, name)
}

/// Pairs of triangles that touch, by brute force.
fn touching(a: &mut Body, b: &mut Body) -> Vec<Pair> {
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    oracle::collide(
        PosedMesh::new(model_a.mesh(), &a.positions()),
        PosedMesh::new(model_b.mesh(), &b.positions()),
    )
}

fn check_spheres_of(
    a: &mut Body,
    b: &mut Body,
    levels: [u32; 2],
    touching: &[Pair],
    name: &str,
) -> [usize; 2] {
    let [of_a, of_b] = [pieces_of(a, levels[0]), pieces_of(b, levels[1])];
    let contacts = sphere_contacts(a, b, levels).found;
    assert!(contacts.windows(2).all(|w| w[0].nodes < w[1].nodes), "{name}: ascending, each once");
    let found: BTreeSet<[NodeId; 2]> = contacts.iter().map(|contact| contact.nodes).collect();
    for contact in &contacts {
        assert_eq!(Some(contact.spheres[0]), a.node_sphere(contact.nodes[0]), "{name}");
        assert_eq!(Some(contact.spheres[1]), b.node_sphere(contact.nodes[1]), "{name}");
    }
    for &[own, other] in touching {
        let nodes = [of_a.node_of[own as usize], of_b.node_of[other as usize]];
        assert!(found.contains(&nodes), "{name}: {own} touches {other}, but {nodes:?} is lost");
    }
    let mut overlapping = BTreeSet::new();
    for [own, other] in oracle::sphere_contacts(&of_a.own_spheres(), &of_b.own_spheres()) {
        let [own, other] = [own as usize, other as usize];
        let nodes = [of_a.pieces[own].node, of_b.pieces[other].node];
        let above =
            of_a.spheres[own].iter().all(|own| of_b.spheres[other].iter().all(|other| own.intersects(other)));
        assert!(!above || found.contains(&nodes), "{name}: {nodes:?} overlap, and all above them");
        overlapping.insert(nodes);
    }
    assert!(found.is_subset(&overlapping), "{name}: some of {found:?} are apart");
    [found.len(), overlapping.len() - found.len()]
}

/// Like [`check_spheres`], for triangles of `b`.
fn check_triangles(a: &mut Body, level: u32, b: &mut Body, name: &str) -> usize {
    let touching = touching(a, b);
    check_triangles_of(a, level, b, &touching, name)
}

fn check_triangles_of(a: &mut Body, level: u32, b: &mut Body, touching: &[Pair], name: &str) -> usize {
    let of_a = pieces_of(a, level);
    let contacts = sphere_triangle_contacts(a, b, level).found;
    let key = |contact: &TriangleContact| (contact.node, contact.triangle);
    assert!(contacts.windows(2).all(|w| key(&w[0]) < key(&w[1])), "{name}: ascending, each once");
    let found: BTreeSet<(NodeId, u32)> = contacts.iter().map(key).collect();
    let (model_b, positions_b) = (Arc::clone(b.shape().model()), b.positions());
    let corners = |triangle: u32| {
        model_b.mesh().triangles()[triangle as usize].map(|vertex| positions_b[vertex as usize])
    };
    for contact in &contacts {
        assert_eq!(Some(contact.sphere), a.node_sphere(contact.node), "{name}");
        let nearest = closest_point_of_triangle(contact.sphere.center, &corners(contact.triangle));
        assert_eq!(contact.point, nearest.point.as_vec3(), "{name}");
    }
    for &[own, other] in touching {
        let contact = (of_a.node_of[own as usize], other);
        assert!(found.contains(&contact), "{name}: {own} touches {other}, but {contact:?} is lost");
    }
    let posed_b = PosedMesh::new(model_b.mesh(), &positions_b);
    let mut overlapping = BTreeSet::new();
    for [own, triangle] in oracle::sphere_triangle_contacts(&of_a.own_spheres(), posed_b) {
        let contact = (of_a.pieces[own as usize].node, triangle);
        let reaches = |sphere: &Sphere| {
            let distance_sq = closest_point_of_triangle(sphere.center, &corners(triangle)).distance_sq;
            distance_sq <= f64::from(sphere.radius) * f64::from(sphere.radius)
        };
        let above = of_a.spheres[own as usize].iter().all(reaches);
        assert!(!above || found.contains(&contact), "{name}: {contact:?} overlap, and all above");
        overlapping.insert(contact);
    }
    assert!(found.is_subset(&overlapping), "{name}: some of {found:?} are apart");
    found.len()
}

/// Exactly the pieces that touch the plane with all that is above them.
fn check_planes(a: &mut Body, level: u32, name: &str) -> usize {
    let (of_a, bounds) = (pieces_of(a, level), Aabb::from_points(a.positions()));
    let mut count = 0;
    for (normal, share) in [(Vec3::Y, 0.1), (Vec3::NEG_Y, 0.9), (Vec3::new(0.3, -2.0, 0.7), 0.5)] {
        let through = bounds.min.lerp(bounds.max, share);
        let plane = Plane::new(normal, normal.dot(through)).unwrap();
        let contacts = sphere_plane_contacts(a, plane, level).found;
        let expected: Vec<_> = oracle::sphere_plane_contacts(&of_a.own_spheres(), plane)
            .into_iter()
            .map(|number| (&of_a.pieces[number as usize], &of_a.spheres[number as usize]))
            .filter(|(_, spheres)| spheres.iter().all(|sphere| plane.touches(*sphere)))
            .map(|(piece, spheres)| (piece.node, spheres[0]))
            .collect();
        let found: Vec<_> = contacts.iter().map(|contact| (contact.node, contact.sphere)).collect();
        assert_eq!(found, expected, "{name}");
        let (positions, model) = (a.positions(), Arc::clone(a.shape().model()));
        for (triangle, corners) in model.mesh().triangles().iter().enumerate() {
            if corners.iter().any(|&vertex| plane.height(positions[vertex as usize]) <= 0.0) {
                let node = of_a.node_of[triangle];
                assert!(found.iter().any(|(found, _)| *found == node), "{name}: {triangle} is lost");
            }
        }
        count += found.len();
    }
    count
}

/// Two copies in different poses, turned, beside each other, at several levels, in all skinnings.
fn check_character(name: &str, shape: &Arc<Shape>, levels: &[[u32; 2]]) {
    let model = shape.model();
    let (mut pairs, mut left_out) = (0, 0);
    for (i, skinning_a) in Skinning::ALL.into_iter().enumerate() {
        let mut a = Body::new(shape, skinning_a).unwrap();
        let mut b = Body::new(shape, Skinning::ALL[(i + 1) % 3]).unwrap();
        a.set_pose(&pose_at(model, i, 0.2)).unwrap();
        let bounds = Aabb::from_points(a.positions());
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.3, 0.8 + i as f32, -0.4);
        // About its middle, so that they meet.
        let middle = bounds.center();
        let aside = middle - turn * middle + (bounds.max - bounds.min) * Vec3::new(0.1, 0.05, 0.2);
        let place = Isometry::from_rotation_translation(turn, aside);
        b.set_pose_at(&pose_at(model, 0, 0.5), place).unwrap();
        let touching = touching(&mut a, &mut b);
        assert!(!touching.is_empty(), "{name} meets itself");
        for &[level_a, level_b] in levels {
            let what = format!("{name} {skinning_a:?} at {level_a}, {level_b}");
            let [found, lost] = check_spheres_of(&mut a, &mut b, [level_a, level_b], &touching, &what);
            pairs += found;
            left_out += lost;
            assert!(check_planes(&mut a, level_a, &what) > 0);
        }
        let level = levels[0][0];
        assert!(check_triangles_of(&mut a, level, &mut b, &touching, name) > 0);
    }
    println!("{name}: {pairs} pairs of spheres, {left_out} more that overlap left out");
    assert!(left_out * 20 <= pairs, "{name}: {left_out} left out beside {pairs}");
}

#[test]
fn chairs() {
    check_character("chair", &zoo("chair"), &[[2, 2], [1, 3], [99, 3]]);
}

#[test]
fn fish() {
    check_character("fish", &zoo("fish"), &[[2, 2], [3, 1]]);
}

#[test]
fn men() {
    check_character("man", &zoo("man"), &[[2, 2], [3, 2]]);
}

#[test]
fn cesium_man() {
    let Some(folder) = crate::assets::assets() else { return };
    let shape = shape_of(supple_io::load(folder.join("khronos/CesiumMan.glb")).unwrap());
    check_character("CesiumMan", &shape, &[[2, 2], [1, 4]]);
}

fn small_shape(model: Model, leaf_size: usize) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default().with_leaf_size(leaf_size)).unwrap())
}

#[test]
fn small_hostile_models() {
    let mut total = 0;
    for seed in 0..12 {
        for kind in RestKind::ALL {
            let (model_a, model_b) = (random_model(seed, kind), random_model(seed + 500, RestKind::Plain));
            let (shape_a, shape_b) = (small_shape(model_a.clone(), 2), small_shape(model_b.clone(), 1));
            for skinning in Skinning::ALL {
                let mut a = Body::new(&shape_a, skinning).unwrap();
                let mut b = Body::new(&shape_b, skinning).unwrap();
                a.set_pose(&random_pose(&model_a, seed, seed % 2 == 0)).unwrap();
                let aside = Isometry::from_translation(Vec3::X * (seed % 5) as f32);
                b.set_pose_at(&random_pose(&model_b, seed + 7, false), aside).unwrap();
                for level in 0..4 {
                    let name = format!("seed {seed} {kind:?} {skinning:?} at {level}");
                    total += check_spheres(&mut a, &mut b, [level, 3 - level], &name)[0];
                    total += check_triangles(&mut a, level, &mut b, &name);
                    total += check_planes(&mut b, level, &name);
                }
            }
        }
    }
    assert!(total > 10_000, "they meet: {total}");
}

/// Triangles that are points, lines, or the same.
#[test]
fn flat_triangles_on_a_grid() {
    for seed in 0..20 {
        for leaf_size in [1, 3, 8] {
            let (soup_a, soup_b) = (grid_soup(seed, 3, 60), grid_soup(seed + 500, 3, 45));
            let mut a = Body::new(&small_shape(soup_a, leaf_size), Skinning::Linear).unwrap();
            let mut b = Body::new(&small_shape(soup_b, leaf_size), Skinning::Linear).unwrap();
            for level in [0, 1, 9] {
                assert!(check_spheres(&mut a, &mut b, [level, 9], "grid")[0] > 0);
                assert!(check_triangles(&mut a, level, &mut b, "grid") > 0);
            }
        }
    }
}

/// A body of one triangle has one piece at any level; radii may be 0.
#[test]
fn points() {
    let mesh = supple::mesh::Mesh::new(vec![Vec3::ONE; 3], vec![[0, 1, 2]]).unwrap();
    let shape = small_shape(Model::rigid(mesh), 8);
    assert_eq!((shape.depth(), shape.pieces(u32::MAX).len()), (1, 1));
    let (mut a, mut b) =
        (Body::new(&shape, Skinning::Linear).unwrap(), Body::new(&shape, Skinning::Linear).unwrap());
    for levels in [[0, 0], [u32::MAX; 2]] {
        assert_eq!(check_spheres(&mut a, &mut b, levels, "points"), [1, 0]);
    }
    assert_eq!(
        (a.node_sphere(NodeId(0)), a.node_sphere(NodeId(1))),
        (Some(Sphere::new(Vec3::ONE, 0.0)), None)
    );
    b.set_placement(Isometry::from_translation(Vec3::X * 1e-6)).unwrap();
    assert_eq!(check_spheres(&mut a, &mut b, [0, 0], "points"), [0, 0]);
    // As large and as small as numbers get.
    for scale in [1e-30f32, 1e17] {
        b.set_placement(Isometry::from_translation(Vec3::X * scale)).unwrap();
        check_spheres(&mut a, &mut b, [0, 0], "far points");
    }
}

#[test]
fn levels_from_the_root_to_the_leaves() {
    let shape = zoo("chair");
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let depth = shape.depth() as u32;
    assert!(depth > 3);
    assert_eq!(shape.pieces(0).len(), 1);
    assert_eq!(shape.pieces(depth), shape.pieces(depth - 1));
    assert_eq!(shape.pieces(depth), shape.pieces(u32::MAX));
    assert!(shape.pieces(depth).iter().all(|piece| piece.triangles.len() <= 8));
    let mut other = body.clone();
    let whole = sphere_contacts(&mut body, &mut other, [0, 0]).found;
    assert_eq!(whole.len(), 1);
    assert_eq!(whole[0].nodes, [NodeId(0); 2]);
    other.set_placement(Isometry::from_translation(Vec3::X * 0.3)).unwrap();
    let leaves = sphere_contacts(&mut body, &mut other, [depth, depth]).found;
    assert_eq!(leaves, sphere_contacts(&mut body, &mut other, [u32::MAX; 2]).found);
    // Far apart there is nothing, and vectors are emptied.
    other.set_placement(Isometry::from_translation(Vec3::X * 1e3)).unwrap();
    let mut contacts = leaves;
    sphere_contacts_into(&mut body, &mut other, [3, 3], &mut contacts);
    assert!(contacts.is_empty());
}

/// A vector that is filled gets what is returned otherwise, with the same counters.
#[test]
fn vectors_are_filled_with_the_same() {
    let shape = zoo("fish");
    let a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    b.set_placement(Isometry::from_translation(Vec3::X * 0.01)).unwrap();
    let floor = Plane::new(Vec3::Y, 0.0).unwrap();
    for level in 0..4 {
        let (mut spheres, mut triangles, mut planes) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..2 {
            let stats = sphere_contacts_into(&mut a.clone(), &mut b.clone(), [level, 2], &mut spheres);
            assert_eq!(
                sphere_contacts(&mut a.clone(), &mut b.clone(), [level, 2]),
                Answer { found: spheres.clone(), stats }
            );
            let stats = sphere_triangle_contacts_into(&mut a.clone(), &mut b.clone(), level, &mut triangles);
            assert_eq!(
                sphere_triangle_contacts(&mut a.clone(), &mut b.clone(), level),
                Answer { found: triangles.clone(), stats }
            );
            let stats = sphere_plane_contacts_into(&mut a.clone(), floor, level, &mut planes);
            assert_eq!(
                sphere_plane_contacts(&mut a.clone(), floor, level),
                Answer { found: planes.clone(), stats }
            );
        }
        assert!(!spheres.is_empty() && !triangles.is_empty() && !planes.is_empty());
    }
}

#[test]
fn given_vertices() {
    let shape = zoo("dolphin");
    let model = shape.model();
    let bounds = Aabb::from_points(model.mesh().positions().iter().copied());
    let aside = Isometry::from_translation((bounds.max - bounds.min) * 0.2);
    for update in VertexUpdate::ALL {
        let mut a = Body::new(&shape, Skinning::Linear).unwrap();
        let mut b = Body::new(&shape, Skinning::Linear).unwrap();
        b.set_pose_at(&pose_at(model, 0, 0.4), aside).unwrap();
        let frame = model.posed(&pose_at(model, 0, 0.1), Skinning::Linear).unwrap().positions();
        let frame: Vec<Vec3> = frame.iter().map(|p| *p + Vec3::Y * (p.x * 3.0).sin() * 0.05).collect();
        a.set_vertices(&frame, update).unwrap();
        for level in [0, 2, 4] {
            let name = format!("{update:?} at {level}");
            assert!(check_spheres(&mut a, &mut b, [level, 2], &name)[0] > 0);
            assert!(check_spheres(&mut b, &mut a, [level, 3], &name)[0] > 0);
            assert!(check_planes(&mut a, level, &name) > 0);
        }
        assert!(check_triangles(&mut a, 2, &mut b, "given") > 0);
        assert!(check_triangles(&mut b, 2, &mut a, "given") > 0);
    }
}

#[test]
fn a_second_query_of_the_same_pose_computes_nothing_again() {
    let shape = zoo("chair");
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    a.set_pose(&pose_at(shape.model(), 0, 0.3)).unwrap();
    b.set_placement(Isometry::from_translation(Vec3::X * 0.2)).unwrap();
    let plane = Plane::new(Vec3::Y, 0.2).unwrap();
    let ask = |a: &mut Body, b: &mut Body| {
        [
            sphere_contacts(a, b, [3, 3]).stats,
            sphere_triangle_contacts(a, b, 3).stats,
            sphere_plane_contacts(a, plane, 4).stats,
        ]
    };
    let (first, second) = (ask(&mut a, &mut b), ask(&mut a, &mut b));
    for (first, second) in first.into_iter().zip(second) {
        assert_eq!(second.refits, 0);
        let without_work = |mut stats: QueryStats| {
            (stats.refits, stats.vertices_deformed) = (0, 0);
            stats
        };
        assert_eq!(without_work(first), without_work(second));
    }
    assert!(first[0].refits > 0);
}

#[test]
fn bad_planes() {
    for normal in [Vec3::ZERO, Vec3::splat(f32::NAN), Vec3::X * f32::INFINITY] {
        assert!(matches!(Plane::new(normal, 0.0), Err(PlaneError::Normal(_))));
    }
    for offset in [f32::NAN, f32::INFINITY] {
        assert!(matches!(Plane::new(Vec3::Y, offset), Err(PlaneError::Offset(_))));
    }
    // Tiny and huge normals are directions like any other.
    for scale in [1e-40f32, 1e38] {
        let plane = Plane::new(Vec3::Y * scale, 0.0).unwrap();
        assert_eq!(plane.height(Vec3::Y * 3.0), 3.0);
    }
}
