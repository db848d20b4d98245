//! Brute force for every query: all vertices posed, all pairs tested. Slow, simple, and what everything is compared with.
//!
//! Must hold: uses neither tree, refit nor query.

use glam::Vec3;

use crate::math::Aabb;
use crate::mesh::Mesh;
use crate::narrow::triangles_touch;

/// All pairs of touching triangles of two posed meshes, ascending.
///
/// Pairs whose boxes are apart are skipped; boxes of f32 points are exact, so this loses nothing.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn touching_pairs(a: (&Mesh, &[Vec3]), b: (&Mesh, &[Vec3])) -> Vec<[u32; 2]> {
    let (triangles_a, triangles_b) = (posed_triangles(a.0, a.1), posed_triangles(b.0, b.1));
    let mut pairs = Vec::new();
    for (i, (box_a, triangle_a)) in (0u32..).zip(&triangles_a) {
        for (j, (box_b, triangle_b)) in (0u32..).zip(&triangles_b) {
            if box_a.intersects(box_b) && triangles_touch(triangle_a, triangle_b) {
                pairs.push([i, j]);
            }
        }
    }
    pairs
}

fn posed_triangles(mesh: &Mesh, positions: &[Vec3]) -> Vec<(Aabb, [Vec3; 3])> {
    let posed = |t: &[u32; 3]| {
        let corners = t.map(|v| positions[v as usize]);
        (Aabb::from_points(corners), corners)
    };
    mesh.triangles().iter().map(posed).collect()
}
