//! Affine joints: the matrices whose blends take rest vertices nearest to where the frames have them.
//!
//! In: rest points, weights, goals. Out: one affine map per joint and frame.
//!
//! With `f_i = ((v - c_i) / length, 1)`, a joint's map in its own coordinates, the system of one coordinate of one
//! frame is
//!
//! ```text
//! sum_i w_ki f_i . x_i = g_k
//! ```
//!
//! Its matrix is the same for all coordinates and frames, so it is factored once.
//!
//! Must hold: what the goals leave open stays as it was at the start, each joint aligned rigidly with its vertices: a
//! flat cloth says nothing about what is beside it, yet corrections and normals need a map that can be inverted. A
//! little damping makes the system solvable; solved again for what is left, three times, it does not show.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 7.2.1.

use glam::{DAffine3, DMat3, DVec3};

use crate::Solver;
use crate::blending::Blending;
use crate::lsqr::{Product, lsqr};
use crate::skyline::Skyline;

/// What is the same in all frames.
pub(crate) struct AffineFit<'a> {
    points: Points<'a>,
    damping: f64,
    /// None if LSQR is asked for, or if rounding takes more than the damping gives.
    factor: Option<Skyline<'a>>,
}

struct Points<'a> {
    blending: &'a Blending,
    rest: &'a [DVec3],
    pivots: &'a [DVec3],
    length: f64,
}

/// Relative to the weights of a joint.
const DAMPING: f64 = 1e-9;
const ROUNDS: usize = 4;

impl<'a> AffineFit<'a> {
    pub fn new(
        blending: &'a Blending,
        rest: &'a [DVec3],
        pivots: &'a [DVec3],
        length: f64,
        solver: Solver,
    ) -> Self {
        let points = Points { blending, rest, pivots, length };
        let damping = DAMPING * blending.mean_square_weight();
        let factor = match solver {
            Solver::Direct => points.normal_matrix().factor(damping),
            Solver::Lsqr => None,
        };
        Self { points, damping, factor }
    }

    /// Joints of one frame, from a start.
    pub fn frame(&self, start: &[DAffine3], goals: &[DVec3]) -> Vec<DAffine3> {
        let Points { blending, pivots, length, .. } = self.points;
        let mut joints = start.to_vec();
        for _ in 0..ROUNDS {
            let left: Vec<DVec3> = (0..goals.len())
                .map(|k| goals[k] - blended(blending, &joints, k).transform_point3(self.points.rest[k]))
                .collect();
            let x: [Vec<f64>; 3] = std::array::from_fn(|axis| {
                let right: Vec<f64> = left.iter().map(|l| l[axis]).collect();
                match &self.factor {
                    Some(factor) => {
                        let mut x = vec![0.0; self.points.columns()];
                        self.points.add_transposed_product(&right, &mut x);
                        factor.solve(&mut x);
                        x
                    }
                    None => lsqr(&self.points, &right, self.damping),
                }
            });
            for (i, joint) in joints.iter_mut().enumerate() {
                let at = |c: usize| DVec3::new(x[0][4 * i + c], x[1][4 * i + c], x[2][4 * i + c]);
                let linear = DMat3::from_cols(at(0), at(1), at(2)) * (1.0 / length);
                joint.matrix3 += linear;
                joint.translation += at(3) - linear * pivots[i];
            }
        }
        joints
    }
}

/// `sum w_i C_i`.
pub(crate) fn blended(blending: &Blending, joints: &[DAffine3], vertex: usize) -> DAffine3 {
    let (ids, weights) = blending.of_vertex(vertex);
    let mut sum = DAffine3 { matrix3: DMat3::ZERO, translation: DVec3::ZERO };
    for (&joint, &weight) in ids.iter().zip(weights) {
        sum.matrix3 += joints[joint as usize].matrix3 * weight;
        sum.translation += joints[joint as usize].translation * weight;
    }
    sum
}

impl<'a> Points<'a> {
    fn local(&self, vertex: usize, joint: u32) -> [f64; 4] {
        let p = (self.rest[vertex] - self.pivots[joint as usize]) / self.length;
        [p.x, p.y, p.z, 1.0]
    }

    fn normal_matrix(&self) -> Skyline<'a> {
        let mut blocks = vec![[[0.0; 4]; 4]; self.blending.pairs.len()];
        for k in 0..self.rest.len() {
            let weights = self.blending.of_vertex(k).1;
            let mut pairs = self.blending.pairs_of_vertex(k).iter();
            for number in 0..weights.len() {
                for (other, &pair) in (0..=number).zip(&mut pairs) {
                    let product = weights[number] * weights[other];
                    let [row, column] = self.blending.pairs[pair as usize];
                    let (f, g) = (self.local(k, row), self.local(k, column));
                    for i in 0..4 {
                        for j in 0..4 {
                            blocks[pair as usize][i][j] += product * f[i] * g[j];
                        }
                    }
                }
            }
        }
        let mut matrix = self.blending.envelope.zeros(4);
        for (&pair, block) in self.blending.pairs.iter().zip(&blocks) {
            matrix.add(pair, |i, j| block[i][j]);
        }
        matrix
    }
}

impl Product for Points<'_> {
    fn columns(&self) -> usize {
        4 * self.pivots.len()
    }

    fn add_product(&self, x: &[f64], y: &mut [f64]) {
        for (k, y) in y.iter_mut().enumerate() {
            let (joints, weights) = self.blending.of_vertex(k);
            for (&joint, weight) in joints.iter().zip(weights) {
                let (f, x) = (self.local(k, joint), &x[4 * joint as usize..]);
                *y += weight * (f[0] * x[0] + f[1] * x[1] + f[2] * x[2] + f[3] * x[3]);
            }
        }
    }

    fn add_transposed_product(&self, y: &[f64], x: &mut [f64]) {
        for (k, y) in y.iter().enumerate() {
            let (joints, weights) = self.blending.of_vertex(k);
            for (&joint, weight) in joints.iter().zip(weights) {
                let f = self.local(k, joint);
                x[4 * joint as usize..][..4].iter_mut().zip(f).for_each(|(x, f)| *x += weight * f * y);
            }
        }
    }
}
