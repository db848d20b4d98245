//! Blending of matrix logarithms: coordinate-invariant, but neither left- nor right-invariant, and no
//! shortest path.
//!
//! Based on: Alexa, Linear Combination of Transformations, 2002; Kavan, Real-time Skeletal Animation, 2007,
//! sections 4.1, 4.4 and A.2.

use supple::Isometry;

use super::twist::Twist;

/// `exp(sum w_i log M_i)` with principal logarithms: needs no pivot, but jumps where a rotation passes half a
/// turn.
pub fn log_matrix(transforms: &[Isometry], weights: &[f64]) -> Isometry {
    let mut sum = Twist::default();
    for (transform, &weight) in transforms.iter().zip(weights) {
        sum = sum + Twist::log(*transform) * weight;
    }
    sum.exp()
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    #[test]
    fn speed_of_the_example_in_appendix_a2() {
        // Rotations about (1,0,0) by 1 and about (1,1,0)/sqrt 2 by sqrt 2: the logarithm of the blend is (1,
        // t, 0).
        let r0 = Isometry::from_rotation(DQuat::from_scaled_axis(DVec3::X));
        let r1 = Isometry::from_rotation(DQuat::from_scaled_axis(DVec3::new(1.0, 1.0, 0.0)));
        for t in [0.1f64, 0.5, 0.9] {
            let at = |t: f64| log_matrix(&[r0, r1], &[1.0 - t, t]).rotation;
            assert!(at(t).abs_diff_eq(DQuat::from_scaled_axis(DVec3::new(1.0, t, 0.0)), 1e-15));
            let step = 1e-5;
            let speed = (at(t - step).conjugate() * at(t + step)).xyz().length() / step;
            let b_sq = 1.0 + t * t;
            // The listing's square root has its sign inside turned round: |w|^2 = (t^4 + t^2 + 2 - 2 cos b) /
            // b^4.
            let wanted = ((t.powi(4) + t * t + 2.0 - 2.0 * b_sq.sqrt().cos()) / (b_sq * b_sq)).sqrt();
            assert!((speed - wanted).abs() < 1e-8, "{t}: {speed} and {wanted}");
        }
    }
}
