//! What a walk or a descent has found and not visited yet: lists that a body keeps from query to query, so that after the first few
//! queries nothing is allocated.

use crate::tree::WIDTH;

/// A child of a node whose bounds are in the cache: the entry where the bounds of all children of the node are, and the child's lane there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChildAt(u32);

impl ChildAt {
    #[inline(always)]
    pub fn new(entry: usize, lane: usize) -> Self {
        Self((entry * WIDTH + lane) as u32)
    }

    #[inline(always)]
    pub fn entry(self) -> usize {
        self.0 as usize / WIDTH
    }

    #[inline(always)]
    pub fn lane(self) -> usize {
        self.0 as usize % WIDTH
    }
}

/// A child with a number by which it is ordered: when a ray enters it, or how far away it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderedChild {
    pub child: ChildAt,
    pub order: f32,
}

/// A child of a node and how many levels it is below the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelledChild {
    pub child: ChildAt,
    pub level: u32,
}

/// The lists of one body.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenLists {
    /// Of walks over two trees.
    pub pairs: Vec<[ChildAt; 2]>,
    /// Of descents.
    pub ordered: Vec<OrderedChild>,
    /// Of walks over two trees that end at a level.
    pub levelled_pairs: Vec<[LevelledChild; 2]>,
    /// Of descents that end at a level.
    pub levelled: Vec<LevelledChild>,
}

impl OpenLists {
    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.pairs.capacity() * size_of::<[ChildAt; 2]>()
            + self.ordered.capacity() * size_of::<OrderedChild>()
            + self.levelled_pairs.capacity() * size_of::<[LevelledChild; 2]>()
            + self.levelled.capacity() * size_of::<LevelledChild>()
    }
}
