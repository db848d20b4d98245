//! Posed joints, prepared for the vertex functions.
//!
//! In: one affine matrix per joint. Out: what the chosen skinning model reads per vertex: matrices, dual
//! quaternions, stretches, rotation centers.
//! Must hold: everything is derived from the f32 matrices, which are the truth.

use glam::{Affine3A, DAffine3, DMat3, DQuat, Vec3, Vec3A, Vec4};

use super::Skin;
use super::linear::transform;
use super::rounding::{Magnitude, rigid_margin, smallest_stretch};
use super::weighted_sum::{Block, weighted_sum};
use crate::math::{DualQuat, Isometry, polar, rotation_center};
use crate::pose::PoseError;
use crate::simd::Eight;

/// How joints are blended where several move one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Skinning {
    /// Blend matrices: what engines and glTF do. Collapses under twists.
    #[default]
    Linear,
    /// Blend rotations about a common center (Kavan & Zara 2005).
    Spherical,
    /// Blend dual quaternions (Kavan et al. 2007). Keeps volume, no center needed.
    DualQuaternion,
}

impl Skinning {
    /// All models, for loops over them.
    pub const ALL: [Self; 3] = [Self::Linear, Self::Spherical, Self::DualQuaternion];

    /// A short name: `linear`, `spherical`, `dual`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::Spherical => "spherical",
            Self::DualQuaternion => "dual",
        }
    }
}

/// Joint matrices of one pose, with what the skinning model derives from them.
///
/// Matrices are stored column by column with four numbers per column (the fourth is 0), so that a blend of matrices
/// is a blend of whole registers.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Palette {
    skinning: Skinning,
    /// `C_i`: four columns.
    pub(super) matrices: Vec<Block<2>>,
    /// Rigid part of `C_i` as real x, y, z, w and dual x, y, z, w. Empty for linear skinning.
    pub(super) dual_quaternions: Vec<Block<1>>,
    /// Rigid part of `C_i` as four columns. Empty for linear skinning.
    pub(super) rigid_matrices: Vec<Block<2>>,
    /// Stretch of `C_i` as four columns. Empty where no joint stretches.
    pub(super) stretches: Vec<Block<2>>,
    /// One per joint-set, computed when it is first needed. Empty for linear skinning.
    pub(super) rotation_centers: Vec<Option<Vec3>>,
    /// How large the numbers are that meet in a vertex.
    pub(super) magnitude: Magnitude,
    /// Memory for the joints of one set.
    rigid_scratch: Vec<Isometry>,
}

impl Palette {
    /// Prepares joint matrices for a skinning model. Costs O(joints); rotation centers are left for later.
    ///
    /// # Errors
    /// A wrong number of matrices, or one that is not finite.
    pub fn new(skin: &Skin, skinning: Skinning, matrices: &[Affine3A]) -> Result<Self, PoseError> {
        let mut palette = Self {
            skinning,
            matrices: Vec::new(),
            dual_quaternions: Vec::new(),
            rigid_matrices: Vec::new(),
            stretches: Vec::new(),
            rotation_centers: Vec::new(),
            magnitude: Magnitude::default(),
            rigid_scratch: Vec::new(),
        };
        palette.set(skin, matrices)?;
        Ok(palette)
    }

    /// Takes the matrices of another pose; allocates nothing that is there already.
    ///
    /// # Errors
    /// A wrong number of matrices, or one that is not finite; the palette is then unchanged.
    pub fn set(&mut self, skin: &Skin, matrices: &[Affine3A]) -> Result<(), PoseError> {
        let expected = skin.joint_count();
        if matrices.len() != expected {
            return Err(PoseError::JointCount { expected, found: matrices.len() });
        }
        if let Some(index) = matrices.iter().position(|m| !m.is_finite()) {
            return Err(PoseError::NotFinite { object: "joint", index });
        }
        refill(&mut self.matrices, matrices.iter().map(columns));
        if self.skinning != Skinning::Linear {
            self.take_apart(matrices);
            refill(&mut self.rotation_centers, std::iter::repeat_n(None, skin.joint_set_count()));
        }
        Ok(())
    }

    /// The model the palette was made for.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let blocks = self.matrices.capacity() + self.rigid_matrices.capacity() + self.stretches.capacity();
        blocks * size_of::<Block<2>>()
            + self.dual_quaternions.capacity() * size_of::<Block<1>>()
            + self.rotation_centers.capacity() * size_of::<Option<Vec3>>()
    }

    /// Says how large the numbers are that meet in a vertex, for bounds.
    pub(crate) fn set_magnitude(&mut self, magnitude: Magnitude) {
        self.magnitude = magnitude;
    }

    /// How far, on any axis, a linearly blended vertex of this many joints is from where it would be without rounding.
    pub(crate) fn rigid_margin(&self, joints: usize) -> f32 {
        rigid_margin(self.magnitude, joints)
    }

    /// How far two joints take a point apart that is within a distance of the origin at rest, at most.
    pub(crate) fn apart(&self, a: u32, b: u32, distance: f32) -> f32 {
        let [x, y, z, t] = column_vectors(&self.matrices[a as usize]).map(|c| c.as_dvec4());
        let [p, q, r, s] = column_vectors(&self.matrices[b as usize]).map(|c| c.as_dvec4());
        let square = (x - p).length_squared() + (y - q).length_squared() + (z - r).length_squared();
        // Rounded up.
        ((square.sqrt() * f64::from(distance) + (t - s).length()) * (1.0 + 1e-6)) as f32
    }

    /// How far apart at rest two points must be that follow a joint, alone or but for deviations of this sum, so that, posed
    /// and rounded, they are apart.
    ///
    /// A posed point is off by at most the margin per axis, which is less than twice that in space.
    pub(crate) fn separable_distance(&self, joint: usize, influences: usize, deviations: f32) -> f32 {
        let [x, y, z, _] = column_vectors(&self.matrices[joint]);
        let off = 4.0 * f64::from(self.rigid_margin(influences)) + f64::from(deviations);
        let distance = off / smallest_stretch([x, y, z]);
        // Rounded up; infinite for a joint that flattens.
        (distance * (1.0 + 1e-6)) as f32
    }

    /// Computes the rotation center of a joint-set if it is needed and not there yet: always for spherical skinning, for
    /// the bounds of dual quaternion skinning only where joints are turned far apart.
    #[inline(always)]
    pub(crate) fn prepare_set(&mut self, skin: &Skin, set: usize) {
        if self.rotation_centers.get(set) == Some(&None) {
            let joints = skin.joint_set(set);
            if self.skinning == Skinning::Spherical || self.is_widely_turned(joints) {
                let mut rigid = std::mem::take(&mut self.rigid_scratch);
                self.rotation_centers[set] = Some(self.rotation_center(joints, &mut rigid));
                self.rigid_scratch = rigid;
            }
        }
    }

    /// Three joints and more, one of them turned by more than 90 degrees against the first.
    fn is_widely_turned(&self, joints: &[u32]) -> bool {
        let real = |joint: &u32| Vec4::from_slice(&self.dual_quaternions[*joint as usize][0][..4]);
        let pivot = real(&joints[0]);
        let half_right_angle = std::f32::consts::FRAC_1_SQRT_2;
        joints.len() > 2 && joints[1..].iter().any(|j| pivot.dot(real(j)).abs() < half_right_angle)
    }

    /// Computes all rotation centers that posing vertices needs.
    pub(crate) fn prepare_all_sets(&mut self, skin: &Skin) {
        if self.skinning != Skinning::Spherical {
            return;
        }
        for set in 0..self.rotation_centers.len() {
            self.prepare_set(skin, set);
        }
    }

    fn rotation_center(&self, joints: &[u32], rigid: &mut Vec<Isometry>) -> Vec3 {
        if joints.len() == 1 {
            return Vec3::ZERO;
        }
        refill(
            rigid,
            joints.iter().map(|&joint| {
                let [[x, y, z, w, dx, dy, dz, dw]] =
                    self.dual_quaternions[joint as usize].map(|q| q.map(f64::from));
                let dual = DQuat::from_xyzw(dx, dy, dz, dw);
                DualQuat { real: DQuat::from_xyzw(x, y, z, w), dual }.normalized().to_isometry()
            }),
        );
        rotation_center(rigid).as_vec3()
    }

    /// `C_i = R_i S_i + t_i`.
    fn take_apart(&mut self, matrices: &[Affine3A]) {
        self.dual_quaternions.clear();
        self.rigid_matrices.clear();
        self.stretches.clear();
        let mut any_stretch = false;
        for m in matrices {
            let (rotation, stretch) = polar(glam::Mat3::from(m.matrix3).as_dmat3());
            let rigid = Isometry { rotation, translation: m.translation.as_dvec3() };
            self.dual_quaternions.push(dual_quaternion(rigid));
            self.rigid_matrices.push(columns(&rigid.to_affine3a()));
            self.stretches.push(columns(&DAffine3::from_mat3(stretch).as_affine3a()));
            any_stretch |= stretch != DMat3::IDENTITY;
        }
        if !any_stretch {
            self.stretches.clear();
        }
    }

    /// `(sum w_i S_i) p`.
    #[inline(always)]
    pub(super) fn stretched<E: Eight>(&self, joints: &[u32], weights: &[f32], p: Vec3) -> Vec3A {
        if self.stretches.is_empty() {
            return Vec3A::from(p);
        }
        let stretch = weighted_sum::<E, 2>(&self.stretches, joints, weights.iter().copied());
        Vec3A::from_vec4(transform(stretch, p))
    }

    /// A normal under the inverse transpose of the blended stretch, not of unit length.
    #[inline(always)]
    pub(super) fn stretched_normal<E: Eight>(&self, joints: &[u32], weights: &[f32], n: Vec3) -> Vec3A {
        if self.stretches.is_empty() {
            return Vec3A::from(n);
        }
        let [xy, zt] = weighted_sum::<E, 2>(&self.stretches, joints, weights.iter().copied());
        let ([x, y], [z, _]) = (xy.split(), zt.split());
        inverse_transpose_times([x, y, z], n)
    }
}

/// Blended quaternions shorter than this (squared) have no direction worth following: rotations that differ by half
/// turns cancel. The vertex then follows its heaviest joint, which is finite and defined. 1e-6 leaves three digits
/// of f32 in a direction of length 1e-3.
pub(super) const SINGULAR_BLEND_SQ: f32 = 1e-6;

/// The joint with the largest weight, the first of equals.
#[inline(always)]
pub(super) fn heaviest(joints: &[u32], weights: &[f32]) -> usize {
    let mut best = 0;
    for (index, &weight) in weights.iter().enumerate() {
        if weight > weights[best] {
            best = index;
        }
    }
    joints[best] as usize
}

/// The inverse transpose of a matrix (as columns), up to a positive factor, applied to a vector.
///
/// `M^-T = cof(M) / det(M)`, and `cof(M)` has the columns `m1 x m2, m2 x m0, m0 x m1`.
#[inline(always)]
pub(super) fn inverse_transpose_times(columns: [Vec4; 3], n: Vec3) -> Vec3A {
    let [m0, m1, m2] = columns.map(Vec3A::from_vec4);
    let first = m1.cross(m2);
    let product = first * n.x + m2.cross(m0) * n.y + m0.cross(m1) * n.z;
    if m0.dot(first) < 0.0 { -product } else { product }
}

/// Unit length; a vanishing vector stays zero.
#[inline(always)]
pub(super) fn unit_or_zero(n: Vec3A) -> Vec4 {
    n.normalize_or_zero().extend(0.0)
}

fn refill<T>(vec: &mut Vec<T>, values: impl Iterator<Item = T>) {
    vec.clear();
    vec.extend(values);
}

/// The four columns of a matrix.
#[inline(always)]
pub(super) fn column_vectors([xy, zt]: &Block<2>) -> [Vec4; 4] {
    let column = |half: &[f32]| Vec4::from_slice(half);
    [column(&xy[..4]), column(&xy[4..]), column(&zt[..4]), column(&zt[4..])]
}

/// The columns of a matrix, as [`transform_by`](super::transform_by) takes them.
pub(crate) fn columns(m: &Affine3A) -> Block<2> {
    let [x, y, z, t] = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
    [[x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0], [z.x, z.y, z.z, 0.0, t.x, t.y, t.z, 0.0]]
}

fn dual_quaternion(isometry: Isometry) -> Block<1> {
    let dq = DualQuat::from(isometry);
    let (r, d) = (dq.real.as_quat(), dq.dual.as_quat());
    [[r.x, r.y, r.z, r.w, d.x, d.y, d.z, d.w]]
}
