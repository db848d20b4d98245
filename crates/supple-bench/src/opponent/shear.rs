//! A filter before the exact test: does a ray clearly pass beside a triangle? Eight at once, in f32.
//!
//! Points are sheared along the ray until it is an axis: with `z` the largest component of the direction `d`, and points
//! relative to the origin, `x' = x - (d.x / d.z) z` and `y'` likewise. Seen along the ray, it passes an edge on the side that
//! is the sign of `p' x q'`. If two edges of a triangle clearly differ in sign, the ray misses it.
//! Must hold: a triangle that the ray goes through is never dropped.
//!
//! With `u = 2^-24` and `A` the largest coordinates of the leaf relative to the origin, `x'` is off by at most
//! `e.x = 8 u (A.x + A.z)`. With `m` the largest `|x'|` and `|y'|` of a triangle, an edge is off by at most
//! `2 (m.x e.y + m.y e.x + e.x e.y)` and `6 u m.x m.y` for its own rounding. Twice that counts, and a tiny number, for
//! underflow. Fused operations round less. Coordinates are below 1e15, so that no product leaves the range of f32.
#![allow(unsafe_code, reason = "intrinsics load through pointers")]

use std::arch::x86_64::*;

use glam::Vec3;
use supple::Ray;

use super::Eight;
use super::tree::Box4;
use super::triangles::EightTriangles;

/// A ray as the axis of a sheared space.
pub(super) struct Shear {
    origin: Vec3,
    /// The axes `x`, `y` and `z` of the ray.
    axes: [usize; 3],
    /// `d.x / d.z`, `d.y / d.z`: at most 1.
    slopes: [f32; 2],
}

impl Shear {
    pub(super) fn new(ray: &Ray) -> Self {
        let d = ray.direction();
        let z = d.abs().max_position();
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        Self { origin: ray.origin(), axes: [x, y, z], slopes: [d[x] / d[z], d[y] / d[z]] }
    }

    /// Which triangles of a leaf the ray clearly passes by, as bits.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn beside(&self, triangles: &EightTriangles, bounds: &Box4) -> u32 {
        let [x, y, z] = self.axes;
        let [min, max] = [bounds.min, bounds.max].map(|corner| (corner.truncate() - self.origin).abs());
        let farthest = min.max(max);
        let off = |axis: usize| 4.0 * f32::EPSILON * (farthest[axis] + farthest[z]) + f32::MIN_POSITIVE;
        let (off_x, off_y) = (off(x), off(y));
        let [a, b, c] = &triangles.corners;
        let (a, b, c) = (self.seen(a), self.seen(b), self.seen(c));
        let (ab, bc, ca) = (edge(a, b), edge(b, c), edge(c, a));
        let size = |value| _mm256_andnot_ps(_mm256_set1_ps(-0.0), value);
        let least = |p, q, r| _mm256_min_ps(_mm256_min_ps(p, q), r);
        let most = |p, q, r| _mm256_max_ps(_mm256_max_ps(p, q), r);
        let most_x = most(size(a[0]), size(b[0]), size(c[0]));
        let most_y = most(size(a[1]), size(b[1]), size(c[1]));
        let constant = _mm256_set1_ps(4.0 * off_x * off_y + f32::MIN_POSITIVE);
        let inherited = _mm256_fmadd_ps(most_y, _mm256_set1_ps(4.0 * off_x), constant);
        let inherited = _mm256_fmadd_ps(most_x, _mm256_set1_ps(4.0 * off_y), inherited);
        let own = _mm256_mul_ps(most_x, _mm256_set1_ps(6.0 * f32::EPSILON));
        let error = _mm256_fmadd_ps(own, most_y, inherited);
        let below = _mm256_add_ps(least(ab, bc, ca), error);
        let below = _mm256_cmp_ps::<_CMP_LE_OQ>(below, _mm256_setzero_ps());
        let above = _mm256_cmp_ps::<_CMP_GE_OQ>(most(ab, bc, ca), error);
        _mm256_movemask_ps(_mm256_and_ps(below, above)) as u32
    }

    /// One corner of eight triangles, seen along the ray.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    fn seen(&self, corner: &[Eight; 3]) -> [__m256; 2] {
        let relative = |axis: usize| {
            // SAFETY: `Eight` is aligned.
            let values = unsafe { _mm256_load_ps(corner[axis].0.as_ptr()) };
            _mm256_sub_ps(values, _mm256_set1_ps(self.origin[axis]))
        };
        let [x, y, z] = self.axes;
        let depth = relative(z);
        [
            _mm256_fnmadd_ps(depth, _mm256_set1_ps(self.slopes[0]), relative(x)),
            _mm256_fnmadd_ps(depth, _mm256_set1_ps(self.slopes[1]), relative(y)),
        ]
    }
}

/// `p' x q'`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn edge(p: [__m256; 2], q: [__m256; 2]) -> __m256 {
    _mm256_fmsub_ps(p[0], q[1], _mm256_mul_ps(p[1], q[0]))
}
