//! Tests of what `skin/magnitude` keeps to itself.

use super::*;
use crate::simd::TwoFours;

/// Numbers of all sizes, the same on every machine.
fn joint(seed: usize) -> Block<2> {
    let number =
        |i: usize| ((seed * 16 + i) as f32 * 1.7).sin() * 10f32.powi((seed * 7 + i * 3) as i32 % 9 - 4);
    [0, 8].map(|first| std::array::from_fn(|i| if i % 4 == 3 { 0.0 } else { number(first + i) }))
}

#[test]
fn eight_joints_at_a_time_have_the_bits_of_one() {
    for count in 0..40 {
        let matrices: Vec<Block<2>> = (0..count).map(|i| joint(i + 50 * count)).collect();
        let radii: Vec<f32> = (0..count).map(|i| [0.3, -1.0, 0.0, 7.5, 1e-3][i % 5]).collect();
        for displacement in [0.0, 0.7] {
            let mut expected = Magnitude::default();
            for (matrix, &radius) in matrices.iter().zip(&radii).filter(|(_, radius)| **radius >= 0.0) {
                let own = Magnitude::of_joint(matrix, radius + displacement);
                expected.stretched = expected.stretched.max(own.stretched);
                expected.translation = expected.translation.max(own.translation);
                expected.rest = expected.rest.max(own.rest);
                expected.stretch = expected.stretch.max(own.stretch);
            }
            let (found, total) = Magnitude::of_joints(&matrices, &radii, displacement);
            assert_eq!(found, expected);
            let inputs = Magnitudes { matrices: &matrices, radii: &radii, displacement };
            assert_eq!(inputs.run::<TwoFours>(), (found, total));
            assert!(total >= found.stretched + found.translation + found.rest + found.stretch);
        }
    }
}

/// Also of joints that move nothing.
#[test]
fn no_number_that_is_not_finite_is_overlooked() {
    for (count, at) in [(1, 0), (8, 3), (13, 7), (13, 12), (24, 23)] {
        for place in (0..16).filter(|place| place % 4 != 3) {
            for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut matrices: Vec<Block<2>> = (0..count).map(joint).collect();
                assert!(Magnitude::of_joints(&matrices, &vec![-1.0; count], 0.0).1.is_finite());
                matrices[at].as_flattened_mut()[place] = bad;
                assert!(!Magnitude::of_joints(&matrices, &vec![-1.0; count], 0.0).1.is_finite());
                assert!(!Magnitude::of_joints(&matrices, &vec![1.0; count], 0.0).1.is_finite());
            }
        }
    }
}
