//! Poses that nobody would choose, for tests of rounding: as the library prepares and computes them in f32, and the same blend
//! evaluated in f64 from the joints' exact rotations.
//!
//! Based on: the definitions of `docs/math/rounding.md`, "Rotations: what is exact".

use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3, Quat, Vec3, Vec4};

use super::palette::column_vectors;
use super::rounding::Magnitude;
use super::{DualQuaternionSkin, LinearSkin, Palette, Skin, SkinStage, Skinning, SphericalSkin};
use crate::math::outward::radius_of;
use crate::math::polar;
use crate::simd::TwoFours;

/// A small generator of its own (xorshift, George Marsaglia 2003): the same attack on every machine.
pub(super) struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        (self.next() >> 11) as usize % count
    }

    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1u64 << 24) as f32
    }

    pub fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn rotation(&mut self) -> Quat {
        let q = Vec4::new(self.signed(), self.signed(), self.signed(), self.signed());
        Quat::from_vec4(if q.length() > 0.1 { q.normalize() } else { Vec4::W })
    }

    pub fn one_of<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }
}

/// One vertex of some joints, in one pose.
pub(super) struct Case {
    pub skin: Skin,
    pub matrices: Vec<Affine3A>,
    pub rest: Vec3,
}

/// How joints are turned against each other.
#[derive(Clone, Copy)]
pub(super) enum Turns {
    Any,
    Near,
    ByHalves,
    Opposed,
}

pub(super) const TURNS: [Turns; 4] = [Turns::Any, Turns::Near, Turns::ByHalves, Turns::Opposed];

impl Case {
    /// A pose that nobody would choose.
    pub fn hostile(random: &mut Random, turns: Turns) -> Self {
        let most = random.one_of(&[4, 4, 4, 4, 4, 4, 4, 14]);
        let n = 2 + random.below(most);
        // Half of the poses are of ordinary size: there margins are used most.
        let size = if random.below(2) == 0 { 1.0 } else { 10f32.powi(random.below(32) as i32 - 20) };
        let base = random.rotation();
        let axis = base * Vec3::X;
        let common = if random.below(3) == 0 { random.vector() * size * 1e3 } else { Vec3::ZERO };
        let scales = random.below(6);
        let matrices = (0..n)
            .map(|joint| {
                let small = random.one_of(&[1e-1f32, 1e-3, 1e-5, 1e-7]);
                let rotation = match turns {
                    Turns::Any => random.rotation(),
                    Turns::Near => base * Quat::from_axis_angle(random.rotation() * Vec3::X, small),
                    Turns::ByHalves => {
                        let turn = random.one_of(&[0.0, 0.5, 1.0, -1.0]) * std::f32::consts::PI;
                        base * Quat::from_axis_angle(random.one_of(&[Vec3::X, Vec3::Y, Vec3::Z]), turn)
                    }
                    // The first joint as it is, the others half a turn away in opposite directions.
                    Turns::Opposed => {
                        let sign = [0.0, 1.0, -1.0][if joint == 0 { 0 } else { 1 + joint % 2 }];
                        let away = Vec4::new(sign * axis.x, sign * axis.y, sign * axis.z, small);
                        base * if joint == 0 { Quat::IDENTITY } else { Quat::from_vec4(away.normalize()) }
                    }
                };
                let scale = match scales {
                    0 => Vec3::splat(random.one_of(&[1e-20f32, 1e-3, 0.5, 2.0, 1e4, 1e12])),
                    1 => Vec3::new(1.0 + random.unit(), 0.1 + random.unit(), 2.0),
                    2 => random.one_of(&[
                        Vec3::ONE,
                        Vec3::new(-1.0, 1.0, 1.0),
                        Vec3::NEG_ONE,
                        Vec3::new(1.0, 1.0, 0.0),
                    ]),
                    _ => Vec3::ONE,
                };
                let matrix = Mat3::from_quat(rotation.normalize()) * Mat3::from_diagonal(scale);
                let shift = common + random.vector() * size * random.one_of(&[1.0f32, 1e-6, 30.0]);
                Affine3A::from_mat3_translation(matrix, shift)
            })
            .collect();
        let weight = |random: &mut Random, joint: usize| match turns {
            // The quaternions of the others cancel: `|b|` is what the first joint has.
            Turns::Opposed if joint == 0 => random.one_of(&[1e-1f32, 1e-2, 3e-3, 1.1e-3, 1e-4]),
            Turns::Opposed => 0.5 + 1e-4 * random.unit(),
            _ => random.one_of(&[1.0f32, 0.5, 0.1, 1e-3, 1e-7, 1e-30, 1e-40]) * (0.1 + random.unit()),
        };
        let influences: Vec<(u32, f32)> = (0..n).map(|joint| (joint as u32, weight(random, joint))).collect();
        // A second vertex makes joint 0 the one that signs are aligned with.
        let first: Vec<(u32, f32)> =
            (0..n).map(|joint| (joint as u32, if joint == 0 { 100.0 } else { 1e-30 })).collect();
        let skin = Skin::new(n, [&influences[..], &first[..]]).expect("weights of a skin");
        let rest = random.vector() * size * random.one_of(&[1.0f32, 1e-9, 1e3]);
        Self { skin: roughened(random, &skin), matrices, rest }
    }
}

/// The same skin with weights as far from the sum 1 as a stored skin may have them.
pub(super) fn roughened(random: &mut Random, skin: &Skin) -> Skin {
    let direction = random.one_of(&[0.0f32, 1.0, -1.0]);
    let lists = (0..skin.vertex_count() as u32)
        .map(|vertex| {
            let mut list: Vec<(u32, f32)> =
                skin.influences(vertex).map(|(joint, weight)| (joint.0, weight)).collect();
            let step = direction * (list.len() - 1) as f32 * f32::EPSILON;
            let heaviest = (0..list.len()).max_by(|&a, &b| list[a].1.total_cmp(&list[b].1)).unwrap_or(0);
            list[heaviest].1 = (list[heaviest].1 + step).min(1.0);
            list
        })
        .collect();
    Skin::from_normalized(skin.joint_count(), lists).expect("weights that a stored skin may have")
}

/// A pose of a case, as a body would prepare it.
pub(super) fn palette(case: &Case, skinning: Skinning) -> Option<Palette> {
    let mut palette = Palette::new(&case.skin, skinning, &case.matrices).ok()?;
    let rest = radius_of(case.rest.as_dvec3().length());
    for matrix in &palette.matrices {
        let Magnitude { stretch, translation, .. } = Magnitude::of_joint(matrix, rest);
        // What bodies refuse.
        if stretch > 1e30
            || rest > 1e18
            || f64::from(stretch) * f64::from(rest) + f64::from(translation) > 1e18
        {
            return None;
        }
    }
    let radii = vec![rest; palette.matrices.len()];
    let (magnitude, _) = Magnitude::of_joints(&palette.matrices, &radii, 0.0);
    palette.set_magnitude(magnitude);
    (0..case.skin.joint_set_count()).for_each(|set| palette.prepare_set(&case.skin, set));
    Some(palette)
}

/// The exact blend of a vertex, evaluated in f64.
pub(super) struct Exact {
    pub position: DVec3,
    /// Length of the blended quaternion.
    pub length: f64,
    /// The linear blend with weights of sum 1.
    pub linear: DVec3,
}

pub(super) fn exact(case: &Case, palette: &Palette, vertex: usize) -> Exact {
    let (joints, weights) = case.skin.joints_and_weights(vertex);
    // Matrices alone have no quaternions.
    let real = |joint: u32| match palette.dual_quaternions.get(joint as usize) {
        Some([numbers]) => Vec4::from_slice(&numbers[..4]),
        None => Vec4::W,
    };
    let rest = case.rest.as_dvec3();
    let columns = |m: &[Vec4; 4]| {
        let [x, y, z, t] = m.map(|c| c.truncate().as_dvec3());
        (DMat3::from_cols(x, y, z), t)
    };
    let (mut b, mut dual) = (glam::DVec4::ZERO, glam::DVec4::ZERO);
    let (mut stretched, mut linear, mut total) = (DVec3::ZERO, DVec3::ZERO, 0.0);
    for (&joint, &weight) in joints.iter().zip(weights) {
        let matrix = &case.matrices[joint as usize];
        let (rotation, _) = polar(Mat3::from(matrix.matrix3).as_dmat3());
        let shift = matrix.translation.as_dvec3();
        let sign = if real(joints[0]).dot(real(joint)) < 0.0 { -1.0 } else { 1.0 };
        // The sign of a rotation's quaternion is what the palette has.
        let same = real(joint).as_dvec4().dot(glam::DVec4::from(rotation)).signum();
        let q = glam::DVec4::from(rotation) * same;
        let half = DQuat::from_xyzw(shift.x * 0.5, shift.y * 0.5, shift.z * 0.5, 0.0);
        let (v, w) = (q.truncate(), q.w);
        let d = (half.xyz() * w + half.xyz().cross(v)).extend(-half.xyz().dot(v));
        let weight = f64::from(weight);
        total += weight;
        b += q * (sign * weight);
        dual += d * (sign * weight);
        let (m, t) = (Mat3::from(matrix.matrix3).as_dmat3(), shift);
        linear += (m * rest + t) * weight;
        stretched += match palette.stretches.get(joint as usize) {
            None => rest * (weight),
            Some(stretch) => columns(&column_vectors(stretch)).0 * rest * weight,
        };
    }
    if palette.stretches.is_empty() {
        stretched = rest;
    }
    let (r, a0) = (b.truncate(), b.w);
    let length = b.length();
    let turned = |y: DVec3| y + r.cross(r.cross(y) + y * a0) * (2.0 / b.length_squared());
    let position = match palette.skinning() {
        Skinning::Linear => linear,
        Skinning::DualQuaternion => {
            let (d, ae) = (dual.truncate(), dual.w);
            turned(stretched) + (d * a0 - r * ae + r.cross(d)) * (2.0 / b.length_squared())
        }
        Skinning::Spherical => {
            let set = case.skin.set_of_vertex(vertex as u32);
            let center = palette.rotation_centers[set].expect("prepared").as_dvec3();
            let mut sum = DVec3::ZERO;
            for (&joint, &weight) in joints.iter().zip(weights) {
                let matrix = &case.matrices[joint as usize];
                let (rotation, _) = polar(Mat3::from(matrix.matrix3).as_dmat3());
                sum += (rotation * center + matrix.translation.as_dvec3()) * f64::from(weight);
            }
            turned(stretched - center) + sum
        }
    };
    Exact { position, length, linear: linear / total }
}

pub(super) fn posed(case: &Case, palette: &Palette, vertex: usize) -> Vec3 {
    let (skin, rest) = (&case.skin, case.rest);
    match palette.skinning() {
        Skinning::Linear => LinearSkin { skin, palette }.position::<TwoFours>(vertex, rest),
        Skinning::Spherical => SphericalSkin { skin, palette }.position::<TwoFours>(vertex, rest),
        Skinning::DualQuaternion => DualQuaternionSkin { skin, palette }.position::<TwoFours>(vertex, rest),
    }
    .truncate()
}

/// Longest translation and longest stretched rest position of the joints of a case.
pub(super) fn lengths(case: &Case) -> (f64, f64) {
    let shift = |m: &Affine3A| m.translation.as_dvec3().length();
    let stretched = |m: &Affine3A| {
        let m = Mat3::from(m.matrix3).as_dmat3();
        m.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt() * case.rest.as_dvec3().length()
    };
    let most = |length: &dyn Fn(&Affine3A) -> f64| case.matrices.iter().map(length).fold(0.0, f64::max);
    (most(&shift), most(&stretched))
}
