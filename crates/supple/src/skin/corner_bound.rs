//! Bounds of a linear blend over a simplex of weights and a rest box or sphere: exact for the two taken independently.
//!
//! A blend `sum w_i C_i x` is linear in `w` for fixed `x` and in `x` for fixed `w`, so its extremes over the simplex
//! and the box lie at a corner of the simplex. Corner `i` has the matrix `M_i = sum_j base_j C_j + spread C_i`, its box
//! has the center `M_i c` and the half extents `sum_k |M_i a_k|` for a rest box of center `c` and half axes `a_k`.
//!
//! Derivation: `docs/math/corner-bounds.md`; rounding: `docs/math/rounding.md`, "Linear blends".
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.2.1, formula 5.4, with boxes for spheres.

use glam::{Vec3, Vec4};

use super::palette::column_vectors as columns;
use super::term::WeightRange;
use super::weighted_sum::Block;
use crate::simd::Eight;

/// Images of a rest box under a matrix: `M a_x | M a_y` and `M a_z | M c`.
#[inline(always)]
fn images<E: Eight>(matrix: &Block<2>, [first, second]: [E; 2]) -> [E; 2] {
    let [xy, zt] = matrix;
    let ([x, y], [z, t]) = (xy.as_chunks::<4>().0, zt.as_chunks::<4>().0) else { return [first, second] };
    let (x, y, z) = (E::twice(x), E::twice(y), E::twice(z));
    let axes =
        x.times(first.spread::<0>()).plus(y.times(first.spread::<1>())).plus(z.times(first.spread::<2>()));
    let last =
        x.times(second.spread::<0>()).plus(y.times(second.spread::<1>())).plus(z.times(second.spread::<2>()));
    [axes, last.plus(E::upper(t))]
}

/// Least and greatest corner of the box with these images.
#[inline(always)]
fn extremes<E: Eight>([first, second]: [E; 2]) -> [Vec4; 2] {
    let [x, y] = first.abs().split();
    let [z, center] = second.split();
    let half = x + y + z.abs();
    [center - half, center + half]
}

/// The box that a joint makes of a rest box.
#[inline(always)]
fn box_of_joint<E: Eight>(matrix: &Block<2>, rest: [E; 2]) -> [Vec4; 2] {
    extremes(images(matrix, rest))
}

/// As many images are kept; a vertex of more joints is rare, and its images are computed twice.
const KEPT: usize = 4;

/// The box around the blend of joints' matrices over a group: images are blended instead of matrices.
#[inline(always)]
pub(super) fn corner_box<E: Eight>(
    matrices: &[Block<2>],
    joints: &[u32],
    base_weights: &[f32],
    spread: f32,
    rest: [E; 2],
) -> [Vec4; 2] {
    if let [joint] = *joints {
        return box_of_joint(&matrices[joint as usize], rest);
    }
    let mut kept = [[E::all(0.0); 2]; KEPT];
    let mut base = [E::all(0.0); 2];
    for (index, (&joint, &weight)) in joints.iter().zip(base_weights).enumerate() {
        let own = images(&matrices[joint as usize], rest);
        let weight = E::all(weight);
        base = [base[0].plus(own[0].times(weight)), base[1].plus(own[1].times(weight))];
        if index < KEPT {
            kept[index] = own;
        }
    }
    if spread == 0.0 {
        return extremes(base);
    }
    let spread = E::all(spread);
    let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
    for (index, &joint) in joints.iter().enumerate() {
        let own = if index < KEPT { kept[index] } else { images(&matrices[joint as usize], rest) };
        let corner = [base[0].plus(own[0].times(spread)), base[1].plus(own[1].times(spread))];
        let [low, high] = extremes(corner);
        min = min.min(low);
        max = max.max(high);
    }
    [min, max]
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

/// Center and radius of a sphere around the blend of one point: the middle of the corners' images, moved a few times
/// towards the farthest one (Badoiu & Clarkson, Smaller Core-Sets for Spheres, 2003); with two joints it is their middle.
#[inline(always)]
pub(super) fn corner_sphere_of_point(
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
    if weights.spread == 0.0 {
        return (sum.truncate(), 0.0);
    }
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
pub(super) fn point(m: &[Vec4; 4], p: Vec3) -> Vec4 {
    vector(m, p) + m[3]
}

#[inline(always)]
pub(super) fn vector(m: &[Vec4; 4], v: Vec3) -> Vec4 {
    m[0] * v.x + m[1] * v.y + m[2] * v.z
}
