//! Histories: exact at ticks, interpolated as clips are between them, bounded at every time, independent of the present.

use std::sync::Arc;

use crate::subjects::cases::cases;
use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use supple::math::{Isometry, polar};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Pose, PoseError, Skeleton, Target, Transform};
use supple::skin::Skin;
use supple::{Body, BuildOptions, PoseHistory, Shape, Skinning, collide, collide_any};
use supple::{HistoryError, Past};

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

fn random_place(random: &mut Random, far: f32) -> Isometry {
    Isometry::from_rotation_translation(random.rotation(), random.vec3() * far)
}

/// Both kinds of history of the same ticks.
struct Recorded {
    histories: [PoseHistory; 2],
    poses: Vec<Pose>,
    places: Vec<Isometry>,
}

impl Recorded {
    fn new(body: &Body, poses: Vec<Pose>, places: Vec<Isometry>) -> Self {
        let mut histories = [
            PoseHistory::of_poses(body, poses.len()).unwrap(),
            PoseHistory::of_joint_matrices(body, poses.len()).unwrap(),
        ];
        for (tick, (pose, place)) in poses.iter().zip(&places).enumerate() {
            histories[0].record_pose(tick as f64, pose, *place).unwrap();
            let matrices = matrices(body, pose);
            histories[1].record_joint_matrices(tick as f64, &matrices, &pose.coefficients, *place).unwrap();
        }
        Self { histories, poses, places }
    }

    fn random(body: &Body, seed: u64, scaled: bool, far: f32) -> Self {
        let mut random = Random(seed);
        let pose = |i: u64| random_pose(body.shape().model(), seed * 100 + i, scaled);
        let poses = (0..5).map(pose).collect();
        Self::new(body, poses, (0..5).map(|_| random_place(&mut random, far)).collect())
    }
}

fn matrices(body: &Body, pose: &Pose) -> Vec<Affine3A> {
    body.shape().model().skeleton().joint_matrices(pose, Isometry::IDENTITY).unwrap()
}

#[test]
fn ticks_come_back_bit_by_bit() {
    let shapes = [
        shape(random_model(1, RestKind::Plain)),
        shape(random_model(2, RestKind::Fields)),
        shape(random_model(3, RestKind::Morph)),
    ];
    for (seed, shape) in (0u64..).zip(&shapes) {
        for skinning in Skinning::ALL {
            let mut spare = Body::new(shape, skinning).unwrap();
            let mut direct = spare.clone();
            let recorded = Recorded::random(&spare, seed + 10, true, 3.0);
            for (tick, (pose, place)) in recorded.poses.iter().zip(&recorded.places).enumerate() {
                recorded.histories[0].rewind(&mut spare, tick as f64).unwrap();
                direct.set_pose_at(pose, *place).unwrap();
                assert_eq!(spare.positions(), direct.positions());
                recorded.histories[1].rewind(&mut spare, tick as f64).unwrap();
                direct.set_joint_matrices(&matrices(&direct, pose), &pose.coefficients).unwrap();
                assert_eq!(spare.positions(), direct.positions());
                assert_eq!(
                    recorded.histories[0].at(tick as f64).unwrap(),
                    (Past::Pose(pose.clone()), *place)
                );
            }
        }
    }
}

#[test]
fn poses_are_interpolated_as_clips_are() {
    let model = random_model(5, RestKind::Fields);
    let mut random = Random(9);
    let times: Vec<f32> = (0..6).map(|tick| tick as f32 * 0.125).collect();
    let mut channels = Vec::new();
    let mut channel = |target, values: Vec<f32>| {
        channels.push(Channel { target, interpolation: Interpolation::Linear, times: times.clone(), values });
    };
    for node in 0..6 {
        let rotations = times.iter().flat_map(|_| random.rotation().to_array()).collect();
        channel(Target::Rotation(node), rotations);
        channel(Target::Translation(node), times.iter().flat_map(|_| random.vec3().to_array()).collect());
        channel(Target::Scale(node), times.iter().flat_map(|_| random.vec3().to_array()).collect());
    }
    channel(Target::Coefficients(0..4), (0..24).map(|_| random.signed()).collect());
    let clip = Clip::new("all", channels).unwrap();
    let shape = shape(model);
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let mut history = PoseHistory::of_poses(&body, 6).unwrap();
    for &time in &times {
        let pose = shape.model().sample(&clip, f64::from(time)).unwrap();
        history.record_pose(f64::from(time), &pose, Isometry::IDENTITY).unwrap();
    }
    for step in 0..=500 {
        let time = f64::from(step) * 0.625 / 500.0;
        let expected = shape.model().sample(&clip, time).unwrap();
        let (Past::Pose(found), _) = history.at(time).unwrap() else { panic!("a history of poses") };
        for (a, b) in found.nodes.iter().zip(&expected.nodes) {
            assert!(a.translation.abs_diff_eq(b.translation, 1e-6), "{time}");
            assert!(a.scale.abs_diff_eq(b.scale, 1e-6), "{time}");
            assert!(a.rotation.abs_diff_eq(b.rotation, 1e-6), "{time}");
        }
        for (a, b) in found.coefficients.iter().zip(&expected.coefficients) {
            assert!((a - b).abs() < 1e-6);
        }
    }
}

#[test]
fn joint_matrices_are_interpolated_about_the_joints() {
    let shape = zoo("man");
    let model = shape.model();
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let poses = [0.1, 0.35].map(|time| model.sample(model.clip("walk").unwrap(), time).unwrap());
    let [from, to] = &poses;
    let recorded = Recorded::new(&body, poses.to_vec(), vec![Isometry::IDENTITY; 2]);
    let (start, end) = (matrices(&body, from), matrices(&body, to));
    for t in [0.1, 0.5, 0.8] {
        let (Past::Joints { matrices, .. }, _) = recorded.histories[1].at(t).unwrap() else {
            panic!("a history of joint matrices")
        };
        for (index, joint) in model.skeleton().joints().iter().enumerate() {
            let bind = joint.inverse_bind.inverse();
            let frame = |m: &Affine3A| m.as_daffine3() * bind;
            let (a, b, between) = (frame(&start[index]), frame(&end[index]), frame(&matrices[index]));
            let straight = a.translation.lerp(b.translation, t);
            assert!(between.translation.abs_diff_eq(straight, 1e-5), "joint {index}");
            let [(qa, _), (qb, _), (q, stretch)] = [a, b, between].map(|m| polar(m.matrix3));
            assert!(q.dot(qa.slerp(qb, t)).abs() > 1.0 - 1e-10, "joint {index}");
            assert!(stretch.abs_diff_eq(glam::DMat3::IDENTITY, 1e-5), "a rigid joint stays rigid");
        }
    }
}

/// Checks many times between ticks; returns how many had a finite bound.
fn check_bounds(recorded: &Recorded, spare: &mut Body, what: &str) -> usize {
    let mut finite = 0;
    for (which, history) in recorded.histories.iter().enumerate() {
        for step in 0..=40 {
            let time = f64::from(step) * 0.1;
            let bound = history.bound_at(time).unwrap();
            finite += usize::from(bound.min.is_finite() && bound.max.is_finite());
            history.rewind(spare, time).unwrap();
            for position in spare.positions() {
                assert!(bound.contains(position), "{what} {which} at {time}: {position} outside {bound:?}");
            }
        }
    }
    finite
}

/// The heart of culling: no vertex outside the box, at any time, in any pose, however wild.
#[test]
fn bounds_contain_the_body_at_every_time() {
    for seed in 0..30 {
        for kind in RestKind::ALL {
            let shape = shape(random_model(seed, kind));
            for skinning in Skinning::ALL {
                let mut spare = Body::new(&shape, skinning).unwrap();
                for (scaled, far) in [(false, 0.0), (true, 1.0), (false, 1e4)] {
                    let recorded = Recorded::random(&spare, seed + 1, scaled, far);
                    let what = format!("seed {seed} {kind:?} {skinning:?}");
                    let finite = check_bounds(&recorded, &mut spare, &what);
                    assert!(skinning != Skinning::Linear || finite == 2 * 41, "{what}");
                }
            }
        }
    }
}

/// Joints that stay near each other, as limbs do: blended rotations have bounds too.
#[test]
fn blended_rotations_are_bounded_where_they_do_not_cancel() {
    let mut finite = 0;
    for seed in 0..30 {
        for kind in RestKind::ALL {
            // Without bind matrices of their own, which would turn joints away from each other.
            let model = random_model(seed, kind);
            let still = |joint: &Joint| Joint { inverse_bind: glam::DAffine3::IDENTITY, ..*joint };
            let joints = model.skeleton().joints().iter().map(still).collect();
            let skeleton = Skeleton::new(model.skeleton().nodes().to_vec(), joints).unwrap();
            let model = Model::new(model.mesh().clone(), model.skin().clone(), skeleton)
                .unwrap()
                .with_rest(model.rest().clone())
                .unwrap();
            let shape = shape(model);
            for skinning in [Skinning::Spherical, Skinning::DualQuaternion] {
                let mut spare = Body::new(&shape, skinning).unwrap();
                let mut recorded = Recorded::random(&spare, seed + 1, false, 2.0);
                let share = 0.05 + 0.1 * (seed % 5) as f32;
                for pose in &mut recorded.poses {
                    pose.nodes.iter_mut().for_each(|n| n.rotation = Quat::IDENTITY.slerp(n.rotation, share));
                }
                let recorded = Recorded::new(&spare, recorded.poses, recorded.places);
                finite += check_bounds(&recorded, &mut spare, &format!("seed {seed} {kind:?} {skinning:?}"));
            }
        }
    }
    assert!(finite > 5_000, "{finite} of {} have bounds", 30 * 3 * 2 * 82);
}

#[test]
fn bounds_of_characters_hold_and_are_useful() {
    let mut largest = [0.0f32; 3];
    for (name, clip) in [("man", "walk"), ("creature", "walk"), ("face", ""), ("blob", "")] {
        let shape = zoo(name);
        let model = shape.model();
        let clip = model.clip(clip).ok().or(model.clips().first()).expect("every animal moves");
        for skinning in Skinning::ALL {
            let mut spare = Body::new(&shape, skinning).unwrap();
            let poses: Vec<Pose> =
                (0..8).map(|tick| model.sample_looped(clip, f64::from(tick) / 30.0).unwrap()).collect();
            let places = (0..8).map(|tick| {
                Isometry::new(
                    DQuat::from_rotation_y(f64::from(tick) * 0.1),
                    DVec3::Z * f64::from(tick) * 0.05,
                )
            });
            let recorded = Recorded::new(&spare, poses, places.collect());
            for history in &recorded.histories {
                let steps = cases(7, 28);
                for step in 0..=steps {
                    let time = f64::from(step) * 7.0 / f64::from(steps);
                    let bound = history.bound_at(time).unwrap();
                    history.rewind(&mut spare, time).unwrap();
                    let positions = spare.positions();
                    assert!(positions.iter().all(|p| bound.contains(*p)), "{name} at {time}");
                    let exact = supple::math::Aabb::from_points(positions);
                    let (wide, own) = (bound.half_extents(), exact.half_extents());
                    let ratio = wide.element_sum() / own.element_sum();
                    let largest = &mut largest[skinning as usize];
                    *largest = largest.max(ratio);
                }
            }
        }
        println!("{name}: boxes up to {largest:?} times as large as need be");
    }
    for (skinning, (largest, most)) in Skinning::ALL.into_iter().zip(largest.into_iter().zip([2.0, 2.6, 2.0]))
    {
        assert!(largest < most, "{skinning:?}: {largest} times as large as need be");
    }
}

/// Scaled, mirrored and morphed joints of real files.
#[test]
fn bounds_of_real_files_hold() {
    let Some(folder) = crate::assets::assets() else { return };
    for file in [
        "khronos/CesiumMan.glb",
        "khronos/Fox.glb",
        "khronos/MorphStressTest.glb",
        "quaternius/RobotExpressive.glb",
        "rocketbox/rocketbox_Male_Adult_01.glb",
        "vrm/100Avatars_013_Mint.vrm",
    ] {
        let shape = shape(supple_io::load(folder.join(file)).unwrap());
        let model = shape.model();
        let pose = |tick: u64| match model.clips().first() {
            Some(clip) => model.sample_looped(clip, tick as f64 / 10.0).unwrap(),
            None => model.rest_pose().blend(&random_pose(model, tick, false), 0.1).unwrap(),
        };
        for skinning in Skinning::ALL {
            let mut spare = Body::new(&shape, skinning).unwrap();
            let places = (0..5).map(|tick| Isometry::from_translation(Vec3::X * tick as f32));
            let recorded = Recorded::new(&spare, (0..5).map(pose).collect(), places.collect());
            let finite = check_bounds(&recorded, &mut spare, &format!("{file} {skinning:?}"));
            assert!(skinning != Skinning::Linear || finite == 2 * 41, "{file}");
        }
    }
}

/// A joint flattened by its bind matrix has no space of its own.
#[test]
fn flat_bind_matrices_are_survived() {
    let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let nodes = vec![Node::new("root", None, Transform::IDENTITY)];
    let flat = glam::DAffine3::from_scale(DVec3::new(1.0, 1.0, 0.0));
    let skeleton = Skeleton::new(nodes, vec![Joint { node: 0, inverse_bind: flat }]).unwrap();
    let shape = shape(Model::new(mesh, Skin::rigid(3), skeleton).unwrap());
    let mut spare = Body::new(&shape, Skinning::Linear).unwrap();
    let poses = [0.0, 2.0].map(|angle| Pose {
        nodes: vec![Transform::from_rotation(Quat::from_rotation_y(angle))],
        coefficients: vec![],
    });
    let recorded = Recorded::new(&spare, poses.to_vec(), vec![Isometry::IDENTITY; 2]);
    for history in &recorded.histories {
        for t in [0.0, 0.3, 0.6, 1.0] {
            history.rewind(&mut spare, t).unwrap();
            let bound = history.bound_at(t).unwrap();
            assert!(spare.positions().into_iter().all(|p| p.is_finite() && bound.contains(p)));
        }
    }
}

/// Bind matrices whose axes are so unlike that the way there and back is off by more than f32 rounds (`docs/math/sweep.md`).
#[test]
fn bounds_hold_for_ill_conditioned_bind_matrices() {
    let mut random = Random(3);
    let mut taken = 0;
    for case in 0..400 {
        let exponent = 1.0 + 3.0 * f64::from(case) / 400.0;
        let scale = DVec3::new(10f64.powf(exponent), 1.0, 10f64.powf(-exponent));
        let turn = |q: Quat| glam::DAffine3::from_quat(q.as_dquat().normalize());
        let bind = turn(random.rotation())
            * glam::DAffine3::from_scale_rotation_translation(
                scale,
                DQuat::IDENTITY,
                random.vec3().as_dvec3(),
            )
            * turn(random.rotation());
        let mesh = Mesh::new((0..3).map(|_| random.vec3()).collect(), vec![[0, 1, 2]]).unwrap();
        let nodes = vec![Node::new("root", None, Transform::IDENTITY)];
        let skeleton = Skeleton::new(nodes, vec![Joint { node: 0, inverse_bind: bind }]).unwrap();
        let shape = shape(Model::new(mesh, Skin::rigid(3), skeleton).unwrap());
        let mut spare = Body::new(&shape, Skinning::Linear).unwrap();
        let mut history = PoseHistory::of_joint_matrices(&spare, 2).unwrap();
        let start = Affine3A::from_rotation_translation(random.rotation(), random.vec3());
        let end = Affine3A::from_rotation_translation(random.rotation(), random.vec3());
        history.record_joint_matrices(0.0, &[start], &[], Isometry::IDENTITY).unwrap();
        history.record_joint_matrices(1.0, &[end], &[], Isometry::IDENTITY).unwrap();
        for time in [0.0, 1e-6, 1e-3, 0.3, 0.5, 0.9, 0.999_999, 1.0] {
            if history.rewind(&mut spare, time).is_ok() {
                let bound = history.bound_at(time).unwrap();
                let inside = spare.positions().into_iter().all(|p| bound.contains(p));
                assert!(inside, "case {case} at {time}");
                taken += 1;
            }
        }
    }
    assert!(taken > 2_000, "{taken}");
}

#[test]
fn a_standing_body_stays_the_same_between_ticks() {
    let shape = zoo("man");
    for skinning in Skinning::ALL {
        let mut spare = Body::new(&shape, skinning).unwrap();
        let pose = shape.model().sample(shape.model().clip("walk").unwrap(), 0.3).unwrap();
        let place = Isometry::from_rotation_translation(Quat::from_rotation_y(0.7), Vec3::X);
        let recorded = Recorded::new(&spare, vec![pose.clone(); 2], vec![place; 2]);
        for history in &recorded.histories {
            history.rewind(&mut spare, 0.0).unwrap();
            let at_tick = spare.positions();
            history.rewind(&mut spare, 0.37).unwrap();
            assert_eq!(spare.positions(), at_tick);
        }
    }
}

#[test]
fn the_oldest_ticks_are_forgotten() {
    let shape = shape(random_model(1, RestKind::Plain));
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let mut history = PoseHistory::of_poses(&body, 4).unwrap();
    assert_eq!((history.oldest(), history.newest(), history.len()), (None, None, 0));
    for tick in 0..11 {
        let place = Isometry::from_translation(Vec3::X * tick as f32);
        history.record_pose(f64::from(tick), &shape.model().rest_pose(), place).unwrap();
    }
    assert_eq!((history.oldest(), history.newest(), history.len()), (Some(7.0), Some(10.0), 4));
    for time in [7.0, 7.25, 9.5, 10.0] {
        assert_eq!(history.at(time).unwrap().1.translation.x, time);
    }
    history.clear();
    assert!(history.is_empty() && history.at(10.0).is_err());
    history.record_pose(0.0, &shape.model().rest_pose(), Isometry::IDENTITY).unwrap();
    assert!(history.at(0.0).is_ok());
}

#[test]
fn bad_arguments_are_errors_and_change_nothing() {
    let shape = shape(random_model(1, RestKind::Fields));
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let rest = shape.model().rest_pose();
    for ticks in [0, 1, usize::MAX, usize::MAX / 2] {
        assert_eq!(PoseHistory::of_poses(&body, ticks).unwrap_err(), HistoryError::BadCapacity(ticks));
    }
    let mut history = PoseHistory::of_poses(&body, 3).unwrap();
    let mut spare = body.clone();
    assert_eq!(history.rewind(&mut spare, 0.0).unwrap_err(), HistoryError::Empty);
    history.record_pose(1.0, &rest, Isometry::IDENTITY).unwrap();
    history.record_pose(2.0, &rest, Isometry::IDENTITY).unwrap();
    for tick in [2.0, 1.5, f64::NAN, f64::INFINITY] {
        let error = history.record_pose(tick, &rest, Isometry::IDENTITY).unwrap_err();
        assert!(matches!(error, HistoryError::NotIncreasing { newest: 2.0, .. }), "{tick}");
    }
    for time in [0.99, 2.01, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let error = history.rewind(&mut spare, time).unwrap_err();
        assert!(matches!(error, HistoryError::OutOfRange { oldest: 1.0, newest: 2.0, .. }), "{time}");
        assert!(history.bound_at(time).is_err() && history.at(time).is_err());
    }
    let nowhere = Isometry::from_translation(DVec3::X * f64::NAN);
    assert_eq!(history.record_pose(3.0, &rest, nowhere), Err(HistoryError::Placement { tick: 3.0 }));
    let other = zoo("dwarf").model().rest_pose();
    assert!(matches!(
        history.record_pose(3.0, &other, Isometry::IDENTITY),
        Err(HistoryError::Pose(PoseError::CoefficientCount { .. }))
    ));
    let mut bad = rest.clone();
    bad.nodes.pop();
    assert!(matches!(
        history.record_pose(3.0, &bad, Isometry::IDENTITY),
        Err(HistoryError::Pose(PoseError::NodeCount { .. }))
    ));
    let mut bad = rest.clone();
    bad.nodes[1].scale.y = f32::NAN;
    assert!(history.record_pose(3.0, &bad, Isometry::IDENTITY).is_err());
    let mut bad = rest.clone();
    bad.coefficients[1] = f32::INFINITY;
    assert!(history.record_pose(3.0, &bad, Isometry::IDENTITY).is_err());
    assert!(matches!(
        history.record_joint_matrices(3.0, &matrices(&body, &rest), &rest.coefficients, Isometry::IDENTITY),
        Err(HistoryError::WrongKind { .. })
    ));
    let mut joints = PoseHistory::of_joint_matrices(&body, 3).unwrap();
    let record = |joints: &mut PoseHistory, matrices: &[Affine3A]| {
        joints.record_joint_matrices(0.0, matrices, &rest.coefficients, Isometry::IDENTITY)
    };
    assert!(matches!(record(&mut joints, &[]), Err(HistoryError::Pose(PoseError::JointCount { .. }))));
    let mut bad = matrices(&body, &rest);
    bad[2].translation.x = f32::NAN;
    assert!(record(&mut joints, &bad).is_err() && joints.is_empty());
    assert!(matches!(
        joints.record_pose(0.0, &rest, Isometry::IDENTITY),
        Err(HistoryError::WrongKind { .. })
    ));
    let before = spare.positions();
    let mut turned = Body::new(&shape, Skinning::Spherical).unwrap();
    assert_eq!(history.rewind(&mut turned, 1.0), Err(HistoryError::AnotherBody));
    let mut other = Body::new(&self::shape(random_model(2, RestKind::Fields)), Skinning::Linear).unwrap();
    assert_eq!(history.rewind(&mut other, 1.0), Err(HistoryError::AnotherBody));
    assert_eq!((history.len(), spare.positions()), (2, before));
}

#[test]
fn numbers_at_the_end_of_their_range() {
    let shape = shape(random_model(1, RestKind::Plain));
    let mut spare = Body::new(&shape, Skinning::Linear).unwrap();
    let mut history = PoseHistory::of_poses(&spare, 2).unwrap();
    let mut huge = shape.model().rest_pose();
    huge.nodes.iter_mut().for_each(|node| node.scale = Vec3::splat(1e38));
    history.record_pose(f64::MIN, &huge, Isometry::IDENTITY).unwrap();
    history.record_pose(f64::MAX, &shape.model().rest_pose(), Isometry::IDENTITY).unwrap();
    // Six nested scales of 1e38: no pose, but an error, and a box that leaves nothing out.
    assert!(matches!(history.rewind(&mut spare, 0.0), Err(HistoryError::Pose(_))));
    let bound = history.bound_at(0.0).unwrap();
    assert!(bound.contains(Vec3::splat(f32::MAX)) && bound.contains(Vec3::splat(f32::MIN)));
    assert!(history.rewind(&mut spare, f64::MAX).is_ok());
}

#[test]
fn the_present_is_not_disturbed() {
    let shape = zoo("man");
    let model = shape.model();
    let clip = model.clip("walk").unwrap();
    let mut present = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let mut other = Body::new(&shape, Skinning::Linear).unwrap();
    other.set_placement(Isometry::from_translation(Vec3::X * 0.3)).unwrap();
    let poses: Vec<Pose> = (0..4).map(|t| model.sample(clip, f64::from(t) * 0.1).unwrap()).collect();
    present.set_pose(&poses[3]).unwrap();
    let recorded = Recorded::new(&present, poses, vec![Isometry::IDENTITY; 4]);
    let before = collide(&mut present, &mut other);
    assert!(!before.found.is_empty());
    let mut spare = present.clone();
    for history in &recorded.histories {
        history.rewind(&mut spare, 1.5).unwrap();
        assert!(!collide(&mut spare, &mut other).found.is_empty());
    }
    let after = collide(&mut present, &mut other);
    // Bounds are still there; posed leaves come and go within their limit.
    assert_eq!(after.found, before.found);
    let mut expected = before.stats;
    (expected.refits, expected.vertices_deformed) = (0, after.stats.vertices_deformed);
    assert_eq!(after.stats, expected);
}

#[test]
fn memory_is_what_the_documentation_says() {
    for name in ["man", "face"] {
        let shape = zoo(name);
        let body = Body::new(&shape, Skinning::Linear).unwrap();
        let (nodes, joints) =
            (shape.model().skeleton().nodes().len(), shape.model().skeleton().joints().len());
        let coefficients = shape.model().rest().coefficient_count();
        let per_tick = |make: fn(&Body, usize) -> Result<PoseHistory, HistoryError>| {
            (make(&body, 64).unwrap().memory_bytes() - make(&body, 32).unwrap().memory_bytes()) / 32
        };
        assert_eq!(per_tick(PoseHistory::of_poses), 88 + 4 * coefficients + 48 * nodes);
        assert_eq!(per_tick(PoseHistory::of_joint_matrices), 88 + 4 * coefficients + 48 * joints);
    }
}

/// Many bodies in the past, asked by any number of threads with a spare body each: the same answers.
#[test]
fn answers_do_not_depend_on_threads() {
    let shape = zoo("man");
    let model = shape.model();
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let histories: Vec<PoseHistory> = (0..12)
        .map(|man| {
            let mut history = PoseHistory::of_poses(&body, 8).unwrap();
            for tick in 0..8 {
                let time = f64::from(tick) / 30.0;
                let pose =
                    model.sample_looped(model.clip("walk").unwrap(), time + f64::from(man) * 0.2).unwrap();
                let place = Isometry::from_translation(Vec3::X * man as f32 * 0.6);
                history.record_pose(time, &pose, place).unwrap();
            }
            history
        })
        .collect();
    let ask = |question: usize, spare: &mut Body, probe: &mut Body| {
        let time = (question % 70) as f64 / 300.0;
        let place = Isometry::from_translation(Vec3::new(question as f32 * 0.09, 0.0, 0.25));
        probe.set_placement(place).unwrap();
        let around = probe.bound();
        let mut hits = Vec::new();
        for (man, history) in histories.iter().enumerate() {
            if history.bound_at(time).unwrap().intersects(&around) {
                history.rewind(spare, time).unwrap();
                hits.extend(collide_any(spare, probe).found.map(|pair| (man, pair)));
            }
        }
        hits
    };
    let questions = 80;
    let alone: Vec<_> = {
        let (mut spare, mut probe) = (body.clone(), body.clone());
        (0..questions).map(|question| ask(question, &mut spare, &mut probe)).collect()
    };
    assert!(alone.iter().map(Vec::len).sum::<usize>() > 40);
    for threads in [2, 5] {
        let mut together: Vec<(usize, _)> = std::thread::scope(|scope| {
            let work = |first: usize| {
                let (mut spare, mut probe) = (body.clone(), body.clone());
                let own = (first..questions).step_by(threads);
                own.map(|question| (question, ask(question, &mut spare, &mut probe))).collect::<Vec<_>>()
            };
            let running: Vec<_> = (0..threads).map(|first| scope.spawn(move || work(first))).collect();
            running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        together.sort_by_key(|(question, _)| *question);
        assert!(together.into_iter().map(|(_, hits)| hits).eq(alone.iter().cloned()));
    }
}
