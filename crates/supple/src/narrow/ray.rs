//! Rays and what they hit.
//!
//! A ray is checked when it is made; after that its numbers are finite, its direction is not zero and its end is not before its start.

use std::cmp::Ordering;

use glam::Vec3;
use thiserror::Error;

/// All points `origin + time * direction` with times from 0 to an end, and which sides of triangles it hits. The direction may have
/// any length; times are in units of it.
///
/// ```
/// use glam::Vec3;
/// use supple::Ray;
///
/// let ray = Ray::new(Vec3::ZERO, Vec3::new(0.0, 0.0, -2.0))?;
/// assert_eq!(ray.point_at(1.5), Vec3::new(0.0, 0.0, -3.0));
/// let shot = ray.until(50.0)?.front_faces_only(); // 100 m, and not from inside
/// let line_of_sight = Ray::segment(Vec3::ZERO, Vec3::new(3.0, 1.0, 0.0))?;
/// assert_eq!((shot.max_time(), line_of_sight.max_time()), (50.0, 1.0));
/// assert!(Ray::new(Vec3::ZERO, Vec3::ZERO).is_err() && ray.until(f32::NAN).is_err());
/// # Ok::<(), supple::RayError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    origin: Vec3,
    direction: Vec3,
    max_time: f32,
    faces: Faces,
}

/// Why numbers do not make a ray.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum RayError {
    /// A ray starts somewhere.
    #[error("the origin of a ray must be finite, it is {0}")]
    Origin(Vec3),
    /// A ray goes somewhere.
    #[error("the direction of a ray must be finite and not zero, it is {0}")]
    Direction(Vec3),
    /// A ray ends after it has begun.
    #[error("the greatest time of a ray must be a number that is not negative, it is {0}")]
    MaxTime(f32),
}

impl Ray {
    /// A ray without end that hits both sides of triangles.
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
        Ok(Self { origin, direction, max_time: f32::INFINITY, faces: Faces::Both })
    }

    /// From one point to another, which it reaches at time 1: for lines of sight.
    ///
    /// # Errors
    /// A number that is not finite, or twice the same point.
    pub fn segment(from: Vec3, to: Vec3) -> Result<Self, RayError> {
        Self::new(from, to - from)?.until(1.0)
    }

    /// The ray with an end: a hit at exactly this time counts, later ones do not. In units of the direction.
    ///
    /// # Errors
    /// A negative time, or NaN.
    pub fn until(self, max_time: f32) -> Result<Self, RayError> {
        if max_time >= 0.0 { Ok(Self { max_time, ..self }) } else { Err(RayError::MaxTime(max_time)) }
    }

    /// The ray, hitting only the sides of triangles whose corners are counter-clockwise seen from its origin.
    #[must_use]
    pub fn front_faces_only(self) -> Self {
        Self { faces: Faces::Front, ..self }
    }

    /// Where it starts.
    pub fn origin(self) -> Vec3 {
        self.origin
    }

    /// Where it goes, in one unit of time.
    pub fn direction(self) -> Vec3 {
        self.direction
    }

    /// When it ends; infinity if it does not.
    pub fn max_time(self) -> f32 {
        self.max_time
    }

    /// Which sides of triangles it hits.
    pub fn faces(self) -> Faces {
        self.faces
    }

    /// Where it is at a time.
    pub fn point_at(self, time: f32) -> Vec3 {
        (self.origin.as_dvec3() + self.direction.as_dvec3() * f64::from(time)).as_vec3()
    }

    /// Whether a crossing of its line counts.
    #[inline(always)]
    pub(crate) fn admits(self, crossing: &Crossing) -> bool {
        crossing.time <= self.max_time && !(crossing.back && self.faces == Faces::Front)
    }
}

/// Which sides of triangles are hit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Faces {
    /// Both.
    #[default]
    Both,
    /// Those whose corners are counter-clockwise seen from the ray's origin.
    Front,
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
