//! The rest geometry of a group of vertices: a box and a sphere that contain them for given coefficients.
//!
//! In: positions of a group at rest, and what each displacement field or reference shape does to the vertices below its node.
//! Out: a [`RestBox`] or a [`Sphere`] for any coefficients, without vertices.
//! Must hold: the box and the sphere contain the rest position of every vertex of the group, up to rounding (the
//! margin for which is added after skinning).
//!
//! The box has axes of its own, fixed when the tree is built: limbs and patches of skin lie in any direction, and a
//! joint will turn them anyway. Changes are boxes along the axes of the rest space, kept once per node: a face has a dozen
//! groups and hundreds of morph targets. The sum of the changes is the sum of their centers, each times its coefficient, and
//! of their half extents, each times the absolute value: BD-Tree, equations 5 to 7. For reference shapes the coefficients are
//! convex and the box itself is 0: Larsson's equation 7. Statement, proof and rounding: `docs/math/rest-stage.md`.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004 (displacement fields); T. Larsson, T. Akenine-Moller, Efficient
//! Collision Detection for Models Deformed by Morphing, 2003.

use glam::{Mat3, Vec3, Vec4};

use crate::math::{Aabb, Sphere};
use crate::simd::Eight;

/// A box as the processor wants it: the half axes `a` (directions times half extents) and the center `c`, in the rows
/// `a_x 0 | a_y 0` and `a_z 0 | c 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RestBox(pub [[f32; 8]; 2]);

impl RestBox {
    /// The smallest box with these axes (columns) around points.
    pub fn around(axes: &Mat3, points: impl Iterator<Item = Vec3>) -> Self {
        let to_axes = axes.transpose();
        Self::along(axes, &Aabb::from_points(points.map(|point| to_axes * point)))
    }

    /// The box with these axes (columns) whose coordinates along them are those of `aabb`.
    pub fn along(axes: &Mat3, aabb: &Aabb) -> Self {
        let [h, c] = [aabb.half_extents(), *axes * aabb.center()];
        let [x, y, z] = [axes.x_axis * h.x, axes.y_axis * h.y, axes.z_axis * h.z];
        Self([[x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0], [z.x, z.y, z.z, 0.0, c.x, c.y, c.z, 0.0]])
    }

    /// The sum of the box and a shift: every half axis `a`, of direction `d`, becomes `a + d (|d| . h)`, where `h` are the
    /// half extents of the shift. Where a half axis is too short to have a direction, the sum gets the axes of the rest space.
    #[inline(always)]
    fn shifted(&self, shift: &Shift) -> Self {
        let half = |row: usize, at: usize| Vec4::from_slice(&self.0[row][at..at + 4]);
        let [x, y, z, center] = [half(0, 0), half(0, 4), half(1, 0), half(1, 4)];
        let squares = Vec3::new(x.length_squared(), y.length_squared(), z.length_squared());
        let [x, y, z] = if squares.min_element() >= SHORTEST_AXIS_SQUARED {
            let grown = |a: Vec4, square: f32| a * (1.0 + a.abs().dot(shift.half) / square);
            [grown(x, squares.x), grown(y, squares.y), grown(z, squares.z)]
        } else {
            let extents = x.abs() + y.abs() + z.abs() + shift.half;
            [extents * Vec4::X, extents * Vec4::Y, extents * Vec4::Z]
        };
        let center = center + shift.center;
        Self([
            [x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0],
            [z.x, z.y, z.z, 0.0, center.x, center.y, center.z, 0.0],
        ])
    }
}

/// A half axis shorter than 1e-15 loses its direction: squares of its coordinates fall out of f32.
const SHORTEST_AXIS_SQUARED: f32 = 1e-30;

/// What one displacement field, or one reference shape, does to the vertices below a node: their displacements (or
/// positions) lie in the box and in the sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestChange {
    /// Field or reference shape.
    pub coefficient: u32,
    pub center: Vec3,
    /// Half extents of the box.
    pub half: Vec3,
    /// Of the sphere.
    pub radius: f32,
}

/// The sum of all changes of a node for some coefficients.
#[derive(Clone, Copy)]
pub(crate) struct Shift {
    center: Vec4,
    half: Vec4,
    radius: f32,
}

impl Shift {
    /// No coefficients are as good as zeros.
    #[inline(always)]
    pub fn new(changes: &[RestChange], coefficients: &[f32]) -> Option<Self> {
        if changes.is_empty() || coefficients.is_empty() {
            return None;
        }
        let mut sum = Self { center: Vec4::ZERO, half: Vec4::ZERO, radius: 0.0 };
        for change in changes {
            let q = coefficients[change.coefficient as usize];
            sum.center += change.center.extend(0.0) * q;
            sum.half += change.half.extend(0.0) * q.abs();
            sum.radius += change.radius * q.abs();
        }
        Some(sum)
    }
}

/// The rows of a box with the changes of its node, if it has any.
#[inline(always)]
pub(crate) fn rest_rows<E: Eight>(rest_box: &RestBox, shift: Option<&Shift>) -> [E; 2] {
    match shift {
        None => [E::load(&rest_box.0[0]), E::load(&rest_box.0[1])],
        Some(shift) => {
            let RestBox(rows) = rest_box.shifted(shift);
            [E::load(&rows[0]), E::load(&rows[1])]
        }
    }
}

/// A sphere with the changes of its node, if it has any.
pub(crate) fn rest_sphere(sphere: Sphere, shift: Option<&Shift>) -> Sphere {
    match shift {
        None => sphere,
        Some(shift) => Sphere::new(sphere.center + shift.center.truncate(), sphere.radius + shift.radius),
    }
}
