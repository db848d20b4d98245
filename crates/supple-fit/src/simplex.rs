//! Convex weights by least squares: `min w^T H w` with `w >= 0` and `sum w = 1`.
//!
//! In: a symmetric, positive semidefinite `H`; with `h_i` what is wrong where joint `i` alone moves a vertex, `H_ij =
//! sum_frames h_i.h_j`.
//! Must hold: the answer is the minimum to working precision (all conditions of Karush, Kuhn and Tucker), so never
//! worse than any start.
//!
//! Based on: P. Wolfe, Finding the Nearest Point in a Polytope, 1976.

/// The weights, one per row of `H`; a vertex has a dozen joints at most, so the simplest way to solve is the best.
pub(crate) fn convex_weights(h: &[Vec<f64>]) -> Vec<f64> {
    let n = h.len();
    let size = (0..n).map(|i| h[i][i]).fold(0.0, f64::max);
    let mut w = vec![0.0; n];
    // The best single one is in; each turn brings the one in that helps most, and leaves those out that would become
    // negative.
    let best = (0..n).reduce(|a, b| if h[b][b] < h[a][a] { b } else { a }).unwrap_or(0);
    w[best] = 1.0;
    let mut inside = vec![best];
    for _ in 0..10 * n {
        let gradient: Vec<f64> = (0..n).map(|i| (0..n).map(|j| h[i][j] * w[j]).sum()).collect();
        let value: f64 = w.iter().zip(&gradient).map(|(w, g)| w * g).sum();
        let outside = (0..n).filter(|i| !inside.contains(i));
        let Some(next) = outside.reduce(|a, b| if gradient[b] < gradient[a] { b } else { a }) else { break };
        if gradient[next] >= value - 1e-12 * size {
            break;
        }
        inside.push(next);
        settle(h, size, &mut w, &mut inside);
    }
    w
}

/// Moves to the minimum over those inside, which loses all that would become negative.
fn settle(h: &[Vec<f64>], size: f64, w: &mut [f64], inside: &mut Vec<usize>) {
    while inside.len() > 1 {
        // H y = 1 on those inside; the minimum with sum 1 is y divided by its sum.
        let y = solved(h, size, inside);
        let sum: f64 = y.iter().sum();
        let wanted: Vec<f64> = y.iter().map(|y| y / sum).collect();
        if !wanted.iter().all(|w| w.is_finite()) {
            return;
        }
        let step = |(&i, &to): (&usize, &f64)| if to < 0.0 { w[i] / (w[i] - to) } else { 1.0 };
        let part = inside.iter().zip(&wanted).map(step).fold(1.0, f64::min);
        for (&i, &to) in inside.iter().zip(&wanted) {
            w[i] += part * (to - w[i]);
        }
        if part >= 1.0 {
            return;
        }
        let left_out = |(&i, &to): (&usize, &f64)| to < 0.0 && w[i] <= 1e-15;
        let out: Vec<usize> = inside.iter().zip(&wanted).filter(|&p| left_out(p)).map(|(&i, _)| i).collect();
        if out.is_empty() {
            return;
        }
        out.iter().for_each(|&i| w[i] = 0.0);
        inside.retain(|i| !out.contains(i));
    }
    if let [only] = inside[..] {
        w[only] = 1.0;
    }
}

/// Gaussian elimination with pivots, of `H y = 1` with a little on the diagonal for joints that move alike.
fn solved(h: &[Vec<f64>], size: f64, inside: &[usize]) -> Vec<f64> {
    let n = inside.len();
    let row = |i: usize| {
        let entry =
            |j: usize| h[inside[i]][inside[j]] + if i == j { 1e-10 * size + f64::MIN_POSITIVE } else { 0.0 };
        (0..n).map(entry).chain([1.0]).collect::<Vec<f64>>()
    };
    let mut rows: Vec<Vec<f64>> = (0..n).map(row).collect();
    for k in 0..n {
        let pivot = (k..n).fold(k, |best, i| if rows[i][k].abs() > rows[best][k].abs() { i } else { best });
        rows.swap(k, pivot);
        let (done, below) = rows.split_at_mut(k + 1);
        for row in below {
            let factor = row[k] / done[k][k];
            row.iter_mut().zip(&done[k]).for_each(|(x, p)| *x -= factor * p);
        }
    }
    let mut y = vec![0.0; n];
    for k in (0..n).rev() {
        let known: f64 = (k + 1..n).map(|j| rows[k][j] * y[j]).sum();
        y[k] = (rows[k][n] - known) / rows[k][k];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_other_weights_are_better() {
        let mut state = 7u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 40) as f64 / (1u64 << 24) as f64 - 0.3
        };
        for n in [1, 2, 3, 6, 9] {
            for _ in 0..50 {
                let columns: Vec<Vec<f64>> = (0..n).map(|_| (0..6).map(|_| random()).collect()).collect();
                let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
                let h: Vec<Vec<f64>> =
                    columns.iter().map(|a| columns.iter().map(|b| dot(a, b)).collect()).collect();
                let w = convex_weights(&h);
                assert!(w.iter().all(|&w| w >= 0.0) && (w.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{w:?}");
                let gradient: Vec<f64> = h.iter().map(|row| dot(row, &w)).collect();
                let value = dot(&gradient, &w);
                assert!(gradient.iter().all(|&g| g >= value - 1e-6), "{n}: {w:?} {gradient:?} {value}");
            }
        }
        // Two that are the same.
        let w = convex_weights(&[vec![1.0, 1.0], vec![1.0, 1.0]]);
        assert!((w[0] + w[1] - 1.0).abs() < 1e-12);
    }
}
