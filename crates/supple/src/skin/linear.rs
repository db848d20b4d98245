//! Linear blend skinning: `v' = (sum w_i C_i) p`, any affine joints, any number of influences.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 2.2.1.

use glam::{Vec3, Vec4};

use super::corner_bound::{corner_ball_of_point, corner_box};
use super::palette::{inverse_transpose_times, unit_or_zero};
use super::rounding::linear_margin;
use super::weighted_sum::{Block, weighted_sum};
use super::{Palette, Skin, SkinStage, SkinTerm};
use crate::math::{Aabb, Sphere};
use crate::rest::RestBox;
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
    fn normal<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let [xy, zt] = weighted_sum::<E, 2>(&self.palette.matrices, joints, weights.iter().copied());
        let ([x, y], [z, _]) = (xy.split(), zt.split());
        unit_or_zero(inverse_transpose_times([x, y, z], rest))
    }

    #[inline(always)]
    fn bound_box(&self, term: &SkinTerm, rest: RestBox, changes: usize) -> Aabb {
        linear_box(self.palette, term, rest, changes)
    }

    #[inline(always)]
    fn bound_ball(&self, term: &SkinTerm, rest: Sphere, changes: usize) -> Sphere {
        linear_ball(self.palette, term, rest, changes)
    }
}

/// The box of a group under its joints' matrices.
#[inline(always)]
pub(super) fn linear_box(palette: &Palette, term: &SkinTerm, rest: RestBox, changes: usize) -> Aabb {
    let exact = corner_box(&palette.matrices, term.joints, &term.weights, term.axes, &rest);
    let margin = Vec3::splat(linear_margin(palette, term.joints, changes));
    Aabb { min: exact.min - margin, max: exact.max + margin }
}

/// The ball of a group under its joints' matrices: an offset from the centre grows at most by the largest stretch.
#[inline(always)]
pub(super) fn linear_ball(palette: &Palette, term: &SkinTerm, rest: Sphere, changes: usize) -> Sphere {
    let (center, spread) = corner_ball_of_point(&palette.matrices, term.joints, &term.weights, rest.center);
    let stretch = |&joint: &u32| palette.reaches[joint as usize].stretch;
    let largest = term.joints.iter().map(stretch).fold(0.0, f32::max);
    // A margin per axis is at most twice as long in space.
    let margin = 2.0 * linear_margin(palette, term.joints, changes);
    Sphere::new(center, spread + largest * rest.radius + margin)
}

/// A joint's matrix applied to a point.
#[inline(always)]
pub(super) fn transform_by<E: Eight>(matrix: &Block<2>, p: Vec3) -> Vec4 {
    transform([E::load(&matrix[0]), E::load(&matrix[1])], p)
}

/// `M p = (x p_x + z p_z) + (y p_y + t)` for the columns `x, y, z, t` of `M`.
#[inline(always)]
pub(super) fn transform<E: Eight>([xy, zt]: [E; 2], p: Vec3) -> Vec4 {
    let [low, high] = xy.times(E::halves(p.x, p.y)).plus(zt.times(E::halves(p.z, 1.0))).split();
    low + high
}
