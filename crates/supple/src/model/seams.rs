//! Seams: vertices that are one point of the surface in every pose.
//!
//! Files split a vertex wherever its normal or texture coordinate jumps. Such twins lie at the same place at rest and are moved
//! alike, so they are posed to the same bits.

use std::collections::HashMap;

use glam::Vec3;

use super::Model;
use crate::mesh::{EdgeCounts, edge_counts};
use crate::rest::Rest;

impl Model {
    /// Counts the edges of the surface, with vertices welded that are at the same place in every pose: those with the same
    /// rest position, displacements, joints and weights.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::{mesh::Mesh, model::Model};
    ///
    /// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Y], vec![[0, 1, 2], [1, 0, 3]])?;
    /// assert!(Model::rigid(mesh).edge_counts().is_closed()); // the last two are one point
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn edge_counts(&self) -> EdgeCounts {
        let mut first_alike = HashMap::new();
        let vertices = 0..self.mesh().positions().len();
        let welded: Vec<u32> = vertices
            .zip(0u32..)
            .map(|(vertex, number)| *first_alike.entry(self.all_that_moves(vertex)).or_insert(number))
            .collect();
        edge_counts(self.mesh().triangles(), &welded)
    }

    /// All numbers that the posed position of a vertex depends on, as bits.
    fn all_that_moves(&self, vertex: usize) -> Vec<u32> {
        let (joints, weights) = self.skin().joints_and_weights(vertex);
        let mut key = vec![joints.len() as u32];
        key.extend(joints);
        key.extend(weights.iter().map(|weight| weight.to_bits()));
        let point = |key: &mut Vec<u32>, p: Vec3| {
            // Adding +0.0 turns -0.0 into 0.0, so that equal numbers have equal bits.
            key.extend(p.to_array().map(|x| (x + 0.0).to_bits()));
        };
        point(&mut key, self.mesh().positions()[vertex]);
        match self.rest() {
            Rest::Plain => {}
            Rest::Fields(fields) => {
                for (field, displacement) in fields.of_vertex(vertex) {
                    key.push(field as u32);
                    point(&mut key, displacement);
                }
            }
            Rest::Morph(morph) => morph.of_vertex(vertex).iter().for_each(|&p| point(&mut key, p)),
        }
        key
    }
}
