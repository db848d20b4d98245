//! Posed joints, prepared for the vertex functions.
//!
//! In: one affine matrix per joint. Out: what the chosen skinning model reads per vertex: matrices, dual
//! quaternions, stretches, rotation centers.
//! Must hold: everything is derived from the f32 matrices, which are the truth.

use glam::{Affine3A, DQuat, Mat3A, Vec3, Vec3A, Vec4};

use super::Skin;
use super::eight_vertices::{EightWeights, Three, transformed};
use super::linear::transform;
use super::rigid_parts::TakeApart;
use super::rounding::{Magnitude, UNIT_ROUNDOFF, dual_quaternion_margin, linear_margin, rigid_margin};
use super::weighted_sum::{Block, weighted_sum};
use crate::math::{DualQuat, Isometry, rotation_center};
use crate::pose::{PoseError, columns};
use crate::simd::{self, Eight};

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
    /// Joint-sets whose rotation center is there.
    centered_sets: Vec<usize>,
    /// How large the numbers are that meet in a vertex.
    pub(super) magnitude: Magnitude,
    /// Which joints stretch.
    stretched: Vec<bool>,
    /// Joints that are not as they were, ascending; and the stretches of those. Memory for the next pose.
    changed: Vec<u32>,
    new_stretches: Vec<(u32, Block<2>)>,
    /// Memory for the joints of one set.
    rigid_scratch: Vec<Isometry>,
}

impl Palette {
    /// Prepares joint matrices for a skinning model. Costs O(joints); rotation centers are left for later.
    ///
    /// # Errors
    /// A wrong number of matrices, or one that is not finite.
    pub fn new(skin: &Skin, skinning: Skinning, matrices: &[Affine3A]) -> Result<Self, PoseError> {
        let expected = skin.joint_count();
        if matrices.len() != expected {
            return Err(PoseError::JointCount { expected, found: matrices.len() });
        }
        if let Some(index) = matrices.iter().position(|m| !m.is_finite()) {
            return Err(PoseError::NotFinite { object: "joint", index });
        }
        let mut palette = Self {
            skinning,
            matrices: Vec::new(),
            dual_quaternions: Vec::new(),
            rigid_matrices: Vec::new(),
            stretches: Vec::new(),
            rotation_centers: Vec::new(),
            centered_sets: Vec::new(),
            magnitude: Magnitude::default(),
            stretched: Vec::new(),
            changed: Vec::new(),
            new_stretches: Vec::new(),
            rigid_scratch: Vec::new(),
        };
        palette.exchange(skin, &mut matrices.iter().map(columns).collect());
        Ok(palette)
    }

    /// Takes the matrices of another pose, which are finite and as many as joints, and gives those back that it had. Allocates
    /// nothing that is there already; what follows from matrices that stay the same stays too.
    pub fn exchange(&mut self, skin: &Skin, matrices: &mut Vec<Block<2>>) {
        std::mem::swap(&mut self.matrices, matrices);
        if self.skinning == Skinning::Linear {
            return;
        }
        self.changed.clear();
        for (joint, matrix) in self.matrices.iter().enumerate() {
            if matrices.get(joint).is_none_or(|old| differ(old, matrix)) {
                self.changed.push(joint as u32);
            }
        }
        self.take_apart();
        self.forget_rotation_centers(skin);
    }

    /// The model the palette was made for.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// Whether the last pose taken has the joints of the one before. Never for linear skinning.
    pub(super) fn is_as_before(&self) -> bool {
        self.skinning != Skinning::Linear && self.changed.is_empty()
    }

    /// Bytes of memory held.
    pub(crate) fn bytes(&self) -> usize {
        let blocks = self.matrices.capacity() + self.rigid_matrices.capacity() + self.stretches.capacity();
        blocks * size_of::<Block<2>>()
            + self.dual_quaternions.capacity() * size_of::<Block<1>>()
            + self.rotation_centers.capacity() * size_of::<Option<Vec3>>()
            + self.centered_sets.capacity() * size_of::<usize>()
            + self.stretched.capacity()
            + self.changed.capacity() * size_of::<u32>()
            + self.new_stretches.capacity() * size_of::<(u32, Block<2>)>()
    }

    /// Says how large the numbers are that meet in a vertex, for bounds.
    pub(crate) fn set_magnitude(&mut self, magnitude: Magnitude) {
        self.magnitude = magnitude;
    }

    /// How far, on any axis, a linearly blended vertex of this many joints is from where it would be without rounding.
    pub(crate) fn rigid_margin(&self, joints: usize) -> f32 {
        rigid_margin(self.magnitude, joints)
    }

    /// The margin of vertices of this many joints that this many fields displace.
    pub(crate) fn linear_margin(&self, joints: usize, changes: usize) -> f32 {
        linear_margin(self.magnitude, joints, changes)
    }

    /// How far a vertex of this many joints is from its exact dual quaternion blend, where no joint stretches and quaternions are at most 45 degrees
    /// apart.
    pub(crate) fn dual_quaternion_margin(&self, joints: usize) -> f32 {
        dual_quaternion_margin(self.magnitude, joints)
    }

    /// Whether any joint does more than turn and move.
    pub(crate) fn stretches_any(&self) -> bool {
        !self.stretches.is_empty()
    }

    /// How far the unit quaternions of some joints are apart at most, each from each, in signs that agree with the first.
    #[inline(always)]
    pub(crate) fn opening(&self, joints: impl Iterator<Item = u32> + Clone) -> f32 {
        let real = |joint: u32| Vec4::from_slice(&self.dual_quaternions[joint as usize][0][..4]);
        let Some(pivot) = joints.clone().next().map(real) else { return 0.0 };
        let signed = |joint: u32| if pivot.dot(real(joint)) < 0.0 { -real(joint) } else { real(joint) };
        let mut most_sq = 0.0f32;
        for (index, one) in joints.clone().enumerate() {
            let one = signed(one);
            for other in joints.clone().take(index) {
                most_sq = most_sq.max((one - signed(other)).length_squared());
            }
        }
        // Both quaternions are rounded.
        most_sq.sqrt() * (1.0 + 8.0 * UNIT_ROUNDOFF) + 4.0 * UNIT_ROUNDOFF
    }

    /// The matrix of a joint.
    #[inline(always)]
    pub(crate) fn affine(&self, joint: u32) -> Affine3A {
        let [x, y, z, translation] = column_vectors(&self.matrices[joint as usize]).map(Vec3A::from_vec4);
        Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation }
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
                self.centered_sets.push(set);
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

    /// `C_i = R_i S_i + t_i` of joints that changed.
    fn take_apart(&mut self) {
        let count = self.matrices.len();
        self.dual_quaternions.resize(count, Block::default());
        self.rigid_matrices.resize(count, Block::default());
        self.stretched.resize(count, false);
        self.new_stretches.clear();
        simd::run(TakeApart {
            matrices: &self.matrices,
            chosen: &self.changed,
            dual_quaternions: &mut self.dual_quaternions,
            rigid_matrices: &mut self.rigid_matrices,
            stretches: &mut self.new_stretches,
        });
        if self.new_stretches.is_empty() && self.stretches.is_empty() {
            return;
        }
        self.stretches.resize(count, UNSTRETCHED);
        for &joint in &self.changed {
            (self.stretches[joint as usize], self.stretched[joint as usize]) = (UNSTRETCHED, false);
        }
        for &(joint, stretch) in &self.new_stretches {
            (self.stretches[joint as usize], self.stretched[joint as usize]) = (stretch, true);
        }
        if !self.stretched.contains(&true) {
            self.stretches.clear();
        }
    }

    /// Forgets the rotation centers of joint-sets that changed.
    fn forget_rotation_centers(&mut self, skin: &Skin) {
        let sets = skin.joint_set_count();
        self.rotation_centers.resize(sets, None);
        // Queries, which look for centers, allocate nothing.
        self.centered_sets.reserve(sets - self.centered_sets.len());
        let (centers, changed) = (&mut self.rotation_centers, &self.changed);
        self.centered_sets.retain(|&set| {
            let stays = !skin.joint_set(set).iter().any(|joint| changed.binary_search(joint).is_ok());
            if !stays {
                centers[set] = None;
            }
            stays
        });
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

    /// The same for eight vertices.
    #[inline(always)]
    pub(super) fn stretched_eight<E: Eight>(&self, weights: EightWeights, p: Three<E>) -> Three<E> {
        if self.stretches.is_empty() {
            return p;
        }
        transformed(weights.blended_matrix(&self.stretches), p)
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

/// What a joint does that does not stretch.
const UNSTRETCHED: Block<2> =
    [[1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]];

/// Whether any bit differs.
#[inline(always)]
fn differ(a: &Block<2>, b: &Block<2>) -> bool {
    let bits = a.as_flattened().iter().zip(b.as_flattened());
    bits.fold(0, |differ, (a, b)| differ | (a.to_bits() ^ b.to_bits())) != 0
}

#[cfg(test)]
#[path = "../../tests/inside/skin/palette.rs"]
mod tests;
