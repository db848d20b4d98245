//! Where a point is relative to a closed surface, counted triangle by triangle.
//!
//! A ray from the point along +x is followed, moved aside by `(0, e, e^2)` for an infinitely small `e`: such a ray meets no corner
//! and no edge, and enters or leaves through every triangle that it meets. Seen along x, it passes an edge `a, b` on the
//! side
//!
//! ```text
//! area(p, a, b) = (a.y - p.y) (b.z - p.z) - (a.z - p.z) (b.y - p.y),   or if that is 0
//! its derivative in p.y, a.z - b.z,                                    or if that is 0
//! its derivative in p.z, b.y - a.y.
//! ```
//!
//! All three are exact, and change sign with the direction of the edge, so of two triangles at an edge exactly one is met,
//! or none, or both.
//!
//! Based on: H. Edelsbrunner, E. P. Muecke, Simulation of Simplicity, 1990.

use glam::Vec3;

use super::Triangle;
use super::predicates::{Sign, area_along, sign, volume_sign};
use super::triangle_triangle::triangles_touch;
use crate::math::Aabb;

/// Where a point is relative to a closed surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PointLocation {
    /// The point is exactly on a triangle. The other numbers are then 0.
    pub on_surface: bool,
    /// How often a path from the point to infinity crosses the surface.
    pub crossings: u32,
    /// How often it leaves through a front minus how often it enters: how often the surface is wrapped around the point. More
    /// than 1 where a body overlaps itself, as at a bent elbow. Means something only if all triangles are oriented alike.
    pub winding: i32,
}

impl PointLocation {
    /// On the surface, or with an odd number of crossings between itself and infinity. Parts of a body that overlap cancel each
    /// other out; `winding != 0` counts them as inside.
    pub fn is_inside(&self) -> bool {
        self.on_surface || self.crossings % 2 == 1
    }

    /// The path from a point to infinity is in this box.
    pub(crate) fn path(point: Vec3) -> Aabb {
        Aabb { min: point, max: point.with_x(f32::INFINITY) }
    }

    /// Adds a triangle.
    pub(crate) fn add(&mut self, point: Vec3, triangle: &Triangle) {
        if self.on_surface {
            return;
        }
        if Aabb::from_points(*triangle).contains(point) && triangles_touch(&[point; 3], triangle) {
            *self = Self { on_surface: true, crossings: 0, winding: 0 };
            return;
        }
        let [a, b, c] = *triangle;
        let side = passes(point, a, b);
        if side == 0 || passes(point, b, c) != side || passes(point, c, a) != side {
            return;
        }
        // The time of the crossing is `det(a, b, c) / n.x`, relative to the point, and `n.x` has the sign of `side`.
        let [p, a, b, c] = [point, a, b, c].map(|v| v.as_dvec3());
        if volume_sign(p, a, b, c) == side {
            self.crossings += 1;
            self.winding += i32::from(side);
        }
    }
}

/// The side of an edge on which the path passes.
fn passes(p: Vec3, a: Vec3, b: Vec3) -> Sign {
    let compare = |x: f32, y: f32| Sign::from(x > y) - Sign::from(x < y);
    match sign(area_along(0, p, a, b)) {
        0 if a.z == b.z => compare(b.y, a.y),
        0 => compare(a.z, b.z),
        side => side,
    }
}
