//! Brute force for every query: all vertices posed, all pairs tested. Slow, simple, and what everything is compared with.
//!
//! Must hold: uses neither tree, refit nor query.

use std::collections::HashSet;

use glam::Vec3;

use crate::math::Aabb;
use crate::mesh::Mesh;
use crate::model::{Model, SelfFilter};
use crate::narrow::{
    ClosestPoints, PointLocation, PointOnTriangle, Probe, Ray, RayHit, RayOptions, closest_point_of_triangle,
    closest_points_of_triangles, ray_crosses, triangles_touch,
};

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

/// The closest triangles of two posed meshes; of pairs at the same distance the first. `None` where a mesh has no triangles.
///
/// Pairs whose boxes are farther apart than the closest so far are skipped; the distance of triangles is never below that
/// of their boxes, so this loses nothing.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn closest_pair(a: (&Mesh, &[Vec3]), b: (&Mesh, &[Vec3])) -> Option<([u32; 2], ClosestPoints)> {
    let (triangles_a, triangles_b) = (posed_triangles(a.0, a.1), posed_triangles(b.0, b.1));
    let mut best: Option<([u32; 2], ClosestPoints)> = None;
    for (i, (box_a, triangle_a)) in (0u32..).zip(&triangles_a) {
        for (j, (box_b, triangle_b)) in (0u32..).zip(&triangles_b) {
            let limit = best.map_or(f64::INFINITY, |(_, closest)| closest.distance_sq);
            if box_a.distance_sq(box_b) < limit {
                let closest = closest_points_of_triangles(triangle_a, triangle_b);
                if closest.distance_sq < limit {
                    best = Some(([i, j], closest));
                }
            }
        }
    }
    best
}

/// All pairs of triangles of two posed meshes that are at most `tolerance` apart, ascending; skips like [`closest_pair`].
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn pairs_within(
    a: (&Mesh, &[Vec3]),
    b: (&Mesh, &[Vec3]),
    tolerance: f32,
) -> Vec<([u32; 2], ClosestPoints)> {
    let (triangles_a, triangles_b) = (posed_triangles(a.0, a.1), posed_triangles(b.0, b.1));
    let mut pairs = Vec::new();
    if tolerance.is_nan() || tolerance < 0.0 {
        return pairs;
    }
    let limit = f64::from(tolerance) * f64::from(tolerance);
    for (i, (box_a, triangle_a)) in (0u32..).zip(&triangles_a) {
        for (j, (box_b, triangle_b)) in (0u32..).zip(&triangles_b) {
            if box_a.distance_sq(box_b) <= limit {
                let closest = closest_points_of_triangles(triangle_a, triangle_b);
                if closest.distance_sq <= limit {
                    pairs.push(([i, j], closest));
                }
            }
        }
    }
    pairs
}

/// The point of a posed mesh closest to another, with its triangle; of equally close triangles the first.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn closest_point(mesh: &Mesh, positions: &[Vec3], point: Vec3) -> Option<(u32, PointOnTriangle)> {
    let mut best: Option<(u32, PointOnTriangle)> = None;
    for (i, (_, triangle)) in (0u32..).zip(&posed_triangles(mesh, positions)) {
        let found = closest_point_of_triangle(point, triangle);
        if best.is_none_or(|(_, best)| found.distance_sq < best.distance_sq) {
            best = Some((i, found));
        }
    }
    best
}

/// All triangles of a posed mesh that a solid shape overlaps, ascending.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn overlapping_triangles(mesh: (&Mesh, &[Vec3]), probe: &Probe) -> Vec<u32> {
    let triangles = (0u32..).zip(posed_triangles(mesh.0, mesh.1));
    triangles.filter(|(_, (_, corners))| probe.overlaps(corners)).map(|(index, _)| index).collect()
}

fn posed_triangles(mesh: &Mesh, positions: &[Vec3]) -> Vec<(Aabb, [Vec3; 3])> {
    let posed = |t: &[u32; 3]| {
        let corners = t.map(|v| positions[v as usize]);
        (Aabb::from_points(corners), corners)
    };
    mesh.triangles().iter().map(posed).collect()
}

/// All pairs of triangles of one posed model that touch, except those that the filter leaves out; ascending, the smaller
/// triangle first. Joints out of range leave nothing out.
///
/// # Panics
/// Fewer positions than the mesh has vertices.
pub fn self_touching_pairs(model: &Model, positions: &[Vec3], filter: &SelfFilter) -> Vec<[u32; 2]> {
    let mesh = model.mesh();
    let (posed, welded) = (posed_triangles(mesh, positions), model.welded_vertices());
    let corners = |t: u32| mesh.triangles()[t as usize].map(|vertex| welded[vertex as usize]);
    // Boxes in ascending order of their start: behind the first that starts after a box ends, none meets it.
    let mut order: Vec<u32> = (0..posed.len() as u32).collect();
    order.sort_by(|&i, &j| posed[i as usize].0.min.x.total_cmp(&posed[j as usize].0.min.x));
    let mut pairs = Vec::new();
    for (place, &i) in order.iter().enumerate() {
        let (box_i, triangle_i) = &posed[i as usize];
        for &j in &order[place + 1..] {
            let (box_j, triangle_j) = &posed[j as usize];
            if box_j.min.x > box_i.max.x {
                break;
            }
            let share = || corners(i).iter().any(|vertex| corners(j).contains(vertex));
            if box_i.intersects(box_j) && !share() && triangles_touch(triangle_i, triangle_j) {
                pairs.push([i.min(j), i.max(j)]);
            }
        }
    }
    pairs.sort_unstable();
    pairs.retain(|&[i, j]| !left_out_by_joints(model, filter, model.owning_joint(i), model.owning_joint(j)));
    let welded_triangles: Vec<[u32; 3]> = (0..posed.len() as u32).map(corners).collect();
    pairs.retain(|&[i, j]| !within_rings(&welded_triangles, filter.adjacent_rings, i, j));
    pairs
}

fn left_out_by_joints(model: &Model, filter: &SelfFilter, a: u32, b: u32) -> bool {
    let node = |joint: u32| model.skeleton().joints()[joint as usize].node;
    let is_parent = |parent: u32, child: u32| {
        let mut above = model.skeleton().nodes()[node(child)].parent;
        while let Some(place) = above {
            if model.skeleton().joints().iter().any(|joint| joint.node == place) {
                return place == node(parent);
            }
            above = model.skeleton().nodes()[place].parent;
        }
        false
    };
    filter.joint_pairs.iter().any(|&pair| pair == [a, b] || pair == [b, a])
        || (filter.same_joint && node(a) == node(b))
        || (filter.parent_and_child && (is_parent(a, b) || is_parent(b, a)))
}

/// Grows the corners of a triangle by the triangles around them, ring by ring, until it reaches the other one.
fn within_rings(triangles: &[[u32; 3]], rings: u32, from: u32, to: u32) -> bool {
    let mut reached: HashSet<u32> = triangles[from as usize].into_iter().collect();
    for _ in 0..rings {
        let before = reached.clone();
        let touched = triangles.iter().filter(|corners| corners.iter().any(|v| before.contains(v)));
        reached.extend(touched.flatten());
        if triangles[to as usize].iter().any(|vertex| reached.contains(vertex)) {
            return true;
        }
        if reached.len() == before.len() {
            return false;
        }
    }
    false
}
