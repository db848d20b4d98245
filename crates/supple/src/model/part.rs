//! Named pieces of a model, and taking one out.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Model, ModelError};
use crate::mesh::Mesh;
use crate::pose::{Channel, Clip, Target};
use crate::rest::{ConvexMorph, Field, Fields, Reference, Rest};
use crate::skin::Skin;

/// One mesh of a file at one node: a contiguous range of the model's vertices and triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name of the node, or of its mesh where the node has none.
    pub name: String,
    /// The node that carries the mesh.
    pub node: usize,
    /// Vertices of the part.
    pub vertices: Range<usize>,
    /// Triangles of the part.
    pub triangles: Range<usize>,
    /// Coefficients that move the part.
    pub coefficients: Range<usize>,
    /// Pieces of the part with a material each.
    pub primitives: Vec<Primitive>,
}

/// A piece of a part that is drawn with one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Name of the material; may be empty.
    pub material: String,
    /// Vertices of the primitive.
    pub vertices: Range<usize>,
    /// Triangles of the primitive.
    pub triangles: Range<usize>,
}

impl Model {
    /// A model that has only the parts of that name, with the same skeleton; vertices, triangles and coefficients
    /// are numbered anew, clips keep what still has a target.
    ///
    /// # Errors
    /// No part of that name.
    pub fn only_part(&self, name: &str) -> Result<Self, ModelError> {
        let kept: Vec<&Part> = self.parts().iter().filter(|p| p.name == name).collect();
        if kept.is_empty() {
            let available = self.parts().iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
            return Err(ModelError::NoSuchPart { name: name.to_owned(), available });
        }
        let renumbering = Renumbering::new(&kept);
        let mesh = renumbering.mesh(self.mesh())?;
        let skin = Skin::new(
            self.skin().joint_count(),
            renumbering
                .old_vertices()
                .map(|v| self.skin().influences(v as u32).map(|(joint, weight)| (joint.0, weight)).collect())
                .collect::<Vec<Vec<_>>>()
                .iter()
                .map(Vec::as_slice),
        )?;
        Self::new(mesh, skin, self.skeleton().clone())?
            .with_rest(renumbering.rest(self.rest(), self.mesh().positions().len())?)?
            .with_clips(self.clips().iter().map(|c| renumbering.clip(c)).collect::<Result<_, _>>()?)?
            .with_parts(renumbering.parts.clone())
    }
}

/// Where the kept parts' vertices, triangles and coefficients go.
struct Renumbering {
    vertices: Vec<Range<usize>>,
    triangles: Vec<Range<usize>>,
    coefficients: Vec<Range<usize>>,
    new_vertex: BTreeMap<usize, usize>,
    new_coefficient: BTreeMap<usize, usize>,
    parts: Vec<Part>,
}

impl Renumbering {
    fn new(kept: &[&Part]) -> Self {
        let mut this = Self {
            vertices: kept.iter().map(|p| p.vertices.clone()).collect(),
            triangles: kept.iter().map(|p| p.triangles.clone()).collect(),
            coefficients: kept.iter().map(|p| p.coefficients.clone()).collect(),
            new_vertex: BTreeMap::new(),
            new_coefficient: BTreeMap::new(),
            parts: Vec::new(),
        };
        let (mut vertices, mut triangles) = (0, 0);
        for part in kept {
            let new_vertices = |r: &Range<usize>| shifted(r, part.vertices.start, vertices);
            let new_triangles = |r: &Range<usize>| shifted(r, part.triangles.start, triangles);
            let first_coefficient = this.new_coefficient.len();
            this.parts.push(Part {
                name: part.name.clone(),
                node: part.node,
                vertices: new_vertices(&part.vertices),
                triangles: new_triangles(&part.triangles),
                coefficients: first_coefficient..first_coefficient + part.coefficients.len(),
                primitives: part
                    .primitives
                    .iter()
                    .map(|p| Primitive {
                        material: p.material.clone(),
                        vertices: new_vertices(&p.vertices),
                        triangles: new_triangles(&p.triangles),
                    })
                    .collect(),
            });
            for old in part.vertices.clone() {
                this.new_vertex.insert(old, vertices + old - part.vertices.start);
            }
            for old in part.coefficients.clone() {
                let new = this.new_coefficient.len();
                this.new_coefficient.insert(old, new);
            }
            vertices += part.vertices.len();
            triangles += part.triangles.len();
        }
        this
    }

    fn old_vertices(&self) -> impl Iterator<Item = usize> {
        self.vertices.iter().cloned().flatten()
    }

    fn mesh(&self, mesh: &Mesh) -> Result<Mesh, ModelError> {
        let pick = |values: &[glam::Vec3]| self.old_vertices().map(|v| values[v]).collect::<Vec<_>>();
        let mut triangles = Vec::new();
        for triangle in self.triangles.iter().cloned().flatten() {
            let corners = mesh.triangles()[triangle].map(|v| v as usize);
            if let Some(&vertex) = corners.iter().find(|v| !self.new_vertex.contains_key(v)) {
                let name = self.parts[0].name.clone();
                return Err(ModelError::SharedVertex { name, triangle, vertex });
            }
            triangles.push(corners.map(|v| self.new_vertex[&v] as u32));
        }
        let mut part = Mesh::new(pick(mesh.positions()), triangles)?;
        if let Some(normals) = mesh.normals() {
            part = part.with_normals(pick(normals))?;
        }
        if let Some(uvs) = mesh.uvs() {
            part = part.with_uvs(self.old_vertices().map(|v| uvs[v]).collect())?;
        }
        Ok(part)
    }

    fn rest(&self, rest: &Rest, old_vertex_count: usize) -> Result<Rest, ModelError> {
        debug_assert!(self.new_vertex.keys().all(|&v| v < old_vertex_count));
        match rest {
            Rest::Plain => Ok(Rest::Plain),
            Rest::Fields(fields) => {
                let old = fields.to_fields();
                let kept: Vec<Field> = self.new_coefficient.keys().map(|&c| self.field(&old[c])).collect();
                if kept.is_empty() {
                    return Ok(Rest::Plain);
                }
                Ok(Rest::Fields(Fields::new(self.new_vertex.len(), &kept)?))
            }
            Rest::Morph(morph) => {
                let pick = |values: &[glam::Vec3]| {
                    self.old_vertices().filter_map(|v| values.get(v).copied()).collect::<Vec<_>>()
                };
                let references: Vec<Reference> = morph
                    .to_references()
                    .into_iter()
                    .map(|r| Reference { positions: pick(&r.positions), normals: pick(&r.normals), ..r })
                    .collect();
                Ok(Rest::Morph(ConvexMorph::new(&references)?))
            }
        }
    }

    fn field(&self, old: &Field) -> Field {
        let pick = |changes: &[(u32, glam::Vec3)]| {
            let kept = changes.iter().filter_map(|&(v, change)| {
                self.new_vertex.get(&(v as usize)).map(|&new| (new as u32, change))
            });
            kept.collect::<Vec<_>>()
        };
        Field {
            name: old.name.clone(),
            default: old.default,
            displacements: pick(&old.displacements),
            normal_changes: pick(&old.normal_changes),
        }
    }

    fn clip(&self, clip: &Clip) -> Result<Clip, ModelError> {
        let mut channels = Vec::new();
        for channel in clip.channels() {
            match &channel.target {
                Target::Coefficients(range) => channels.extend(self.coefficient_channels(channel, range)),
                _ => channels.push(channel.clone()),
            }
        }
        Ok(Clip::new(clip.name(), channels)?)
    }

    /// One channel for each kept part whose coefficients the channel animates.
    fn coefficient_channels(&self, channel: &Channel, range: &Range<usize>) -> Vec<Channel> {
        let of_part = |old: &Range<usize>| {
            let kept = range.start.max(old.start)..range.end.min(old.end);
            let start = *self.new_coefficient.get(&kept.start).filter(|_| !kept.is_empty())?;
            let columns = kept.start - range.start..kept.end - range.start;
            let tuples = channel.values.chunks(range.len());
            Some(Channel {
                target: Target::Coefficients(start..start + kept.len()),
                values: tuples.flat_map(|tuple| &tuple[columns.clone()]).copied().collect(),
                ..channel.clone()
            })
        };
        self.coefficients.iter().filter_map(of_part).collect()
    }
}

fn shifted(range: &Range<usize>, from: usize, to: usize) -> Range<usize> {
    range.start - from + to..range.end - from + to
}
