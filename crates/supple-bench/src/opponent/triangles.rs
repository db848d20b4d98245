//! The triangles of a leaf as the tests want them: by lane, computed when a query first asks after a refit.
//!
//! In: posed positions. Out: boxes, corners and normals.
#![allow(unsafe_code, reason = "intrinsics and unchecked indices; every index was made by `build`")]

use std::arch::x86_64::*;

use glam::Vec3;

use super::transpose::{axes, in_halves};
use super::tree::{BoxTree, EightBoxes, NO_BOXES};
use super::{Avx2, Eight};

/// Up to eight posed triangles. Lanes that are not used have a box that contains nothing.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct EightTriangles {
    pub(super) boxes: EightBoxes,
    /// By corner and axis.
    pub(super) corners: [[Eight; 3]; 3],
    /// `(q - p) x (r - p)` of corners `p, q, r`.
    pub(super) normals: [Eight; 3],
}

pub(super) const NO_TRIANGLES: EightTriangles =
    EightTriangles { boxes: NO_BOXES, corners: [[Eight([0.0; 8]); 3]; 3], normals: [Eight([0.0; 8]); 3] };

impl EightTriangles {
    /// The corners of one.
    #[inline(always)]
    pub(super) fn get(&self, lane: usize) -> [Vec3; 3] {
        let corner = |c: &[Eight; 3]| Vec3::new(c[0].0[lane], c[1].0[lane], c[2].0[lane]);
        [corner(&self.corners[0]), corner(&self.corners[1]), corner(&self.corners[2])]
    }
}

impl BoxTree {
    /// Poses the triangles of a leaf, once per refit.
    #[inline(always)]
    pub(super) fn prepare_leaf(&mut self, leaf: usize) {
        if self.stamps[leaf] != self.refits {
            self.stamps[leaf] = self.refits;
            let Avx2(()) = self.avx2;
            // SAFETY: the processor has the features, `avx2` proves it.
            unsafe { self.pose_leaf(leaf) };
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn pose_leaf(&mut self, leaf: usize) {
        let (own, to) = (&self.leaves.leaves[leaf], &mut self.triangles[leaf]);
        // SAFETY: `build` counts entries.
        let corner = |c: usize| {
            in_halves(|lane| unsafe { *self.positions.get_unchecked(own.corners[lane][c] as usize) })
        };
        let [p, q, r] = [axes(corner(0)), axes(corner(1)), axes(corner(2))];
        let lanes = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        let missing = _mm256_castsi256_ps(_mm256_cmpgt_epi32(lanes, _mm256_set1_epi32(own.count as i32 - 1)));
        let (up, down) = (_mm256_set1_ps(f32::INFINITY), _mm256_set1_ps(f32::NEG_INFINITY));
        let between = |a: [__m256; 3], b: [__m256; 3]| {
            [_mm256_sub_ps(b[0], a[0]), _mm256_sub_ps(b[1], a[1]), _mm256_sub_ps(b[2], a[2])]
        };
        let (u, v) = (between(p, q), between(p, r));
        for axis in 0..3 {
            let min = _mm256_min_ps(_mm256_min_ps(p[axis], q[axis]), r[axis]);
            let max = _mm256_max_ps(_mm256_max_ps(p[axis], q[axis]), r[axis]);
            store(&mut to.boxes.min[axis], _mm256_blendv_ps(min, up, missing));
            store(&mut to.boxes.max[axis], _mm256_blendv_ps(max, down, missing));
            for (corner, values) in [p, q, r].into_iter().enumerate() {
                store(&mut to.corners[corner][axis], values[axis]);
            }
            let (y, z) = ((axis + 1) % 3, (axis + 2) % 3);
            store(&mut to.normals[axis], _mm256_fmsub_ps(u[y], v[z], _mm256_mul_ps(u[z], v[y])));
        }
    }
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn store(to: &mut Eight, values: __m256) {
    // SAFETY: `Eight` is aligned.
    unsafe { _mm256_store_ps(to.0.as_mut_ptr(), values) }
}
