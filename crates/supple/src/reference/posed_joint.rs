//! A joint in one pose, in f64, with the numbers that skinning rounds to f32.
//!
//! In: the joint's f32 matrix `C`. Out: `C` itself, its rigid part and its stretch, `C = R S + t` by polar decomposition.
//! Must hold: `S` is nearly the identity, [`NEARLY_RIGID`]. The papers know rigid joints only, but files store matrices
//! whose products are rigid up to the digits they were written with, so the little that is left of `S` is bounded:
//! a sphere `(p, r)` goes to `(C p, |S| r)`.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, DVec4};

use super::posed::MovedBall;
use crate::math::{DualQuat, Isometry, Sphere, SymmetricEigen, polar};

/// How far a joint's singular values may be from 1.
///
/// Wide enough for matrices that were written with four digits, too narrow for a scale that anyone intended.
pub const NEARLY_RIGID: f64 = 1e-3;

/// See the module.
#[derive(Clone, Copy, Debug)]
pub(super) struct PosedJoint {
    /// `C_i` as given.
    pub matrix: DAffine3,
    /// Its rigid part as skinning stores it, as a matrix and as a dual quaternion.
    pub rigid: DAffine3,
    pub quaternion: DQuat,
    pub dual: DQuat,
    /// `S_i` as skinning stores it: the identity up to [`NEARLY_RIGID`].
    pub stretch: DMat3,
    /// Largest singular value of `C_i` and of `S_i`.
    pub largest_stretch: f64,
}

impl PosedJoint {
    /// `None` if the joint scales or mirrors.
    pub fn new(m: &Affine3A) -> Option<Self> {
        let matrix = m.as_daffine3();
        let (rotation, stretch) = polar(matrix.matrix3);
        // A mirror has negative values.
        if (SymmetricEigen::new(stretch).values - DVec3::ONE).abs().max_element() > NEARLY_RIGID {
            return None;
        }
        let rigid = Isometry { rotation, translation: matrix.translation };
        let dual_quat = DualQuat::from(rigid);
        let stretch = stretch.as_mat3().as_dmat3();
        Some(Self {
            matrix,
            rigid: rigid.to_affine3a().as_daffine3(),
            quaternion: dual_quat.real.as_quat().as_dquat(),
            dual: dual_quat.dual.as_quat().as_dquat(),
            stretch,
            largest_stretch: largest_singular_value(&matrix.matrix3).max(largest_singular_value(&stretch)),
        })
    }

    /// `C_i S`: the centre moves, the radius grows with the stretch.
    pub fn moved_ball(&self, rest: &Sphere) -> MovedBall {
        MovedBall {
            center: self.matrix.transform_point3(rest.center.as_dvec3()),
            radius: f64::from(rest.radius) * self.largest_stretch,
        }
    }

    /// The quaternion with the sign that skinning gives it in a joint-set whose first joint is `pivot`.
    pub fn aligned_with(&self, pivot: &Self) -> DVec4 {
        // In f32 and in the order of skinning: half turns hang on the last bit.
        let real = |joint: &Self| glam::Vec4::from(joint.quaternion.as_quat());
        let sign = if real(pivot).dot(real(self)) < 0.0 { -1.0 } else { 1.0 };
        DVec4::from(self.quaternion) * sign
    }
}

/// By Gershgorin's theorem on `M^T M`.
fn largest_singular_value(m: &DMat3) -> f64 {
    let columns = [m.x_axis, m.y_axis, m.z_axis];
    let row = |c: &DVec3| columns.iter().map(|d| c.dot(*d).abs()).sum::<f64>();
    columns.iter().map(row).fold(0.0, f64::max).sqrt()
}
