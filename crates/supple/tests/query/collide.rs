//! Collisions of small hostile models against brute force: complete sorted results, every model against every other.

use std::sync::Arc;

use crate::subjects::random_model::{RestKind, grid_soup, random_model, random_pose};
use glam::{Quat, Vec3};
use supple::math::Isometry;
use supple::mesh::Mesh;
use supple::model::Model;
use supple::oracle::{self, PosedMesh};
use supple::refit::VolumeKind;
use supple::{Body, BuildOptions, CollideOptions, Shape, Skinning, collide, collide_any};
use supple::{collide_with, contact_details};

/// All ways to ask agree with brute force; returns the number of pairs.
fn assert_exact(a: &mut Body, b: &mut Body, what: &str) -> usize {
    let (positions_a, positions_b) = (a.positions(), b.positions());
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    let expected = oracle::collide(
        PosedMesh::new(model_a.mesh(), &positions_a),
        PosedMesh::new(model_b.mesh(), &positions_b),
    );
    for volume in [VolumeKind::Box, VolumeKind::Sphere] {
        let answer = collide_with(a, b, &CollideOptions::default().with_volume(volume));
        assert_eq!(answer.found.pairs, expected, "{what}, {volume:?}");
        assert!(answer.found.is_complete());
    }
    let first = collide_any(a, b).found;
    assert_eq!(first.is_some(), !expected.is_empty(), "{what}");
    assert!(first.is_none_or(|pair| expected.contains(&pair)), "{what}: {first:?}");
    expected.len()
}

fn shape(model: Model, leaf_size: usize) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default().with_leaf_size(leaf_size)).unwrap())
}

fn body(model: Model) -> Body {
    Body::new(&shape(model, 2), Skinning::Linear).unwrap()
}

#[test]
fn every_model_against_every_other() {
    let mut contacts = 0;
    for seed in 0..40 {
        for kind_a in RestKind::ALL {
            for kind_b in RestKind::ALL {
                let (model_a, model_b) = (random_model(seed, kind_a), random_model(seed + 1000, kind_b));
                let (shape_a, shape_b) = (shape(model_a.clone(), 4), shape(model_b.clone(), 1));
                for (i, skinning_a) in Skinning::ALL.into_iter().enumerate() {
                    let skinning_b = Skinning::ALL[(i + seed as usize) % 3];
                    let mut a = Body::new(&shape_a, skinning_a).unwrap();
                    let mut b = Body::new(&shape_b, skinning_b).unwrap();
                    a.set_pose(&random_pose(&model_a, seed, seed % 2 == 0)).unwrap();
                    let aside = Isometry::from_translation(Vec3::X * (seed % 7) as f32);
                    b.set_pose_at(&random_pose(&model_b, seed + 7, false), aside).unwrap();
                    contacts += assert_exact(&mut a, &mut b, &format!("seed {seed} {kind_a:?} {kind_b:?}"));
                }
            }
        }
    }
    assert!(contacts > 10_000, "the models meet: {contacts}");
}

#[test]
fn exact_degeneracies_on_a_grid() {
    for seed in 0..60 {
        let size = 2 + (seed % 5) as usize;
        for leaf_size in [1, 3, 8] {
            let mut a = Body::new(&shape(grid_soup(seed, size, 60), leaf_size), Skinning::Linear).unwrap();
            let mut b =
                Body::new(&shape(grid_soup(seed + 500, size, 45), leaf_size), Skinning::Linear).unwrap();
            let touching = assert_exact(&mut a, &mut b, &format!("seed {seed} size {size}"));
            assert!(touching > 0);
            // Side by side, so that only the faces of the grids touch.
            b.set_placement(Isometry::from_translation(Vec3::X * (size - 1) as f32)).unwrap();
            assert_exact(&mut a, &mut b, &format!("seed {seed} size {size}, side by side"));
            b.set_placement(Isometry::from_translation(Vec3::X * size as f32)).unwrap();
            assert_eq!(assert_exact(&mut a, &mut b, "apart"), 0);
        }
    }
}

#[test]
fn one_triangle_bodies() {
    let triangle = || Model::rigid(Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap());
    let (mut a, mut b) = (body(triangle()), body(triangle()));
    for (offset, touch) in [
        (Vec3::ZERO, true),
        (Vec3::new(1.0, 0.0, 0.0), true),
        (Vec3::new(0.5, 0.5, 0.0), true),
        (Vec3::new(1.0, 1e-7, 0.0), false),
        (Vec3::new(0.0, 0.0, 1e-30), false),
    ] {
        b.set_placement(Isometry::from_translation(offset)).unwrap();
        assert_eq!(assert_exact(&mut a, &mut b, &format!("{offset}")), usize::from(touch), "{offset}");
    }
}

#[test]
fn identical_bodies_in_the_same_place_touch_themselves_everywhere() {
    let model = random_model(3, RestKind::Plain);
    let shape = shape(model.clone(), 4);
    for skinning in Skinning::ALL {
        let mut a = Body::new(&shape, skinning).unwrap();
        a.set_pose(&random_pose(&model, 5, false)).unwrap();
        let mut b = a.clone();
        assert_exact(&mut a, &mut b, "identical");
        let pairs = collide(&mut a, &mut b).found;
        for t in 0..model.mesh().triangles().len() as u32 {
            assert!(pairs.contains(&[t, t]));
            assert!(pairs.iter().all(|&[i, j]| pairs.binary_search(&[j, i]).is_ok()), "symmetric");
        }
    }
}

fn ball_model(radius: f32) -> Model {
    // An octahedron is enough to be inside of.
    let r = radius;
    let positions =
        vec![Vec3::X * r, Vec3::NEG_X * r, Vec3::Y * r, Vec3::NEG_Y * r, Vec3::Z * r, Vec3::NEG_Z * r];
    let triangles =
        vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
    Model::rigid(Mesh::new(positions, triangles).unwrap())
}

#[test]
fn one_inside_the_other_does_not_touch() {
    let (mut inner, mut outer) = (body(ball_model(0.1)), body(ball_model(1.0)));
    assert_eq!(assert_exact(&mut inner, &mut outer, "inside"), 0);
    inner.set_placement(Isometry::from_translation(Vec3::X * 0.9)).unwrap();
    assert!(assert_exact(&mut inner, &mut outer, "touching the corner from inside") > 0);
}

#[test]
fn a_second_query_of_the_same_pose_computes_nothing_again() {
    let model = random_model(11, RestKind::Fields);
    let shape = shape(model.clone(), 2);
    let mut a = Body::new(&shape, Skinning::Spherical).unwrap();
    let mut b = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    a.set_pose(&random_pose(&model, 1, false)).unwrap();
    let first = collide(&mut a, &mut b);
    let second = collide(&mut a, &mut b);
    assert!(first.stats.refits > 0 && first.stats.vertices_deformed > 0);
    assert_eq!(first.found, second.found);
    let mut known = first.stats;
    (known.refits, known.vertices_deformed) = (0, 0);
    assert_eq!(second.stats, known);
    let nodes = 2 * shape.node_count() as u64;
    // A vertex is posed once for each leaf that has it, at most.
    let corners = 2 * 3 * model.mesh().triangles().len() as u64;
    assert!(first.stats.refits <= nodes && first.stats.vertices_deformed <= corners);
    // Another pose is computed anew, and going back gives the first answer again.
    let (pose_a, pose_b) = (random_pose(&model, 1, false), random_pose(&model, 2, false));
    a.set_pose(&pose_b).unwrap();
    collide(&mut a, &mut b);
    a.set_pose(&pose_a).unwrap();
    assert_eq!(collide(&mut a, &mut b).found, first.found);
}

#[test]
fn contact_details_lie_on_both_triangles() {
    let (model_a, model_b) = (random_model(21, RestKind::Fields), random_model(22, RestKind::Plain));
    let mut a = Body::new(&shape(model_a.clone(), 4), Skinning::DualQuaternion).unwrap();
    let mut b = Body::new(&shape(model_b, 4), Skinning::Linear).unwrap();
    a.set_pose(&random_pose(&model_a, 9, false)).unwrap();
    let pairs = collide(&mut a, &mut b).found;
    assert!(!pairs.is_empty());
    for pair in pairs {
        let details = contact_details(&mut a, &mut b, pair).expect("a reported pair touches");
        for (body, side) in [(&mut a, &details.a), (&mut b, &details.b)] {
            let model = Arc::clone(body.shape().model());
            let corners = model.mesh().triangles()[side.triangle as usize];
            for (end, weights) in side.barycentrics.iter().enumerate() {
                let on_triangle: Vec3 =
                    corners.iter().zip(weights).map(|(&v, &w)| body.position(v) * w).sum();
                assert!(on_triangle.distance(details.segment[end]) < 1e-4);
            }
            let total: f32 = side.joints.iter().map(|(_, w)| w).sum();
            assert!((total - 1.0).abs() < 1e-4);
            assert!(side.joints.windows(2).all(|w| w[0].1 >= w[1].1));
        }
    }
    let apart = [0, 0];
    a.set_placement(Isometry::new(Quat::IDENTITY.as_dquat(), Vec3::X * 100.0)).unwrap();
    assert_eq!(contact_details(&mut a, &mut b, apart), None);
}
