//! What blending needs of dual quaternions beyond sums and products: exponential, logarithm, powers, norms.
//!
//! In: dual quaternions of the library. Out: the screw that a unit dual quaternion stands for, and parts of it.
//! `log` and the powers of `q` and `-q` differ (they go round the screw in opposite senses), so align signs first.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 2.1.1 and 2.1.2.

use std::ops::Mul;

use glam::{DQuat, DVec3};
use supple::math::DualQuat;

use super::dual_number::Dual;

/// Dual quaternions as screws.
pub trait ScrewAlgebra: Copy {
    /// Dual conjugate `q0 - eps qe`.
    #[must_use]
    fn dual_conjugate(self) -> Self;

    /// `|q0| + eps <q0, qe> / |q0|`; the real part must not be zero.
    fn norm(self) -> Dual;

    /// `q* / |q|^2`; the real part must not be zero.
    #[must_use]
    fn inverse(self) -> Self;

    /// `q (1 + eps v) q*'` (both conjugations): the point moved by the transform; `self` must be unit.
    fn transform_point(self, point: DVec3) -> DVec3;

    /// Exponential of a dual quaternion without scalar part; scalar parts are ignored. Formula 2.5.
    ///
    /// With `l = real vector, m = dual vector, a = |l|`:
    /// `real = (cos a, sinc(a) l)`, `dual = (-sinc(a) <l,m>, sinc(a) m + (cos a - sinc a)/a^2 <l,m> l)`.
    #[must_use]
    fn exp(self) -> Self;

    /// Logarithm of a unit dual quaternion: half the screw's dual angle times its dual axis, no scalar part.
    ///
    /// With `w + v` the real part, `s = |v|`, `a = atan2(s, w)`, and `we + ve` the dual part: `real = (a/s)
    /// v`, `dual = (a/s) ve - we (s - a w)/s^3 v`. Exact limits at `s = 0`: a pure translation has `real =
    /// 0`; at `-1`, where every axis would do, the axis of the translation is taken.
    #[must_use]
    fn log(self) -> Self;

    /// `q^t = exp(t log q)`: the part `t` of the screw motion; `self` must be unit.
    #[must_use]
    fn powf(self, t: f64) -> Self;

    /// `q^u` with a dual exponent: angle and translation of the screw scaled separately; `self` must be unit.
    #[must_use]
    fn pow_dual(self, u: Dual) -> Self;
}

impl ScrewAlgebra for DualQuat {
    fn dual_conjugate(self) -> Self {
        Self { real: self.real, dual: -self.dual }
    }

    fn norm(self) -> Dual {
        let length = self.real.length();
        Dual::new(length, self.real.dot(self.dual) / length)
    }

    fn inverse(self) -> Self {
        let norm = self.norm();
        self.conjugate() * (norm * norm).recip()
    }

    fn transform_point(self, point: DVec3) -> DVec3 {
        self.to_isometry().transform_point(point)
    }

    fn exp(self) -> Self {
        let (l, m) = (self.real.xyz(), self.dual.xyz());
        let angle = l.length();
        let sinc = sinc(angle);
        let lm = l.dot(m);
        Self {
            real: quat(angle.cos(), l * sinc),
            dual: quat(-sinc * lm, m * sinc + l * (lm * sinc_slope(angle))),
        }
    }

    fn log(self) -> Self {
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

    fn powf(self, t: f64) -> Self {
        (self.log() * t).exp()
    }

    fn pow_dual(self, u: Dual) -> Self {
        (self.log() * u).exp()
    }
}

impl Mul<Dual> for DualQuat {
    type Output = Self;

    fn mul(self, rhs: Dual) -> Self {
        Self { real: self.real * rhs.real, dual: self.dual * rhs.real + self.real * rhs.dual }
    }
}

fn quat(w: f64, v: DVec3) -> DQuat {
    DQuat::from_xyzw(v.x, v.y, v.z, w)
}

fn pure(v: DVec3) -> DQuat {
    quat(0.0, v)
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

    use supple::Isometry;

    use super::*;

    fn near(a: DualQuat, b: DualQuat, tolerance: f64) -> bool {
        a.real.abs_diff_eq(b.real, tolerance) && a.dual.abs_diff_eq(b.dual, tolerance)
    }

    fn screw(angle: f64, translation: DVec3) -> DualQuat {
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        DualQuat::from_isometry(Isometry::new(DQuat::from_axis_angle(axis, angle), translation))
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
