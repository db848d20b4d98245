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
        let mut bounds = Children::<Aabb>::of(tree, parent);
        for (lane, child) in tree.children(parent).enumerate() {
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
