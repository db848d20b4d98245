//! Morph targets of a mesh as displacement fields of a part.
//!
//! In: a mesh at a node, and where the vertices of its primitives stand in the model. Out: one field per target,
//! shared by all primitives.
//! Must hold: sparse targets stay sparse, zeros are dropped.

use std::ops::Range;

use gltf::json;
use serde_json::Value;
use supple::rest::Field;

use super::budget::VISIT;
use super::contents::Contents;
use super::primitive::vectors;
use crate::Problem;

/// A primitive that was read, and its vertices in the model.
pub(super) type Placed<'p> = (usize, &'p json::mesh::Primitive, Range<usize>);

pub(super) fn read_fields(
    contents: &Contents<'_>,
    mesh: &json::Mesh,
    node_weights: Option<&[f32]>,
    pieces: &[Placed<'_>],
    place: &str,
    notes: &mut Vec<String>,
) -> Result<Vec<Field>, Problem> {
    let counts = || mesh.primitives.iter().map(|p| p.targets.as_ref().map_or(0, Vec::len));
    let count = counts().max().unwrap_or(0);
    contents.budget.spend(|| place.to_owned(), count, VISIT * (1 + pieces.len()))?;
    if counts().any(|c| c != count) {
        notes.push(format!(
            "{place}: primitives have different numbers of morph targets; the rest do not move"
        ));
    }
    let weights = node_weights.or(mesh.weights.as_deref()).unwrap_or(&[]);
    if !weights.is_empty() && weights.len() != count {
        notes.push(format!("{place}: {} default weights for {count} morph targets", weights.len()));
    }
    let names = target_names(contents, mesh, place)?;
    let mut fields = Vec::with_capacity(count);
    for target in 0..count {
        let default = weights.get(target).copied().unwrap_or(0.0);
        if !default.is_finite() {
            return Err(Problem::invalid(place, format!("default weight {target} is {default}")));
        }
        let name = names.get(target).cloned().unwrap_or_default();
        let mut field = Field { name, default, ..Field::default() };
        for (index, primitive, vertices) in pieces {
            add_changes(contents, primitive, target, vertices, &mut field)
                .map_err(|problem| problem.within(&format!("{place}, primitive {index}, target {target}")))?;
        }
        fields.push(field);
    }
    Ok(fields)
}

fn add_changes(
    contents: &Contents<'_>,
    primitive: &json::mesh::Primitive,
    target: usize,
    vertices: &Range<usize>,
    field: &mut Field,
) -> Result<(), Problem> {
    let Some(target) = primitive.targets.as_ref().and_then(|t| t.get(target)) else { return Ok(()) };
    let read = |accessor: json::Index<json::Accessor>| {
        vectors(contents, accessor.value())?.checked_count(vertices.len(), "vertex")?.to_changes()
    };
    let first = vertices.start as u32;
    let moved = |changes: Vec<_>| changes.into_iter().map(move |(vertex, change)| (first + vertex, change));
    if let Some(accessor) = target.positions {
        field.displacements.extend(moved(read(accessor)?));
    }
    if let Some(accessor) = target.normals {
        field.normal_changes.extend(moved(read(accessor)?));
    }
    Ok(())
}

/// Names are a convention: `extras.targetNames` of the mesh, or of its first primitive.
pub(super) fn target_names(
    contents: &Contents<'_>,
    mesh: &json::Mesh,
    place: &str,
) -> Result<Vec<String>, Problem> {
    let names = |extras: &str| {
        let extras: Value = serde_json::from_str(extras).ok()?;
        let names = extras.get("targetNames")?.as_array()?;
        Some(names.iter().map(|n| n.as_str().unwrap_or_default().to_owned()).collect())
    };
    let candidates = [Some(&mesh.extras), mesh.primitives.first().map(|p| &p.extras)];
    for extras in candidates.into_iter().flatten().flatten() {
        contents.budget.spend(|| place.to_owned(), extras.get().len(), 1)?;
        if let Some(names) = names(extras.get()) {
            return Ok(names);
        }
    }
    Ok(Vec::new())
}
