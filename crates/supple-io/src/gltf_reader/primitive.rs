//! One primitive of a mesh: positions, triangles, normals, texture coordinates, influences.
//!
//! Must hold: all arrays have one element per vertex; positions are finite; indices are in range.

use glam::{Vec2, Vec3};
use gltf::json;
use json::accessor::{ComponentType, Type};
use json::mesh::{Mode, Semantic};
use json::validation::Checked;

use super::accessor::Accessor;
use super::attributes::Attributes;
use super::contents::Contents;
use super::influences::{Influences, read_influences};
use super::topology::triangles;
use crate::Problem;

/// Kinds of numbers that positions, normals and displacements may have with KHR_mesh_quantization.
pub(super) const VECTOR_KINDS: [ComponentType; 5] =
    [ComponentType::F32, ComponentType::I8, ComponentType::U8, ComponentType::I16, ComponentType::U16];

/// What was read, with indices that start at 0.
#[derive(Debug)]
pub(super) struct Piece {
    pub material: String,
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
    pub normals: Option<Vec<Vec3>>,
    pub uvs: Option<Vec<Vec2>>,
    pub influences: Option<Influences>,
}

/// Reads a primitive; `None` if it has no triangles to give. `entries` are the palette entries of the skin, if any.
pub(super) fn read_primitive(
    contents: &Contents<'_>,
    primitive: &json::mesh::Primitive,
    entries: Option<&[u32]>,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Piece>, Problem> {
    let Checked::Valid(mode) = primitive.mode else {
        return Err(Problem::invalid(place, "has an unknown mode; expected 0 to 6"));
    };
    let within = |problem: Problem| problem.within(place);
    if matches!(mode, Mode::Points | Mode::Lines | Mode::LineLoop | Mode::LineStrip) {
        notes.push(format!("{place}: consists of points or lines; skipped"));
        return Ok(None);
    }
    let attributes = Attributes::of(contents, primitive, place, notes)?;
    let Some(position) = attributes.get(Semantic::Positions).map_err(within)? else {
        notes.push(format!("{place}: has no positions; skipped"));
        return Ok(None);
    };
    let position = position.checked_kind(Type::Vec3, &VECTOR_KINDS).map_err(within)?;
    let vertices = position.count();
    let triangles = match attributes.draco_triangles() {
        Some(triangles) => {
            contents.budget.spend(|| place.to_owned(), triangles.len(), 3)?;
            triangles.to_vec()
        }
        None => read_triangles(contents, primitive, mode, vertices, place)?,
    };
    let positions = position.to_vec3("position").map_err(within)?;
    let influences = match entries {
        Some(entries) => read_influences(&attributes, entries, vertices, place, notes)?,
        None => None,
    };
    if entries.is_some() && influences.is_none() {
        notes.push(format!("{place}: has no joints, but its node has a skin; it follows the node"));
    }
    let normals = read_normals(&attributes, vertices, place, notes).map_err(within)?;
    let uvs = read_uvs(&attributes, vertices, place, notes).map_err(within)?;
    let material = contents.document.material_name(primitive.material.map(|m| m.value()));
    Ok(Some(Piece { material, positions, triangles, normals, uvs, influences }))
}

/// An accessor of vectors in any of the allowed kinds.
pub(super) fn vectors<'s>(contents: &'s Contents<'_>, index: usize) -> Result<Accessor<'s>, Problem> {
    contents.accessor(index)?.checked_kind(Type::Vec3, &VECTOR_KINDS)
}

fn read_triangles(
    contents: &Contents<'_>,
    primitive: &json::mesh::Primitive,
    mode: Mode,
    vertices: usize,
    place: &str,
) -> Result<Vec<[u32; 3]>, Problem> {
    let indices = match primitive.indices {
        Some(index) => {
            let kinds = [ComponentType::U8, ComponentType::U16, ComponentType::U32];
            let read = || contents.accessor(index.value())?.checked_kind(Type::Scalar, &kinds)?.to_u32();
            read().map_err(|problem| problem.within(place))?
        }
        None => {
            contents.budget.spend(|| place.to_owned(), vertices, 1)?;
            let vertices = u32::try_from(vertices)
                .map_err(|_| Problem::invalid(place, format!("{vertices} vertices are too many")))?;
            (0..vertices).collect()
        }
    };
    // Strips and fans make up to three numbers of one index.
    contents.budget.spend(|| place.to_owned(), indices.len(), 3)?;
    triangles(place, mode, &indices, vertices)
}

fn read_normals(
    attributes: &Attributes<'_>,
    vertices: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<Vec3>>, Problem> {
    let Some(accessor) = attributes.get(Semantic::Normals)? else { return Ok(None) };
    let accessor = accessor.checked_kind(Type::Vec3, &VECTOR_KINDS)?;
    let numbers = accessor.checked_count(vertices, "vertex")?.to_f32()?;
    let mut normals: Vec<Vec3> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
    zero_where(&mut normals, |n| !n.is_finite(), "normals", place, notes);
    Ok(Some(normals))
}

fn read_uvs(
    attributes: &Attributes<'_>,
    vertices: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<Vec2>>, Problem> {
    let Some(accessor) = attributes.get(Semantic::TexCoords(0))? else { return Ok(None) };
    let accessor = accessor.checked_kind(Type::Vec2, &VECTOR_KINDS)?;
    let numbers = accessor.checked_count(vertices, "vertex")?.to_f32()?;
    let mut uvs: Vec<Vec2> = numbers.chunks_exact(2).map(Vec2::from_slice).collect();
    zero_where(&mut uvs, |uv| !uv.is_finite(), "texture coordinates", place, notes);
    Ok(Some(uvs))
}

/// What only matters for looks is mended instead of refused.
fn zero_where<T: Default>(
    values: &mut [T],
    bad: impl Fn(&T) -> bool,
    what: &str,
    place: &str,
    notes: &mut Vec<String>,
) {
    let mut count = 0;
    for value in values.iter_mut().filter(|value| bad(value)) {
        *value = T::default();
        count += 1;
    }
    if count > 0 {
        notes.push(format!("{place}: {count} {what} are not finite; set to zero"));
    }
}
