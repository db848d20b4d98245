//! A filter before the exact test: is a triangle clearly on one side of another's plane, or the other way round?
//!
//! One triangle is compared with eight at once, in f32. The height of a point `x` over the plane of `p, q, r` is
//! `n . (x - p)` with `n = (q - p) x (r - p)`. That is a sum of six products of three differences, each at most the product
//! `V` of the extents of a box around all points; with `u = 2^-24`, a product is off by at most `8 u` of itself (three
//! differences, two multiplications, three additions; fused ones round less), the sum by `48 u V`. Only what is beyond
//! `64 u V` counts as clear. Where all six heights of two triangles are clear, the exact test starts from their signs.
//! Must hold: triangles that touch are never separated.
#![allow(unsafe_code, reason = "intrinsics load through pointers")]

use std::arch::x86_64::*;

use glam::Vec3;
use supple::narrow::{crossing_triangles_touch, triangles_touch};

use super::Eight;
use super::tree::Box4;
use super::triangles::EightTriangles;

/// Two leaves.
pub(super) struct Planes<'t> {
    a: &'t EightTriangles,
    b: &'t EightTriangles,
    /// Of a box around both.
    extents: Vec3,
    /// Heights beyond it are clear.
    error: f32,
}

/// Six heights of a triangle of the first leaf and each of the second: of the corners of the second over the plane of the
/// first, then of the corners of the first over the planes of the second.
pub(super) struct Heights([__m256; 6]);

/// On which sides the corners clearly are, a bit per triangle of the second leaf.
pub(super) struct Sides {
    /// All heights are clear.
    clear: u32,
    /// Heights that are below, in the order of [`Heights`].
    below: [u32; 6],
}

impl<'t> Planes<'t> {
    #[inline(always)]
    pub(super) fn new(a: &'t EightTriangles, b: &'t EightTriangles, bounds: [&Box4; 2]) -> Self {
        let extents = bounds[0].max.max(bounds[1].max) - bounds[0].min.min(bounds[1].min);
        let error = 32.0 * f32::EPSILON * (extents.x * extents.y * extents.z);
        // Where products might leave the range of f32, nothing is clear: no number is at least NaN.
        let error = if (1e-25..1e25).contains(&error) { error } else { f32::NAN };
        Self { a, b, extents: extents.truncate(), error }
    }

    /// Compares a triangle of the first leaf with those of the second.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn heights(&self, s: usize) -> Heights {
        let normal_a = broadcast(&self.a.normals, s);
        let normals_b = load(&self.b.normals);
        let [pa, qa, ra] = [0, 1, 2].map(|corner| broadcast(&self.a.corners[corner], s));
        let [pb, qb, rb] = [0, 1, 2].map(|corner| load(&self.b.corners[corner]));
        Heights([
            height(normal_a, pa, pb),
            height(normal_a, pa, qb),
            height(normal_a, pa, rb),
            height(normals_b, pb, pa),
            height(normals_b, pb, qa),
            height(normals_b, pb, ra),
        ])
    }

    /// Which triangles of the second leaf are clearly apart from the one of the first.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn apart(&self, Heights([a, b, c, d, e, f]): &Heights) -> u32 {
        let least = |x, y, z| _mm256_min_ps(_mm256_min_ps(x, y), z);
        let most = |x, y, z| _mm256_max_ps(_mm256_max_ps(x, y), z);
        let above = _mm256_max_ps(least(*a, *b, *c), least(*d, *e, *f));
        let below = _mm256_min_ps(most(*a, *b, *c), most(*d, *e, *f));
        let above = _mm256_cmp_ps::<_CMP_GE_OQ>(above, _mm256_set1_ps(self.error));
        let below = _mm256_cmp_ps::<_CMP_LE_OQ>(below, _mm256_set1_ps(-self.error));
        _mm256_movemask_ps(_mm256_or_ps(above, below)) as u32
    }

    /// What the exact test may start from.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn sides(&self, Heights(heights): &Heights) -> Sides {
        let size = |height| _mm256_andnot_ps(_mm256_set1_ps(-0.0), height);
        let [a, b, c, d, e, f] = heights.map(size);
        let least = |x, y, z| _mm256_min_ps(_mm256_min_ps(x, y), z);
        let least = _mm256_min_ps(least(a, b, c), least(d, e, f));
        let clear = _mm256_cmp_ps::<_CMP_GE_OQ>(least, _mm256_set1_ps(self.error));
        Sides {
            clear: _mm256_movemask_ps(clear) as u32,
            below: heights.map(|height| _mm256_movemask_ps(height) as u32),
        }
    }

    /// Whether two triangles touch, exactly.
    #[inline(always)]
    pub(super) fn touch(&self, sides: &Sides, s: usize, t: usize) -> bool {
        let (a, b) = (self.a.get(s), self.b.get(t));
        if sides.clear >> t & 1 == 0 {
            return triangles_touch(&a, &b);
        }
        let above = |of: usize| {
            let bit = |corner: usize| (sides.below[of + corner] >> t & 1) << corner;
            !(bit(0) | bit(1) | bit(2)) as u8 & 7
        };
        crossing_triangles_touch(&a, &b, above(3), above(0), self.extents)
    }
}

/// `normal . (point - origin)`.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn height(normal: [__m256; 3], origin: [__m256; 3], point: [__m256; 3]) -> __m256 {
    let along = |axis: usize| _mm256_sub_ps(point[axis], origin[axis]);
    let sum = _mm256_mul_ps(along(0), normal[0]);
    _mm256_fmadd_ps(along(2), normal[2], _mm256_fmadd_ps(along(1), normal[1], sum))
}

/// A vector of one lane, in all lanes.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn broadcast(vectors: &[Eight; 3], lane: usize) -> [__m256; 3] {
    [0, 1, 2].map(|axis: usize| _mm256_set1_ps(vectors[axis].0[lane]))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn load(vectors: &[Eight; 3]) -> [__m256; 3] {
    // SAFETY: `Eight` is aligned.
    [0, 1, 2].map(|axis: usize| unsafe { _mm256_load_ps(vectors[axis].0.as_ptr()) })
}
