//! Volumes contain the posed vertices below their node: every volume, every method, models of every kind.

use std::sync::Arc;

use glam::{Affine3A, Quat, Vec3};
use supple::{Isometry, Model, Pose, PoseError, QueryStats, Skinning};
use supple_papers::{self as papers, BoundingSphere, Method, MethodError, NEARLY_RIGID, Slabs, Tree, Volume};

use crate::random_model::{Random, RestKind, random_model, random_pose};
use crate::{
    METHODS, SKINS, assert_law, assets, body_of, cases, for_all_volumes, half_turns, halves, methods_for,
    on_the_way, own_shape, placed, subjects, trees, turned,
};

fn law_of_random_models<V: Volume>() {
    // Every tree has its turn in four.
    for seed in 0..cases(8, 24) {
        for (model, skinning) in subjects(seed) {
            let (name, tree) = &trees(&model)[seed as usize % 4];
            let poses = [
                (random_pose(&model, seed, false), "random"),
                (half_turns(&model, seed), "half turns"),
                (turned(&model, seed, 0.3), "turned"),
                (on_the_way(&model, seed), "on the way"),
            ];
            for method in methods_for(&model, skinning) {
                let mut body = body_of::<V>(&model, skinning, tree, method);
                for (pose, which) in &poses {
                    body.set_pose(pose, &Isometry::IDENTITY).unwrap();
                    assert_law(&mut body, &format!("{name}, seed {seed}, {which}"));
                    for far in [1e2, 1e5, 1e7] {
                        body.set_pose(pose, &placed(seed, Vec3::new(far, -0.3 * far, 20.0))).unwrap();
                        assert_law(&mut body, &format!("{name}, seed {seed}, {which}, {far} away"));
                    }
                }
            }
        }
    }
}

#[test]
fn the_law_holds_for_every_method_and_volume() {
    for_all_volumes!(law_of_random_models());
}

/// Methods that look at vertices bound joints that scale, too.
fn law_of_scaled_joints<V: Volume>() {
    for seed in 0..cases(3, 12) {
        for kind in RestKind::ALL {
            let model = Arc::new(random_model(seed, kind));
            for method in [Method::BottomUp, Method::Hybrid, Method::Rebuild] {
                let skinning = Skinning::ALL[seed as usize % 3];
                let mut body = body_of::<V>(&model, skinning, &halves(&model), method);
                body.set_pose(&random_pose(&model, seed, true), &placed(seed, Vec3::X * 3.0)).unwrap();
                assert_law(&mut body, &format!("seed {seed} {kind:?} scaled"));
            }
        }
    }
}

#[test]
fn scaled_joints_are_bounded_from_vertices() {
    for_all_volumes!(law_of_scaled_joints());
}

fn law_of_nearly_equal_joints<V: Volume>() {
    for seed in 0..cases(7, 20) {
        let mut random = Random(seed);
        let model = Arc::new(random_model(seed, RestKind::Plain));
        let mut pose = model.rest_pose();
        for node in &mut pose.nodes {
            let small = [1e-2, 1e-3, 1e-4, 1e-6][random.below(4)];
            node.rotation = Quat::from_axis_angle(random.rotation() * Vec3::X, small);
        }
        for (method, skinning) in SKINS {
            let mut body = body_of::<V>(&model, skinning, &halves(&model), method);
            body.set_pose(&pose, &Isometry::IDENTITY).unwrap();
            assert_law(&mut body, &format!("seed {seed}"));
        }
    }
}

#[test]
fn nearly_equal_joints_obey_the_law() {
    for_all_volumes!(law_of_nearly_equal_joints());
}

/// Scales along turned axes by `1 +- amount`.
fn nearly_identity(random: &mut Random, amount: f32) -> Affine3A {
    let axes = Affine3A::from_quat(random.rotation());
    let scale = Vec3::ONE + amount * Vec3::from_array(std::array::from_fn(|_| random.signed().signum()));
    axes * Affine3A::from_scale(scale) * axes.inverse()
}

fn root_size<V: Volume>(body: &mut papers::Body<V>) -> f64 {
    body.volume(0, false, &mut QueryStats::default()).size()
}

fn law_of_nearly_rigid_joints<V: Volume>() {
    for seed in 0..cases(7, 20) {
        let mut random = Random(seed);
        let model = Arc::new(random_model(seed, RestKind::Plain));
        for pose in [model.rest_pose(), turned(&model, seed, 0.3), random_pose(&model, seed, false)] {
            let rigid = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
            let scaled = |amount: f32, random: &mut Random| -> Vec<Affine3A> {
                rigid.iter().map(|m| *m * nearly_identity(random, amount)).collect()
            };
            for (method, skinning) in SKINS {
                let mut body = body_of::<V>(&model, skinning, &halves(&model), method);
                body.set_joint_matrices(&rigid, &[]).unwrap();
                let exact = root_size(&mut body);
                body.set_joint_matrices(&scaled(5e-4, &mut random), &[]).unwrap();
                assert_law(&mut body, &format!("seed {seed}"));
                // A little stretch costs little.
                let stretched = root_size(&mut body);
                assert!(stretched < 1.02 * exact, "{} seed {seed}: {stretched} {exact}", method.name());
                let beyond = scaled(1.1 * NEARLY_RIGID as f32, &mut random);
                let error = body.set_joint_matrices(&beyond, &[]).unwrap_err();
                assert_eq!(error, MethodError::NotRigid { joint: 0 });
                assert_eq!(root_size(&mut body), stretched, "the body keeps the pose it had");
            }
        }
    }
}

#[test]
fn nearly_rigid_joints_obey_the_law() {
    for_all_volumes!(law_of_nearly_rigid_joints());
}

/// A joint that all vertices follow is the space of the volumes, even if it is not quite rigid.
fn law_of_a_nearly_rigid_space<V: Volume>() {
    for seed in 0..cases(7, 20) {
        let mut random = Random(seed);
        for (model, skinning) in
            subjects(seed).into_iter().filter(|(model, _)| model.skin().joint_count() == 1)
        {
            for method in methods_for(&model, skinning) {
                let mut body = body_of::<V>(&model, skinning, &halves(&model), method);
                let placement = Affine3A::from_rotation_translation(random.rotation(), random.vec3() * 50.0);
                let joint = placement * nearly_identity(&mut random, 9e-4);
                body.set_joint_matrices(&[joint], &random_pose(&model, seed, false).coefficients).unwrap();
                assert_law(&mut body, &format!("seed {seed}"));
            }
        }
    }
}

#[test]
fn a_nearly_rigid_space_obeys_the_law() {
    for_all_volumes!(law_of_a_nearly_rigid_space());
}

/// A real file, whose joints are rigid up to the digits that it was written with.
#[test]
fn cesium_man_walks() {
    fn walks<V: Volume>(model: &Arc<Model>, tree: &Tree) {
        let clip = &model.clips()[0];
        for (method, skinning) in SKINS {
            let mut body = body_of::<V>(model, skinning, tree, method);
            for time in [0.0, 0.25, 0.5, 0.75].map(|part| part * clip.duration()) {
                body.set_pose(&model.sample(clip, time).unwrap(), &Isometry::IDENTITY).unwrap();
                assert_law(&mut body, &format!("at {time}"));
            }
        }
    }
    let Some(folder) = assets::assets() else { return };
    let model = Arc::new(supple_io::load(folder.join("khronos/CesiumMan.glb")).unwrap());
    let tree = Tree::of_shape(&own_shape(&model));
    for_all_volumes!(walks(&model, &tree));
}

/// The zoo in the middle of its motions, by every method that applies.
#[test]
fn the_zoo_obeys_the_law_in_motion() {
    fn moves<V: Volume>(model: &Arc<Model>, pose: &Pose, what: &str) {
        let tree = Tree::octants(model.mesh().positions(), model.mesh().triangles());
        // One joint is the same to all of them.
        let several = model.skin().joint_count() > 1;
        for &skinning in if several { &Skinning::ALL[..] } else { &Skinning::ALL[..1] } {
            for method in methods_for(model, skinning) {
                let mut body = body_of::<V>(model, skinning, &tree, method);
                body.set_pose(pose, &placed(1, Vec3::X)).unwrap();
                assert_law(&mut body, what);
            }
        }
    }
    // Two skins, displacement fields, reference shapes; or all that there are.
    let few = |name: &str| ["man", "hand", "chair", "dolphin"].contains(&name);
    for kind in supple_zoo::kinds().iter().filter(|kind| cases(few(kind.name), true)) {
        let model = Arc::new(supple_zoo::make(kind.name, 0).unwrap());
        let Some(clip) = model.clips().first() else { continue };
        let pose = model.sample(clip, 0.3).unwrap();
        moves::<BoundingSphere>(&model, &pose, kind.name);
        moves::<Slabs<9>>(&model, &pose, kind.name);
    }
}

#[test]
fn what_the_papers_do_not_bound_is_an_error() {
    let model = Arc::new(random_model(1, RestKind::Plain));
    let mut body = body_of::<BoundingSphere>(&model, Skinning::Linear, &halves(&model), Method::Linear);
    let mut pose = model.rest_pose();
    pose.nodes[0].scale = Vec3::new(1.0, 2.0, 1.0);
    let error = body.set_pose(&pose, &Isometry::IDENTITY).unwrap_err();
    assert_eq!(error.to_string(), "joint 0 scales or mirrors; the papers bound rigid joints only");
    let new = |method, tree| papers::Shape::<Slabs<3>>::new(&model, Skinning::Linear, tree, method);
    let error = new(Method::Fields, halves(&model)).unwrap_err();
    assert_eq!(error, MethodError::DoesNotApply { method: Method::Fields });
    // A rest stage under several joints is in none of the papers, but its vertices can be looked at.
    let from_vertices = [Method::BottomUp, Method::Hybrid, Method::Rebuild];
    for kind in RestKind::ALL {
        let model = random_model(1, kind);
        let applies = |method: &Method| Skinning::ALL.iter().any(|&s| method.applies_to(&model, s));
        let on_demand: &[Method] = if kind == RestKind::Plain { &METHODS[..3] } else { &[] };
        let found: Vec<Method> = METHODS.into_iter().filter(applies).collect();
        assert_eq!(found, [on_demand, &from_vertices].concat());
    }
    let dolphin = Arc::new(supple_zoo::make("dolphin", 0).unwrap());
    let method = Method::Morph { between: usize::MAX };
    let error = papers::Shape::<BoundingSphere>::new(&dolphin, Skinning::Linear, halves(&dolphin), method)
        .unwrap_err();
    assert_eq!(error, MethodError::TooManyBetween { found: usize::MAX, limit: 255 });
    let other = supple_zoo::make("chair", 0).unwrap();
    let error = new(Method::Linear, halves(&other)).unwrap_err();
    let (expected, found) = (40, other.mesh().triangles().len());
    assert_eq!(error, MethodError::OtherTree { expected, found });
}

/// Numbers that are not numbers, wrong counts: errors, and the body keeps what it had.
#[test]
fn poses_that_do_not_fit_are_errors() {
    for (model, skinning) in subjects(3) {
        for method in methods_for(&model, skinning) {
            let mut body = body_of::<Slabs<3>>(&model, skinning, &halves(&model), method);
            let pose = random_pose(&model, 3, false);
            body.set_pose(&pose, &Isometry::IDENTITY).unwrap();
            let before = root_size(&mut body);
            let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
            let error = body.set_joint_matrices(&matrices[1..], &pose.coefficients).unwrap_err();
            let (expected, found) = (matrices.len(), matrices.len() - 1);
            assert_eq!(error, MethodError::Pose(PoseError::JointCount { expected, found }));
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut wrong = matrices.clone();
                wrong[0].translation.y = value;
                body.set_joint_matrices(&wrong, &pose.coefficients).unwrap_err();
                let mut wrong = matrices.clone();
                wrong[0].matrix3.x_axis.y = value;
                body.set_joint_matrices(&wrong, &pose.coefficients).unwrap_err();
                if let Some(first) = pose.coefficients.first() {
                    let mut wrong = pose.coefficients.clone();
                    wrong[0] = value * first.abs();
                    body.set_joint_matrices(&matrices, &wrong).unwrap_err();
                }
            }
            assert_eq!(root_size(&mut body), before, "{}", method.name());
            assert!(papers::violations(&mut body).is_empty());
        }
    }
}
