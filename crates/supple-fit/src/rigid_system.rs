//! Linear least squares in the dual quaternions of all joints: sums over vertices, and their solution.
//!
//! A vertex contributes a residual `e_k` and its change with the blended dual quaternion, `B_k` (3 x 8); a joint has
//! `N` unknowns that change its dual quaternion by `T_i x_i` (8 x N). Minimised is
//!
//! ```text
//! sum_k | e_k + B_k sum_i w_ki T_i x_i |^2  +  damping |x|^2
//! ```
//!
//! Must hold: both solvers minimise the same. The direct one sums `w_i w_j B_k^T B_k` over vertices for every pair of
//! joints that meet in one, and applies `T` once per pair: a third of the work of summing products of `B T`.

use glam::DVec3;

use crate::Solver;
use crate::blending::Blending;
use crate::dual_blend::Eight;
use crate::lsqr::{Product, lsqr};

/// The lower triangle of a symmetric 8 x 8 matrix, row by row.
type Gram = [f64; 36];

/// What all vertices contribute.
pub(crate) struct Linearised<'b> {
    blending: &'b Blending,
    /// `sum |e_k|^2`.
    pub cost: f64,
    sums: Sums,
}

enum Sums {
    /// Per pair of joints `sum w_i w_j B^T B`, per joint `sum w_i B^T e`.
    Direct { grams: Vec<Gram>, rights: Vec<Eight> },
    /// The contributions themselves: signed weights, `B_k`, `-e_k`.
    Rows { weights: Vec<f64>, changes: Vec<[DVec3; 8]>, residuals: Vec<f64> },
}

impl<'b> Linearised<'b> {
    /// `vertex` gives residual and change of a vertex and writes the signed weights of its joints.
    pub fn new(
        blending: &'b Blending,
        solver: Solver,
        mut vertex: impl FnMut(usize, &mut Vec<f64>) -> (DVec3, [DVec3; 8]),
    ) -> Self {
        let (mut signed, mut cost) = (Vec::new(), 0.0);
        let sums = match solver {
            Solver::Direct => {
                let mut grams = vec![[0.0; 36]; blending.pairs.len()];
                let mut rights = vec![[0.0; 8]; blending.joint_count];
                for k in 0..blending.vertex_count() {
                    let (residual, change) = vertex(k, &mut signed);
                    cost += residual.length_squared();
                    let gram = gram(&change);
                    let right: Eight = std::array::from_fn(|lane| change[lane].dot(residual));
                    let mut pairs = blending.pairs_of_vertex(k).iter();
                    for (number, &joint) in blending.of_vertex(k).0.iter().enumerate() {
                        let weight = signed[number];
                        let sum = &mut rights[joint as usize];
                        for lane in 0..8 {
                            sum[lane] += weight * right[lane];
                        }
                        for (other, &pair) in signed[..=number].iter().zip(&mut pairs) {
                            let product = weight * other;
                            let sum = &mut grams[pair as usize];
                            for entry in 0..36 {
                                sum[entry] += product * gram[entry];
                            }
                        }
                    }
                }
                Sums::Direct { grams, rights }
            }
            Solver::Lsqr => {
                let (mut weights, mut changes, mut residuals) = (Vec::new(), Vec::new(), Vec::new());
                for k in 0..blending.vertex_count() {
                    let (residual, change) = vertex(k, &mut signed);
                    cost += residual.length_squared();
                    weights.extend_from_slice(&signed);
                    changes.push(change);
                    residuals.extend((-residual).to_array());
                }
                Sums::Rows { weights, changes, residuals }
            }
        };
        Self { blending, cost, sums }
    }

    /// The unknowns, `N` per joint; none if the damping is too small for the system to be solved.
    pub fn solve<const N: usize>(&self, columns: &[[Eight; N]], damping: f64) -> Option<Vec<f64>> {
        match &self.sums {
            Sums::Direct { grams, rights } => {
                let mut matrix = self.blending.envelope.zeros(N);
                for (&[a, b], gram) in self.blending.pairs.iter().zip(grams) {
                    let left = columns[a as usize].map(|column| times(gram, &column));
                    let right = &columns[b as usize];
                    matrix.add([a, b], |i, j| dot(&left[i], &right[j]));
                }
                let per_joint = columns.iter().zip(rights);
                let mut x: Vec<f64> = per_joint.flat_map(|(t, b)| t.map(|column| -dot(&column, b))).collect();
                matrix.factor(damping)?.solve(&mut x);
                Some(x)
            }
            Sums::Rows { weights, changes, residuals } => {
                let rows = Rows { blending: self.blending, weights, changes, columns };
                Some(lsqr(&rows, residuals, damping))
            }
        }
    }
}

struct Rows<'a, const N: usize> {
    blending: &'a Blending,
    weights: &'a [f64],
    changes: &'a [[DVec3; 8]],
    columns: &'a [[Eight; N]],
}

impl<const N: usize> Rows<'_, N> {
    /// Vertices with their joints and signed weights.
    fn vertices(&self) -> impl Iterator<Item = (usize, &[u32], &[f64])> {
        let mut first = 0;
        (0..self.blending.vertex_count()).map(move |k| {
            let joints = self.blending.of_vertex(k).0;
            let weights = &self.weights[first..first + joints.len()];
            first += joints.len();
            (k, joints, weights)
        })
    }
}

impl<const N: usize> Product for Rows<'_, N> {
    fn columns(&self) -> usize {
        N * self.columns.len()
    }

    fn add_product(&self, x: &[f64], y: &mut [f64]) {
        let eight = |(columns, x): (&[Eight; N], &[f64])| -> Eight {
            std::array::from_fn(|lane| (0..N).map(|c| columns[c][lane] * x[c]).sum())
        };
        let changes: Vec<Eight> = self.columns.iter().zip(x.chunks_exact(N)).map(eight).collect();
        for (k, joints, weights) in self.vertices() {
            let mut sum = DVec3::ZERO;
            for (&joint, &weight) in joints.iter().zip(weights) {
                for lane in 0..8 {
                    sum += self.changes[k][lane] * (weight * changes[joint as usize][lane]);
                }
            }
            y[3 * k..3 * k + 3].iter_mut().zip(sum.to_array()).for_each(|(y, s)| *y += s);
        }
    }

    fn add_transposed_product(&self, y: &[f64], x: &mut [f64]) {
        let mut sums = vec![[0.0; 8]; self.columns.len()];
        for (k, joints, weights) in self.vertices() {
            let y = DVec3::from_slice(&y[3 * k..]);
            for (&joint, &weight) in joints.iter().zip(weights) {
                for lane in 0..8 {
                    sums[joint as usize][lane] += weight * self.changes[k][lane].dot(y);
                }
            }
        }
        for ((columns, sum), x) in self.columns.iter().zip(&sums).zip(x.chunks_exact_mut(N)) {
            (0..N).for_each(|c| x[c] += dot(&columns[c], sum));
        }
    }
}

#[inline(always)]
fn gram(change: &[DVec3; 8]) -> Gram {
    let mut gram = [0.0; 36];
    let mut entry = 0;
    for i in 0..8 {
        for j in 0..=i {
            gram[entry] = change[i].dot(change[j]);
            entry += 1;
        }
    }
    gram
}

fn times(gram: &Gram, v: &Eight) -> Eight {
    let at = |i: usize, j: usize| gram[i.max(j) * (i.max(j) + 1) / 2 + i.min(j)];
    std::array::from_fn(|i| (0..8).map(|j| at(i, j) * v[j]).sum())
}

fn dot(a: &Eight, b: &Eight) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
