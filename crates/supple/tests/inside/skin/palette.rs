//! Tests of what `skin/palette` keeps to itself: what is left as it was is what it would be anew.

use super::super::hostile_pose::Random;
use super::*;

/// Rigid or stretched.
fn joint(random: &mut Random) -> Affine3A {
    let scale = if random.below(4) == 0 { random.vector() + 1.5 } else { Vec3::ONE };
    Affine3A::from_scale_rotation_translation(scale, random.rotation(), random.vector())
}

#[test]
fn joints_that_stay_and_joints_that_change() {
    let mut random = Random(11);
    for round in 0..200 {
        let skinning = [Skinning::DualQuaternion, Skinning::Spherical][round % 2];
        let joints = 1 + random.below(12);
        let influences: Vec<Vec<(u32, f32)>> = (0..40)
            .map(|_| {
                (0..1 + random.below(4)).map(|_| (random.below(joints) as u32, 0.1 + random.unit())).collect()
            })
            .collect();
        let skin = Skin::new(joints, influences.iter().map(Vec::as_slice)).unwrap();
        let mut matrices: Vec<Affine3A> = (0..joints).map(|_| joint(&mut random)).collect();
        let mut palette = Palette::new(&skin, skinning, &matrices).unwrap();
        for _ in 0..8 {
            let often = 1 + random.below(6);
            for matrix in &mut matrices {
                if random.below(often) == 0 {
                    *matrix = joint(&mut random);
                }
            }
            palette.exchange(&skin, &mut matrices.iter().map(columns).collect());
            let mut fresh = Palette::new(&skin, skinning, &matrices).unwrap();
            for set in 0..skin.joint_set_count() {
                fresh.prepare_set(&skin, set);
                if random.below(3) > 0 {
                    palette.prepare_set(&skin, set);
                }
                if palette.rotation_centers[set].is_some() {
                    assert_eq!(palette.rotation_centers[set], fresh.rotation_centers[set]);
                }
            }
            assert_eq!(palette.dual_quaternions, fresh.dual_quaternions);
            assert_eq!(palette.rigid_matrices, fresh.rigid_matrices);
            assert_eq!(palette.stretches, fresh.stretches);
        }
    }
}
