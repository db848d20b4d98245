//! Margins for rounding: how far a posed vertex computed in f32 may lie outside a bound computed in f32.
//!
//! With unit roundoff `u = 2^-24`, a sum of `k` products computed in any order is off by at most `k u` times the sum
//! of the absolute values, to first order (Higham, Accuracy and Stability of Numerical Algorithms, 2002, section 3.1).
//!
//! In units of `u A`, with `A = max_i (|C_i| |p| + |t_i|)` (sums of absolute values) for `n` joints and `m` active fields:
//!
//! | error | linear |
//! | --- | --- |
//! | vertex: blended matrix, its application | `n + 3` |
//! | weights: their sum, the rounded spread, a spread that is taken for 0 (at most `2 n` after `n` of rounding) | `3 n + 1` |
//! | bound: images under the joints, their blend, the two last sums | `n + 12` |
//!
//! Together `5 n + 16`. The rest stage (`m + 1` for the vertex, `m + 1` for its box, 13 for turned axes) enters with the
//! rest positions' part of `A` only, which is counted twice.
//!
//! *Models that blend rotations* divide by `|b|^2`: errors of the blended quaternion, of `|b|^2` itself (one per pair of
//! joints) and of the rounded dual quaternions are relative errors of at most `(n^2 + 3 n + 75) u / |b|^2`, and a dual
//! quaternion blend may take a vertex as far as `A / |b|`: together `u A / |b|^3` times that, above the linear part. Four
//! times the linear margin and `n^2` cover it. Derivation: `docs/math/corner-bounds.md`.
//!
//! Numbers below `f32::MIN_POSITIVE` are rounded absolutely instead, by less than that per operation; in a rest position that is
//! stretched afterwards, in a blended matrix it is multiplied by the rest position. All three are added.

use glam::{DMat3, Vec3, Vec4};

use crate::math::outward::radius_of;

/// `2^-24`.
pub(crate) const UNIT_ROUNDOFF: f32 = f32::EPSILON / 2.0;

/// How large the numbers are that meet in a vertex: the largest of any joint that moves one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Reach {
    /// Sum of the absolute values of a matrix without its translation, times the longest rest position that it moves.
    pub stretched: f32,
    /// Sum of the absolute values of a translation.
    pub translation: f32,
    /// Length of the longest rest position.
    pub rest: f32,
    /// Sum of the absolute values of a matrix without its translation.
    pub stretch: f32,
}

impl Reach {
    /// The larger numbers of both.
    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        Self {
            stretched: self.stretched.max(other.stretched),
            translation: self.translation.max(other.translation),
            rest: self.rest.max(other.rest),
            stretch: self.stretch.max(other.stretch),
        }
    }

    /// `A`, with rest positions counted twice.
    #[inline(always)]
    pub fn magnitude(self) -> f32 {
        2.0 * self.stretched + self.translation
    }

    /// What numbers too small for f32 may add per operation.
    #[inline(always)]
    pub fn underflow(self) -> f32 {
        f32::MIN_POSITIVE * (1.0 + self.stretch + self.rest)
    }
}

/// The margin under linear skinning, for vertices of at most `joints` joints and `changes` active fields.
#[inline(always)]
pub(super) fn linear_margin(reach: Reach, joints: usize, changes: usize) -> f32 {
    linear_count(joints, changes) * (UNIT_ROUNDOFF * reach.magnitude() + reach.underflow())
}

/// The margin where rotations are blended: `centre` is the length of the rotation centre (0 without one),
/// `shortest_sq` the smallest squared length of a blended quaternion.
#[inline(always)]
pub(super) fn rotation_margin(
    reach: Reach,
    joints: usize,
    changes: usize,
    centre: f32,
    shortest_sq: f32,
) -> f32 {
    let vertex = rotation_count(joints, changes) * (UNIT_ROUNDOFF * reach.magnitude() + reach.underflow());
    let centre = 4.0 * rotation_count(joints, changes) * UNIT_ROUNDOFF * centre;
    (vertex + centre) / (shortest_sq * shortest_sq.min(1.0).sqrt())
}

/// How far, on any axis, a vertex of so many linearly blended joints is from where it would be without rounding and with
/// weights of sum 1, in units of `u A` (`A` without fields): `n` for the blended matrix, 3 for its application, `2 n` for
/// the sum of the weights, 1 for terms of second order.
pub(super) fn rigid_margin(reach: Reach, joints: usize) -> f32 {
    (3 * joints + 4) as f32 * (UNIT_ROUNDOFF * (reach.stretched + reach.translation) + reach.underflow())
}

#[inline(always)]
fn linear_count(joints: usize, changes: usize) -> f32 {
    (5 * joints + 2 * changes + 24) as f32
}

#[inline(always)]
fn rotation_count(joints: usize, changes: usize) -> f32 {
    4.0 * linear_count(joints, changes) + (joints * joints) as f32
}

/// Bound of the largest singular value of a matrix given by columns, rounded up. In f64, where no square of an f32 over- or
/// underflows.
pub(crate) fn largest_stretch(columns: [Vec4; 3]) -> f32 {
    let [x, y, z] = columns.map(|c| c.truncate().as_dvec3());
    radius_of(crate::math::largest_stretch(DMat3::from_cols(x, y, z)))
}

/// Bound from below of the smallest singular value of a matrix given by columns, by the same theorem; 0 where it says
/// nothing.
pub(crate) fn smallest_stretch(columns: [Vec4; 3]) -> f64 {
    let columns = columns.map(|c| c.as_dvec4());
    let row = |i: usize| -> f64 {
        let others = (0..3).filter(|&j| j != i).map(|j| columns[i].dot(columns[j]).abs());
        columns[i].length_squared() - others.sum::<f64>()
    };
    (row(0).min(row(1)).min(row(2)) * (1.0 - 1e-12)).max(0.0).sqrt()
}

/// A length that neither over- nor underflows on the way, rounded up.
#[inline(always)]
pub(super) fn length(v: Vec3) -> f32 {
    radius_of(v.as_dvec3().length())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_bound_what_a_matrix_does_to_lengths() {
        for seed in 0..500 {
            let number = |i: u32| ((seed * 16 + i) as f32 * 12.9898).sin();
            let shear = if seed % 2 == 0 { 0.05 } else { 1.0 };
            let column = |i: u32| {
                let own = Vec4::new(number(i), number(i + 1), number(i + 2), 0.0) * shear;
                own + [Vec4::X, Vec4::Y, Vec4::Z][i as usize / 3] * (1.0 + number(15))
            };
            let columns = [column(0), column(3), column(6)];
            let (least, most) = (smallest_stretch(columns), f64::from(largest_stretch(columns)));
            let x = glam::DVec3::new(number(9).into(), number(10).into(), number(11).into());
            let [a, b, c] = columns.map(|c| c.truncate().as_dvec3());
            let stretch = (a * x.x + b * x.y + c * x.z).length() / x.length();
            assert!(least <= stretch * (1.0 + 1e-9) && stretch <= most, "{least} {stretch} {most}");
        }
        assert_eq!(smallest_stretch([Vec4::Y * 2.0, Vec4::X * 3.0, Vec4::Z * 5.0]) as f32, 2.0);
        assert_eq!(smallest_stretch([Vec4::X, Vec4::X, Vec4::Z]), 0.0);
    }

    /// The budget of `docs/math/corner-bounds.md`, item by item, for translations (which are counted once only).
    #[test]
    fn counts_cover_the_derived_budget() {
        for n in 1..200usize {
            let linear = (n + 3) + (3 * n + 1) + (n + 12);
            assert!(linear as f32 <= linear_count(n, 0), "{n} joints");
            let (length, pairs, quaternions, vertex) = (30 + n * (n - 1), 8, 21, 4 * n + 16);
            let rotation = linear + length + pairs + quaternions + vertex;
            assert!(rotation as f32 <= rotation_count(n, 0), "{n} joints");
        }
    }
}
