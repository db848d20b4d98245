//! Planes, with a side above and a side below.
//!
//! A plane is checked when it is made; after that its normal has length 1.

use glam::{DVec3, Vec3};
use thiserror::Error;

use crate::math::Sphere;

/// All points with `normal . point = offset`. The normal points upwards.
///
/// ```
/// use glam::Vec3;
/// use supple::Plane;
///
/// let floor = Plane::new(Vec3::Y * 2.0, 1.0)?; // of any length
/// assert_eq!(floor.height(Vec3::ONE), 0.5);
/// assert!(Plane::new(Vec3::ZERO, 1.0).is_err());
/// # Ok::<(), supple::PlaneError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    normal: DVec3,
    offset: f64,
}

/// Why numbers do not make a plane.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PlaneError {
    /// A plane faces somewhere.
    #[error("the normal of a plane must be finite and not zero, it is {0}")]
    Normal(Vec3),
    /// A plane is somewhere.
    #[error("the offset of a plane must be finite, it is {0}")]
    Offset(f32),
}

impl Plane {
    /// The points with `normal . point = offset`. The normal may have any length but 0.
    ///
    /// # Errors
    /// A number that is not finite, or a normal of zero.
    pub fn new(normal: Vec3, offset: f32) -> Result<Self, PlaneError> {
        if !normal.is_finite() || normal == Vec3::ZERO {
            return Err(PlaneError::Normal(normal));
        }
        if !offset.is_finite() {
            return Err(PlaneError::Offset(offset));
        }
        // In f64 no square of an f32 becomes 0 or infinite.
        let length = normal.as_dvec3().length();
        Ok(Self { normal: normal.as_dvec3() / length, offset: f64::from(offset) / length })
    }

    /// The direction upwards, of length 1.
    pub fn normal(self) -> Vec3 {
        self.normal.as_vec3()
    }

    /// How far a point is above the plane; negative below it.
    pub fn height(self, point: Vec3) -> f32 {
        self.exact_height(point) as f32
    }

    fn exact_height(self, point: Vec3) -> f64 {
        self.normal.dot(point.as_dvec3()) - self.offset
    }

    /// Whether a sphere touches the plane or is partly below it, as computed in f64.
    pub fn touches(self, sphere: Sphere) -> bool {
        self.exact_height(sphere.center) <= f64::from(sphere.radius)
    }
}
