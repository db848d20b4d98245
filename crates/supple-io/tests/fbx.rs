//! A small text FBX with a skin, a blend shape and an animation; variants of it; broken input.
//!
//! What is hard to say by hand is compared with the library's own evaluation of the unchanged scene, which needs no helper nodes,
//! no conversion of units and no baked keys.

#![cfg(feature = "fbx")]

mod fbx_files;
mod from_memory;

use fbx_files::{SQUARE, as_binary};
use from_memory::read_fbx;
use glam::Vec3;
use supple::Skinning;
use supple_io::Problem;

#[test]
fn a_skinned_square_loads_in_metres() {
    let model = read_fbx(SQUARE.as_bytes()).unwrap();
    let positions = model.posed(&model.rest_pose(), Skinning::Linear).unwrap().positions();
    let expected = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y];
    for (found, expected) in positions.iter().zip(expected) {
        assert!(found.abs_diff_eq(expected, 1e-6), "{found} {expected}");
    }
    assert_eq!(model.mesh().triangles().len(), 2);
    assert_eq!(model.parts()[0].name, "body");
    assert_eq!(model.rest().names(), ["bulge"]);
}

#[test]
fn bones_and_shapes_move_it() {
    let model = read_fbx(SQUARE.as_bytes()).unwrap();
    let mut pose = model.sample(model.clip("turn").unwrap(), 1.0).unwrap();
    pose.coefficients[0] = 1.0;
    let positions = model.posed(&pose, Skinning::Linear).unwrap().positions();
    let expected = [Vec3::ZERO, Vec3::new(1.0, 0.0, 0.5), Vec3::new(0.0, 2.0, 0.0), Vec3::Y];
    for (found, expected) in positions.iter().zip(expected) {
        assert!(found.abs_diff_eq(expected, 1e-5), "{positions:?}");
    }
}

#[test]
fn broken_files_are_errors() {
    let place = |bytes: &[u8]| match read_fbx(bytes) {
        Err(Problem::Invalid { place, .. }) => place,
        other => panic!("{other:?}"),
    };
    assert_eq!(place(b""), "FBX");
    assert_eq!(place(b"no such thing"), "FBX");
    assert_eq!(place(b"Kaydara FBX Binary  \0\x1a\0\xe8\x1c\0\0\xff\xff\xff\xff"), "FBX");
    assert_eq!(place(&[0xa5; 4096]), "FBX");
    // Cut before the meshes are connected to their nodes, a text is either broken or has no meshes.
    let end = SQUARE.find("C: \"OO\",10,20").unwrap();
    for length in (0..end).step_by(97) {
        assert!(read_fbx(&SQUARE.as_bytes()[..length]).is_err(), "{length}");
    }
}

/// Puts properties into the square's nodes.
fn with_properties(body: &str, tip: &str) -> String {
    SQUARE
        .replace(
            "\"Mesh\" { Version: 232 }",
            &format!("\"Mesh\" {{ Version: 232\n Properties70: {{ {body} }} }}"),
        )
        .replace(
            "\"Lcl Translation\", \"\", \"A\",0,100,0 }",
            &format!("\"Lcl Translation\", \"\", \"A\",0,100,0\n {tip} }}"),
        )
}

fn property(name: &str, kind: &str, value: &str) -> String {
    format!("P: \"{name}\", \"{kind}\", \"\", \"A\",{value}\n")
}

/// The largest distance between our vertices and the library's, over some times within the first clip.
fn difference_from_library(text: &str) -> f32 {
    let model = read_fbx(text.as_bytes()).unwrap();
    let scene = ufbx::load_memory(text.as_bytes(), ufbx::LoadOpts::default()).unwrap();
    let stack = &scene.anim_stacks[0];
    let mut largest = 0.0f32;
    for step in 0..=100 {
        let time = f64::from(step) * model.clips()[0].duration() / 100.0;
        let ours = model.posed(&model.sample(&model.clips()[0], time).unwrap(), Skinning::Linear).unwrap();
        let options = ufbx::EvaluateOpts { evaluate_skinning: true, ..Default::default() };
        let state = ufbx::evaluate_scene(&scene, &stack.anim, stack.time_begin + time, options).unwrap();
        let mut theirs = Vec::new();
        for node in state.nodes.iter().filter(|node| node.mesh.is_some()) {
            let mesh = node.mesh.as_ref().unwrap();
            for &v in mesh.skinned_position.values.iter() {
                let world = if mesh.skinned_is_local {
                    ufbx::transform_position(&node.geometry_to_world, v)
                } else {
                    v
                };
                theirs.push(0.01 * Vec3::new(world.x as f32, world.y as f32, world.z as f32));
            }
        }
        assert_eq!(ours.positions().len(), theirs.len());
        for (ours, theirs) in ours.positions().into_iter().zip(theirs) {
            largest = largest.max(ours.distance(theirs));
        }
    }
    largest
}

#[test]
fn everything_a_node_can_do() {
    let turned =
        property("PreRotation", "Vector3D", "10,20,30") + &property("PostRotation", "Vector3D", "-5,15,40");
    let pivots = property("RotationPivot", "Vector3D", "10,-20,5")
        + &property("RotationOffset", "Vector3D", "3,4,5")
        + &property("ScalingPivot", "Vector3D", "7,8,-9")
        + &property("ScalingOffset", "Vector3D", "1,-2,3")
        + &property("Lcl Scaling", "Lcl Scaling", "1.5,0.5,2");
    let active = property("RotationActive", "bool", "1");
    let geometric = property("GeometricTranslation", "Vector3D", "10,20,30")
        + &property("GeometricRotation", "Vector3D", "0,0,45")
        + &property("GeometricScaling", "Vector3D", "2,1,0.5");
    let mirrored = property("Lcl Scaling", "Lcl Scaling", "-1,1,1");
    for (name, body, tip) in [
        ("plain", String::new(), String::new()),
        ("turned", turned.clone() + &active, turned.clone() + &active),
        ("pivots", pivots.clone(), pivots.clone() + &active),
        ("all", turned.clone() + &pivots + &active, turned + &pivots + &active),
        ("geometric", geometric, String::new()),
        ("mirrored", mirrored.clone(), mirrored),
        (
            "order",
            String::new(),
            property("RotationOrder", "enum", "4") + &property("PreRotation", "Vector3D", "70,0,0"),
        ),
    ] {
        let error = difference_from_library(&with_properties(&body, &tip));
        assert!(error < 1e-5, "{name}: {error}");
    }
}

#[test]
fn scales_that_are_not_inherited() {
    // The tip hangs below a scaled and turned parent, in each of the three ways to inherit.
    for (inherit, scale) in [(0, "2,2,2"), (1, "2,3,0.5"), (2, "2,2,2"), (2, "2,3,0.5"), (0, "2,3,0.5")] {
        let text = with_properties("", &property("InheritType", "enum", &inherit.to_string()))
            .replace("  Deformer: 30,", &format!(
                "  Model: 22, \"Model::arm\", \"LimbNode\" {{ Properties70: {{ {} {} }} }}\n  Deformer: 30,",
                property("Lcl Scaling", "Lcl Scaling", scale),
                property("Lcl Rotation", "Lcl Rotation", "20,30,40"),
            ))
            .replace("C: \"OO\",21,0", "C: \"OO\",22,0\n  C: \"OO\",21,22");
        assert!(text.contains("21,22"));
        let error = difference_from_library(&text);
        assert!(error < 1e-5, "{inherit} {scale}: {error}");
    }
}

#[test]
fn curves_between_keys() {
    // Cubic keys that start and end slowly: baked, straight between samples.
    let smooth = SQUARE.replace("KeyAttrFlags: *1 { a: 4 }", "KeyAttrFlags: *1 { a: 8 }");
    let error = difference_from_library(&smooth);
    // The edge is 1 m long: 1e-4 is 0.006 degrees.
    assert!(error < 1e-4 && error > 0.0, "{error}");
    // Steps are exact: nothing moves until the next key.
    let steps = SQUARE.replace("KeyAttrFlags: *1 { a: 4 }", "KeyAttrFlags: *1 { a: 2 }");
    assert!(difference_from_library(&steps) < 1e-6);
    let model = read_fbx(steps.as_bytes()).unwrap();
    let corner = |time| {
        model.posed(&model.sample(&model.clips()[0], time).unwrap(), Skinning::Linear).unwrap().positions()[2]
    };
    assert!(corner(0.9999).distance(Vec3::new(1.0, 1.0, 0.0)) < 1e-5);
    assert!(corner(1.0).distance(Vec3::new(0.0, 2.0, 0.0)) < 1e-5);
}

#[test]
fn a_clip_is_the_span_of_its_stack() {
    // Keys from -1 s to 1 s, of which the stack plays from -0.5 s to 0.5 s; and keys whose stack says nothing.
    let second = 46_186_158_000i64;
    let cut = SQUARE.replace("a: 0,46186158000", &format!("a: {},{second}", -second)).replace(
        "\"LocalStop\", \"KTime\", \"Time\", \"\",46186158000",
        &format!(
            "\"LocalStart\", \"KTime\", \"Time\", \"\",{}\n P: \"LocalStop\", \"KTime\", \"Time\", \"\",{}",
            -second / 2,
            second / 2,
        ),
    );
    let model = read_fbx(cut.as_bytes()).unwrap();
    assert!((model.clips()[0].duration() - 1.0).abs() < 1e-6, "{}", model.clips()[0].duration());
    assert!(difference_from_library(&cut) < 1e-5);
    let silent = cut.replace("LocalSt", "OtherSt");
    let model = read_fbx(silent.as_bytes()).unwrap();
    assert!((model.clips()[0].duration() - 2.0).abs() < 1e-6, "{}", model.clips()[0].duration());
}

/// The square with a second shape half way, and a slider that goes from 0 to 100 percent instead of a bone that turns.
fn with_in_between() -> String {
    SQUARE
        .replace("  Model: 20,", "  Geometry: 12, \"Geometry::half\", \"Shape\" {\n    Version: 100\n    Indexes: *1 { a: 1 }\n    Vertices: *3 { a: 0,-40,0 }\n  }\n  Model: 20,")
        .replace("FullWeights: *1 { a: 100 }", "FullWeights: *2 { a: 50,100 }")
        .replace("  C: \"OO\",11,33\n", "  C: \"OO\",12,33\n  C: \"OO\",11,33\n")
        .replace("\"Lcl Rotation\"", "\"DeformPercent\"")
        .replace("C: \"OP\",42,21,", "C: \"OP\",42,33,")
        .replace("\"d|X\", \"Number\"", "\"d|DeformPercent\", \"Number\"")
        .replace("43,42, \"d|Z\"", "43,42, \"d|DeformPercent\"")
        .replace("a: 0,90 }", "a: 0,100 }")
}

#[test]
fn in_between_shapes() {
    let model = read_fbx(with_in_between().as_bytes()).unwrap();
    assert_eq!(model.rest().names(), ["bulge 50%", "bulge 100%"]);
    for (time, expected) in [
        (0.25, Vec3::new(1.0, -0.2, 0.0)),
        (0.5, Vec3::new(1.0, -0.4, 0.0)),
        (0.75, Vec3::new(1.0, -0.2, 0.25)),
        (1.0, Vec3::new(1.0, 0.0, 0.5)),
    ] {
        let pose = model.sample(model.clip("turn").unwrap(), time).unwrap();
        let corner = model.posed(&pose, Skinning::Linear).unwrap().positions()[1];
        assert!(corner.distance(expected) < 1e-5, "{time}: {corner}");
    }
    assert!(difference_from_library(&with_in_between()) < 1e-5);
}

#[test]
fn both_instances_of_a_mesh_are_there_and_move() {
    let text = with_in_between()
        .replace("  Model: 21,", "  Model: 23, \"Model::twin\", \"Mesh\" { Version: 232 }\n  Model: 21,")
        .replace("  C: \"OO\",10,20\n", "  C: \"OO\",23,0\n  C: \"OO\",10,20\n  C: \"OO\",10,23\n");
    let model = read_fbx(text.as_bytes()).unwrap();
    let names: Vec<&str> = model.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["body", "twin"]);
    let pose = model.sample(&model.clips()[0], 1.0).unwrap();
    let positions = model.posed(&pose, Skinning::Linear).unwrap().positions();
    assert_eq!(positions[1], positions[5]);
    assert!(positions[1].distance(Vec3::new(1.0, 0.0, 0.5)) < 1e-5);
}

#[test]
fn many_bones_for_one_vertex() {
    let (mut objects, mut links) = (String::new(), String::new());
    for i in 0..12 {
        objects += &format!(
            "  Model: {0}, \"Model::b{i}\", \"LimbNode\" {{ Properties70: {{ {1} }} }}\n  Deformer: {2}, \"SubDeformer::b{i}\", \"Cluster\" {{\n    \
             Indexes: *1 {{ a: 2 }}\n    Weights: *1 {{ a: 0.{i}5 }}\n    Transform: *16 {{ a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }}\n    \
             TransformLink: *16 {{ a: 1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1 }}\n  }}\n",
            100 + i,
            property("Lcl Rotation", "Lcl Rotation", &format!("0,0,{}", 7 * i)),
            200 + i,
        );
        links += &format!("  C: \"OO\",{0},0\n  C: \"OO\",{1},30\n  C: \"OO\",{0},{1}\n", 100 + i, 200 + i);
    }
    let text = SQUARE
        .replace("  AnimationStack: 40,", &format!("{objects}  AnimationStack: 40,"))
        .replace("  C: \"OO\",41,40\n", &format!("{links}  C: \"OO\",41,40\n"));
    let model = read_fbx(text.as_bytes()).unwrap();
    assert_eq!(model.skin().influences(2).count(), 13);
    assert!(difference_from_library(&text) < 1e-5);
}

#[test]
fn text_and_binary_are_the_same() {
    for text in [SQUARE.to_owned(), with_in_between()] {
        let binary = as_binary(&text);
        assert_eq!(read_fbx(text.as_bytes()).unwrap(), read_fbx(&binary).unwrap());
        assert_eq!(read_fbx(fbx_files::as_text(&binary).as_bytes()).unwrap(), read_fbx(&binary).unwrap());
    }
}

#[test]
fn skeletons_without_a_mesh() {
    let text = SQUARE.replace("  C: \"OO\",10,20\n", "");
    let error = read_fbx(text.as_bytes()).unwrap_err().to_string();
    let expected = "nodes: no node has a mesh with triangles; clips without a mesh (1) can be played on a character of another file";
    assert_eq!(error, expected);
    let motion = |text: &str| {
        supple_io::read_motion_bytes("a.fbx", text.as_bytes(), &mut supple_io::no_other_files).unwrap()
    };
    let joints = |text: &str| {
        let skeleton = motion(text).skeleton;
        skeleton
            .joints()
            .iter()
            .map(|joint| skeleton.nodes()[joint.node].name.clone())
            .collect::<Vec<String>>()
    };
    // Where nodes are said to be bones, only these are joints.
    assert_eq!(joints(&text), ["body", "tip"]);
    let bone = "  NodeAttribute: 24, \"NodeAttribute::tip\", \"LimbNode\" { TypeFlags: \"Skeleton\" }\n  Deformer: 30,";
    let said = text
        .replace("  Deformer: 30,", bone)
        .replace("  C: \"OO\",21,0\n", "  C: \"OO\",21,0\n  C: \"OO\",24,21\n");
    assert_eq!(joints(&said), ["tip"]);
    let motion = motion(&text);
    assert_eq!(motion.clips.len(), 1);
    assert_eq!(motion.clips[0].name(), "turn");
    // The same node turns as it does below a mesh.
    let model = read_fbx(SQUARE.as_bytes()).unwrap();
    assert_eq!(motion.clips[0].channels(), model.clips()[0].channels());
    assert!(supple_io::read_motion_bytes("a.obj", b"v 0 0 0", &mut supple_io::no_other_files).is_err());
}

#[test]
fn notes_tell_what_is_not_read() {
    let notes = |text: &str| {
        supple_io::read_bytes("a.fbx", text.as_bytes(), &mut supple_io::no_other_files).unwrap().notes
    };
    assert_eq!(notes(SQUARE), [""; 0]);
    let dual = SQUARE
        .replace("\"Skin\" { Version: 101 }", "\"Skin\" { Version: 101\n SkinningType: \"DualQuaternion\" }");
    assert_eq!(notes(&dual), ["mesh 0 (body): its skin asks for dual quaternions; choose that way to skin"]);
    let empty = SQUARE.replace("  C: \"OO\",42,41\n", "");
    assert_eq!(notes(&empty), ["animation stack 0 (turn): has no keys and was left out"]);
}

#[test]
fn names_of_clips_lose_the_object() {
    let named = |name: &str| {
        read_fbx(SQUARE.replace("AnimStack::turn", name).as_bytes()).unwrap().clips()[0].name().to_owned()
    };
    assert_eq!(named("AnimStack::tip|walk"), "walk");
    assert_eq!(named("AnimStack::other|walk"), "other|walk");
    assert_eq!(named("AnimStack::tip|"), "tip|");
}

#[test]
fn bad_indices_are_an_error_only_where_positions_have_them() {
    let with_uvs = |indices: &str| {
        SQUARE.replace(
            "    PolygonVertexIndex: *4 { a: 0,1,2,-4 }\n",
            &format!(
                "    PolygonVertexIndex: *4 {{ a: 0,1,2,-4 }}\n    LayerElementUV: 0 {{\n      MappingInformationType: \
                 \"ByPolygonVertex\"\n      ReferenceInformationType: \"IndexToDirect\"\n      UV: *4 {{ a: 0,0,1,1 }}\n      \
                 UVIndex: *4 {{ a: {indices} }}\n    }}\n    Layer: 0 {{\n      LayerElement: {{\n        Type: \
                 \"LayerElementUV\"\n        TypedIndex: 0\n      }}\n    }}\n"
            ),
        )
    };
    let read = |text: &str| supple_io::read_bytes("a.fbx", text.as_bytes(), &mut supple_io::no_other_files);
    assert_eq!(read(&with_uvs("0,1,1,0")).unwrap().notes, [""; 0]);
    let mended = read(&with_uvs("0,-1,1,7")).unwrap();
    assert!(mended.notes.iter().any(|note| note.contains("out of range")), "{:?}", mended.notes);
    assert_eq!(mended.model.mesh().positions(), read(SQUARE).unwrap().model.mesh().positions());
    let wrong = read(&SQUARE.replace("0,1,2,-4", "0,1,9,-4")).unwrap_err().to_string();
    assert_eq!(wrong, "a.fbx: FBX: is broken: its records, sizes or indices do not fit together");
}
