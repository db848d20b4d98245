//! Weighted sums of the joints' number blocks: matrices, dual quaternions, stretches.
//!
//! In: one block of `N` times eight numbers per joint, the joints of a vertex, their weights.
//! Out: `sum_i w_i block_i`.
//! Must hold: joints are added one after the other, so that every caller gets the same bits.

use crate::simd::Eight;

pub(crate) use crate::simd::Block;

/// `sum_i w_i block_i` over joints and weights of equal number.
///
/// A case of its own for four joints gained nothing (174 against 170 microseconds for 28k such vertices).
#[inline(always)]
pub(super) fn weighted_sum<E: Eight, const N: usize>(
    blocks: &[Block<N>],
    joints: &[u32],
    weights: impl Iterator<Item = f32>,
) -> [E; N] {
    let mut sum = [E::halves(0.0, 0.0); N];
    for (&joint, weight) in joints.iter().zip(weights) {
        let block = &blocks[joint as usize];
        let weight = E::halves(weight, weight);
        for k in 0..N {
            sum[k] = sum[k].plus(weight.times(E::load(&block[k])));
        }
    }
    sum
}

#[cfg(test)]
#[path = "../../tests/inside/skin/weighted_sum.rs"]
mod tests;
