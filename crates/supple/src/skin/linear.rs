//! Linear blend skinning: `v' = (sum w_i C_i) p`, any affine joints, any number of influences.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 2.2.1.

use glam::{Vec3, Vec4};

use super::eight_vertices::{EightWeights, Three, transformed};
use super::palette::{inverse_transpose_times, unit_or_zero};
use super::weighted_sum::{Block, weighted_sum};
use super::{Palette, Skin, SkinStage};
use crate::rest::EightVertices;
use crate::simd::Eight;

/// Linear blending of posed joints.
#[derive(Clone, Copy)]
pub(crate) struct LinearSkin<'a> {
    pub skin: &'a Skin,
    pub palette: &'a Palette,
}

impl SkinStage for LinearSkin<'_> {
    #[inline(always)]
    fn position<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        transform(weighted_sum::<E, 2>(&self.palette.matrices, joints, weights.iter().copied()), rest)
    }

    #[inline(always)]
    fn positions<E: Eight>(&self, _: EightVertices, weights: EightWeights, rest: Three<E>) -> Three<E> {
        transformed(weights.blended_matrix(&self.palette.matrices), rest)
    }

    #[inline(always)]
    fn normal<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let [xy, zt] = weighted_sum::<E, 2>(&self.palette.matrices, joints, weights.iter().copied());
        let ([x, y], [z, _]) = (xy.split(), zt.split());
        unit_or_zero(inverse_transpose_times([x, y, z], rest))
    }
}

/// A joint's matrix applied to a point.
#[inline(always)]
pub(crate) fn transform_by<E: Eight>(matrix: &Block<2>, p: Vec3) -> Vec4 {
    transform([E::load(&matrix[0]), E::load(&matrix[1])], p)
}

/// `M p = (x p_x + z p_z) + (y p_y + t)` for the columns `x, y, z, t` of `M`.
#[inline(always)]
pub(super) fn transform<E: Eight>([xy, zt]: [E; 2], p: Vec3) -> Vec4 {
    let [low, high] = xy.times(E::halves(p.x, p.y)).plus(zt.times(E::halves(p.z, 1.0))).split();
    low + high
}
