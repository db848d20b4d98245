//! The smallest sphere around a spherical cap.
//!
//! A cap is the part of the sphere `|x| = |a|` whose points make an angle of at most `alpha` with its apex `a`.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Lemma 6.5, corrected: the lemma gives
//! `(a cos(alpha), |a| sin(alpha))` for all angles, but its proof needs `cos(alpha) >= 0`. A cap of more than a
//! hemisphere contains a great circle, so nothing smaller than the whole sphere contains it.

use glam::DVec3;

/// Center and radius of the smallest sphere around the cap with center 0, the given apex and an angle from 0 to pi.
pub fn sphere_of_cap(apex: DVec3, angle: f64) -> (DVec3, f64) {
    if angle < std::f64::consts::FRAC_PI_2 {
        printed_sphere_of_cap(apex, angle)
    } else {
        (DVec3::ZERO, apex.length())
    }
}

/// Lemma 6.5 as printed.
pub(super) fn printed_sphere_of_cap(apex: DVec3, angle: f64) -> (DVec3, f64) {
    (apex * angle.cos(), apex.length() * angle.sin())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of the cap lie on circles around the apex.
    fn farthest(center: DVec3, angle: f64) -> f64 {
        let mut farthest = 0.0f64;
        for i in 0..=100 {
            let (sin, cos) = (angle * f64::from(i) / 100.0).sin_cos();
            farthest = farthest.max(DVec3::new(cos, sin, 0.0).distance(center));
        }
        farthest
    }

    #[test]
    fn caps_are_contained_at_every_angle() {
        for degrees in 0..=180 {
            let angle = f64::from(degrees).to_radians();
            let (center, radius) = sphere_of_cap(DVec3::X, angle);
            assert!(farthest(center, angle) <= radius + 1e-12, "{degrees}");
        }
    }

    #[test]
    fn the_printed_ball_is_too_small_beyond_90_degrees() {
        let angle = 150f64.to_radians();
        let (center, radius) = printed_sphere_of_cap(DVec3::X, angle);
        assert!((radius - 0.5).abs() < 1e-12);
        assert!(farthest(center, angle) > 1.8);
    }
}
