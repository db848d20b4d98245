//! Displacement fields: the BD-Tree.
//!
//! ```text
//! c' = c + sum_j mean_j q_j                          (5), mean_j = mean of U_ij over the node's vertices
//! R' = R + sum_j dR_j |q_j|                          (7), dR_j = max_i |U_ij - mean_j|
//! R'' = R' + dR |q'' - q|                            (11), dR = max_i |U_i|_2, c' stays
//! ```
//!
//! So a field is a volume of displacements around their mean, and a node's volume its rest volume plus these, scaled. Boxes take
//! the absolute value of each coordinate instead of the length throughout, k-DOPs of each direction.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree: Output-Sensitive Collision Detection for Reduced Deformable Models, 2004,
//! sections 3.2 and 3.5.

use glam::{DMat3, DVec3};

use super::Volume;
use supple::math::SymmetricEigen;
use supple::rest::Fields;

/// What fields do to the vertices of a node.
#[derive(Clone, Debug)]
pub(super) struct FieldVolumes<V> {
    /// Around the vertices at rest; larger where the node has to wrap the volumes below it.
    rest: V,
    /// Fields that move one of the vertices, with the volume of their displacements.
    changes: Vec<(usize, V)>,
    /// `max_i |U_i|_2`.
    steepest: f64,
}

impl<V: Volume> FieldVolumes<V> {
    pub fn new(fields: Option<&Fields>, vertices: &[usize], points: &[DVec3]) -> Self {
        let rest = V::smallest(points);
        let Some(fields) = fields else { return Self { rest, changes: Vec::new(), steepest: 0.0 } };
        let mut moved: Vec<(usize, DVec3)> = vertices
            .iter()
            .flat_map(|&v| fields.of_vertex(v as u32).map(|(field, u)| (field, u.as_dvec3())))
            .collect();
        moved.sort_by_key(|&(field, _)| field);
        let change = |run: &[(usize, DVec3)]| {
            let mut displacements: Vec<DVec3> = run.iter().map(|&(_, u)| u).collect();
            // Vertices that the field does not move are displaced by zero.
            displacements.resize(vertices.len(), DVec3::ZERO);
            (run[0].0, V::around_mean(&displacements))
        };
        let steepest = vertices.iter().map(|&v| norm(fields, v)).fold(0.0, f64::max);
        Self { rest, changes: moved.chunk_by(|a, b| a.0 == b.0).map(change).collect(), steepest }
    }

    /// Equations 5 and 7.
    pub fn displaced(&self, coefficients: &[f32]) -> V {
        let mut volume = self.rest;
        for (field, change) in &self.changes {
            volume.add_scaled(change, f64::from(coefficients[*field]));
        }
        volume
    }

    /// Grows until what another node is made of is contained term by term, and so its volume for any coefficients.
    pub fn wrap(&mut self, other: &Self) {
        self.rest.wrap(&other.rest);
        for (field, change) in &other.changes {
            if let Ok(index) = self.changes.binary_search_by_key(field, |(own, _)| *own) {
                self.changes[index].1.wrap(change);
            }
        }
        self.steepest = self.steepest.max(other.steepest);
    }

    /// By how much a volume of earlier coefficients has to grow: equation 11.
    pub fn growth(&self, distance: f64) -> f64 {
        self.steepest * distance
    }

    /// `|dR|_2`, the length of all radius increments together (section 3.3).
    pub fn radius_increment(&self) -> f64 {
        self.changes.iter().map(|(_, change)| change.size() * change.size()).sum::<f64>().sqrt()
    }
}

/// `|U_i|_2`: the root of the largest eigenvalue of `U_i U_i^T`, a matrix of three rows.
fn norm(fields: &Fields, vertex: usize) -> f64 {
    let mut product = DMat3::ZERO;
    for (_, u) in fields.of_vertex(vertex as u32) {
        let u = u.as_dvec3();
        product += DMat3::from_cols(u * u.x, u * u.y, u * u.z);
    }
    SymmetricEigen::new(product).values.max_element().max(0.0).sqrt()
}
