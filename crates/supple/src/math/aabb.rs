//! Axis-aligned boxes. No rounding: corners are coordinates of points.

use glam::{DVec3, Vec3};

/// Axis-aligned box; empty where `min > max` along any axis.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Aabb {
    /// Least corner.
    pub min: Vec3,
    /// Greatest corner.
    pub max: Vec3,
}

impl Aabb {
    /// The box without points: neutral for [`Aabb::union`].
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Least box around the points; [`Aabb::EMPTY`] if there are none.
    pub fn from_points(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |aabb, point| aabb.including(point))
    }

    /// Least box around this one and the point.
    #[must_use]
    pub fn including(&self, point: Vec3) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// Least box around both.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// What both boxes contain; empty where they are apart.
    pub fn intersection(&self, other: &Self) -> Self {
        Self { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Whether there is no point in the box.
    pub fn is_empty(&self) -> bool {
        self.min.cmpgt(self.max).any()
    }

    /// Whether the point is inside or on the surface.
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// Whether the boxes have a point in common; touching counts.
    pub fn intersects(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// The squared distance of the boxes, 0 where they touch. Of boxes inside these it is not smaller, whatever is rounded.
    pub fn distance_sq(&self, other: &Self) -> f64 {
        let gap =
            (other.min.as_dvec3() - self.max.as_dvec3()).max(self.min.as_dvec3() - other.max.as_dvec3());
        gap.max(DVec3::ZERO).length_squared()
    }

    /// Whether the box and the segment from `a` to `b` may have a point in common. No only where they are apart; yes may be
    /// off by rounding in f64, and is the answer for infinite boxes.
    pub fn may_meet_segment(&self, a: Vec3, b: Vec3) -> bool {
        let (min, max) = (self.min.as_dvec3(), self.max.as_dvec3());
        let (a, b) = (a.as_dvec3(), b.as_dvec3());
        let half = (max - min) * 0.5;
        let middle = (a + b) * 0.5 - (min + max) * 0.5;
        let along = (b - a) * 0.5;
        // Apart along an axis of the box, or along one across the segment and an axis.
        let half_length = along.abs();
        let across = middle.cross(along).abs();
        let wide = DVec3::new(
            half.y * half_length.z + half.z * half_length.y,
            half.z * half_length.x + half.x * half_length.z,
            half.x * half_length.y + half.y * half_length.x,
        );
        let size = a.abs().max(b.abs()).max(min.abs()).max(max.abs()).max_element();
        let rounding = 1e-14 * size;
        !(middle.abs().cmpgt(half + half_length + rounding).any()
            || across.cmpgt(wide + rounding * half_length.max_element().max(size)).any())
    }

    /// Center; NaN for an empty box.
    pub fn center(&self) -> Vec3 {
        // Halved first: the sum of two large coordinates may overflow.
        self.min * 0.5 + self.max * 0.5
    }

    /// Half the side lengths; negative infinity for an empty box.
    pub fn half_extents(&self) -> Vec3 {
        self.max * 0.5 - self.min * 0.5
    }
}

impl Default for Aabb {
    fn default() -> Self {
        Self::EMPTY
    }
}
