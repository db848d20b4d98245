//! Quaternion linear blending, and spherical blending: the same about the rotation center of the joint-set.
//!
//! Based on: Kavan, Real-time Skeletal Animation, 2007, sections 3.1 to 3.3.

use glam::{DQuat, DVec3};
use supple::Isometry;
use supple::math::rotation_center;

use super::{SINGULAR_LENGTH, heaviest};

/// Spherical blending: [`spherical_about`] the transforms' own [`rotation_center()`].
pub fn spherical(transforms: &[Isometry], weights: &[f64]) -> Isometry {
    spherical_about(rotation_center(transforms), transforms, weights)
}

/// Blending about a given center: `v -> Q (v - c) + sum w_i C_i c` (formula 3.7), `Q` by [`qlb`].
///
/// The center depends on the transforms only, so vertices with other weights on the same joints share it.
pub fn spherical_about(center: DVec3, transforms: &[Isometry], weights: &[f64]) -> Isometry {
    let rotation = qlb(transforms, weights);
    let mut moved_center = DVec3::ZERO;
    for (transform, &weight) in transforms.iter().zip(weights) {
        moved_center += transform.transform_point(center) * weight;
    }
    Isometry { rotation, translation: moved_center - rotation * center }
}

/// QLB'_0: rotations by [`qlb`], translations linearly; the same as spherical blending about the origin.
pub fn qlb0(transforms: &[Isometry], weights: &[f64]) -> Isometry {
    spherical_about(DVec3::ZERO, transforms, weights)
}

/// Quaternion linear blending of the rotations: `sum w_i q_i`, normalised, signs aligned with the first.
pub fn qlb(transforms: &[Isometry], weights: &[f64]) -> DQuat {
    let mut sum = DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0);
    for (transform, &weight) in transforms.iter().zip(weights) {
        let same_side = transforms[0].rotation.dot(transform.rotation) >= 0.0;
        sum += transform.rotation * if same_side { weight } else { -weight };
    }
    if sum.length() < SINGULAR_LENGTH {
        return heaviest(transforms, weights).rotation;
    }
    sum.normalize()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halfway_between_two_rotations_about_a_joint() {
        // An elbow at (2, 0, 0) that bends by 90 degrees: halfway the joint stays and the arm points at 45
        // degrees.
        let elbow = Isometry::from_translation(DVec3::new(2.0, 0.0, 0.0));
        let bend = elbow * Isometry::from_rotation(DQuat::from_rotation_z(1.5)) * elbow.inverse();
        let blend = spherical(&[Isometry::IDENTITY, bend], &[0.5, 0.5]);
        assert!(blend.transform_point(elbow.translation).abs_diff_eq(elbow.translation, 1e-14));
        let hand = DVec3::new(3.0, 0.0, 0.0);
        let wanted = elbow.translation + DVec3::new(0.75f64.cos(), 0.75f64.sin(), 0.0);
        assert!(blend.transform_point(hand).abs_diff_eq(wanted, 1e-14));
    }

    #[test]
    fn antipodal_sum_takes_the_heaviest() {
        // Both are half a turn and at right angles to the pivot, which has no weight; their sum vanishes.
        let pivot = Isometry::IDENTITY;
        let half = Isometry::from_rotation(DQuat::from_xyzw(1.0, 0.0, 0.0, 0.0));
        let back = Isometry::new(DQuat::from_xyzw(-1.0, 0.0, 0.0, 0.0), DVec3::Y);
        assert_eq!(qlb(&[pivot, half, back], &[0.0, 0.5, 0.5]), half.rotation);
        let blend = spherical(&[pivot, half, back], &[0.0, 0.5, 0.5]);
        assert!(blend.rotation.is_finite() && blend.translation.is_finite());
        assert_eq!(qlb(&[], &[]), DQuat::IDENTITY);
    }
}
