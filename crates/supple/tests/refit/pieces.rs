//! Boxes and spheres of single nodes: they contain every vertex below, whichever node is asked first.

use std::sync::Arc;

use glam::Vec3;
use supple::{Aabb, Body, BuildOptions, Isometry, Model, NodeId, Ray, Shape, Skinning, VertexUpdate};

use crate::subjects::cases::cases;
use crate::subjects::characters::pose_at;
use crate::subjects::law::assert_law;
use crate::subjects::random_model::{RestKind, grid_soup, random_model, random_pose};
use crate::subjects::zoo::zoo;

/// Every node of every level, from the leaves to the root and from the root to the leaves.
fn assert_bounds(body: &mut Body, what: &str) {
    let (positions, model) = (body.positions(), Arc::clone(body.shape().model()));
    let mut fresh = body.clone();
    fresh.set_placement(body.placement()).unwrap();
    let levels = body.shape().depth() as u32 + 8;
    let mut seen = 0;
    for level in (0..levels).rev() {
        for piece in body.pieces(level) {
            let (aabb, sphere) = (body.node_box(piece.node).unwrap(), body.node_sphere(piece.node).unwrap());
            for vertex in piece.triangles.iter().flat_map(|&t| model.mesh().triangles()[t as usize]) {
                let position = positions[vertex as usize];
                assert!(aabb.contains(position), "{what}: vertex {vertex} of {:?} in {aabb:?}", piece.node);
                assert!(
                    sphere.contains(position),
                    "{what}: vertex {vertex} of {:?} in {sphere:?}",
                    piece.node
                );
            }
            seen += 1;
        }
    }
    assert!(seen >= levels);
    for level in 0..levels {
        for piece in fresh.pieces(level) {
            // Once the whole body was posed, boxes that are asked for later are tighter.
            let [found, again] = [&mut fresh, &mut *body].map(|body| body.node_box(piece.node).unwrap());
            for vertex in piece.triangles.iter().flat_map(|&t| model.mesh().triangles()[t as usize]) {
                assert!(
                    found.contains(positions[vertex as usize]) && again.contains(positions[vertex as usize])
                );
            }
            assert_eq!(fresh.node_sphere(piece.node), body.node_sphere(piece.node), "{what}");
        }
    }
    assert_eq!(body.node_box(NodeId(0)), Some(body.bound()), "{what}: the root's is the body's");
    assert_eq!((body.node_box(NodeId(u32::MAX)), body.node_sphere(NodeId(u32::MAX))), (None, None));
    assert_law(body, what);
}

#[test]
fn characters() {
    for name in ["chair", "fish", "man"] {
        let shape = zoo(name);
        for (i, skinning) in Skinning::ALL.into_iter().enumerate() {
            let mut body = Body::new(&shape, skinning).unwrap();
            let aside = Isometry::from_translation(Vec3::new(0.1, 0.05, 0.2) * i as f32);
            body.set_pose_at(&pose_at(shape.model(), i, 0.2), aside).unwrap();
            assert_bounds(&mut body, &format!("{name} {skinning:?}"));
            let after = NodeId(shape.node_count() as u32);
            assert_eq!((body.node_box(after), body.node_sphere(after)), (None, None));
            let last = NodeId(after.0 - 1);
            assert!(body.node_box(last).is_some() && body.node_sphere(last).is_some());
        }
    }
}

#[test]
fn small_hostile_models() {
    let shape = |model: Model, leaf_size| {
        Arc::new(Shape::build(model, &BuildOptions::default().with_leaf_size(leaf_size)).unwrap())
    };
    for seed in 0..cases(4, 12) {
        for kind in RestKind::ALL {
            let shape = shape(random_model(seed, kind), 1 + seed as usize % 3);
            for skinning in Skinning::ALL {
                let mut body = Body::new(&shape, skinning).unwrap();
                body.set_pose(&random_pose(shape.model(), seed, seed % 2 == 0)).unwrap();
                assert_bounds(&mut body, &format!("seed {seed} {kind:?} {skinning:?}"));
            }
        }
        let mut soup = Body::new(&shape(grid_soup(seed, 3, 60), 3), Skinning::Linear).unwrap();
        assert_bounds(&mut soup, &format!("grid {seed}"));
    }
}

#[test]
fn given_vertices() {
    let shape = zoo("dolphin");
    let model = shape.model();
    let frame = model.posed(&pose_at(model, 0, 0.1), Skinning::Linear).unwrap().positions();
    let waved: Vec<Vec3> = frame.iter().map(|p| *p + Vec3::Y * (p.x * 3.0).sin() * 0.05).collect();
    for update in VertexUpdate::ALL {
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        body.set_vertices(&waved, update).unwrap();
        assert_bounds(&mut body, &format!("{update:?}"));
        let around = Aabb::from_points(waved.iter().copied());
        assert_eq!(body.node_box(NodeId(0)), Some(around), "{update:?}: unions of boxes are exact");
    }
}

/// Boxes that a question needed are known until the next pose, and looking at them computes none.
#[test]
fn known_boxes_are_those_that_were_needed() {
    let shape = zoo("man");
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let known = |body: &Body| -> Vec<(NodeId, Aabb)> {
        let all = (0..shape.node_count() as u32).map(NodeId);
        all.filter_map(|node| Some((node, body.known_box(node)?))).collect()
    };
    assert_eq!(known(&body), []);
    supple::cast_ray(&mut body, Ray::new(Vec3::new(0.0, 1.2, 5.0), Vec3::NEG_Z).unwrap());
    let after_ray = known(&body);
    assert!(after_ray.len() > 8 && after_ray.len() < shape.node_count() / 4, "{}", after_ray.len());
    assert_eq!(known(&body), after_ray);
    let positions = body.positions();
    for (node, aabb) in &after_ray {
        for &triangle in shape.node(*node).triangles() {
            let corners = shape.model().mesh().triangles()[triangle as usize];
            assert!(corners.iter().all(|&vertex| aabb.contains(positions[vertex as usize])), "{node:?}");
        }
    }
    assert_eq!(body.known_box(NodeId(shape.node_count() as u32)), None);
    body.set_pose(&pose_at(shape.model(), 0, 0.2)).unwrap();
    assert_eq!(known(&body), []);
}
