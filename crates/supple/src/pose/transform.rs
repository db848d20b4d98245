//! Translation, rotation and scale of a node relative to its parent.

use glam::{DAffine3, Quat, Vec3};

use crate::math::shortest_arc::{shortest_arc, unit};

/// A local transform as glTF has it: scale first, then rotation, then translation.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Transform {
    /// Where the node's origin goes, in the parent's space.
    pub translation: Vec3,
    /// Unit quaternion.
    pub rotation: Quat,
    /// Per axis of the node, applied first.
    pub scale: Vec3,
}

impl Transform {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// Only a translation.
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// Only a rotation.
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The matrix, in double precision: chains of joints are multiplied before they are rounded.
    pub fn matrix(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(
            self.scale.as_dvec3(),
            unit(self.rotation.as_dquat()),
            self.translation.as_dvec3(),
        )
    }

    /// Between `self` (0) and `other` (1): rotations on the shortest arc, the rest linearly.
    pub fn lerp(&self, other: &Self, t: f64) -> Self {
        if self == other {
            return *self;
        }
        let linear = |a: Vec3, b: Vec3| (a.as_dvec3() + (b.as_dvec3() - a.as_dvec3()) * t).as_vec3();
        let (a, b) = (self.rotation.as_dquat(), other.rotation.as_dquat());
        Self {
            translation: linear(self.translation, other.translation),
            rotation: shortest_arc(a, b, t).as_quat(),
            scale: linear(self.scale, other.scale),
        }
    }

    /// Whether all ten numbers are finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

impl Default for Transform {
    fn default() -> Self {
        Self::IDENTITY
    }
}
