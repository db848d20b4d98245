//! Some parts of a model, taken out with what moves them.

use std::collections::BTreeMap;
use std::ops::Range;

use supple::model::{Part, Primitive};
use supple::pose::{Channel, Target};
use supple::rest::{ConvexMorph, Field, Fields, Reference, Rest};
use supple::{Clip, Mesh, Model, ModelError, Skin};
use thiserror::Error;

/// Why a part cannot be taken out.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PartError {
    /// A part that cannot be taken out.
    #[error("triangle {triangle} of part {name:?} uses vertex {vertex}, which belongs to another part")]
    SharedVertex {
        /// The part.
        name: String,
        /// The triangle.
        triangle: u32,
        /// The vertex.
        vertex: u32,
    },
    /// No part of that name.
    #[error("there is no part {name:?}; the model has {available}")]
    NoSuchPart {
        /// What was asked for.
        name: String,
        /// What there is.
        available: String,
    },
    /// Every part was taken away.
    #[error("no part is left of the model")]
    NothingLeft,
    /// What is left is no model.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// A model that has only the parts of that name, with the same skeleton; vertices, triangles and coefficients
/// are numbered anew, clips keep what still has a target.
///
/// ```
/// let man = supple_zoo::make("man", 0)?;
/// assert_eq!(supple_io::only_part(&man, "man")?.mesh(), man.mesh());
/// assert!(supple_io::only_part(&man, "horse").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No part of that name, or one that shares vertices with others.
pub fn only_part(model: &Model, name: &str) -> Result<Model, PartError> {
    check_name(model, name)?;
    with_parts_of(model, |part| part.name == name)
}

/// A model that has all parts but those of some names; otherwise as [`only_part`] makes it.
///
/// ```
/// let man = supple_zoo::make("man", 0)?;
/// assert_eq!(supple_io::without_parts(&man, &[] as &[&str])?.mesh(), man.mesh());
/// assert!(supple_io::without_parts(&man, &["horse"]).is_err());
/// assert!(supple_io::without_parts(&man, &["man"]).is_err()); // nothing is left
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No part of such a name, no part left, or one that shares vertices with others.
pub fn without_parts(model: &Model, names: &[impl AsRef<str>]) -> Result<Model, PartError> {
    names.iter().try_for_each(|name| check_name(model, name.as_ref()))?;
    let is_kept = |part: &Part| !names.iter().any(|name| name.as_ref() == part.name);
    if !model.parts().iter().any(is_kept) {
        return Err(PartError::NothingLeft);
    }
    with_parts_of(model, is_kept)
}

fn check_name(model: &Model, name: &str) -> Result<(), PartError> {
    if model.parts().iter().any(|part| part.name == name) {
        return Ok(());
    }
    let available = model.parts().iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", ");
    Err(PartError::NoSuchPart { name: name.to_owned(), available })
}

fn with_parts_of(model: &Model, is_kept: impl Fn(&Part) -> bool) -> Result<Model, PartError> {
    let kept: Vec<&Part> = model.parts().iter().filter(|part| is_kept(part)).collect();
    let renumbering = Renumbering::new(&kept);
    let mesh = renumbering.mesh(model.mesh())?;
    let influences: Vec<Vec<(u32, f32)>> = renumbering
        .old_vertices()
        .map(|v| model.skin().influences(v as u32).map(|(joint, weight)| (joint.0, weight)).collect())
        .collect();
    let skin = Skin::new(model.skin().joint_count(), influences.iter().map(Vec::as_slice))
        .map_err(ModelError::from)?;
    Ok(Model::new(mesh, skin, model.skeleton().clone())?
        .with_rest(renumbering.rest(model.rest())?)?
        .with_clips(model.clips().iter().map(|c| renumbering.clip(c)).collect::<Result<_, _>>()?)?
        .with_parts(renumbering.parts.clone())?)
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

    fn mesh(&self, mesh: &Mesh) -> Result<Mesh, PartError> {
        let pick = |values: &[glam::Vec3]| self.old_vertices().map(|v| values[v]).collect::<Vec<_>>();
        let mut triangles = Vec::new();
        for triangle in self.triangles.iter().cloned().flatten() {
            let corners = mesh.triangles()[triangle].map(|v| v as usize);
            if let Some(&vertex) = corners.iter().find(|v| !self.new_vertex.contains_key(v)) {
                let name = self.parts[0].name.clone();
                return Err(PartError::SharedVertex {
                    name,
                    triangle: triangle as u32,
                    vertex: vertex as u32,
                });
            }
            triangles.push(corners.map(|v| self.new_vertex[&v] as u32));
        }
        let mut part = Mesh::new(pick(mesh.positions()), triangles).map_err(ModelError::from)?;
        if let Some(normals) = mesh.normals() {
            part = part.with_normals(pick(normals)).map_err(ModelError::from)?;
        }
        if let Some(uvs) = mesh.uvs() {
            part = part.with_uvs(self.old_vertices().map(|v| uvs[v]).collect()).map_err(ModelError::from)?;
        }
        Ok(part)
    }

    fn rest(&self, rest: &Rest) -> Result<Rest, ModelError> {
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
