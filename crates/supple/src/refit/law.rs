//! The law of all bounds, as a check that anybody can run: a bound contains every posed vertex below its node.

use super::{Body, Volume, VolumeKind};
use crate::math::{Aabb, Sphere};
use crate::query_stats::QueryStats;

/// A vertex outside the bound of a node above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The node.
    pub node: usize,
    /// The vertex.
    pub vertex: usize,
}

/// Bounds all nodes of a body in its current pose and reports every vertex that lies outside a bound it should be in.
/// Anything but an empty answer is a defect of the library.
pub fn violations(body: &mut Body, volume: VolumeKind) -> Vec<Violation> {
    let positions = body.positions();
    match volume {
        VolumeKind::Box => check::<Aabb>(body, |aabb, vertex| aabb.contains(positions[vertex])),
        VolumeKind::Ball => check::<Sphere>(body, |ball, vertex| ball.contains(positions[vertex])),
    }
}

fn check<V: Volume>(body: &mut Body, contains: impl Fn(&V, usize) -> bool) -> Vec<Violation> {
    let mut stats = QueryStats::default();
    let mut found = Vec::new();
    body.refit_root::<V>(&mut stats);
    for node in 0..body.tree().nodes.len() {
        if !body.tree().nodes[node].is_leaf() {
            body.refit_children::<V>(node, &mut stats);
        }
        let bound = *body.bound::<V>(node);
        let corners = &body.tree().corners[body.tree().triangles_below(node)];
        let outside = corners.as_flattened().iter().map(|&v| v as usize).filter(|&v| !contains(&bound, v));
        found.extend(outside.map(|vertex| Violation { node, vertex }));
    }
    found
}
