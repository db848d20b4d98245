//! Rays, what may be asked of them, and what they hit.
//!
//! A ray is checked when it is made; after that its numbers are finite and its direction is not zero.

use std::cmp::Ordering;

use glam::Vec3;
use thiserror::Error;

/// All points `origin + time * direction` with a time of at least 0. The direction may have any length; times are in units
/// of it.
///
/// ```
/// use glam::Vec3;
/// use supple::narrow::Ray;
///
/// let ray = Ray::new(Vec3::ZERO, Vec3::new(0.0, 0.0, -2.0))?;
/// assert_eq!(ray.point_at(1.5), Vec3::new(0.0, 0.0, -3.0));
/// assert!(Ray::new(Vec3::ZERO, Vec3::ZERO).is_err());
/// # Ok::<(), supple::narrow::RayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
}

/// Why numbers do not make a ray.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
pub enum RayError {
    /// A ray starts somewhere.
    #[error("the origin of a ray must be finite, it is {0}")]
    Origin(Vec3),
    /// A ray goes somewhere.
    #[error("the direction of a ray must be finite and not zero, it is {0}")]
    Direction(Vec3),
}

impl Ray {
    /// Checks and keeps the numbers.
    ///
    /// # Errors
    /// A number that is not finite, or a direction of zero.
    pub fn new(origin: Vec3, direction: Vec3) -> Result<Self, RayError> {
        if !origin.is_finite() {
            return Err(RayError::Origin(origin));
        }
        if !direction.is_finite() || direction == Vec3::ZERO {
            return Err(RayError::Direction(direction));
        }
        Ok(Self { origin, direction })
    }

    /// Where it starts.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Where it goes, in one unit of time.
    pub fn direction(&self) -> Vec3 {
        self.direction
    }

    /// Where it is at a time.
    pub fn point_at(&self, time: f32) -> Vec3 {
        (self.origin.as_dvec3() + self.direction.as_dvec3() * f64::from(time)).as_vec3()
    }
}

/// Which sides of triangles are hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Faces {
    /// Both.
    #[default]
    Both,
    /// Those whose corners are counter-clockwise seen from the ray's origin.
    Front,
}

/// What counts as a hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayOptions {
    /// The greatest time of a hit, in units of the ray's direction; a hit at exactly this time counts. Nothing is hit if it
    /// is negative or NaN.
    pub max_time: f32,
    /// Which sides of triangles are hit.
    pub faces: Faces,
}

impl Default for RayOptions {
    fn default() -> Self {
        Self { max_time: f32::INFINITY, faces: Faces::Both }
    }
}

impl RayOptions {
    /// Whether a crossing counts.
    #[inline(always)]
    pub(crate) fn admit(&self, crossing: &Crossing) -> bool {
        crossing.time <= self.max_time && !(crossing.back && self.faces == Faces::Front)
    }
}

/// Where a ray goes through a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// When, in units of the ray's direction; infinite where it does not fit into f32.
    pub time: f32,
    /// Weights of the corners: none negative, their sum 1 up to rounding. Exactly 0 where an edge or a corner is hit.
    pub barycentrics: [f32; 3],
    /// Whether the back is hit: the corners are clockwise seen from the ray's origin.
    pub back: bool,
}

/// A triangle of a body that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Its number in the mesh.
    pub triangle: u32,
    /// When, in units of the ray's direction; infinite where it does not fit into f32.
    pub time: f32,
    /// Weights of its corners: none negative, their sum 1 up to rounding. Exactly 0 where an edge or a corner is hit.
    pub barycentrics: [f32; 3],
    /// Whether the back is hit: the corners are clockwise seen from the ray's origin.
    pub back: bool,
}

impl RayHit {
    pub(crate) fn new(triangle: u32, Crossing { time, barycentrics, back }: Crossing) -> Self {
        Self { triangle, time, barycentrics, back }
    }

    /// By time, then by triangle.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.triangle.cmp(&other.triangle))
    }
}
