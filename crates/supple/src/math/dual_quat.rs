//! Dual quaternions: rotation and translation in one algebra.
//!
//! In: rigid transforms. Out: unit dual quaternions `q0 + eps qe` with `|q0| = 1` and `<q0, qe> = 0`, their sums and products.
//! Both `q` and `-q` stand for the same transform.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 2.1.1 and 2.1.2.

use std::ops::{Add, Mul, Neg};

use glam::{DQuat, DVec3};

use super::isometry::Isometry;

/// `real + eps * dual`, not necessarily unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DualQuat {
    /// Non-dual part: the rotation, if this is unit.
    pub real: DQuat,
    /// Dual part: `translation * rotation / 2`, if this is unit.
    pub dual: DQuat,
}

impl DualQuat {
    /// The transform that moves nothing.
    pub const IDENTITY: Self = Self { real: DQuat::IDENTITY, dual: ZERO };

    /// The neutral element of sums.
    pub const ZERO: Self = Self { real: ZERO, dual: ZERO };

    /// `q0 + eps t q0 / 2` (formula 2.3).
    pub fn from_isometry(isometry: Isometry) -> Self {
        let real = isometry.rotation;
        Self { real, dual: hamilton(pure(isometry.translation * 0.5), real) }
    }

    /// Rotation `q0`, translation `2 qe q0*`; `self` must be unit.
    pub fn to_isometry(self) -> Isometry {
        Isometry { rotation: self.real, translation: hamilton(self.dual, self.real.conjugate()).xyz() * 2.0 }
    }

    /// Quaternion conjugate `q0* + eps qe*`: the inverse, if `self` is unit.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Self { real: self.real.conjugate(), dual: self.dual.conjugate() }
    }

    /// Divided by its norm `|q0| + eps <q0, qe> / |q0|`, which makes it unit; the real part must not be zero.
    #[must_use]
    pub fn normalized(self) -> Self {
        let length = self.real.length();
        // `1 / (a + eps b) = 1/a - eps b/a^2`
        let share = 1.0 / length;
        let dual_share = -(self.real.dot(self.dual) / length) * share * share;
        Self { real: self.real * share, dual: self.dual * share + self.real * dual_share }
    }
}

impl From<Isometry> for DualQuat {
    fn from(isometry: Isometry) -> Self {
        Self::from_isometry(isometry)
    }
}

impl Add for DualQuat {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Self { real: self.real + rhs.real, dual: self.dual + rhs.dual }
    }
}

impl Neg for DualQuat {
    type Output = Self;

    fn neg(self) -> Self {
        Self { real: -self.real, dual: -self.dual }
    }
}

/// `a * b` applies `b` first.
impl Mul for DualQuat {
    type Output = Self;

    #[expect(clippy::suspicious_arithmetic_impl, reason = "the dual part of a product is a sum of products")]
    fn mul(self, rhs: Self) -> Self {
        Self {
            real: hamilton(self.real, rhs.real),
            dual: hamilton(self.real, rhs.dual) + hamilton(self.dual, rhs.real),
        }
    }
}

impl Mul<f64> for DualQuat {
    type Output = Self;

    fn mul(self, rhs: f64) -> Self {
        Self { real: self.real * rhs, dual: self.dual * rhs }
    }
}

const ZERO: DQuat = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);

fn quat(w: f64, v: DVec3) -> DQuat {
    DQuat::from_xyzw(v.x, v.y, v.z, w)
}

fn pure(v: DVec3) -> DQuat {
    quat(0.0, v)
}

/// Product of any two quaternions (formula 2.1); glam's operator promises only unit ones.
fn hamilton(a: DQuat, b: DQuat) -> DQuat {
    let (va, vb) = (a.xyz(), b.xyz());
    quat(a.w * b.w - va.dot(vb), vb * a.w + va * b.w + va.cross(vb))
}
