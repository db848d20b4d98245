//! Displacement fields from functions of the position.
//!
//! In: a mesh and a function that says how far a vertex moves. Out: a field that moves the positions and turns the normals
//! as far as a coefficient of 1 does. Must hold: what does not move has no entry.

use glam::Vec3;
use supple::mesh::Mesh;
use supple::rest::Field;

use crate::normals::vertex_normals;

/// Makes a field; `displacement` gets the vertex and its rest position.
pub(crate) fn displacement_field(
    name: &str,
    mesh: &Mesh,
    displacement: impl Fn(usize, Vec3) -> Vec3,
) -> Field {
    let rest = mesh.positions();
    let changes: Vec<Vec3> = rest.iter().enumerate().map(|(vertex, &p)| displacement(vertex, p)).collect();
    let moved: Vec<Vec3> = rest.iter().zip(&changes).map(|(&p, &change)| p + change).collect();
    // Both computed by the same sums: where nothing moves the difference is exactly zero.
    let before = vertex_normals(rest, mesh.triangles());
    let after = vertex_normals(&moved, mesh.triangles());
    let turns = before.iter().zip(&after).map(|(before, after)| *after - *before);
    Field {
        name: name.to_owned(),
        default: 0.0,
        displacements: entries(changes.into_iter()),
        normal_changes: entries(turns),
    }
}

fn entries(changes: impl Iterator<Item = Vec3>) -> Vec<(u32, Vec3)> {
    (0u32..).zip(changes).filter(|(_, change)| *change != Vec3::ZERO).collect()
}
