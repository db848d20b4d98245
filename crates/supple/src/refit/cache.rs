//! What has been computed for the current pose: bounds of children, and posed twigs.

use super::children::Children;
use super::posed_twigs::PosedTwigs;
use crate::math::{Aabb, Sphere};
use crate::pool::Pool;

/// Bounds and posed vertices of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cache {
    /// By node; the one after the last is above the root.
    pub boxes: Pool<Children<Aabb>>,
    pub spheres: Pool<Children<Sphere>>,
    pub twigs: PosedTwigs,
    /// Whether all twigs are posed, and boxes of all nodes known.
    pub whole: bool,
    /// What bounds from joints have cost in this pose, in posed vertices.
    pub spent: usize,
}

impl Cache {
    /// For a tree of this many nodes.
    pub fn new(nodes: usize) -> Self {
        let mut cache = Self::default();
        cache.make_room(nodes);
        cache
    }

    /// Makes room for a tree of this many nodes; does nothing the second time.
    pub fn make_room(&mut self, nodes: usize) {
        self.boxes.make_room(nodes + 1);
    }

    /// Forgets everything, at the cost of a few assignments.
    pub fn forget(&mut self) {
        self.boxes.clear();
        self.spheres.clear();
        self.twigs.clear();
        self.whole = false;
        self.spent = 0;
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.boxes.bytes() + self.spheres.bytes() + self.twigs.bytes()
    }
}
