//! Rotation center of a set of rigid transforms: the point they move to almost the same point.
//!
//! In: the transforms `C_i = (R_i, t_i)` of one joint-set. Out: the `x` that minimises the sum over all pairs
//! of `|C_a x - C_b x|^2`, of all minimisers the one nearest to the origin. One transform, or equal
//! rotations: the origin.
//!
//! The pairs stack to `D x = e`, `D` made of the blocks `R_a - R_b`. Its singular values are therefore angles
//! (for two transforms `2 sin(angle/2)`, twice, and 0), and a direction whose singular value is below
//! `SMALLEST_ANGLE` counts as one about which nothing rotates: the center does not move along it. Reason for
//! the number: `|x| <= |e| / SMALLEST_ANGLE`, so that `Q (v - x) + sum w C x`, evaluated in `f32` (relative
//! rounding 6e-8), is still good to `1e-4 |e|`; and leaving the direction out moves the blend by no more than
//! about the same, since the rotations differ by less than 1e-3 there and the two blends by the second order
//! of that angle times `|x|`.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, section 3.1.

use glam::{DMat3, DVec3};

use super::isometry::Isometry;
use super::symmetric_eigen::SymmetricEigen;

/// Least-squares rotation center, of minimal norm; the zero vector for fewer than two transforms.
///
/// Two transforms have a closed form; more cost one 3x3 eigenproblem.
pub fn rotation_center(transforms: &[Isometry]) -> DVec3 {
    match transforms {
        [] | [_] => DVec3::ZERO,
        [a, b] => center_of_pair(a, b),
        many => center_of_many(many),
    }
}

/// Singular values of `D` below this count as zero, in radians.
pub const SMALLEST_ANGLE: f64 = 1e-3;

/// The point of the relative transform's screw axis that is nearest to the origin.
///
/// With `A^-1 B = (q, t)`, `q = cos(h) + n sin(h)`: `x = (t_perp + cot(h) n x t) / 2`, `t_perp = t - n <n,
/// t>`.
fn center_of_pair(a: &Isometry, b: &Isometry) -> DVec3 {
    let relative = a.inverse() * *b;
    let (v, t) = (relative.rotation.xyz(), relative.translation);
    let sin = v.length();
    if 2.0 * sin < SMALLEST_ANGLE {
        return DVec3::ZERO;
    }
    let n = v / sin;
    let cot = relative.rotation.w / sin;
    (t - n * n.dot(t) + n.cross(t) * cot) * 0.5
}

/// Normal equations on centered blocks: with means `R`, `t` the sum over pairs is `n sum |(R_i - R) x + (t_i -
/// t)|^2`, so `D^T D = n sum (R_i - R)^T (R_i - R)` and `D^T e = -n sum (R_i - R)^T (t_i - t)`, without
/// listing the pairs.
///
/// They square the condition number of `D`, which `SMALLEST_ANGLE` limits to `2 n / 1e-3`: of the 16 digits
/// of f64 the squares of angles of 1e-3 keep 10, which the result inherits.
fn center_of_many(transforms: &[Isometry]) -> DVec3 {
    let n = transforms.len() as f64;
    let blocks = || transforms.iter().map(|c| (DMat3::from_quat(c.rotation), c.translation));
    let (mut mean_rotation, mut mean_translation) = (DMat3::ZERO, DVec3::ZERO);
    for (rotation, translation) in blocks() {
        mean_rotation += rotation * (1.0 / n);
        mean_translation += translation / n;
    }
    let (mut normal, mut right) = (DMat3::ZERO, DVec3::ZERO);
    for (rotation, translation) in blocks() {
        let d = rotation - mean_rotation;
        normal += d.transpose() * d * n;
        right -= d.transpose() * (translation - mean_translation) * n;
    }
    let eigen = SymmetricEigen::new(normal);
    let mut center = DVec3::ZERO;
    for k in 0..3 {
        if eigen.values[k] >= SMALLEST_ANGLE * SMALLEST_ANGLE {
            let axis = eigen.vectors.col(k);
            center += axis * (axis.dot(right) / eigen.values[k]);
        }
    }
    center
}
