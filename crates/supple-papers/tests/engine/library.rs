//! The library's own bounds where the papers' are hardest, and the formula that its bounds of blended rotations rest on.

use std::sync::Arc;

use glam::{DQuat, DVec3, DVec4};
use supple::refit::violations;
use supple::{Body, Isometry, Skinning, VolumeKind};
use supple_papers::blend::dlb;

use crate::hostile::{cancelling_pose, lonely_vertices};
use crate::random_model::Random;
use crate::{cases, own_shape};

/// Vertices whose rotations nearly cancel, each alone in its group: nothing but the margins for rounding is left.
#[test]
fn nearly_cancelling_rotations_of_lonely_vertices() {
    let mut lost = Vec::new();
    for seed in 0..cases(60, 300) {
        let mut random = Random(seed);
        let small = [0.3f32, 0.1, 0.03, 0.01, 0.004][random.below(5)];
        let model = Arc::new(lonely_vertices(&mut random, small, 1.0));
        let shape = own_shape(&model);
        let pose = cancelling_pose(&model, &mut random, 1.0);
        for skinning in Skinning::ALL {
            for volume in [VolumeKind::Box, VolumeKind::Sphere] {
                let mut body = Body::new(&shape, skinning).unwrap();
                body.set_pose(&pose).unwrap();
                let found = violations(&mut body, volume);
                if !found.is_empty() {
                    lost.push((seed, small, skinning, volume, found));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{} cases: {:?}", lost.len(), &lost[..lost.len().min(8)]);
}

/// `docs/math/rotation-blending.md` against the definitions, in f64.
#[test]
fn a_blended_rotation_is_a_linear_blend_plus_known_vectors() {
    let mut random = Random(3);
    let mut number = || f64::from(random.signed());
    for round in 0..2000 {
        let n = 2 + round % 4;
        let mut rotation = || DQuat::from_xyzw(number(), number(), number(), number() + 1e-3).normalize();
        let rotations: Vec<DQuat> = (0..n).map(|_| rotation()).collect();
        let mut vector = || DVec3::new(number(), number(), number());
        let (y, joints): (DVec3, Vec<Isometry>) =
            (vector(), rotations.iter().map(|&r| Isometry::new(r, vector())).collect());
        let raw: Vec<f64> = (0..n).map(|_| number().abs() + 0.01).collect();
        let w: Vec<f64> = raw.iter().map(|x| x / raw.iter().sum::<f64>()).collect();
        let q: Vec<DQuat> =
            rotations.iter().map(|&q| if rotations[0].dot(q) < 0.0 { -q } else { q }).collect();
        let b: DVec4 = q.iter().zip(&w).map(|(&q, &w)| DVec4::from(q) * w).sum();
        let pairs = || (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j)));
        let g = |(i, j): (usize, usize)| 1.0 - q[i].dot(q[j]);
        let b_sq = 1.0 - 2.0 * pairs().map(|p| w[p.0] * w[p.1] * g(p)).sum::<f64>();
        assert!((b.length_squared() - b_sq).abs() < 1e-12, "round {round}");
        if b_sq < 0.01 {
            continue;
        }
        let blended = |images: &[DVec3]| {
            let linear: DVec3 = images.iter().zip(&w).map(|(&y, &w)| y * w).sum();
            let pair = |(i, j): (usize, usize)| {
                let s = (q[i] * q[j].conjugate()).xyz();
                let bulge =
                    (linear * 2.0 - images[i] - images[j]) * g((i, j)) + (images[i] - images[j]).cross(s);
                bulge * (w[i] * w[j] / b_sq)
            };
            linear + pairs().map(pair).sum::<DVec3>()
        };
        let turned: Vec<DVec3> = q.iter().map(|&q| q * y).collect();
        let moved: Vec<DVec3> = joints.iter().map(|c| c.transform_point(y)).collect();
        let by_quaternion = DQuat::from_vec4(b.normalize()) * y;
        assert!(blended(&turned).distance(by_quaternion) < 1e-12 / b_sq, "round {round}");
        let by_dual_quaternion = dlb(&joints, &w).transform_point(y);
        assert!(blended(&moved).distance(by_dual_quaternion) < 1e-12 / b_sq, "round {round}");
    }
}
