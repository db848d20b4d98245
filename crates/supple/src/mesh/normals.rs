//! Vertex normals of a smooth surface.
//!
//! In: positions and triangles. Out: one unit normal per vertex, the mean of its triangles' normals weighted by area.

use glam::Vec3;

/// Unit normals; a vertex without area gets +Y, so that every normal is usable.
///
/// ```
/// use glam::Vec3;
///
/// let normals = supple::mesh::vertex_normals(&[Vec3::ZERO, Vec3::X, Vec3::Y], &[[0, 1, 2]]);
/// assert_eq!(normals, [Vec3::Z; 3]);
/// ```
///
/// # Panics
/// A triangle with a vertex that is not there.
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
