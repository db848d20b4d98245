//! Four numbers of f64 at a time, beside [`Eight`](super::Eight): the same rules, the same bits for every width.

use glam::Vec4;

/// Four numbers of f64.
pub(crate) trait Four: Copy {
    /// Yes or no, number by number.
    type Mask: Copy;

    /// Four times one number.
    fn all(number: f64) -> Self;
    /// Four numbers from memory.
    fn load(numbers: &[f64; 4]) -> Self;
    /// Four numbers of f32, which f64 has exactly.
    fn widened(numbers: Vec4) -> Self;
    /// Number by number.
    fn times(self, other: Self) -> Self;
    /// Number by number.
    fn over(self, other: Self) -> Self;
    /// Number by number.
    fn plus(self, other: Self) -> Self;
    /// Number by number.
    fn minus(self, other: Self) -> Self;
    /// Without signs.
    fn abs(self) -> Self;
    /// With the other signs.
    fn negated(self) -> Self;
    /// Square roots.
    fn root(self) -> Self;
    /// Whether numbers are at most the other's; a NaN is not.
    fn at_most(self, other: Self) -> Self::Mask;
    /// Whether numbers are below the other's; a NaN is not.
    fn below(self, other: Self) -> Self::Mask;
    /// Where both are yes.
    fn both(a: Self::Mask, b: Self::Mask) -> Self::Mask;
    /// Bit `i` is set where answer `i` is yes.
    fn bits(mask: Self::Mask) -> u8;
    /// `then` where the answer is yes, `otherwise` where it is no.
    fn choose(mask: Self::Mask, then: Self, otherwise: Self) -> Self;
    /// Bit `i` is the sign of number `i`.
    fn signs(self) -> u8;
    /// Rounded to f32.
    fn rounded(self) -> Vec4;
    /// The first three rounded to f32, and 0.
    fn rounded_three(self) -> Vec4;
    /// To memory.
    fn store(self, numbers: &mut [f64; 4]);
}

/// As the compiler arranges them.
#[derive(Clone, Copy)]
pub(crate) struct FourAlone([f64; 4]);

impl FourAlone {
    #[inline(always)]
    fn each(self, other: Self, compute: impl Fn(f64, f64) -> f64) -> Self {
        Self(std::array::from_fn(|i| compute(self.0[i], other.0[i])))
    }
}

impl Four for FourAlone {
    type Mask = [bool; 4];

    #[inline(always)]
    fn all(number: f64) -> Self {
        Self([number; 4])
    }

    #[inline(always)]
    fn load(numbers: &[f64; 4]) -> Self {
        Self(*numbers)
    }

    #[inline(always)]
    fn widened(numbers: Vec4) -> Self {
        Self(numbers.to_array().map(f64::from))
    }

    #[inline(always)]
    fn times(self, other: Self) -> Self {
        self.each(other, |a, b| a * b)
    }

    #[inline(always)]
    fn over(self, other: Self) -> Self {
        self.each(other, |a, b| a / b)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.each(other, |a, b| a + b)
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.each(other, |a, b| a - b)
    }

    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(f64::abs))
    }

    #[inline(always)]
    fn negated(self) -> Self {
        Self(self.0.map(|number| -number))
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(self.0.map(f64::sqrt))
    }

    #[inline(always)]
    fn at_most(self, other: Self) -> [bool; 4] {
        std::array::from_fn(|i| self.0[i] <= other.0[i])
    }

    #[inline(always)]
    fn below(self, other: Self) -> [bool; 4] {
        std::array::from_fn(|i| self.0[i] < other.0[i])
    }

    #[inline(always)]
    fn both(a: [bool; 4], b: [bool; 4]) -> [bool; 4] {
        std::array::from_fn(|i| a[i] && b[i])
    }

    #[inline(always)]
    fn bits(mask: [bool; 4]) -> u8 {
        (0..4).map(|i| u8::from(mask[i]) << i).sum()
    }

    #[inline(always)]
    fn choose(mask: [bool; 4], then: Self, otherwise: Self) -> Self {
        Self(std::array::from_fn(|i| if mask[i] { then.0[i] } else { otherwise.0[i] }))
    }

    #[inline(always)]
    fn signs(self) -> u8 {
        (0..4).map(|i| u8::from(self.0[i].is_sign_negative()) << i).sum()
    }

    #[inline(always)]
    fn rounded(self) -> Vec4 {
        Vec4::from_array(self.0.map(|number| number as f32))
    }

    #[inline(always)]
    fn rounded_three(self) -> Vec4 {
        let [x, y, z, _] = self.0.map(|number| number as f32);
        Vec4::new(x, y, z, 0.0)
    }

    #[inline(always)]
    fn store(self, numbers: &mut [f64; 4]) {
        *numbers = self.0;
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2 {
    //! SAFETY of this module: [`OneFour`] is named only where eight numbers of one register name their four of f64, and that
    //! module says why none of it runs without AVX2.
    #![allow(unsafe_code, reason = "calling instructions that not every processor has")]

    use std::arch::x86_64::*;

    use glam::Vec4;

    use super::Four;

    /// One 256-bit register.
    #[derive(Clone, Copy)]
    pub(in crate::simd) struct OneFour(__m256d);

    impl Four for OneFour {
        type Mask = __m256d;

        #[inline(always)]
        fn all(number: f64) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_set1_pd(number) })
        }

        #[inline(always)]
        fn load(numbers: &[f64; 4]) -> Self {
            // SAFETY: see the module; the array has the four numbers that are read.
            Self(unsafe { _mm256_loadu_pd(numbers.as_ptr()) })
        }

        #[inline(always)]
        fn widened(numbers: Vec4) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_cvtps_pd(numbers.into()) })
        }

        #[inline(always)]
        fn times(self, other: Self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_mul_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn over(self, other: Self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_div_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn plus(self, other: Self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_add_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn minus(self, other: Self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_sub_pd(self.0, other.0) })
        }

        #[inline(always)]
        fn abs(self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0) })
        }

        #[inline(always)]
        fn negated(self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_xor_pd(_mm256_set1_pd(-0.0), self.0) })
        }

        #[inline(always)]
        fn root(self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_sqrt_pd(self.0) })
        }

        #[inline(always)]
        fn at_most(self, other: Self) -> __m256d {
            // SAFETY: see the module.
            unsafe { _mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn below(self, other: Self) -> __m256d {
            // SAFETY: see the module.
            unsafe { _mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0) }
        }

        #[inline(always)]
        fn both(a: __m256d, b: __m256d) -> __m256d {
            // SAFETY: see the module.
            unsafe { _mm256_and_pd(a, b) }
        }

        #[inline(always)]
        fn bits(mask: __m256d) -> u8 {
            // SAFETY: see the module.
            unsafe { _mm256_movemask_pd(mask) as u8 }
        }

        #[inline(always)]
        fn choose(mask: __m256d, then: Self, otherwise: Self) -> Self {
            // SAFETY: see the module.
            Self(unsafe { _mm256_blendv_pd(otherwise.0, then.0, mask) })
        }

        #[inline(always)]
        fn signs(self) -> u8 {
            // SAFETY: see the module.
            unsafe { _mm256_movemask_pd(self.0) as u8 }
        }

        #[inline(always)]
        fn rounded(self) -> Vec4 {
            // SAFETY: see the module.
            unsafe { _mm256_cvtpd_ps(self.0) }.into()
        }

        #[inline(always)]
        fn rounded_three(self) -> Vec4 {
            // SAFETY: see the module.
            unsafe { _mm_blend_ps::<0b1000>(_mm256_cvtpd_ps(self.0), _mm_setzero_ps()) }.into()
        }

        #[inline(always)]
        fn store(self, numbers: &mut [f64; 4]) {
            // SAFETY: see the module; the array has room for the four numbers.
            unsafe { _mm256_storeu_pd(numbers.as_mut_ptr(), self.0) }
        }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/simd/four.rs"]
mod tests;
