//! Vertex normals of a smooth surface.
//!
//! In: positions and triangles. Out: one unit normal per vertex, the mean of its triangles' normals weighted by area.

use glam::Vec3;

/// Unit normals; a vertex without area gets +Y, so that every normal is usable.
pub fn vertex_normals(positions: &[Vec3], triangles: &[[u32; 3]]) -> Vec<Vec3> {
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| positions[v as usize]);
        // The cross product is twice the area long: the weight comes for free.
        let weighted = (b - a).cross(c - a);
        for &v in triangle {
            sums[v as usize] += weighted;
        }
    }
    sums.into_iter().map(|sum| sum.try_normalize().unwrap_or(Vec3::Y)).collect()
}
