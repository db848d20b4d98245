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

#[cfg(test)]
mod tests {
    use super::*;

    fn near(a: DualQuat, b: DualQuat, tolerance: f64) -> bool {
        a.real.abs_diff_eq(b.real, tolerance) && a.dual.abs_diff_eq(b.dual, tolerance)
    }

    fn screw(angle: f64, translation: DVec3) -> DualQuat {
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        DualQuat::from_isometry(Isometry::new(DQuat::from_axis_angle(axis, angle), translation))
    }

    #[test]
    fn isometry_round_trip_and_product() {
        let (a, b) = (screw(1.0, DVec3::new(1.0, 2.0, 3.0)), screw(-2.5, DVec3::new(-4.0, 0.0, 1.0)));
        let p = DVec3::new(0.1, 0.2, -5.0);
        let by_parts = a.to_isometry().transform_point(b.to_isometry().transform_point(p));
        assert!((a * b).to_isometry().transform_point(p).abs_diff_eq(by_parts, 1e-14));
        assert!(near(DualQuat::from_isometry(a.to_isometry()), a, 1e-15));
    }

    #[test]
    fn conjugate_of_what_is_normalized_inverts() {
        let b = screw(2.0, -DVec3::X) + DualQuat { real: quat(0.3, DVec3::X), dual: quat(-1.0, DVec3::Y) };
        let unit = b.normalized();
        assert!((unit.real.length() - 1.0).abs() < 1e-15 && unit.real.dot(unit.dual).abs() < 1e-15);
        assert!(near(unit * unit.conjugate(), DualQuat::IDENTITY, 1e-14));
    }
}
