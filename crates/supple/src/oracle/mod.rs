//! Brute force for every query: all vertices posed, all pairs tested. Slow, simple, and what everything is compared with.
//!
//! Must hold: uses neither tree, refit nor query.

use glam::Vec3;

use crate::math::Aabb;
use crate::mesh::Mesh;
use crate::narrow::{PointLocation, Ray, RayHit, RayOptions, ray_crosses, triangles_touch};

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

/// All hits of a ray on a posed mesh, by time and then by triangle number.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn ray_hits((mesh, positions): (&Mesh, &[Vec3]), ray: &Ray, options: &RayOptions) -> Vec<RayHit> {
    let hit = |(number, corners): (u32, &[u32; 3])| {
        let crossing = ray_crosses(ray, &corners.map(|v| positions[v as usize]))?;
        options.admit(&crossing).then(|| RayHit::new(number, crossing))
    };
    let mut hits: Vec<_> = (0u32..).zip(mesh.triangles()).filter_map(hit).collect();
    hits.sort_by(RayHit::order);
    hits
}

/// Where a point is relative to a posed mesh that is closed.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn point_location((mesh, positions): (&Mesh, &[Vec3]), point: Vec3) -> PointLocation {
    let mut location = PointLocation::default();
    for corners in mesh.triangles() {
        location.add(point, &corners.map(|v| positions[v as usize]));
    }
    location
}

fn posed_triangles(mesh: &Mesh, positions: &[Vec3]) -> Vec<(Aabb, [Vec3; 3])> {
    let posed = |t: &[u32; 3]| {
        let corners = t.map(|v| positions[v as usize]);
        (Aabb::from_points(corners), corners)
    };
    mesh.triangles().iter().map(posed).collect()
}
