//! The law of all bounds: a bound contains every posed vertex below its node, as the one vertex function computes it in f32. Here over every
//! pair of stages, boxes and spheres, characters, and poses that nobody would choose.
//!
//! `cargo test -p supple --test law` runs a part of the cases, `SUPPLE_ALL_CASES=1 cargo test -p supple --test law` all of them.

#[path = "../../supple-io/tests/assets/mod.rs"]
mod assets;
#[allow(dead_code, reason = "the library's tests use the rest")]
mod subjects;

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DQuat, DVec3, Mat3, Quat, Vec3};
use supple::pose::{Joint, Node, Skeleton, Transform};
use supple::rest::{Field, Fields, Rest};
use supple::{Body, BuildOptions, Isometry, Mesh, Model, Pose, Shape, Skin, Skinning};

use subjects::cases::cases;
use subjects::characters::{pose_at, shape_of};
use subjects::files::SKINS_OF_EVERY_KIND;
use subjects::law::assert_law;
use subjects::random_model::{Random, RestKind, random_model, random_pose, sized_model};
use subjects::zoo::zoo;

/// Small leaves, and nothing above them is bounded by posing it.
fn by_joints(leaf_size: usize) -> BuildOptions {
    BuildOptions::default().with_leaf_size(leaf_size).with_twig_size(1)
}

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &by_joints(2)).unwrap())
}

fn assert_law_in(shape: &Arc<Shape>, pose: &Pose, placement: Isometry, what: &str) {
    for skinning in Skinning::ALL {
        let mut body = Body::new(shape, skinning).unwrap();
        body.set_pose_at(pose, placement).unwrap();
        assert_law(&mut body, what);
    }
}

#[test]
fn random_poses_of_every_pair_of_stages() {
    for seed in 0..400 {
        for kind in RestKind::ALL {
            let model = random_model(seed, kind);
            let shape = shape(model.clone());
            for (i, scaled) in [false, true].into_iter().enumerate() {
                let pose = random_pose(&model, seed * 2 + i as u64, scaled);
                assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("seed {seed} {kind:?}"));
            }
        }
    }
}

#[test]
fn far_from_the_origin() {
    for seed in 0..60 {
        let kind = RestKind::ALL[seed as usize % 3];
        let model = random_model(seed, kind);
        let shape = shape(model.clone());
        let pose = random_pose(&model, seed, false);
        let rotation = DQuat::from_rotation_x(seed as f64);
        for exponent in [-12, -3, 3, 6, 12] {
            let size = 10f64.powi(exponent);
            let far = Isometry::new(rotation, DVec3::new(size, -2.0 * size, 0.3 * size));
            assert_law_in(&shape, &pose, far, &format!("seed {seed} at 1e{exponent}"));
        }
    }
}

#[test]
fn huge_and_tiny_models_and_coefficients() {
    for seed in 0..60 {
        let kind = RestKind::ALL[seed as usize % 3];
        for exponent in [-30, -12, -4, 4, 12] {
            let size = 10f32.powi(exponent);
            let model = sized_model(seed, kind, size);
            let shape = shape(model.clone());
            let mut pose = random_pose(&model, seed, false);
            assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("seed {seed} of size 1e{exponent}"));
            pose.nodes[0].scale = Vec3::splat((1.0 / size).min(1e20));
            pose.coefficients.iter_mut().for_each(|q| *q *= 1e3);
            assert_law_in(
                &shape,
                &pose,
                Isometry::IDENTITY,
                &format!("seed {seed} scaled from 1e{exponent}"),
            );
        }
    }
}

/// Joints turned by exactly half turns about the axes: signs hang on zeros, blends cancel.
#[test]
fn half_turns_and_cancelling_rotations() {
    for seed in 0..200 {
        let mut random = Random(seed);
        let model = random_model(seed, RestKind::Plain);
        let shape = shape(model.clone());
        let mut pose = model.rest_pose();
        for node in &mut pose.nodes {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][random.below(3)];
            let turns = [0.0, 0.5, 1.0, -1.0, 0.999_999][random.below(5)];
            node.rotation = Quat::from_axis_angle(axis, turns * std::f32::consts::PI);
            if random.below(3) == 0 {
                node.translation = Vec3::ZERO;
            }
        }
        assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("seed {seed}"));
    }
}

/// Joints that hardly differ: rotation centres lie far away.
#[test]
fn nearly_equal_joints() {
    for seed in 0..100 {
        let mut random = Random(seed);
        let model = random_model(seed, RestKind::Plain);
        let shape = shape(model.clone());
        let mut pose = model.rest_pose();
        for node in &mut pose.nodes {
            let small = [1e-2, 1e-3, 1e-4, 1e-6][random.below(4)];
            node.rotation = Quat::from_axis_angle(random.rotation() * Vec3::X, small);
        }
        assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("seed {seed}"));
    }
}

/// Three joints whose rotations nearly cancel: the first has next to no weight and the other two are turned against it by
/// half a turn in opposite directions. A dual quaternion blend takes such vertices very far, and rounding with them.
#[test]
fn nearly_cancelling_dual_quaternions() {
    let mut random = Random(7);
    for case in 0..3000 {
        let weight = 10f32.powf(-3.0 + random.signed() * 0.5);
        let half = (1.0 - weight) / 2.0;
        // The second vertex makes joint 0 the one that signs are aligned with.
        let influences = [[(0, weight), (1, half), (2, half)], [(0, 1.0), (1, 1e-3), (2, 1e-3)]];
        let skin = Skin::new(3, influences.iter().map(|i| &i[..])).unwrap();
        let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X], vec![[0, 0, 0], [1, 1, 1]]).unwrap();
        let nodes = (0..3).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
        let joints = (0..3).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
        let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
        let shape = Arc::new(Shape::build(model.clone(), &by_joints(1)).unwrap());
        let mut pose = model.rest_pose();
        let (base, axis) = (random.rotation(), random.rotation() * Vec3::X);
        let turned = |sign: f32| base * Quat::from_xyzw(sign * axis.x, sign * axis.y, sign * axis.z, 1e-5);
        let rotations = [base, turned(1.0), turned(-1.0)];
        for (node, rotation) in pose.nodes.iter_mut().zip(rotations) {
            *node = Transform { rotation, translation: (random.vec3() * 8.0).round(), scale: Vec3::ONE };
        }
        assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("case {case}"));
    }
}

fn joints(count: usize) -> Skeleton {
    let nodes = (0..count).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
    let joints = (0..count).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    Skeleton::new(nodes, joints).unwrap()
}

/// Fields move vertices before joints stretch them: what fields do is stretched too.
#[test]
fn displacements_under_scaled_joints() {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X * -50.0, Vec3::X * -50.0], vec![[0, 1, 2]; 2]).unwrap();
    let skin = Skin::new(2, [&[(0, 0.5), (1, 0.5)][..], &[(0, 1.0)], &[(0, 1.0)]]).unwrap();
    let field = Field { displacements: vec![(0, Vec3::X)], ..Field::default() };
    let model = Model::new(mesh, skin, joints(2)).unwrap();
    let model = model.with_rest(Rest::Fields(Fields::new(3, &[field]).unwrap())).unwrap();
    let shape = Arc::new(Shape::build(model, &by_joints(1)).unwrap());
    for (scale, angle) in [(1.0, 0.3f32), (2.0, 0.1), (2.0, 1.0), (10.0, 2.0), (100.0, 0.3), (100.0, 1.5)] {
        for skinning in Skinning::ALL {
            let mut body = Body::new(&shape, skinning).unwrap();
            let turned = |angle| Affine3A::from_mat3(Mat3::from_rotation_z(angle) * scale);
            body.set_joint_matrices(&[turned(angle / 2.0), turned(-angle / 2.0)], &[1.0]).unwrap();
            assert_law(&mut body, &format!("scale {scale}, angle {angle}"));
        }
    }
}

/// Joint-sets that share a group: their tiny weights on many different joints are rounded together.
#[test]
fn tiny_weights_on_many_joints() {
    for (per_vertex, sets, units) in
        [(2, 12, 12.0f32), (2, 12, 24.0), (4, 10, 40.0), (8, 6, 80.0), (1, 12, 8.0)]
    {
        let tiny = units * f32::EPSILON / per_vertex as f32;
        let influences: Vec<Vec<(u32, f32)>> = (0..sets)
            .map(|set| {
                let others = (0..per_vertex).map(|i| (1 + set * per_vertex + i, tiny));
                std::iter::once((0, 1.0 - units * f32::EPSILON)).chain(others).collect()
            })
            .collect();
        let positions = (0..sets).map(|k| Vec3::new(k as f32, (k * k) as f32, 0.0) * 0.01).collect();
        let mesh = Mesh::new(positions, (0..sets).map(|k| [k; 3]).collect()).unwrap();
        let count = 1 + (per_vertex * sets) as usize;
        let skin = Skin::new(count, influences.iter().map(Vec::as_slice)).unwrap();
        let model = Model::new(mesh, skin, joints(count)).unwrap();
        let shape = Arc::new(Shape::build(model, &by_joints(1)).unwrap());
        let far = |joint| Affine3A::from_translation(Vec3::X * if joint == 0 { -1000.0 } else { 1000.0 });
        let matrices: Vec<Affine3A> = (0..count).map(far).collect();
        for skinning in Skinning::ALL {
            let mut body = Body::new(&shape, skinning).unwrap();
            body.set_joint_matrices(&matrices, &[]).unwrap();
            assert_law(&mut body, &format!("{per_vertex} of {tiny:e}, {sets} sets"));
        }
    }
}

/// One joint with a huge scale and tiny positions, another with huge positions: together they would overflow.
#[test]
fn extremes_of_different_joints() {
    let mut random = Random(7);
    for case in 0..200 {
        let (tiny, huge) = ([1e-20f32, 1e-25, 1e-10][case % 3], [1e10f32, 1e14, 1e16, 1e17][case % 4]);
        let scale = [1e20f32, 1e25, 1e28][case / 7 % 3];
        let positions = (0..36).map(|v| random.vec3() * if v < 18 { tiny } else { huge }).collect();
        let mesh = Mesh::new(positions, (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect()).unwrap();
        let influences: Vec<[(u32, f32); 2]> =
            (0..36).map(|v| if v < 18 { [(0, 0.3), (1, 0.7)] } else { [(2, 0.6), (3, 0.4)] }).collect();
        let skin = Skin::new(4, influences.iter().map(|list| &list[..])).unwrap();
        let model = Model::new(mesh, skin, joints(4)).unwrap();
        let shape = Arc::new(Shape::build(model, &by_joints(1)).unwrap());
        let matrices: Vec<Affine3A> = (0..4)
            .map(|joint| {
                let rotation = Mat3::from_quat(random.rotation());
                Affine3A::from_mat3(rotation * if joint < 2 { scale } else { 1.0 })
            })
            .collect();
        for skinning in Skinning::ALL {
            let Ok(mut body) = Body::new(&shape, skinning) else { continue };
            if body.set_joint_matrices(&matrices, &[]).is_ok() {
                assert_law(&mut body, &format!("case {case}"));
                let mut other = body.clone();
                assert!(!supple::collide(&mut body, &mut other).found.is_empty());
            }
        }
    }
}

/// A rigid model of two triangles with a field that moves one vertex, in a pose with one scaled joint.
fn displaced(positions: [Vec3; 4], displacement: Vec3, coefficient: f32, scale: f32) -> Option<Body> {
    let mesh = Mesh::new(positions.to_vec(), vec![[0, 1, 2], [1, 3, 2]]).unwrap();
    let field = Field { displacements: vec![(0, displacement)], ..Field::default() };
    let fields = Fields::new(4, &[field]).unwrap();
    let model = Model::rigid(mesh).with_rest(Rest::Fields(fields)).unwrap();
    let options = by_joints(1);
    let shape = Arc::new(Shape::build(model, &options).unwrap());
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let joint = Affine3A::from_scale(Vec3::splat(scale));
    body.set_joint_matrices(&[joint], &[coefficient]).ok().map(|()| body)
}

/// Products of displacements and coefficients that leave f32 are refused, also where a small joint brings them back; numbers too
/// small for f32 that a joint magnifies are within the margins.
#[test]
fn displacements_at_the_ends_of_f32() {
    let large = [Vec3::ZERO, Vec3::X * 1e15, Vec3::Y * 1e15, Vec3::splat(1e15)];
    assert!(displaced(large, Vec3::X * 1e15, 1e10, 1e-10).is_none());
    assert!(displaced(large, Vec3::X, 1e25, 1e-10).is_none());
    let thin = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 1e-14)];
    assert!(displaced(thin, Vec3::ONE, 1e25, 1e-10).is_none());
    for coefficient in [1e17, -1e17, 1e10, 1.0] {
        let mut body = displaced(thin, Vec3::ONE, coefficient, 1e-10).expect("within 1e18");
        assert_law(&mut body, &format!("coefficient {coefficient:e}"));
    }
    let mut random = Random(5);
    for round in 0..2000 {
        let coefficient = [0.777e-20, 0.777e-21, 1.0][round % 3];
        let mut body = displaced([Vec3::ZERO; 4], random.vec3() * 1e-20, coefficient, 1e20).expect("small");
        assert_law(&mut body, &format!("round {round}"));
    }
    let unit = f32::from_bits(1);
    let tiny = [Vec3::ZERO, Vec3::X * unit, Vec3::Y * unit, Vec3::new(1.0, 3.0, 1.0) * unit];
    let mut body = displaced(tiny, Vec3::X * unit, 0.0, 1e20).expect("small");
    assert_law(&mut body, "the smallest numbers");
}

/// Joints that shrink huge rest positions to nothing: blended matrices are rounded where f32 has no digits left, and the rest
/// positions multiply that.
#[test]
fn blends_of_subnormal_joints() {
    let mut random = Random(11);
    let positions: Vec<Vec3> = (0..30).map(|_| random.vec3() * 1e17).collect();
    let triangles = (0..28).map(|i| [i, i + 1, i + 2]).collect();
    let weights: Vec<[(u32, f32); 3]> =
        (0..30).map(|_| [0, 1, 2].map(|joint| (joint, 1.1 + random.signed()))).collect();
    let nodes = (0..3).map(|_| Node::new("joint", None, Transform::IDENTITY)).collect();
    let joints = (0..3).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let skin = Skin::new(3, weights.iter().map(|own| &own[..])).unwrap();
    let mesh = Mesh::new(positions, triangles).unwrap();
    let shape = shape(Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap());
    for skinning in Skinning::ALL {
        let mut body = Body::new(&shape, skinning).unwrap();
        for scale in [1e-38, 1e-40, 1e-42, 1e-44] {
            let joint = Affine3A::from_scale(Vec3::splat(scale));
            body.set_joint_matrices(&[joint; 3], &[]).unwrap();
            assert_law(&mut body, &format!("scale {scale:e}"));
        }
    }
}

/// Poses of its clips in every way of skinning.
fn assert_law_of_character(name: &str, shape: &Arc<Shape>, poses: usize) {
    for (i, skinning) in Skinning::ALL.into_iter().enumerate() {
        let mut body = Body::new(shape, skinning).unwrap();
        for number in 0..poses {
            let pose = pose_at(shape.model(), (i + number) % 4, 0.2 + 0.3 * number as f64);
            let aside = Isometry::from_translation(Vec3::X * number as f32);
            body.set_pose_at(&pose, aside).unwrap();
            assert_law(&mut body, &format!("{name}, pose {number}"));
        }
    }
}

#[test]
fn the_whole_zoo() {
    for kind in supple_zoo::kinds() {
        let poses = if kind.triangles < 100_000 { cases(1, 4) } else { 1 };
        assert_law_of_character(kind.name, &zoo(kind.name), poses);
    }
    // The clip is wildest in its middle.
    let bridge = zoo("bridge");
    let mut body = Body::new(&bridge, Skinning::Linear).unwrap();
    body.set_pose(&pose_at(bridge.model(), 0, 4.1)).unwrap();
    assert_law(&mut body, "bridge");
}

#[test]
fn real_files() {
    let Some(folder) = assets::assets() else { return };
    let large = [
        "makehuman/makehuman_default163.glb",
        "babylon/Yeti.glb",
        "godot/mannequiny.glb",
        "ict/ict_face_head.glb",
    ];
    for file in SKINS_OF_EVERY_KIND.into_iter().chain(large) {
        assert_law_of_character(file, &shape_of(supple_io::load(folder.join(file)).unwrap()), cases(1, 2));
    }
}
