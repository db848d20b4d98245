//! A prop that a bone carries, against the bone's own matrices and against files that have the prop already.

mod assets;

use assets::assets;
use glam::{DAffine3, DVec3, Quat, Vec3};
use supple::pose::{Joint, Node, Skeleton};
use supple::rest::{Field, Fields, Rest};
use supple::{Mesh, Model, Pose, Skin, Skinning, Transform};
use supple_io::{JoinError, attach, no_other_files, only_part};

fn positions(model: &Model, pose: &Pose) -> Vec<Vec3> {
    model.posed(pose, Skinning::Linear).unwrap().positions()
}

/// A box of 1 by 2 by 3, a corner at the origin.
fn box_prop() -> Model {
    let corner = |i: u32| Vec3::new((i & 1) as f32, 2.0 * (i >> 1 & 1) as f32, 3.0 * (i >> 2) as f32);
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    Model::rigid(Mesh::new((0..8).map(corner).collect(), triangles).unwrap())
}

/// Six times the volume that a surface encloses: positive where it faces outwards.
fn volume(positions: &[Vec3], triangles: &[[u32; 3]]) -> f32 {
    triangles.iter().map(|t| t.map(|v| positions[v as usize])).map(|[a, b, c]| a.dot(b.cross(c))).sum()
}

fn placement() -> Transform {
    Transform {
        translation: Vec3::new(0.1, -0.2, 0.05),
        rotation: Quat::from_rotation_z(0.7),
        scale: Vec3::splat(0.1),
    }
}

/// In all clips: the model itself as it was; the prop where the bone's matrix puts it, with the scale of the rest pose
/// taken out of each of its axes.
fn check(name: &str, model: &Model, prop: &Model, bone: &str) {
    let armed = attach(model, prop, bone, &placement()).unwrap();
    assert_eq!(armed.clips(), model.clips());
    assert_eq!(armed.skeleton().nodes(), model.skeleton().nodes());
    let node = model.skeleton().node_named(bone).unwrap();
    let own = model.mesh().positions().len();
    let world = |pose: &Pose| model.skeleton().world_matrices(pose).unwrap()[node];
    let at_rest = world(&model.rest_pose()).matrix3;
    let lengths = [at_rest.x_axis, at_rest.y_axis, at_rest.z_axis].map(DVec3::length);
    let unscaled = DAffine3::from_scale(DVec3::ONE / DVec3::from_array(lengths));
    let prop_at_rest = positions(prop, &prop.rest_pose());
    let mut poses = vec![model.rest_pose()];
    for clip in model.clips() {
        for i in 0..5 {
            poses.push(model.sample(clip, clip.duration() * f64::from(i) / 4.0).unwrap());
        }
    }
    for (number, pose) in poses.iter().enumerate() {
        let all = positions(&armed, pose);
        let (first, second) = all.split_at(own);
        let alone = positions(model, pose);
        let far = first.iter().zip(&alone).fold(0.0, |most: f32, (a, b)| most.max(a.distance(*b)));
        let size = alone.iter().fold(0.0, |most: f32, p| most.max(p.length()));
        assert!(far <= 1e-6 * size, "{name} {number}: {far:e}"); // weights are normalised again
        let matrix = world(pose) * unscaled * placement().matrix();
        for (&found, &rest) in second.iter().zip(&prop_at_rest) {
            let expected = matrix.transform_point3(rest.as_dvec3()).as_vec3();
            let far = found.distance(expected);
            assert!(far <= 2e-6 * (size + expected.length()), "{name} {number}: {found} {expected}");
        }
        if number == 0 {
            // As large as in its file, a tenth by the placement.
            let edge = |from: usize, to: usize| second[from].distance(second[to]);
            for (edge, expected) in [(edge(0, 1), 0.1), (edge(0, 2), 0.2), (edge(0, 4), 0.3)] {
                assert!((edge - expected).abs() < 1e-5, "{name}: {edge} {expected}");
            }
        }
    }
}

#[test]
fn models_carry_a_box() {
    check("man", &supple_zoo::make("man", 0).unwrap(), &box_prop(), "hand_r");
    check("man", &supple_zoo::make("man", 0).unwrap(), &box_prop(), "head");
    let Some(folder) = assets() else { return };
    for (file, bone) in [
        ("rocketbox/rocketbox_Male_Adult_01.glb", "Bip01 R Hand"), // nodes of scale 0.01, bind matrices of scale 100
        ("hands/aframe_leftHandHigh.glb", "F2c"),                  // mirrored
        ("khronos/CesiumMan.glb", "Skeleton_arm_joint_R__3_"),
        ("khronos/CesiumMan.glb", "Z_UP"), // moves no vertices
        ("kaykit/Knight.glb", "handslot.r"),
    ] {
        check(file, &supple_io::load(folder.join(file)).unwrap(), &box_prop(), bone);
    }
}

/// The knight's own sword, taken off and given back, is where it was in every clip.
#[test]
fn a_sword_that_is_given_back_is_where_it_was() {
    let Some(folder) = assets() else { return };
    let knight = supple_io::load(folder.join("kaykit/Knight.glb")).unwrap();
    let sword = only_part(&knight, "1H_Sword").unwrap();
    let node = &knight.skeleton().nodes()[knight.skeleton().node_named("1H_Sword").unwrap()];
    assert_eq!(knight.skeleton().nodes()[node.parent.unwrap()].name, "handslot.r");
    // The mesh alone, as it is in the node's space.
    let armed = attach(&knight, &Model::rigid(sword.mesh().clone()), "handslot.r", &node.rest).unwrap();
    let own = knight.mesh().positions().len();
    let part = knight.parts().iter().find(|part| part.name == "1H_Sword").unwrap();
    assert!(knight.clips().len() > 10);
    for clip in knight.clips() {
        for i in 0..4 {
            let pose = knight.sample(clip, clip.duration() * f64::from(i) / 3.0).unwrap();
            let all = positions(&armed, &pose);
            for (vertex, twin) in part.vertices.clone().zip(own..) {
                assert!(all[vertex].distance(all[twin]) < 2e-6, "{} {i}", clip.name());
            }
        }
    }
}

#[test]
fn a_prop_is_taken_in_its_rest_pose_and_keeps_its_parts() {
    let man = supple_zoo::make("man", 0).unwrap();
    let prop = supple_zoo::make("face", 0).unwrap();
    let armed = attach(&man, &prop, "hand_r", &Transform::IDENTITY).unwrap();
    assert_eq!(armed.rest().coefficient_count(), 0);
    let names: Vec<&str> = armed.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["man", "face"]);
    let twice = attach(&armed, &prop, "hand_l", &Transform::IDENTITY).unwrap();
    let names: Vec<&str> = twice.parts().iter().map(|part| part.name.as_str()).collect();
    assert_eq!(names, ["man", "face", "face (2)"]);
    let prop_at_rest = positions(&prop, &prop.rest_pose());
    let own = man.mesh().positions().len();
    assert_eq!(armed.mesh().positions()[own..], prop_at_rest);
    let bytes = supple_io::glb_bytes(&twice).unwrap();
    let read = supple_io::read_bytes("armed.glb", &bytes, &mut no_other_files).unwrap().model;
    let pose = |model: &Model| model.sample(model.clip("walk").unwrap(), 0.3).unwrap();
    let (before, after) = (positions(&twice, &pose(&twice)), positions(&read, &pose(&read)));
    assert!(before.iter().zip(&after).all(|(a, b)| a.distance(*b) < 1e-5));
}

/// A morph target that is on at rest, under a node that mirrors.
#[test]
fn what_is_baked_faces_outwards() {
    let plain = box_prop();
    let shift = Field {
        default: 1.0,
        displacements: (0..8).map(|vertex| (vertex, Vec3::X)).collect(),
        ..Field::default()
    };
    let mirrored = Transform { scale: Vec3::new(-1.0, 1.0, 1.0), ..Transform::IDENTITY };
    let nodes = vec![Node::new("mirror", None, mirrored)];
    let joints = vec![Joint { node: 0, inverse_bind: DAffine3::IDENTITY }];
    let prop = Model::new(plain.mesh().clone(), Skin::rigid(8), Skeleton::new(nodes, joints).unwrap())
        .unwrap()
        .with_rest(Rest::Fields(Fields::new(8, &[shift]).unwrap()))
        .unwrap();
    let man = supple_zoo::make("man", 0).unwrap();
    let armed = attach(&man, &prop, "hand_r", &Transform::IDENTITY).unwrap();
    let (own, own_triangles) = (man.mesh().positions().len(), man.mesh().triangles().len());
    let expected: Vec<Vec3> =
        plain.mesh().positions().iter().map(|p| Vec3::new(-(p.x + 1.0), p.y, p.z)).collect();
    assert_eq!(armed.mesh().positions()[own..], expected);
    let triangles: Vec<[u32; 3]> = armed.mesh().triangles()[own_triangles..]
        .iter()
        .map(|triangle| triangle.map(|vertex| vertex - own as u32))
        .collect();
    assert!(volume(plain.mesh().positions(), plain.mesh().triangles()) > 0.0);
    assert!(volume(&expected, &triangles) > 0.0);
}

/// A skeleton of these nodes, all at the root, with joints at the first of them.
fn nodes(rests: &[(&str, Transform)], joints: usize) -> Model {
    let nodes = rests.iter().map(|(name, rest)| Node::new(*name, None, *rest)).collect();
    let joints: Vec<Joint> =
        (0..joints).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let lists = [[(0, 1.0f32)]; 8];
    let skin = Skin::new(joints.len(), lists.iter().map(|list| list.as_slice())).unwrap();
    Model::new(box_prop().mesh().clone(), skin, Skeleton::new(nodes, joints).unwrap()).unwrap()
}

#[test]
fn bones_are_found_by_name() {
    let at = Transform::from_translation;
    let model =
        nodes(&[("Hand_R", at(Vec3::X)), ("hat", at(Vec3::Y)), ("hat", at(Vec3::Z)), ("", at(Vec3::X))], 2);
    let carried = |bone: &str| attach(&model, &box_prop(), bone, &Transform::IDENTITY);
    let node = |bone: &str| carried(bone).unwrap().skeleton().joints()[2].node;
    assert_eq!((node("Hand_R"), node("hand_r")), (0, 0));
    assert_eq!(node("hat"), 1); // the one that is a joint
    let error = carried("hand_l").unwrap_err();
    assert_eq!(error.to_string(), "there is no bone \"hand_l\"; the nearest: \"Hand_R\", \"hat\"");
    assert!(matches!(carried("").unwrap_err(), JoinError::UnknownNode { .. }));
    let unclear = nodes(&[("a", at(Vec3::X)), ("A", at(Vec3::Y)), ("b", at(Vec3::Y)), ("b", at(Vec3::Y))], 1);
    let carried = |bone: &str| attach(&unclear, &box_prop(), bone, &Transform::IDENTITY);
    assert!(carried("A").is_ok());
    assert_eq!(carried("b").unwrap_err(), JoinError::AmbiguousNode { name: "b".to_owned(), count: 2 });
}

#[test]
fn what_cannot_be_carried_is_refused() {
    let scaled = |x: f32, y: f32, z: f32| Transform { scale: Vec3::new(x, y, z), ..Transform::IDENTITY };
    let model = nodes(
        &[
            ("gone", scaled(0.0, 0.0, 0.0)),
            ("flat", scaled(1.0, 1.0, 0.0)),
            ("almost", scaled(1e-12, 1e-12, 1e-12)),
        ],
        1,
    );
    let carried = |bone: &str| attach(&model, &box_prop(), bone, &Transform::IDENTITY);
    for bone in ["gone", "flat"] {
        assert_eq!(carried(bone).unwrap_err(), JoinError::FlatNode { name: bone.to_owned() });
    }
    let small = carried("almost").unwrap();
    let (held, expected) = (positions(&small, &small.rest_pose()), box_prop());
    assert!(held[8..].iter().zip(expected.mesh().positions()).all(|(a, b)| a.distance(*b) < 1e-5));
    for bad in [scaled(0.0, 1.0, 1.0), scaled(f32::NAN, 1.0, 1.0)] {
        assert_eq!(attach(&model, &box_prop(), "gone", &bad).unwrap_err(), JoinError::Placement);
    }
}
