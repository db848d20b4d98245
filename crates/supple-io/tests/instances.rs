//! Instances of a mesh (`EXT_mesh_gpu_instancing`), placed against matrices made here.

mod from_memory;
mod small_files;

use glam::{Mat4, Quat, Vec3};
use serde_json::json;
use small_files::File;
use supple::Skinning;

/// A triangle, three times; its node is moved, turned and scaled, and so is each instance.
fn instanced() -> (File, Mat4, Vec<Mat4>) {
    let mut file = File::triangle();
    let turns = [Quat::IDENTITY, Quat::from_rotation_x(0.5), Quat::from_rotation_z(-2.0)];
    let places = [Vec3::ZERO, Vec3::new(4.0, 0.0, 1.0), Vec3::new(0.0, -3.0, 2.0)];
    let scales = [Vec3::ONE, Vec3::new(1.0, 2.0, 3.0), Vec3::splat(0.5)];
    let translation = file.floats("VEC3", &places.map(|p| p.to_array()).concat());
    let rotation = file.floats("VEC4", &turns.map(|q| q.to_array()).concat());
    let scale = file.floats("VEC3", &scales.map(|s| s.to_array()).concat());
    let attributes = json!({ "TRANSLATION": translation, "ROTATION": rotation, "SCALE": scale });
    let node = (Vec3::splat(2.0), Quat::from_rotation_y(1.0), Vec3::new(0.0, 7.0, 0.0));
    file.json["nodes"][0] = json!({
        "name": "tree", "mesh": 0,
        "scale": node.0.to_array(), "rotation": node.1.to_array(), "translation": node.2.to_array(),
        "extensions": { "EXT_mesh_gpu_instancing": { "attributes": attributes } },
    });
    file.json["extensionsUsed"] = json!(["EXT_mesh_gpu_instancing"]);
    let instance = |i: usize| Mat4::from_scale_rotation_translation(scales[i], turns[i], places[i]);
    (file, Mat4::from_scale_rotation_translation(node.0, node.1, node.2), (0..3).map(instance).collect())
}

#[test]
fn every_instance_is_where_both_transforms_put_it() {
    let (file, node, instances) = instanced();
    let loaded = file.read().unwrap();
    assert_eq!(loaded.notes, [""; 0]);
    let model = loaded.model;
    assert_eq!(model.parts().iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["tree"; 3]);
    let posed = model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions();
    assert_eq!((posed.len(), model.mesh().triangles().len()), (9, 3));
    for (i, instance) in instances.iter().enumerate() {
        for (corner, p) in [Vec3::ZERO, Vec3::X, Vec3::Y].into_iter().enumerate() {
            let expected = (node * *instance).transform_point3(p);
            let found = posed[i * 3 + corner];
            assert!(found.distance(expected) < 1e-5, "{i} {corner}: {found}, expected {expected}");
        }
    }
}

#[test]
fn instances_that_are_wrong_are_errors() {
    let (good, ..) = instanced();
    let with = |attributes: serde_json::Value| {
        let mut file = good.clone();
        file.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = attributes;
        file.error()
    };
    let place = "node 0 (tree), EXT_mesh_gpu_instancing";
    assert!(with(json!({})).starts_with(&format!("{place}: has none of")));
    assert_eq!(
        with(json!({ "TRANSLATION": 9 })),
        format!("{place}, accessor 9: does not exist; there are 4")
    );
    assert!(with(json!({ "ROTATION": 1 })).starts_with(&format!("{place}, accessor 1: is Vec3 of F32")));
    let mut skinned = good.clone();
    skinned.json["nodes"][0]["skin"] = json!(0);
    assert_eq!(
        skinned.error(),
        format!("{place}: instances of a mesh with a skin or morph targets are not read")
    );
    let mut many = good.clone();
    let shell = many.push("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 1_000_000 }));
    many.json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] =
        json!({ "TRANSLATION": shell });
    assert!(many.error().contains("may have only 4194304 in all"), "{}", many.error());
}
