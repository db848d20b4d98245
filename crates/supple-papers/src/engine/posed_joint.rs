//! A joint in one pose, in f64, with the numbers that skinning rounds to f32.
//!
//! In: the joint's f32 matrix `C`. Out: `C` itself, its rigid part and its stretch, `C = R S + t` by polar decomposition.
//! Must hold: `S` is nearly the identity, [`NEARLY_RIGID`]. The papers know rigid joints only, but files store matrices
//! whose products are rigid up to the digits they were written with, so the little that is left of `S` is bounded:
//! a sphere `(p, r)` goes to `(C p, |S| r)`.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, DVec4, Vec4};

use super::BoundingSphere;
use supple::math::{DualQuat, SymmetricEigen, largest_stretch, polar};
use supple::{Isometry, Skinning};

/// How far a joint's singular values may be from 1, at most.
///
/// Wide enough for matrices that were written with four digits, too narrow for a scale that anyone intended.
pub const NEARLY_RIGID: f64 = 1e-3;

/// A joint that is rigid up to [`NEARLY_RIGID`], in one pose.
#[derive(Clone, Copy, Debug)]
pub struct PosedJoint {
    /// `C_i` as given.
    pub(super) matrix: DAffine3,
    /// Its rigid part as skinning stores it, as a matrix and as a dual quaternion. Of linear skins, which do not need it, nothing is
    /// taken apart, and these are the identity.
    pub(super) rigid: DAffine3,
    pub(super) quaternion: DQuat,
    pub(super) dual: DQuat,
    /// `S_i` as skinning stores it: the identity up to [`NEARLY_RIGID`].
    pub(super) stretch: DMat3,
    /// Largest singular value of `C_i` and of `S_i`.
    pub(super) largest_stretch: f64,
}

impl PosedJoint {
    /// `None` if the joint scales or mirrors.
    pub(super) fn new(m: &Affine3A, skinning: Skinning) -> Option<Self> {
        let matrix = m.as_daffine3();
        if !(is_nearly_rigid(matrix.matrix3) && matrix.matrix3.determinant() > 0.0) {
            return None;
        }
        let whole = Self {
            matrix,
            rigid: DAffine3::IDENTITY,
            quaternion: DQuat::IDENTITY,
            dual: DQuat::from_xyzw(0.0, 0.0, 0.0, 0.0),
            stretch: DMat3::IDENTITY,
            largest_stretch: largest_stretch(matrix.matrix3),
        };
        if skinning == Skinning::Linear {
            return Some(whole);
        }
        let (rotation, stretch) = polar(matrix.matrix3);
        let rigid = Isometry { rotation, translation: matrix.translation };
        let dual_quat = DualQuat::from(rigid);
        let stretch = stretch.as_mat3().as_dmat3();
        Some(Self {
            rigid: rigid.to_affine3a().as_daffine3(),
            quaternion: dual_quat.real.as_quat().as_dquat(),
            dual: dual_quat.dual.as_quat().as_dquat(),
            stretch,
            largest_stretch: whole.largest_stretch.max(largest_stretch(stretch)),
            ..whole
        })
    }

    /// `C_i S`: the center moves, the radius grows with the stretch.
    pub(super) fn moved_sphere(&self, rest: &BoundingSphere) -> BoundingSphere {
        BoundingSphere {
            center: self.matrix.transform_point3(rest.center),
            radius: rest.radius * self.largest_stretch,
        }
    }

    /// The quaternion with the sign that skinning gives it in a joint-set whose first joint is `pivot`.
    pub(super) fn aligned_with(&self, pivot: &Self) -> DVec4 {
        // In f32 and in the order of skinning: half turns hang on the last bit.
        let real = |joint: &Self| Vec4::from(joint.quaternion.as_quat());
        let sign = if real(pivot).dot(real(self)) < 0.0 { -1.0 } else { 1.0 };
        DVec4::from(self.quaternion) * sign
    }
}

/// Whether all singular values are within [`NEARLY_RIGID`] of 1; not where a number is NaN.
fn is_nearly_rigid(matrix: DMat3) -> bool {
    let square = matrix.transpose() * matrix;
    let error = square - DMat3::IDENTITY;
    // Gershgorin: eigenvalues are at most the largest row. Most joints are far below.
    let row = |column: DVec3| column.abs().element_sum();
    let largest = row(error.x_axis).max(row(error.y_axis)).max(row(error.z_axis));
    let within = |value: f64| (value.max(0.0).sqrt() - 1.0).abs() <= NEARLY_RIGID;
    largest <= NEARLY_RIGID || SymmetricEigen::new(square).values.to_array().into_iter().all(within)
}
