//! The rest geometry of a group of vertices: a box and a ball that contain them for given coefficients.
//!
//! In: positions of the group at rest, and what each displacement field or reference shape does to them.
//! Out: a [`RestBox`] or a [`Sphere`] for any coefficients, without vertices.
//! Must hold: the box and the ball contain the rest position of every vertex of the group, up to rounding (the
//! margin for which is added after skinning).
//!
//! The box has axes of its own, fixed when the tree is built: limbs and patches of skin lie in any direction, and a
//! joint will turn them anyway. It is the sum of its centre and its changes' centres, each times its coefficient, and of
//! its half axes and its changes' half axes, each times the absolute value: BD-Tree, equations 5 to 7. For reference
//! shapes the coefficients are convex and the box itself is 0: Larsson's equation 7.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004 (displacement fields); T. Larsson, T. Akenine-Moller, Efficient
//! Collision Detection for Models Deformed by Morphing, 2003.

use glam::{Mat3, Vec3};

use crate::math::{Aabb, Sphere};
use crate::simd::Eight;

/// A box as the processor wants it: the half axes `a` (directions times half extents) and the centre `c`, in the rows
/// `a_x 0 | a_y 0` and `a_z 0 | c 0`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RestBox(pub [[f32; 8]; 2]);

impl RestBox {
    /// The smallest box with these axes (columns) around points.
    pub fn around(axes: &Mat3, points: impl Iterator<Item = Vec3>) -> Self {
        let to_axes = axes.transpose();
        let aabb = Aabb::from_points(points.map(|point| to_axes * point));
        let [h, c] = [aabb.half_extents(), *axes * aabb.center()];
        let [x, y, z] = [axes.x_axis * h.x, axes.y_axis * h.y, axes.z_axis * h.z];
        Self([[x.x, x.y, x.z, 0.0, y.x, y.y, y.z, 0.0], [z.x, z.y, z.z, 0.0, c.x, c.y, c.z, 0.0]])
    }
}

/// What one displacement field, or one reference shape, does to a group: the displacements (or positions) of its vertices
/// lie in the box and in the ball.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestChange {
    /// Field or reference shape.
    pub coefficient: u32,
    /// In the axes of the group's box.
    pub rest_box: RestBox,
    pub ball: Sphere,
}

/// The rows of a box with its changes, for some coefficients; no coefficients are as good as zeros.
#[inline(always)]
pub(crate) fn rest_rows<E: Eight>(
    rest_box: &RestBox,
    changes: &[RestChange],
    coefficients: &[f32],
) -> [E; 2] {
    let (mut first, mut second) = (E::load(&rest_box.0[0]), E::load(&rest_box.0[1]));
    if coefficients.is_empty() {
        return [first, second];
    }
    for change in changes {
        let q = coefficients[change.coefficient as usize];
        first = first.plus(E::all(q.abs()).times(E::load(&change.rest_box.0[0])));
        second = second.plus(E::halves(q.abs(), q).times(E::load(&change.rest_box.0[1])));
    }
    [first, second]
}

/// A ball with its changes, likewise.
pub(crate) fn rest_ball(ball: Sphere, changes: &[RestChange], coefficients: &[f32]) -> Sphere {
    let mut sum = ball;
    if coefficients.is_empty() {
        return sum;
    }
    for change in changes {
        let q = coefficients[change.coefficient as usize];
        sum.center += change.ball.center * q;
        sum.radius += change.ball.radius * q.abs();
    }
    sum
}
