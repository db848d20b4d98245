//! What is wrong with a file is told with the place and what was expected; nothing panics.

mod from_memory;
mod small_files;

use from_memory::read_gltf;
use serde_json::json;
use small_files::{File, U8, glb};

fn error_of(bytes: &[u8]) -> String {
    read_gltf(bytes).unwrap_err().to_string()
}

#[test]
fn chunks_that_lie() {
    let good = File::triangle().glb();
    assert!(read_gltf(&good).is_ok());
    let patched = |at: usize, number: u32| {
        let mut bytes = good.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        error_of(&bytes)
    };
    let length = good.len();
    assert_eq!(
        error_of(&good[..length - 1]),
        format!("header: the file is cut off: {} bytes; expected {length}", length - 1)
    );
    assert_eq!(patched(4, 1), "header: version 1 of binary glTF; expected 2");
    assert_eq!(patched(8, 3), "header: 3 bytes; expected at least 20 for a binary glTF");
    assert_eq!(
        patched(12, u32::MAX),
        format!("chunk 0: JSON has {} bytes; expected 4294967295", length - 20)
    );
    assert_eq!(patched(16, 0x004e_4942), "chunk 0: is BIN\\x00; expected JSON");
    let json_length = u32::from_le_bytes(good[12..16].try_into().unwrap()) as usize;
    assert_eq!(patched(20 + json_length, 99), "chunk 1: BIN\\x00 has 36 bytes; expected 99");
    // Without its binary chunk.
    let mut cut = good[..20 + json_length].to_vec();
    cut[8..12].copy_from_slice(&(20 + json_length as u32).to_le_bytes());
    assert_eq!(
        error_of(&cut),
        "mesh 0, primitive 0, accessor 0, buffer view 0: buffer 0 has no bytes; expected a URI or a binary chunk"
    );
    let mut longer = good.clone();
    longer.extend([1, 2, 3]);
    let notes = read_gltf(&longer).unwrap().notes;
    assert_eq!(notes, ["header: 3 bytes after the end were ignored"]);
}

#[test]
fn json_that_is_none() {
    assert!(error_of(b"").starts_with("JSON: EOF"));
    assert_eq!(error_of(b"[]"), "JSON: expected an object");
    assert_eq!(error_of(b"{}"), "asset: has no version; expected \"2.0\"");
    assert_eq!(error_of(br#"{"asset":{"version":"1.0"}}"#), "asset: version \"1.0\"; expected 2.x");
    assert_eq!(error_of(br#"{"asset":{"version":"2.0"},"nodes":3}"#), "nodes: expected a list");
    assert!(error_of(&glb(b"{\"asset\":", &[])).starts_with("JSON: EOF"));
    assert!(error_of("[".repeat(100_000).as_bytes()).starts_with("JSON: recursion limit"));
    let mut file = File::triangle();
    file.json["accessors"][0].as_object_mut().unwrap().remove("count");
    assert_eq!(file.error(), "accessor 0: missing field `count`");
}

#[test]
fn a_file_without_triangles() {
    let expected = "nodes: no node has a mesh with triangles; expected at least one";
    assert_eq!(File::empty().error(), expected);
    assert_eq!(File::indexed(1, &[0.0; 6], &[0, 1]).error(), expected);
}

#[test]
fn indices_out_of_range() {
    let file = File::indexed(4, &[0.0; 9], &[0, 1, 3]);
    assert_eq!(file.error(), "mesh 0 (Body), primitive 0: index 2 is 3; expected less than the 3 vertices");
    let file = File::indexed(4, &[0.0; 9], &[0, 1, 2, 0]);
    assert_eq!(
        file.error(),
        "mesh 0 (Body), primitive 0: 4 indices do not make triangles; expected a multiple of 3"
    );
    let mut file = File::triangle();
    file.json["nodes"][0]["mesh"] = json!(7);
    assert_eq!(file.error(), "node 0, mesh 7: does not exist; there are 1");
    let mut file = File::triangle();
    file.json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = json!(17);
    assert_eq!(file.error(), "mesh 0, primitive 0, accessor 17: does not exist; there are 1");
    let mut file = File::triangle();
    file.json["accessors"][0]["bufferView"] = json!(5);
    assert_eq!(file.error(), "mesh 0, primitive 0, accessor 0, buffer view 5: does not exist; there are 1");
    let mut file = File::triangle();
    file.json["bufferViews"][0]["buffer"] = json!(2);
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, accessor 0, buffer view 0, buffer 2: does not exist; there are 1"
    );
    let mut file = File::triangle();
    file.json["nodes"][0]["skin"] = json!(0);
    assert_eq!(file.error(), "node 0, skin 0: does not exist; there are 0");
}

#[test]
fn sizes_that_do_not_fit_the_bytes() {
    let mut file = File::triangle();
    file.json["accessors"][0]["count"] = json!(4_000_000_000u32);
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, accessor 0: 4000000000 elements of 12 bytes from byte 0 with stride 12; expected to \
         fit into the 36 bytes of buffer view 0"
    );
    file.json["accessors"][0]["count"] = json!(u64::MAX);
    assert!(file.error().contains("18446744073709551615 elements"), "{}", file.error());
    let mut file = File::triangle();
    file.json["accessors"][0]["byteOffset"] = json!(u64::MAX);
    assert!(file.error().contains("from byte 18446744073709551615"), "{}", file.error());
    let mut file = File::triangle();
    file.json["bufferViews"][0]["byteLength"] = json!(37);
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, accessor 0, buffer view 0: 37 bytes from byte 0; buffer 0 has only 36"
    );
    let mut file = File::triangle();
    file.json["bufferViews"][0]["byteStride"] = json!(8);
    assert!(file.error().ends_with("buffer view 0 has stride 8; expected at least 12"), "{}", file.error());
    let mut file = File::triangle();
    file.json["buffers"] = json!([{ "byteLength": 1000 }]);
    assert_eq!(file.error(), "buffer 0: has 36 bytes; expected 1000");
}

#[test]
fn zeros_that_are_not_stored_are_limited() {
    let mut file = File::triangle();
    file.json["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 4_000_000_000u32 });
    assert!(file.error().contains("needs 12000000000 more numbers") || file.error().contains("4000000000"));
    file.json["accessors"][0]["count"] = json!(3_000_000);
    assert!(file.error().contains("may have only 4194304 in all"), "{}", file.error());
}

#[test]
fn instances_without_end_are_limited() {
    let mut file = File::empty();
    let position = file.floats("VEC3", &[0.5; 9 * 300]);
    file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": position } }] }));
    for _ in 0..3000 {
        file.push("nodes", json!({ "mesh": 0 }));
    }
    let bytes = file.glb().len();
    assert!(bytes < 100_000);
    let error = file.error();
    assert!(error.contains("more numbers, but a file of this size may have only"), "{error}");
}

/// Nothing is stored, but every node would make a thousand notes, or fields, or names.
#[test]
fn empty_objects_without_end_are_limited() {
    let lines = vec![json!({ "attributes": { "POSITION": 0 }, "mode": 1 }); 1000];
    let triangle = json!({ "attributes": { "POSITION": 0 }, "targets": vec![json!({}); 1000] });
    let named = json!({ "attributes": { "POSITION": 0 }, "material": 0 });
    for primitives in [json!(lines), json!([triangle]), json!([named])] {
        let mut file = File::triangle();
        file.json["meshes"][0]["primitives"] = primitives;
        file.json["materials"] = json!([{ "name": "long ".repeat(1000) }]);
        for _ in 0..3000 {
            file.push("nodes", json!({ "mesh": 0 }));
        }
        let error = file.error();
        assert!(error.contains("more numbers, but a file of this size may have only"), "{error}");
    }
}

#[test]
fn wrong_kinds_and_counts() {
    let mut file = File::triangle();
    file.json["accessors"][0]["type"] = json!("VEC4");
    file.json["accessors"][0]["count"] = json!(2);
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, accessor 0: is Vec4 of F32; expected Vec3 of one of [F32, I8, U8, I16, U16]"
    );
    file.json["accessors"][0]["componentType"] = json!(1);
    assert!(file.error().contains("unknown type or component type"), "{}", file.error());
    let mut file = File::triangle();
    let normals = file.floats("VEC3", &[0.0; 6]);
    file.json["meshes"][0]["primitives"][0]["attributes"]["NORMAL"] = json!(normals);
    assert_eq!(file.error(), "mesh 0, primitive 0, accessor 1: has 2 elements; expected 3, one per vertex");
    let mut file = File::triangle();
    file.json["meshes"][0]["primitives"][0]["mode"] = json!(9);
    assert_eq!(file.error(), "mesh 0, primitive 0: has an unknown mode; expected 0 to 6");
    let mut file = File::triangle();
    let short = file.floats("VEC3", &[1.0; 6]);
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{}, { "POSITION": short }]);
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, target 1, accessor 1: has 2 elements; expected 3, one per vertex"
    );
}

#[test]
fn numbers_that_are_not_finite() {
    let mut file = File::triangle();
    file.binary[16..20].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, accessor 0: position 1 is [1, NaN, 0]; expected finite numbers"
    );
    let mut file = File::triangle();
    file.json["nodes"][0]["scale"] = json!([1e300, 1.0, 1.0]);
    assert_eq!(file.error(), "does not make a model: the transform of node 0 is not finite");
    let mut file = File::triangle();
    file.json["nodes"][0]["matrix"] = json!([1e300, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    assert_eq!(file.error(), "node 0: has a matrix with numbers that are not finite");
}

#[test]
fn joints_and_weights_that_are_wrong() {
    let file = File::skinned(
        [0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0.5, 0.5, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.],
    );
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0: vertex 0 has weight 0.5 on joint 2; the skin has 2 joints"
    );
    let file = File::skinned([0; 12], [1., 0., 0., 0., -1., 0., 0., 0., 1., 0., 0., 0.]);
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0: vertex 1 has weight -1 on joint 0; expected a finite number, not negative"
    );
    let mut file = File::skinned([0; 12], [1.0; 12]);
    file.json["meshes"][0]["primitives"][0]["attributes"].as_object_mut().unwrap().remove("WEIGHTS_0");
    assert_eq!(file.error(), "mesh 0, primitive 0: has only one of JOINTS_0 and WEIGHTS_0; expected both");
    let mut file = File::skinned([0; 12], [1.0; 12]);
    file.json["skins"][0]["joints"] = json!([1, 44]);
    assert_eq!(file.error(), "node 0, skin 0: has node 44 as a joint; there are only 3 nodes");
    let mut file = File::skinned([0; 12], [1.0; 12]);
    let binds = file.floats("MAT4", &[0.0; 16]);
    file.json["skins"][0]["inverseBindMatrices"] = json!(binds);
    assert_eq!(
        file.error(),
        "node 0, skin 0, accessor 3: has 1 inverse bind matrices; expected 2, one per joint"
    );
}

#[test]
fn node_trees_that_are_none() {
    let mut file = File::triangle();
    file.json["nodes"][0]["children"] = json!([1]);
    file.push("nodes", json!({ "children": [0] }));
    assert_eq!(file.error(), "does not make a model: node 0 is its own ancestor");
    let mut file = File::triangle();
    file.json["nodes"][0]["children"] = json!([0]);
    assert_eq!(file.error(), "does not make a model: node 0 is its own ancestor");
    let mut file = File::triangle();
    file.push("nodes", json!({ "children": [0] }));
    file.push("nodes", json!({ "name": "other", "children": [0] }));
    assert_eq!(
        file.error(),
        "node 2 (other): has child 0, which is already a child of node 1; expected a tree"
    );
    file.json["nodes"][2]["children"] = json!([9]);
    assert_eq!(file.error(), "node 2 (other): has child 9; there are only 3 nodes");
}

#[test]
fn animations_that_are_wrong_are_left_out() {
    let reason = |file: &File| {
        let loaded = file.read().unwrap();
        assert_eq!((loaded.model.clips().len(), loaded.left_out.len()), (1, 1));
        assert_eq!(loaded.model.clips()[0].name(), "Idle");
        assert!(loaded.notes.contains(&loaded.left_out[0]));
        loaded.left_out[0].strip_suffix("; the clip is left out").unwrap().to_owned()
    };
    let mut file = File::triangle();
    let times = file.floats("SCALAR", &[0.0, 2.0, 1.0]);
    let values = file.floats("VEC3", &[0.0; 9]);
    let one = file.floats("SCALAR", &[0.0]);
    let still = file.floats("VEC3", &[0.0; 3]);
    file.json["animations"] = json!([{
        "name": "Walk",
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "scale" } }],
        "samplers": [{ "input": times, "output": values }],
    }, {
        "name": "Idle",
        "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        "samplers": [{ "input": one, "output": still }],
    }]);
    assert_eq!(
        reason(&file),
        "animation 0 (Walk): channel 0: key 2 is at 1 s; times must be finite, not negative and ascending"
    );
    let mut cubic = file.clone();
    cubic.json["animations"][0]["samplers"][0]["interpolation"] = json!("CUBICSPLINE");
    assert_eq!(
        reason(&cubic),
        "animation 0 (Walk), channel 0: 9 values for 3 keys of 3 numbers (CubicSpline); expected 27 values"
    );
    let mut far = file.clone();
    far.json["animations"][0]["channels"][0]["target"]["node"] = json!(8);
    assert_eq!(reason(&far), "animation 0 (Walk), channel 0, node 8: does not exist; there are 1");
    let mut far = file.clone();
    far.json["animations"][0]["channels"][0]["sampler"] = json!(8);
    assert_eq!(reason(&far), "animation 0 (Walk), channel 0, sampler 8: does not exist; there are 1");
    let mut unknown = file.clone();
    unknown.json["animations"][0]["channels"][0]["target"]["path"] = json!("colour");
    assert_eq!(reason(&unknown), "animation 0 (Walk), channel 0: moves something unknown of node 0");
    let mut unknown = file.clone();
    unknown.json["animations"][0]["samplers"][0].as_object_mut().unwrap().remove("output");
    assert_eq!(reason(&unknown), "animation 0 (Walk): missing field `output`");
}

#[test]
fn sparse_accessors_that_are_wrong() {
    let mut file = File::triangle();
    let indices = file.view(&[3]);
    let values = file.view(&[0; 12]);
    file.json["accessors"][0]["sparse"] = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": U8 },
        "values": { "bufferView": values },
    });
    assert_eq!(
        file.error(),
        "mesh 0, primitive 0, accessor 0, sparse: change 0 is to element 3; expected less than 3"
    );
    file.json["accessors"][0]["sparse"]["count"] = json!(4);
    assert_eq!(file.error(), "mesh 0, primitive 0, accessor 0, sparse: 4 changes of 3 elements");
}

#[test]
fn extensions_that_are_not_known() {
    for name in ["EXT_mesh_primitive_restart", "ACME_secret"] {
        let mut file = File::triangle();
        file.json["extensionsRequired"] = json!(["KHR_materials_unlit", name]);
        let error = file.error();
        assert!(error.starts_with(&format!("needs the extension {name}, which is not supported")), "{error}");
    }
    // What changes the geometry is an error even if it is only used; others are noted.
    let mut file = File::triangle();
    file.json["extensionsUsed"] = json!(["KHR_materials_unlit", "CESIUM_RTC"]);
    assert!(file.error().starts_with("needs the extension CESIUM_RTC"), "{}", file.error());
    file.json["extensionsUsed"] = json!(["KHR_materials_unlit", "KHR_animation_pointer", "ACME_secret"]);
    let notes = [
        "extension KHR_animation_pointer: what it animates does not move",
        "extension ACME_secret: not known here, and not followed",
    ];
    assert_eq!(file.read().unwrap().notes, notes);
    // Not required, but there is nothing else to read.
    let mut file = File::triangle();
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    file.json["meshes"][0]["primitives"][0]["extensions"] = json!({ "KHR_draco_mesh_compression": {} });
    assert!(file.error().contains("KHR_draco_mesh_compression"), "{}", file.error());
}

#[test]
fn buffers_that_cannot_be_had() {
    let with = |uri: &str| {
        let mut json = File::triangle().text();
        json["buffers"][0]["uri"] = json!(uri);
        error_of(json.to_string().as_bytes())
    };
    assert_eq!(
        with("data:;base64,????"),
        "buffer 0: the data URI is not base64: Invalid symbol 63, offset 0."
    );
    assert_eq!(with("data:nothing"), "buffer 0: a data URI without a comma; expected data:...;base64,...");
    assert_eq!(with("data:text/plain,hello"), "buffer 0: data URI of kind \"text/plain\"; expected base64");
    assert_eq!(with("data:;base64,AAAA"), "buffer 0: has 3 bytes; expected 36");
    assert_eq!(with("a.bin"), "buffer 0: the file a.bin cannot be read: no other files were given");
    for uri in ["/dev/zero", "http://example.com/a.bin", "../../a.bin", "%2e%2e/a.bin", "C:/a.bin", ""] {
        assert_eq!(
            with(uri),
            format!("buffer 0: is at {uri:?}; expected a data URI or a file in the same folder")
        );
    }
}

#[test]
fn files_that_are_not_known() {
    let read = |name: &str| {
        supple_io::read_bytes(name, b"?", &mut supple_io::no_other_files).unwrap_err().to_string()
    };
    let (error, nameless) = (read("model.xyz"), read("model"));
    assert!(
        error.starts_with("model.xyz: the kind of file is not known from its extension \"xyz\""),
        "{error}"
    );
    assert!(
        nameless.starts_with("model: the kind of file is not known from its extension \"\""),
        "{nameless}"
    );
    let error = supple_io::load("no/such/file.glb").unwrap_err().to_string();
    assert!(error.starts_with("no/such/file.glb: cannot be read: "), "{error}");
}
