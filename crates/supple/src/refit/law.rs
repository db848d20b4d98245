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

/// Looks at every way to bound a node: cheaply, tightly, and as the pass over a whole body does.
fn check<V: Volume>(body: &mut Body, contains: impl Fn(&V, u32) -> bool) -> Vec<Violation> {
    let mut stats = QueryStats::default();
    let mut found = Vec::new();
    body.cache.forget();
    for parent in parents(body) {
        // Nothing was spent, so nothing is bounded by posing everything.
        body.cache.spent = 0;
        let entry = body.loose_children::<V>(parent, &mut stats);
        check_children(body, parent, entry, &contains, &mut found);
        let loose = body.bounds::<V>(entry).loose;
        if loose != 0 {
            body.cache.spent = 0;
            body.tighten::<V>(entry, loose, &mut stats);
            check_children(body, parent, entry, &contains, &mut found);
        }
    }
    body.cache.forget();
    body.pose_everything(&mut stats);
    for parent in parents(body) {
        let entry = body.children::<V>(parent, &mut stats);
        check_children(body, parent, entry, &contains, &mut found);
    }
    body.cache.forget();
    found
}

/// Nodes with children, and the one above the root.
fn parents(body: &Body) -> Vec<usize> {
    let nodes = &body.tree().nodes;
    (0..=nodes.len()).filter(|&node| nodes.get(node).is_none_or(|node| !node.is_leaf())).collect()
}

fn check_children<V: Volume>(
    body: &Body,
    parent: usize,
    entry: usize,
    contains: impl Fn(&V, u32) -> bool,
    found: &mut Vec<Violation>,
) {
    for (lane, node) in body.tree().children(parent).enumerate() {
        let bound = body.bounds::<V>(entry).bounds.get(lane);
        let triangles = body.model().mesh().triangles();
        let below = body.tree().triangles[body.tree().triangles_below(node)].iter();
        let vertices = below.flat_map(|&triangle| triangles[triangle as usize]);
        let outside = vertices.filter(|&vertex| !contains(&bound, vertex));
        found.extend(outside.map(|vertex| Violation { node: NodeId(node as u32), vertex }));
    }
}
