//! Seams: vertices that are one point of the surface, in every pose or at rest.
//!
//! Files split a vertex wherever its normal or texture coordinate jumps. Such twins lie at the same position at rest and are moved
//! alike, so they are posed to the same bits. Other files split a surface into parts with weights of their own, which are meant to
//! stay together all the same.

use std::collections::HashMap;

use super::Model;
use crate::math::Aabb;
use crate::mesh::{EdgeCounts, bits, edge_counts};
use crate::rest::Rest;
use crate::skin::Skinning;

/// Vertices of one seam are this close in the rest pose, as a part of the model's size: weights of two parts may be rounded
/// differently.
const SEAM_WIDTH: f32 = 1e-4;

impl Model {
    /// For every vertex the smallest one that is the same point of the surface: at exactly the same position in the file, and in the
    /// rest pose. A mesh that stands at two nodes, like a pair of boots, has one position in the file, but has no seams with itself.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::{mesh::Mesh, model::Model};
    ///
    /// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X], vec![[0, 1, 2], [0, 2, 3]])?;
    /// assert_eq!(Model::rigid(mesh).welded_vertices(), [0, 1, 2, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn welded_vertices(&self) -> Vec<u32> {
        let in_file = self.mesh().positions();
        // A rest pose that does not fit into f32 is refused by bodies; until then, the file has to do.
        let posed = self.posed(&self.rest_pose(), Skinning::Linear).map(|posed| posed.positions());
        let at_rest = posed.unwrap_or_else(|_| in_file.to_vec());
        let Aabb { min, max } = Aabb::from_points(at_rest.iter().copied());
        let width = (max - min).length() * SEAM_WIDTH;
        let mut known: HashMap<[u32; 3], Vec<u32>> = HashMap::with_capacity(in_file.len());
        (0u32..)
            .zip(in_file.iter().zip(&at_rest))
            .map(|(vertex, (&position, &rest))| {
                let twins = known.entry(bits(position)).or_default();
                let twin = twins.iter().copied().find(|&t| at_rest[t as usize].distance(rest) <= width);
                twin.unwrap_or_else(|| {
                    twins.push(vertex);
                    vertex
                })
            })
            .collect()
    }

    /// Counts the edges of the surface, with vertices welded that are at the same position in every pose: those with the same
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
        key.extend(bits(self.mesh().positions()[vertex]));
        match self.rest() {
            Rest::Plain => {}
            Rest::Fields(fields) => {
                for (field, displacement) in fields.of_vertex(vertex as u32) {
                    key.push(field as u32);
                    key.extend(bits(displacement));
                }
            }
            Rest::Morph(morph) => key.extend(morph.of_vertex(vertex as u32).iter().flat_map(|&p| bits(p))),
        }
        key
    }
}
