//! The flat layout: nodes, what bounds them, triangles in the order of the leaves.
//!
//! Must hold: the root is node 0; children of a node are neighbours and come after it; the triangles below a node are
//! a contiguous range, and so are the nodes below it: those below its last child come first, right after its children.

use std::ops::Range;

use super::kinship::Kinship;
use crate::math::Sphere;
use crate::rest::{RestBox, RestChange};
use crate::skin::{Bends, Skin, SkinTerm, WeightRange};

/// A node has at most this many children, a leaf at most this many triangles: what the processor tests at once.
pub(crate) const WIDTH: usize = 8;

/// One node. Inner nodes have children, leaves have triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Node {
    /// First child, or first triangle of a leaf.
    first: u32,
    first_group: u32,
    group_count: u32,
    first_linear: u32,
    linear_count: u32,
    first_change: u32,
    change_count: u32,
    /// First vertex of the leaves among the children.
    first_vertex: u32,
    /// The node that has the vertices of a leaf: its parent, or the leaf itself if it is the root.
    owner: u32,
    /// Number of children, or of triangles.
    count: u8,
    /// Number of vertices of the leaves among the children.
    vertex_count: u8,
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
            first_group: 0,
            group_count: 0,
            first_linear: 0,
            linear_count: 0,
            first_change: 0,
            change_count: 0,
            first_vertex: 0,
            owner: 0,
            count,
            vertex_count: 0,
            leaf,
        }
    }

    /// Says which of the tree's leaf vertices belong to the leaves among the children.
    pub fn set_vertices(&mut self, vertices: Range<u32>) {
        (self.first_vertex, self.vertex_count) = (vertices.start, (vertices.end - vertices.start) as u8);
    }

    pub fn set_groups(&mut self, groups: Range<u32>) {
        (self.first_group, self.group_count) = (groups.start, groups.end - groups.start);
    }

    pub fn set_linear_groups(&mut self, terms: Range<u32>) {
        (self.first_linear, self.linear_count) = (terms.start, terms.end - terms.start);
    }

    pub fn set_changes(&mut self, changes: Range<u32>) {
        (self.first_change, self.change_count) = (changes.start, changes.end - changes.start);
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

    #[inline(always)]
    pub fn groups(&self) -> Range<usize> {
        self.first_group as usize..(self.first_group + self.group_count) as usize
    }

    /// Instead of groups, where joints blend linearly.
    #[inline(always)]
    pub fn linear_groups(&self) -> Range<usize> {
        self.first_linear as usize..(self.first_linear + self.linear_count) as usize
    }

    /// What the rest stage does to the vertices below.
    #[inline(always)]
    pub fn changes(&self) -> Range<usize> {
        self.first_change as usize..(self.first_change + self.change_count) as usize
    }

    /// The node that has the vertices of a leaf.
    #[inline(always)]
    pub fn owner(&self) -> usize {
        self.owner as usize
    }

    /// Where the vertices of the leaves among the children stand.
    #[inline(always)]
    pub fn vertices(&self) -> Range<usize> {
        let first = self.first_vertex as usize;
        first..first + usize::from(self.vertex_count)
    }
}

/// Vertices below a node that have one joint-set: for models that blend rotations, and for spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Group {
    pub rest_box: RestBox,
    pub set: u32,
    /// Where the group's numbers start in the tree's arrays; the joint-set says how many there are.
    pub first_weight: u32,
    pub first_product: u32,
    /// Whether changes of the node move some of its vertices.
    pub moved: bool,
    pub spread: f32,
    pub total_product: f32,
    pub sphere: Sphere,
}

/// Vertices below a node that lie, linearly blended, in the hull of some weights of some joints; or that one joint moves,
/// alone or with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinearGroup {
    pub rest_box: RestBox,
    /// Where joints and weights start in the tree's arrays.
    pub first_joint: u32,
    pub joint_count: u32,
    pub spread: f32,
    /// Whether changes of the node move some of its vertices.
    pub moved: bool,
}

/// The immutable tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tree {
    pub nodes: Vec<Node>,
    pub groups: Vec<Group>,
    pub linear_groups: Vec<LinearGroup>,
    pub linear_joints: Vec<u32>,
    /// One per joint of a linear group.
    pub linear_weights: Vec<f32>,
    pub weights: Vec<f32>,
    pub products: Vec<[f32; 2]>,
    pub changes: Vec<RestChange>,
    /// Triangle numbers of the mesh, in leaf order.
    pub triangles: Vec<u32>,
    /// Corners of those triangles, as indices into the vertices that their leaf shares with its sisters.
    pub corners: Vec<[u8; 3]>,
    /// Different vertices of leaves with the same parent.
    pub leaf_vertices: Vec<u32>,
    /// Length of the longest rest position that each joint moves; negative where it moves none.
    pub rest_radii: Vec<f32>,
    /// Longest distance of a rest position from the origin of the joint that moves it, per joint.
    pub bind_radii: Vec<f32>,
    /// What models that blend rotations do.
    pub bends: Bends,
    /// Most changes of a node.
    pub most_changes: usize,
    /// Most joints of a vertex or a linear group.
    pub most_joints: usize,
    /// Length of the longest displacement of each field; empty for other rest stages.
    pub field_lengths: Vec<f32>,
    /// Distances at rest that triangles of one joint keep, by node.
    pub clearances: Vec<f32>,
    /// How triangles and nodes are related.
    pub kinship: Kinship,
}

impl Tree {
    /// Lists the vertices of all leaves; nodes and triangles are laid out. Sister leaves share most vertices, and are
    /// posed together.
    pub fn add_leaf_vertices(&mut self, triangles: &[[u32; 3]]) {
        self.leaf_vertices.clear();
        self.corners = vec![[0; 3]; self.triangles.len()];
        let vertices = triangles.as_flattened().iter().max().map_or(0, |&most| most as usize + 1);
        // Where each vertex was listed last, plus 1: what is before the first of an owner was another one's.
        let mut listed = vec![0; vertices];
        for owner in 0..self.nodes.len() {
            let first = self.leaf_vertices.len();
            for leaf in self.leaves_of(owner) {
                self.nodes[leaf].owner = owner as u32;
                for triangle in self.nodes[leaf].range() {
                    self.corners[triangle] = triangles[self.triangles[triangle] as usize].map(|vertex| {
                        let listed = &mut listed[vertex as usize];
                        if *listed <= first {
                            self.leaf_vertices.push(vertex);
                            *listed = self.leaf_vertices.len();
                        }
                        (*listed - 1 - first) as u8
                    });
                }
            }
            self.nodes[owner].set_vertices(first as u32..self.leaf_vertices.len() as u32);
        }
    }

    /// Leaves among the children of a node; a root that is a leaf is its own.
    #[inline(always)]
    pub fn leaves_of(&self, node: usize) -> impl Iterator<Item = usize> + use<> {
        let range = match self.nodes[node].is_leaf() {
            false => self.nodes[node].range(),
            true if node == 0 => 0..1,
            true => 0..0,
        };
        let leaves: u8 =
            range.clone().enumerate().map(|(i, child)| u8::from(self.nodes[child].is_leaf()) << i).sum();
        range.clone().filter(move |child| leaves >> (child - range.start) & 1 != 0)
    }

    /// Joints of a linear group, with the base of their weights.
    #[inline(always)]
    pub fn joints_of(&self, group: &LinearGroup) -> (&[u32], &[f32]) {
        let range = group.first_joint as usize..group.first_joint as usize + group.joint_count as usize;
        (&self.linear_joints[range.clone()], &self.linear_weights[range])
    }

    /// What the skin stage needs of a group.
    #[inline(always)]
    pub fn skin_term<'a>(&'a self, skin: &'a Skin, group: &Group) -> SkinTerm<'a> {
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
        }
    }

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

    /// Where the vertices of all leaves below an inner node stand: those of its own leaves, and those of nodes below it.
    /// Owners list their vertices in the order of the nodes.
    pub fn vertices_below(&self, node: usize) -> [Range<usize>; 2] {
        let own = self.nodes[node].vertices();
        let children = self.nodes[node].range();
        // The nodes below the first inner child come last.
        let mut end = children.end;
        let mut next = children.clone();
        while let Some(inner) = next.clone().find(|&child| !self.nodes[child].is_leaf()) {
            next = self.nodes[inner].range();
            end = next.end;
        }
        let first =
            |node: usize| self.nodes.get(node).map_or(self.leaf_vertices.len(), |node| node.vertices().start);
        [own, first(children.start)..first(end)]
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
            + size_of_val(&self.groups[..])
            + size_of_val(&self.linear_groups[..])
            + size_of_val(&self.linear_joints[..])
            + size_of_val(&self.linear_weights[..])
            + size_of_val(&self.weights[..])
            + size_of_val(&self.products[..])
            + size_of_val(&self.changes[..])
            + size_of_val(&self.triangles[..])
            + size_of_val(&self.corners[..])
            + size_of_val(&self.leaf_vertices[..])
            + size_of_val(&self.clearances[..])
            + self.kinship.bytes()
    }
}
