//! LSQR: `min |A x - b|^2 + damping |x|^2` for a matrix that is only known by its products.
//!
//! Must hold: agrees with the normal equations where those are not at the end of f64.
//!
//! Based on: C. C. Paige, M. A. Saunders, LSQR: An Algorithm for Sparse Linear Equations and Sparse Least Squares,
//! 1982.

use crate::skyline::dot;

/// A matrix.
pub(crate) trait Product {
    /// Number of unknowns.
    fn columns(&self) -> usize;
    /// `y += A x`.
    fn add_product(&self, x: &[f64], y: &mut [f64]);
    /// `x += A^T y`.
    fn add_transposed_product(&self, y: &[f64], x: &mut [f64]);
}

/// Iterations end where the gradient is this small a part of what it can be, or after the limit.
const TOLERANCE: f64 = 1e-14;
const ITERATIONS_PER_UNKNOWN: usize = 20;

/// The solution with the smallest norm, to [`TOLERANCE`].
pub(crate) fn lsqr(a: &impl Product, b: &[f64], damping: f64) -> Vec<f64> {
    let n = a.columns();
    let damp = damping.sqrt();
    let mut x = vec![0.0; n];
    // Golub-Kahan bidiagonalisation: beta u = A v - alpha u, alpha v = A^T u - beta v.
    let mut u = b.to_vec();
    let mut beta = normalise(&mut u);
    let mut v = vec![0.0; n];
    a.add_transposed_product(&u, &mut v);
    let mut alpha = normalise(&mut v);
    let mut w = v.clone();
    let (mut phi_bar, mut rho_bar) = (beta, alpha);
    let mut size_sq = 0.0;
    for _ in 0..ITERATIONS_PER_UNKNOWN * n {
        if alpha == 0.0 || phi_bar == 0.0 {
            break;
        }
        u.iter_mut().for_each(|u| *u *= -alpha);
        a.add_product(&v, &mut u);
        beta = normalise(&mut u);
        size_sq += alpha * alpha + beta * beta + damping;
        v.iter_mut().for_each(|v| *v *= -beta);
        a.add_transposed_product(&u, &mut v);
        alpha = normalise(&mut v);
        // Two rotations: one takes the damping away, one makes the bidiagonal matrix triangular.
        let damped = rho_bar.hypot(damp);
        phi_bar *= rho_bar / damped;
        let rho = damped.hypot(beta);
        let (c, s) = (damped / rho, beta / rho);
        let (theta, phi) = (s * alpha, c * phi_bar);
        rho_bar = -c * alpha;
        phi_bar *= s;
        for i in 0..n {
            x[i] += phi / rho * w[i];
            w[i] = v[i] - theta / rho * w[i];
        }
        // |A^T r| = |phi_bar alpha c|, compared with |A| |r|.
        if alpha * c <= TOLERANCE * size_sq.sqrt() {
            break;
        }
    }
    x
}

/// Divides by the length, unless that is 0, and returns it.
fn normalise(v: &mut [f64]) -> f64 {
    let length = dot(v, v).sqrt();
    if length > 0.0 {
        v.iter_mut().for_each(|x| *x /= length);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Full(Vec<Vec<f64>>);

    impl Product for Full {
        fn columns(&self) -> usize {
            self.0[0].len()
        }
        fn add_product(&self, x: &[f64], y: &mut [f64]) {
            self.0.iter().zip(y).for_each(|(row, y)| *y += dot(row, x));
        }
        fn add_transposed_product(&self, y: &[f64], x: &mut [f64]) {
            for (row, y) in self.0.iter().zip(y) {
                row.iter().zip(&mut *x).for_each(|(a, x)| *x += a * y);
            }
        }
    }

    #[test]
    fn the_gradient_vanishes() {
        let row = |i: usize| (0..7).map(|j| ((i * i * 13 + j * 29 + i * j * 5) as f64).sin()).collect();
        let a = Full((0..20).map(row).collect());
        let b: Vec<f64> = (0..20).map(|i| (i as f64).cos()).collect();
        for damping in [0.0, 0.1, 10.0] {
            let x = lsqr(&a, &b, damping);
            let mut residual: Vec<f64> = b.iter().map(|b| -b).collect();
            a.add_product(&x, &mut residual);
            let mut gradient: Vec<f64> = x.iter().map(|x| damping * x).collect();
            a.add_transposed_product(&residual, &mut gradient);
            assert!(gradient.iter().all(|g| g.abs() < 1e-11), "{damping}: {gradient:?}");
        }
        // A zero right side, and a matrix of rank 1: the smallest solution.
        assert_eq!(lsqr(&a, &[0.0; 20], 0.0), [0.0; 7]);
        let x = lsqr(&Full(vec![vec![1.0, 1.0]; 3]), &[2.0; 3], 0.0);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14, "{x:?}");
    }
}
