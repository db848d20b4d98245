//! What a query works with: what it has found and not visited yet, and the leaves that it tests. This memory belongs to the thread, not to
//! bodies: a thousand characters have one of it, and after the first few queries nothing is allocated.

use std::cell::Cell;

use super::leaf::Leaves;
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

/// A node with a number by which it is ordered: when a ray enters it, or how far away it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrderedNode {
    pub order: f32,
    /// Twice the node, and one more for a leaf.
    node_and_kind: u32,
}

impl OrderedNode {
    #[inline(always)]
    pub fn new(order: f32, node: u32, leaf: bool) -> Self {
        Self { order, node_and_kind: node << 1 | u32::from(leaf) }
    }

    #[inline(always)]
    pub fn node(self) -> usize {
        (self.node_and_kind >> 1) as usize
    }

    #[inline(always)]
    pub fn is_leaf(self) -> bool {
        self.node_and_kind & 1 != 0
    }
}

/// A child of a node and how many levels it is below the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LevelledChild {
    pub child: ChildAt,
    pub level: u32,
}

/// More leaves than this, of 600 bytes each, are not kept: then all are forgotten.
const MOST_LEAVES: usize = 8192;

/// Memory for one query, besides its answer.
pub(crate) struct Scratch {
    /// Open pairs of walks over two trees.
    pub pairs: Vec<[ChildAt; 2]>,
    /// Open nodes of descents.
    pub ordered: Vec<OrderedNode>,
    /// Open pairs of walks over two trees that end at a level.
    pub levelled_pairs: Vec<[LevelledChild; 2]>,
    /// Open nodes of descents that end at a level.
    pub levelled: Vec<LevelledChild>,
    /// Leaves of the first body and of the second, or of the only one.
    pub leaves: [Leaves; 2],
}

thread_local! {
    static OWN: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

impl Scratch {
    fn new() -> Box<Self> {
        let leaves = || Leaves::with_at_most(MOST_LEAVES);
        Box::new(Self {
            pairs: Vec::new(),
            ordered: Vec::new(),
            levelled_pairs: Vec::new(),
            levelled: Vec::new(),
            leaves: [leaves(), leaves()],
        })
    }

    /// Lends the thread's memory to a query. One that is asked within another has to do with new memory.
    pub fn lend<T>(query: impl FnOnce(&mut Self) -> T) -> T {
        let mut own = OWN.try_with(Cell::take).ok().flatten().unwrap_or_else(Self::new);
        let answer = query(&mut own);
        own.forget();
        // A thread that ends has nowhere to keep it.
        OWN.try_with(|kept| kept.set(Some(own))).ok();
        answer
    }

    /// A query that stops early leaves something in its lists.
    fn forget(&mut self) {
        self.pairs.clear();
        self.ordered.clear();
        self.levelled_pairs.clear();
        self.levelled.clear();
        self.leaves.iter_mut().for_each(Leaves::clear);
    }
}
