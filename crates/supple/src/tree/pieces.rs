//! The surface in pieces: what lies below the nodes of one level of the tree.
//!
//! Must hold: every triangle is in exactly one piece, whatever the level.

use super::layout::Tree;
use super::nodes::NodeId;
use super::shape::Shape;

/// What is below a node at which a walk of bounded depth ends.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Piece {
    /// The node.
    pub node: NodeId,
    /// Its triangles, ascending.
    pub triangles: Vec<u32>,
}

impl Shape {
    /// The pieces into which a level divides the surface: the nodes of that level, and the leaves above it; ascending by
    /// node. Level 0 is the root, and from [`depth`](Self::depth) on all pieces are leaves.
    ///
    /// ```
    /// # use supple::{BuildOptions, Shape};
    /// let chair = Shape::build(supple_zoo::make("chair", 0)?, &BuildOptions::default())?;
    /// assert_eq!(chair.pieces(0).len(), 1);
    /// let in_pieces: usize = chair.pieces(2).iter().map(|piece| piece.triangles.len()).sum();
    /// assert_eq!(in_pieces, chair.model().mesh().triangles().len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pieces(&self, level: u32) -> Vec<Piece> {
        self.tree().pieces(level)
    }

    /// How many levels the tree has; the root alone is one.
    pub fn depth(&self) -> usize {
        self.tree().levels().len()
    }
}

impl Tree {
    /// See [`Shape::pieces`].
    pub fn pieces(&self, level: u32) -> Vec<Piece> {
        let levels = self.levels();
        let cut = (level as usize).min(levels.len() - 1);
        let leaves_above = levels[..cut].iter().flatten().filter(|&&node| self.nodes[node].is_leaf());
        let mut nodes: Vec<usize> = leaves_above.chain(&levels[cut]).copied().collect();
        nodes.sort_unstable();
        let piece = |node: usize| {
            let mut triangles = self.triangles[self.triangles_below(node)].to_vec();
            triangles.sort_unstable();
            Piece { node: NodeId(node as u32), triangles }
        };
        nodes.into_iter().map(piece).collect()
    }

    /// The node above another one; above the root is the one after the last.
    pub fn parent(&self, node: usize) -> usize {
        let mut above = self.nodes.len();
        loop {
            let children = self.children(above);
            if children.contains(&node) {
                return above;
            }
            // What is below a child stands together, that of the last child first.
            let start = |&child: &usize| self.nodes[child].range().start;
            let inner = children.filter(|&child| !self.nodes[child].is_leaf());
            let Some(child) = inner.filter(|child| start(child) <= node).max_by_key(start) else {
                return above;
            };
            above = child;
        }
    }
}
