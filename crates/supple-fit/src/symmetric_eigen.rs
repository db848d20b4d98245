//! Eigenvalues and eigenvectors of a symmetric matrix of any size.
//!
//! In: the matrix, row by row; only its lower triangle is read. Out: eigenvalues descending, and eigenvectors.
//! Must hold: no random numbers, no threads: same input, same output.
//!
//! Based on: Golub, Van Loan, Matrix Computations, 1996, sections 8.3.1 (Householder tridiagonalisation) and 8.3.3
//! (implicit QR steps).

/// Eigenvalues, largest first, with one unit vector each.
pub(crate) struct Eigen {
    pub values: Vec<f64>,
    pub vectors: Vec<Vec<f64>>,
}

/// `A = sum values_i vectors_i vectors_i^T`.
pub(crate) fn symmetric_eigen(matrix: &[f64], n: usize) -> Eigen {
    let (mut diagonal, mut beside, mut rows) = tridiagonal(matrix, n);
    diagonalise(&mut diagonal, &mut beside, &mut rows);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| diagonal[b].total_cmp(&diagonal[a]));
    let vectors = order.iter().map(|&i| rows[i].clone()).collect();
    Eigen { values: order.iter().map(|&i| diagonal[i]).collect(), vectors }
}

/// `A = Q T Q^T` by reflections. Returns the diagonal of `T`, what is beside it, and the rows of `Q^T`.
fn tridiagonal(matrix: &[f64], n: usize) -> (Vec<f64>, Vec<f64>, Vec<Vec<f64>>) {
    let at = |i: usize, j: usize| matrix[i.max(j) * n + i.min(j)];
    let mut a: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| at(i, j)).collect()).collect();
    // Reflections are `1 - 2 v v^T` with unit v; `None` where a column is done already.
    let mut mirrors: Vec<Option<Vec<f64>>> = Vec::new();
    for k in 0..n.saturating_sub(2) {
        let mut v: Vec<f64> = (0..n).map(|i| if i > k { a[k][i] } else { 0.0 }).collect();
        let length = norm(&v);
        if v[k + 2..].iter().all(|&x| x == 0.0) {
            mirrors.push(None);
            continue;
        }
        v[k + 1] += length.copysign(v[k + 1]);
        let size = norm(&v);
        v.iter_mut().for_each(|x| *x /= size);
        // With p = A v and c = v.p: (1 - 2vv^T) A (1 - 2vv^T) = A - 2 v (p - c v)^T - 2 (p - c v) v^T.
        let p: Vec<f64> = a.iter().map(|row| dot(row, &v)).collect();
        let c = dot(&p, &v);
        let w: Vec<f64> = p.iter().zip(&v).map(|(p, v)| 2.0 * (p - c * v)).collect();
        for i in k..n {
            let (vi, wi) = (v[i], w[i]);
            for j in k..n {
                a[i][j] -= vi * w[j] + wi * v[j];
            }
        }
        mirrors.push(Some(v));
    }
    // Q = H_0 H_1 ...; its transpose is built from the last to the first: Q^T = ... H_1 H_0.
    let mut rows: Vec<Vec<f64>> =
        (0..n).map(|i| (0..n).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for row in &mut rows {
        for v in mirrors.iter().rev().flatten() {
            let c = 2.0 * dot(row, v);
            row.iter_mut().zip(v).for_each(|(x, v)| *x -= c * v);
        }
    }
    let beside = (1..n).map(|i| a[i][i - 1]).chain([0.0]).collect();
    ((0..n).map(|i| a[i][i]).collect(), beside, rows)
}

/// Implicit QR steps with Wilkinson's shift until nothing is left beside the diagonal; rows turn into eigenvectors.
fn diagonalise(diagonal: &mut [f64], beside: &mut [f64], rows: &mut [Vec<f64>]) {
    let n = diagonal.len();
    let mut end = n.saturating_sub(1);
    // A handful of steps per value is usual; the limit only keeps numbers that are not finite from looping.
    let mut steps_left = 60 * n;
    while end > 0 && steps_left > 0 {
        let negligible =
            |i: usize, d: &[f64], b: &[f64]| b[i].abs() <= f64::EPSILON * (d[i].abs() + d[i + 1].abs());
        if negligible(end - 1, diagonal, beside) {
            beside[end - 1] = 0.0;
            end -= 1;
            continue;
        }
        let mut start = end - 1;
        while start > 0 && !negligible(start - 1, diagonal, beside) {
            start -= 1;
        }
        steps_left -= 1;
        qr_step(diagonal, beside, rows, start, end);
    }
}

fn qr_step(d: &mut [f64], b: &mut [f64], rows: &mut [Vec<f64>], start: usize, end: usize) {
    let half = 0.5 * (d[end - 1] - d[end]);
    let shift = d[end] - b[end - 1] * b[end - 1] / (half + half.hypot(b[end - 1]).copysign(half));
    let (mut x, mut z) = (d[start] - shift, b[start]);
    for k in start..end {
        let length = x.hypot(z);
        let (c, s) = if length == 0.0 { (1.0, 0.0) } else { (x / length, z / length) };
        if k > start {
            b[k - 1] = length;
        }
        let (p, q, r) = (d[k], d[k + 1], b[k]);
        d[k] = c * c * p + 2.0 * c * s * r + s * s * q;
        d[k + 1] = s * s * p - 2.0 * c * s * r + c * c * q;
        b[k] = c * s * (q - p) + (c * c - s * s) * r;
        if k + 1 < end {
            (x, z) = (b[k], s * b[k + 1]);
            b[k + 1] *= c;
        }
        let (upper, lower) = rows.split_at_mut(k + 1);
        for (u, l) in upper[k].iter_mut().zip(&mut lower[0]) {
            (*u, *l) = (c * *u + s * *l, c * *l - s * *u);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(matrix: &[f64], n: usize) {
        let eigen = symmetric_eigen(matrix, n);
        let size = matrix.iter().fold(0.0f64, |m, x| m.max(x.abs())).max(1e-300);
        assert!(eigen.values.windows(2).all(|w| w[0] >= w[1]));
        for i in 0..n {
            for j in 0..n {
                let product = dot(&eigen.vectors[i], &eigen.vectors[j]);
                assert!((product - f64::from(u8::from(i == j))).abs() < 1e-12, "{n}: {i} {j} {product}");
                let sum: f64 =
                    (0..n).map(|k| eigen.values[k] * eigen.vectors[k][i] * eigen.vectors[k][j]).sum();
                let wanted = matrix[i.max(j) * n + i.min(j)];
                assert!((sum - wanted).abs() < 1e-12 * size * n as f64, "{n}: {i} {j} {sum} {wanted}");
            }
        }
    }

    #[test]
    fn products_are_the_matrix() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
        };
        for n in [1, 2, 3, 4, 7, 40] {
            let matrix: Vec<f64> = (0..n * n).map(|_| random()).collect();
            check(&matrix, n);
            // Rank 2, and diagonal.
            let (a, b): (Vec<f64>, Vec<f64>) = (0..n).map(|_| (random(), random())).unzip();
            let low: Vec<f64> = (0..n * n).map(|e| a[e / n] * a[e % n] - b[e / n] * b[e % n]).collect();
            check(&low, n);
            let diagonal: Vec<f64> =
                (0..n * n).map(|e| if e / n == e % n { (e % 3) as f64 } else { 0.0 }).collect();
            check(&diagonal, n);
        }
        check(&[0.0; 16], 4);
    }
}
