//! Two triangles near each other, as it is reported.

use glam::Vec3;

use super::ClosestPoints;
use crate::answer::Pair;
use crate::math::reported;

/// Two triangles near each other.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NearPair {
    /// Triangle of the first body, triangle of the second.
    pub triangles: Pair,
    /// Their distance; 0 exactly when they touch.
    pub distance: f32,
    /// Their closest points, in the world.
    pub points: [Vec3; 2],
}

impl NearPair {
    pub(crate) fn new(triangles: Pair, closest: &ClosestPoints) -> Self {
        let points = closest.points.map(|point| point.as_vec3());
        Self { triangles, distance: reported(closest.distance()), points }
    }
}
