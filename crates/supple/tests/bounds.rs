//! The law of all bounds, over every pair of stages, both volumes, and poses that nobody would choose.

mod random_model;

use std::sync::Arc;

use glam::{DQuat, DVec3, Vec3};
use random_model::{Random, RestKind, random_model, random_pose};
use supple::math::Isometry;
use supple::model::Model;
use supple::pose::Pose;
use supple::refit::{VolumeKind, violations};
use supple::{Body, BuildOptions, Shape, Skinning};

const VOLUMES: [VolumeKind; 2] = [VolumeKind::Box, VolumeKind::Ball];

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions { leaf_size: 2, ..BuildOptions::default() }).unwrap())
}

fn assert_law(body: &mut Body, what: &str) {
    for volume in VOLUMES {
        let found = violations(body, volume);
        assert!(found.is_empty(), "{what} {volume:?} {:?}: {found:?}", body.skinning());
    }
}

fn assert_law_in(shape: &Arc<Shape>, pose: &Pose, placement: Isometry, what: &str) {
    for skinning in Skinning::ALL {
        let mut body = Body::new(shape, skinning).unwrap();
        body.set_pose_and_place(pose, placement).unwrap();
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
fn far_from_the_origin_huge_and_tiny() {
    for seed in 0..60 {
        let model = random_model(seed, RestKind::Fields);
        let shape = shape(model.clone());
        let rotation = DQuat::from_rotation_x(seed as f64);
        for exponent in [-12, -3, 3, 6, 12] {
            let size = 10f64.powi(exponent);
            let mut pose = random_pose(&model, seed, false);
            let far = Isometry::new(rotation, DVec3::new(size, -2.0 * size, 0.3 * size));
            assert_law_in(&shape, &pose, far, &format!("seed {seed} at 1e{exponent}"));
            pose.nodes[0].scale = Vec3::splat(size as f32);
            assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("seed {seed} scaled 1e{exponent}"));
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
            node.rotation = glam::Quat::from_axis_angle(axis, turns * std::f32::consts::PI);
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
            node.rotation = glam::Quat::from_axis_angle(random.rotation() * Vec3::X, small);
        }
        assert_law_in(&shape, &pose, Isometry::IDENTITY, &format!("seed {seed}"));
    }
}
