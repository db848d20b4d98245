//! Four matrices at a time against one: the same bits, and the same opinion of what is even.

use glam::{DMat3, DQuat, DVec3};

use super::*;
use crate::math::polar::{polar, uniform};
use crate::simd::{self, Eight, Kernel, TwoFours};

/// Small and seeded (xorshift, George Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// In -1 .. 1.
    fn signed(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn rotation(&mut self) -> DMat3 {
        let q = DQuat::from_array(std::array::from_fn(|_| self.signed()));
        DMat3::from_quat(if q.length() > 0.1 { q.normalize() } else { DQuat::IDENTITY })
    }

    /// Of every kind: rotations to f32 precision, about an axis by multiples of a right angle, scaled, mirrored, almost even,
    /// sheared, flattened, tiny, huge, zero.
    fn matrix(&mut self) -> DMat3 {
        let rotation = self.rotation();
        let any = DMat3::from_cols_array(&std::array::from_fn(|_| self.signed()));
        let size = 10f64.powi((self.next() % 75) as i32 - 37);
        let noise = any * 10f64.powi(-((self.next() % 9) as i32));
        let right_angles =
            DMat3::from_rotation_y(f64::from((self.next() % 4) as u32) * std::f64::consts::FRAC_PI_2)
                * DMat3::from_rotation_x(f64::from((self.next() % 4) as u32) * std::f64::consts::FRAC_PI_2);
        let flat = DMat3::from_diagonal(DVec3::new(1.0, (self.next() % 2) as f64, 0.0));
        match self.next() % 12 {
            0..3 => rotation.as_mat3().as_dmat3(),
            3 => right_angles.as_mat3().as_dmat3(),
            4 => rotation * size,
            5 => rotation * -size,
            6 => rotation + noise,
            7 => (rotation + noise) * size,
            8 => any,
            9 => rotation * flat * size,
            10 => any * size,
            _ => DMat3::ZERO,
        }
    }
}

struct Four4([DMat3; 4]);

impl Kernel for Four4 {
    type Output = (u8, [[f64; 4]; 4], [f64; 4]);

    #[inline(always)]
    fn run<E: Eight>(self) -> Self::Output {
        let number = |column: usize, row: usize| E::Four::load(&self.0.map(|m| m.col(column)[row]));
        let column = |i: usize| [number(i, 0), number(i, 1), number(i, 2)];
        let EvenPolar { even, rotation, scale } = EvenPolar::new([column(0), column(1), column(2)]);
        let (mut rotations, mut scales) = ([[0.0; 4]; 4], [0.0; 4]);
        for k in 0..4 {
            rotation[k].store(&mut rotations[k]);
        }
        scale.store(&mut scales);
        (even, rotations, scales)
    }
}

#[test]
fn four_have_the_bits_of_one() {
    let (mut random, mut found_even) = (Random(7), 0);
    for _ in 0..50_000 {
        let matrices: [DMat3; 4] = std::array::from_fn(|_| random.matrix());
        let wide = simd::run(Four4(matrices));
        let narrow = Four4(matrices).run::<TwoFours>();
        assert_eq!(wide.0, narrow.0);
        for (lane, matrix) in matrices.into_iter().enumerate() {
            let even = wide.0 & 1 << lane != 0;
            assert_eq!(even, uniform(matrix).is_some(), "{matrix}");
            if !even {
                continue;
            }
            found_even += 1;
            let (rotation, stretch) = polar(matrix);
            for (_, rotations, scales) in [&wide, &narrow] {
                let found = rotations.map(|numbers| numbers[lane].to_bits());
                assert_eq!(found, rotation.to_array().map(f64::to_bits), "{matrix}");
                assert_eq!(DMat3::from_diagonal(DVec3::splat(scales[lane])), stretch, "{matrix}");
            }
        }
    }
    assert!(found_even > 80_000, "{found_even}");
}
