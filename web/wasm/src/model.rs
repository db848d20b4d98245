//! Models: from files, from the zoo, from arrays.

use std::sync::Arc;

use glam::{DAffine3, Vec3};
use supple::pose::{Joint, JointId, Node, Skeleton};
use supple::rest::{Field, Fields, Rest};
use supple::{Mesh, Model, Skin, Transform};
use wasm_bindgen::prelude::*;

use crate::words::words;

/// A model, and what its file's reader has to say.
#[wasm_bindgen]
pub struct RawModel {
    pub(crate) model: Arc<Model>,
    notes: Vec<String>,
}

impl RawModel {
    pub(crate) fn of(model: Arc<Model>) -> Self {
        Self { model, notes: Vec::new() }
    }
}

#[wasm_bindgen]
impl RawModel {
    /// From the bytes of a file.
    pub fn load(name: &str, bytes: &[u8]) -> Result<Self, String> {
        let loaded = supple_io::read_bytes(name, bytes, &mut supple_io::no_other_files).map_err(words)?;
        Ok(Self { model: Arc::new(loaded.model), notes: loaded.notes })
    }

    /// From the zoo.
    pub fn zoo(name: &str, detail: u32) -> Result<Self, String> {
        Ok(Self::of(Arc::new(supple_zoo::make(name, detail).map_err(words)?)))
    }

    /// From arrays. Without `indices` one joint moves everything; `displacements` has those of all vertices, morph after morph.
    pub fn from_arrays(
        positions: &[f32],
        triangles: &[u32],
        indices: &[u32],
        weights: &[f32],
        per_vertex: usize,
        joint_count: usize,
        displacements: &[f32],
    ) -> Result<Self, String> {
        let vertices = vectors("positions", positions)?;
        let (corners, rest) = triangles.as_chunks::<3>();
        if !rest.is_empty() {
            return Err(format!("triangles has {} numbers, it needs three per triangle", triangles.len()));
        }
        let mesh = Mesh::new(vertices, corners.to_vec()).map_err(words)?;
        let count = mesh.positions().len();
        let fields = fields(&mesh, displacements)?;
        let (skin, skeleton) = if indices.is_empty() {
            (Skin::rigid(count), Skeleton::single())
        } else {
            (skin(indices, weights, per_vertex, joint_count, count)?, skeleton(joint_count)?)
        };
        let model = Model::new(mesh, skin, skeleton).map_err(words)?;
        let model = if fields.is_empty() {
            model
        } else {
            let fields = Fields::new(count, &fields).map_err(words)?;
            model.with_rest(Rest::Fields(fields)).map_err(words)?
        };
        Ok(Self::of(Arc::new(model)))
    }

    /// How many vertices.
    pub fn vertex_count(&self) -> usize {
        self.model.mesh().positions().len()
    }

    /// How many triangles.
    pub fn triangle_count(&self) -> usize {
        self.model.mesh().triangles().len()
    }

    /// Names of all joints.
    pub fn joints(&self) -> Vec<String> {
        let joints = 0..self.model.skin().joint_count() as u32;
        joints.map(|joint| self.model.joint_name(JointId(joint)).to_owned()).collect()
    }

    /// The joint above each joint; -1 where there is none.
    pub fn joint_parents(&self) -> Vec<i32> {
        let skeleton = self.model.skeleton();
        let joint_of = |node: usize| skeleton.joints().iter().position(|joint| joint.node == node);
        let parents = skeleton.nodes_of_parents().into_iter();
        parents.map(|parent| parent.and_then(joint_of).map_or(-1, |joint| joint as i32)).collect()
    }

    /// Names of morph targets, or whatever coefficients move.
    pub fn morphs(&self) -> Vec<String> {
        self.model.rest().names().to_vec()
    }

    /// Names of all clips.
    pub fn clip_names(&self) -> Vec<String> {
        self.model.clips().iter().map(|clip| clip.name().to_owned()).collect()
    }

    /// Their durations, in seconds.
    pub fn clip_durations(&self) -> Vec<f64> {
        self.model.clips().iter().map(|clip| clip.duration()).collect()
    }

    /// What was odd in the file.
    pub fn notes(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// Vertices as the file has them.
    pub fn positions(&self) -> Vec<f32> {
        numbers(self.model.mesh().positions())
    }

    /// Corners of triangles.
    pub fn triangles(&self) -> Vec<u32> {
        self.model.mesh().triangles().as_flattened().to_vec()
    }

    /// Joint, weight, joint, weight of a vertex; the heaviest first.
    pub fn weights_of(&self, vertex: u32) -> Result<Vec<f64>, String> {
        if vertex as usize >= self.vertex_count() {
            return Err(format!("vertex {vertex} was asked for, there are {}", self.vertex_count()));
        }
        let mut all: Vec<(JointId, f32)> = self.model.skin().influences(vertex).collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok(all.into_iter().flat_map(|(joint, weight)| [f64::from(joint.0), f64::from(weight)]).collect())
    }
}

/// Names of what the zoo has.
#[wasm_bindgen]
pub fn zoo_names() -> Vec<String> {
    supple_zoo::kinds().iter().map(|kind| kind.name.to_owned()).collect()
}

/// Three numbers each.
pub fn vectors(what: &str, numbers: &[f32]) -> Result<Vec<Vec3>, String> {
    match numbers.as_chunks::<3>() {
        (all, []) => Ok(all.iter().copied().map(Vec3::from_array).collect()),
        _ => Err(format!("{what} has {} numbers, it needs three per vertex", numbers.len())),
    }
}

/// One after the other.
pub fn numbers(vectors: &[Vec3]) -> Vec<f32> {
    vectors.iter().flat_map(|vector| vector.to_array()).collect()
}

fn skin(
    indices: &[u32],
    weights: &[f32],
    per_vertex: usize,
    joint_count: usize,
    vertices: usize,
) -> Result<Skin, String> {
    let needed = vertices.checked_mul(per_vertex).filter(|_| per_vertex > 0);
    if needed != Some(indices.len()) || needed != Some(weights.len()) {
        return Err(format!(
            "{vertices} vertices of {per_vertex} joints each: skinIndices has {} numbers, skinWeights {}",
            indices.len(),
            weights.len()
        ));
    }
    let all: Vec<(u32, f32)> = indices.iter().copied().zip(weights.iter().copied()).collect();
    Skin::new(joint_count, all.chunks_exact(per_vertex)).map_err(words)
}

/// Joints that hang on nothing: matrices come from outside.
fn skeleton(joint_count: usize) -> Result<Skeleton, String> {
    let node = |number: usize| Node::new(format!("joint {number}"), None, Transform::IDENTITY);
    let joint = |node: usize| Joint { node, inverse_bind: DAffine3::IDENTITY };
    Skeleton::new((0..joint_count).map(node).collect(), (0..joint_count).map(joint).collect()).map_err(words)
}

fn fields(mesh: &Mesh, displacements: &[f32]) -> Result<Vec<Field>, String> {
    let per_morph = 3 * mesh.positions().len();
    if displacements.is_empty() {
        return Ok(Vec::new());
    }
    let field = |(number, morph): (usize, &[f32])| {
        let displacements = vectors("morphs", morph)?;
        if let Some(vertex) = displacements.iter().position(|displacement| !displacement.is_finite()) {
            return Err(format!("morph {number} moves vertex {vertex} by what is not finite"));
        }
        Ok(Field::displacing(format!("morph {number}"), mesh, &displacements))
    };
    displacements.chunks(per_morph).enumerate().map(field).collect()
}
