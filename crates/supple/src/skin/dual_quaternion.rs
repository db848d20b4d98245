//! Dual quaternion skinning: the blended dual quaternion `b = sum w_i s_i q_i`, divided by its norm, moves `p`.
//!
//! With `b = (a0 + r) + eps (ae + d)` and `n = |a0 + r|^2` (no square root is needed):
//!
//! ```text
//! v' = p + 2/n ( r x (r x p + a0 p) + a0 d - ae r + r x d )
//! ```
//!
//! Must hold: `s_i` aligns every joint with the first of the joint-set, `<q_1, s_i q_i> >= 0`, so with two joints
//! `n >= 1/2`. With more, rotations can cancel; such a vertex follows its heaviest joint.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, sections 4.3 and 4.5, Algorithm 4.2.

use glam::{Vec3, Vec3A, Vec4};

use super::linear::transform_by;
use super::palette::{SINGULAR_BLEND_SQ, heaviest, unit_or_zero};
use super::weighted_sum::{Block, weighted_sum};
use super::{Palette, Skin, SkinStage};
use crate::simd::Eight;

/// Dual quaternion blending of posed joints.
#[derive(Clone, Copy)]
pub(crate) struct DualQuaternionSkin<'a> {
    pub skin: &'a Skin,
    pub palette: &'a Palette,
}

impl SkinStage for DualQuaternionSkin<'_> {
    #[inline(always)]
    fn position<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let matrices = &self.palette.matrices;
        if let [joint] = *joints {
            return transform_by::<E>(&matrices[joint as usize], rest);
        }
        let [real, dual] = blend::<E>(&self.palette.dual_quaternions, joints, weights);
        let norm_sq = real.length_squared();
        if norm_sq < SINGULAR_BLEND_SQ {
            return transform_by::<E>(&matrices[heaviest(joints, weights)], rest);
        }
        let ((r, a0), (d, ae)) = ((Vec3A::from_vec4(real), real.w), (Vec3A::from_vec4(dual), dual.w));
        let p = self.palette.stretched::<E>(joints, weights, rest);
        let turn = r.cross(r.cross(p) + p * a0);
        let shift = d * a0 - r * ae + r.cross(d);
        (p + (turn + shift) * (2.0 / norm_sq)).extend(0.0)
    }

    #[inline(always)]
    fn normal<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let [real, _] = blend::<E>(&self.palette.dual_quaternions, joints, weights);
        rotated_normal::<E>(self.palette, joints, weights, real, rest)
    }
}

/// `sum w_i s_i q_i`, real and dual part.
#[inline(always)]
pub(super) fn blend<E: Eight>(quaternions: &[Block<1>], joints: &[u32], weights: &[f32]) -> [Vec4; 2] {
    let real = |joint: u32| Vec4::from_slice(&quaternions[joint as usize][0]);
    let pivot = real(joints[0]);
    let signed = joints.iter().zip(weights).map(
        |(&joint, &weight)| {
            if pivot.dot(real(joint)) < 0.0 { -weight } else { weight }
        },
    );
    let [sum] = weighted_sum::<E, 1>(quaternions, joints, signed);
    sum.split()
}

/// A vector turned by a quaternion `x, y, z, w` of any length: `v + 2/n (r x (r x v + a0 v))`.
#[inline(always)]
pub(super) fn rotate(b: Vec4, norm_sq: f32, v: Vec3A) -> Vec3A {
    let (r, a0) = (Vec3A::from_vec4(b), b.w);
    v + r.cross(r.cross(v) + v * a0) * (2.0 / norm_sq)
}

/// The posed normal of the models that blend rotations: inverse transpose of the stretch, then the rotation.
#[inline(always)]
pub(super) fn rotated_normal<E: Eight>(
    palette: &Palette,
    joints: &[u32],
    weights: &[f32],
    b: Vec4,
    rest: Vec3,
) -> Vec4 {
    let norm_sq = b.length_squared();
    if norm_sq < SINGULAR_BLEND_SQ {
        let heavy = heaviest(joints, weights);
        let real = Vec4::from_slice(&palette.dual_quaternions[heavy][0]);
        let stretched = palette.stretched_normal::<E>(&[heavy as u32], &[1.0], rest);
        return unit_or_zero(rotate(real, 1.0, stretched));
    }
    unit_or_zero(rotate(b, norm_sq, palette.stretched_normal::<E>(joints, weights, rest)))
}
