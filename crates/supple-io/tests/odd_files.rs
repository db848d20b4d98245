//! What is allowed but seldom: every such case loads, and as the specification says.

mod from_memory;
mod small_files;

use glam::{Vec2, Vec3};
use serde_json::json;
use small_files::{File, I8, I16, U8, U16, U32};
use supple::{Model, Skinning};

const SQUARE: [f32; 12] = [0., 0., 0., 1., 0., 0., 0., 1., 0., 1., 1., 0.];

fn posed(model: &Model) -> Vec<Vec3> {
    model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions()
}

fn triangles(file: &File) -> Vec<[u32; 3]> {
    file.read().unwrap().model.mesh().triangles().to_vec()
}

#[test]
fn strips_fans_and_lists_keep_their_front_sides() {
    let strip = File::indexed(5, &SQUARE, &[0, 1, 2, 3]);
    assert_eq!(triangles(&strip), [[0, 1, 2], [1, 3, 2]]);
    let fan = File::indexed(6, &SQUARE, &[0, 1, 3, 2]);
    assert_eq!(triangles(&fan), [[1, 3, 0], [3, 2, 0]]);
    let list = File::indexed(4, &SQUARE, &[3, 2, 1, 1, 1, 1]);
    assert_eq!(triangles(&list), [[3, 2, 1], [1, 1, 1]]);
    assert_eq!(triangles(&File::triangle()), [[0, 1, 2]]);
    // The same strip without indices.
    let mut bare = File::indexed(5, &SQUARE, &[]);
    bare.json["meshes"][0]["primitives"][0].as_object_mut().unwrap().remove("indices");
    assert_eq!(triangles(&bare), [[0, 1, 2], [1, 3, 2]]);
}

#[test]
fn indices_may_have_8_16_and_32_bits() {
    for (kind, bytes) in
        [(U8, vec![2, 1, 0]), (U16, vec![2, 0, 1, 0, 0, 0]), (U32, vec![2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0])]
    {
        let mut file = File::triangle();
        let indices = file.accessor(kind, "SCALAR", 3, &bytes);
        file.json["meshes"][0]["primitives"][0]["indices"] = json!(indices);
        assert_eq!(triangles(&file), [[2, 1, 0]], "{kind}");
    }
}

#[test]
fn points_and_lines_are_skipped_with_a_note() {
    let mut file = File::triangle();
    for mode in [0, 1, 2, 3] {
        let primitives = file.json["meshes"][0]["primitives"].as_array_mut().unwrap();
        primitives.push(json!({ "attributes": { "POSITION": 0 }, "mode": mode }));
    }
    let loaded = file.read().unwrap();
    assert_eq!(loaded.model.mesh().positions().len(), 3);
    assert_eq!(loaded.notes.len(), 4);
    assert_eq!(loaded.notes[0], "mesh 0, primitive 1: consists of points or lines; skipped");
    assert_eq!(loaded.generator.as_deref(), Some("by hand"));
    assert_eq!(loaded.format, "glTF 2.0 (binary)");
}

#[test]
fn sparse_accessors_change_stored_elements_or_zeros() {
    let mut file = File::triangle();
    let indices = file.view(&[1]);
    let values = file.view(&[2.0f32, 3.0, 4.0].map(f32::to_le_bytes).concat());
    let sparse = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": U8 },
        "values": { "bufferView": values },
    });
    file.json["accessors"][0]["sparse"] = sparse;
    let stored = file.read().unwrap().model;
    assert_eq!(stored.mesh().positions(), [Vec3::ZERO, Vec3::new(2., 3., 4.), Vec3::Y]);
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    let zeros = file.read().unwrap().model;
    assert_eq!(zeros.mesh().positions(), [Vec3::ZERO, Vec3::new(2., 3., 4.), Vec3::ZERO]);
}

#[test]
fn sparse_morph_targets_stay_sparse() {
    let mut file = File::triangle();
    let indices = file.view(&[2]);
    let values = file.view(&[0.0f32, 0.0, 1.0].map(f32::to_le_bytes).concat());
    let target = file.push(
        "accessors",
        json!({
            "componentType": 5126, "type": "VEC3", "count": 3,
            "sparse": {
                "count": 1,
                "indices": { "bufferView": indices, "componentType": U8 },
                "values": { "bufferView": values },
            },
        }),
    );
    let zeros = file.floats("VEC3", &[0.0; 9]);
    let mesh = &mut file.json["meshes"][0];
    mesh["primitives"][0]["targets"] = json!([{ "POSITION": target }, { "POSITION": zeros }]);
    mesh["weights"] = json!([0.5, 0.25]);
    mesh["extras"] = json!({ "targetNames": ["up", "nothing"] });
    let model = file.read().unwrap().model;
    let supple::rest::Rest::Fields(fields) = model.rest() else { panic!("no fields") };
    assert_eq!(fields.names(), ["up", "nothing"]);
    assert_eq!(fields.to_fields()[0].displacements, [(2, Vec3::Z)]);
    assert_eq!(fields.to_fields()[1].displacements, []);
    assert_eq!(posed(&model)[2], Vec3::new(0.0, 1.0, 0.5));
    // The node's own weights come first.
    file.json["nodes"][0]["weights"] = json!([2.0, 0.0]);
    assert_eq!(posed(&file.read().unwrap().model)[2], Vec3::new(0.0, 1.0, 2.0));
}

#[test]
fn quantised_positions_are_read_normalised_or_not() {
    let cases: [(u32, bool, Vec<u8>, Vec3); 6] = [
        (I8, true, vec![127, 129, 128, 0], Vec3::new(1., -1., -1.)),
        (U8, true, vec![255, 51, 0, 0], Vec3::new(1., 0.2, 0.)),
        (I16, true, [32767i16, -32767, -32768, 0].map(i16::to_le_bytes).concat(), Vec3::new(1., -1., -1.)),
        (U16, true, [65535u16, 13107, 0, 0].map(u16::to_le_bytes).concat(), Vec3::new(1., 0.2, 0.)),
        (I16, false, [300i16, -300, 7, 0].map(i16::to_le_bytes).concat(), Vec3::new(300., -300., 7.)),
        (I8, false, vec![100, 156, 7, 0], Vec3::new(100., -100., 7.)),
    ];
    for (kind, normalized, first, expected) in cases {
        let mut file = File::empty();
        let stride = first.len();
        let mut bytes = first;
        bytes.resize(stride * 3, 1);
        let position = file.accessor(kind, "VEC3", 3, &bytes);
        file.json["accessors"][position]["normalized"] = json!(normalized);
        file.json["bufferViews"][0]["byteStride"] = json!(stride);
        file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": position } }] }));
        file.push("nodes", json!({ "mesh": 0 }));
        file.json["extensionsRequired"] = json!(["KHR_mesh_quantization"]);
        assert_eq!(file.read().unwrap().model.mesh().positions()[0], expected, "{kind} {normalized}");
    }
}

#[test]
fn several_nodes_with_one_mesh_are_several_parts() {
    let mut file = File::triangle();
    file.json["meshes"][0]["name"] = json!("Wheel");
    file.push("nodes", json!({ "mesh": 0, "name": "left", "translation": [0.0, 0.0, 3.0] }));
    file.push("nodes", json!({}));
    let model = file.read().unwrap().model;
    let names: Vec<&str> = model.parts().iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["Wheel", "left"]);
    assert_eq!(model.mesh().triangles(), [[0, 1, 2], [3, 4, 5]]);
    assert_eq!((model.parts()[1].vertices.clone(), model.parts()[1].node), (3..6, 1));
    assert_eq!(posed(&model)[4], Vec3::new(1.0, 0.0, 3.0));
    assert_eq!(posed(&supple_io::only_part(&model, "left").unwrap())[1], Vec3::new(1.0, 0.0, 3.0));
}

#[test]
fn a_part_mirrored_at_rest_is_turned() {
    let mut file = File::triangle();
    file.json["nodes"][0]["scale"] = json!([-1.0, 1.0, 1.0]);
    let normals = file.floats("VEC3", &[0., 0., 1., 0., 0., 1., 0., 0., 1.]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    let model = file.read().unwrap().model;
    assert_eq!(model.mesh().triangles(), [[0, 2, 1]]);
    let at_rest = model.posed(&model.rest_pose(), Skinning::Linear).unwrap();
    let [a, b, c] = model.mesh().triangles()[0].map(|v| at_rest.position(v));
    assert_eq!((b - a).cross(c - a), at_rest.normal(0));
    // The same as a matrix, below a parent that mirrors too: twice is not at all.
    file.json["nodes"][0] = json!({
        "mesh": 0, "matrix": [-1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 7., 0., 0., 1.],
    });
    assert_eq!(triangles(&file), [[0, 2, 1]]);
    file.push("nodes", json!({ "children": [0], "scale": [1.0, -1.0, 1.0] }));
    assert_eq!(triangles(&file), [[0, 1, 2]]);
    assert_eq!(posed(&file.read().unwrap().model)[1], Vec3::new(6.0, 0.0, 0.0));
}

#[test]
fn the_node_of_a_skinned_mesh_does_not_move_it() {
    let mut file =
        File::skinned([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], [1., 0., 0., 0., 3., 1., 0., 0., 0., 0., 0., 0.]);
    file.json["nodes"][0]["translation"] = json!([100.0, 0.0, 0.0]);
    file.json["nodes"][0]["scale"] = json!([-1.0, 1.0, 1.0]);
    let loaded = file.read().unwrap();
    assert_eq!(posed(&loaded.model), [Vec3::new(0., 0., 5.), Vec3::new(1., 0., 1.25), Vec3::new(0., 1., 0.)]);
    assert_eq!(loaded.model.mesh().triangles(), [[0, 1, 2]]);
    assert_eq!(
        loaded.notes,
        [
            "mesh 0, primitive 0: 1 vertices have weights that do not sum to 1 (up to 4.000); normalised",
            "mesh 0, primitive 0: 1 vertices have no weight at all; they follow their first joint",
        ]
    );
}

#[test]
fn joints_that_do_not_exist_may_have_no_weight() {
    let file = File::skinned(
        [99, 1, 0, 0, 0, 0, 0, 0, 77, 1, 0, 0],
        [0., 1., 0., 0., 1., 0., 0., 0., 0., 0., 0., 0.],
    );
    let loaded = file.read().unwrap();
    assert_eq!(loaded.notes[1], "mesh 0, primitive 0: 2 joints that do not exist have weight 0; dropped");
    // The last vertex has no weight; its first joint that exists is joint 1.
    assert_eq!(posed(&loaded.model)[2], Vec3::new(0., 1., 5.));
}

#[test]
fn any_number_of_joint_sets_and_32_bit_joints() {
    let mut file = File::skinned([0; 12], [0.5, 0., 0., 0., 0.5, 0., 0., 0., 0.5, 0., 0., 0.]);
    let joints: Vec<u8> = [1u32; 12].iter().flat_map(|j| j.to_le_bytes()).collect();
    for n in [1, 2] {
        let joints = file.accessor(U32, "VEC4", 3, &joints);
        let weights = file.accessor(U8, "VEC4", 3, &[0, 51, 0, 0].repeat(3));
        file.json["accessors"][weights]["normalized"] = json!(true);
        let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
        attributes[format!("JOINTS_{n}")] = json!(joints);
        attributes[format!("WEIGHTS_{n}")] = json!(weights);
    }
    let loaded = file.read().unwrap();
    assert!(loaded.notes[0].contains("JOINTS_1 are 32 bit"), "{:?}", loaded.notes);
    // 0.5 of joint 0, twice 0.2 of joint 1 which stands at z = 5.
    assert!((posed(&loaded.model)[0].z - 0.4 / 0.9 * 5.0).abs() < 1e-6);
}

#[test]
fn skins_share_joints_with_equal_matrices() {
    let mut file = File::skinned(
        [0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0],
        [0.5, 0.5, 0., 0., 0.5, 0.5, 0., 0., 0.5, 0.5, 0., 0.],
    );
    let identity = [1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1., 0., 0., 0., 0., 1.];
    let mut matrices = [identity, identity].concat();
    matrices[30] = -5.0;
    let binds = file.floats("MAT4", &matrices);
    file.push("nodes", json!({ "mesh": 0, "skin": 1 }));
    file.push("nodes", json!({ "mesh": 0 }));
    file.json["skins"] = json!([{ "joints": [1, 2] }, { "joints": [1, 2], "inverseBindMatrices": binds }]);
    let model = file.read().unwrap().model;
    // Node 1 once, node 2 with two different matrices, and node 4 rigidly.
    let nodes: Vec<usize> = model.skeleton().joints().iter().map(|j| j.node).collect();
    assert_eq!(nodes, [1, 2, 2, 4]);
    assert_eq!(posed(&model)[3], Vec3::ZERO);
}

#[test]
fn a_mesh_without_a_skin_follows_its_animated_node() {
    let mut file = File::triangle();
    file.push("nodes", json!({ "children": [0], "name": "lift" }));
    let times = file.floats("SCALAR", &[0.0, 2.0]);
    let values = file.floats("VEC3", &[0., 0., 0., 0., 4., 0.]);
    let turns =
        file.accessor(I16, "VEC4", 2, &[0, 0, 0, 32767, 0, 0, 32767, 0].map(i16::to_le_bytes).concat());
    file.json["accessors"][turns]["normalized"] = json!(true);
    file.json["animations"] = json!([{
        "channels": [
            { "sampler": 0, "target": { "node": 1, "path": "translation" } },
            { "sampler": 1, "target": { "node": 0, "path": "rotation" } },
            { "sampler": 1, "target": { "path": "pointer" } },
            { "sampler": 0, "target": { "node": 1, "path": "weights" } },
        ],
        "samplers": [
            { "input": times, "output": values },
            { "input": times, "output": turns, "interpolation": "STEP" },
        ],
    }]);
    let loaded = file.read().unwrap();
    let clip = loaded.model.clip("clip 0").unwrap();
    assert_eq!((clip.duration(), clip.channels().len()), (2.0, 2));
    let at = |time| {
        let pose = loaded.model.sample(clip, time).unwrap();
        loaded.model.posed(&pose, Skinning::Linear).unwrap().position(1)
    };
    assert_eq!(at(1.0), Vec3::new(1., 2., 0.));
    assert!(at(2.0).distance(Vec3::new(-1., 4., 0.)) < 1e-6);
    assert_eq!(loaded.notes.len(), 2, "{:?}", loaded.notes);
}

#[test]
fn missing_normals_and_texture_coordinates_are_completed() {
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0., 0., 1., f32::NAN, 0., 1., 0., 0., 1.]);
    let uvs = file.accessor(U8, "VEC2", 3, &[0, 0, 255, 0, 0, 51]);
    file.json["accessors"][uvs]["normalized"] = json!(true);
    let attributes = json!({ "POSITION": 0, "NORMAL": normals, "TEXCOORD_0": uvs });
    file.push("meshes", json!({ "primitives": [{ "attributes": attributes, "material": 0 }] }));
    file.push("nodes", json!({ "mesh": 1 }));
    file.json["materials"] = json!([{ "name": "skin", "pbrMetallicRoughness": "nonsense" }]);
    let loaded = file.read().unwrap();
    let mesh = loaded.model.mesh();
    assert_eq!(mesh.normals().unwrap(), [Vec3::Z, Vec3::Z, Vec3::Z, Vec3::Z, Vec3::ZERO, Vec3::Z]);
    assert_eq!(mesh.uvs().unwrap()[3..], [Vec2::ZERO, Vec2::X, Vec2::new(0.0, 0.2)]);
    assert_eq!(mesh.uvs().unwrap()[..3], [Vec2::ZERO; 3]);
    assert_eq!(loaded.model.parts()[1].primitives[0].material, "skin");
    assert_eq!(loaded.notes.len(), 2, "{:?}", loaded.notes);
    assert_eq!(File::triangle().read().unwrap().model.mesh().normals(), None);
}

#[test]
fn buffers_may_be_data_uris_or_files_beside() {
    let file = File::triangle();
    let folder = std::env::temp_dir().join(format!("supple-io-buffers-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("sub")).unwrap();
    std::fs::write(folder.join("sub/my data.bin"), &file.binary).unwrap();
    let mut json = file.text();
    json["buffers"][0]["uri"] = json!("sub/my%20data.bin");
    let path = folder.join("scene.gltf");
    std::fs::write(&path, json.to_string()).unwrap();
    let loaded = supple_io::read(&path).unwrap();
    assert_eq!(loaded.format, "glTF 2.0 (text)");
    assert_eq!(loaded.model.mesh().triangles(), [[0, 1, 2]]);
    json["buffers"][0]["uri"] = json!("gone.bin");
    std::fs::write(&path, json.to_string()).unwrap();
    let error = supple_io::load(&path).unwrap_err().to_string();
    assert!(error.contains("scene.gltf: buffer 0: the file") && error.contains("gone.bin"), "{error}");
    std::fs::remove_dir_all(&folder).unwrap();
    // The same without a file system.
    json["buffers"][0]["uri"] = json!("sub/my%20data.bin");
    let text = json.to_string();
    let mut other_files = |name: &str| match name {
        "sub/my data.bin" => Ok(file.binary.clone()),
        other => panic!("{other}"),
    };
    assert_eq!(supple_io::read_bytes("scene.gltf", text.as_bytes(), &mut other_files).unwrap(), loaded);
    let mut gone = |_: &str| Err(std::io::Error::other("the archive has no such entry"));
    let error = supple_io::read_bytes("scene.gltf", text.as_bytes(), &mut gone).unwrap_err().to_string();
    let expected =
        "scene.gltf: buffer 0: the file sub/my data.bin cannot be read: the archive has no such entry";
    assert_eq!(error, expected);
    // 36 bytes: three corners, only the second and third of which are not all zeros.
    json["buffers"][0]["uri"] =
        json!("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA");
    let loaded = from_memory::read_gltf(json.to_string().as_bytes()).unwrap();
    assert_eq!(loaded.model.mesh().positions(), [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

#[test]
fn harmless_required_extensions_are_accepted() {
    let mut file = File::triangle();
    file.json["extensionsRequired"] =
        json!(["KHR_texture_transform", "KHR_materials_unlit", "VRMC_vrm", "KHR_lights_punctual"]);
    assert!(file.read().is_ok());
}

#[test]
fn nodes_without_a_name_are_called_after_an_ancestor() {
    let mut file = File::triangle();
    file.push("nodes", json!({ "name": "Spine", "children": [3, 2] }));
    file.push("nodes", json!({ "name": "" }));
    file.push("nodes", json!({ "children": [4] }));
    file.push("nodes", json!({}));
    let model = file.read().unwrap().model;
    let names: Vec<&str> = model.skeleton().nodes().iter().map(|n| n.name.as_str()).collect();
    assert_eq!(names, ["node 0", "Spine", "Spine/node 2", "Spine/node 3", "Spine/node 4"]);
}
