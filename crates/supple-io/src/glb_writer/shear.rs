//! Any affine matrix as a product of transforms that glTF allows.
//!
//! In: a matrix. Out: one transform where it is made of translation, rotation and scale, otherwise two.
//! Must hold: the product of the transforms is the matrix, to f32 precision of each factor.
//!
//! Based on: Golub, Van Loan, Matrix Computations, 1996, section 2.5 (singular value decomposition).

use glam::{DAffine3, DMat3, DQuat, DVec3};
use supple::Transform;
use supple::math::SymmetricEigen;
use supple::pose::Node;

/// `matrix = first` or `matrix = first * second`.
pub(super) fn factors(matrix: DAffine3) -> Vec<Transform> {
    let node = Node::from_matrix("", None, matrix);
    if node.offset.is_none() {
        return vec![node.rest];
    }
    let (u, scale, v) = singular_values(matrix.matrix3);
    let first = Transform {
        translation: matrix.translation.as_vec3(),
        rotation: DQuat::from_mat3(&u).as_quat(),
        scale: scale.as_vec3(),
    };
    vec![first, Transform::from_rotation(DQuat::from_mat3(&v.transpose()).as_quat())]
}

/// `M = U diag(s) V^T` with rotations `U` and `V`; the last of `s` carries the sign of the determinant.
///
/// `M^T M = V diag(s^2) V^T`, `u_i = M v_i / s_i`, `u_2 = u_0 x u_1`.
fn singular_values(m: DMat3) -> (DMat3, DVec3, DMat3) {
    // Scaled to 1 so that squares neither overflow nor vanish.
    let size = m.to_cols_array().iter().fold(0.0f64, |s, x| s.max(x.abs()));
    if size == 0.0 {
        return (DMat3::IDENTITY, DVec3::ZERO, DMat3::IDENTITY);
    }
    let unit = m * (1.0 / size);
    let v = SymmetricEigen::new(unit.transpose() * unit).vectors;
    let u0 = (unit * v.x_axis).normalize();
    let second = unit * v.y_axis;
    // A flat matrix leaves the second axis open.
    let u1 = second.reject_from_normalized(u0).try_normalize().unwrap_or(u0.any_orthonormal_vector());
    let u2 = u0.cross(u1);
    let scale = DVec3::new(u0.dot(unit * v.x_axis), u1.dot(second), u2.dot(unit * v.z_axis)) * size;
    (DMat3::from_cols(u0, u1, u2), scale, v)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_the_matrix() {
        let cases = [
            [1., 0., 0., 0.5, 1., 0., 0., 0., 1., 1., 2., 3.],
            [1., 2., 3., 4., 5., -6., 7., 8., 9., 0., 0., 0.],
            [1., 2., 3., 2., 4., 6.5, 3., 6., 9.5, 0., 1., 0.],
            [0., 2., 0., 1., 0., 0., 0.3, 0., 1., 5., 5., 5.],
            [1e-9, 1e-9, 0., 0., 1e-9, 0., 0., 0., 1e-9, 0., 0., 0.],
        ];
        for case in cases {
            let matrix = DAffine3::from_cols_array(&case);
            let product = factors(matrix).iter().fold(DAffine3::IDENTITY, |m, t| m * t.matrix());
            let size = case.iter().fold(0.0f64, |s, x| s.max(x.abs()));
            assert!(product.abs_diff_eq(matrix, 1e-6 * size), "{case:?}: {product:?}");
        }
    }

    #[test]
    fn plain_matrices_stay_one_transform() {
        assert_eq!(
            factors(DAffine3::from_translation(DVec3::X)),
            [Transform::from_translation(glam::Vec3::X)]
        );
        assert_eq!(factors(DAffine3::from_scale(DVec3::new(1.0, -2.0, 1.0))).len(), 1);
    }
}
