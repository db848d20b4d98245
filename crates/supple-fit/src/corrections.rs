//! Eigen-displacements: what skinning smooths away, as a few displacement fields of the rest shape.
//!
//! `e_k = T_k^-1 goal_k - v_k` is what would have to be added to a rest vertex for its blended map `T_k` to take it
//! where it belongs. With the `e` of a frame as a column, `E = U S V^T`; the first `f` columns of `U S` are
//! displacement fields, the first rows of `V^T` their coefficients per frame.
//!
//! Must hold: no `f` fields are nearer to `E`, in the sense of the sum of squares. For rigid `T` that is the sum of
//! squares of posed errors.
//!
//! `E^T E = V S^2 V^T` has as many rows as there are frames, so it is its eigenvectors that are computed. Squaring
//! halves the digits of singular values, which leaves eight; f32 has seven.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 7.3; P. G. Kry, D. L. James, D. K. Pai, EigenSkin,
//! 2002.

use glam::{Affine3A, DAffine3, DMat3, DVec3, Vec3};
use rayon::prelude::*;
use supple::Skinning;
use supple::rest::Field;

use crate::affine::blended;
use crate::blending::Blending;
use crate::dual_blend::{Eight, blend, dual_quaternion, rigid};
use crate::skyline::{Envelope, dot};
use crate::symmetric_eigen::symmetric_eigen;

/// Displacement fields and their coefficients, frame by frame.
pub(crate) struct Correction {
    pub fields: Vec<Field>,
    pub coefficients: Vec<Vec<f32>>,
}

/// The singular value decomposition of rest errors.
pub(crate) struct EigenDisplacements<'e> {
    errors: &'e [Vec<DVec3>],
    /// Squares of singular values, largest first.
    pub squares: Vec<f64>,
    /// Coefficients of each displacement, by frame.
    pub vectors: Vec<Vec<f64>>,
}

impl<'e> EigenDisplacements<'e> {
    /// `errors` by frame and vertex.
    pub fn new(errors: &'e [Vec<DVec3>]) -> Self {
        let n = errors.len();
        let flat: Vec<Vec<f64>> =
            errors.iter().map(|frame| frame.iter().flat_map(|e| e.to_array()).collect()).collect();
        let row = |i: usize| (0..n).map(|j| if j <= i { dot(&flat[i], &flat[j]) } else { 0.0 }).collect();
        let gram: Vec<Vec<f64>> = (0..n).into_par_iter().map(row).collect();
        let eigen = symmetric_eigen(&gram.concat(), n);
        // Rounding may leave zeros slightly negative.
        let squares = eigen.values.iter().map(|&v| v.max(0.0)).collect();
        Self { errors, squares, vectors: eigen.vectors }
    }

    /// How many are needed for the sum of squares that is left to be at most this.
    pub fn count_for(&self, allowed: f64) -> usize {
        let mut left: f64 = self.squares.iter().sum();
        let mut count = 0;
        while count < self.squares.len() && left > allowed {
            left -= self.squares[count];
            count += 1;
        }
        count
    }

    /// The first `count`.
    pub fn correction(&self, count: usize) -> Correction {
        let count = count.min(self.squares.iter().filter(|&&s| s > 0.0).count());
        let field = |j: usize| {
            let mut sums = vec![DVec3::ZERO; self.errors[0].len()];
            for (errors, &c) in self.errors.iter().zip(&self.vectors[j]) {
                sums.iter_mut().zip(errors).for_each(|(sum, e)| *sum += *e * c);
            }
            let displacements = (0u32..).zip(sums.iter().map(|s| s.as_vec3())).collect();
            Field { name: format!("eigen-displacement {j}"), displacements, ..Field::default() }
        };
        let coefficients = |frame: usize| (0..count).map(|j| self.vectors[j][frame] as f32).collect();
        Correction {
            fields: (0..count).into_par_iter().map(field).collect(),
            coefficients: (0..self.errors.len()).map(coefficients).collect(),
        }
    }
}

impl Correction {
    /// Coefficients of a frame so that posed errors are smallest: where joints stretch, rest errors count by how much they are
    /// stretched, `min_q sum |M_k sum_j U_kj q_j - (g_k - T_k v_k)|^2`. More fields are then never worse than fewer.
    pub fn best_coefficients(
        &self,
        frame: usize,
        blending: &Blending,
        rest: &[Vec3],
        palette: &[Affine3A],
        goals: &[Vec3],
    ) -> Vec<f32> {
        let joints: Vec<DAffine3> = palette.iter().map(Affine3A::as_daffine3).collect();
        let count = self.fields.len();
        let (mut matrix, mut right) = (vec![0.0; count * count], vec![0.0; count]);
        for k in 0..rest.len() {
            let map = blended(blending, &joints, k);
            let left = goals[k].as_dvec3() - map.transform_point3(rest[k].as_dvec3());
            let moved: Vec<DVec3> =
                self.fields.iter().map(|f| map.matrix3 * f.displacements[k].1.as_dvec3()).collect();
            for i in 0..count {
                right[i] += moved[i].dot(left);
                for j in 0..=i {
                    matrix[i * count + j] += moved[i].dot(moved[j]);
                }
            }
        }
        let whole = Envelope::new(1, &[]);
        let mut normal = whole.zeros(count);
        normal.add([0, 0], |i, j| matrix[i.max(j) * count + i.min(j)]);
        // Fields that do next to nothing are not asked to do much.
        let damping = 1e-9 * (0..count).map(|i| matrix[i * count + i]).fold(0.0, f64::max);
        match normal.factor(damping) {
            Some(factor) => factor.solve(&mut right),
            None => return self.coefficients[frame].clone(),
        }
        right.iter().map(|&q| q as f32).collect()
    }
}

/// `e_k` of all vertices of a frame.
pub(crate) fn rest_errors(
    blending: &Blending,
    rest: &[Vec3],
    palette: &[Affine3A],
    skinning: Skinning,
    goals: &[Vec3],
) -> Vec<DVec3> {
    let pairs = rest.iter().map(|v| v.as_dvec3()).zip(goals.iter().map(|g| g.as_dvec3())).enumerate();
    let joints: Vec<DAffine3> = palette.iter().map(Affine3A::as_daffine3).collect();
    if skinning == Skinning::Linear {
        return pairs.map(|(k, (v, g))| displacement(&blended(blending, &joints, k), v, g)).collect();
    }
    let quaternions: Vec<Eight> = joints.iter().map(dual_quaternion).collect();
    let mut signed = Vec::new();
    let error = |(k, (v, g)): (usize, (DVec3, DVec3))| {
        let (joints, weights) = blending.of_vertex(k);
        rigid(&blend(&quaternions, joints, weights, &mut signed)).inverse().transform_point(g) - v
    };
    pairs.map(error).collect()
}

/// What takes `v` nearest to where `map` takes it to `g`: `(M^T M + damping) e = M^T (g - M v)`. The damping keeps what
/// a map flattens from asking for displacements without end.
fn displacement(map: &DAffine3, v: DVec3, g: DVec3) -> DVec3 {
    let m = map.matrix3;
    let square = m.transpose() * m;
    let damping = 1e-6 * (square.x_axis.x + square.y_axis.y + square.z_axis.z) + f64::MIN_POSITIVE;
    let error = (square + DMat3::from_diagonal(DVec3::splat(damping))).inverse()
        * (m.transpose() * (g - map.transform_point3(v)));
    if error.is_finite() { error } else { DVec3::ZERO }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_those_of_the_singular_value_decomposition() {
        // Two patterns of known size that are orthogonal in space and time, and a third one that is small.
        let pattern = |p: usize, k: usize| {
            DVec3::from_array([0, 1, 2].map(|c| f64::from(u8::from(k % 4 == p && c == p))))
        };
        let coefficient =
            |p: usize, t: usize| (std::f64::consts::TAU * (p + 1) as f64 * t as f64 / 16.0).sin();
        let sizes = [3.0, 1.0, 0.01];
        let errors: Vec<Vec<DVec3>> = (0..16)
            .map(|t| {
                (0..40).map(|k| (0..3).map(|p| pattern(p, k) * sizes[p] * coefficient(p, t)).sum()).collect()
            })
            .collect();
        let svd = EigenDisplacements::new(&errors);
        // |pattern|^2 = 10, |sin|^2 = 8.
        for (found, size) in svd.squares.iter().zip(sizes) {
            assert!((found - 80.0 * size * size).abs() < 1e-9, "{found}");
        }
        assert!(svd.squares[3] < 1e-9);
        assert_eq!(svd.count_for(81.0), 1);
        assert_eq!(svd.count_for(0.1), 2);
        assert_eq!(svd.count_for(0.001), 3);
        let left = |count: usize| {
            let Correction { fields, coefficients } = svd.correction(count);
            let mut sum = 0.0;
            for (t, frame) in errors.iter().enumerate() {
                for (k, e) in frame.iter().enumerate() {
                    let near: Vec3 =
                        fields.iter().zip(&coefficients[t]).map(|(f, &c)| f.displacements[k].1 * c).sum();
                    sum += near.as_dvec3().distance_squared(*e);
                }
            }
            sum
        };
        for count in 0..3 {
            let tail: f64 = svd.squares[count..].iter().sum();
            assert!((left(count) - tail).abs() < 1e-5 * (1.0 + tail), "{count}: {} {tail}", left(count));
        }
    }

    /// Singular values of a matrix given by columns: one-sided Jacobi rotations, squares descending.
    fn singular_squares(mut columns: Vec<Vec<f64>>) -> Vec<f64> {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        for _ in 0..30 {
            for i in 0..columns.len() {
                for j in 0..i {
                    let (a, b) = (dot(&columns[i], &columns[i]), dot(&columns[j], &columns[j]));
                    let angle = 0.5 * (2.0 * dot(&columns[i], &columns[j])).atan2(a - b);
                    let (s, c) = angle.sin_cos();
                    for row in 0..columns[i].len() {
                        let (x, y) = (columns[i][row], columns[j][row]);
                        (columns[i][row], columns[j][row]) = (c * x + s * y, c * y - s * x);
                    }
                }
            }
        }
        let mut squares: Vec<f64> = columns.iter().map(|c| dot(c, c)).collect();
        squares.sort_by(|a, b| b.total_cmp(a));
        squares
    }

    #[test]
    fn singular_values_are_those_of_the_errors_themselves() {
        let value = |t: usize, k: usize, c: usize| {
            ((t * t * 7 + k * 13 + t * k * 3 + c * c * 5 + c * t) as f64).sin()
        };
        let errors: Vec<Vec<DVec3>> = (0..9)
            .map(|t| (0..30).map(|k| DVec3::new(value(t, k, 0), value(t, k, 1), value(t, k, 2))).collect())
            .collect();
        let columns = errors.iter().map(|f| f.iter().flat_map(|e| e.to_array()).collect()).collect();
        let svd = EigenDisplacements::new(&errors);
        for (found, wanted) in svd.squares.iter().zip(singular_squares(columns)) {
            assert!((found - wanted).abs() < 1e-10 * svd.squares[0], "{found} {wanted}");
        }
    }
}
