//! Which triangles of two leaves of one tree share a vertex: eight at a time.
//!
//! In: the corners of all triangles, vertices at one place having one number. They always touch there, which says nothing.
#![allow(unsafe_code, reason = "intrinsics load through pointers")]

use std::arch::x86_64::*;

use super::tree::{BoxTree, LEAF_SIZE};

/// Numbers of vertices, aligned for one load.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct EightIds([u32; 8]);

/// The corners of each leaf's triangles, by corner and lane.
pub struct Kin {
    corners: Vec<[EightIds; 3]>,
}

impl Kin {
    /// For the triangles of a tree, by number.
    pub fn new(tree: &BoxTree, triangles: &[[u32; 3]]) -> Self {
        let corner = |ids: &[u32; LEAF_SIZE], c: usize| EightIds(ids.map(|id| triangles[id as usize][c]));
        let leaves = tree.leaves.leaves.iter();
        Self { corners: leaves.map(|leaf| [0, 1, 2].map(|c| corner(&leaf.ids, c))).collect() }
    }

    /// Triangles of leaf `j` that share a vertex with triangle `s` of leaf `i`, as bits.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    pub(super) fn sharing(&self, i: usize, s: usize, j: usize) -> u32 {
        let mut shared = _mm256_setzero_si256();
        for other in &self.corners[j] {
            // SAFETY: `EightIds` is aligned.
            let other = unsafe { _mm256_load_si256(other.0.as_ptr().cast()) };
            for own in &self.corners[i] {
                let own = _mm256_set1_epi32(own.0[s] as i32);
                shared = _mm256_or_si256(shared, _mm256_cmpeq_epi32(own, other));
            }
        }
        _mm256_movemask_ps(_mm256_castsi256_ps(shared)) as u32
    }
}
