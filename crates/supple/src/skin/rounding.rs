//! Margins for rounding: how far a posed vertex computed in f32 may lie outside a bound computed in f32.
//!
//! In: how large the numbers are that meet in a vertex, how many joints and fields. Out: a length that bounds add on every axis.
//! Must hold: the margins are no smaller than what `docs/math/rounding.md` proves, operation by operation, terms of higher
//! order included. With the unit roundoff `u = 2^-24`, `n` joints and `m` active fields:
//!
//! | margin | of | needed at most | taken |
//! | --- | --- | --- | --- |
//! | linear, per `u (2 A + T)` | vertex, weights, corner images, rest box | `9 n + 33` of `T`, `7.5 n + 1.4 m + 101` of `2 A` | `9 n + 2 m + 104` |
//! | rotations, per `u (2 A + T) / \|b\|^3` | the same, and the bulge | `1.5 n^2 + 16.6 n + 198` of `T`, less of `2 A` | `2 n^2 + 20 n + 2 m + 256` |
//! | bends, per `u / \|b\|^4` | vertex and linear blend | `11.6 n + 143` of `2 A`, `22.1 n + 210` of `T` | `12 n + 144`, `23 n + 216` |
//! | one vertex, per `u (A + T)` | vertex and weights | `3 n + 3` | `3 n + 4` |
//!
//! `A` is a joint's matrix without its translation times the longest rest position, `T` its translation, both as sums of
//! absolute values; `|b|` is the length of the shortest blended quaternion. `rounding_attack.rs` measures how much of the
//! margins hostile poses use.
//!
//! Numbers below `f32::MIN_POSITIVE` are rounded absolutely instead, by less than that per operation; in a rest position that is
//! stretched afterwards, in a blended matrix it is multiplied by the rest position. All three are added.

use glam::{DMat3, Vec3, Vec4};

use crate::math::outward::radius_of;
use crate::simd::Eight;

/// `2^-24`.
pub(crate) const UNIT_ROUNDOFF: f32 = f32::EPSILON / 2.0;

/// How large the numbers are that meet in a vertex: the largest of any joint that moves one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Magnitude {
    /// Sum of the absolute values of a matrix without its translation, times the longest rest position that it moves.
    pub stretched: f32,
    /// Sum of the absolute values of a translation.
    pub translation: f32,
    /// Length of the longest rest position.
    pub rest: f32,
    /// Sum of the absolute values of a matrix without its translation.
    pub stretch: f32,
}

impl Magnitude {
    /// `2 A + T`.
    #[inline(always)]
    pub fn largest(self) -> f32 {
        2.0 * self.stretched + self.translation
    }

    /// With lengths of a rest box that blended stretches made, which may be larger than any vertex.
    #[inline(always)]
    pub fn with_stretched_box(self, size: f32) -> Self {
        Self { stretched: self.stretched + size, ..self }
    }

    /// What numbers too small for f32 may add per operation.
    #[inline(always)]
    pub fn underflow(self) -> f32 {
        f32::MIN_POSITIVE * (1.0 + self.stretch + self.rest)
    }
}

/// The margin under linear skinning, for vertices of at most `joints` joints and `changes` active fields.
#[inline(always)]
pub(super) fn linear_margin(magnitude: Magnitude, joints: usize, changes: usize) -> f32 {
    linear_count(joints, changes) * (UNIT_ROUNDOFF * magnitude.largest() + magnitude.underflow())
}

/// The margin where rotations are blended: `center` is the length of the rotation center (0 without one),
/// `shortest_sq` the smallest squared length of a blended quaternion.
#[inline(always)]
pub(super) fn rotation_margin(
    magnitude: Magnitude,
    joints: usize,
    changes: usize,
    center: f32,
    shortest_sq: f32,
) -> f32 {
    let vertex =
        rotation_count(joints, changes) * (UNIT_ROUNDOFF * magnitude.largest() + magnitude.underflow());
    let center = 2.0 * rotation_count(joints, changes) * UNIT_ROUNDOFF * center;
    (vertex + center) / (shortest_sq * shortest_sq.min(1.0).sqrt())
}

/// Margins of eight bends, for `|b| = 1`: of vertices whose rotations are blended against the exact linear blend of their joints;
/// `center` is the length of the rotation center (0 without one).
#[inline(always)]
pub(super) fn bend_margin<E: Eight>(magnitude: Magnitude, joints: usize, center: E) -> E {
    let [of_rest, of_translation, of_center] = bend_counts(joints);
    let sizes = E::all(of_rest * 2.0 * magnitude.stretched + of_translation * magnitude.translation)
        .plus(E::all(of_center).times(center));
    E::all(UNIT_ROUNDOFF).times(sizes).plus(E::all(of_translation * magnitude.underflow()))
}

/// Of `2 A`, of `T`, and of the length of a rotation center.
#[inline(always)]
fn bend_counts(joints: usize) -> [f32; 3] {
    [3 * joints + 48, 4 * joints + 20, 6 * joints + 56].map(|count| count as f32)
}

/// How far, on any axis, a vertex of this many linearly blended joints is from where it would be without rounding and with
/// weights of sum 1: `n` for the blended matrix, 3 for its application, `2 n` for the sum of the weights, 1 for terms of
/// higher order and for the rounding of the margin itself.
pub(super) fn rigid_margin(magnitude: Magnitude, joints: usize) -> f32 {
    (3 * joints + 4) as f32
        * (UNIT_ROUNDOFF * (magnitude.stretched + magnitude.translation) + magnitude.underflow())
}

/// How far, as a length, a vertex of this many joints is from its exact dual quaternion blend, where no joint stretches and `|b|^2` is at least
/// `1 / sqrt 2`: (V), and joints that are only nearly rigid. Rest positions are at most a third of `A` long.
pub(super) fn dual_quaternion_margin(magnitude: Magnitude, joints: usize) -> f32 {
    let (n, unit) = (joints as f32, UNIT_ROUNDOFF);
    let of_rest = (4.0 * n + 44.0) / 3.0 + 50.0;
    let of_translation = 3.0 * n + 22.0;
    unit * (of_rest * magnitude.stretched + of_translation * magnitude.translation)
        + (of_rest + of_translation) * magnitude.underflow()
}

#[inline(always)]
fn linear_count(joints: usize, changes: usize) -> f32 {
    (9 * joints + 2 * changes + 104) as f32
}

#[inline(always)]
fn rotation_count(joints: usize, changes: usize) -> f32 {
    (2 * joints * joints + 20 * joints + 2 * changes + 256) as f32
}

/// How far, in units of `u`, a sum `1 - 2 sum w_i w_j g_ij` over the pairs of this many joints may be off from the squared length of
/// a blended quaternion: one product and one sum per pair, `g` off by 18, weights of sum `1 + 2 n u`.
#[inline(always)]
pub(super) fn length_sq_count(joints: usize) -> f32 {
    (joints * joints + 4 * joints + 32) as f32
}

/// How far, in units of `u`, the part of a blended quaternion along a unit one may be off: weights `5 n`, corners `3 (n + 2)`, the
/// quaternions' own rounding 3, a dot product 12, unit length 5.
#[inline(always)]
pub(super) fn projection_count(joints: usize) -> f32 {
    (8 * joints + 32) as f32
}

/// Bound of the largest singular value of a matrix given by columns, rounded up. In f64, where no square of an f32 over- or
/// underflows.
pub(crate) fn largest_stretch(columns: [Vec4; 3]) -> f32 {
    let [x, y, z] = columns.map(|c| c.truncate().as_dvec3());
    radius_of(crate::math::largest_stretch(DMat3::from_cols(x, y, z)))
}

/// A length that neither over- nor underflows on the way, rounded up.
#[inline(always)]
pub(super) fn length(v: Vec3) -> f32 {
    radius_of(v.as_dvec3().length())
}

#[cfg(test)]
#[path = "../../tests/inside/skin/rounding.rs"]
mod tests;
