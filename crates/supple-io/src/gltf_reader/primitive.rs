//! One primitive of a mesh: positions, triangles, normals, texture coordinates, influences.
//!
//! Must hold: all arrays have one element per vertex; positions are finite; indices are in range.

use glam::{Vec2, Vec3};
use gltf::json;
use json::accessor::{ComponentType, Type};
use json::mesh::Semantic;
use json::validation::Checked;

use super::accessor::Accessor;
use super::contents::Contents;
use super::extensions::{DRACO, unsupported};
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
    let Some(position) = attribute(primitive, Semantic::Positions) else {
        notes.push(format!("{place}: has no positions; skipped"));
        return Ok(None);
    };
    let within = |problem: Problem| problem.within(place);
    let position = vectors(contents, position).map_err(within)?;
    refuse_draco(primitive, &position)?;
    let vertices = position.count();
    let Some(triangles) = read_triangles(contents, primitive, mode, vertices, place)? else {
        notes.push(format!("{place}: consists of points or lines; skipped"));
        return Ok(None);
    };
    let positions = position.to_vec3("position").map_err(within)?;
    let influences = match entries {
        Some(entries) => read_influences(contents, primitive, entries, vertices, place, notes)?,
        None => None,
    };
    if entries.is_some() && influences.is_none() {
        notes.push(format!("{place}: has no joints, but its node has a skin; it follows the node"));
    }
    let normals = read_normals(contents, primitive, vertices, place, notes).map_err(within)?;
    let uvs = read_uvs(contents, primitive, vertices, place, notes).map_err(within)?;
    let material = contents.document.material_name(primitive.material.map(|m| m.value()));
    Ok(Some(Piece { material, positions, triangles, normals, uvs, influences }))
}

/// An accessor of vectors in any of the allowed kinds.
pub(super) fn vectors<'s>(contents: &'s Contents<'_>, index: usize) -> Result<Accessor<'s>, Problem> {
    contents.accessor(index)?.checked_kind(Type::Vec3, &VECTOR_KINDS)
}

fn attribute(primitive: &json::mesh::Primitive, semantic: Semantic) -> Option<usize> {
    primitive.attributes.get(&Checked::Valid(semantic)).map(|accessor| accessor.value())
}

/// Without a fallback the accessors of a Draco primitive are empty, and would read as zeros.
fn refuse_draco(primitive: &json::mesh::Primitive, position: &Accessor<'_>) -> Result<(), Problem> {
    let has_draco = primitive.extensions.as_ref().is_some_and(|e| e.others.contains_key(DRACO));
    if has_draco && position.is_empty_shell() {
        return Err(unsupported(DRACO));
    }
    Ok(())
}

fn read_triangles(
    contents: &Contents<'_>,
    primitive: &json::mesh::Primitive,
    mode: json::mesh::Mode,
    vertices: usize,
    place: &str,
) -> Result<Option<Vec<[u32; 3]>>, Problem> {
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
    contents: &Contents<'_>,
    primitive: &json::mesh::Primitive,
    vertices: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<Vec3>>, Problem> {
    let Some(index) = attribute(primitive, Semantic::Normals) else { return Ok(None) };
    let numbers = vectors(contents, index)?.checked_count(vertices, "vertex")?.to_f32()?;
    let mut normals: Vec<Vec3> = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
    zero_where(&mut normals, |n| !n.is_finite(), "normals", place, notes);
    Ok(Some(normals))
}

fn read_uvs(
    contents: &Contents<'_>,
    primitive: &json::mesh::Primitive,
    vertices: usize,
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Option<Vec<Vec2>>, Problem> {
    let Some(index) = attribute(primitive, Semantic::TexCoords(0)) else { return Ok(None) };
    let accessor = contents.accessor(index)?.checked_kind(Type::Vec2, &VECTOR_KINDS)?;
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
