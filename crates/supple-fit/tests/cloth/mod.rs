//! The zoo's cloth as sequences, and a sphere to fall on.

use std::f32::consts::TAU;

use glam::Vec3;
use supple::Mesh;
use supple_fit::MeshSequence;
pub use supple_zoo::cloth::Cloth;

/// `columns * rows` vertices at rest, and that many frames; without normals.
pub fn sequence(cloth: Cloth, columns: usize, rows: usize, frames: usize) -> MeshSequence {
    let (rest, frames) = supple_zoo::cloth::sequence(cloth, columns, rows, frames).unwrap();
    let rest = Mesh::new(rest.positions().to_vec(), rest.triangles().to_vec()).unwrap();
    MeshSequence::evenly(rest, frames, 24.0).unwrap()
}

/// A closed sphere about the origin.
#[allow(dead_code, reason = "not every test collides")]
pub fn sphere(radius: f32) -> Mesh {
    let (rows, columns) = (10u32, 20u32);
    let point = |(i, j): (u32, u32)| {
        let (around, down) = (j as f32 / columns as f32 * TAU, i as f32 / rows as f32 * TAU / 2.0);
        Vec3::new(down.sin() * around.cos(), down.cos(), down.sin() * around.sin()) * radius
    };
    let at = |i: u32, j: u32| columns * i + j % columns;
    let corners = (0..=rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let quads = (0..rows).flat_map(|i| (0..columns).map(move |j| (i, j)));
    let halves =
        |(i, j)| [[at(i, j), at(i, j + 1), at(i + 1, j)], [at(i, j + 1), at(i + 1, j + 1), at(i + 1, j)]];
    Mesh::new(corners.map(point).collect(), quads.flat_map(halves).collect()).unwrap()
}
