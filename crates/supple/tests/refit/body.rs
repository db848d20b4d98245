//! Ways to pose a body: pose, joint matrices and placement, together or one after the other, give the same bits; what is refused changes nothing.

use glam::{Affine3A, DQuat, Quat, Vec3};
use supple::pose::{Node, Skeleton};
use supple::{
    Body, HistoryError, Isometry, Model, Motion, Pose, PoseError, PoseHistory, PosedModel, Probe, Skinning,
    Transform,
};

use crate::subjects::characters::{pose_at, shape_of};
use crate::subjects::law::assert_law;
use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;

fn matrices(body: &Body, pose: &Pose) -> Vec<Affine3A> {
    body.shape().model().skeleton().joint_matrices(pose, Isometry::IDENTITY).unwrap()
}

fn random_placement(random: &mut Random) -> Isometry {
    Isometry::from_rotation_translation(random.rotation(), random.vec3() * 5.0)
}

#[test]
fn joint_matrices_and_placement_at_once_or_one_after_the_other() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let shape = shape_of(random_model(seed, RestKind::ALL[seed as usize % 3]));
        for skinning in Skinning::ALL {
            let mut at_once = Body::new(&shape, skinning).unwrap();
            let [mut placed_first, mut placed_last] = [at_once.clone(), at_once.clone()];
            for step in 0..3 {
                let pose = random_pose(shape.model(), seed * 10 + step, step % 2 == 0);
                let (joints, placement) = (matrices(&at_once, &pose), random_placement(&mut random));
                at_once.set_joint_matrices_at(&joints, &pose.coefficients, placement).unwrap();
                placed_first.set_placement(placement).unwrap();
                placed_first.set_joint_matrices(&joints, &pose.coefficients).unwrap();
                placed_last.set_joint_matrices(&joints, &pose.coefficients).unwrap();
                placed_last.set_placement(placement).unwrap();
                assert_eq!(at_once.positions(), placed_first.positions(), "seed {seed} {skinning:?}");
                assert_eq!(at_once.positions(), placed_last.positions(), "seed {seed} {skinning:?}");
                assert_eq!(at_once.bound(), placed_first.bound());
                assert_eq!([at_once.placement(), placed_last.placement()], [placement; 2]);
                assert_law(&mut at_once, &format!("seed {seed}"));
            }
        }
    }
}

/// Without a placement, matrices of a pose are that pose.
#[test]
fn joint_matrices_of_a_pose_are_the_pose() {
    let shape = zoo("man");
    for skinning in Skinning::ALL {
        let mut body = Body::new(&shape, skinning).unwrap();
        let mut posed = body.clone();
        for i in 0..3 {
            let pose = pose_at(shape.model(), i, 0.3);
            let joints = matrices(&body, &pose);
            body.set_joint_matrices_at(&joints, &pose.coefficients, Isometry::IDENTITY).unwrap();
            posed.set_pose_at(&pose, Isometry::IDENTITY).unwrap();
            assert_eq!(body.positions(), posed.positions(), "{skinning:?}");
            let model = PosedModel::new(shape.model(), skinning, &joints, &pose.coefficients).unwrap();
            assert_eq!(body.positions(), model.positions(), "{skinning:?}");
            // Elsewhere they differ by the rounding of the matrices.
            let aside = Isometry::from_rotation_translation(Quat::from_rotation_y(0.4), Vec3::X);
            body.set_joint_matrices_at(&joints, &pose.coefficients, aside).unwrap();
            posed.set_pose_at(&pose, aside).unwrap();
            let off = body
                .positions()
                .iter()
                .zip(posed.positions())
                .map(|(a, b)| a.distance(b))
                .fold(0.0, f32::max);
            assert!(off < 1e-5, "{skinning:?}: {off}");
        }
    }
}

#[test]
fn refused_joint_matrices_change_nothing() {
    let shape = shape_of(random_model(2, RestKind::Morph));
    let mut random = Random(4);
    for skinning in Skinning::ALL {
        let mut body = Body::new(&shape, skinning).unwrap();
        let pose = random_pose(shape.model(), 4, false);
        let (joints, placement) = (matrices(&body, &pose), random_placement(&mut random));
        body.set_joint_matrices_at(&joints, &pose.coefficients, placement).unwrap();
        let (before, elsewhere) = (body.positions(), random_placement(&mut random));
        let refused = |body: &mut Body, joints: &[Affine3A], coefficients: &[f32], there| {
            let error = body.set_joint_matrices_at(joints, coefficients, there).unwrap_err();
            assert_eq!((body.positions(), body.placement()), (before.clone(), placement), "{error}");
            error
        };
        assert!(matches!(
            refused(&mut body, &joints[1..], &pose.coefficients, elsewhere),
            PoseError::JointCount { .. }
        ));
        let short = &pose.coefficients[1..];
        assert!(matches!(refused(&mut body, &joints, short, elsewhere), PoseError::CoefficientCount { .. }));
        let mut negative = pose.coefficients.clone();
        negative[0] = -1.0;
        assert!(matches!(refused(&mut body, &joints, &negative, elsewhere), PoseError::NotConvex { .. }));
        for bad in [f32::NAN, f32::INFINITY, 1e30] {
            let mut broken = joints.clone();
            broken[3].translation.y = bad;
            refused(&mut body, &broken, &pose.coefficients, elsewhere);
        }
        let scaled = Isometry { rotation: DQuat::IDENTITY * 2.0, ..Isometry::IDENTITY };
        assert_eq!(refused(&mut body, &joints, &pose.coefficients, scaled), PoseError::NotRigid);
        let nowhere = Isometry::from_translation(Vec3::splat(f32::INFINITY));
        refused(&mut body, &joints, &pose.coefficients, nowhere);
    }
}

#[test]
fn bad_poses_leave_a_body_as_it_was() {
    let model = random_model(2, RestKind::Morph);
    let shape = shape_of(model.clone());
    for skinning in Skinning::ALL {
        let mut body = Body::new(&shape, skinning).unwrap();
        body.set_pose(&random_pose(&model, 4, false)).unwrap();
        let before = body.positions();
        let mut bad = model.rest_pose();
        bad.nodes[2].rotation.x = f32::NAN;
        assert!(body.set_pose(&bad).is_err());
        let mut bad = model.rest_pose();
        bad.coefficients[1] = -1.0;
        assert!(body.set_pose(&bad).is_err());
        assert!(body.set_placement(Isometry::from_translation(Vec3::splat(f32::INFINITY))).is_err());
        assert!(body.set_joint_matrices(&[], &[]).is_err());
        let mut huge = model.rest_pose();
        huge.nodes[0].scale = Vec3::splat(3e38);
        huge.nodes[0].translation = Vec3::splat(3e38);
        assert!(body.set_pose(&huge).is_err(), "positions beyond f32 are refused");
        assert_eq!(body.positions(), before);
    }
}

/// Whatever number of whatever node is not finite, also of one that moves nothing: the error names the node.
#[test]
fn bad_nodes_are_named() {
    let plain = random_model(2, RestKind::Plain);
    let mut nodes = plain.skeleton().nodes().to_vec();
    nodes.push(Node::new("moves nothing", Some(1), Transform::IDENTITY));
    let skeleton = Skeleton::new(nodes, plain.skeleton().joints().to_vec()).unwrap();
    let model = Model::new(plain.mesh().clone(), plain.skin().clone(), skeleton).unwrap();
    let mut body = Body::new(&shape_of(model), Skinning::Linear).unwrap();
    let rest = body.shape().model().rest_pose();
    let before = body.positions();
    for index in 0..rest.nodes.len() {
        for (number, bad) in
            (0..10).flat_map(|n| [f32::NAN, f32::INFINITY, f32::NEG_INFINITY].map(|b| (n, b)))
        {
            let mut pose = rest.clone();
            let node = &mut pose.nodes[index];
            match number {
                0..3 => node.translation[number] = bad,
                3..6 => node.scale[number - 3] = bad,
                _ => {
                    let mut rotation = node.rotation.to_array();
                    rotation[number - 6] = bad;
                    node.rotation = Quat::from_array(rotation);
                }
            }
            for placement in [Isometry::IDENTITY, Isometry::from_rotation(DQuat::from_rotation_x(0.1))] {
                let wrong = PoseError::NotFinite { object: "node", index };
                assert_eq!(body.set_pose_at(&pose, placement), Err(wrong), "{number} {bad}");
            }
        }
    }
    assert_eq!(body.positions(), before);
    // What is finite, but does not fit into f32 as a whole, is the joints' fault.
    let mut pose = rest;
    pose.nodes.iter_mut().for_each(|node| node.scale = Vec3::splat(3e38));
    assert!(matches!(body.set_pose(&pose), Err(PoseError::NotFinite { object: "joint", .. })));
}

/// A rotation that is not of unit length would scale a body at ticks and not between them: it is refused wherever it comes in.
#[test]
fn placements_are_rigid() {
    let shape = zoo("man");
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    let rest = shape.model().rest_pose();
    let before = body.positions();
    for factor in [0.0, 0.5, 2.0, f64::NAN] {
        let scaled = Isometry { rotation: DQuat::IDENTITY * factor, ..Isometry::IDENTITY };
        assert_eq!(body.set_placement(scaled), Err(PoseError::NotRigid), "{factor}");
        assert_eq!(body.set_pose_at(&rest, scaled), Err(PoseError::NotRigid));
        assert_eq!(body.positions(), before, "the body stays as it was");
        let mut history = PoseHistory::of_poses(&body, 4).unwrap();
        assert_eq!(history.record_pose(1.0, &rest, scaled), Err(HistoryError::Placement { tick: 1.0 }));
        assert!(history.is_empty());
        assert!(Motion::of_placement(rest.clone(), Isometry::IDENTITY, scaled).is_err());
        assert!(Probe::cuboid(scaled, Vec3::ONE).is_err());
    }
    // What f32 makes of a unit quaternion is taken as one.
    let rounded = Isometry { rotation: DQuat::IDENTITY * (1.0 + 1e-6), ..Isometry::IDENTITY };
    body.set_placement(rounded).unwrap();
    assert_eq!(body.positions(), before);
}
