//! The tree of a shape, to be looked at: nodes, what is above what, the triangles below.
//!
//! In: a [`Shape`] and the number of one of its nodes. Out: a view that copies nothing.
//! Must hold: children have larger numbers than their parent; a node's triangles are those of its children together, and
//! stand together in the order of the leaves.

use super::layout::Tree;
use super::shape::Shape;

/// A node of a shape's tree, by its number: below [`Shape::node_count`], the root is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NodeId(pub u32);

/// A look at one node of a [`Shape`]: see [`Shape::node`].
#[derive(Clone, Copy, Debug)]
pub struct TreeNode<'s> {
    tree: &'s Tree,
    id: NodeId,
}

impl Shape {
    /// The node above all others.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// One node of the tree: its children, and the triangles below it.
    ///
    /// Costs nothing; the answers do not depend on a pose. Where a whole level is asked for, [`pieces`](Self::pieces) is
    /// shorter.
    ///
    /// ```
    /// # use supple::{BuildOptions, Shape};
    /// let chair = Shape::build(supple_zoo::make("chair", 0)?, &BuildOptions::default())?;
    /// let (mut leaves, mut triangles) = (0, 0);
    /// let mut open = vec![chair.root()];
    /// while let Some(id) = open.pop() {
    ///     let node = chair.node(id);
    ///     open.extend(node.children());
    ///     if node.is_leaf() {
    ///         (leaves, triangles) = (leaves + 1, triangles + node.triangles().len());
    ///     }
    /// }
    /// // Every triangle is in one leaf.
    /// assert_eq!(triangles, chair.model().mesh().triangles().len());
    /// assert_eq!(chair.node(chair.root()).triangles().len(), triangles);
    /// assert!(leaves < chair.node_count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// There is no such node.
    pub fn node(&self, id: NodeId) -> TreeNode<'_> {
        assert!((id.0 as usize) < self.node_count(), "node {} of {}", id.0, self.node_count());
        TreeNode { tree: self.tree(), id }
    }
}

impl<'s> TreeNode<'s> {
    /// Its number.
    pub fn id(&self) -> NodeId {
        self.id
    }

    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.tree.nodes[self.index()].is_leaf()
    }

    /// The nodes right below it, ascending; none where it is a leaf.
    pub fn children(&self) -> impl DoubleEndedIterator<Item = NodeId> + ExactSizeIterator + use<> {
        let children = if self.is_leaf() { 0..0 } else { self.tree.children(self.index()) };
        children.map(|child| NodeId(child as u32))
    }

    /// Numbers of all triangles below it, in the order of the leaves.
    pub fn triangles(&self) -> &'s [u32] {
        &self.tree.triangles[self.tree.triangles_below(self.index())]
    }

    fn index(&self) -> usize {
        self.id.0 as usize
    }
}
