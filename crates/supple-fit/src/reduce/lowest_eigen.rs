//! The lowest vibrations: `K x = lambda M x` for the smallest `lambda`, with a diagonal `M`.
//!
//! In: a way to solve `(K + shift M) y = b`, masses, and motions that are to be left out because they cost nothing. Out: eigenvalues
//! ascending, with vectors for which `x^T M x = 1`.
//!
//! The largest eigenvalues `theta = 1 / (lambda + shift)` of `A = (K + shift M)^-1 M` are found in the span of `V, A V, A^2 V ...` for
//! a block `V` of random vectors (block Lanczos; every vector is made orthogonal to all before it, twice, so none is found twice, and as many
//! equal eigenvalues are found as a block has vectors). With `A V = V T + R`, an eigenvector `s` of `T` gives `x = V s`, and what is left
//! of `A x - theta x` is the part of `R` at the last block.
//!
//! Must hold: vectors are orthogonal to those left out; no clock, fixed seed, no dependence on the number of threads.
//!
//! Based on: R. G. Grimes, J. G. Lewis, H. D. Simon, A Shifted Block Lanczos Algorithm for Solving Sparse Symmetric Generalized
//! Eigenproblems, 1994 (without its selective orthogonalisation, which pays for thousands of vectors).

use rayon::prelude::*;

use crate::symmetric_eigen::symmetric_eigen;

/// Vectors of a block: symmetric things have pairs and triples of equal frequencies.
const BLOCK: usize = 6;

/// What may be left of `A x - theta x`, relative to `theta`. Eigenvalues are then right to its square.
const TOLERANCE: f64 = 1e-9;

/// An eigenvalue with its vector.
pub(super) struct Vibration {
    pub lambda: f64,
    pub vector: Vec<f64>,
}

/// The `count` lowest; none if they are not reached with as many vectors as it could sensibly take.
pub(super) fn lowest(
    count: usize,
    masses: &[f64],
    left_out: &[Vec<f64>],
    shift: f64,
    solve: impl Fn(&mut [f64]) + Sync,
) -> Option<Vec<Vibration>> {
    let metric = Metric { masses };
    let mut fixed: Vec<Vec<f64>> = Vec::new();
    for motion in left_out {
        fixed.extend(metric.fresh(motion.clone(), &[&fixed]));
    }
    let available = masses.len() - fixed.len();
    let most = available.min(20 * count + 300);
    let mut random = Random::default();
    let mut basis: Vec<Vec<f64>> = Vec::new();
    let mut rows: Vec<Vec<f64>> = Vec::new();
    let mut rest: Vec<Vec<f64>> = Vec::new();
    loop {
        let block = next_block(rest, &metric, &fixed, &basis, available, &mut random);
        let first = basis.len();
        if block.is_empty() {
            return None;
        }
        basis.extend(block);
        let image = |vector: &Vec<f64>| {
            let mut image: Vec<f64> = vector.iter().zip(masses).map(|(x, mass)| x * mass).collect();
            solve(&mut image);
            metric.remove(&mut image, &fixed);
            let coefficients = metric.remove(&mut image, &basis);
            (coefficients, image)
        };
        let images: Vec<(Vec<f64>, Vec<f64>)> = basis[first..].par_iter().map(image).collect();
        let (coefficients, left): (Vec<_>, Vec<_>) = images.into_iter().unzip();
        rows.extend(coefficients);
        let n = basis.len();
        let at = |row: &Vec<f64>| (0..n).map(|i| row.get(i).copied().unwrap_or(0.0)).collect::<Vec<f64>>();
        let eigen = symmetric_eigen(&rows.iter().flat_map(at).collect::<Vec<f64>>(), n);
        let is_settled = |i: usize| {
            let residual = combination(&left, &eigen.vectors[i][first..]);
            metric.norm(&residual) <= TOLERANCE * eigen.values[i]
        };
        if n == available || (n >= count && (0..count).all(is_settled)) {
            let vibration = |i: usize| Vibration {
                lambda: 1.0 / eigen.values[i] - shift,
                vector: combination(&basis, &eigen.vectors[i]),
            };
            return Some((0..count.min(n)).map(vibration).collect());
        }
        if n >= most {
            return None;
        }
        rest = left;
    }
}

/// Orthonormal vectors to go on with: what is left, and random ones where nothing is.
fn next_block(
    rest: Vec<Vec<f64>>,
    metric: &Metric,
    fixed: &[Vec<f64>],
    basis: &[Vec<f64>],
    available: usize,
    random: &mut Random,
) -> Vec<Vec<f64>> {
    let wanted = BLOCK.min(available - basis.len());
    let mut block: Vec<Vec<f64>> = Vec::new();
    let mut left = rest.into_iter();
    // Random vectors are new ones, unless numbers are not finite.
    for _ in 0..left.len() + 2 * wanted {
        if block.len() == wanted {
            break;
        }
        let vector = left.next().unwrap_or_else(|| metric.masses.iter().map(|_| random.next()).collect());
        block.extend(metric.fresh(vector, &[fixed, basis, &block]));
    }
    block
}

fn combination(vectors: &[Vec<f64>], factors: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; vectors.first().map_or(0, Vec::len)];
    for (vector, factor) in vectors.iter().zip(factors) {
        sum.iter_mut().zip(vector).for_each(|(sum, x)| *sum += factor * x);
    }
    sum
}

/// Products weighted by masses.
struct Metric<'a> {
    masses: &'a [f64],
}

impl Metric<'_> {
    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(self.masses).map(|((a, b), mass)| a * b * mass).sum()
    }

    fn norm(&self, a: &[f64]) -> f64 {
        self.dot(a, a).sqrt()
    }

    /// Takes from a vector what is along others, which are orthonormal; twice, because rounding leaves some. How much that was.
    fn remove(&self, vector: &mut [f64], others: &[Vec<f64>]) -> Vec<f64> {
        let mut removed = vec![0.0; others.len()];
        for _ in 0..2 {
            for (other, sum) in others.iter().zip(&mut removed) {
                let along = self.dot(vector, other);
                vector.iter_mut().zip(other).for_each(|(x, o)| *x -= along * o);
                *sum += along;
            }
        }
        removed
    }

    /// The direction of a vector that others do not have, if it is more than rounding.
    fn fresh(&self, mut vector: Vec<f64>, others: &[&[Vec<f64>]]) -> Option<Vec<f64>> {
        let before = self.norm(&vector);
        others.iter().for_each(|others| _ = self.remove(&mut vector, others));
        let after = self.norm(&vector);
        if after.is_nan() || after <= 1e-10 * before {
            return None;
        }
        vector.iter_mut().for_each(|x| *x /= after);
        // What was small beside the others has lost digits.
        others.iter().for_each(|others| _ = self.remove(&mut vector, others));
        Some(vector)
    }
}

/// Numbers from -1/2 to 1/2.
#[derive(Default)]
struct Random {
    state: u64,
}

impl Random {
    fn next(&mut self) -> f64 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.state >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }
}
