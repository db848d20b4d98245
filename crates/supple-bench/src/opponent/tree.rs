//! The box tree: nodes of eight children, whose boxes are tested at once.
//!
//! In: triangles and a pose that the tree is built for. Out: nodes in depth-first order, so that the refit walks memory
//! backwards, and leaves in the same order.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use supple::Aabb;

use super::split::{Binary, area, split};
use super::triangles::{EightTriangles, NO_TRIANGLES};
use super::{Avx2, Eight};

/// A leaf has at most this many triangles: one register. Two characters of 54k triangles are then refitted in about 150
/// microseconds; with 6 it is about 190, with 4 about 260, and queries are not faster.
pub(super) const LEAF_SIZE: usize = 8;

/// Boxes of eight children or triangles, axis by axis; lanes that are not used hold a box that contains nothing.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct EightBoxes {
    pub(super) min: [Eight; 3],
    pub(super) max: [Eight; 3],
}

pub(super) const NO_BOXES: EightBoxes =
    EightBoxes { min: [Eight([f32::INFINITY; 8]); 3], max: [Eight([f32::NEG_INFINITY; 8]); 3] };

/// A box in two registers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(super) struct Box4 {
    pub(super) min: Vec4,
    pub(super) max: Vec4,
}

pub(super) const NO_BOX: Box4 = Box4 { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

/// A node: the boxes of its children and where their own boxes are.
#[derive(Clone, Debug)]
#[repr(C)]
pub(super) struct Node {
    pub(super) boxes: EightBoxes,
    /// Indices of [`BoxTree::bounds`].
    pub(super) children: [u32; 8],
}

/// Up to eight triangles.
#[derive(Clone, Debug, Default)]
pub(super) struct Leaf {
    /// Corners as entries of positions; triangles that are missing repeat the last.
    pub(super) corners: [[u32; 3]; LEAF_SIZE],
    pub(super) ids: [u32; LEAF_SIZE],
    pub(super) count: u32,
}

/// What all trees of a character share.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) leaves: Vec<Leaf>,
    /// Distinct vertices of each leaf as entries, in multiples of four: 9 loads instead of 24 in a refit.
    pub(super) entries: Vec<u32>,
    /// Where the entries of each leaf start, and the end.
    pub(super) starts: Vec<u32>,
}

/// A tree of one instance.
#[derive(Clone, Debug)]
pub struct BoxTree {
    pub(super) avx2: Avx2,
    pub(super) nodes: Vec<Node>,
    pub(super) leaves: Arc<Leaves>,
    pub(super) positions: Vec<Vec4>,
    /// Own boxes: of the nodes, of the leaves, and one that contains nothing for children that are missing.
    pub(super) bounds: Vec<Box4>,
    /// Triangles of the leaves, posed when a query first asks; `stamps` says for which refit.
    pub(super) triangles: Vec<EightTriangles>,
    pub(super) stamps: Vec<u32>,
    pub(super) refits: u32,
}

/// Where a tree puts triangles: what a skinning loop needs to know to lay out vertices in the tree's order.
pub struct Plan {
    avx2: Avx2,
    nodes: Vec<[Option<Child>; 8]>,
    /// Triangles of each leaf.
    leaves: Vec<Vec<u32>>,
}

impl Plan {
    /// Plans a tree that is good for a pose.
    pub fn new(avx2: Avx2, triangles: &[[u32; 3]], pose: &[Vec3]) -> Self {
        let boxes: Vec<Aabb> =
            triangles.iter().map(|t| Aabb::from_points(t.map(|v| pose[v as usize]))).collect();
        let (binary, order) = split(&boxes, LEAF_SIZE);
        let (mut nodes, mut leaves) = (Vec::new(), Vec::new());
        collapse(&binary, 0, &mut nodes, &mut leaves);
        let leaves = leaves.iter().map(|&leaf| order[binary[leaf].triangles.clone()].to_vec()).collect();
        Self { avx2, nodes, leaves }
    }

    /// For each vertex its number in the tree's order.
    pub fn ranks(&self, triangles: &[[u32; 3]], vertices: usize) -> Vec<u32> {
        let mut ranks = vec![u32::MAX; vertices];
        let mut next = 0;
        for &vertex in self.leaves.iter().flatten().flat_map(|&t| &triangles[t as usize]) {
            if ranks[vertex as usize] == u32::MAX {
                ranks[vertex as usize] = next;
                next += 1;
            }
        }
        ranks
    }

    /// The tree, for positions that stand in entries.
    ///
    /// # Panics
    /// An entry is not below the number of entries.
    pub fn build(&self, triangles: &[[u32; 3]], entry_of_vertex: &[u32], entries: usize) -> BoxTree {
        assert!(entry_of_vertex.iter().all(|&entry| (entry as usize) < entries), "entries are counted");
        let mut shared = Leaves { starts: vec![0], ..Leaves::default() };
        for own in &self.leaves {
            let triangle = |i: usize| own[i.min(own.len() - 1)];
            let corners: [[u32; 3]; LEAF_SIZE] = std::array::from_fn(|i| {
                triangles[triangle(i) as usize].map(|vertex| entry_of_vertex[vertex as usize])
            });
            let mut distinct = corners.as_flattened().to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            distinct.resize(distinct.len().next_multiple_of(4), distinct[0]);
            shared.entries.extend(distinct);
            shared.starts.push(shared.entries.len() as u32);
            shared.leaves.push(Leaf { corners, ids: std::array::from_fn(triangle), count: own.len() as u32 });
        }
        let (nodes, leaves) = (self.nodes.len(), self.leaves.len());
        let index = |child: Option<Child>| match child {
            Some(Child::Node(node)) => node as u32,
            Some(Child::Leaf(leaf)) => (nodes + leaf) as u32,
            None => (nodes + leaves) as u32,
        };
        let node = |children: &[Option<Child>; 8]| Node { boxes: NO_BOXES, children: children.map(index) };
        BoxTree {
            avx2: self.avx2,
            nodes: self.nodes.iter().map(node).collect(),
            leaves: Arc::new(shared),
            positions: vec![Vec4::ZERO; entries],
            bounds: vec![NO_BOX; nodes + leaves + 1],
            triangles: vec![NO_TRIANGLES; leaves],
            stamps: vec![0; leaves],
            refits: 0,
        }
    }
}

impl BoxTree {
    /// Posed positions by entry; a refit reads them.
    pub fn positions_mut(&mut self) -> &mut [Vec4] {
        &mut self.positions
    }
}

#[derive(Clone, Copy)]
enum Child {
    Node(usize),
    Leaf(usize),
}

/// Makes a wide node of a binary one: children are opened, the largest first, until there are eight.
fn collapse(
    binary: &[Binary],
    from: usize,
    wide: &mut Vec<[Option<Child>; 8]>,
    leaves: &mut Vec<usize>,
) -> usize {
    let mut open = vec![from];
    while open.len() < 8 {
        let inner = (0..open.len()).filter(|&i| binary[open[i]].children.is_some());
        let area = |&i: &usize| area(&binary[open[i]].bounds);
        let Some(largest) = inner.max_by(|i, j| area(i).total_cmp(&area(j))) else { break };
        let [left, right] = binary[open[largest]].children.expect("it is an inner node");
        open.splice(largest..=largest, [left, right]);
    }
    let node = wide.len();
    wide.push([None; 8]);
    for (lane, &child) in open.iter().enumerate() {
        wide[node][lane] = Some(if binary[child].children.is_some() {
            Child::Node(collapse(binary, child, wide, leaves))
        } else {
            leaves.push(child);
            Child::Leaf(leaves.len() - 1)
        });
    }
    node
}
