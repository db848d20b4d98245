//! Tests of what `simd/four` keeps to itself.

use super::*;
use crate::simd::{Eight, Kernel, TwoFours, run};

/// Everything that four numbers can do.
struct Everything<'a>(&'a [f64; 4], &'a [f64; 4]);

impl Kernel for Everything<'_> {
    type Output = ([[u64; 4]; 10], u8, [[u32; 4]; 2]);

    #[inline(always)]
    fn run<E: Eight>(self) -> Self::Output {
        let (x, y) = (E::Four::load(self.0), E::Four::load(self.1));
        let narrow = Vec4::from_array(self.0.map(|number| number as f32));
        let results = [
            x.times(y),
            x.over(y),
            x.plus(y),
            x.minus(y),
            E::Four::choose(E::Four::all(0.0).below(y), x, E::Four::all(0.0)),
            x.times(y).plus(E::Four::all(self.1[2])),
            E::Four::widened(narrow),
            x.abs().root(),
            x.negated(),
            E::Four::choose(E::Four::both(x.at_most(y), y.below(x.abs())), y, x.abs()),
        ];
        let mut rows = [[0.0; 4]; 10];
        for (result, row) in results.into_iter().zip(&mut rows) {
            result.store(row);
        }
        let rounded = [x.rounded_three(), x.rounded()].map(|half| half.to_array().map(f32::to_bits));
        (rows.map(|row| row.map(f64::to_bits)), x.signs() | y.signs() << 4, rounded)
    }
}

#[test]
fn both_widths_give_the_same_bits() {
    for seed in 0..1000 {
        let number = |i: i32| f64::from(seed * 8 + i).sin() * 10f64.powi(seed % 50 - 25);
        let [x, y]: [[f64; 4]; 2] = [0, 4].map(|first| std::array::from_fn(|i| number(first + i as i32)));
        let narrow = Everything(&x, &y).run::<TwoFours>();
        assert_eq!(run(Everything(&x, &y)), narrow);
        let alone: [u64; 4] = std::array::from_fn(|i| (x[i] * y[i] + y[2]).to_bits());
        assert_eq!(narrow.0[5], alone);
    }
}

#[test]
fn zeros_keep_their_signs() {
    let (x, y) = ([-0.0, 0.0, -1e-60, -7.0], [1.0, f64::MIN_POSITIVE, -0.0, f64::NAN]);
    let (rows, signs, rounded) = run(Everything(&x, &y));
    assert_eq!(signs & 0b0111_1111, 0b0100_1101);
    assert_eq!(rows[4], [-0.0, 0.0, 0.0, 0.0].map(f64::to_bits));
    assert_eq!(rounded, [[-0.0, 0.0, -0.0, 0.0], [-0.0, 0.0, -0.0, -7.0]].map(|row| row.map(f32::to_bits)));
    assert_eq!(Everything(&x, &y).run::<TwoFours>().2, rounded);
}
