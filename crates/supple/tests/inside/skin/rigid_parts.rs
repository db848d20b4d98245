//! Joints taken apart four at a time against one: the same bits.

use glam::DQuat;

use super::super::hostile_pose::Random;
use super::*;
use crate::math::{DualQuat, Isometry};
use crate::simd::{self, TwoFours};

/// Rigid, mirrored, scaled, sheared and flattened joints.
fn joint(random: &mut Random) -> Block<2> {
    let q = DQuat::from_array(std::array::from_fn(|_| f64::from(random.signed())));
    let rotation = DMat3::from_quat(if q.length() > 0.1 { q.normalize() } else { DQuat::IDENTITY });
    let scale = DVec3::new(random.signed().into(), random.signed().into(), random.signed().into());
    let even = DMat3::from_diagonal(DVec3::splat(scale.x * 3.0));
    let matrix = match random.below(8) {
        0..4 => rotation,
        4 => rotation * even,
        5 => rotation * DMat3::from_diagonal(scale) * rotation.transpose(),
        6 => rotation * DMat3::from_diagonal(scale.with_y(0.0)),
        _ => DMat3::IDENTITY,
    };
    let translation = if random.below(3) == 0 { DVec3::new(-0.0, 0.0, 0.0) } else { scale * 100.0 };
    columns(&DAffine3::from_mat3_translation(matrix, translation).as_affine3a())
}

fn bits<const N: usize>(block: &Block<N>) -> [[u32; 8]; N] {
    block.map(|row| row.map(f32::to_bits))
}

#[test]
fn four_have_the_bits_of_one() {
    let mut random = Random(5);
    for count in 0..300usize {
        let matrices: Vec<Block<2>> = (0..count).map(|_| joint(&mut random)).collect();
        let chosen: Vec<u32> = (0..count as u32).filter(|_| random.below(3) > 0).collect();
        let untouched = ([[7.0; 8]], [[7.0; 8]; 2]);
        let taken = [true, false].map(|wide| {
            let mut dual_quaternions = vec![untouched.0; count];
            let mut rigid_matrices = vec![untouched.1; count];
            let mut stretches = Vec::new();
            let kernel = TakeApart {
                matrices: &matrices,
                chosen: &chosen,
                dual_quaternions: &mut dual_quaternions,
                rigid_matrices: &mut rigid_matrices,
                stretches: &mut stretches,
            };
            if wide {
                simd::run(kernel)
            } else {
                kernel.run::<TwoFours>()
            }
            (dual_quaternions, rigid_matrices, stretches)
        });
        for (dual_quaternions, rigid_matrices, stretches) in &taken {
            let mut stretches = stretches.iter();
            for (joint, matrix) in matrices.iter().enumerate() {
                if !chosen.contains(&(joint as u32)) {
                    assert_eq!((dual_quaternions[joint], rigid_matrices[joint]), untouched);
                    continue;
                }
                let [x, y, z, t] = column_vectors(matrix).map(|column| column.truncate().as_dvec3());
                let (rotation, stretch) = polar(DMat3::from_cols(x, y, z));
                let rigid = Isometry { rotation, translation: t };
                let DualQuat { real, dual } = DualQuat::from(rigid);
                let (real, dual) = (real.as_quat().to_array(), dual.as_quat().to_array());
                let expected = [std::array::from_fn(|i| if i < 4 { real[i] } else { dual[i - 4] })];
                assert_eq!(bits(&dual_quaternions[joint]), bits(&expected));
                assert_eq!(bits(&rigid_matrices[joint]), bits(&columns(&rigid.to_affine3a())));
                if stretch != DMat3::IDENTITY {
                    let (found, stretched) = stretches.next().unwrap();
                    assert_eq!(*found as usize, joint);
                    let expected = columns(&DAffine3::from_mat3(stretch).as_affine3a());
                    assert_eq!(bits(stretched), bits(&expected));
                }
            }
            assert_eq!(stretches.next(), None);
        }
    }
}
