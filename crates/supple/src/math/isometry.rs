//! Rigid transform: a rotation followed by a translation.
//!
//! In: a unit quaternion and a vector. Out: the transform `x -> R x + t`, its inverse and products. The
//! rotation must stay a unit quaternion; products keep that up to rounding and do not normalise.

use std::ops::Mul;

use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3};

use super::shortest_arc::shortest_arc;

/// Rigid transform `x -> rotation * x + translation`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Isometry {
    /// Unit quaternion.
    pub rotation: DQuat,
    /// Applied after the rotation.
    pub translation: DVec3,
}

impl Isometry {
    /// The transform that moves nothing.
    pub const IDENTITY: Self = Self { rotation: DQuat::IDENTITY, translation: DVec3::ZERO };

    /// Rotation followed by translation; `rotation` must be a unit quaternion.
    ///
    /// An `f32` rotation comes in as `quat.as_dquat().normalize()`, an `f32` vector as it is.
    pub fn new(rotation: DQuat, translation: impl Into<DVec3>) -> Self {
        Self { rotation, translation: translation.into() }
    }

    /// From the f32 types that engines have; the rotation is normalised.
    pub fn from_rotation_translation(rotation: Quat, translation: Vec3) -> Self {
        Self::new(rotation.as_dquat().normalize(), translation)
    }

    /// Pure translation.
    pub fn from_translation(translation: impl Into<DVec3>) -> Self {
        Self::new(DQuat::IDENTITY, translation)
    }

    /// Rotation about the origin; `rotation` must be a unit quaternion.
    pub fn from_rotation(rotation: DQuat) -> Self {
        Self::new(rotation, DVec3::ZERO)
    }

    /// The transform that undoes this one: `x -> R^T (x - t)`.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let rotation = self.rotation.conjugate();
        Self { rotation, translation: -(rotation * self.translation) }
    }

    /// Rotates and translates.
    pub fn transform_point(&self, point: impl Into<DVec3>) -> DVec3 {
        self.rotation * point.into() + self.translation
    }

    /// Rotates only: directions and differences of points.
    pub fn transform_vector(&self, vector: impl Into<DVec3>) -> DVec3 {
        self.rotation * vector.into()
    }

    /// Between `self` (0) and `other` (1): the rotation on the shortest arc, the translation linearly.
    pub fn between(&self, other: &Self, t: f64) -> Self {
        Self {
            rotation: shortest_arc(self.rotation, other.rotation, t),
            translation: self.translation + (other.translation - self.translation) * t,
        }
    }

    /// This, if it is rigid: numbers are finite, and the rotation has unit length to f32 precision, which is made exact. `None`
    /// for everything else, e.g. a quaternion that was scaled or never set.
    pub fn checked(&self) -> Option<Self> {
        let off = (self.rotation.length_squared() - 1.0).abs();
        match off {
            _ if !self.is_finite() || off > 1e-3 => None,
            _ if off <= 1e-12 => Some(*self),
            _ => Some(Self { rotation: self.rotation.normalize(), ..*self }),
        }
    }

    /// Whether all seven numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.rotation.is_finite() && self.translation.is_finite()
    }

    /// As an affine matrix in `f64`.
    pub fn to_affine(&self) -> DAffine3 {
        DAffine3::from_rotation_translation(self.rotation, self.translation)
    }

    /// As an affine matrix in `f32`, each element rounded once.
    pub fn to_affine3a(&self) -> Affine3A {
        self.to_affine().as_affine3a()
    }
}

impl Default for Isometry {
    fn default() -> Self {
        Self::IDENTITY
    }
}

impl From<Isometry> for DAffine3 {
    fn from(isometry: Isometry) -> Self {
        isometry.to_affine()
    }
}

impl From<Isometry> for Affine3A {
    fn from(isometry: Isometry) -> Self {
        isometry.to_affine3a()
    }
}

/// `a * b` applies `b` first.
impl Mul for Isometry {
    type Output = Self;

    fn mul(self, rhs: Self) -> Self {
        Self { rotation: self.rotation * rhs.rotation, translation: self.transform_point(rhs.translation) }
    }
}
