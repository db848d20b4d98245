//! Scale in joints: where it is, of what kind, and whether anything of it reaches the vertices.
//!
//! Files often have a large scale in the skeleton that the inverse bind matrices take back. What counts is the
//! product: `world(joint) * inverse_bind`, at rest and over the clips.

use glam::{DAffine3, DMat3};
use serde::Serialize;
use supple::Model;
use supple::pose::{Clip, Pose, PoseError, Target};

/// Factors closer to 1 than this, and axes that differ by less, are rounding of the file.
const TOLERANCE: f64 = 1e-3;

/// Even samples per clip, so that scale which appears by rotation under a scaled parent is seen.
const EVEN_SAMPLES: usize = 16;

/// Key times of scale channels per clip that are looked at; more of them are thinned out.
const KEY_SAMPLES: usize = 64;

/// Scale in four places.
#[derive(Debug, Serialize)]
pub struct Scale {
    /// World matrices of the joints at rest.
    pub rest: JointScales,
    pub inverse_bind: JointScales,
    /// Rest world matrix times inverse bind matrix: what vertices see at rest.
    pub skinning_at_rest: JointScales,
    /// The same over all clips, the worst of each joint; nothing without clips.
    pub skinning_in_clips: Option<JointScales>,
}

/// How many joints have what kind of scale. A mirroring joint counts as negative and nothing else.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct JointScales {
    pub none: usize,
    pub uniform: usize,
    pub non_uniform: usize,
    pub negative: usize,
    /// Zero along an axis: the vertices collapse.
    pub singular: usize,
    /// Least and greatest stretch along any axis of a joint's matrix.
    pub least: f64,
    pub greatest: f64,
}

/// Looks at all joints.
pub fn scale(model: &Model) -> Result<Scale, PoseError> {
    let joints = model.skeleton().joints();
    let world = model.skeleton().world_matrices(&model.rest_pose())?;
    let mut in_clips: Vec<Option<Stretch>> = vec![None; joints.len()];
    for clip in model.clips() {
        for time in sample_times(clip) {
            // Poses that cannot be are told elsewhere.
            let sampled = model.sample(clip, time);
            let Ok(world) = sampled.and_then(|pose: Pose| model.skeleton().world_matrices(&pose)) else {
                continue;
            };
            for (worst, joint) in in_clips.iter_mut().zip(joints) {
                let stretch = Stretch::of(&(world[joint.node] * joint.inverse_bind));
                *worst = Some(worst.map_or(stretch, |worst| worst.or_worse(stretch)));
            }
        }
    }
    Ok(Scale {
        rest: JointScales::count(joints.iter().map(|j| Stretch::of(&world[j.node]))),
        inverse_bind: JointScales::count(joints.iter().map(|j| Stretch::of(&j.inverse_bind))),
        skinning_at_rest: JointScales::count(
            joints.iter().map(|j| Stretch::of(&(world[j.node] * j.inverse_bind))),
        ),
        skinning_in_clips: in_clips.into_iter().collect::<Option<Vec<_>>>().map(JointScales::count),
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    None,
    Uniform,
    NonUniform,
    Negative,
    Singular,
}

/// What one matrix does to lengths.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    kind: Kind,
    least: f64,
    greatest: f64,
}

impl Stretch {
    /// Lengths of the images of the axes; a similarity has `M^T M = s^2 I`.
    fn of(matrix: &DAffine3) -> Self {
        let m: DMat3 = matrix.matrix3;
        let axes = [m.x_axis, m.y_axis, m.z_axis];
        let lengths = axes.map(|axis| axis.length());
        let least = lengths.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = lengths.iter().copied().fold(0.0, f64::max);
        let cosine = |i: usize, j: usize| (axes[i].dot(axes[j]) / (lengths[i] * lengths[j])).abs();
        let volume = m.determinant();
        // A volume that vanishes beside the lengths: zero along an axis, or axes in one plane.
        let kind = if volume.abs() <= 1e-9 * greatest.powi(3) {
            Kind::Singular
        } else if volume < 0.0 {
            Kind::Negative
        } else if greatest - least > TOLERANCE * greatest
            || [(0, 1), (1, 2), (2, 0)].iter().any(|&(i, j)| cosine(i, j) > TOLERANCE)
        {
            Kind::NonUniform
        } else if (greatest - 1.0).abs() > TOLERANCE || (least - 1.0).abs() > TOLERANCE {
            Kind::Uniform
        } else {
            Kind::None
        };
        Self { kind, least, greatest }
    }

    fn or_worse(self, other: Self) -> Self {
        Self {
            kind: self.kind.max(other.kind),
            least: self.least.min(other.least),
            greatest: self.greatest.max(other.greatest),
        }
    }
}

impl JointScales {
    fn count(stretches: impl IntoIterator<Item = Stretch>) -> Self {
        let mut counts = Self { least: f64::INFINITY, ..Self::default() };
        for stretch in stretches {
            *match stretch.kind {
                Kind::None => &mut counts.none,
                Kind::Uniform => &mut counts.uniform,
                Kind::NonUniform => &mut counts.non_uniform,
                Kind::Negative => &mut counts.negative,
                Kind::Singular => &mut counts.singular,
            } += 1;
            counts.least = counts.least.min(stretch.least);
            counts.greatest = counts.greatest.max(stretch.greatest);
        }
        counts
    }

    /// Whether any joint has scale.
    pub fn is_any(&self) -> bool {
        self.uniform + self.non_uniform + self.negative + self.singular > 0
    }
}

/// Even times, and the keys of scale channels.
fn sample_times(clip: &Clip) -> Vec<f64> {
    let even = (0..=EVEN_SAMPLES).map(|i| clip.duration() * i as f64 / EVEN_SAMPLES as f64);
    let scaling = clip.channels().iter().filter(|c| matches!(c.target, Target::Scale(_)));
    let mut keys: Vec<f64> = scaling.flat_map(|c| &c.times).map(|&t| f64::from(t)).collect();
    keys.sort_by(f64::total_cmp);
    keys.dedup();
    let stride = keys.len().div_ceil(KEY_SAMPLES).max(1);
    even.chain(keys.into_iter().step_by(stride)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DQuat, DVec3};

    #[test]
    fn kinds_are_told_apart() {
        let kind = |scale: DVec3| {
            let turn = DQuat::from_rotation_y(0.7);
            Stretch::of(&DAffine3::from_scale_rotation_translation(scale, turn, DVec3::X)).kind
        };
        assert_eq!(kind(DVec3::ONE), Kind::None);
        assert_eq!(kind(DVec3::splat(1.0005)), Kind::None);
        assert_eq!(kind(DVec3::splat(0.01)), Kind::Uniform);
        assert_eq!(kind(DVec3::new(1.0, 2.0, 1.0)), Kind::NonUniform);
        assert_eq!(kind(DVec3::new(1.0, -1.0, 1.0)), Kind::Negative);
        assert_eq!(kind(DVec3::new(1.0, 0.0, 1.0)), Kind::Singular);
        assert_eq!(kind(DVec3::ZERO), Kind::Singular);
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.6, 0.8, 0.0), DVec3::Z);
        assert_eq!(Stretch::of(&DAffine3::from_mat3(shear)).kind, Kind::NonUniform);
    }
}
