//! Keeps two models apart that have vertices at the same place.
//!
//! A model takes vertices at one position for one point of the surface (a seam), and what shares a vertex is never compared. Two copies
//! of one character that stand in each other at rest would then be one surface. So vertices of the second are moved by the
//! least that there is: the coordinate nearest to 0 is replaced by the next number, about a ten-millionth of its size.

use std::collections::{HashMap, HashSet};

use glam::Vec3;
use supple::{Mesh, Model, ModelError};

/// A model whose vertices from `second` on are no seam with any before them.
pub fn apart(model: Model, second: usize) -> Result<Model, ModelError> {
    let welded = model.welded_vertices();
    let mesh = model.mesh();
    let shared: HashSet<[u32; 3]> = (second..welded.len())
        .filter(|&vertex| (welded[vertex] as usize) < second)
        .map(|vertex| bits(mesh.positions()[vertex]))
        .collect();
    if shared.is_empty() {
        return Ok(model);
    }
    let mut taken: HashSet<[u32; 3]> = mesh.positions().iter().map(|&p| bits(p)).collect();
    let mut moved: HashMap<[u32; 3], Vec3> = HashMap::new();
    let mut positions = mesh.positions().to_vec();
    for position in &mut positions[second..] {
        let key = bits(*position);
        if shared.contains(&key) {
            // All vertices of one position move to one position: the second model keeps its own seams.
            *position = *moved.entry(key).or_insert_with(|| next_free(*position, &mut taken));
        }
    }
    let mut mesh_apart = Mesh::new(positions, mesh.triangles().to_vec())?;
    if let Some(normals) = mesh.normals() {
        mesh_apart = mesh_apart.with_normals(normals.to_vec())?;
    }
    if let Some(uvs) = mesh.uvs() {
        mesh_apart = mesh_apart.with_uvs(uvs.to_vec())?;
    }
    model.with_mesh(mesh_apart)
}

/// A position that no vertex has, as near as can be.
fn next_free(position: Vec3, taken: &mut HashSet<[u32; 3]>) -> Vec3 {
    let axis = (0..3).min_by(|&a, &b| position[a].abs().total_cmp(&position[b].abs())).unwrap_or(0);
    // Towards 0 and beyond it: infinity is further away than there are vertices.
    let step = if position[axis] > 0.0 { f32::next_down } else { f32::next_up };
    let mut next = position;
    loop {
        next[axis] = step(next[axis]);
        if taken.insert(bits(next)) {
            return next;
        }
    }
}

/// Equal for equal positions: adding +0.0 turns -0.0 into 0.0.
fn bits(position: Vec3) -> [u32; 3] {
    position.to_array().map(|x| (x + 0.0).to_bits())
}
