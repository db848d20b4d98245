//! Linear blending of matrices: what linear blend skinning does. Not rigid.

use glam::DAffine3;
use supple::Isometry;

/// `sum w_i M_i`, an affine map that is rigid only if the rotations agree. No transforms give the
/// identity.
pub fn linear(transforms: &[Isometry], weights: &[f64]) -> DAffine3 {
    if transforms.is_empty() || weights.is_empty() {
        return DAffine3::IDENTITY;
    }
    let mut sum = DAffine3::ZERO;
    for (transform, &weight) in transforms.iter().zip(weights) {
        let matrix = transform.to_affine();
        sum.matrix3 += matrix.matrix3 * weight;
        sum.translation += matrix.translation * weight;
    }
    sum
}

#[cfg(test)]
mod tests {
    use glam::{DQuat, DVec3};

    use super::*;

    #[test]
    fn half_a_turn_collapses() {
        // The candy wrapper: halfway between 1 and half a turn about y, x and z vanish.
        let turn = Isometry::from_rotation(DQuat::from_rotation_y(std::f64::consts::PI));
        let blend = linear(&[Isometry::IDENTITY, turn], &[0.5, 0.5]);
        assert!(blend.transform_point3(DVec3::ONE).abs_diff_eq(DVec3::Y, 1e-15));
        assert_eq!(linear(&[], &[]), DAffine3::IDENTITY);
    }
}
