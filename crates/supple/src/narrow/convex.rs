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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;

    const UNIT: Vec3 = Vec3::splat(0.5);

    #[test]
    fn a_box_is_solid_and_closed() {
        let cube = Convex::cuboid(&Isometry::IDENTITY, UNIT);
        let small = [Vec3::ZERO, Vec3::X * 0.1, Vec3::Y * 0.1];
        assert!(cube.overlaps(&small), "inside");
        assert!(cube.overlaps(&small.map(|p| p + Vec3::X * 0.5)), "touching");
        assert!(!cube.overlaps(&small.map(|p| p + Vec3::X * 0.500_001)));
        let wall = [Vec3::new(-9.0, -9.0, 0.2), Vec3::new(9.0, -9.0, 0.2), Vec3::new(0.0, 9.0, 0.2)];
        assert!(cube.overlaps(&wall), "through the middle, no corner inside");
        // Beside an edge: only a plane along neither the faces nor the triangle separates them.
        let beside = [Vec3::new(0.8, 0.8, -3.0), Vec3::new(0.8, 0.8, 3.0), Vec3::new(3.0, -1.3, 0.0)];
        assert!(!cube.overlaps(&beside));
    }

    #[test]
    fn a_flat_box_is_a_rectangle() {
        let placement = Isometry::new(DQuat::from_rotation_y(0.7), DVec3::new(3.0, -2.0, 5.0));
        let sheet = Convex::cuboid(&placement, Vec3::new(1.0, 0.0, 1.0));
        let at = |x: f64, y: f64, z: f64| placement.transform_point(DVec3::new(x, y, z)).as_vec3();
        assert!(sheet.overlaps(&[at(0.3, 1.0, 0.2), at(0.1, -1.0, 0.0), at(0.0, -1.0, 0.4)]));
        assert!(!sheet.overlaps(&[at(0.3, 1.0, 0.2), at(0.1, 0.01, 0.0), at(0.0, 0.01, 0.4)]));
        assert!(!sheet.overlaps(&[at(2.3, 1.0, 0.2), at(2.1, -1.0, 0.0), at(2.0, -1.0, 0.4)]));
    }

    #[test]
    fn a_hull_of_a_box_is_that_box() {
        let placement = Isometry::new(DQuat::from_rotation_x(0.4) * DQuat::from_rotation_z(1.1), DVec3::ONE);
        let half = Vec3::new(0.3, 0.7, 0.2);
        let cuboid = Convex::cuboid(&placement, half);
        let corner =
            |i: u32| Vec3::from_array([0, 1, 2].map(|b| if i >> b & 1 == 1 { 1.0 } else { -1.0 })) * half;
        let corners: Vec<Vec3> = (0..8).map(|i| placement.transform_point(corner(i)).as_vec3()).collect();
        let hull = Convex::hull(&corners).expect("not flat");
        let number = |i: u32| (f64::from(i) * 12.9898).sin() as f32 * 1.5;
        let mut both = 0;
        for i in 0..2000 {
            let triangle = [0, 3, 6]
                .map(|k| Vec3::new(number(9 * i + k), number(9 * i + k + 1), number(9 * i + k + 2)) + 1.0);
            assert_eq!(cuboid.overlaps(&triangle), hull.overlaps(&triangle), "{triangle:?}");
            both += u32::from(hull.overlaps(&triangle));
        }
        assert!(both > 200 && both < 1800);
        assert!(cuboid.bounds().min.cmple(hull.bounds().min).all());
    }
}
