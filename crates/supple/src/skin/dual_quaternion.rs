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

use super::eight_vertices::{EightWeights, Three, cross, minus, plus, scaled, transformed};
use super::linear::transform_by;
use super::palette::{SINGULAR_BLEND_SQ, heaviest, unit_or_zero};
use super::weighted_sum::{Block, weighted_sum};
use super::{Palette, Skin, SkinStage};
use crate::rest::EightVertices;
use crate::simd::{Eight, lanes};

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
        let norm_sq = dot(real, real);
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
    fn positions<E: Eight>(
        &self,
        vertices: EightVertices,
        weights: EightWeights,
        rest: Three<E>,
    ) -> Three<E> {
        let palette = self.palette;
        if weights.are_of_one_joint() {
            return transformed(weights.only_matrix(&palette.matrices), rest);
        }
        let (r, a0, d, ae) = blend_eight(&palette.dual_quaternions, weights);
        let norm_sq = dot_eight(r, a0, r, a0);
        let p = palette.stretched_eight(weights, rest);
        let turn = cross(r, plus(cross(r, p), scaled(p, a0)));
        let shift = plus(minus(scaled(d, a0), scaled(r, ae)), cross(r, d));
        let posed = plus(p, scaled(plus(turn, shift), E::all(2.0).over(norm_sq)));
        where_singular(self, norm_sq, vertices, rest, posed)
    }

    #[inline(always)]
    fn normal<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let [real, _] = blend::<E>(&self.palette.dual_quaternions, joints, weights);
        rotated_normal::<E>(self.palette, joints, weights, real, rest)
    }
}

/// In a fixed order, as that of glam's depends on the processor.
#[inline(always)]
pub(super) fn dot(p: Vec4, q: Vec4) -> f32 {
    let products = p * q;
    (products.x + products.z) + (products.y + products.w)
}

/// The same of eight quaternions.
#[inline(always)]
pub(super) fn dot_eight<E: Eight>(r: Three<E>, w: E, other_r: Three<E>, other_w: E) -> E {
    let xz = r[0].times(other_r[0]).plus(r[2].times(other_r[2]));
    xz.plus(r[1].times(other_r[1]).plus(w.times(other_w)))
}

/// [`blend`] of eight vertices: vector and scalar of the real part, then of the dual part. A lane is aligned with the first joint that
/// has a weight there; until that is met its pivot is 0, which turns no sign.
#[inline(always)]
pub(super) fn blend_eight<E: Eight>(
    quaternions: &[Block<1>],
    terms: EightWeights,
) -> (Three<E>, E, Three<E>, E) {
    let zero = E::all(0.0);
    let (mut pivot, mut pivot_w, mut total) = ([zero; 3], zero, zero);
    let (mut r, mut a0, mut d, mut ae) = ([zero; 3], zero, [zero; 3], zero);
    for (&joint, weights) in terms.joints.iter().zip(terms.weights) {
        let [x, y, z, w, dx, dy, dz, dw] = quaternions[joint as usize][0];
        let (real, real_w) = ([E::all(x), E::all(y), E::all(z)], E::all(w));
        let weight = E::load(weights);
        let turned = dot_eight(pivot, pivot_w, real, real_w).less(zero);
        let signed = E::choose(turned, zero.minus(weight), weight);
        for k in 0..3 {
            r[k] = r[k].plus(signed.times(real[k]));
        }
        a0 = a0.plus(signed.times(real_w));
        d[0] = d[0].plus(signed.times(E::all(dx)));
        d[1] = d[1].plus(signed.times(E::all(dy)));
        d[2] = d[2].plus(signed.times(E::all(dz)));
        ae = ae.plus(signed.times(E::all(dw)));
        // The smallest number above 0: weights may be subnormal.
        let first = E::both(zero.less(weight), total.less(E::all(f32::from_bits(1))));
        for k in 0..3 {
            pivot[k] = E::choose(first, real[k], pivot[k]);
        }
        pivot_w = E::choose(first, real_w, pivot_w);
        total = total.plus(weight);
    }
    (r, a0, d, ae)
}

/// Puts the vertices whose rotations cancel where the function of one vertex puts them.
#[inline(always)]
pub(super) fn where_singular<E: Eight>(
    stage: &impl SkinStage,
    norm_sq: E,
    vertices: EightVertices,
    rest: Three<E>,
    posed: Three<E>,
) -> Three<E> {
    let singular = E::bits(norm_sq.less(E::all(SINGULAR_BLEND_SQ)));
    if singular == 0 {
        return posed;
    }
    let (rest, mut points) = (E::points(rest), E::points(posed));
    for lane in lanes(singular) {
        points[lane] = stage.position::<E>(vertices.get(lane), rest[lane].truncate());
    }
    E::coordinates(&points)
}

/// `sum w_i s_i q_i`, real and dual part.
#[inline(always)]
pub(super) fn blend<E: Eight>(quaternions: &[Block<1>], joints: &[u32], weights: &[f32]) -> [Vec4; 2] {
    let real = |joint: u32| Vec4::from_slice(&quaternions[joint as usize][0]);
    let pivot = real(joints[0]);
    let signed = joints.iter().zip(weights).map(
        |(&joint, &weight)| {
            if dot(pivot, real(joint)) < 0.0 { -weight } else { weight }
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
    let norm_sq = dot(b, b);
    if norm_sq < SINGULAR_BLEND_SQ {
        let heavy = heaviest(joints, weights);
        let real = Vec4::from_slice(&palette.dual_quaternions[heavy][0]);
        let stretched = palette.stretched_normal::<E>(&[heavy as u32], &[1.0], rest);
        return unit_or_zero(rotate(real, 1.0, stretched));
    }
    unit_or_zero(rotate(b, norm_sq, palette.stretched_normal::<E>(joints, weights, rest)))
}
