//! Displacement fields: BD-Tree spheres and boxes.
//!
//! ```text
//! c' = c + sum_j mean_j q_j                          (5), mean_j = mean of U_ij over the node's vertices
//! R' = R + sum_j dR_j |q_j|                          (7), dR_j = max_i |U_ij - mean_j|
//! ```
//!
//! Boxes take the absolute value of each coordinate instead of the length throughout.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree: Output-Sensitive Collision Detection for Reduced Deformable Models, 2004,
//! equations 5 to 7 and section 3.5.

use glam::DVec3;

use super::posed::{MovedBall, MovedBox};
use crate::math::{Aabb, Sphere};
use crate::rest::Fields;

/// What one field does to the vertices of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldChange {
    field: usize,
    mean: DVec3,
    /// `max_i |U_ij - mean_j|`, as a length and axis by axis.
    radius: f64,
    half: DVec3,
    /// `max_i |U_ij|`.
    longest: f64,
}

impl FieldChange {
    /// All fields that move one of the vertices; the others would add nothing.
    pub fn of_vertices(fields: &Fields, vertices: &[usize]) -> Vec<Self> {
        let mut moved: Vec<(usize, DVec3)> = vertices
            .iter()
            .flat_map(|&v| fields.of_vertex(v).map(|(field, u)| (field, u.as_dvec3())))
            .collect();
        moved.sort_by_key(|&(field, _)| field);
        let change = |run: &[(usize, DVec3)]| {
            let mean = run.iter().map(|&(_, u)| u).sum::<DVec3>() / vertices.len() as f64;
            // Vertices that the field does not move are displaced by zero.
            let still = (run.len() < vertices.len()).then_some(DVec3::ZERO);
            let values = || run.iter().map(|&(_, u)| u).chain(still);
            Self {
                field: run[0].0,
                mean,
                radius: values().map(|u| u.distance(mean)).fold(0.0, f64::max),
                half: values().map(|u| (u - mean).abs()).fold(DVec3::ZERO, DVec3::max),
                longest: values().map(DVec3::length).fold(0.0, f64::max),
            }
        };
        moved.chunk_by(|a, b| a.0 == b.0).map(change).collect()
    }
}

/// Equations 5 and 7.
pub(super) fn displaced_ball(rest: &Sphere, changes: &[FieldChange], coefficients: &[f32]) -> MovedBall {
    let (mut center, mut radius) = (rest.center.as_dvec3(), f64::from(rest.radius));
    for change in changes {
        let q = f64::from(coefficients[change.field]);
        center += change.mean * q;
        radius += change.radius * q.abs();
    }
    MovedBall { center, radius }
}

/// Equations 5 and 7, axis by axis.
pub(super) fn displaced_box(rest: &Aabb, changes: &[FieldChange], coefficients: &[f32]) -> MovedBox {
    let (mut center, mut half) = (rest.center().as_dvec3(), DVec3::ZERO);
    // The centre is rounded: the half extents are measured from where it is.
    half = half.max(rest.max.as_dvec3() - center).max(center - rest.min.as_dvec3());
    for change in changes {
        let q = f64::from(coefficients[change.field]);
        center += change.mean * q;
        half += change.half * q.abs();
    }
    MovedBox { center, half }
}

/// Bound of the absolute values that meet in a displaced position: `|v| + sum_j |U_j q_j|`.
pub(super) fn displaced_reach(rest: &Sphere, changes: &[FieldChange], coefficients: &[f32]) -> f64 {
    let moved = changes.iter().map(|c| c.longest * f64::from(coefficients[c.field]).abs());
    rest.center.as_dvec3().length() + f64::from(rest.radius) + moved.sum::<f64>()
}
