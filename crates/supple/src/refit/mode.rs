//! What moves the vertices of a body.

use super::VertexUpdate;

/// Joints and coefficients do, or somebody gives a position for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mode {
    /// Bounds follow from joint matrices and weights; the tree is the shape's.
    #[default]
    Joints,
    /// Bounds follow from the vertices; the tree is the shape's, or a new one.
    Vertices(VertexUpdate),
}
