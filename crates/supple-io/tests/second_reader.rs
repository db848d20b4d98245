//! Exported GLB files as others see them: the `gltf` crate with its validation, and a strict checker written straight
//! from the specification that knows nothing of this crate.

mod from_memory;
mod hand_made;
mod strict_checker;

use glam::{DQuat, Vec3};
use supple::model::{Part, Primitive};
use supple::rest::{Field, Fields, Rest};
use supple::{Isometry, Mesh, Model, Skinning};
use supple_io::{GlbError, Instance, Instances, glb_bytes, instances_glb_bytes};

#[test]
fn exported_files_follow_the_specification() {
    for (name, model) in hand_made::models() {
        let problems = strict_checker::problems(&glb_bytes(&model).unwrap());
        assert!(problems.is_empty(), "{name}: {problems:#?}");
    }
}

/// A triangle with a field.
fn flag() -> Model {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let field = Field { name: "waves".to_owned(), displacements: vec![(2, Vec3::Z)], ..Field::default() };
    Model::rigid(mesh).with_rest(Rest::Fields(Fields::new(3, &[field]).unwrap())).unwrap()
}

#[test]
fn instances_share_a_mesh_and_move_on_their_own() {
    let flag = flag();
    let pole = Model::rigid(flag.mesh().clone());
    let place =
        |x: f64, turn: f64| Isometry::new(DQuat::from_rotation_y(turn), glam::DVec3::new(x, 0.5, 0.0));
    let instance = |x: f64, coefficients: &[f32]| Instance {
        name: format!("at {x}"),
        placements: vec![place(x, 0.0), place(x + 1.0, 0.5)],
        coefficients: coefficients.to_vec(),
    };
    let flags =
        Instances { model: &flag, instances: vec![instance(1.0, &[0.0, 1.0]), instance(2.0, &[0.5, -1.0])] };
    let poles = Instances { model: &pole, instances: vec![instance(3.0, &[])] };
    let bytes = instances_glb_bytes("wind", &[0.0, 0.5], &[flags.clone(), poles]).unwrap();
    let problems = strict_checker::problems(&bytes);
    assert!(problems.is_empty(), "{problems:#?}");
    let file = gltf::Gltf::from_slice(&bytes).unwrap();
    assert_eq!((file.meshes().len(), file.nodes().len(), file.animations().len()), (2, 3, 1));
    let read = from_memory::read_gltf(&bytes).unwrap().model;
    let pose = read.sample(read.clip("wind").unwrap(), 0.5).unwrap();
    let positions = read.posed(&pose, Skinning::Linear).unwrap().positions();
    assert_eq!(positions.len(), 9);
    for (index, (x, wave)) in [(1.0, 1.0), (2.0, -1.0), (3.0, 0.0)].into_iter().enumerate() {
        let expected = place(x + 1.0, 0.5).transform_point(Vec3::new(0.0, 1.0, wave)).as_vec3();
        assert!(positions[3 * index + 2].distance(expected) < 1e-6, "instance {index}");
    }

    let refused = |times: &[f32], models: &[Instances]| instances_glb_bytes("", times, models).unwrap_err();
    assert_eq!(refused(&[], &[]), GlbError::KeyTimes { key: 0 });
    assert_eq!(refused(&[0.5, 0.5], &[]), GlbError::KeyTimes { key: 1 });
    assert_eq!(refused(&[f32::NAN], &[]), GlbError::KeyTimes { key: 0 });
    let error = refused(&[0.0], &[flags]);
    assert!(matches!(error, GlbError::InstanceLength { instance: 0, expected: 1, found: 2, .. }), "{error}");
    let hand_made = hand_made::models();
    let skinned = hand_made.iter().map(|(_, model)| model).find(|m| m.skeleton().joints().len() > 1).unwrap();
    let error = refused(&[0.0], &[Instances { model: skinned, instances: Vec::new() }]);
    assert!(matches!(error, GlbError::NotOnePart { model: 0, .. }), "{error}");
}

/// A checker that finds nothing in anything proves nothing.
#[test]
fn the_checker_finds_what_is_wrong() {
    let glb = glb_bytes(&hand_made::models()[0].1).unwrap();
    let (mut root, buffer) = strict_checker::split(&glb);
    assert!(strict_checker::problems_of(&root, &buffer).is_empty());
    root["accessors"][0]["min"][0] = (-7.5).into();
    root["accessors"][1]["count"] = 1_000_000.into();
    root["bufferViews"][2]["byteOffset"] = 1.into();
    let joints = root["skins"][0]["joints"].as_array_mut().unwrap();
    joints.truncate(3);
    root["nodes"][0]["children"] = serde_json::json!([1, 1]);
    let problems = strict_checker::problems_of(&root, &buffer).join("\n");
    for expected in ["accessor 0: min", "accessor 1: ends", "alignment", "joint", "node 1 has 2 parents"] {
        assert!(problems.contains(expected), "{expected} is not in:\n{problems}");
    }
}

#[test]
fn another_reader_finds_the_same_numbers() {
    for (name, model) in hand_made::models() {
        let bytes = glb_bytes(&model).unwrap();
        let file = gltf::Gltf::from_slice(&bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        let blob = file.blob.as_deref().unwrap();
        let nodes: Vec<gltf::Node<'_>> = file.nodes().filter(|node| node.mesh().is_some()).collect();
        assert_eq!(nodes.len(), model.parts().len(), "{name}");
        for (node, part) in nodes.iter().zip(model.parts()) {
            let mesh = node.mesh().unwrap();
            assert_eq!(mesh.primitives().len(), part.primitives.len(), "{name}");
            for (read, primitive) in mesh.primitives().zip(&part.primitives) {
                compare_mesh(name, &model, &read, primitive, blob);
                if let Some(skin) = node.skin() {
                    compare_skin(name, &model, &read, &skin, primitive, blob);
                }
                compare_targets(name, &model, part, &read, primitive, blob);
            }
        }
        assert_eq!(file.animations().len(), model.clips().len(), "{name}");
    }
}

fn compare_mesh(name: &str, model: &Model, read: &gltf::Primitive<'_>, primitive: &Primitive, blob: &[u8]) {
    let reader = read.reader(|_| Some(blob));
    let positions: Vec<Vec3> = reader.read_positions().unwrap().map(Vec3::from).collect();
    assert_eq!(positions, model.mesh().positions()[primitive.vertices.clone()], "{name}");
    let mut indices: Vec<usize> = reader.read_indices().unwrap().into_u32().map(|i| i as usize).collect();
    indices.iter_mut().for_each(|i| *i += primitive.vertices.start);
    let expected = model.mesh().triangles()[primitive.triangles.clone()].iter();
    // A mirrored node turns triangles round; corners are compared as sets of three.
    let sorted = |mut corners: [usize; 3]| {
        corners.sort_unstable();
        corners
    };
    let (found, _) = indices.as_chunks::<3>();
    assert_eq!(
        found.iter().map(|t| sorted(*t)).collect::<Vec<_>>(),
        expected.map(|t| sorted(t.map(|v| v as usize))).collect::<Vec<_>>(),
        "{name}"
    );
    assert_eq!(read.material().name().unwrap_or_default(), primitive.material, "{name}");
}

fn compare_skin(
    name: &str,
    model: &Model,
    read: &gltf::Primitive<'_>,
    skin: &gltf::Skin<'_>,
    primitive: &Primitive,
    blob: &[u8],
) {
    let reader = read.reader(|_| Some(blob));
    let binds: Vec<[[f32; 4]; 4]> =
        skin.reader(|_| Some(blob)).read_inverse_bind_matrices().unwrap().collect();
    let mut found = vec![Vec::new(); primitive.vertices.len()];
    for set in 0.. {
        let (Some(joints), Some(weights)) = (reader.read_joints(set), reader.read_weights(set)) else {
            break;
        };
        for (list, (joints, weights)) in found.iter_mut().zip(joints.into_u16().zip(weights.into_f32())) {
            let pairs = joints.into_iter().zip(weights).filter(|(_, weight)| *weight > 0.0);
            list.extend(pairs.map(|(joint, weight)| (binds[usize::from(joint)].concat(), weight)));
        }
    }
    for (vertex, found) in primitive.vertices.clone().zip(&mut found) {
        let joints = model.skeleton().joints();
        let mut expected: Vec<(Vec<f32>, f32)> = model
            .skin()
            .influences(vertex as u32)
            .map(|(joint, weight)| {
                let bind = joints[joint.0 as usize].inverse_bind.as_affine3a();
                (glam::Mat4::from(bind).to_cols_array().to_vec(), weight)
            })
            .collect();
        let order = |a: &(Vec<f32>, f32), b: &(Vec<f32>, f32)| a.partial_cmp(b).unwrap();
        found.sort_by(order);
        expected.sort_by(order);
        assert_eq!(*found, expected, "{name}, vertex {vertex}");
    }
}

fn compare_targets(
    name: &str,
    model: &Model,
    part: &Part,
    read: &gltf::Primitive<'_>,
    primitive: &Primitive,
    blob: &[u8],
) {
    let displacement = |coefficient: usize, vertex: u32| match model.rest() {
        Rest::Plain => Vec3::ZERO,
        Rest::Fields(fields) => {
            fields.of_vertex(vertex).find(|(field, _)| *field == coefficient).map_or(Vec3::ZERO, |(_, d)| d)
        }
        Rest::Morph(morph) => morph.of_vertex(vertex)[coefficient] - morph.of_vertex(vertex)[0],
    };
    // The first reference of a convex morph is the mesh itself.
    let skipped = usize::from(matches!(model.rest(), Rest::Morph(_)));
    let coefficients = part.coefficients.clone().skip(skipped);
    let targets: Vec<_> = read.reader(|_| Some(blob)).read_morph_targets().collect();
    assert_eq!(targets.len(), coefficients.len(), "{name}");
    for ((positions, ..), coefficient) in targets.into_iter().zip(coefficients) {
        let found: Vec<Vec3> = positions.unwrap().map(Vec3::from).collect();
        let expected: Vec<Vec3> =
            primitive.vertices.clone().map(|v| displacement(coefficient, v as u32)).collect();
        assert_eq!(found, expected, "{name}, coefficient {coefficient}");
    }
}
