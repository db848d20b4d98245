//! How far apart triangles are at rest: a certificate that those that move as one do not touch in a pose either.
//!
//! The *clearance* of a triangle is a lower bound of its distance from every triangle with which it shares no vertex. A joint
//! is an affine map: with the smallest singular value `s`, points that are `d` apart at rest are at least `s d` apart
//! posed, before rounding. So where `s` times the clearance exceeds what else happens to two points, a triangle
//! touches none of those that follow the same joint (`refit/rigidity.rs`). The clearance of a node is the smallest below it.
//!
//! Distances are bounded from below by gaps along a few axes: exact for neighbours in a smooth surface, whose nearest
//! features are edges and corners seen from above, and 0 where none of the axes separates. Only what is nearer than a
//! small share of the whole mesh is looked for.

use glam::{DVec3, Vec3};

use super::kinship::{Kinship, united};
use super::layout::Tree;
use crate::math::Aabb;
use crate::model::Model;
use crate::rest::Rest;

/// Clearances are not looked for beyond this share of the longest side of the mesh.
const FARTHEST: f64 = 1.0 / 512.0;

/// Clearances of all nodes.
pub(super) fn clearances(tree: &Tree, model: &Model, kinship: &Kinship) -> Vec<f32> {
    // A blend of reference shapes moves every vertex on its own.
    if matches!(model.rest(), Rest::Morph(_)) {
        return vec![0.0; tree.nodes.len()];
    }
    let positions = model.mesh().positions();
    let extent = Aabb::from_points(positions.iter().copied());
    let farthest = FARTHEST * (extent.max - extent.min).as_dvec3().max_element();
    let still = |&t: &u32| {
        let corners = model.mesh().triangles()[t as usize].map(|vertex| positions[vertex as usize]);
        Still { corners, around: Aabb::from_points(corners), clearance: farthest }
    };
    let triangles: Vec<Still> = tree.triangles.iter().map(still).collect();
    let boxes: Vec<Aabb> = triangles.iter().map(|triangle| triangle.around).collect();
    let all = |boxes: &[Aabb]| boxes.iter().fold(Aabb::EMPTY, |all, own| all.union(own));
    let boxes = united(&tree.nodes, &boxes, all);
    let mut search = Search { tree, kinship, boxes, triangles, farthest };
    search.run();
    let found: Vec<f64> = search.triangles.iter().map(|triangle| triangle.clearance).collect();
    let least = |found: &[f64]| found.iter().copied().fold(f64::INFINITY, f64::min);
    // Rounded down; below that, f32 would round up.
    let rounded = |clearance: f64| match (clearance * (1.0 - 1e-6)) as f32 {
        tiny if tiny < f32::MIN_POSITIVE => 0.0,
        clearance => clearance,
    };
    united(&tree.nodes, &found, least).into_iter().map(rounded).collect()
}

/// A triangle at rest.
struct Still {
    corners: [Vec3; 3],
    around: Aabb,
    /// As far as it is known.
    clearance: f64,
}

/// A walk of the tree against itself that looks for triangles near each other.
struct Search<'a> {
    tree: &'a Tree,
    kinship: &'a Kinship,
    /// Around the triangles below each node.
    boxes: Vec<Aabb>,
    triangles: Vec<Still>,
    farthest: f64,
}

impl Search<'_> {
    fn run(&mut self) {
        let nodes = &self.tree.nodes;
        let mut open = vec![(0, 0)];
        while let Some((a, b)) = open.pop() {
            if gap(&self.boxes[a], &self.boxes[b]) >= self.farthest {
                continue;
            }
            match (nodes[a].is_leaf(), nodes[b].is_leaf()) {
                (true, true) => self.compare(a, b),
                (false, _) if a == b => {
                    let children = nodes[a].range();
                    open.extend(children.clone().flat_map(|i| (i..children.end).map(move |j| (i, j))));
                }
                (false, leaf) if leaf || extent(&self.boxes[a]) >= extent(&self.boxes[b]) => {
                    open.extend(nodes[a].range().map(|child| (child, b)));
                }
                _ => open.extend(nodes[b].range().map(|child| (a, child))),
            }
        }
    }

    fn compare(&mut self, a: usize, b: usize) {
        for i in self.tree.nodes[a].range() {
            let from = if a == b { i + 1 } else { 0 };
            for j in self.tree.nodes[b].range().filter(|&j| j >= from) {
                let (own, other) = (&self.triangles[i], &self.triangles[j]);
                let known = own.clearance.max(other.clearance);
                if gap(&own.around, &other.around) >= known || self.kinship.share_a_vertex(i, j) {
                    continue;
                }
                let apart = separation(&own.corners, &other.corners);
                for triangle in [i, j] {
                    let clearance = &mut self.triangles[triangle].clearance;
                    *clearance = clearance.min(apart);
                }
            }
        }
    }
}

/// Distance of boxes along the axis in which they are farthest apart; 0 where they overlap.
fn gap(a: &Aabb, b: &Aabb) -> f64 {
    let between = (b.min.as_dvec3() - a.max.as_dvec3()).max(a.min.as_dvec3() - b.max.as_dvec3());
    between.max_element().max(0.0)
}

fn extent(aabb: &Aabb) -> f32 {
    (aabb.max - aabb.min).max_element()
}

/// A lower bound of the distance of two triangles; 0 where none is found. Any axis gives one, however it was computed:
/// the gap along it, less what rounding in f64 may add.
fn separation(a: &[Vec3; 3], b: &[Vec3; 3]) -> f64 {
    // Relative to one corner, which f64 subtracts all but exactly.
    let origin = a[0].as_dvec3();
    let (a, b) = (a.map(|p| p.as_dvec3() - origin), b.map(|p| p.as_dvec3() - origin));
    let size = a.iter().chain(&b).map(|p| p.length()).fold(0.0, f64::max);
    let mut best = 0.0f64;
    let mut look_along = |axis: DVec3| {
        let length = axis.length();
        if !(length > 0.0 && length.is_finite()) {
            return;
        }
        let ([a_min, a_max], [b_min, b_max]) = (range(axis, &a), range(axis, &b));
        let apart = (b_min - a_max).max(a_min - b_max) / length;
        best = best.max(apart * (1.0 - 1e-12) - 1e-14 * size);
    };
    look_along(a[0] + a[1] + a[2] - b[0] - b[1] - b[2]);
    for triangle in [&a, &b] {
        let [p, q, r] = *triangle;
        let normal = (q - p).cross(r - p);
        look_along(normal);
        for edge in [q - p, r - q, p - r] {
            look_along(normal.cross(edge));
        }
    }
    best
}

/// Least and greatest of three points along an axis.
fn range(axis: DVec3, points: &[DVec3; 3]) -> [f64; 2] {
    let [x, y, z] = points.map(|point| axis.dot(point));
    [x.min(y).min(z), x.max(y).max(z)]
}

#[cfg(test)]
#[path = "../../tests/inside/tree/clearance.rs"]
mod tests;
