//! Bounds where rotations are blended: a linear blend plus a bulge whose direction is known.
//!
//! Let `q_i` be the joints' quaternions with their signs aligned as skinning aligns them, `b = sum w_i q_i`, and for
//! every pair `g_ij = 1 - <q_i, q_j>`, `s_ij = vec(q_i q_j^*)`, `k_ij = w_i w_j / |b|^2`. Then
//!
//! ```text
//! |b|^2    = 1 - 2 sum_{i<j} w_i w_j g_ij
//! Rot(b) y = Y(w) + sum_{i<j} k_ij ( g_ij (2 Y(w) - Y_i - Y_j) + (Y_i - Y_j) x s_ij ),   Y_i = R_i y,  Y(w) = sum w_i Y_i
//! ```
//!
//! and a dual quaternion blend obeys the second line with `Y_i = C_i y` (dual quaternions do not care where the origin
//! is). So a spherically or dual quaternion skinned vertex is its linear blend plus a sum over pairs, in which every
//! vector is known from the joints and only `k_ij` and `Y(w)` vary with the weights, in known ranges. It vanishes with
//! the square of the angle between joints.
//!
//! For a group of vertices `y = p + d` the sum is evaluated at `p`, by interval arithmetic axis by axis; `d` changes it
//! by at most `|d| sum k_ij (4 g_ij s_max + 2 |s_ij|^2)`, since `|R_i - R_j| = 2 |s_ij|`.
//!
//! Where rotations may cancel (`|b|` near 0) `k_ij` is bounded by what skinning itself admits. Vertices below that follow
//! their heaviest joint, to somewhere near the linear blend; the margin, which grows with `1 / |b|^3`, is more than ten
//! thousand times as large there and encloses them (`docs/math/rounding.md`).
//!
//! Based on: derivation in `docs/math/rotation-blending.md`, from L. Kavan, Real-time Skeletal Animation, 2007,
//! sections 3.3 and 4.3. The thesis bounds the rotation by spherical caps instead (section 6.3).

use glam::{Vec3, Vec3A, Vec4};

use super::Palette;
use super::corner_bound::{corner_box, corner_box_of_point, corner_sphere_of_point, point, vector};
use super::palette::{SINGULAR_BLEND_SQ, column_vectors as columns};
use super::rounding::{
    UNIT_ROUNDOFF, largest_stretch, length, length_sq_count, projection_count, rotation_margin,
};
use super::term::{SkinTerm, WeightRange};
use crate::math::{Aabb, Sphere};
use crate::simd::Eight;

/// Below this smallest possible `|b|^2` the bulge may be wider than a turn about the rotation center by any angle.
const WIDELY_SPREAD_SQ: f32 = 0.5;

/// How rotations are blended.
#[derive(Clone, Copy)]
pub(super) enum RotationBlend {
    /// About a rotation center.
    Spherical { center: Vec3 },
    /// By dual quaternions; the rotation center is known where joints are turned far apart.
    Dual { anchor: Option<Vec3> },
}

impl RotationBlend {
    #[inline(always)]
    fn spherical_center(self) -> Option<Vec3> {
        match self {
            Self::Spherical { center } => Some(center),
            Self::Dual { .. } => None,
        }
    }

    #[inline(always)]
    fn anchor(self) -> Option<Vec3> {
        match self {
            Self::Spherical { center } => Some(center),
            Self::Dual { anchor } => anchor,
        }
    }

    #[inline(always)]
    fn center_length(self) -> f32 {
        self.anchor().map_or(0.0, length)
    }
}

/// The box of a group of two joints and more.
#[inline(always)]
pub(super) fn rotation_box<E: Eight>(
    palette: &Palette,
    term: &SkinTerm,
    rest: [E; 2],
    changes: usize,
    blend: RotationBlend,
) -> [Vec4; 2] {
    let (joints, weights) = (term.joints, &term.weights);
    let rest = stretched_rows(palette, term, rest);
    let ([x, y], [z, center]) = (rest[0].split(), rest[1].split());
    let center = center.truncate();
    let half = (x.length_squared() + y.length_squared() + z.length_squared()).sqrt() + tiny(x, y, z);
    let [low, high] = corner_box(&palette.rigid_matrices, joints, weights.base, weights.spread, rest);
    let bulge = Bulge::new(palette, joints, weights, center, blend.spherical_center());
    let magnitude = if palette.stretches.is_empty() {
        palette.magnitude
    } else {
        palette.magnitude.with_stretched_box(length(center) + half)
    };
    let margin = rotation_margin(magnitude, joints.len(), changes, blend.center_length(), bulge.shortest_sq);
    let pad = Vec4::splat(half * bulge.per_offset + margin);
    let mut posed = [low + bulge.low - pad, high + bulge.high + pad];
    if let Some(anchor) = blend.anchor().filter(|_| bulge.shortest_sq < WIDELY_SPREAD_SQ) {
        let image = anchor_image(palette, joints, weights, anchor, blend);
        let farthest = length(center - anchor) + half;
        let pad = Vec4::splat(farthest * (1.0 + 8.0 * UNIT_ROUNDOFF) + margin);
        let around = [image.min.extend(0.0) - pad, image.max.extend(0.0) + pad];
        posed = [posed[0].max(around[0]), posed[1].min(around[1])];
    }
    posed
}

/// What the length of numbers misses whose squares vanish.
#[inline(always)]
fn tiny(x: Vec4, y: Vec4, z: Vec4) -> f32 {
    let largest = x.abs().max(y.abs()).max(z.abs()).max_element();
    if largest < 1e-15 { 3.0 * largest } else { 0.0 }
}

/// The sphere of a group of two joints and more.
#[inline(always)]
pub(super) fn rotation_sphere(
    palette: &Palette,
    term: &SkinTerm,
    rest: Sphere,
    changes: usize,
    blend: RotationBlend,
) -> Sphere {
    let (joints, weights) = (term.joints, &term.weights);
    let stretched = stretched_sphere(palette, term, rest);
    let (middle, radius) = corner_sphere_of_point(&palette.rigid_matrices, joints, weights, stretched.center);
    let bulge = Bulge::new(palette, joints, weights, stretched.center, blend.spherical_center());
    let (low, high) = (bulge.low.truncate(), bulge.high.truncate());
    let magnitude = if palette.stretches.is_empty() {
        palette.magnitude
    } else {
        palette.magnitude.with_stretched_box(length(stretched.center) + stretched.radius)
    };
    let margin = rotation_margin(magnitude, joints.len(), changes, blend.center_length(), bulge.shortest_sq);
    let mut center = middle + (low + high) * 0.5;
    let radius = radius
        + length(high - low) * 0.5
        + stretched.radius * (1.0 + bulge.per_offset)
        // A margin per axis is at most twice as long in space.
        + 2.0 * margin;
    // The ranges may be far longer than what the margin is for.
    let mut radius = (radius + rounded_center(low, high)) * ROUNDED_UP;
    if let Some(anchor) = blend.anchor().filter(|_| bulge.shortest_sq < WIDELY_SPREAD_SQ) {
        let image = anchor_image(palette, joints, weights, anchor, blend);
        let farthest = length(stretched.center - anchor) + stretched.radius + length(image.half_extents());
        let other = (farthest + rounded_center(image.min, image.max) + 2.0 * margin) * ROUNDED_UP;
        if other < radius {
            (center, radius) = (image.center(), other);
        }
    }
    Sphere::new(center, radius)
}

/// More than a dozen roundings.
const ROUNDED_UP: f32 = 1.0 + 16.0 * UNIT_ROUNDOFF;

/// How far the computed center of a range, added to another center, may be off.
#[inline(always)]
fn rounded_center(low: Vec3, high: Vec3) -> f32 {
    4.0 * UNIT_ROUNDOFF * length(low.abs().max(high.abs()))
}

/// Where the rotation center goes.
///
/// A blend turns `p - r_c` by some rotation and adds the image of `r_c`, so whatever the rotation, the vertex is within
/// `|p - r_c|` of that image. Joints take `r_c` to nearly the same point, so its image is known well even where the
/// rotation is not.
#[inline(never)]
fn anchor_image(
    palette: &Palette,
    joints: &[u32],
    weights: &WeightRange,
    anchor: Vec3,
    blend: RotationBlend,
) -> Aabb {
    let (mut low, mut high) =
        corner_box_of_point(&palette.rigid_matrices, joints, weights, |m| point(m, anchor));
    if let RotationBlend::Dual { .. } = blend {
        let bulge = Bulge::new(palette, joints, weights, anchor, None);
        low += bulge.low;
        high += bulge.high;
    }
    Aabb { min: low.truncate(), max: high.truncate() }
}

/// The rest box after the blended stretch, which is applied before the rigid parts.
#[inline(always)]
fn stretched_rows<E: Eight>(palette: &Palette, term: &SkinTerm, rest: [E; 2]) -> [E; 2] {
    if palette.stretches.is_empty() {
        return rest;
    }
    let [low, high] =
        corner_box(&palette.stretches, term.joints, term.weights.base, term.weights.spread, rest);
    let (c, h) = ((low + high) * 0.5, (high - low) * 0.5);
    let (first, second) =
        ([h.x, 0.0, 0.0, 0.0, 0.0, h.y, 0.0, 0.0], [0.0, 0.0, h.z, 0.0, c.x, c.y, c.z, 0.0]);
    [E::load(&first), E::load(&second)]
}

#[inline(always)]
fn stretched_sphere(palette: &Palette, term: &SkinTerm, rest: Sphere) -> Sphere {
    if palette.stretches.is_empty() {
        return rest;
    }
    let (center, spread) =
        corner_sphere_of_point(&palette.stretches, term.joints, &term.weights, rest.center);
    let stretch = |&joint: &u32| {
        let [x, y, z, _] = columns(&palette.stretches[joint as usize]);
        largest_stretch([x, y, z])
    };
    let largest = term.joints.iter().map(stretch).fold(0.0, f32::max);
    Sphere::new(center, spread + largest * rest.radius)
}

/// The sum over pairs, evaluated at one point.
struct Bulge {
    low: Vec4,
    high: Vec4,
    /// How much it may change per length of an offset from the point.
    per_offset: f32,
    /// Smallest `|b|^2` that skinning may divide by.
    shortest_sq: f32,
}

/// Joints of a set, seen from one point. Sets of more joints than this are rare and go through the heap.
const KEPT: usize = 8;
/// Pairs of that many joints.
const KEPT_PAIRS: usize = KEPT * (KEPT - 1) / 2;

impl Bulge {
    #[inline(always)]
    fn new(palette: &Palette, joints: &[u32], weights: &WeightRange, p: Vec3, center: Option<Vec3>) -> Self {
        let (n, pairs) = (joints.len(), joints.len() * (joints.len() - 1) / 2);
        if n <= KEPT {
            let mut memory = ([Vec4::ZERO; KEPT], [Vec4::ZERO; KEPT], [Pair::NONE; KEPT_PAIRS]);
            let (turned, images, pairs) = (&mut memory.0[..n], &mut memory.1[..n], &mut memory.2[..pairs]);
            Self::with_memory(palette, joints, weights, p, center, turned, images, pairs)
        } else {
            let mut memory = (vec![Vec4::ZERO; n], vec![Vec4::ZERO; n], vec![Pair::NONE; pairs]);
            Self::with_memory(
                palette,
                joints,
                weights,
                p,
                center,
                &mut memory.0,
                &mut memory.1,
                &mut memory.2,
            )
        }
    }

    #[inline(always)]
    fn with_memory(
        palette: &Palette,
        joints: &[u32],
        weights: &WeightRange,
        p: Vec3,
        center: Option<Vec3>,
        turned: &mut [Vec4],
        images: &mut [Vec4],
        pairs: &mut [Pair],
    ) -> Self {
        let (mut base, mut low, mut high) = (Vec4::ZERO, Vec4::INFINITY, Vec4::NEG_INFINITY);
        for (i, &joint) in joints.iter().enumerate() {
            let columns = columns(&palette.rigid_matrices[joint as usize]);
            turned[i] = aligned(palette, joints[0], joint);
            images[i] = match center {
                Some(center) => vector(&columns, p - center),
                None => point(&columns, p),
            };
            base += images[i] * weights.base[i];
        }
        for image in images.iter() {
            let corner = base + *image * weights.spread;
            (low, high) = (low.min(corner), high.max(corner));
        }
        let mut next = pairs.iter_mut();
        for i in 0..joints.len() {
            for j in i + 1..joints.len() {
                if let Some(pair) = next.next() {
                    *pair = Pair::new(turned[i], turned[j]);
                }
            }
        }
        let lengths = BlendLengths::new(weights, turned, pairs);
        let mut bulge =
            Self { low: Vec4::ZERO, high: Vec4::ZERO, per_offset: 0.0, shortest_sq: lengths.shortest_sq };
        let (per_longest, per_shortest) = (1.0 / lengths.longest_sq, 1.0 / lengths.shortest_sq);
        let mut next = pairs.iter().zip(weights.products);
        for i in 0..joints.len() {
            for j in i + 1..joints.len() {
                let Some((pair, &[least, most])) = next.next() else { break };
                let (k_low, k_high) = (least * per_longest, most * per_shortest);
                let side = Vec3A::from_vec4(images[i] - images[j]).cross(pair.s).extend(0.0);
                let sum = images[i] + images[j];
                let vector_low = (low * 2.0 - sum) * pair.g + side;
                let vector_high = (high * 2.0 - sum) * pair.g + side;
                bulge.low += (vector_low * k_high).min(vector_low * k_low);
                bulge.high += (vector_high * k_high).max(vector_high * k_low);
                bulge.per_offset += k_high * (4.0 * pair.g * lengths.largest_s + 2.0 * pair.s_sq);
            }
        }
        bulge
    }
}

/// Ranges of `|b|^2`, rounded outward, and the largest `|s_ij|`.
struct BlendLengths {
    shortest_sq: f32,
    longest_sq: f32,
    largest_s: f32,
}

impl BlendLengths {
    #[inline(always)]
    fn new(weights: &WeightRange, turned: &[Vec4], pairs: &[Pair]) -> Self {
        let (mut low_sum, mut high_sum) = (0.0, 0.0);
        let (mut largest_g, mut largest_s_sq) = (0.0f32, 0.0f32);
        for (pair, &[low, high]) in pairs.iter().zip(weights.products) {
            low_sum += low * pair.g;
            high_sum += high * pair.g;
            largest_g = largest_g.max(pair.g);
            largest_s_sq = largest_s_sq.max(pair.s_sq);
        }
        let rounding = length_sq_count(turned.len()) * UNIT_ROUNDOFF;
        let by_products = 1.0 - 2.0 * high_sum.min(largest_g * weights.total_product) - rounding;
        let shortest_sq = match turned.len() {
            // Exact for two joints.
            2 => by_products,
            // Good enough where joints agree.
            _ if by_products > WIDELY_SPREAD_SQ => by_products,
            _ => by_products.max(shortest_by_corners(turned, weights)),
        };
        Self {
            // Half of what skinning admits: its own |b|^2 is rounded too.
            shortest_sq: shortest_sq.max(0.5 * SINGULAR_BLEND_SQ),
            longest_sq: (1.0 - 2.0 * low_sum + rounding).max(SINGULAR_BLEND_SQ),
            largest_s: largest_s_sq.sqrt(),
        }
    }
}

/// `|b|^2 >= <b, a>^2` for any unit `a`, and `<b, a>` is linear in the weights: smallest at a corner of the simplex. Tried
/// with the first joint's quaternion (all others are on its side) and with the mean of the corners.
#[inline(always)]
fn shortest_by_corners(turned: &[Vec4], weights: &WeightRange) -> f32 {
    let base: Vec4 = turned.iter().zip(weights.base).map(|(q, &w)| *q * w).sum();
    let corners = || turned.iter().map(|q| base + *q * weights.spread);
    let least = |a: Vec4| corners().map(|b| b.dot(a)).fold(f32::INFINITY, f32::min).max(0.0);
    let mean = corners().sum::<Vec4>().normalize_or_zero();
    let longest = least(turned[0]).max(least(mean));
    // Rounded down.
    (longest - projection_count(turned.len()) * UNIT_ROUNDOFF).max(0.0).powi(2)
}

/// The quaternion of a joint, on the side of the first joint's.
#[inline(always)]
fn aligned(palette: &Palette, pivot: u32, joint: u32) -> Vec4 {
    let real = |joint: u32| Vec4::from_slice(&palette.dual_quaternions[joint as usize][0][..4]);
    let q = real(joint);
    if real(pivot).dot(q) < 0.0 { -q } else { q }
}

/// How two joints of a set are turned against each other.
#[derive(Clone, Copy)]
struct Pair {
    /// `1 - <q_i, q_j>`.
    g: f32,
    /// `vec(q_i q_j^*)`.
    s: Vec3A,
    /// Its squared length.
    s_sq: f32,
}

impl Pair {
    const NONE: Self = Self { g: 0.0, s: Vec3A::ZERO, s_sq: 0.0 };

    #[inline(always)]
    fn new(p: Vec4, q: Vec4) -> Self {
        let (pv, qv) = (Vec3A::from_vec4(p), Vec3A::from_vec4(q));
        let s = pv * q.w - qv * p.w - pv.cross(qv);
        // 1 - <p, q> = |p - q|^2 / 2 for unit quaternions, without cancellation where they agree.
        Self { g: (p - q).length_squared() * 0.5, s, s_sq: s.length_squared() }
    }
}

/// Smallest and largest `|b|^2` of a group.
#[cfg(test)]
pub(super) fn blend_lengths(palette: &Palette, joints: &[u32], weights: &WeightRange) -> [f32; 2] {
    let turned: Vec<Vec4> = joints.iter().map(|&joint| aligned(palette, joints[0], joint)).collect();
    let pair = |i: usize, j: usize| Pair::new(turned[i], turned[j]);
    let pairs: Vec<Pair> = (0..joints.len())
        .flat_map(|i| (i + 1..joints.len()).map(move |j| [i, j]))
        .map(|[i, j]| pair(i, j))
        .collect();
    let lengths = BlendLengths::new(weights, &turned, &pairs);
    [lengths.shortest_sq, lengths.longest_sq]
}
