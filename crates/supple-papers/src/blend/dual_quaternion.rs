//! Blending of dual quaternions: DLB in closed form, DIB by iteration, ScLERP between two.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, section 4.3.

use supple::Isometry;
use supple::math::DualQuat;

use super::screw::ScrewAlgebra;
use super::{SINGULAR_LENGTH, heaviest};

/// Dual quaternion linear blending: `sum w_i q_i`, normalised, signs aligned with the first.
pub fn dlb(transforms: &[Isometry], weights: &[f64]) -> Isometry {
    match linear_sum(transforms, weights) {
        Some(blend) => blend.to_isometry(),
        None => heaviest(transforms, weights),
    }
}

/// What [`dib`] found, and how fast.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dib {
    /// The blended transform.
    pub blend: Isometry,
    /// Number of corrections that were applied to the start value.
    pub iterations: usize,
    /// Length of the last correction computed: at most the precision asked for, unless the iteration limit
    /// came first.
    pub residual: f64,
}

/// Dual quaternion iterative blending (algorithm 4.1): starts at [`dlb`], then repeats `x = sum w_i log(b*
/// q_i)`, `b = b exp(x)` until `|x| <= precision` or `max_iterations` corrections were applied.
///
/// `|x|` is the Euclidean length of the six numbers of `x`: half radians, and half units of translation.
pub fn dib(transforms: &[Isometry], weights: &[f64], precision: f64, max_iterations: usize) -> Dib {
    let Some(mut b) = linear_sum(transforms, weights) else {
        return Dib { blend: heaviest(transforms, weights), iterations: 0, residual: 0.0 };
    };
    let mut iterations = 0;
    loop {
        let mut x = DualQuat::ZERO;
        for (q, weight) in aligned(transforms, weights) {
            x = x + (b.conjugate() * q).log() * weight;
        }
        let residual = x.real.length().hypot(x.dual.length());
        if residual <= precision || iterations == max_iterations {
            return Dib { blend: b.to_isometry(), iterations, residual };
        }
        b = (b * x.exp()).normalized();
        iterations += 1;
    }
}

/// Screw linear interpolation: `a (a* b)^t`, the screw motion from `a` (at 0) to `b` (at 1), the short way
/// round.
pub fn sclerp(t: f64, a: Isometry, b: Isometry) -> Isometry {
    let a = DualQuat::from_isometry(a);
    let relative = a.conjugate() * DualQuat::from_isometry(b);
    let relative = if relative.real.w < 0.0 { -relative } else { relative };
    (a * relative.powf(t)).to_isometry()
}

/// The normalised sum of the aligned dual quaternions; None if it has no direction.
fn linear_sum(transforms: &[Isometry], weights: &[f64]) -> Option<DualQuat> {
    let mut sum = DualQuat::ZERO;
    for (q, weight) in aligned(transforms, weights) {
        sum = sum + q * weight;
    }
    (sum.real.length() >= SINGULAR_LENGTH).then(|| sum.normalized())
}

/// Dual quaternions on the side of the first one, with their weights.
fn aligned<'a>(transforms: &'a [Isometry], weights: &'a [f64]) -> impl Iterator<Item = (DualQuat, f64)> + 'a {
    transforms.iter().zip(weights).map(|(transform, &weight)| {
        let q = DualQuat::from_isometry(*transform);
        let same_side = transforms[0].rotation.dot(transform.rotation) >= 0.0;
        (if same_side { q } else { -q }, weight)
    })
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    #[test]
    fn sclerp_is_a_screw() {
        // Half of a turn by 2 about the vertical through (1, 0, 0) while rising by 4.
        let axis = Isometry::from_translation(DVec3::X);
        let screw = |angle, rise| {
            axis * Isometry::new(DQuat::from_rotation_y(angle), DVec3::Y * rise) * axis.inverse()
        };
        let half = sclerp(0.5, Isometry::IDENTITY, screw(2.0, 4.0));
        assert!(half.to_affine().abs_diff_eq(screw(1.0, 2.0).to_affine(), 1e-14));
    }

    #[test]
    fn antipodal_sum_takes_the_heaviest() {
        let half = Isometry::from_rotation(DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
        let back = Isometry::new(DQuat::from_xyzw(-1.0, 0.0, 0.0, 0.0), DVec3::Y);
        let (transforms, weights) = ([Isometry::IDENTITY, half, back], [0.0, 0.5, 0.5]);
        assert_eq!(dlb(&transforms, &weights), half);
        assert_eq!(dib(&transforms, &weights, 1e-12, 10).blend, half);
        assert_eq!(dlb(&[], &[]), Isometry::IDENTITY);
        assert_eq!(dib(&[], &[], 1e-12, 10).blend, Isometry::IDENTITY);
    }

    #[test]
    fn pure_translations_blend_linearly() {
        let transforms = [1.0, 2.0, 6.0].map(|x| Isometry::from_translation(DVec3::X * x));
        let weights = [0.5, 0.25, 0.25];
        assert!(dlb(&transforms, &weights).translation.abs_diff_eq(DVec3::X * 2.5, 1e-15));
        let iterated = dib(&transforms, &weights, 1e-12, 10);
        assert!(iterated.blend.translation.abs_diff_eq(DVec3::X * 2.5, 1e-15));
        assert_eq!(iterated.iterations, 0);
    }

    #[test]
    fn iteration_limit_is_kept() {
        let transforms = [0.1, 1.0, 2.0].map(|a| Isometry::new(DQuat::from_rotation_z(a), DVec3::ONE * a));
        let after = |limit| dib(&transforms, &[0.2, 0.5, 0.3], 0.0, limit);
        for limit in 0..4 {
            assert_eq!(after(limit).iterations, limit);
            assert!(after(limit + 1).residual < after(limit).residual * 0.2, "no progress at {limit}");
        }
    }
}
