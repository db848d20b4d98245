//! Dual numbers `a + eps b` with `eps^2 = 0`: the scalars of dual quaternions.
//!
//! The angle of a screw is one: rotation angle plus `eps` times the translation along the axis.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, section 2.1.2.

use std::ops::{Add, Mul, Neg, Sub};

/// `real + eps * dual`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dual {
    /// Non-dual part.
    pub real: f64,
    /// Dual part.
    pub dual: f64,
}

impl Dual {
    /// `real + eps * dual`.
    pub const fn new(real: f64, dual: f64) -> Self {
        Self { real, dual }
    }

    /// `1 / (a + eps b) = 1/a - eps b/a^2`; infinite or NaN where `a = 0`.
    #[must_use]
    pub fn recip(self) -> Self {
        let real = 1.0 / self.real;
        Self::new(real, -self.dual * real * real)
    }

    /// `sqrt(a) + eps b / (2 sqrt(a))`; defined for `a > 0`.
    #[must_use]
    pub fn sqrt(self) -> Self {
        let real = self.real.sqrt();
        Self::new(real, self.dual / (2.0 * real))
    }
}

impl From<f64> for Dual {
    fn from(real: f64) -> Self {
        Self::new(real, 0.0)
    }
}

impl Add for Dual {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Self::new(self.real + rhs.real, self.dual + rhs.dual)
    }
}

impl Sub for Dual {
    type Output = Self;

    fn sub(self, rhs: Self) -> Self {
        Self::new(self.real - rhs.real, self.dual - rhs.dual)
    }
}

impl Neg for Dual {
    type Output = Self;

    fn neg(self) -> Self {
        Self::new(-self.real, -self.dual)
    }
}

impl Mul for Dual {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        Self::new(self.real * rhs.real, self.real * rhs.dual + self.dual * rhs.real)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_and_root_undo_product() {
        let a = Dual::new(4.0, -3.0);
        assert_eq!(a * a.recip(), Dual::from(1.0));
        assert_eq!(a.sqrt() * a.sqrt(), a);
        assert_eq!(a - a, Dual::default());
        assert_eq!(a + -a, Dual::default());
    }
}
