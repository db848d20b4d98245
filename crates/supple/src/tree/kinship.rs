//! How the triangles of one tree are related: which share a vertex, which joint they belong to.
//!
//! In: a tree whose triangles are in order, and its model. Out: what self-collision leaves out, in the order of the leaves.
//! Must hold: what is said of a node holds for every triangle below it.

use super::kin::{Kin, KinOfLeaves, kin_by_corners};
use super::layout::{Node, Tree};
use super::threads;
use crate::model::Model;

/// Stands for several joints, or none: the number of no joint.
const SEVERAL: u32 = u32::MAX;

/// As many triangles are worth handing to a thread.
const PART: usize = 4096;

/// Relations of triangles, in the order of the leaves, and of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kinship {
    /// Corners of the triangles; vertices of a seam have the same number.
    corners: Vec<[u32; 3]>,
    /// Which leaves share vertices.
    leaves: KinOfLeaves,
    /// The joint that each triangle belongs to.
    owners: Vec<u32>,
    /// The joint that all triangles below each node belong to, or [`SEVERAL`].
    nodes: Vec<u32>,
}

/// The joint that all belong to.
fn common(owners: &[u32]) -> u32 {
    owners.iter().copied().reduce(|a, b| if a == b { a } else { SEVERAL }).unwrap_or(SEVERAL)
}

impl Kinship {
    pub fn new(tree: &Tree, model: &Model) -> Self {
        let owners_of = |triangles: &[u32]| -> Vec<u32> {
            triangles.iter().map(|&triangle| model.owning_joint(triangle).0).collect()
        };
        let (welded, owners) = threads::both(
            || model.welded_vertices(),
            || threads::map_parts(&tree.triangles, PART, owners_of).concat(),
        );
        let triangles = model.mesh().triangles();
        let corners = |&t: &u32| triangles[t as usize].map(|vertex| welded[vertex as usize]);
        let corners: Vec<[u32; 3]> = tree.triangles.iter().map(corners).collect();
        Self {
            leaves: KinOfLeaves::new(&tree.nodes, &corners),
            corners,
            nodes: united(&tree.nodes, &owners, common),
            owners,
        }
    }

    /// The same for another tree over the same triangles, which stood in an old order here.
    pub fn reordered(&self, old_order: &[u32], tree: &Tree) -> Self {
        let mut indices = vec![0; old_order.len()];
        for (index, &triangle) in old_order.iter().enumerate() {
            indices[triangle as usize] = index;
        }
        let order = || tree.triangles.iter().map(|&triangle| indices[triangle as usize]);
        let owners: Vec<u32> = order().map(|index| self.owners[index]).collect();
        let corners: Vec<[u32; 3]> = order().map(|index| self.corners[index]).collect();
        Self {
            leaves: KinOfLeaves::new(&tree.nodes, &corners),
            corners,
            nodes: united(&tree.nodes, &owners, common),
            owners,
        }
    }

    /// Whether two triangles (by their indices in the order of the leaves) share a vertex.
    #[inline(always)]
    pub fn share_a_vertex(&self, a: usize, b: usize) -> bool {
        let (a, [x, y, z]) = (&self.corners[a], self.corners[b]);
        a.iter().any(|&corner| (corner == x) | (corner == y) | (corner == z))
    }

    /// Which triangles of two leaves share a vertex.
    #[inline(always)]
    pub fn kin(&self, nodes: &[Node], a: usize, b: usize) -> Kin {
        self.leaves.between(a, b).unwrap_or_else(|| kin_by_corners(&self.corners, nodes, [a, b]))
    }

    #[cfg(test)]
    pub fn corners(&self) -> &[[u32; 3]] {
        &self.corners
    }

    /// Corners of all triangles in the order of the mesh, welded.
    pub fn welded_triangles(&self, order: &[u32]) -> Vec<[u32; 3]> {
        let mut welded = vec![[0; 3]; order.len()];
        for (&triangle, &corners) in order.iter().zip(&self.corners) {
            welded[triangle as usize] = corners;
        }
        welded
    }

    /// The joint of a triangle (by its index in the order of the leaves).
    #[inline(always)]
    pub fn owner(&self, triangle: usize) -> u32 {
        self.owners[triangle]
    }

    /// The joint that all triangles below a node belong to; no joint's number where there are several.
    #[inline(always)]
    pub fn owner_of_node(&self, node: usize) -> u32 {
        self.nodes[node]
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.leaves.bytes()
            + size_of_val(&self.corners[..])
            + size_of_val(&self.owners[..])
            + size_of_val(&self.nodes[..])
    }
}

/// Something of every node, from the same of the triangles below it.
pub(super) fn united<T: Copy>(nodes: &[Node], triangles: &[T], unite: impl Fn(&[T]) -> T) -> Vec<T> {
    let mut found: Vec<T> = nodes.iter().map(|_| unite(&[])).collect();
    // Children come after their parents.
    for (index, node) in nodes.iter().enumerate().rev() {
        let below = if node.is_leaf() { triangles } else { &found[..] };
        found[index] = unite(&below[node.range()]);
    }
    found
}
