//! Stage 2 of a deformation: joints move the rest shape.
//!
//! In: rest positions, blend weights, joint matrices. Out: posed positions and normals.
//! Must hold: each model has one function that computes a vertex, and everything uses it. A vertex of a single joint
//! is moved by that joint's matrix, whatever the model.
//!
//! | model | posed vertex | papers |
//! | --- | --- | --- |
//! | [`Skinning::Linear`] | `sum w_i C_i p`, any affine `C_i` | thesis 2.2.1 |
//! | [`Skinning::Spherical`] | `Q (p - r_c) + sum w_i C_i r_c` | thesis 3, Algorithm 3.1 |
//! | [`Skinning::DualQuaternion`] | blended dual quaternion applied to `p` | thesis 4, Algorithm 4.2 |
//!
//! The two rigid models blend rotations. Where joints scale, `C_i = R_i S_i + t_i` is taken apart (polar
//! decomposition): the symmetric stretches are blended linearly and applied first, `p' = (sum w_i S_i) p`, then the
//! rigid parts move `p'`. A joint that mirrors has a negative definite `S_i`; one that flattens (zero scale) has a
//! singular one; both are fine. Quaternion signs are aligned with the first joint of the vertex' joint-set.

mod dual_quaternion;
mod eight_vertices;
mod influences;
mod linear;
mod palette;
mod rigid_parts;
mod spherical;
mod weighted_sum;
mod term;
mod rounding;
mod magnitude;
mod corner_bound;
mod rotation_bound;
mod bends;
mod posed_bends;
mod bound;

pub use influences::{MAX_INFLUENCES, Skin, SkinError};
pub use palette::Skinning;

pub(crate) use bends::{Bends, RIGID};
pub(crate) use bound::{group_box, group_sphere, linear_box, with_margin};
pub(crate) use dual_quaternion::DualQuaternionSkin;
pub(crate) use eight_vertices::{EightWeights, Three};
pub(crate) use linear::{LinearSkin, transform_by};
pub(crate) use palette::Palette;
pub(crate) use posed_bends::PosedBends;
pub(crate) use rounding::{Magnitude, UNIT_ROUNDOFF};
pub(crate) use spherical::SphericalSkin;
pub(crate) use term::{OwnedWeightRange, SkinTerm, WeightRange};

use glam::{Vec3, Vec4};

use crate::rest::EightVertices;
use crate::simd::Eight;

/// A skin with its posed joints.
///
/// Law: `position` is a pure function of vertex and rest position, the same bits for every [`Eight`]; exports and brute force call it.
/// `positions`, which queries call, has the same bits in every lane. Results are padded by a fourth number without meaning.
pub(crate) trait SkinStage: Copy + Send + Sync {
    /// The posed vertex.
    fn position<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4;
    /// Eight posed vertices, whose joints and weights stand side by side: all of them have one joint, or none has.
    fn positions<E: Eight>(&self, vertices: EightVertices, weights: EightWeights, rest: Three<E>)
    -> Three<E>;
    /// Its posed normal, of unit length (or zero where the rest normal is zero).
    fn normal<E: Eight>(&self, vertex: usize, rest: Vec3) -> Vec4;
}

#[cfg(test)]
#[path = "../../tests/inside/skin/hostile_pose.rs"]
mod hostile_pose;
#[cfg(test)]
#[path = "../../tests/inside/skin/rounding_attack.rs"]
mod rounding_attack;
