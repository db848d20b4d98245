//! Rigid joints for one frame: the dual quaternions whose blends take rest vertices nearest to where the frame has
//! them.
//!
//! In: rest points, weights, goals (in a space where the frame as a whole has not moved). Out: one isometry per joint.
//!
//! First the thesis' linear fit. With real parts `1 + r` and blends `r, d, ae` of the joints' parts, `goal b' = b v`
//! (7.5) is
//!
//! ```text
//! g - v + (g + v) x r - 2 d = 0        (vector part: 6 unknowns per joint)
//! (g - v).r + 2 ae          = 0        (scalar part: holds for ae = -r.d of a rigid motion, and is not needed)
//! ```
//!
//! That minimises distances times the length of `b`, and its joints do not have unit length: made unit (which a joint
//! must be) they blend a little differently. So Gauss-Newton steps follow, which minimise the distances themselves:
//! joints are turned about where they are and moved, `q <- (1 + (omega + eps tau)/2) q`. Where rotations are too large
//! for the linear fit (half turns have no `1 + r`), steps start from each joint aligned with its own vertices, if that
//! is nearer.
//!
//! Must hold: a step is only taken if the sum of squares falls. Normals are the same without translations (`N = 3`).
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 7.2.2; J. J. More, The Levenberg-Marquardt
//! Algorithm, 1978.

use glam::{DQuat, DVec3};
use supple::Isometry;

use crate::Solver;
use crate::alignment::Alignment;
use crate::blending::Blending;
use crate::dual_blend::{Eight, blend, moved, moved_with_change, rigid, to_eight};
use crate::rigid_system::Linearised;

/// Unknowns per joint for positions and for normals.
pub(crate) const POSITIONS: usize = 6;
pub(crate) const NORMALS: usize = 3;

/// What is the same in all frames.
pub(crate) struct RigidFit<'a> {
    pub blending: &'a Blending,
    /// Where joints are at rest.
    pub pivots: &'a [DVec3],
    /// How far joints reach: turns by one radian and moves by this count alike. 1 for normals.
    pub length: f64,
    /// Distances of this size do not matter.
    pub negligible: f64,
    pub solver: Solver,
    /// Gauss-Newton steps, at most.
    pub steps: usize,
}

/// Damping of the linear fit, relative to the weights of a joint: only what is not determined otherwise notices it.
const LINEAR_DAMPING: f64 = 1e-10;
/// First, smallest and largest damping of steps.
const DAMPING: [f64; 3] = [1e-6, 1e-10, 1e2];
/// Steps end when the sum of squares falls by less than this part: 1/2000 of the error.
const LEAST_GAIN: f64 = 1e-3;

impl RigidFit<'_> {
    /// Joints of one frame, for rest positions about their middle or rest normals.
    pub fn frame<const N: usize>(&self, rest: &[DVec3], goals: &[DVec3]) -> Vec<Isometry> {
        let linear = self.linear_fit::<N>(rest, goals);
        if self.steps == 0 {
            return linear;
        }
        let aligned = self.aligned::<N>(rest, goals);
        let nearer = self.cost(&aligned, rest, goals) < self.cost(&linear, rest, goals);
        self.improved::<N>(if nearer { aligned } else { linear }, rest, goals)
    }

    /// Each joint moves its own vertices as well as one joint can.
    pub fn aligned<const N: usize>(&self, rest: &[DVec3], goals: &[DVec3]) -> Vec<Isometry> {
        let mut sums = vec![Alignment::default(); self.blending.joint_count];
        for (k, (&rest, &goal)) in rest.iter().zip(goals).enumerate() {
            let (joints, weights) = self.blending.of_vertex(k);
            for (&joint, &weight) in joints.iter().zip(weights) {
                sums[joint as usize].add(weight, rest, goal);
            }
        }
        sums.iter().map(|sum| if N == NORMALS { sum.solve_rotation() } else { sum.solve() }).collect()
    }

    /// The thesis' least squares (7.6).
    fn linear_fit<const N: usize>(&self, rest: &[DVec3], goals: &[DVec3]) -> Vec<Isometry> {
        // Columns of about the same length: g + v is about twice as large as v.
        let size = rest.iter().fold(self.length, |s, v| s.max(v.length()));
        let linearised = Linearised::new(self.blending, self.solver, |k, signed| {
            signed.clear();
            signed.extend_from_slice(self.blending.of_vertex(k).1);
            let (v, g) = (rest[k], goals[k]);
            let turn = |axis| (g + v).cross(axis);
            let change = [
                turn(DVec3::X),
                turn(DVec3::Y),
                turn(DVec3::Z),
                DVec3::ZERO,
                DVec3::X * -2.0,
                DVec3::Y * -2.0,
                DVec3::Z * -2.0,
                DVec3::ZERO,
            ];
            (g - v, change)
        });
        let column = |c: usize| -> Eight {
            let (lane, value) = if c < 3 { (c, 0.5 / size) } else { (c + 1, 0.5) };
            std::array::from_fn(|l| if l == lane { value } else { 0.0 })
        };
        let columns = vec![std::array::from_fn::<Eight, N, _>(column); self.blending.joint_count];
        let mut damping = LINEAR_DAMPING;
        let x = loop {
            match linearised.solve(&columns, damping * self.blending.mean_square_weight()) {
                Some(x) => break x,
                None if damping < DAMPING[2] => damping *= 100.0,
                None => break vec![0.0; N * self.blending.joint_count],
            }
        };
        let joint = |x: &[f64]| {
            let r = DVec3::from_slice(x) * (0.5 / size);
            let d = if N == NORMALS { DVec3::ZERO } else { DVec3::from_slice(&x[3..]) * 0.5 };
            let q = [r.x, r.y, r.z, 1.0, d.x, d.y, d.z, -r.dot(d)];
            let length = (1.0 + r.length_squared()).sqrt();
            rigid(&q.map(|x| x / length))
        };
        x.chunks_exact(N).map(joint).collect()
    }

    /// Gauss-Newton steps.
    pub fn improved<const N: usize>(
        &self,
        start: Vec<Isometry>,
        rest: &[DVec3],
        goals: &[DVec3],
    ) -> Vec<Isometry> {
        let [mut damping, least, most] = DAMPING;
        let enough = rest.len() as f64 * self.negligible * self.negligible;
        let mut joints = start;
        let mut here = self.linearised(&joints, rest, goals);
        let mut steps = 0;
        while steps < self.steps && here.cost > enough && damping <= most {
            steps += 1;
            let columns: Vec<[Eight; N]> =
                joints.iter().zip(self.pivots).map(|(joint, &pivot)| self.columns(joint, pivot)).collect();
            let Some(x) = here.solve(&columns, damping * self.blending.mean_square_weight()) else {
                damping *= 100.0;
                continue;
            };
            let turned = joints.iter().zip(self.pivots).zip(x.chunks_exact(N));
            let next: Vec<Isometry> =
                turned.map(|((joint, &pivot), x)| self.turned(joint, pivot, x)).collect();
            let there = self.linearised(&next, rest, goals);
            if there.cost.is_nan() || there.cost >= here.cost {
                damping *= 100.0;
                continue;
            }
            let gain = 1.0 - there.cost / here.cost;
            (joints, here) = (next, there);
            damping = (damping * 0.1).max(least);
            if gain < LEAST_GAIN {
                break;
            }
        }
        joints
    }

    fn linearised(&self, joints: &[Isometry], rest: &[DVec3], goals: &[DVec3]) -> Linearised<'_> {
        let quaternions: Vec<Eight> = joints.iter().map(to_eight).collect();
        Linearised::new(self.blending, self.solver, |k, signed| {
            let (joints, weights) = self.blending.of_vertex(k);
            let b = blend(&quaternions, joints, weights, signed);
            let (to, change) = moved_with_change(&b, rest[k]);
            (to - goals[k], change)
        })
    }

    fn cost(&self, joints: &[Isometry], rest: &[DVec3], goals: &[DVec3]) -> f64 {
        let quaternions: Vec<Eight> = joints.iter().map(to_eight).collect();
        let mut signed = Vec::new();
        let square = |(k, goal): (usize, &DVec3)| {
            let (joints, weights) = self.blending.of_vertex(k);
            moved(&blend(&quaternions, joints, weights, &mut signed), rest[k]).distance_squared(*goal)
        };
        goals.iter().enumerate().map(square).sum()
    }

    /// Where a joint is, about which it turns; the origin for normals.
    fn moved_pivot<const N: usize>(&self, joint: &Isometry, pivot: DVec3) -> DVec3 {
        if N == NORMALS { DVec3::ZERO } else { joint.transform_point(pivot) }
    }

    /// `dq/dx`: turns about the three axes, then moves along them.
    fn columns<const N: usize>(&self, joint: &Isometry, pivot: DVec3) -> [Eight; N] {
        let q = to_eight(joint);
        let moved_pivot = self.moved_pivot::<N>(joint, pivot);
        std::array::from_fn(|c| {
            let axis = DVec3::AXES[c % 3];
            if c >= 3 {
                let [x, y, z, w] = half_product(axis, &q[..4]);
                return [0.0, 0.0, 0.0, 0.0, x, y, z, w];
            }
            let axis = axis / self.length;
            let [x, y, z, w] = half_product(axis, &q[..4]);
            let (turned, moved) =
                (half_product(axis, &q[4..]), half_product(moved_pivot.cross(axis), &q[..4]));
            let [dx, dy, dz, dw] = std::array::from_fn(|i| turned[i] + moved[i]);
            [x, y, z, w, dx, dy, dz, dw]
        })
    }

    /// The joint after a step; to first order what [`columns`](Self::columns) says.
    fn turned(&self, joint: &Isometry, pivot: DVec3, x: &[f64]) -> Isometry {
        let turn = DQuat::from_scaled_axis(DVec3::from_slice(x) / self.length);
        let rotation = (turn * joint.rotation).normalize();
        if x.len() == NORMALS {
            return Isometry::from_rotation(rotation);
        }
        let moved_pivot = joint.transform_point(pivot);
        let translation = turn * (joint.translation - moved_pivot) + moved_pivot + DVec3::from_slice(&x[3..]);
        Isometry { rotation, translation }
    }
}

/// Half the product of a vector, as a quaternion, and a quaternion x, y, z, w.
fn half_product(a: DVec3, q: &[f64]) -> [f64; 4] {
    let v = DVec3::from_slice(q);
    let product = (a * q[3] + a.cross(v)) * 0.5;
    [product.x, product.y, product.z, -0.5 * a.dot(v)]
}
