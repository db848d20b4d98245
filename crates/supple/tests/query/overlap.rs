//! Solid shapes against bodies: complete results of the fast query against brute force, and the tests themselves against
//! sampled points.

use std::sync::Arc;

use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::Vec3;
use supple::math::{Aabb, Isometry};
use supple::model::Model;
use supple::narrow::{Probe, ProbeError};
use supple::oracle::{self, PosedMesh};
use supple::{Body, BuildOptions, Shape, Skinning};
use supple::{overlap, overlap_any};

const SKINNINGS: [Skinning; 3] = [Skinning::Linear, Skinning::Spherical, Skinning::DualQuaternion];

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

fn point(random: &mut Random, around: &Aabb) -> Vec3 {
    let half = around.half_extents() * 1.2;
    around.center() + random.vec3() * half
}

/// One probe of every kind, somewhere in a box.
fn probes(random: &mut Random, around: &Aabb) -> [Probe; 4] {
    let size = around.half_extents().max_element() * (random.signed() + 1.0) * 0.2;
    let turn = random.rotation().as_dquat().normalize();
    let centre = point(random, around);
    let corners: Vec<Vec3> = (0..9).map(|_| centre + point(random, around) * 0.3).collect();
    [
        Probe::sphere(centre, size).unwrap(),
        Probe::capsule([centre, point(random, around)], size * 0.2).unwrap(),
        Probe::cuboid(Isometry::new(turn, centre), Vec3::new(size, size * 0.5, size * 0.1)).unwrap(),
        Probe::hull(&corners).unwrap(),
    ]
}

/// All ways to ask agree with brute force; returns the number of triangles.
fn assert_exact(body: &mut Body, probe: &Probe, what: &str) -> usize {
    let (model, positions) = (Arc::clone(body.shape().model()), body.positions());
    let expected = oracle::overlap(PosedMesh::new(model.mesh(), &positions), probe);
    assert_eq!(overlap(body, probe).found, expected, "{what}: {probe:?}");
    assert_eq!(overlap_any(body, probe).found.is_some(), !expected.is_empty(), "{what}: {probe:?}");
    expected.len()
}

#[test]
fn the_whole_zoo() {
    let mut random = Random(7);
    for name in supple_zoo::kinds().iter().map(|kind| kind.name) {
        let shape = zoo(name);
        let mut found = 0;
        for (i, skinning) in SKINNINGS.into_iter().cycle().take(6).enumerate() {
            let model = shape.model();
            let mut body = Body::new(&shape, skinning).unwrap();
            if let Some(clip) = model.clips().first() {
                body.set_pose(&model.sample(clip, clip.duration() * i as f64 / 6.0).unwrap()).unwrap();
            }
            let around = Aabb::from_points(body.positions());
            for probe in probes(&mut random, &around) {
                found += assert_exact(&mut body, &probe, name);
            }
        }
        assert!(found > 0, "{name}");
    }
}

#[test]
fn small_hostile_models() {
    let mut random = Random(11);
    let mut found = 0;
    for seed in 0..60 {
        let rest = [RestKind::Plain, RestKind::Fields, RestKind::Morph][seed as usize % 3];
        let model = random_model(seed, rest);
        let pose = random_pose(&model, seed, seed % 2 == 0);
        let shape = shape(model);
        for skinning in SKINNINGS {
            let mut body = Body::new(&shape, skinning).unwrap();
            body.set_pose(&pose).unwrap();
            let around = Aabb::from_points(body.positions());
            for probe in probes(&mut random, &around) {
                found += assert_exact(&mut body, &probe, "random model");
            }
        }
    }
    assert!(found > 1000);
}

/// A point of the triangle inside the shape proves an overlap.
#[test]
fn tests_agree_with_sampled_points() {
    let mut random = Random(3);
    let around = Aabb { min: Vec3::splat(-1.0), max: Vec3::splat(1.0) };
    let mut counts = [[0; 2]; 4];
    for _ in 0..500 {
        let corners = [0; 3].map(|_| point(&mut random, &around));
        for (kind, probe) in probes(&mut random, &around).iter().enumerate() {
            let overlaps = probe.overlaps(&corners);
            let grid = || {
                (0..=40)
                    .flat_map(|i| (0..=40 - i).map(move |j| (i as f32 / 40.0, j as f32 / 40.0)))
                    .map(|(u, v)| corners[0] + (corners[1] - corners[0]) * u + (corners[2] - corners[0]) * v)
            };
            let inside = grid().any(|x| probe.overlaps(&[x; 3]));
            assert!(overlaps || !inside, "{probe:?} {corners:?}");
            counts[kind][usize::from(overlaps)] += 1;
            // A ball that overlaps the triangle and is grown by the grid's step has a point of the grid in it.
            if kind == 0 && overlaps {
                let step = ((corners[1] - corners[0]).length() + (corners[2] - corners[0]).length()) / 40.0;
                let bounds = probe.bounds();
                let grown = Probe::sphere(bounds.center(), bounds.half_extents().x + step).unwrap();
                assert!(grid().any(|x| grown.overlaps(&[x; 3])), "{probe:?} {corners:?}");
            }
        }
    }
    assert!(counts.iter().flatten().all(|&count| count > 5), "{counts:?}");
}

#[test]
fn bad_shapes_are_errors() {
    let nan = f32::NAN;
    assert_eq!(Probe::sphere(Vec3::new(nan, 0.0, 0.0), 1.0), Err(ProbeError::NotFinite { shape: "sphere" }));
    assert_eq!(Probe::sphere(Vec3::ZERO, -1.0), Err(ProbeError::Negative { shape: "sphere", size: -1.0 }));
    assert_eq!(Probe::capsule([Vec3::ZERO; 2], nan), Err(ProbeError::NotFinite { shape: "capsule" }));
    let extents = Vec3::new(1.0, -2.0, 3.0);
    let found = Probe::cuboid(Isometry::IDENTITY, extents);
    assert_eq!(found, Err(ProbeError::Negative { shape: "box", size: -2.0 }));
    assert_eq!(Probe::hull(&[]), Err(ProbeError::Flat { points: 0 }));
    assert_eq!(
        Probe::hull(&[Vec3::X, Vec3::Y, Vec3::Z]).unwrap_err().to_string(),
        "a hull needs four points that are not in a plane, all 3 given ones are in one"
    );
    let far = Probe::sphere(Vec3::splat(3e38), 3e38).unwrap();
    assert!(far.overlaps(&[Vec3::splat(2e38); 3]));
    let mut man = Body::new(&zoo("man"), Skinning::Linear).unwrap();
    assert_exact(&mut man, &far, "far");
    assert_exact(&mut man, &Probe::sphere(Vec3::ZERO, f32::MAX).unwrap(), "everything");
    assert_exact(&mut man, &Probe::sphere(Vec3::Y, 0.0).unwrap(), "a point");
}
