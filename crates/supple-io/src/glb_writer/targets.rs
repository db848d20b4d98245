//! Morph targets of one primitive.

use std::ops::Range;

use glam::Vec3;
use serde_json::{Value, json};
use supple::rest::Field;

use super::accessors::Binary;
use super::shape::Shape;

/// Targets of the vertices in a range.
///
/// If one target changes normals all do: readers expect the same attributes of all.
pub(super) fn targets(
    shape: &Shape,
    targets: &[usize],
    vertices: &Range<usize>,
    binary: &mut Binary,
) -> Vec<Value> {
    let fields: Vec<&Field> = targets.iter().map(|&target| &shape.targets[target]).collect();
    let count = vertices.len();
    let with_normals = shape.normals.is_some() && fields.iter().any(|f| !f.normal_changes.is_empty());
    let mut values = Vec::with_capacity(fields.len());
    for field in fields {
        let positions = binary.displacements(count, &within(&field.displacements, vertices));
        let mut value = json!({ "POSITION": positions });
        if with_normals {
            value["NORMAL"] = json!(binary.displacements(count, &within(&field.normal_changes, vertices)));
        }
        values.push(value);
    }
    values
}

/// The entries of a range of vertices, counted from its start.
fn within(entries: &[(u32, Vec3)], vertices: &Range<usize>) -> Vec<(u32, Vec3)> {
    let at = |vertex: usize| entries.partition_point(|(v, _)| (*v as usize) < vertex);
    let inside = &entries[at(vertices.start)..at(vertices.end)];
    inside.iter().map(|&(v, change)| (v - vertices.start as u32, change)).collect()
}
