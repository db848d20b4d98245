//! Spherical blend skinning: `v' = Q (p - r_c) + sum w_i C_i r_c`.
//!
//! `Q` is the blended quaternion's rotation, `r_c` the rotation center of the vertex' joint-set, `C_i` rigid.
//! Must hold: `r_c` is the one of [`crate::math::rotation_center`], computed once per joint-set and pose.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, chapter 3, Formula 3.7 and Algorithm 3.1.

use glam::{Vec3, Vec3A, Vec4};

use super::dual_quaternion::{blend, blend_eight, dot, dot_eight, rotate, rotated_normal, where_singular};
use super::eight_vertices::{EightWeights, Three, cross, minus, plus, scaled, transformed};
use super::linear::{transform, transform_by};
use super::palette::{SINGULAR_BLEND_SQ, heaviest};
use super::weighted_sum::weighted_sum;
use super::{Palette, Skin, SkinStage};
use crate::rest::EightVertices;
use crate::simd::Eight;

/// Spherical blending of posed joints.
#[derive(Clone, Copy)]
pub(crate) struct SphericalSkin<'a> {
    pub skin: &'a Skin,
    pub palette: &'a Palette,
}

impl SkinStage for SphericalSkin<'_> {
    #[inline(always)]
    fn position<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let palette = self.palette;
        if let [joint] = *joints {
            return transform_by::<E>(&palette.matrices[joint as usize], rest);
        }
        let [b, _] = blend::<E>(&palette.dual_quaternions, joints, weights);
        let norm_sq = dot(b, b);
        if norm_sq < SINGULAR_BLEND_SQ {
            return transform_by::<E>(&palette.matrices[heaviest(joints, weights)], rest);
        }
        let center = self.center(self.skin.set_of_vertex(vertex as u32));
        let offset = palette.stretched::<E>(joints, weights, rest) - Vec3A::from(center);
        let rigid = weighted_sum::<E, 2>(&palette.rigid_matrices, joints, weights.iter().copied());
        rotate(b, norm_sq, offset).extend(0.0) + transform(rigid, center)
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
        let (r, a0, _, _) = blend_eight(&palette.dual_quaternions, weights);
        let norm_sq = dot_eight(r, a0, r, a0);
        let mut centers = [Vec4::ZERO; 8];
        for lane in 0..8 {
            centers[lane] = self.center(self.skin.set_of_vertex(vertices.get(lane) as u32)).extend(0.0);
        }
        let center: Three<E> = E::coordinates(&centers);
        let offset = minus(palette.stretched_eight(weights, rest), center);
        let turned = cross(r, plus(cross(r, offset), scaled(offset, a0)));
        let rotated = plus(offset, scaled(turned, E::all(2.0).over(norm_sq)));
        let moved = transformed(weights.blended_matrix(&palette.rigid_matrices), center);
        where_singular(self, norm_sq, vertices, rest, plus(rotated, moved))
    }

    #[inline(always)]
    fn normal<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4 {
        let (joints, weights) = self.skin.joints_and_weights(vertex);
        let [b, _] = blend::<E>(&self.palette.dual_quaternions, joints, weights);
        rotated_normal::<E>(self.palette, joints, weights, b, rest)
    }
}

impl SphericalSkin<'_> {
    #[inline(always)]
    fn center(&self, set: usize) -> Vec3 {
        self.palette.rotation_centers[set].expect("joint-sets are prepared before their vertices are posed")
    }
}
