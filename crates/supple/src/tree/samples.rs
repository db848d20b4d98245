//! Poses to judge a tree by: the rest pose and some from the model's clips, or invented ones where it has none.
//!
//! A tree that is only good at rest puts an arm and the hip it hangs beside into one node.

use glam::{EulerRot, Quat, Vec3};

use super::shape::MAX_COORDINATE;
use crate::model::{Model, PosedModel};
use crate::pose::Pose;
use crate::rest::Rest;
use crate::skin::{Palette, Skinning};

/// Number of poses a tree is judged by. Two more made no visible difference in node visits, and cost build time.
pub(super) const SAMPLES: usize = 4;

/// The model in one sampled pose.
pub(super) struct Sample {
    pub positions: Vec<Vec3>,
    /// Positions before skinning.
    pub rest: Vec<Vec3>,
    pub palette: Palette,
}

/// The rest pose first. A pose that cannot be evaluated (an animated scale that overflows) is left out.
pub(super) fn sampled_poses(model: &Model) -> Vec<Sample> {
    let mut poses = vec![model.rest_pose()];
    let clips = model.clips();
    for i in 0..SAMPLES - 1 {
        if clips.is_empty() {
            poses.push(invented_pose(model, i));
        } else {
            // Spread over the clips and over their length.
            let clip = &clips[i * clips.len() / (SAMPLES - 1)];
            let time = clip.duration() * (i as f64 + 0.5) / (SAMPLES - 1) as f64;
            poses.extend(model.sample(clip, time).ok());
        }
    }
    poses.iter().filter_map(|pose| sample(model, pose)).collect()
}

fn sample(model: &Model, pose: &Pose) -> Option<Sample> {
    let posed = model.posed(pose, Skinning::Linear).ok()?;
    let positions = posed.positions();
    let rest = posed.rest_positions();
    let near = |p: &Vec3| p.abs().max_element() <= MAX_COORDINATE;
    positions.iter().all(near).then_some(Sample { positions, rest, palette: PosedModel::into_palette(posed) })
}

/// Joints turned by up to half a radian, coefficients of both signs; the same every time.
fn invented_pose(model: &Model, index: usize) -> Pose {
    let mut pose = model.rest_pose();
    let mut state = 0x2545_f491_4f6c_dd1d_u64.wrapping_mul(index as u64 + 1);
    let mut next = || {
        // Marsaglia, Xorshift RNGs, 2003.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    };
    for (node, transform) in model.skeleton().nodes().iter().zip(&mut pose.nodes) {
        if node.parent.is_some() {
            let turn = Quat::from_euler(EulerRot::XYZ, next() * 0.5, next() * 0.5, next() * 0.5);
            transform.rotation = (transform.rotation * turn).normalize();
        }
    }
    let convex = matches!(model.rest(), Rest::Morph(_));
    for coefficient in &mut pose.coefficients {
        let value = next();
        *coefficient = if convex { value.abs() + 0.01 } else { value };
    }
    pose
}
