//! What touches: pairs of triangles, rays, points, solid shapes.

use super::PosedMesh;
use crate::answer::Pair;
use crate::math::Point;
use crate::narrow::{PointLocation, Probe, Ray, RayHit, ray_crosses, triangles_touch};

/// All pairs of touching triangles of two posed meshes, ascending.
///
/// Pairs whose boxes are apart are skipped; boxes of f32 points are exact, so this loses nothing.
pub fn collide(a: PosedMesh, b: PosedMesh) -> Vec<Pair> {
    let (triangles_a, triangles_b) = (a.triangles(), b.triangles());
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
pub fn cast_ray_all(body: PosedMesh, ray: Ray) -> Vec<RayHit> {
    let hit = |(number, corners): (u32, &[u32; 3])| {
        let crossing = ray_crosses(&ray, &corners.map(|v| body.positions[v as usize]))?;
        ray.admits(&crossing).then(|| RayHit::new(number, crossing))
    };
    let mut hits: Vec<_> = (0u32..).zip(body.mesh.triangles()).filter_map(hit).collect();
    hits.sort_by(RayHit::order);
    hits
}

/// Where a point is relative to a posed mesh that is closed.
pub fn locate_point(body: PosedMesh, point: Point) -> PointLocation {
    let mut location = PointLocation::default();
    for corners in body.mesh.triangles() {
        location.add(point.get(), &corners.map(|v| body.positions[v as usize]));
    }
    location
}

/// All triangles of a posed mesh that a solid shape overlaps, ascending.
pub fn overlap(body: PosedMesh, probe: &Probe) -> Vec<u32> {
    let triangles = (0u32..).zip(body.triangles());
    triangles.filter(|(_, (_, corners))| probe.overlaps(corners)).map(|(index, _)| index).collect()
}
