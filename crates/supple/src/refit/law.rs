//! The law of all bounds, as a check that anybody can run: a bound contains every posed vertex below its node.

use super::{Body, EightVolumes, Volume, VolumeKind};
use crate::answer::QueryStats;
use crate::math::{Aabb, Sphere};
use crate::tree::NodeId;

/// A vertex outside the bound of a node above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The node.
    pub node: NodeId,
    /// The vertex.
    pub vertex: u32,
}

/// Bounds all nodes of a body in its current pose and reports every vertex that lies outside a bound it should be in.
/// Anything but an empty answer is a defect of the library.
pub fn violations(body: &mut Body, volume: VolumeKind) -> Vec<Violation> {
    let positions = body.positions();
    match volume {
        VolumeKind::Box => check::<Aabb>(body, |aabb, vertex| aabb.contains(positions[vertex as usize])),
        VolumeKind::Sphere => {
            check::<Sphere>(body, |sphere, vertex| sphere.contains(positions[vertex as usize]))
        }
    }
}

fn check<V: Volume>(body: &mut Body, contains: impl Fn(&V, u32) -> bool) -> Vec<Violation> {
    let mut stats = QueryStats::default();
    let mut found = Vec::new();
    let inner = |body: &Body, node: usize| body.tree().nodes.get(node).is_none_or(|node| !node.is_leaf());
    for parent in 0..=body.above_root() {
        if !inner(body, parent) {
            continue;
        }
        let entry = body.children::<V>(parent, &mut stats);
        for (lane, node) in body.tree().children(parent).enumerate() {
            let bound = body.bounds::<V>(entry).bounds.get(lane);
            let triangles = body.model().mesh().triangles();
            let below = body.tree().triangles[body.tree().triangles_below(node)].iter();
            let vertices = below.flat_map(|&triangle| triangles[triangle as usize]);
            let outside = vertices.filter(|&vertex| !contains(&bound, vertex));
            found.extend(outside.map(|vertex| Violation { node: NodeId(node as u32), vertex }));
        }
    }
    found
}
