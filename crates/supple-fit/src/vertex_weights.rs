//! Weights of vertices by least squares over all frames, for given joints.
//!
//! `v'(w)` of dual quaternions is made linear about the weights there are; scaling all weights changes nothing, so with
//! `c_i = dv'/dw_i` it is `sum w_i (v' + c_i)`, as in linear blending `sum w_i C_i v`. Both are convex blends of
//! points.
//!
//! Must hold: only joints that moved a vertex before move it afterwards, and a vertex keeps its weights where new ones
//! are not better.
//!
//! Based on: A. Mohr, M. Gleicher, Building Efficient, Accurate Character Skins from Examples, 2003, for linear
//! blending.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use supple::skin::SkinError;
use supple::{Skin, Skinning};

use crate::MeshSequence;
use crate::blending::Blending;
use crate::dual_blend::{Eight, blend, dual_quaternion, moved, moved_with_change};
use crate::simplex::convex_weights;

/// The skin with better weights. `maps` are the joints of all frames.
pub(crate) fn improved_weights(
    sequence: &MeshSequence,
    blending: &Blending,
    maps: &[Vec<DAffine3>],
    skinning: Skinning,
) -> Result<Skin, SkinError> {
    let blend = match skinning {
        Skinning::Linear => Joints::Affine(maps),
        _ => Joints::Rigid(maps.iter().map(|frame| frame.iter().map(dual_quaternion).collect()).collect()),
    };
    let vertex = |vertex: usize| {
        let (joints, weights) = blending.of_vertex(vertex);
        let rest = sequence.rest().positions()[vertex].as_dvec3();
        let goals: Vec<DVec3> = sequence.frames().iter().map(|frame| frame[vertex].as_dvec3()).collect();
        let better = blend.improved(joints, weights, rest, &goals);
        joints.iter().copied().zip(better.iter().map(|&w| w as f32)).collect()
    };
    let influences: Vec<Vec<(u32, f32)>> = (0..blending.vertex_count()).into_par_iter().map(vertex).collect();
    Skin::new(blending.joint_count, influences.iter().map(Vec::as_slice))
}

/// Joints by frame.
enum Joints<'m> {
    Affine(&'m [Vec<DAffine3>]),
    Rigid(Vec<Vec<Eight>>),
}

impl Joints<'_> {
    fn improved(&self, joints: &[u32], weights: &[f64], rest: DVec3, goals: &[DVec3]) -> Vec<f64> {
        let n = joints.len();
        let mut h = vec![vec![0.0; n]; n];
        for (frame, &goal) in goals.iter().enumerate() {
            let wrong: Vec<DVec3> =
                self.points(frame, joints, weights, rest).iter().map(|p| *p - goal).collect();
            for i in 0..n {
                for j in 0..n {
                    h[i][j] += wrong[i].dot(wrong[j]);
                }
            }
        }
        let best = convex_weights(&h);
        let cost = |w: &[f64]| -> f64 {
            goals.iter().enumerate().map(|(f, g)| self.moved(f, joints, w, rest).distance_squared(*g)).sum()
        };
        // Far from where it was made linear the blend of rotations is something else; half the way may still help.
        let half: Vec<f64> = weights.iter().zip(&best).map(|(a, b)| 0.5 * (a + b)).collect();
        let before = cost(weights);
        [best, half].into_iter().find(|w| cost(w) < before).unwrap_or_else(|| weights.to_vec())
    }

    /// The points that weights blend.
    fn points(&self, frame: usize, joints: &[u32], weights: &[f64], rest: DVec3) -> Vec<DVec3> {
        match self {
            Self::Affine(maps) => {
                joints.iter().map(|&j| maps[frame][j as usize].transform_point3(rest)).collect()
            }
            Self::Rigid(quaternions) => {
                let (quaternions, mut signed) = (&quaternions[frame], Vec::new());
                let (to, change) = moved_with_change(&blend(quaternions, joints, weights, &mut signed), rest);
                let column = |(&joint, signed): (&u32, &f64)| {
                    let q = &quaternions[joint as usize];
                    let along: DVec3 = (0..8).map(|lane| change[lane] * q[lane]).sum();
                    to + along * signed.signum()
                };
                joints.iter().zip(&signed).map(column).collect()
            }
        }
    }

    fn moved(&self, frame: usize, joints: &[u32], weights: &[f64], rest: DVec3) -> DVec3 {
        match self {
            Self::Affine(_) => {
                self.points(frame, joints, weights, rest).iter().zip(weights).map(|(p, w)| *p * *w).sum()
            }
            Self::Rigid(quaternions) => {
                moved(&blend(&quaternions[frame], joints, weights, &mut Vec::new()), rest)
            }
        }
    }
}
