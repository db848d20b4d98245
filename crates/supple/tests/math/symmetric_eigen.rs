//! Eigenvalues and vectors: they make the matrix again.

use glam::{DMat3, DVec3};
use proptest::prelude::*;
use supple::math::SymmetricEigen;

fn check(matrix: DMat3) {
    let eigen = SymmetricEigen::new(matrix);
    let scale = matrix.to_cols_array().iter().fold(f64::MIN_POSITIVE, |m, x| m.max(x.abs()));
    let rebuilt = eigen.vectors * DMat3::from_diagonal(eigen.values) * eigen.vectors.transpose();
    assert!(rebuilt.abs_diff_eq(matrix, 1e-14 * scale), "{matrix} became {rebuilt}");
    assert!((eigen.vectors.transpose() * eigen.vectors).abs_diff_eq(DMat3::IDENTITY, 1e-14));
    assert!((eigen.vectors.determinant() - 1.0).abs() < 1e-14);
    assert!(eigen.values.x >= eigen.values.y && eigen.values.y >= eigen.values.z);
}

fn symmetric(d: [f64; 6]) -> DMat3 {
    DMat3::from_cols_array(&[d[0], d[1], d[2], d[1], d[3], d[4], d[2], d[4], d[5]])
}

#[test]
fn special_spectra() {
    check(DMat3::ZERO);
    check(DMat3::IDENTITY);
    check(DMat3::from_diagonal(DVec3::new(1.0, 3.0, 2.0)));
    check(symmetric([1.0, 1.0, 1.0, 1.0, 1.0, 1.0]));
    check(symmetric([0.0, 1.0, 0.0, 0.0, 0.0, 0.0]));
    check(symmetric([1e200, 1e190, 3e180, 1e195, -1e199, 5e199]));
    check(symmetric([1e-200, 1e-210, 3e-190, 1e-195, -1e-199, 5e-199]));
    check(symmetric([1.0, 1e-9, 1e-12, 1.0, 1e-15, 1.0]));
}

proptest! {
    #[test]
    fn random_matrices(d in proptest::array::uniform6(-10.0..10.0f64)) {
        check(symmetric(d));
    }
}
