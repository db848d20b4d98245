//! Draco against what was compressed, and against the plain variants of the same models.
//!
//! `SUPPLE_ASSETS` and `SUPPLE_MORE_ASSETS` name the folders of both; without them the tests say that they were skipped.

mod assets;
mod draco_primitive;
mod from_memory;
mod small_files;

use std::collections::BTreeMap;
use std::path::PathBuf;

use draco_primitive::{Method, compress, file, grid};
use glam::Vec3;
use serde_json::json;
use supple::oracle::{self, PosedMesh};
use supple::{Aabb, Body, BuildOptions, Isometry, Model, Shape, Skinning, collide};

#[test]
fn every_method_gives_back_what_was_compressed() {
    let grid = grid(9);
    for method in [Method::Sequential, Method::Edgebreaker, Method::Valence] {
        for mode in [4, 5] {
            let mut file = file(&grid, &compress(&grid, method, 14));
            file.json["meshes"][0]["primitives"][0]["mode"] = json!(mode);
            let loaded = file.read().unwrap();
            assert_eq!(loaded.notes, [""; 0], "{method:?}");
            let model = loaded.model;
            assert_eq!(model.mesh().positions().len(), grid.positions.len());
            // 20.25 is the greatest extent; texture coordinates and weights have 12 bits.
            let found = matched(
                &model,
                &grid.positions.iter().map(|&p| p.into()).collect::<Vec<_>>(),
                20.25 / 16383.0,
            );
            let expected: Vec<[u32; 3]> = grid.triangles.clone();
            assert_eq!(triangles(&model, &found), sorted(expected), "{method:?}");
            for (vertex, &original) in found.iter().enumerate() {
                let uv = model.mesh().uvs().unwrap()[vertex];
                assert!(uv.distance(grid.uvs[original].into()) < 1e-3, "{method:?}: {uv}");
                let mut weights = [0.0; 2];
                model.skin().influences(vertex as u32).for_each(|(joint, w)| weights[joint.0 as usize] = w);
                let expected = grid.weights[original];
                assert!((weights[0] - expected[0]).abs() < 1e-3 && (weights[1] - expected[1]).abs() < 1e-3);
            }
        }
    }
}

#[test]
fn what_does_not_fit_is_an_error_with_a_place() {
    let grid = grid(4);
    let good = file(&grid, &compress(&grid, Method::Edgebreaker, 14));
    let extension = |key: &str, value: serde_json::Value| {
        let mut file = good.clone();
        file.json["meshes"][0]["primitives"][0]["extensions"]["KHR_draco_mesh_compression"][key] = value;
        file.error()
    };
    assert_eq!(
        extension("bufferView", json!(9)),
        "mesh 0, primitive 0, buffer view 9: does not exist; there are 1"
    );
    assert!(
        extension("attributes", json!(3))
            .starts_with("mesh 0, primitive 0: KHR_draco_mesh_compression: invalid type")
    );
    let error = extension("attributes", json!({ "POSITION": 7 }));
    assert_eq!(
        error,
        "mesh 0, primitive 0, POSITION: the Draco mesh has no attribute 7 that glTF could have"
    );
    let error = extension("attributes", json!({ "POSITION": 1 }));
    assert!(error.starts_with("mesh 0, primitive 0, POSITION: is Vec2 of F32; expected Vec3"), "{error}");
    let mut cut = good.clone();
    cut.json["bufferViews"][0]["byteLength"] = json!(40);
    let error = cut.error();
    assert!(error.starts_with("mesh 0, primitive 0, buffer view 0: cannot be decoded as Draco: "), "{error}");
    // Morph targets are plain, one displacement per decoded vertex.
    let mut target = good.clone();
    let accessor = target.floats("VEC3", &[0.5; 3 * 24]);
    target.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": accessor }]);
    assert_eq!(
        target.error(),
        "mesh 0, primitive 0, target 0, accessor 5: has 24 elements; expected 25, one per vertex"
    );
    // Counts that only the accessors have wrong are told.
    let mut counts = good.clone();
    counts.json["accessors"][0]["count"] = json!(24);
    let expected = "mesh 0, primitive 0: 24 vertices are announced, the Draco mesh has 25; these are taken";
    assert_eq!(counts.read().unwrap().notes, [expected]);
}

/// Plain and compressed variants of one model.
fn pairs() -> Option<Vec<(PathBuf, PathBuf)>> {
    let (assets, more) = (assets::assets()?.join("khronos"), assets::more_assets()?.join("draco"));
    Some(vec![
        (assets.join("CesiumMan.glb"), more.join("CesiumMan.gltf")),
        (assets.join("MorphPrimitivesTest.glb"), more.join("MorphPrimitivesTest.gltf")),
        (assets.join("RiggedSimple.glb"), assets.join("RiggedSimple-Draco.glb")),
    ])
}

#[test]
fn models_equal_their_plain_variants() {
    let Some(pairs) = pairs() else { return };
    for (plain, compressed) in pairs {
        let name = compressed.display().to_string();
        let plain = supple_io::load(plain).unwrap();
        let loaded = supple_io::read(&compressed).unwrap();
        assert_eq!(loaded.notes, [""; 0], "{name}");
        let compressed = loaded.model;
        let size = extent(&plain).max_element();
        let step = size / f32::from(1u16 << 10);
        // Vertices are found by their place at rest, before any coefficient; those of one place move together.
        let found = matched(&compressed, plain.mesh().positions(), step);
        let weld = supple::mesh::weld_positions(plain.mesh().positions());
        let welded: Vec<usize> = found.iter().map(|&v| weld[v] as usize).collect();
        let all: Vec<usize> = weld.iter().map(|&v| v as usize).collect();
        assert_eq!(triangles(&compressed, &welded), triangles(&plain, &all), "{name}");
        same_influences(&compressed, &plain, &found, &name);
        same_motion(&compressed, &plain, &found, step, &name);
        collisions_are_those_of_brute_force(compressed);
    }
}

/// For every vertex the nearest of those places, which is not farther than `most`.
fn matched(model: &Model, places: &[Vec3], most: f32) -> Vec<usize> {
    let nearest = |p: &Vec3| {
        let distances = places.iter().map(|q| p.distance_squared(*q)).enumerate();
        distances.min_by(|a, b| a.1.total_cmp(&b.1)).unwrap()
    };
    let found: Vec<(usize, f32)> = model.mesh().positions().iter().map(nearest).collect();
    let worst = found.iter().map(|f| f.1.sqrt()).fold(0.0, f32::max);
    assert!(worst <= most, "{worst} of {most}");
    found.into_iter().map(|f| f.0).collect()
}

/// Triangles by other names of their corners, in an order that does not depend on their own.
fn triangles(model: &Model, names: &[usize]) -> Vec<[u32; 3]> {
    sorted(model.mesh().triangles().iter().map(|t| t.map(|v| names[v as usize] as u32)).collect())
}

fn sorted(mut triangles: Vec<[u32; 3]>) -> Vec<[u32; 3]> {
    for triangle in &mut triangles {
        let least = (0..3).min_by_key(|&i| triangle[i]).unwrap();
        triangle.rotate_left(least);
    }
    triangles.sort_unstable();
    triangles
}

/// Weights by the nodes of joints agree to what eight bits of the file give.
fn same_influences(a: &Model, b: &Model, found: &[usize], name: &str) {
    let weights = |model: &Model, vertex: u32| {
        let joints = model.skeleton().joints();
        let mut weights = BTreeMap::new();
        for (joint, weight) in model.skin().influences(vertex) {
            let node = &model.skeleton().nodes()[joints[joint.0 as usize].node].name;
            *weights.entry(node.clone()).or_insert(0.0) += weight;
        }
        weights
    };
    for (vertex, &other) in found.iter().enumerate() {
        let (here, there) = (weights(a, vertex as u32), weights(b, other as u32));
        for joint in here.keys().chain(there.keys()) {
            let weight = |of: &BTreeMap<String, f32>| of.get(joint).copied().unwrap_or(0.0);
            let difference = (weight(&here) - weight(&there)).abs();
            assert!(difference < 0.01, "{name}: vertex {vertex}, {joint}: {here:?}, {there:?}");
        }
    }
}

/// In every clip, and in the poses of morph targets.
fn same_motion(a: &Model, b: &Model, found: &[usize], step: f32, name: &str) {
    assert_eq!(a.clips().len(), b.clips().len(), "{name}");
    let mut poses = vec![(a.rest_pose(), b.rest_pose())];
    for (clip_a, clip_b) in a.clips().iter().zip(b.clips()) {
        for i in 0..=8 {
            let time = clip_b.duration() * f64::from(i) / 8.0;
            poses.push((a.sample(clip_a, time).unwrap(), b.sample(clip_b, time).unwrap()));
        }
    }
    for (pose_a, pose_b) in poses {
        let posed_a = a.posed(&pose_a, Skinning::Linear).unwrap().positions();
        let posed_b = b.posed(&pose_b, Skinning::Linear).unwrap().positions();
        for (vertex, &other) in found.iter().enumerate() {
            let distance = posed_a[vertex].distance(posed_b[other]);
            assert!(distance < 4.0 * step, "{name}: vertex {vertex}: {distance} of {step}");
        }
    }
}

fn collisions_are_those_of_brute_force(model: Model) {
    let shape = std::sync::Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = Body::new(&shape, Skinning::Linear).unwrap();
    let model = shape.model();
    let moved = Isometry::from_translation(extent(model) * 0.05);
    let pose = model.rest_pose();
    a.set_pose(&pose).unwrap();
    b.set_pose_at(&pose, moved).unwrap();
    let found = collide(&mut a, &mut b).found;
    let posed_a = model.posed(&pose, Skinning::Linear).unwrap().positions();
    let posed_b = model.posed_at(&pose, Skinning::Linear, moved).unwrap().positions();
    let mesh = model.mesh();
    assert!(!found.is_empty());
    assert_eq!(found, oracle::collide(PosedMesh::new(mesh, &posed_a), PosedMesh::new(mesh, &posed_b)));
}

/// How large a model is along each axis.
fn extent(model: &Model) -> Vec3 {
    Aabb::from_points(model.mesh().positions().iter().copied()).half_extents() * 2.0
}
