//! The rest geometry of a group of vertices: a turned box and a ball that contain them for given coefficients.
//!
//! In: positions of the group at rest, and what each displacement field or reference shape does to them.
//! Out: numbers from which a rest stage makes a [`RestBox`] or a [`Sphere`] for any coefficients, without vertices.
//! Must hold: the box and the ball contain the rest position of every vertex of the group, up to rounding (the
//! margin for which is added after skinning).
//!
//! The box has axes of its own, fixed when the tree is built: limbs and patches of skin lie in any direction, and a
//! joint will turn them anyway.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, equations 5 to 7 (displacement fields); T. Larsson,
//! T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003, equation 7.

use glam::{Mat3, Vec3};

use crate::math::Sphere;

/// Centre and half extents of a box whose axes are known from elsewhere.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct RestBox {
    pub center: Vec3,
    /// Along the box's own axes.
    pub half: Vec3,
}

impl RestBox {
    /// The smallest box with these axes (columns) around points.
    pub fn around(axes: &Mat3, points: impl Iterator<Item = Vec3>) -> Self {
        let (mut min, mut max) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let to_axes = axes.transpose();
        for point in points {
            let local = to_axes * point;
            min = min.min(local);
            max = max.max(local);
        }
        Self { center: *axes * ((min + max) * 0.5), half: (max - min) * 0.5 }
    }
}

/// What one displacement field, or one reference shape, does to a group.
///
/// For a field: the displacements lie in `(center, half)` and in the ball `(ball.center, ball.radius)`.
/// For a reference shape: its positions do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RestChange {
    /// Field or reference shape.
    pub coefficient: u32,
    pub rest_box: RestBox,
    pub ball: Sphere,
}

/// Rest geometry of one group of vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestVolume<'a> {
    pub rest_box: RestBox,
    pub ball: Sphere,
    /// Active fields (those that move a vertex of the group), or all reference shapes.
    pub changes: &'a [RestChange],
}
