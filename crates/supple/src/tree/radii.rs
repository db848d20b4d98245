//! Radii of nodes of the binary tree in the rest pose, as far as collapsing compares them.
//!
//! In: the binary tree and rest positions. Out: the radius of the exact smallest sphere around every inner node above twigs, and below
//! those twigs that have more leaves than a node has children. Everything else is replaced, or stays, whatever its radius is: it has
//! radius 0.

use glam::Vec3;

use super::layout::WIDTH;
use super::split::BinaryNode;
use super::threads;
use crate::math::smallest_enclosing_sphere;

/// Of nodes whose twigs have at most that many triangles. `order` are the triangles as nodes count them, `corners` those of the mesh.
pub(super) fn rest_radii(
    binary: &[BinaryNode],
    positions: &[Vec3],
    corners: &[[u32; 3]],
    order: &[u32],
    twig_size: usize,
) -> Vec<f32> {
    let compared = compared_nodes(binary, twig_size);
    let count = |&node: &usize| binary[node].triangles.len();
    let parts = threads::map(threads::equal_parts(&compared, count), |nodes| {
        // Where a vertex was last.
        let (mut seen, mut points) = (vec![usize::MAX; positions.len()], Vec::new());
        let radius = |&node: &usize| {
            points.clear();
            // In the order in which they are first met, which decides between spheres that differ by rounding.
            for &vertex in order[binary[node].triangles.clone()].iter().flat_map(|&t| &corners[t as usize]) {
                if std::mem::replace(&mut seen[vertex as usize], node) != node {
                    points.push(positions[vertex as usize]);
                }
            }
            smallest_enclosing_sphere(&points).radius
        };
        nodes.iter().map(radius).collect::<Vec<f32>>()
    });
    let mut radii = vec![0.0; binary.len()];
    for (&node, radius) in compared.iter().zip(parts.into_iter().flatten()) {
        radii[node] = radius;
    }
    radii
}

/// Inner nodes whose radii decide something.
fn compared_nodes(binary: &[BinaryNode], twig_size: usize) -> Vec<usize> {
    let mut leaves = vec![1; binary.len()];
    // Children come after their parents.
    for (index, node) in binary.iter().enumerate().rev() {
        if let Some([left, right]) = node.children {
            leaves[index] = leaves[left] + leaves[right];
        }
    }
    // Whether a node is below a twig of many leaves.
    let mut crowded = vec![false; binary.len()];
    let mut compared = Vec::new();
    for (index, node) in binary.iter().enumerate() {
        let Some(children) = node.children else { continue };
        let above_twigs = node.triangles.len() > twig_size;
        if above_twigs || crowded[index] {
            compared.push(index);
        }
        let is_crowded = crowded[index] || !above_twigs && leaves[index] > WIDTH;
        children.iter().for_each(|&child| crowded[child] = is_crowded);
    }
    compared
}
