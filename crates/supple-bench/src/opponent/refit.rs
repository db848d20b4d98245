//! Bottom-up refit: every box of a tree from posed positions.
//!
//! Must hold: a box is the exact minimum and maximum of the positions below it.
//! Leaves first, then nodes backwards, both in memory order: no branch depends on the tree but the length of a leaf.
#![allow(unsafe_code, reason = "intrinsics and unchecked indices; every index was made by `build`")]

use std::arch::x86_64::*;

use glam::Vec4;

use super::Avx2;
use super::transpose::{axes, in_halves};
use super::tree::{Box4, BoxTree};

impl BoxTree {
    /// Computes all boxes from the positions.
    pub fn refit(&mut self) {
        self.refits += 1;
        let Avx2(()) = self.avx2;
        // SAFETY: the processor has the features, `avx2` proves it.
        unsafe {
            self.refit_leaves();
            self.refit_nodes();
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn refit_leaves(&mut self) {
        let (own, leaves, positions) =
            (&mut self.bounds[self.nodes.len()..], &*self.leaves, &*self.positions);
        for (bounds, range) in own.iter_mut().zip(leaves.starts.windows(2)) {
            // SAFETY: `build` counts entries and positions.
            let entries = unsafe { leaves.entries.get_unchecked(range[0] as usize..range[1] as usize) };
            let position = |entry: u32| unsafe { *positions.get_unchecked(entry as usize) };
            // Two chains hide the latency of the minimum.
            let first = position(entries[0]);
            let (mut min, mut max) = ([first; 2], [first; 2]);
            for four in entries.chunks_exact(4) {
                let [p, q, r, s] =
                    [position(four[0]), position(four[1]), position(four[2]), position(four[3])];
                min = [min[0].min(p).min(q), min[1].min(r).min(s)];
                max = [max[0].max(p).max(q), max[1].max(r).max(s)];
            }
            *bounds = Box4 { min: min[0].min(min[1]), max: max[0].max(max[1]) };
        }
    }

    #[target_feature(enable = "avx2,fma")]
    fn refit_nodes(&mut self) {
        for (index, node) in self.nodes.iter_mut().enumerate().rev() {
            // SAFETY: children are indices of `bounds`.
            let child = |lane: usize| unsafe { self.bounds.get_unchecked(node.children[lane] as usize) };
            let (min, least) = transposed::<MIN>(|lane| child(lane).min);
            let (max, greatest) = transposed::<MAX>(|lane| child(lane).max);
            // SAFETY: `Eight` is aligned; an index of a node is one of `bounds`.
            unsafe {
                for axis in 0..3 {
                    _mm256_store_ps(node.boxes.min[axis].0.as_mut_ptr(), min[axis]);
                    _mm256_store_ps(node.boxes.max[axis].0.as_mut_ptr(), max[axis]);
                }
                let [least_low, least_high] = halves(least);
                let [greatest_low, greatest_high] = halves(greatest);
                *self.bounds.get_unchecked_mut(index) =
                    Box4 { min: least_low.min(least_high), max: greatest_low.max(greatest_high) };
            }
        }
    }
}

const MIN: bool = false;
const MAX: bool = true;

/// Eight vectors as x, y and z, and their minimum or maximum in two halves.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn transposed<const WHICH: bool>(vector: impl Fn(usize) -> Vec4) -> ([__m256; 3], __m256) {
    let best = |v, w| if WHICH == MIN { _mm256_min_ps(v, w) } else { _mm256_max_ps(v, w) };
    let vectors = in_halves(vector);
    let [v04, v15, v26, v37] = vectors;
    (axes(vectors), best(best(v04, v15), best(v26, v37)))
}

#[inline]
#[target_feature(enable = "avx2,fma")]
fn halves(both: __m256) -> [Vec4; 2] {
    [_mm256_castps256_ps128(both).into(), _mm256_extractf128_ps::<1>(both).into()]
}
