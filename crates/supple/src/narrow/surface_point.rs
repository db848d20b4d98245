//! A point of a surface, as it is reported.

use glam::Vec3;

use super::PointOnTriangle;
use crate::math::reported;

/// The point of a body's surface closest to another point.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SurfacePoint {
    /// The point, in the world.
    pub point: Vec3,
    /// The triangle it lies on; the first of equally close ones.
    pub triangle: u32,
    /// Weights of the triangle's corners: none negative, their sum 1 up to rounding.
    pub barycentrics: [f32; 3],
    /// How far it is away; 0 exactly when the other point is on the surface.
    pub distance: f32,
}

impl SurfacePoint {
    pub(crate) fn new(triangle: u32, found: &PointOnTriangle) -> Self {
        let PointOnTriangle { point, barycentrics, distance_sq } = *found;
        let barycentrics = barycentrics.map(|weight| weight as f32);
        Self { point: point.as_vec3(), triangle, barycentrics, distance: reported(distance_sq.sqrt()) }
    }
}
