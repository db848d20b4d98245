//! Distances of bodies against brute force, bit by bit: which triangles, how far, and where.

use std::sync::Arc;

use crate::subjects::cases::cases;
use crate::subjects::random_model::{RestKind, grid_soup, random_model, random_pose, sized_model};
use crate::subjects::zoo::zoo;
use glam::{DQuat, Vec3};
use supple::math::{Aabb, Isometry};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::narrow::closest_points_of_triangles;
use supple::oracle::{self, PosedMesh};
use supple::{
    Body, BuildOptions, Distance, Point, PointError, Shape, Skinning, closest_point, closest_points, collide,
    pairs_within,
};

fn shape(model: impl Into<Arc<Model>>, leaf_size: usize) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default().with_leaf_size(leaf_size)).unwrap())
}

fn within(max: f32) -> Distance {
    Distance::new(max).unwrap()
}

/// All questions about two bodies agree with brute force; returns the distance.
fn assert_exact(a: &mut Body, b: &mut Body, what: &str) -> f32 {
    let (positions_a, positions_b) = (a.positions(), b.positions());
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    let (posed_a, posed_b) =
        (PosedMesh::new(model_a.mesh(), &positions_a[..]), PosedMesh::new(model_b.mesh(), &positions_b[..]));
    let closest = oracle::closest_points(posed_a, posed_b, Distance::UNLIMITED).unwrap();
    assert_eq!(closest_points(a, b, Distance::UNLIMITED).found, Some(closest), "{what}");
    let limit = closest.distance;
    // Distances are rounded once, so the next numbers are beyond them for sure.
    assert_eq!(closest_points(a, b, within(limit.next_up())).found, Some(closest), "{what}, within a limit");
    if limit > 0.0 {
        assert_eq!(closest_points(a, b, within(limit.next_down())).found, None, "{what}, beyond the limit");
    }
    let above = limit.max(f32::MIN_POSITIVE) * 1.001;
    // Large meshes far apart would be all pairs of triangles.
    let wider = if positions_a.len() < 200 { 1.5 } else { 1.001 };
    for tolerance in [0.0, above, above * wider] {
        let found = pairs_within(a, b, within(tolerance)).found;
        let expected = oracle::pairs_within(posed_a, posed_b, within(tolerance));
        assert_eq!(found, expected, "{what}, pairs within {tolerance}");
        if tolerance == 0.0 {
            let touching: Vec<_> = found.iter().map(|pair| pair.triangles).collect();
            assert_eq!(touching, collide(a, b).found, "{what}");
        }
    }
    for place in 0..3 {
        let point = positions_b[place * (positions_b.len() - 1) / 2];
        assert_closest_point(a, posed_a, point, what);
        assert_closest_point(b, posed_b, positions_a[0] + Vec3::splat(0.1 * place as f32), what);
    }
    closest.distance
}

fn assert_closest_point(body: &mut Body, posed: PosedMesh, point: Vec3, what: &str) {
    let point = Point::new(point).unwrap();
    let expected = oracle::closest_point(posed, point, Distance::UNLIMITED).unwrap();
    assert_eq!(closest_point(body, point, Distance::UNLIMITED).found, Some(expected), "{what}: {point:?}");
    let limit = expected.distance;
    assert_eq!(closest_point(body, point, within(limit.next_up())).found, Some(expected), "{what}");
    if limit > 0.0 {
        assert_eq!(closest_point(body, point, within(limit.next_down())).found, None, "{what}");
    }
}

#[test]
fn every_model_against_every_other() {
    let (mut touching, mut apart) = (0, 0);
    for seed in 0..12 {
        for kind_a in RestKind::ALL {
            for kind_b in RestKind::ALL {
                let (model_a, model_b) = (random_model(seed, kind_a), random_model(seed + 1000, kind_b));
                let (shape_a, shape_b) = (shape(model_a.clone(), 4), shape(model_b.clone(), 1));
                for (i, skinning_a) in Skinning::ALL.into_iter().enumerate() {
                    let mut a = Body::new(&shape_a, skinning_a).unwrap();
                    let mut b = Body::new(&shape_b, Skinning::ALL[(i + seed as usize) % 3]).unwrap();
                    a.set_pose(&random_pose(&model_a, seed, seed % 2 == 0)).unwrap();
                    let aside = Isometry::from_translation(Vec3::X * (seed % 4) as f32 * 5.0);
                    b.set_pose_at(&random_pose(&model_b, seed + 7, false), aside).unwrap();
                    match assert_exact(&mut a, &mut b, &format!("seed {seed} {kind_a:?} {kind_b:?}")) {
                        0.0 => touching += 1,
                        _ => apart += 1,
                    }
                }
            }
        }
    }
    assert!(touching > 50 && apart > 50, "{touching} touch, {apart} do not");
}

#[test]
fn equal_distances_on_a_grid() {
    for seed in 0..cases(8, 25) {
        for leaf_size in [1, 3, 8] {
            let mut a = Body::new(&shape(grid_soup(seed, 4, 60), leaf_size), Skinning::Linear).unwrap();
            let mut b = Body::new(&shape(grid_soup(seed + 99, 4, 45), leaf_size), Skinning::Linear).unwrap();
            for cells in [0.0, 3.0, 4.0, 7.0] {
                b.set_placement(Isometry::from_translation(Vec3::new(cells, 0.0, cells))).unwrap();
                let found = assert_exact(&mut a, &mut b, &format!("seed {seed}, {cells} cells"));
                assert!(cells < 4.0 || found >= cells - 3.0);
            }
        }
    }
}

/// No skipping at all on either side: also what boxes say is checked.
#[test]
fn the_smallest_of_all_pairs_without_boxes() {
    for seed in 0..10 {
        let (model_a, model_b) = (random_model(seed, RestKind::Plain), grid_soup(seed, 3, 40));
        let mut a = Body::new(&shape(model_a, 4), Skinning::DualQuaternion).unwrap();
        let mut b = Body::new(&shape(model_b, 4), Skinning::Linear).unwrap();
        b.set_placement(Isometry::from_translation(Vec3::X * 2.5)).unwrap();
        let corners = |body: &mut Body| -> Vec<[Vec3; 3]> {
            let (positions, model) = (body.positions(), Arc::clone(body.shape().model()));
            model.mesh().triangles().iter().map(|t| t.map(|v| positions[v as usize])).collect()
        };
        let (triangles_a, triangles_b) = (corners(&mut a), corners(&mut b));
        let all =
            triangles_a.iter().flat_map(|t| triangles_b.iter().map(|u| closest_points_of_triangles(t, u)));
        let least = all.map(|closest| closest.distance()).fold(f64::INFINITY, f64::min);
        let found = closest_points(&mut a, &mut b, Distance::UNLIMITED).found.unwrap();
        assert_eq!(found.distance, least as f32);
    }
}

#[test]
fn tiny_and_huge_bodies() {
    for (size, apart) in [(1e-30f32, 3e-30f32), (1e-12, 1.0), (1e6, 3e6), (1e16, 4e16), (1e16, 0.0)] {
        for seed in 0..4 {
            let (model_a, model_b) =
                (sized_model(seed, RestKind::Plain, size), sized_model(seed + 5, RestKind::Fields, size));
            let mut a = Body::new(&shape(model_a, 4), Skinning::Linear).unwrap();
            let mut b = Body::new(&shape(model_b, 2), Skinning::Spherical).unwrap();
            b.set_placement(Isometry::from_translation(Vec3::new(apart, apart * 0.3, 0.0))).unwrap();
            assert_exact(&mut a, &mut b, &format!("size {size:e}, {apart:e} apart, seed {seed}"));
        }
    }
}

#[test]
fn a_body_inside_another_is_some_distance_away_from_it() {
    let octahedron = |r: f32| {
        let positions =
            vec![Vec3::X * r, Vec3::NEG_X * r, Vec3::Y * r, Vec3::NEG_Y * r, Vec3::Z * r, Vec3::NEG_Z * r];
        let triangles =
            vec![[0, 2, 4], [2, 1, 4], [1, 3, 4], [3, 0, 4], [2, 0, 5], [1, 2, 5], [3, 1, 5], [0, 3, 5]];
        Body::new(&shape(Model::rigid(Mesh::new(positions, triangles).unwrap()), 2), Skinning::Linear)
            .unwrap()
    };
    let found = assert_exact(&mut octahedron(0.25), &mut octahedron(1.0), "inside");
    assert!((f64::from(found) - 0.75 / 3f64.sqrt()).abs() < 1e-7, "{found}");
}

#[test]
fn arguments_without_meaning_are_refused() {
    let shape = shape(random_model(3, RestKind::Plain), 4);
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    for limit in [f32::NAN, -1.0, f32::NEG_INFINITY] {
        let error = Distance::new(limit).unwrap_err();
        assert_eq!(error.0.to_bits(), limit.to_bits());
        assert_eq!(
            error.to_string(),
            format!("a distance must be a number that is not negative, it is {limit}")
        );
    }
    assert_eq!((within(-0.0), within(f32::INFINITY)), (Distance::ZERO, Distance::UNLIMITED));
    assert_eq!(closest_points(&mut a, &mut b, Distance::ZERO).found.unwrap().distance, 0.0);
    assert_eq!(closest_points(&mut a, &mut b, within(-0.0)).found.unwrap().distance, 0.0);
    let triangles = shape.model().mesh().triangles().len();
    assert_eq!(pairs_within(&mut a, &mut b, Distance::UNLIMITED).found.len(), triangles * triangles);
    for point in [Vec3::NAN, Vec3::INFINITY, Vec3::new(0.0, f32::NAN, 0.0), Vec3::X * f32::NEG_INFINITY] {
        assert!(matches!(Point::new(point), Err(PointError(_))), "{point}");
    }
    let positions = a.positions();
    for far in [Vec3::splat(1e30), Vec3::X * f32::MAX, Vec3::splat(-1e38)] {
        assert_closest_point(&mut a, PosedMesh::new(shape.model().mesh(), &positions), far, "far away");
    }
}

#[test]
fn a_second_query_of_the_same_pose_computes_nothing_again() {
    let shape = zoo("dwarf");
    let (mut a, mut b) =
        (Body::new(&shape, Skinning::Linear).unwrap(), Body::new(&shape, Skinning::Linear).unwrap());
    b.set_placement(Isometry::from_translation(Vec3::X * 2.0)).unwrap();
    let first = closest_points(&mut a, &mut b, Distance::UNLIMITED);
    let second = closest_points(&mut a, &mut b, Distance::UNLIMITED);
    assert!(first.stats.refits > 0 && second.stats.refits == 0);
    assert_eq!(first.found, second.found);
    // Far fewer triangles are looked at than there are.
    let triangles = shape.model().mesh().triangles().len() as u64;
    assert!(first.stats.triangle_tests < triangles, "{:?} for {triangles} triangles", first.stats);
}

fn check_character(name: &str, shape: &Arc<Shape>, shares: &[f32]) {
    let model = shape.model();
    let pose = |clip: usize, time: f64| {
        let mut pose = model.rest_pose();
        match model.clips().get(clip) {
            Some(clip) => clip.sample_looped(time, &mut pose).unwrap(),
            None => pose.coefficients.iter_mut().for_each(|q| *q = 0.4),
        }
        pose
    };
    for (i, &share) in shares.iter().enumerate() {
        let mut a = Body::new(shape, Skinning::ALL[i % 3]).unwrap();
        let mut b = Body::new(shape, Skinning::ALL[(i + 1) % 3]).unwrap();
        a.set_pose(&pose(i, 0.2)).unwrap();
        let bounds = Aabb::from_points(a.positions());
        let aside = ((bounds.max - bounds.min) * Vec3::new(share, 0.0, 0.1)).as_dvec3();
        b.set_pose_at(&pose(0, 0.5), Isometry::new(DQuat::from_rotation_y(0.3), aside)).unwrap();
        assert_exact(&mut a, &mut b, &format!("{name}, {share} of its width aside"));
    }
}

#[test]
fn the_zoo() {
    for name in ["man", "dwarf", "hand", "dolphin"] {
        let shares =
            if name == "dwarf" { &[1.4, 0.3, 4.0][..] } else { cases(&[1.4, 0.3][..], &[1.4, 0.3, 4.0]) };
        check_character(name, &zoo(name), shares);
    }
    // Brute force takes seconds for these.
    for name in cases(&["face"][..], &["creature", "face"]) {
        check_character(name, &zoo(name), &[1.1]);
    }
}

#[test]
fn real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    for file in [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/SimpleMorph.gltf",
        "khronos/AnimatedMorphCube-Quantized.glb",
        "hands/aframe_leftHandHigh.glb",
        "quaternius/RobotExpressive.glb",
        "babylon/bars.glb",
        "kaykit/Knight.glb",
    ] {
        let shares = cases(&[1.3, 0.9][..], &[1.3, 0.9, 6.0]);
        check_character(file, &shape(supple_io::load(folder.join(file)).unwrap(), 8), shares);
    }
}

/// Where f32 can hardly tell boxes apart, distances are measured in f64: bodies that fall out of the world cost no more.
#[test]
fn far_apart_is_no_harder_than_near() {
    let man = zoo("man");
    let (mut a, mut b) =
        (Body::new(&man, Skinning::Linear).unwrap(), Body::new(&man, Skinning::Linear).unwrap());
    for far in [1e2, 1e4, 1e6, 1e7, 1e12] {
        b.set_placement(Isometry::from_translation(Vec3::new(far, far * 0.3, -far))).unwrap();
        let found = closest_points(&mut a, &mut b, Distance::UNLIMITED);
        assert!(found.found.is_some());
        println!("{far:e}: {:?}", found.stats);
        // Of 77 million pairs; at 1e12 all vertices of a man are one point, and all distances are equal.
        let most = if far < 1e8 { 5_000 } else { 100_000 };
        assert!(found.stats.triangle_tests < most, "{far:e}: {:?}", found.stats);
        let point = Point::new(Vec3::new(far, far * 0.3, -far)).unwrap();
        let near = closest_point(&mut a, point, Distance::UNLIMITED);
        assert!(near.found.is_some() && near.stats.triangle_tests < 10_000, "{far:e}: {:?}", near.stats);
    }
}
