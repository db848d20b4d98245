//! Deforming a whole 28k-vertex character, against a hand-written AVX2 loop in the same process.
//!
//! Prints medians in microseconds and their ratio. The hand-written loop is given every chance: weights padded to
//! four, 16-bit joints, fused multiply-add, no bounds checks, no normals. It only does linear skinning.

use std::hint::black_box;

use glam::{Affine3A, Quat, Vec3};
use supple::mesh::Mesh;
use supple::model::{Model, PosedModel};
use supple::pose::{Joint, Node, Skeleton, Transform};
use supple::skin::{Skin, Skinning};
use supple_report::clock::{median, microseconds};

const VERTICES: usize = 28_000;
const JOINTS: usize = 60;
const RUNS: usize = 401;

fn main() {
    println!("{VERTICES} vertices, {JOINTS} joints, one core, median of {RUNS} runs, microseconds");
    println!(
        "{:<28} {:>10} {:>10} {:>12} {:>7}",
        "influences per vertex", "skinning", "ours", "hand AVX2", "ratio"
    );
    for (name, counts) in
        [("1 to 4, as in characters", [1, 1, 2, 2, 2, 3, 3, 4].as_slice()), ("4 everywhere", &[4])]
    {
        let model = character(counts);
        let matrices = joint_matrices();
        let hand = HandWritten::new(&model, &matrices);
        for skinning in Skinning::ALL {
            let posed = PosedModel::new(&model, skinning, &matrices, &[]).expect("the pose fits");
            let mut out = vec![Vec3::ZERO; VERTICES];
            let mut hand_out = vec![[0.0f32; 4]; VERTICES];
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            // Alternating, so that a slow moment of the machine hits both.
            for _ in 0..RUNS {
                ours.push(microseconds(|| posed.positions_into(black_box(&mut out))).0);
                theirs.push(microseconds(|| hand.run(black_box(&mut hand_out))).0);
            }
            if skinning == Skinning::Linear {
                let worst =
                    out.iter().zip(&hand_out).map(|(a, b)| (*a - Vec3::new(b[0], b[1], b[2])).length());
                assert!(worst.fold(0.0, f32::max) < 1e-4, "both loops must compute the same");
            }
            let (ours, theirs) = (median(ours), median(theirs));
            let ratio = ours / theirs;
            println!("{name:<28} {:>10} {ours:>10.1} {theirs:>12.1} {ratio:>7.2}", skinning.name());
        }
    }
}

/// Vertices along a chain of joints, each moved by its nearest ones.
fn character(counts: &[usize]) -> Model {
    let positions: Vec<Vec3> = (0..VERTICES)
        .map(|v| {
            Vec3::new(
                v as f32 / VERTICES as f32 * 2.0,
                (v as f32 * 0.7).sin() * 0.1,
                (v as f32 * 0.3).cos() * 0.1,
            )
        })
        .collect();
    let influences: Vec<Vec<(u32, f32)>> = (0..VERTICES)
        .map(|v| {
            let count = counts[(v.wrapping_mul(2_654_435_761) >> 7) % counts.len()];
            let nearest = v * (JOINTS - 3) / VERTICES;
            (0..count)
                .map(|i| ((nearest + i) as u32, 1.0 / (1.0 + i as f32 + (v % 7) as f32 * 0.1)))
                .collect()
        })
        .collect();
    let triangles = (0..VERTICES as u32 - 2).map(|v| [v, v + 1, v + 2]).collect();
    let nodes = (0..JOINTS).map(|_| Node::new("", None, Transform::IDENTITY)).collect();
    let joints = (0..JOINTS).map(|node| Joint { node, inverse_bind: glam::DAffine3::IDENTITY }).collect();
    let mesh = Mesh::new(positions, triangles).expect("valid");
    let skin = Skin::new(JOINTS, influences.iter().map(Vec::as_slice)).expect("valid");
    Model::new(mesh, skin, Skeleton::new(nodes, joints).expect("valid")).expect("fits")
}

fn joint_matrices() -> Vec<Affine3A> {
    (0..JOINTS)
        .map(|j| {
            let turn = Quat::from_euler(glam::EulerRot::XYZ, j as f32 * 0.02, j as f32 * 0.05, 0.3);
            Affine3A::from_rotation_translation(turn, Vec3::new(0.0, j as f32 * 0.01, 0.0))
        })
        .collect()
}

/// Linear skinning as one would write it by hand today.
struct HandWritten {
    positions: Vec<[f32; 4]>,
    joints: Vec<[u16; 4]>,
    weights: Vec<[f32; 4]>,
    matrices: Vec<[f32; 16]>,
}

impl HandWritten {
    fn new(model: &Model, matrices: &[Affine3A]) -> Self {
        let mut this = Self { positions: vec![], joints: vec![], weights: vec![], matrices: vec![] };
        for (vertex, p) in (0u32..).zip(model.mesh().positions()) {
            this.positions.push([p.x, p.y, p.z, 1.0]);
            let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
            for (slot, (joint, weight)) in model.skin().influences(vertex).enumerate() {
                (joints[slot], weights[slot]) = (joint.0 as u16, weight);
            }
            this.joints.push(joints);
            this.weights.push(weights);
        }
        for m in matrices {
            let columns = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
            let mut flat = [0.0; 16];
            for (c, column) in columns.iter().enumerate() {
                flat[c * 4..c * 4 + 3].copy_from_slice(&column.to_array());
            }
            this.matrices.push(flat);
        }
        this
    }

    #[cfg(target_arch = "x86_64")]
    fn run(&self, out: &mut [[f32; 4]]) {
        assert!(is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"), "needs AVX2 and FMA");
        // SAFETY: the features were just checked; `new` made all arrays equally long and all joints valid.
        #[allow(unsafe_code, reason = "the opponent is hand-written with intrinsics")]
        unsafe {
            self.run_avx2(out);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code, reason = "the opponent is hand-written with intrinsics")]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn run_avx2(&self, out: &mut [[f32; 4]]) {
        use std::arch::x86_64::*;
        for v in 0..out.len() {
            // SAFETY: indices are below the lengths that `new` established.
            unsafe {
                let (joints, weights) = (self.joints.get_unchecked(v), self.weights.get_unchecked(v));
                let (mut xy, mut zt) = (_mm256_setzero_ps(), _mm256_setzero_ps());
                for i in 0..4 {
                    let m = self.matrices.get_unchecked(usize::from(joints[i])).as_ptr();
                    let w = _mm256_set1_ps(weights[i]);
                    xy = _mm256_fmadd_ps(w, _mm256_loadu_ps(m), xy);
                    zt = _mm256_fmadd_ps(w, _mm256_loadu_ps(m.add(8)), zt);
                }
                let p = _mm_loadu_ps(self.positions.get_unchecked(v).as_ptr());
                let (x, y) = (_mm_shuffle_ps::<0x00>(p, p), _mm_shuffle_ps::<0x55>(p, p));
                let (z, one) = (_mm_shuffle_ps::<0xaa>(p, p), _mm_shuffle_ps::<0xff>(p, p));
                let sum =
                    _mm256_fmadd_ps(xy, _mm256_set_m128(y, x), _mm256_mul_ps(zt, _mm256_set_m128(one, z)));
                let posed = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps::<1>(sum));
                _mm_storeu_ps(out.get_unchecked_mut(v).as_mut_ptr(), posed);
            }
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn run(&self, _out: &mut [[f32; 4]]) {
        panic!("the hand-written loop needs an x86-64 processor");
    }
}
