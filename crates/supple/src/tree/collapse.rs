//! Collapsing of useless nodes: a child nearly as large as its parent only costs a test.
//!
//! An inner child is replaced by its children if its sphere's radius exceeds `C` times the parent's, largest first, up to
//! [`WIDTH`]. Twigs (`twigs.rs`) stay, as they are posed as a whole; below them everything is replaced: a level there saves no posing. So is everything between
//! twigs and nodes of [`WIDTH`] of them: what is deep in contact looks at all of it, and 4 to 9 % of the time of all pairs went into levels.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.1 (C = 0.6; no limit of children there).

use super::layout::{Node, WIDTH};
use super::split::BinaryNode;

/// Lays the collapsed tree out flat: children of a node side by side.
pub(super) fn collapsed(binary: &[BinaryNode], radii: &[f32], factor: f32, twig_size: usize) -> Vec<Node> {
    let node = |node: &BinaryNode| match node.children {
        // Its children are known later.
        Some(_) => Node::inner(0..0),
        None => Node::leaf(node.triangles.start as u32..node.triangles.end as u32),
    };
    let mut nodes = vec![node(&binary[0])];
    let mut open = vec![(0, 0)];
    while let Some((flat, index)) = open.pop() {
        let Some(children) = collapsed_children(binary, radii, factor, twig_size, index) else { continue };
        let first = nodes.len() as u32;
        nodes[flat] = Node::inner(first..first + children.len() as u32);
        for (number, &child) in (first as usize..).zip(&children) {
            nodes.push(node(&binary[child]));
            open.push((number, child));
        }
    }
    nodes
}

fn collapsed_children(
    binary: &[BinaryNode],
    radii: &[f32],
    factor: f32,
    twig_size: usize,
    index: usize,
) -> Option<Vec<usize>> {
    let size = |node: usize| binary[node].triangles.len();
    let fits_in_twig = |node: usize| size(node) <= twig_size;
    let mut children = binary[index].children?.to_vec();
    while children.len() < WIDTH {
        let useless = |&at: &usize| {
            let child = children[at];
            let (small, large) = (size(index) <= WIDTH * twig_size, radii[child] > factor * radii[index]);
            binary[child].children.is_some()
                && (fits_in_twig(index) || !fits_in_twig(child) && (small || large))
        };
        let largest = (0..children.len())
            .filter(useless)
            .max_by(|&a, &b| radii[children[a]].total_cmp(&radii[children[b]]));
        let Some(at) = largest else { break };
        let Some([left, right]) = binary[children[at]].children else { break };
        // Where it was, so that triangles below a node stay contiguous.
        children.splice(at..=at, [left, right]);
    }
    Some(children)
}
