//! The flat layout: nodes, what bounds them, triangles in the order of the leaves.
//!
//! Must hold: the root is node 0; children of a node are neighbours and come after it; the triangles below a node are
//! a contiguous range, and so are the nodes below it: those below its last child come first, right after its children.

use std::ops::Range;

use super::groups::Groups;
use super::kinship::Kinship;
use super::slots::Slots;
use super::smoothness::Smoothness;
use crate::skin::Bends;

/// A node has at most this many children, a leaf at most this many triangles: what the processor tests at once.
pub(crate) const WIDTH: usize = 8;

/// The twig of a node that is in none.
const NO_TWIG: u32 = u32::MAX;

/// One node. Inner nodes have children, leaves have triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    /// First child, or first triangle of a leaf.
    first: u32,
    /// The twig that the node is or is below.
    twig: u32,
    /// Where the slots of a twig start.
    first_slot: u32,
    /// Where the places of a leaf are listed; the number of a node above twigs among its like.
    own: u32,
    /// Number of children, or of triangles.
    count: u8,
    /// Number of slots of a twig.
    slot_count: u8,
    /// Number of places that a leaf lists; of an inner node, bit `i` is set where child `i` is a leaf.
    listed_or_leaves: u8,
    leaf: bool,
}

impl Node {
    pub fn inner(children: Range<u32>) -> Self {
        Self::new(children, false)
    }

    pub fn leaf(triangles: Range<u32>) -> Self {
        Self::new(triangles, true)
    }

    fn new(range: Range<u32>, leaf: bool) -> Self {
        debug_assert!(range.len() <= WIDTH);
        let count = (range.end - range.start) as u8;
        Self {
            first: range.start,
            twig: NO_TWIG,
            first_slot: 0,
            own: 0,
            count,
            slot_count: 0,
            listed_or_leaves: 0,
            leaf,
        }
    }

    pub(super) fn set_twig(&mut self, twig: usize) {
        self.twig = twig as u32;
    }

    /// Says that it is above twigs, and its number among such nodes.
    pub(super) fn set_above_twigs(&mut self, number: usize) {
        self.own = number as u32;
    }

    /// Says where the slots of a twig are.
    pub(super) fn set_slots(&mut self, slots: Range<usize>) {
        (self.first_slot, self.slot_count) = (slots.start as u32, slots.len() as u8);
    }

    /// Says where the places of a leaf are listed.
    pub(super) fn set_listed(&mut self, listed: Range<usize>) {
        (self.own, self.listed_or_leaves) = (listed.start as u32, listed.len() as u8);
    }

    /// Says which children of an inner node are leaves, a bit each.
    pub(super) fn set_leaves(&mut self, leaves: u8) {
        self.listed_or_leaves = leaves;
    }

    #[inline(always)]
    pub fn is_leaf(&self) -> bool {
        self.leaf
    }

    /// Children of an inner node, triangles (in leaf order) of a leaf.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.count)
    }

    /// The twig that the node is or is below; leaves always have one.
    #[inline(always)]
    pub fn twig(&self) -> Option<usize> {
        (self.twig != NO_TWIG).then_some(self.twig as usize)
    }

    /// The vertices of a twig, in the order in which they are posed.
    #[inline(always)]
    pub fn slots(&self) -> Range<usize> {
        let first = self.first_slot as usize;
        first..first + usize::from(self.slot_count)
    }

    /// The number of a node above twigs among its like; the others have none.
    #[inline(always)]
    pub fn above_twigs(&self) -> Option<usize> {
        (self.twig == NO_TWIG).then_some(self.own as usize)
    }

    /// Where the places of a leaf's different vertices are listed.
    #[inline(always)]
    pub fn listed(&self) -> Range<usize> {
        let first = self.own as usize;
        first..first + usize::from(self.listed_or_leaves)
    }

    /// Bit `i` is set where child `i` of an inner node is a leaf.
    #[inline(always)]
    pub fn leaves(&self) -> u8 {
        self.listed_or_leaves
    }
}

/// The immutable tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    /// Of nodes above twigs, by their numbers.
    pub groups: Groups,
    /// Triangle numbers of the mesh, in leaf order.
    pub triangles: Vec<u32>,
    /// Corners of those triangles, by their places.
    pub corners: Vec<[u32; 3]>,
    /// Places of the different vertices of each leaf, in multiples of four.
    pub leaf_places: Vec<u32>,
    /// The vertex at each place.
    pub vertices: Vec<u32>,
    /// Nodes that are in no twig, ascending.
    pub above_twigs: Vec<u32>,
    /// Nodes that are twigs, ascending.
    pub twigs: Vec<u32>,
    /// The twig of each triangle of the mesh.
    pub twig_of_triangle: Vec<u32>,
    /// The vertices of each twig as they are posed; none where nothing is posed by joints.
    pub slots: Slots,
    /// All vertices, each once, as they are posed.
    pub whole: Slots,
    /// Length of the longest rest position that each joint moves; negative where it moves none.
    pub rest_radii: Vec<f32>,
    /// Longest distance of a rest position from the origin of the joint that moves it, per joint.
    pub bind_radii: Vec<f32>,
    /// What models that blend rotations do.
    pub bends: Bends,
    /// Numbers of the bends that vertices below each node above twigs have, node by node.
    pub bends_of_nodes: Vec<u32>,
    /// Where those of each node end.
    pub bend_ends: Vec<u32>,
    /// Most changes of a node.
    pub most_changes: usize,
    /// Most joints of a vertex or a linear group.
    pub most_joints: usize,
    /// Length of the longest displacement of each field; empty for other rest stages.
    pub field_lengths: Vec<f32>,
    /// Distances at rest that triangles of one joint keep, by node.
    pub clearances: Vec<f32>,
    /// How smoothly weights vary around nodes.
    pub smoothness: Smoothness,
    /// How triangles and nodes are related.
    pub kinship: Kinship,
}

impl Tree {
    /// Children of a node; the one after the last node is above the root.
    #[inline(always)]
    pub fn children(&self, node: usize) -> Range<usize> {
        self.nodes.get(node).map_or(0..1, Node::range)
    }

    /// Levels from the root: `levels()[d]` are the nodes at depth `d`.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        let mut levels = vec![vec![0]];
        while let Some(next) = levels.last().map(|level| {
            let inner = level.iter().map(|&n| &self.nodes[n]).filter(|n| !n.is_leaf());
            inner.flat_map(Node::range).collect::<Vec<_>>()
        }) {
            if next.is_empty() {
                break;
            }
            levels.push(next);
        }
        levels
    }

    /// All triangles below a node, in leaf order.
    pub fn triangles_below(&self, node: usize) -> Range<usize> {
        let (mut first, mut last) = (&self.nodes[node], &self.nodes[node]);
        while !first.is_leaf() {
            first = &self.nodes[first.range().start];
        }
        while !last.is_leaf() {
            last = &self.nodes[last.range().end - 1];
        }
        first.range().start..last.range().end
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + self.groups.bytes()
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.corners[..])
            + size_of_val(&self.leaf_places[..])
            + size_of_val(&self.vertices[..])
            + size_of_val(&self.above_twigs[..])
            + size_of_val(&self.twigs[..])
            + size_of_val(&self.twig_of_triangle[..])
            + self.slots.bytes()
            + self.whole.bytes()
            + size_of_val(&self.clearances[..])
            + self.smoothness.bytes()
            + self.kinship.bytes()
    }
}
