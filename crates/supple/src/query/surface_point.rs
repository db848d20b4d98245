//! What an engine wants to know of a point of the surface: where it is at rest, and which joints move it.

use glam::{Vec2, Vec3};

use crate::model::Model;
use crate::pose::JointId;

/// Corners of a triangle.
///
/// # Panics
/// The triangle is out of range.
pub(super) fn corners_of(model: &Model, triangle: u32) -> [u32; 3] {
    model.mesh().triangles()[triangle as usize]
}

/// The point on the mesh as the file has it.
pub(super) fn rest_point(model: &Model, corners: [u32; 3], weights: [f32; 3]) -> Vec3 {
    let [p, q, r] = corners.map(|v| model.mesh().positions()[v as usize]);
    p * weights[0] + q * weights[1] + r * weights[2]
}

/// The texture coordinate, if the mesh has some.
pub(super) fn uv(model: &Model, corners: [u32; 3], weights: [f32; 3]) -> Option<Vec2> {
    let uvs = model.mesh().uvs()?;
    let [p, q, r] = corners.map(|v| uvs[v as usize]);
    Some(p * weights[0] + q * weights[1] + r * weights[2])
}

/// Joints that move the point, with their weights; heaviest first.
pub(super) fn owning_joints(model: &Model, corners: [u32; 3], weights: [f32; 3]) -> Vec<(JointId, f32)> {
    let mut joints: Vec<(JointId, f32)> = Vec::new();
    for (vertex, share) in corners.into_iter().zip(weights) {
        for (joint, weight) in model.skin().influences(vertex) {
            match joints.iter_mut().find(|(j, _)| *j == joint) {
                Some((_, sum)) => *sum += weight * share,
                None => joints.push((joint, weight * share)),
            }
        }
    }
    joints.retain(|&(_, weight)| weight > 0.0);
    joints.sort_by(|x, y| y.1.total_cmp(&x.1).then(x.0.cmp(&y.0)));
    joints
}
