//! Bounds of a linear blend over a simplex of weights and a rest box or ball: exact for the two taken independently.
//!
//! A blend `sum w_i C_i x` is linear in `w` for fixed `x` and in `x` for fixed `w`, so its extremes over the simplex
//! and the box lie at a corner of the simplex. Corner `i` has the matrix `M_i = sum_j base_j C_j + spread C_i`, its box
//! has the centre `M_i p` and the half extents `sum_k h_k |M_i a_k|` for a rest box of axes `a_k` and half extents `h_k`.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.2.1, formula 5.4, with boxes for spheres.

use glam::{Mat3, Vec3, Vec4};

use super::term::WeightRange;
use super::weighted_sum::Block;
use crate::math::Aabb;
use crate::rest::RestBox;

/// The box around the blend of joints' matrices over a group.
#[inline(always)]
pub(super) fn corner_box(
    matrices: &[Block<2>],
    joints: &[u32],
    weights: &WeightRange,
    axes: &Mat3,
    rest: &RestBox,
) -> Aabb {
    let half = [axes.x_axis * rest.half.x, axes.y_axis * rest.half.y, axes.z_axis * rest.half.z];
    let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
    for_each_corner(matrices, joints, weights, |m| {
        let center = point(m, rest.center);
        let extent = vector(m, half[0]).abs() + vector(m, half[1]).abs() + vector(m, half[2]).abs();
        min = min.min(center - extent);
        max = max.max(center + extent);
    });
    Aabb { min: min.truncate(), max: max.truncate() }
}

/// The box around the blend of one point's images.
#[inline(always)]
pub(super) fn corner_box_of_point(
    matrices: &[Block<2>],
    joints: &[u32],
    weights: &WeightRange,
    image: impl Fn(&[Vec4; 4]) -> Vec4,
) -> (Vec4, Vec4) {
    let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
    for_each_corner(matrices, joints, weights, |m| {
        let image = image(m);
        min = min.min(image);
        max = max.max(image);
    });
    (min, max)
}

/// Centre and radius of a ball around the blend of one point: the middle of the corners' images, moved a few times
/// towards the farthest one (Badoiu & Clarkson, Smaller Core-Sets for Balls, 2003); with two joints it is their middle.
#[inline(always)]
pub(super) fn corner_ball_of_point(
    matrices: &[Block<2>],
    joints: &[u32],
    weights: &WeightRange,
    p: Vec3,
) -> (Vec3, f32) {
    let (mut sum, mut count) = (Vec4::ZERO, 0.0);
    for_each_corner(matrices, joints, weights, |m| {
        sum += point(m, p);
        count += 1.0;
    });
    let mut center = sum / count;
    // For two corners the middle is optimal; for more, 16 steps come within 2 % on average.
    let steps = if count > 2.0 { 16 } else { 0 };
    let mut best = (center, f64::INFINITY);
    for step in 0..=steps {
        // Squares in f64: those of very small or large models leave the range of f32.
        let (mut farthest, mut distance_sq) = (center, 0.0f64);
        for_each_corner(matrices, joints, weights, |m| {
            let image = point(m, p);
            let d = (image - center).as_dvec4().length_squared();
            if d > distance_sq {
                (farthest, distance_sq) = (image, d);
            }
        });
        if distance_sq < best.1 {
            best = (center, distance_sq);
        }
        center += (farthest - center) / (step as f32 + 2.0);
    }
    (best.0.truncate(), best.1.sqrt() as f32)
}

/// Calls `f` with the columns of every corner's matrix.
#[inline(always)]
fn for_each_corner(
    matrices: &[Block<2>],
    joints: &[u32],
    weights: &WeightRange,
    mut f: impl FnMut(&[Vec4; 4]),
) {
    let mut base = [Vec4::ZERO; 4];
    for (&joint, &weight) in joints.iter().zip(weights.base) {
        let columns = columns(&matrices[joint as usize]);
        for c in 0..4 {
            base[c] += columns[c] * weight;
        }
    }
    if weights.spread == 0.0 {
        return f(&base);
    }
    for &joint in joints {
        let columns = columns(&matrices[joint as usize]);
        f(&std::array::from_fn(|c| base[c] + columns[c] * weights.spread));
    }
}

#[inline(always)]
pub(super) fn columns([xy, zt]: &Block<2>) -> [Vec4; 4] {
    let column = |half: &[f32]| Vec4::from_slice(half);
    [column(&xy[..4]), column(&xy[4..]), column(&zt[..4]), column(&zt[4..])]
}

#[inline(always)]
pub(super) fn point(m: &[Vec4; 4], p: Vec3) -> Vec4 {
    vector(m, p) + m[3]
}

#[inline(always)]
pub(super) fn vector(m: &[Vec4; 4], v: Vec3) -> Vec4 {
    m[0] * v.x + m[1] * v.y + m[2] * v.z
}
