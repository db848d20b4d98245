//! How the rest stage moves vertices away from the mesh, as smoothness needs it: fields as they are, convex morphs as fields.

use glam::{DVec3, Vec3};

use super::kinship::united;
use super::layout::Tree;
use crate::model::Model;
use crate::rest::{ConvexMorph, Fields, Rest};

/// Whether fields displace a vertex below each node.
pub(super) fn displaced(tree: &Tree, model: &Model) -> Vec<bool> {
    let Some(displacements) = Displacements::of(model) else { return Vec::new() };
    let of_triangle = |&triangle: &u32| {
        let vertices = model.mesh().triangles()[triangle as usize];
        vertices.iter().any(|&vertex| displacements.any_of_vertex(vertex))
    };
    let of_triangles: Vec<bool> = tree.triangles.iter().map(of_triangle).collect();
    united(&tree.nodes, &of_triangles, |below| below.contains(&true))
}

/// How the rest stage moves vertices away from the mesh, per coefficient.
pub(super) enum Displacements<'a> {
    Fields(&'a Fields),
    Morph(&'a ConvexMorph, &'a [Vec3]),
}

impl<'a> Displacements<'a> {
    pub fn of(model: &'a Model) -> Option<Self> {
        match model.rest() {
            Rest::Plain => None,
            Rest::Fields(fields) => Some(Self::Fields(fields)),
            Rest::Morph(morph) => Some(Self::Morph(morph, model.mesh().positions())),
        }
    }

    fn any_of_vertex(&self, vertex: u32) -> bool {
        match self {
            Self::Fields(fields) => fields.of_vertex(vertex).next().is_some(),
            Self::Morph(..) => true,
        }
    }

    /// Fields that move a vertex, ascending.
    pub fn of_vertex(&self, vertex: u32) -> Vec<(u32, DVec3)> {
        match self {
            Self::Fields(fields) => {
                fields.of_vertex(vertex).map(|(field, u)| (field as u32, u.as_dvec3())).collect()
            }
            Self::Morph(morph, positions) => {
                let own = positions[vertex as usize].as_dvec3();
                let moved = morph.of_vertex(vertex).iter().map(|p| p.as_dvec3() - own);
                (0..).zip(moved).collect()
            }
        }
    }
}
