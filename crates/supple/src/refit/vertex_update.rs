//! How bounds follow vertices that move as they like.

/// How a body's bounds are brought up to date after [`Body::set_vertices`](super::Body::set_vertices). Answers do not depend
/// on it, cost does. All of them begin when a query first looks at the body, and only with the volumes it asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum VertexUpdate {
    /// All volumes, from the leaves up: a box is the union of the boxes of its children (G. van den Bergen, Efficient
    /// Collision Detection of Complex Deformable Models using AABB Trees, 1997), a sphere encloses the spheres of its children
    /// (J. Brown, S. Sorkin, C. Bruyns, J.-C. Latombe, K. Montgomery, M. Stephanides, Real-time Simulation of Deformable
    /// Objects, 2001).
    BottomUp,
    /// What is above twigs (nodes of a few dozen triangles) from below, the volumes of twigs straight from their vertices; what is below
    /// twigs straight from vertices, where a query looks (after T. Larsson, T. Akenine-Moller, Collision Detection for Continuously
    /// Deforming Bodies, 2001, who divide the tree's levels in two halves).
    #[default]
    Hybrid,
    /// A new tree for these positions, then as `BottomUp`: for shapes that have nothing in common any more with the one that
    /// the tree was built for. The tree is built by `set_vertices` itself.
    Rebuild,
}

impl VertexUpdate {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::BottomUp, Self::Hybrid, Self::Rebuild];
}
