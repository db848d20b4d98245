//! Twists: the matrix logarithm of rigid transforms.
//!
//! In: a rigid transform. Out: the six numbers of its 4x4 matrix logarithm, and back, both in closed form
//! (Rodrigues). The logarithm is the principal one, rotation angle in `[0, pi]`.
//!
//! Based on: Murray, Li, Sastry, A Mathematical Introduction to Robotic Manipulation, 1994, section 2.3;
//! used as in Kavan, Real-time Skeletal Animation, 2007, section 4.4.

use std::ops::{Add, Mul};

use glam::{DQuat, DVec3};
use supple::Isometry;

/// Element of se(3): the matrix `[[angular]_x, linear; 0, 0]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Twist {
    /// Axis times angle.
    pub angular: DVec3,
    /// Velocity of the origin.
    pub linear: DVec3,
}

impl Twist {
    /// Matrix logarithm.
    ///
    /// `linear = V^-1 t` with `V^-1 = 1 - [w]/2 + c [w]^2`, `c = (1 - (a/2) cot(a/2)) / a^2`, `w` the angular
    /// part of length `a`.
    pub fn log(isometry: Isometry) -> Self {
        let q = isometry.rotation;
        // Of q and -q the one with the smaller angle.
        let q = if q.w < 0.0 { -q } else { q };
        let (v, t) = (q.xyz(), isometry.translation);
        let half_sin = v.length();
        let angle = 2.0 * half_sin.atan2(q.w);
        let angular = if half_sin == 0.0 { DVec3::ZERO } else { v * (angle / half_sin) };
        let cross = angular.cross(t);
        let c = inverse_coefficient(angle, half_sin, q.w);
        Self { angular, linear: t - cross * 0.5 + angular.cross(cross) * c }
    }

    /// Matrix exponential.
    ///
    /// `t = linear + (1 - cos a)/a^2 [w] linear + (a - sin a)/a^3 [w]^2 linear`.
    pub fn exp(self) -> Isometry {
        let angle = self.angular.length();
        let cross = self.angular.cross(self.linear);
        let a_sq = angle * angle;
        // (1 - cos a)/a^2 = sinc(a/2)^2 / 2 needs no series.
        let half_sinc = if angle == 0.0 { 1.0 } else { (angle * 0.5).sin() / (angle * 0.5) };
        let second = if angle < SERIES_BELOW {
            1.0 / 6.0 - a_sq * (1.0 / 120.0 - a_sq / 5040.0)
        } else {
            (angle - angle.sin()) / (a_sq * angle)
        };
        let v = self.angular * (0.5 * half_sinc);
        Isometry {
            rotation: DQuat::from_xyzw(v.x, v.y, v.z, (angle * 0.5).cos()),
            translation: self.linear
                + cross * (0.5 * half_sinc * half_sinc)
                + self.angular.cross(cross) * second,
        }
    }
}

impl Add for Twist {
    type Output = Self;

    fn add(self, rhs: Self) -> Self {
        Self { angular: self.angular + rhs.angular, linear: self.linear + rhs.linear }
    }
}

impl Mul<f64> for Twist {
    type Output = Self;

    fn mul(self, rhs: f64) -> Self {
        Self { angular: self.angular * rhs, linear: self.linear * rhs }
    }
}

/// Below this angle Taylor series replace differences that cancel; both are good to 1e-12 there.
const SERIES_BELOW: f64 = 0.03;

/// `(1 - (a/2) cot(a/2)) / a^2`.
fn inverse_coefficient(angle: f64, half_sin: f64, half_cos: f64) -> f64 {
    let a_sq = angle * angle;
    if angle < SERIES_BELOW {
        1.0 / 12.0 + a_sq * (1.0 / 720.0 + a_sq / 30240.0)
    } else {
        (1.0 - 0.5 * angle * half_cos / half_sin) / a_sq
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use supple::math::DualQuat;

    use super::*;
    use crate::blend::ScrewAlgebra;

    fn sample(angle: f64) -> Isometry {
        let axis = DVec3::new(0.3, -0.5, 0.8).normalize();
        Isometry::new(DQuat::from_axis_angle(axis, angle), DVec3::new(5.0, -3.0, 2.0))
    }

    #[test]
    fn is_twice_the_logarithm_of_the_dual_quaternion() {
        for angle in [0.0, 1e-200, 1e-12, 1e-6, 1e-3, 0.0299, 0.0301, 0.5, 2.0, 3.0, PI - 1e-9, PI] {
            let twist = Twist::log(sample(angle));
            let log = DualQuat::from_isometry(sample(angle)).log() * 2.0;
            assert!(twist.angular.abs_diff_eq(log.real.xyz(), 1e-11), "{angle}");
            assert!(twist.linear.abs_diff_eq(log.dual.xyz(), 1e-11), "{angle}");
        }
    }

    #[test]
    fn exp_undoes_log() {
        for angle in [0.0, 1e-200, 1e-12, 1e-6, 1e-3, 0.0299, 0.0301, 0.5, 2.0, -3.0, PI - 1e-9, PI, 4.0, 6.0]
        {
            let back = Twist::log(sample(angle)).exp();
            assert!(back.to_affine().abs_diff_eq(sample(angle).to_affine(), 1e-12), "{angle}");
        }
    }

    #[test]
    fn exp_is_the_power_series_of_the_matrix() {
        // exp(M) = lim (1 + M/2^k)^(2^k), by squaring the 4x4 matrix of the twist.
        let twist = Twist { angular: DVec3::new(0.7, -1.1, 0.4), linear: DVec3::new(2.0, 0.5, -1.0) };
        let (w, l) = (twist.angular, twist.linear);
        let generator = glam::DMat4::from_cols_array(&[
            0.0, w.z, -w.y, 0.0, -w.z, 0.0, w.x, 0.0, w.y, -w.x, 0.0, 0.0, l.x, l.y, l.z, 0.0,
        ]);
        let mut sum = glam::DMat4::IDENTITY;
        let mut term = glam::DMat4::IDENTITY;
        for k in 1..40 {
            term = term * generator * (1.0 / f64::from(k));
            sum += term;
        }
        assert!(glam::DMat4::from(twist.exp().to_affine()).abs_diff_eq(sum, 1e-13));
    }
}
