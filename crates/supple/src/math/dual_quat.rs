//! Dual quaternions: rotation and translation in one algebra.
//!
//! In: rigid transforms. Out: unit dual quaternions `q0 + eps qe` with `|q0| = 1` and `<q0, qe> = 0`, and
//! what the blending methods need of them. Both `q` and `-q` stand for the same transform; `log` and `pow` of
//! the two differ (they go round the screw in opposite senses), so align signs first.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 2.1.1 and 2.1.2.

use std::ops::{Add, Mul, Neg};

use glam::{DQuat, DVec3};

use super::dual_number::Dual;
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

    /// Dual conjugate `q0 - eps qe`.
    #[must_use]
    pub fn dual_conjugate(self) -> Self {
        Self { real: self.real, dual: -self.dual }
    }

    /// Dot product of the real parts; its sign tells whether two dual quaternions are on the same side.
    pub fn dot_real(self, rhs: Self) -> f64 {
        self.real.dot(rhs.real)
    }

    /// `|q0| + eps <q0, qe> / |q0|`; the real part must not be zero.
    pub fn norm(self) -> Dual {
        let length = self.real.length();
        Dual::new(length, self.real.dot(self.dual) / length)
    }

    /// Divided by its norm, which makes it unit; the real part must not be zero.
    #[must_use]
    pub fn normalized(self) -> Self {
        self * self.norm().recip()
    }

    /// `q* / |q|^2`; the real part must not be zero.
    #[must_use]
    pub fn inverse(self) -> Self {
        let norm = self.norm();
        self.conjugate() * (norm * norm).recip()
    }

    /// `q (1 + eps v) q*'` (both conjugations): the point moved by the transform; `self` must be unit.
    pub fn transform_point(self, point: impl Into<DVec3>) -> DVec3 {
        self.to_isometry().transform_point(point)
    }

    /// Exponential of a dual quaternion without scalar part; scalar parts are ignored. Formula 2.5.
    ///
    /// With `l = real vector, m = dual vector, a = |l|`:
    /// `real = (cos a, sinc(a) l)`, `dual = (-sinc(a) <l,m>, sinc(a) m + (cos a - sinc a)/a^2 <l,m> l)`.
    #[must_use]
    pub fn exp(self) -> Self {
        let (l, m) = (self.real.xyz(), self.dual.xyz());
        let angle = l.length();
        let sinc = sinc(angle);
        let lm = l.dot(m);
        Self {
            real: quat(angle.cos(), l * sinc),
            dual: quat(-sinc * lm, m * sinc + l * (lm * sinc_slope(angle))),
        }
    }

    /// Logarithm of a unit dual quaternion: half the screw's dual angle times its dual axis, no scalar part.
    ///
    /// With `w + v` the real part, `s = |v|`, `a = atan2(s, w)`, and `we + ve` the dual part: `real = (a/s)
    /// v`, `dual = (a/s) ve - we (s - a w)/s^3 v`. Exact limits at `s = 0`: a pure translation has `real =
    /// 0`; at `-1`, where every axis would do, the axis of the translation is taken.
    #[must_use]
    pub fn log(self) -> Self {
        let (v, ve) = (self.real.xyz(), self.dual.xyz());
        let (w, we) = (self.real.w, self.dual.w);
        let s = v.length();
        // Below this a rotation by a full turn has no axis to speak of.
        if w < 0.0 && s < 1e-12 {
            let axis = (-ve).try_normalize().unwrap_or(DVec3::X);
            return Self { real: pure(axis * std::f64::consts::PI), dual: pure(-ve) };
        }
        let angle = s.atan2(w);
        let ratio = if s == 0.0 { 1.0 } else { angle / s };
        Self { real: pure(v * ratio), dual: pure(ve * ratio - v * (we * log_slope(angle, s, w))) }
    }

    /// `q^t = exp(t log q)`: the part `t` of the screw motion; `self` must be unit.
    #[must_use]
    pub fn powf(self, t: f64) -> Self {
        (self.log() * t).exp()
    }

    /// `q^u` with a dual exponent: angle and translation of the screw scaled separately; `self` must be unit.
    #[must_use]
    pub fn pow_dual(self, u: Dual) -> Self {
        (self.log() * u).exp()
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

impl Mul<Dual> for DualQuat {
    type Output = Self;

    fn mul(self, rhs: Dual) -> Self {
        Self { real: self.real * rhs.real, dual: self.dual * rhs.real + self.real * rhs.dual }
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

/// `sin(a) / a`.
fn sinc(a: f64) -> f64 {
    // sin(a) has full relative precision, so only zero needs care.
    if a == 0.0 { 1.0 } else { a.sin() / a }
}

/// Below this angle the differences in the slopes cancel and their Taylor series take over. At the border
/// both routes are good to 1e-12: the closed forms lose `eps * a / a^3`, the series drop terms of `a^6 /
/// 100`.
const SERIES_BELOW: f64 = 0.02;

/// `(cos a - sinc a) / a^2`.
fn sinc_slope(a: f64) -> f64 {
    let a_sq = a * a;
    if a < SERIES_BELOW {
        -1.0 / 3.0 + a_sq * (1.0 / 30.0 - a_sq / 840.0)
    } else {
        (a.cos() - sinc(a)) / a_sq
    }
}

/// `(s - a w) / s^3` with `s = sin a`, `w = cos a`.
fn log_slope(a: f64, s: f64, w: f64) -> f64 {
    let a_sq = a * a;
    if a < SERIES_BELOW {
        1.0 / 3.0 + a_sq * (2.0 / 15.0 + a_sq * (2.0 / 63.0))
    } else {
        (s - a * w) / (s * s * s)
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

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
        assert!((a * b).transform_point(p).abs_diff_eq(by_parts, 1e-14));
        assert!(near(DualQuat::from_isometry(a.to_isometry()), a, 1e-15));
    }

    #[test]
    fn sandwich_with_both_conjugates_moves_the_point() {
        let q = screw(1.3, DVec3::new(1.0, 2.0, 3.0));
        let p = DVec3::new(0.1, 0.2, -5.0);
        let moved = q * DualQuat { real: DQuat::IDENTITY, dual: pure(p) } * q.conjugate().dual_conjugate();
        assert!(moved.real.abs_diff_eq(DQuat::IDENTITY, 1e-15));
        assert!(moved.dual.xyz().abs_diff_eq(q.transform_point(p), 1e-14));
    }

    #[test]
    fn norm_is_multiplicative_and_inverse_inverts() {
        let a = screw(1.0, DVec3::ONE) * Dual::new(2.0, 0.7);
        let b = screw(2.0, -DVec3::X) + DualQuat { real: quat(0.3, DVec3::X), dual: quat(-1.0, DVec3::Y) };
        let (product, wanted) = ((a * b).norm(), a.norm() * b.norm());
        assert!((product.real - wanted.real).abs() < 1e-14 && (product.dual - wanted.dual).abs() < 1e-14);
        assert!(near(b * b.inverse(), DualQuat::IDENTITY, 1e-14));
        let unit = b.normalized().norm();
        assert!((unit.real - 1.0).abs() < 1e-15 && unit.dual.abs() < 1e-15);
    }

    #[test]
    fn exp_undoes_log_at_every_angle() {
        let translation = DVec3::new(5.0, -3.0, 2.0);
        let small = [0.0, 1e-300, 1e-20, 1e-12, 1e-9, 1e-6, 1e-3, 0.0399999, 0.0400001, 0.1];
        let large = [1.0, 3.0, PI - 1e-9, PI, PI + 1e-9, 4.0, 6.0, 2.0 * PI - 1e-3];
        for angle in small.into_iter().chain(large) {
            let q = screw(angle, translation);
            let log = q.log();
            assert!(log.real.is_finite() && log.dual.is_finite(), "{angle}");
            assert_eq!((log.real.w, log.dual.w), (0.0, 0.0));
            // The far screw axis of a small rest angle costs digits beyond half a turn.
            let tolerance = if angle > 6.2 { 1e-9 } else { 1e-12 };
            assert!(near(log.exp(), q, tolerance), "{angle}: {q:?} became {:?}", log.exp());
        }
    }

    #[test]
    fn full_turn_takes_the_axis_of_the_translation() {
        let q = -DualQuat::from_isometry(Isometry::from_translation(DVec3::new(0.0, 2.0, 0.0)));
        assert!(near(q.log().exp(), q, 1e-14));
        assert!(near((-DualQuat::IDENTITY).log().exp(), -DualQuat::IDENTITY, 1e-14));
    }

    #[test]
    fn series_meet_closed_forms() {
        for a in [SERIES_BELOW * (1.0 - 1e-9), SERIES_BELOW * (1.0 + 1e-9)] {
            assert!((sinc_slope(a) - sinc_slope(SERIES_BELOW)).abs() < 1e-11);
            assert!(
                (log_slope(a, a.sin(), a.cos()) - (a.sin() - a * a.cos()) / a.sin().powi(3)).abs() < 1e-11
            );
        }
    }

    #[test]
    fn power_of_a_translation_is_linear() {
        let q = DualQuat::from_isometry(Isometry::from_translation(DVec3::new(4.0, -8.0, 2.0)));
        let quarter = q.powf(0.25).to_isometry();
        assert!(quarter.translation.abs_diff_eq(DVec3::new(1.0, -2.0, 0.5), 1e-15));
    }
}
