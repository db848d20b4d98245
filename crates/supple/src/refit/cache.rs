//! What has been computed for the current pose: bounds of children, and posed leaves.

use super::children::Children;
use super::leaf::PosedLeaf;
use super::open_lists::OpenLists;
use crate::math::{Aabb, Sphere};
use crate::pool::Pool;

/// Bounds and posed triangles of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// By node; the one after the last is above the root.
    pub boxes: Pool<Children<Aabb>>,
    pub spheres: Pool<Children<Sphere>>,
    /// By node.
    pub leaves: Pool<PosedLeaf>,
    /// What queries have still to visit; empty between queries.
    pub open: OpenLists,
}

/// Bytes that posed leaves may take per triangle of the mesh: a thousand characters have to fit into memory. Pairs of nodes
/// are walked depth first, so a leaf that is forgotten is hardly ever needed again.
const LEAF_BYTES_PER_TRIANGLE: usize = 8;
/// But this many are kept in any case.
const FEWEST_LEAVES: usize = 64;

impl Cache {
    /// For a tree of this many nodes and triangles.
    pub fn new(nodes: usize, triangles: usize) -> Self {
        let most_leaves = (triangles * LEAF_BYTES_PER_TRIANGLE / size_of::<PosedLeaf>()).max(FEWEST_LEAVES);
        let mut cache = Self { leaves: Pool::with_at_most(most_leaves), ..Self::default() };
        cache.make_room(nodes);
        cache
    }

    /// Makes room for a tree of this many nodes; does nothing the second time.
    pub fn make_room(&mut self, nodes: usize) {
        self.boxes.make_room(nodes + 1);
        self.leaves.make_room(nodes);
    }

    /// Forgets everything, at the cost of a few assignments.
    pub fn forget(&mut self) {
        self.boxes.clear();
        self.spheres.clear();
        self.leaves.clear();
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.boxes.bytes() + self.spheres.bytes() + self.leaves.bytes() + self.open.bytes()
    }
}
