//! Convex morphs: volumes of the reference shapes, blended like the vertices.
//!
//! ```text
//! (s', e') = (sum_i s_i w_i, sum_i e_i w_i)          (3), for the slabs of a box
//! (c', r') = (sum_i c_i w_i, sum_i r_i w_i)          (7)
//! ```
//!
//! Based on: T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003,
//! equations 3 and 7.

use glam::{DVec3, Vec3};

use super::posed::{MovedBall, MovedBox};
use crate::math::{Aabb, Sphere, smallest_enclosing_ball};
use crate::rest::ConvexMorph;

/// Volumes of a node's vertices in one reference shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShapeVolume {
    ball: Sphere,
    aabb: Aabb,
}

impl ShapeVolume {
    /// One per reference shape.
    pub fn of_vertices(morph: &ConvexMorph, vertices: &[usize]) -> Vec<Self> {
        let volume = |shape: usize| {
            let points: Vec<Vec3> = vertices.iter().map(|&v| morph.of_vertex(v)[shape]).collect();
            Self { ball: smallest_enclosing_ball(&points), aabb: Aabb::from_points(points) }
        };
        (0..morph.count()).map(volume).collect()
    }
}

/// Equation 7.
pub(super) fn blended_ball(shapes: &[ShapeVolume], weights: &[f32]) -> MovedBall {
    let mut sum = MovedBall { center: DVec3::ZERO, radius: 0.0 };
    for (shape, &weight) in shapes.iter().zip(weights) {
        sum.center += shape.ball.center.as_dvec3() * f64::from(weight);
        sum.radius += f64::from(shape.ball.radius) * f64::from(weight);
    }
    sum
}

/// Equation 3 with the three slabs of a box.
pub(super) fn blended_box(shapes: &[ShapeVolume], weights: &[f32]) -> MovedBox {
    let (mut min, mut max) = (DVec3::ZERO, DVec3::ZERO);
    for (shape, &weight) in shapes.iter().zip(weights) {
        min += shape.aabb.min.as_dvec3() * f64::from(weight);
        max += shape.aabb.max.as_dvec3() * f64::from(weight);
    }
    MovedBox { center: (min + max) * 0.5, half: (max - min) * 0.5 }
}

/// Bound of the absolute values that meet in a blended position.
pub(super) fn blended_reach(shapes: &[ShapeVolume]) -> f64 {
    let reach = |s: &ShapeVolume| s.ball.center.as_dvec3().length() + f64::from(s.ball.radius);
    shapes.iter().map(reach).fold(0.0, f64::max)
}
