//! The flat layout: nodes, groups of vertices per node, triangles in the order of the leaves.
//!
//! Must hold: the root is node 0; children of a node are neighbours and come after it; the triangles below a node are
//! a contiguous range.

use std::ops::Range;

use glam::Mat3;

use crate::math::Sphere;
use crate::rest::{RestBox, RestChange, RestVolume};
use crate::skin::{Skin, SkinTerm, WeightRange};

/// One node. Inner nodes have children, leaves have triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    /// First child, or first triangle of a leaf.
    first: u32,
    /// Number of children, or of triangles with the highest bit set.
    count: u32,
    first_group: u32,
    group_count: u32,
}

const LEAF: u32 = 1 << 31;

impl Node {
    pub fn inner(children: Range<u32>) -> Self {
        Self { first: children.start, count: children.end - children.start, first_group: 0, group_count: 0 }
    }

    pub fn leaf(triangles: Range<u32>) -> Self {
        let count = (triangles.end - triangles.start) | LEAF;
        Self { first: triangles.start, count, first_group: 0, group_count: 0 }
    }

    pub fn set_groups(&mut self, groups: Range<u32>) {
        (self.first_group, self.group_count) = (groups.start, groups.end - groups.start);
    }

    #[inline(always)]
    pub fn is_leaf(&self) -> bool {
        self.count & LEAF != 0
    }

    /// Children of an inner node, triangles (in leaf order) of a leaf.
    #[inline(always)]
    pub fn range(&self) -> Range<usize> {
        let (first, count) = (self.first as usize, (self.count & !LEAF) as usize);
        first..first + count
    }

    #[inline(always)]
    pub fn groups(&self) -> Range<usize> {
        self.first_group as usize..(self.first_group + self.group_count) as usize
    }
}

/// Vertices below a node that have one joint-set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Group {
    pub set: u32,
    /// Where the group's numbers start in the tree's arrays; the joint-set says how many there are.
    pub first_weight: u32,
    pub first_product: u32,
    pub first_change: u32,
    pub change_count: u32,
    pub spread: f32,
    pub total_product: f32,
    pub axes: Mat3,
    pub rest_box: RestBox,
    pub ball: Sphere,
}

/// The immutable tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    pub groups: Vec<Group>,
    pub weights: Vec<f32>,
    pub products: Vec<[f32; 2]>,
    pub changes: Vec<RestChange>,
    /// Triangle numbers of the mesh, in leaf order.
    pub triangles: Vec<u32>,
    /// Vertices of those triangles.
    pub corners: Vec<[u32; 3]>,
    /// Length of the longest rest position that each joint moves.
    pub rest_reaches: Vec<f32>,
    /// Length of the longest displacement of each field; empty for other rest stages.
    pub field_reaches: Vec<f32>,
}

impl Tree {
    /// What the rest stage needs of a group.
    #[inline(always)]
    pub fn rest_volume(&self, group: &Group) -> RestVolume<'_> {
        let first = group.first_change as usize;
        RestVolume {
            rest_box: group.rest_box,
            ball: group.ball,
            changes: &self.changes[first..first + group.change_count as usize],
        }
    }

    /// What the skin stage needs of a group.
    #[inline(always)]
    pub fn skin_term<'a>(&'a self, skin: &'a Skin, group: &'a Group) -> SkinTerm<'a> {
        let joints = skin.joint_set(group.set as usize);
        let (n, first, pair) = (joints.len(), group.first_weight as usize, group.first_product as usize);
        SkinTerm {
            set: group.set as usize,
            joints,
            weights: WeightRange {
                base: &self.weights[first..first + n],
                spread: group.spread,
                total_product: group.total_product,
                products: &self.products[pair..pair + n * (n - 1) / 2],
            },
            axes: &group.axes,
        }
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
}
