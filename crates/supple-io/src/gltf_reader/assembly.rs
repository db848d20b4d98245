//! Puts what was read together into one model.
//!
//! In: a document with its bytes. Out: a model of all nodes of the scene that have a mesh, in file order.
//! Must hold: vertices and triangles are appended in the order nodes, primitives, indices; nothing is merged.

use std::ops::Range;

use glam::{Vec2, Vec3};
use supple::model::{Part, Primitive};
use supple::pose::{Node, Skeleton};
use supple::rest::{Field, Fields, Rest};
use supple::{Mesh, Model, ModelError, Pose, Skin};

use super::animation::{CoefficientsOfNodes, read_clips};
use super::budget::VISIT;
use super::contents::Contents;
use super::document::lookup;
use super::instances::read_instances;
use super::morph_targets::{Placed, read_fields};
use super::nodes::read_nodes;
use super::palette::Palette;
use super::primitive::{Piece, read_primitive};
use super::scenes::Scenes;
use crate::Problem;

pub(super) fn assemble(
    contents: &Contents<'_>,
    scenes: &Scenes,
    notes: &mut Vec<String>,
    left_out: &mut Vec<String>,
) -> Result<Model, Problem> {
    let mut nodes = read_nodes(&contents.document, notes)?;
    let mut whole = Whole::default();
    for node in (0..contents.document.nodes.len()).filter(|&node| scenes.has_node[node]) {
        match read_instances(contents, node)? {
            None => whole.add_mesh(contents, node, node, &nodes[node].name, notes)?,
            Some(transforms) => {
                let name: String = nodes[node].name.chars().take(LONGEST_NAME).collect();
                for (instance, transform) in transforms.into_iter().enumerate() {
                    nodes.push(Node::new(format!("{name} instance {instance}"), Some(node), transform));
                    whole.add_mesh(contents, node, nodes.len() - 1, &nodes[node].name, notes)?;
                }
            }
        }
    }
    if whole.triangles.is_empty() && !contents.document.animations.is_empty() {
        return Err(Problem::MotionOnly);
    }
    if whole.triangles.is_empty() {
        let place = scenes.chosen.map_or_else(|| "nodes".to_owned(), |index| format!("scene {index}"));
        return Err(Problem::invalid(place, "no node has a mesh with triangles; expected at least one"));
    }
    whole.complete_normals(notes);
    let made = |error: ModelError| Problem::from(error);
    let skeleton =
        Skeleton::new(nodes, std::mem::take(&mut whole.palette.joints)).map_err(|e| made(e.into()))?;
    whole.turn_mirrored_parts(&skeleton);
    left_out.extend(scenes.note(&contents.document));
    let clips = read_clips(contents, &whole.coefficients, notes, left_out);
    let (parts, rest) = (std::mem::take(&mut whole.parts), whole.rest()?);
    let skin = whole.skin(skeleton.joints().len())?;
    let mesh = whole.mesh()?;
    let model = Model::new(mesh, skin, skeleton)?.with_rest(rest)?.with_clips(clips)?.with_parts(parts)?;
    Ok(model)
}

/// Names of instances begin with so much of the name of their node, which may be as long as the file.
const LONGEST_NAME: usize = 60;

/// The model as it grows.
#[derive(Debug, Default)]
struct Whole {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Option<Vec<Vec3>>,
    /// Vertices and triangles of primitives without normals.
    without_normals: Vec<(Range<usize>, Range<usize>)>,
    uvs: Option<Vec<Vec2>>,
    palette: Palette,
    /// Influences of all vertices, and where those of each vertex end.
    weighted: Vec<(u32, f32)>,
    weighted_ends: Vec<usize>,
    fields: Vec<Field>,
    coefficients: CoefficientsOfNodes,
    parts: Vec<Part>,
    /// Triangles that follow a node rigidly, with that node.
    rigid: Vec<(usize, Range<usize>)>,
}

impl Whole {
    /// Appends the mesh of a node, if it has one. `at` is the node that it follows: itself, or that of an instance.
    fn add_mesh(
        &mut self,
        contents: &Contents<'_>,
        index: usize,
        at: usize,
        node_name: &str,
        notes: &mut Vec<String>,
    ) -> Result<(), Problem> {
        let document = &contents.document;
        let node = &document.nodes[index];
        let Some(mesh_index) = node.mesh.map(|mesh| mesh.value()) else { return Ok(()) };
        let at_node = |problem: Problem| problem.within(&document.node_place(index));
        let mesh = lookup(&document.meshes, "mesh", mesh_index).map_err(at_node)?;
        let place = document.mesh_place(mesh_index);
        let entries = match node.skin {
            Some(skin) => Some(self.palette.skin(contents, skin.value(), notes).map_err(at_node)?.to_vec()),
            None => None,
        };
        let copied = entries.as_ref().map_or(0, Vec::len) + mesh.name.as_ref().map_or(0, String::len);
        contents.budget.spend(|| place.clone(), copied, 1)?;
        let (first_vertex, first_triangle) = (self.positions.len(), self.triangles.len());
        let mut placed: Vec<Placed<'_>> = Vec::new();
        let mut primitives = Vec::new();
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let place = format!("{place}, primitive {number}");
            contents.budget.spend(|| place.clone(), 1, VISIT)?;
            let piece = read_primitive(contents, primitive, entries.as_deref(), &place, notes)?;
            let Some(piece) = piece else { continue };
            contents.budget.spend(|| place.clone(), piece.material.len(), 1)?;
            let added = self.add_piece(at, piece, &place)?;
            placed.push((number, primitive, added.vertices.clone()));
            primitives.push(added);
        }
        if placed.is_empty() {
            return Ok(());
        }
        let fields = read_fields(contents, mesh, node.weights.as_deref(), &placed, &place, notes)?;
        let coefficients = self.fields.len()..self.fields.len() + fields.len();
        self.fields.extend(fields);
        self.coefficients.insert(at, coefficients.clone());
        self.parts.push(Part {
            name: node_name.to_owned(),
            node: at,
            vertices: first_vertex..self.positions.len(),
            triangles: first_triangle..self.triangles.len(),
            coefficients,
            primitives,
        });
        Ok(())
    }

    fn add_piece(&mut self, node: usize, piece: Piece, place: &str) -> Result<Primitive, Problem> {
        let vertices = self.positions.len()..self.positions.len() + piece.positions.len();
        let triangles = self.triangles.len()..self.triangles.len() + piece.triangles.len();
        let (Ok(first), Ok(_)) = (u32::try_from(vertices.start), u32::try_from(vertices.end)) else {
            return Err(Problem::invalid(place, "brings the file over 4294967295 vertices"));
        };
        match &piece.influences {
            Some(influences) => {
                let start = self.weighted.len();
                self.weighted.extend(&influences.weighted);
                self.weighted_ends.extend((1..=vertices.len()).map(|v| start + v * influences.width));
            }
            None => {
                let joint = self.palette.rigid(node);
                self.weighted.resize(self.weighted.len() + vertices.len(), (joint, 1.0));
                self.weighted_ends.extend(self.weighted.len() - vertices.len() + 1..=self.weighted.len());
                self.rigid.push((node, triangles.clone()));
            }
        }
        if piece.normals.is_none() {
            self.without_normals.push((vertices.clone(), triangles.clone()));
        }
        append(&mut self.normals, piece.normals, vertices.clone());
        append(&mut self.uvs, piece.uvs, vertices.clone());
        self.triangles.extend(piece.triangles.iter().map(|t| t.map(|v| first + v)));
        self.positions.extend(piece.positions);
        Ok(Primitive { material: piece.material, vertices, triangles })
    }

    /// Averages normals, weighted by area, where a primitive has none but another has.
    fn complete_normals(&mut self, notes: &mut Vec<String>) {
        let Some(normals) = &mut self.normals else { return };
        normals.resize(self.positions.len(), Vec3::ZERO);
        for (vertices, triangles) in &self.without_normals {
            for &corners in &self.triangles[triangles.clone()] {
                let [a, b, c] = corners.map(|v| self.positions[v as usize]);
                let weighted = (b - a).cross(c - a);
                for v in corners {
                    normals[v as usize] += weighted;
                }
            }
            for normal in &mut normals[vertices.clone()] {
                *normal = normal.normalize_or_zero();
            }
        }
        if !self.without_normals.is_empty() {
            let count = self.without_normals.len();
            notes.push(format!(
                "meshes: {count} primitives have no normals, others do; averaged from their triangles"
            ));
        }
    }

    /// Turns the triangles of rigid parts whose node mirrors them at rest.
    fn turn_mirrored_parts(&mut self, skeleton: &Skeleton) {
        let rest =
            Pose { nodes: skeleton.nodes().iter().map(|n| n.rest).collect(), coefficients: Vec::new() };
        // Transforms are finite, the skeleton has checked them; an overflow along a chain shows when it is posed.
        let Ok(world) = skeleton.world_matrices(&rest) else { return };
        for (node, triangles) in &self.rigid {
            if world[*node].matrix3.determinant() < 0.0 {
                self.triangles[triangles.clone()].iter_mut().for_each(|t| t.swap(1, 2));
            }
        }
    }

    fn rest(&self) -> Result<Rest, ModelError> {
        if self.fields.is_empty() {
            return Ok(Rest::Plain);
        }
        Ok(Rest::Fields(Fields::new(self.positions.len(), &self.fields)?))
    }

    fn skin(&self, joints: usize) -> Result<Skin, ModelError> {
        let starts = [0].into_iter().chain(self.weighted_ends.iter().copied());
        let ranges = starts.zip(&self.weighted_ends);
        Ok(Skin::new(joints, ranges.map(|(start, &end)| &self.weighted[start..end]))?)
    }

    fn mesh(self) -> Result<Mesh, ModelError> {
        let vertices = self.positions.len();
        let mut mesh = Mesh::new(self.positions, self.triangles)?;
        if let Some(normals) = self.normals {
            mesh = mesh.with_normals(normals)?;
        }
        if let Some(mut uvs) = self.uvs {
            uvs.resize(vertices, Vec2::ZERO);
            mesh = mesh.with_uvs(uvs)?;
        }
        Ok(mesh)
    }
}

/// Appends an attribute; vertices that do not have it get zeros as soon as some have.
fn append<T: Clone + Default>(all: &mut Option<Vec<T>>, added: Option<Vec<T>>, vertices: Range<usize>) {
    if let Some(added) = added {
        let all = all.get_or_insert_default();
        all.resize(vertices.start, T::default());
        all.extend(added);
    }
}
