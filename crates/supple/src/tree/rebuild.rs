//! A new tree for vertices where they are now: for bodies whose vertices move as they like.
//!
//! In: the tree that a shape has, and positions. Out: a tree over the same triangles, split by surface area in this one pose.
//! Must hold: triangles keep their numbers and their relations. What only poses need (groups, changes, bends, radii,
//! clearances) is left out: such a tree bounds nothing by joints.
//!
//! Nodes are collapsed by half diagonals of boxes instead of radii of smallest spheres, which would take longer than the rest.

use glam::Vec3;

use super::bins::Axes;
use super::collapse::collapsed;
use super::extents::ONE_POSE;
use super::layout::Tree;
use super::shape::BuildOptions;
use super::split::{BinaryNode, binary_tree};
use crate::math::Aabb;

/// Builds a tree over the triangles of another one, whose vertices are at these positions.
pub(crate) fn rebuilt(old: &Tree, positions: &[Vec3], corners: &[[u32; 3]]) -> Tree {
    let options = BuildOptions::default();
    let (binary, triangles) =
        binary_tree::<ONE_POSE>(&[positions], corners, options.leaf_size, Axes::Longest, |_| {});
    let sizes = half_diagonals(&binary, positions, corners, &triangles);
    let nodes = collapsed(&binary, &sizes, options.collapse, options.twig_size);
    let mut tree = Tree { nodes, triangles, ..Tree::default() };
    tree.mark_twigs(|tree, node| tree.triangles_below(node).len() <= options.twig_size);
    tree.add_places(corners, positions.len());
    tree.kinship = old.kinship.reordered(&old.triangles, &tree);
    tree
}

fn half_diagonals(
    binary: &[BinaryNode],
    positions: &[Vec3],
    corners: &[[u32; 3]],
    order: &[u32],
) -> Vec<f32> {
    let mut boxes = vec![Aabb::EMPTY; binary.len()];
    // Children come after their parents.
    for (index, node) in binary.iter().enumerate().rev() {
        boxes[index] = match node.children {
            Some([left, right]) => boxes[left].union(&boxes[right]),
            None => {
                let triangles = order[node.triangles.clone()].iter().map(|&t| corners[t as usize]);
                Aabb::from_points(triangles.flatten().map(|vertex| positions[vertex as usize]))
            }
        };
    }
    boxes.iter().map(|aabb| aabb.half_extents().length()).collect()
}
