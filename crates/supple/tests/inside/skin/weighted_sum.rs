//! Tests of what `skin/weighted_sum` keeps to itself.

use super::*;
use crate::simd::TwoFours;

#[test]
fn any_number_of_joints_is_summed() {
    let blocks: Vec<Block<1>> = (0..12).map(|j| [[j as f32; 8]]).collect();
    for count in 0..12u32 {
        let joints: Vec<u32> = (0..count).collect();
        let weights = std::iter::repeat_n(0.5, count as usize);
        let [sum] = weighted_sum::<TwoFours, 1>(&blocks, &joints, weights);
        let expected = (0..count).sum::<u32>() as f32 * 0.5;
        assert_eq!(sum.split().map(|h| h.to_array()), [[expected; 4]; 2]);
    }
}
