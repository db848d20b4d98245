//! Solid convex shapes against triangles.
//!
//! In: a box or the hull of points. Out: whether a triangle has a point in common with it; touching counts.
//! Must hold: the answer is right up to f64 rounding of coordinates; a triangle wholly inside counts.
//!
//! A convex shape is what is behind all its planes. A triangle is cut by one plane after the other; it overlaps the shape if
//! something is left (Sutherland and Hodgman, Reentrant polygon clipping, 1974).

use glam::{DVec3, Vec3};

use super::Triangle;
use super::convex_hull::convex_hull;
use crate::math::{Aabb, Isometry};

/// A solid: the points behind all planes.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Convex {
    /// Unit normal, pointing outward, and its product with points of the plane.
    planes: Vec<(DVec3, f64)>,
    bounds: Aabb,
}

impl Convex {
    /// A box with these half extents along its axes. All numbers are finite and no extent is negative.
    pub fn cuboid(placement: &Isometry, half_extents: Vec3) -> Self {
        let half = half_extents.as_dvec3();
        let mut planes = Vec::with_capacity(6);
        let mut extent_sum = DVec3::ZERO;
        for (axis, extent) in [(DVec3::X, half.x), (DVec3::Y, half.y), (DVec3::Z, half.z)] {
            let normal = placement.transform_vector(axis);
            let middle = normal.dot(placement.translation);
            planes.extend([(normal, middle + extent), (-normal, extent - middle)]);
            extent_sum += normal.abs() * extent;
        }
        let bounds = outward_box(placement.translation - extent_sum, placement.translation + extent_sum);
        Self { planes, bounds }
    }

    /// The convex hull of finite points; `None` if they all lie in a plane.
    pub fn hull(points: &[Vec3]) -> Option<Self> {
        let planes = convex_hull(points)?.into_iter().map(|face| {
            let [p, q, r] = face.map(|i| points[i].as_dvec3());
            let normal = (q - p).cross(r - p).normalize();
            // Not through the corners but touching the points: rounding of the normal then cuts none of them off.
            let offset = points.iter().map(|x| normal.dot(x.as_dvec3())).fold(f64::MIN, f64::max);
            (normal, offset)
        });
        let planes = planes.collect();
        Some(Self { planes, bounds: Aabb::from_points(points.iter().copied()) })
    }

    /// A box around it.
    pub fn bounds(&self) -> Aabb {
        self.bounds
    }

    /// Whether a triangle has a point in common with the solid.
    pub fn overlaps(&self, triangle: &Triangle) -> bool {
        let corners = triangle.map(|corner| corner.as_dvec3());
        let slack = self.slack(&corners);
        let mut behind = [true; 3];
        for &(normal, offset) in &self.planes {
            let heights = corners.map(|corner| normal.dot(corner) - offset);
            if heights.iter().all(|&height| height > slack) {
                return false;
            }
            for (behind, height) in behind.iter_mut().zip(heights) {
                *behind &= height <= slack;
            }
        }
        behind.contains(&true) || self.cuts(&corners, slack)
    }

    /// Rounding of heights: 3 products and 3 sums, and of a corner that a plane has cut, 4 operations per coordinate more.
    fn slack(&self, corners: &[DVec3; 3]) -> f64 {
        let own = self.bounds.min.abs().max(self.bounds.max.abs()).as_dvec3().element_sum();
        let other = corners.iter().map(|corner| corner.abs().element_sum()).fold(0.0, f64::max);
        16.0 * f64::EPSILON * (own + other)
    }

    /// Cuts the triangle by all planes.
    fn cuts(&self, corners: &[DVec3; 3], slack: f64) -> bool {
        let (mut polygon, mut rest) = (corners.to_vec(), Vec::new());
        for &(normal, offset) in &self.planes {
            let height = |point: DVec3| normal.dot(point) - offset - slack;
            for (i, &from) in polygon.iter().enumerate() {
                let to = polygon[(i + 1) % polygon.len()];
                let (start, end) = (height(from), height(to));
                if start <= 0.0 {
                    rest.push(from);
                }
                if (start <= 0.0) != (end <= 0.0) {
                    rest.push(from + (to - from) * (start / (start - end)));
                }
            }
            std::mem::swap(&mut polygon, &mut rest);
            rest.clear();
        }
        !polygon.is_empty()
    }
}

/// The smallest box of f32 around one of f64.
fn outward_box(min: DVec3, max: DVec3) -> Aabb {
    let (low, high) = (min.as_vec3(), max.as_vec3());
    let down = |x: f32| x.next_down();
    let up = |x: f32| x.next_up();
    Aabb {
        min: Vec3::new(down(low.x), down(low.y), down(low.z)),
        max: Vec3::new(up(high.x), up(high.y), up(high.z)),
    }
}
