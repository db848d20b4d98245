//! The tightest boxes there are, for comparison: what a query would visit if bounds were perfect.

use super::Body;
use super::children::{Children, EightVolumes};
use super::volume::Volume;
use crate::math::Aabb;

/// Bounds all nodes of a body by the exact boxes of their posed vertices, until its next pose. Queries answer the same;
/// their counters tell what perfect bounds would save. Costs more than deforming the whole mesh.
pub fn bound_exactly(body: &mut Body) {
    let positions = body.positions();
    let (tree, mesh) = (body.tree(), body.model().mesh());
    let mut boxes = vec![Aabb::EMPTY; tree.nodes.len()];
    // Children come after their parents.
    for (index, node) in tree.nodes.iter().enumerate().rev() {
        boxes[index] = if node.is_leaf() {
            let triangles = tree.triangles[node.range()].iter().flat_map(|&t| mesh.triangles()[t as usize]);
            Aabb::from_points(triangles.map(|vertex| positions[vertex as usize]))
        } else {
            boxes[node.range()].iter().fold(Aabb::EMPTY, |all, child| all.union(child))
        };
    }
    let mut found = Vec::new();
    for parent in (0..=tree.nodes.len()).filter(|&parent| tree.nodes.get(parent).is_none_or(|n| !n.is_leaf()))
    {
        let children = tree.children(parent);
        let mut bounds = Children::<Aabb>::nowhere();
        (bounds.first, bounds.count) = (children.start as u32, children.len() as u8);
        for (lane, child) in children.enumerate() {
            bounds.leaves |= u8::from(tree.nodes[child].is_leaf()) << lane;
            bounds.bounds.set(lane, &boxes[child]);
        }
        found.push((parent, bounds));
    }
    let stored = Aabb::stored(body.forgotten());
    for (parent, bounds) in found {
        let entry = stored.insert(parent, Children::nowhere);
        *stored.get_mut(entry) = bounds;
    }
}
