//! Spheres as bounding volumes.
//!
//! Tests are evaluated in `f64` on the `f32` numbers, where their rounding is the one `outward` accounts for.
//! Touching counts.

use glam::Vec3;

/// Solid sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Sphere {
    /// Center.
    pub center: Vec3,
    /// Radius, not negative.
    pub radius: f32,
}

impl Sphere {
    /// Sphere of the given center and radius.
    pub const fn new(center: Vec3, radius: f32) -> Self {
        Self { center, radius }
    }

    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: Vec3) -> bool {
        let radius = f64::from(self.radius);
        distance_sq(self.center, point) <= radius * radius
    }

    /// Whether the other sphere is inside.
    pub fn contains_sphere(&self, other: &Self) -> bool {
        distance_sq(self.center, other.center).sqrt() + f64::from(other.radius) <= f64::from(self.radius)
    }

    /// Whether the spheres have a point in common.
    pub fn intersects(&self, other: &Self) -> bool {
        let sum = f64::from(self.radius) + f64::from(other.radius);
        distance_sq(self.center, other.center) <= sum * sum
    }
}

fn distance_sq(a: Vec3, b: Vec3) -> f64 {
    a.as_dvec3().distance_squared(b.as_dvec3())
}
