//! Tests of what `simd` keeps to itself.

use super::*;

struct Polynomial<'a>(&'a [f32; 8], &'a mut [[f32; 4]; 2]);

impl Kernel for Polynomial<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let x = E::load(self.0);
        let y = x.times(x).plus(x.times(E::halves(0.1, -3.7))).plus(E::halves(1e-3, 1e3));
        *self.1 = y.split().map(|half| half.to_array());
    }
}

/// Everything that is not arithmetic.
struct Places<'a>(&'a [f32; 8], &'a [f32; 8]);

impl Kernel for Places<'_> {
    type Output = (u8, [[f32; 8]; 7]);

    #[inline(always)]
    fn run<E: Eight>(self) -> Self::Output {
        let (x, y) = (E::load(self.0), E::load(self.1));
        let mut rows = [[0.0; 8]; 7];
        let points = std::array::from_fn(|i| Vec4::new(self.0[i], self.1[i], i as f32, 9.0));
        let [first, second, third] = E::coordinates(&points);
        first.store(&mut rows[4]);
        second.store(&mut rows[5]);
        third.store(&mut rows[6]);
        x.least(y).store(&mut rows[0]);
        x.greatest(y).minus(x).abs().store(&mut rows[1]);
        x.spread::<0>().plus(y.spread::<3>()).store(&mut rows[2]);
        x.spread::<1>().plus(y.spread::<2>()).store(&mut rows[3]);
        (E::bits(x.at_most(y)), rows)
    }
}

#[test]
fn both_widths_know_the_same_places() {
    let x = [1.0, -2.0, 3.0, 4.0, 5.0, 8.0, 7.0, -0.0];
    let y = [1.0, -3.0, 9.0, 2.0, 6.0, 0.5, -7.0, 0.0];
    let (mask, rows) = Places(&x, &y).run::<TwoFours>();
    assert_eq!(mask, 0b1001_0101);
    assert_eq!(rows[2], [3.0, 3.0, 3.0, 3.0, 5.0, 5.0, 5.0, 5.0]);
    assert_eq!(rows[3][..4], [7.0; 4]);
    assert_eq!(rows[4..], [x, y, [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]);
    assert_eq!(run(Places(&x, &y)), (mask, rows));
}

#[test]
fn both_widths_give_the_same_bits() {
    for seed in 0..1000 {
        let x: [f32; 8] = std::array::from_fn(|i| ((seed * 8 + i) as f32).sin() * 10.0);
        let (mut wide, mut narrow) = ([[0.0; 4]; 2], [[0.0; 4]; 2]);
        run(Polynomial(&x, &mut wide));
        Polynomial(&x, &mut narrow).run::<TwoFours>();
        assert_eq!(wide, narrow);
        let scalar = |i: usize| {
            let (a, b) = if i < 4 { (0.1, 1e-3) } else { (-3.7, 1e3) };
            x[i] * x[i] + x[i] * a + b
        };
        assert_eq!(wide.concat(), (0..8).map(scalar).collect::<Vec<f32>>());
    }
}
