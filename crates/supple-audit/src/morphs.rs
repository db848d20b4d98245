//! Which triangles morph targets move in a pose.
//!
//! In: a model and a pose. Out: for a triangle, whether a morph target that is set otherwise than in the rest pose displaces one
//! of its corners.

use glam::Vec3;
use supple::Model;
use supple::pose::Pose;
use supple::rest::Rest;

/// The morph targets of a pose.
pub struct Morphs<'m> {
    model: &'m Model,
    /// Those that are set otherwise than in the rest pose.
    is_set: Vec<bool>,
}

impl<'m> Morphs<'m> {
    pub fn new(model: &'m Model, pose: &Pose) -> Self {
        let at_rest = model.rest().default_coefficients();
        let is_set = at_rest.iter().zip(&pose.coefficients).map(|(rest, posed)| rest != posed).collect();
        Self { model, is_set }
    }

    /// Whether they move a corner of a triangle.
    pub fn move_triangle(&self, triangle: u32) -> bool {
        if !self.is_set.contains(&true) {
            return false;
        }
        match self.model.rest() {
            Rest::Plain => false,
            Rest::Fields(fields) => self.model.mesh().triangles()[triangle as usize].iter().any(|&vertex| {
                fields.of_vertex(vertex).any(|(field, by)| self.is_set[field] && by != Vec3::ZERO)
            }),
            // A blend of whole shapes: all of them move every vertex.
            Rest::Morph(_) => true,
        }
    }
}
