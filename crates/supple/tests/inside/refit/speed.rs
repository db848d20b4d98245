//! Tests of what `refit/speed` keeps to itself.

use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3, Quat, Vec3};

use super::*;
use crate::math::Isometry;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::pose::{Joint, Node, Skeleton, Transform};
use crate::rest::{Field, Fields};
use crate::skin::Skin;
use crate::tree::BuildOptions;

struct Random(u64);

impl Random {
    fn signed(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    fn turn(&mut self, most: f32) -> Quat {
        Quat::from_axis_angle(self.vec3().normalize_or(Vec3::X), self.signed() * most)
    }

    fn placement(&mut self) -> Isometry {
        Isometry::new(self.turn(2.0).as_dquat().normalize(), self.vec3().as_dvec3())
    }
}

/// A chain of joints with up to four joints per vertex and two fields.
fn model(random: &mut Random) -> Model {
    let (joints, vertices) = (5usize, 60usize);
    let nodes: Vec<Node> = (0..joints)
        .map(|j| {
            let rest = Transform::from_translation(Vec3::Y * 0.5 + random.vec3() * 0.1);
            Node::new("", j.checked_sub(1), rest)
        })
        .collect();
    let mut world = DAffine3::IDENTITY;
    let list = (0..joints)
        .map(|node| {
            world *= DAffine3::from_translation(nodes[node].rest.translation.as_dvec3());
            Joint { node, inverse_bind: world.inverse() }
        })
        .collect();
    let positions: Vec<Vec3> =
        (0..vertices).map(|_| random.vec3() * Vec3::new(0.3, 1.5, 0.3) + Vec3::Y * 1.2).collect();
    let influences: Vec<Vec<(u32, f32)>> = (0..vertices)
        .map(|v| (0..1 + v as u32 % 4).map(|i| ((v as u32 + i) % 5, random.signed().abs() + 0.05)).collect())
        .collect();
    let triangles = (0..vertices as u32 - 2).map(|v| [v, v + 1, v + 2]).collect();
    let fields = [(); 2].map(|()| Field {
        displacements: (0..vertices as u32).map(|v| (v, random.vec3() * 0.2)).collect(),
        ..Field::default()
    });
    let skin = Skin::new(joints, influences.iter().map(Vec::as_slice)).unwrap();
    let skeleton = Skeleton::new(nodes, list).unwrap();
    let rest = Rest::Fields(Fields::new(vertices, &fields).unwrap());
    Model::new(Mesh::new(positions, triangles).unwrap(), skin, skeleton).unwrap().with_rest(rest).unwrap()
}

fn pose(model: &Model, random: &mut Random, scaled: bool) -> Pose {
    let mut pose = model.rest_pose();
    for node in &mut pose.nodes {
        node.rotation = random.turn(0.9);
        node.translation += random.vec3() * 0.1;
        if scaled {
            node.scale = Vec3::ONE + random.vec3() * 0.4;
        }
    }
    pose.coefficients.iter_mut().for_each(|q| *q = random.signed());
    pose
}

fn positions_at(body: &mut Body, motion: &Motion, time: f64) -> Vec<DVec3> {
    let (pose, placement) = motion.at(time);
    body.set_pose_at(&pose, placement).unwrap();
    body.positions().iter().map(|p| p.as_dvec3()).collect()
}

/// The largest part of its bound that any vertex moves.
fn largest_part(skinning: Skinning, scaled: bool) -> f64 {
    let (mut most, mut random) = (0.0f64, Random(7));
    for _ in 0..12 {
        let model = Arc::new(model(&mut random));
        let shape = Arc::new(Shape::build(Arc::clone(&model), &BuildOptions::default()).unwrap());
        let mut body = Body::new(&shape, skinning).unwrap();
        let end = |random: &mut Random| (pose(&model, random, scaled), random.placement());
        let motion = Motion::new(end(&mut random), end(&mut random)).unwrap();
        let mut speeds = Speeds::new(&body, &motion).unwrap();
        for step in 0..8 {
            let start = f64::from(step) / 8.0;
            let before = positions_at(&mut body, &motion, start);
            let span = speeds.longest_span(&body).unwrap().min(1.0 - start);
            assert!(span > 0.0);
            speeds.set_span(&body, span);
            for part in [1e-4, 0.01, 0.1, 0.3, 1.0] {
                let after = positions_at(&mut body, &motion, start + span * part);
                for node in 0..shape.node_count() {
                    let bound = speeds.of_node(&shape, node) * span * part + 2.0 * speeds.noise();
                    let triangles = shape.tree().triangles[shape.tree().triangles_below(node)].iter();
                    for v in triangles.flat_map(|&t| model.mesh().triangles()[t as usize]) {
                        let moved = after[v as usize].distance(before[v as usize]);
                        assert!(moved <= bound, "vertex {v} moved {moved}, bound {bound}");
                        most = most.max(moved / bound);
                    }
                }
            }
        }
    }
    most
}

#[test]
fn no_vertex_is_faster_than_its_bound() {
    for (skinning, scaled) in
        [(Skinning::Linear, false), (Skinning::Linear, true), (Skinning::DualQuaternion, false)]
    {
        let part = largest_part(skinning, scaled);
        println!("{skinning:?}, scaled {scaled}: up to {part:.2} of the bound");
        assert!(part > 0.05, "{skinning:?}: bounds are of some use: {part}");
    }
}

/// Rotation only: the bound is what a wheel does at its rim.
#[test]
fn a_wheel_is_as_fast_as_its_rim() {
    let mesh = Mesh::new(vec![Vec3::X * 2.0, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap();
    let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default()).unwrap());
    let body = Body::new(&shape, Skinning::Linear).unwrap();
    let turned = Isometry::from_rotation(DQuat::from_rotation_z(1.5));
    let motion = Motion::of_placement(shape.model().rest_pose(), Isometry::IDENTITY, turned).unwrap();
    let mut speeds = Speeds::new(&body, &motion).unwrap();
    speeds.set_span(&body, 1.0);
    // A thousandth more, as interpolation may be.
    let speed = speeds.of_node(&shape, 0);
    assert!(speed > 3.0 && speed < 3.004, "{speed}");
    assert!(speeds.noise() < 1e-5);
}
