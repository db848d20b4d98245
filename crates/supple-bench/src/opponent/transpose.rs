//! Eight positions, which stand one by one in memory, as registers of x, y and z.

use std::arch::x86_64::*;

use glam::Vec4;

/// Positions `i` and `i + 4` in the halves of register `i`.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn in_halves(vector: impl Fn(usize) -> Vec4) -> [__m256; 4] {
    let pair = |lane: usize| _mm256_set_m128(vector(lane + 4).into(), vector(lane).into());
    [pair(0), pair(1), pair(2), pair(3)]
}

/// The x, y and z of such registers, lanes in the order of the positions.
#[inline]
#[target_feature(enable = "avx2,fma")]
pub(super) fn axes([v04, v15, v26, v37]: [__m256; 4]) -> [__m256; 3] {
    let (xy01, xy23) = (_mm256_unpacklo_ps(v04, v15), _mm256_unpacklo_ps(v26, v37));
    let (z01, z23) = (_mm256_unpackhi_ps(v04, v15), _mm256_unpackhi_ps(v26, v37));
    [
        _mm256_shuffle_ps::<0x44>(xy01, xy23),
        _mm256_shuffle_ps::<0xee>(xy01, xy23),
        _mm256_shuffle_ps::<0x44>(z01, z23),
    ]
}
