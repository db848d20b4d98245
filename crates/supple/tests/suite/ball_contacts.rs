//! Contacts at a level of the tree against brute force over all pieces: nothing that touches is lost, what is reported overlaps,
//! and what is left out is apart further up.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::characters::{pose_at, shape_of};
use crate::random_model::{RestKind, grid_soup, random_model, random_pose};
use glam::{Quat, Vec3};
use supple::math::{Aabb, Isometry, Sphere};
use supple::model::Model;
use supple::narrow::{Plane, PlaneError, closest_point_of_triangle};
use supple::oracle::touching_pairs;
use supple::refit::{Update, VolumeKind, violations};
use supple::{
    Body, BuildOptions, Piece, QueryStats, Shape, Skinning, ball_contacts, ball_plane_contacts,
    ball_triangle_contacts,
};

/// The pieces of a level, with their balls and with those of everything above them.
struct Pieces {
    pieces: Vec<Piece>,
    /// Of the piece itself first, then upwards to the root.
    balls: Vec<Vec<Sphere>>,
    /// By triangle.
    node_of: Vec<u32>,
}

fn node_of_triangles(pieces: &[Piece], triangles: usize) -> Vec<u32> {
    let mut node_of = vec![u32::MAX; triangles];
    for piece in pieces {
        assert!(piece.triangles.windows(2).all(|w| w[0] < w[1]));
        for &triangle in &piece.triangles {
            assert_eq!(node_of[triangle as usize], u32::MAX, "every triangle is in one piece");
            node_of[triangle as usize] = piece.node;
        }
    }
    assert!(!node_of.contains(&u32::MAX), "every triangle is in a piece");
    node_of
}

fn pieces_of(body: &mut Body, level: usize) -> Pieces {
    let count = body.shape().model().mesh().triangles().len();
    let levels: Vec<Vec<u32>> = (0..=level.min(body.shape().depth() + 8))
        .rev()
        .map(|level| node_of_triangles(&body.pieces(level), count))
        .collect();
    let pieces = body.pieces(level);
    assert!(pieces.windows(2).all(|w| w[0].node < w[1].node));
    let above = |piece: &Piece| {
        let mut nodes: Vec<u32> = levels.iter().map(|level| level[piece.triangles[0] as usize]).collect();
        nodes.dedup();
        nodes.into_iter().map(|node| body.ball(node).unwrap()).collect()
    };
    let balls = pieces.iter().map(above).collect();
    Pieces { pieces, balls, node_of: levels[0].clone() }
}

impl Pieces {
    /// Every vertex is in all balls above it.
    fn assert_law(&self, body: &mut Body, name: &str) {
        let (positions, model) = (body.positions(), Arc::clone(body.shape().model()));
        for (piece, balls) in self.pieces.iter().zip(&self.balls) {
            for &triangle in &piece.triangles {
                for vertex in model.mesh().triangles()[triangle as usize] {
                    let inside = balls.iter().all(|ball| ball.contains(positions[vertex as usize]));
                    assert!(inside, "{name}: vertex {vertex} of piece {}", piece.node);
                }
            }
        }
    }
}

/// Returns how many contacts there are, and how many overlapping pairs were left out.
fn check_balls(a: &mut Body, b: &mut Body, levels: [usize; 2], name: &str) -> [usize; 2] {
    let touching = touching(a, b);
    check_balls_of(a, b, levels, &touching, name)
}

/// Pairs of triangles that touch, by brute force.
fn touching(a: &mut Body, b: &mut Body) -> Vec<[u32; 2]> {
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    touching_pairs((model_a.mesh(), &a.positions()), (model_b.mesh(), &b.positions()))
}

fn check_balls_of(
    a: &mut Body,
    b: &mut Body,
    levels: [usize; 2],
    touching: &[[u32; 2]],
    name: &str,
) -> [usize; 2] {
    let [of_a, of_b] = [pieces_of(a, levels[0]), pieces_of(b, levels[1])];
    of_a.assert_law(a, name);
    of_b.assert_law(b, name);
    let mut contacts = Vec::new();
    ball_contacts(a, b, levels, &mut contacts);
    assert!(contacts.windows(2).all(|w| w[0].nodes < w[1].nodes), "{name}: ascending, each once");
    let found: BTreeSet<[u32; 2]> = contacts.iter().map(|contact| contact.nodes).collect();
    for contact in &contacts {
        assert_eq!(Some(contact.balls[0]), a.ball(contact.nodes[0]), "{name}");
        assert_eq!(Some(contact.balls[1]), b.ball(contact.nodes[1]), "{name}");
        assert!(contact.balls[0].intersects(&contact.balls[1]), "{name}");
    }
    for &[own, other] in touching {
        let nodes = [of_a.node_of[own as usize], of_b.node_of[other as usize]];
        assert!(found.contains(&nodes), "{name}: {own} touches {other}, but {nodes:?} is lost");
    }
    let mut left_out = 0;
    for (own, balls_a) in of_a.pieces.iter().zip(&of_a.balls) {
        for (other, balls_b) in of_b.pieces.iter().zip(&of_b.balls) {
            let nodes = [own.node, other.node];
            let overlap = balls_a[0].intersects(&balls_b[0]);
            let above = balls_a.iter().all(|own| balls_b.iter().all(|other| own.intersects(other)));
            assert!(overlap || !found.contains(&nodes), "{name}: {nodes:?} are apart");
            assert!(!above || found.contains(&nodes), "{name}: {nodes:?} overlap, and all above them");
            left_out += usize::from(overlap && !found.contains(&nodes));
        }
    }
    [found.len(), left_out]
}

/// Like [`check_balls`], for triangles of `b`.
fn check_triangles(a: &mut Body, level: usize, b: &mut Body, name: &str) -> usize {
    let touching = touching(a, b);
    check_triangles_of(a, level, b, &touching, name)
}

fn check_triangles_of(a: &mut Body, level: usize, b: &mut Body, touching: &[[u32; 2]], name: &str) -> usize {
    let of_a = pieces_of(a, level);
    let mut contacts = Vec::new();
    ball_triangle_contacts(a, level, b, &mut contacts);
    let key = |contact: &supple::TriangleContact| [contact.node, contact.triangle];
    assert!(contacts.windows(2).all(|w| key(&w[0]) < key(&w[1])), "{name}: ascending, each once");
    let found: BTreeSet<[u32; 2]> = contacts.iter().map(key).collect();
    let (model_b, positions_b) = (Arc::clone(b.shape().model()), b.positions());
    let corners = |triangle: u32| {
        model_b.mesh().triangles()[triangle as usize].map(|vertex| positions_b[vertex as usize])
    };
    for contact in &contacts {
        assert_eq!(Some(contact.ball), a.ball(contact.node), "{name}");
        let nearest = closest_point_of_triangle(contact.ball.center, &corners(contact.triangle));
        assert_eq!(contact.point, nearest.point.as_vec3(), "{name}");
    }
    for &[own, other] in touching {
        let contact = [of_a.node_of[own as usize], other];
        assert!(found.contains(&contact), "{name}: {own} touches {other}, but {contact:?} is lost");
    }
    let reaches = |ball: &Sphere, triangle: u32| {
        let distance_sq = closest_point_of_triangle(ball.center, &corners(triangle)).distance_sq;
        distance_sq <= f64::from(ball.radius) * f64::from(ball.radius)
    };
    for (piece, balls) in of_a.pieces.iter().zip(&of_a.balls) {
        for triangle in 0..model_b.mesh().triangles().len() as u32 {
            let contact = [piece.node, triangle];
            if !reaches(&balls[0], triangle) {
                assert!(!found.contains(&contact), "{name}: {contact:?} are apart");
            } else if balls.iter().all(|ball| reaches(ball, triangle)) {
                assert!(found.contains(&contact), "{name}: {contact:?} overlap, and all above");
            }
        }
    }
    found.len()
}

/// Exactly the pieces that reach the plane with all that is above them.
fn check_planes(a: &mut Body, level: usize, name: &str) -> usize {
    let (of_a, bounds) = (pieces_of(a, level), Aabb::from_points(a.positions()));
    let (mut contacts, mut count) = (Vec::new(), 0);
    for (normal, share) in [(Vec3::Y, 0.1), (Vec3::NEG_Y, 0.9), (Vec3::new(0.3, -2.0, 0.7), 0.5)] {
        let through = bounds.min.lerp(bounds.max, share);
        let plane = Plane::new(normal, normal.dot(through)).unwrap();
        ball_plane_contacts(a, level, &plane, &mut contacts);
        let reaches = |balls: &Vec<Sphere>| balls.iter().all(|ball| plane.is_reached_by(ball));
        let expected = of_a.pieces.iter().zip(&of_a.balls).filter(|(_, balls)| reaches(balls));
        let expected: Vec<_> = expected.map(|(piece, balls)| (piece.node, balls[0])).collect();
        let found: Vec<_> = contacts.iter().map(|contact| (contact.node, contact.ball)).collect();
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
fn check_character(name: &str, model: Model, levels: &[[usize; 2]]) {
    let shape = shape_of(model);
    let model = shape.model();
    let (mut pairs, mut left_out) = (0, 0);
    for (i, skinning_a) in Skinning::ALL.into_iter().enumerate() {
        let mut a = Body::new(&shape, skinning_a).unwrap();
        let mut b = Body::new(&shape, Skinning::ALL[(i + 1) % 3]).unwrap();
        a.set_pose(&pose_at(model, i, 0.2)).unwrap();
        let bounds = Aabb::from_points(a.positions());
        let turn = Quat::from_euler(glam::EulerRot::XYZ, 0.3, 0.8 + i as f32, -0.4);
        // About its middle, so that they meet.
        let middle = bounds.center();
        let aside = middle - turn * middle + (bounds.max - bounds.min) * Vec3::new(0.1, 0.05, 0.2);
        let place = Isometry::from_rotation_translation(turn, aside);
        b.set_pose_and_place(&pose_at(model, 0, 0.5), place).unwrap();
        let touching = touching(&mut a, &mut b);
        assert!(!touching.is_empty(), "{name} meets itself");
        for &[level_a, level_b] in levels {
            let what = format!("{name} {skinning_a:?} at {level_a}, {level_b}");
            let [found, lost] = check_balls_of(&mut a, &mut b, [level_a, level_b], &touching, &what);
            pairs += found;
            left_out += lost;
            assert!(check_planes(&mut a, level_a, &what) > 0);
        }
        let level = levels[0][0];
        assert!(check_triangles_of(&mut a, level, &mut b, &touching, name) > 0);
    }
    println!("{name}: {pairs} pairs of balls, {left_out} more that overlap left out");
    assert!(left_out * 20 <= pairs, "{name}: {left_out} left out beside {pairs}");
}

#[test]
fn chairs() {
    check_character("chair", supple_zoo::make("chair", 0).unwrap(), &[[2, 2], [1, 3], [99, 3]]);
}

#[test]
fn fish() {
    check_character("fish", supple_zoo::make("fish", 0).unwrap(), &[[2, 2], [3, 1]]);
}

#[test]
fn men() {
    check_character("man", supple_zoo::make("man", 0).unwrap(), &[[2, 2], [3, 2]]);
}

#[test]
fn cesium_man() {
    let Some(folder) = crate::assets::assets() else { return };
    let model = supple_io::load(folder.join("khronos/CesiumMan.glb")).unwrap();
    check_character("CesiumMan", model, &[[2, 2], [1, 4]]);
}

fn small_shape(model: Model, leaf_size: usize) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions { leaf_size, ..BuildOptions::default() }).unwrap())
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
                b.set_pose_and_place(&random_pose(&model_b, seed + 7, false), aside).unwrap();
                for level in 0..4 {
                    let name = format!("seed {seed} {kind:?} {skinning:?} at {level}");
                    total += check_balls(&mut a, &mut b, [level, 3 - level], &name)[0];
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
                assert!(check_balls(&mut a, &mut b, [level, 9], "grid")[0] > 0);
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
    assert_eq!((shape.depth(), shape.pieces(usize::MAX).len()), (1, 1));
    let (mut a, mut b) =
        (Body::new(&shape, Skinning::Linear).unwrap(), Body::new(&shape, Skinning::Linear).unwrap());
    for levels in [[0, 0], [usize::MAX; 2]] {
        assert_eq!(check_balls(&mut a, &mut b, levels, "points"), [1, 0]);
    }
    assert_eq!((a.ball(0), a.ball(1)), (Some(Sphere::new(Vec3::ONE, 0.0)), None));
    b.place(Isometry::from_translation(Vec3::X * 1e-6)).unwrap();
    assert_eq!(check_balls(&mut a, &mut b, [0, 0], "points"), [0, 0]);
    // As large and as small as numbers get.
    for scale in [1e-30f32, 1e17] {
        b.place(Isometry::from_translation(Vec3::X * scale)).unwrap();
        check_balls(&mut a, &mut b, [0, 0], "far points");
    }
}

#[test]
fn levels_from_the_root_to_the_leaves() {
    let shape = shape_of(supple_zoo::make("chair", 0).unwrap());
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let depth = shape.depth();
    assert!(depth > 3);
    assert_eq!(shape.pieces(0).len(), 1);
    assert_eq!(shape.pieces(depth), shape.pieces(depth - 1));
    assert_eq!(shape.pieces(depth), shape.pieces(usize::MAX));
    assert!(shape.pieces(depth).iter().all(|piece| piece.triangles.len() <= 8));
    let mut other = body.clone();
    let mut contacts = [Vec::new(), Vec::new()];
    ball_contacts(&mut body, &mut other, [0, 0], &mut contacts[0]);
    assert_eq!(contacts[0].len(), 1);
    assert_eq!(contacts[0][0].nodes, [0, 0]);
    other.place(Isometry::from_translation(Vec3::X * 0.3)).unwrap();
    ball_contacts(&mut body, &mut other, [depth, depth], &mut contacts[0]);
    ball_contacts(&mut body, &mut other, [usize::MAX; 2], &mut contacts[1]);
    assert_eq!(contacts[0], contacts[1]);
    // Far apart there is nothing, and the vectors are emptied.
    other.place(Isometry::from_translation(Vec3::X * 1e3)).unwrap();
    ball_contacts(&mut body, &mut other, [3, 3], &mut contacts[0]);
    assert!(contacts[0].is_empty());
}

#[test]
fn given_vertices() {
    let model = supple_zoo::make("dolphin", 0).unwrap();
    let shape = shape_of(model.clone());
    let bounds = Aabb::from_points(model.mesh().positions().iter().copied());
    let aside = Isometry::from_translation((bounds.max - bounds.min) * 0.2);
    for update in Update::ALL {
        let mut a = Body::new(&shape, Skinning::Linear).unwrap();
        let mut b = Body::new(&shape, Skinning::Linear).unwrap();
        b.set_pose_and_place(&pose_at(&model, 0, 0.4), aside).unwrap();
        let frame = model.posed(&pose_at(&model, 0, 0.1), Skinning::Linear).unwrap().positions();
        let frame: Vec<Vec3> = frame.iter().map(|p| *p + Vec3::Y * (p.x * 3.0).sin() * 0.05).collect();
        a.set_vertices(&frame, update).unwrap();
        for level in [0, 2, 4] {
            let name = format!("{update:?} at {level}");
            assert!(check_balls(&mut a, &mut b, [level, 2], &name)[0] > 0);
            assert!(check_balls(&mut b, &mut a, [level, 3], &name)[0] > 0);
            assert!(check_planes(&mut a, level, &name) > 0);
        }
        assert!(check_triangles(&mut a, 2, &mut b, "given") > 0);
        assert!(check_triangles(&mut b, 2, &mut a, "given") > 0);
    }
}

#[test]
fn a_second_query_of_the_same_pose_computes_nothing_again() {
    let shape = shape_of(supple_zoo::make("chair", 0).unwrap());
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    a.set_pose(&pose_at(shape.model(), 0, 0.3)).unwrap();
    b.place(Isometry::from_translation(Vec3::X * 0.2)).unwrap();
    let (mut balls, mut triangles, mut planes) = (Vec::new(), Vec::new(), Vec::new());
    let plane = Plane::new(Vec3::Y, 0.2).unwrap();
    let mut ask = |a: &mut Body, b: &mut Body| {
        [
            ball_contacts(a, b, [3, 3], &mut balls),
            ball_triangle_contacts(a, 3, b, &mut triangles),
            ball_plane_contacts(a, 4, &plane, &mut planes),
        ]
    };
    let (first, second) = (ask(&mut a, &mut b), ask(&mut a, &mut b));
    for (first, second) in first.into_iter().zip(second) {
        assert_eq!(second.refits, 0);
        assert_eq!(
            QueryStats { refits: 0, vertices_deformed: 0, ..first },
            QueryStats { vertices_deformed: 0, ..second }
        );
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

/// The balls of everything obey the law in many poses.
#[test]
fn the_law_in_many_poses() {
    for name in ["chair", "fish", "man", "face"] {
        let shape = shape_of(supple_zoo::make(name, 0).unwrap());
        for skinning in Skinning::ALL {
            let mut body = Body::new(&shape, skinning).unwrap();
            for i in 0..4 {
                body.set_pose(&pose_at(shape.model(), i, 0.37 * i as f64)).unwrap();
                assert!(violations(&mut body, VolumeKind::Ball).is_empty(), "{name} {skinning:?} {i}");
            }
        }
    }
}
