//! Bends of skins of many joint-sets: no vertex is farther from its linear blend, in any lane, with any width of registers.

use glam::DVec3;

use super::super::hostile_pose::Random;
use super::super::rounding::{Magnitude, length as rounded_length};
use super::super::{DualQuaternionSkin, Skin, SkinStage, SphericalSkin};
use super::*;
use crate::simd::TwoFours;

/// A skin of many joint-sets in a pose of some size, its rest positions and bends.
struct Case {
    skin: Skin,
    rest: Vec<Vec3>,
    bends: Bends,
    palette: Palette,
}

fn case(random: &mut Random, skinning: Skinning) -> Case {
    let (joints, vertices) = (2 + random.below(20), 1 + random.below(60));
    let size = random.one_of(&[1e-20, 1e-3, 1.0, 1e6]);
    let rest: Vec<Vec3> = (0..vertices).map(|_| random.vector() * size).collect();
    let influences: Vec<Vec<(u32, f32)>> = (0..vertices)
        .map(|_| {
            (0..1 + random.below(6)).map(|_| (random.below(joints) as u32, random.unit() + 0.01)).collect()
        })
        .collect();
    let skin = Skin::new(joints, influences.iter().map(Vec::as_slice)).unwrap();
    let bends = Bends::new(&skin, |vertex| std::slice::from_ref(&rest[vertex]));
    let stretch = random.below(3) == 0;
    let angle = random.one_of(&[0.0, 1e-6, 0.3, 3.0]);
    let matrices: Vec<glam::Affine3A> = (0..joints)
        .map(|_| {
            let turned = glam::Quat::from_axis_angle(random.rotation() * Vec3::X, angle * random.signed());
            let scale = if stretch { random.vector() + 1.5 } else { Vec3::ONE };
            glam::Affine3A::from_scale_rotation_translation(scale, turned, random.vector() * size)
        })
        .collect();
    let mut palette = Palette::new(&skin, skinning, &matrices).unwrap();
    let radii = vec![rest.iter().map(|p| rounded_length(*p)).fold(0.0, f32::max); joints];
    palette.set_magnitude(Magnitude::of_joints(&palette.matrices, &radii, 0.0).0);
    (0..skin.joint_set_count()).for_each(|set| palette.prepare_set(&skin, set));
    Case { skin, rest, bends, palette }
}

/// The linear blend of a vertex, with weights of sum 1.
fn linear(case: &Case, vertex: usize) -> DVec3 {
    let (joints, weights) = case.skin.joints_and_weights(vertex);
    let (mut sum, mut total) = (DVec3::ZERO, 0.0);
    for (&joint, &weight) in joints.iter().zip(weights) {
        let [x, y, z, t] =
            column_vectors(&case.palette.matrices[joint as usize]).map(|column| column.truncate().as_dvec3());
        let p = case.rest[vertex].as_dvec3();
        sum += (x * p.x + y * p.y + z * p.z + t) * f64::from(weight);
        total += f64::from(weight);
    }
    sum / total
}

#[test]
fn no_vertex_is_farther_from_its_linear_blend() {
    let mut random = Random(3);
    let (mut closest, mut compared) = (0.0f64, 0);
    for round in 0..3000 {
        let skinning = [Skinning::DualQuaternion, Skinning::Spherical][round % 2];
        let case = case(&mut random, skinning);
        let (skin, palette) = (&case.skin, &case.palette);
        let displacement = random.one_of(&[0.0, 0.1]);
        let [mut wide, mut narrow] = [PosedBends::default(), PosedBends::default()];
        wide.set(&case.bends, palette, displacement);
        narrow.scale = wide.scale;
        let offset = (case.bends.stretch_spread(palette) * palette.magnitude.rest).min(1e30);
        Posing { bends: &case.bends, palette, offset, displacement, out: &mut narrow }.run::<TwoFours>();
        assert_eq!(wide.of_sets, narrow.of_sets, "round {round}");
        for vertex in 0..case.rest.len() {
            let computed = match skinning {
                Skinning::Spherical => {
                    SphericalSkin { skin, palette }.position::<TwoFours>(vertex, case.rest[vertex])
                }
                _ => DualQuaternionSkin { skin, palette }.position::<TwoFours>(vertex, case.rest[vertex]),
            };
            let bend = f64::from(wide.of_set(case.bends.of_set(skin.set_of_vertex(vertex as u32))));
            let off = computed.truncate().as_dvec3().distance(linear(&case, vertex));
            if skin.joints_and_weights(vertex).0.len() > 1 {
                assert!(
                    off <= bend,
                    "round {round}: vertex {vertex} is off by {off:e}, the bend is {bend:e}"
                );
                (closest, compared) = (closest.max(off / bend), compared + 1);
            } else {
                assert_eq!(bend, 0.0, "round {round}");
            }
        }
    }
    println!("{compared} vertices are off by up to {closest:.3} of their bends");
    assert!(compared > 50_000 && closest > 0.5, "{compared} vertices, {closest}");
}

/// Bends that are kept are those that would be computed: after the same joints, another displacement or magnitude, other joints.
#[test]
fn the_same_joints_again() {
    let mut random = Random(8);
    for _ in 0..200 {
        let Case { skin, bends, mut palette, .. } = case(&mut random, Skinning::DualQuaternion);
        let (mut posed, mut displacement) = (PosedBends::default(), 0.0);
        for _ in 0..8 {
            let mut next = palette.matrices.clone();
            match random.below(4) {
                0 => displacement = random.one_of(&[0.0, 0.1]),
                1 => palette.magnitude.stretched *= 2.0,
                2 => next.rotate_left(1),
                _ => {}
            }
            palette.exchange(&skin, &mut next);
            posed.set(&bends, &palette, displacement);
            let mut fresh = PosedBends::default();
            fresh.set(&bends, &palette, displacement);
            assert_eq!(posed.of_sets, fresh.of_sets);
        }
    }
}
