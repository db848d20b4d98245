//! Named parts of a model.

use std::ops::Range;

/// One mesh of a file at one node: a contiguous range of the model's vertices and triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// Name of the node, or of its mesh where the node has none.
    pub name: String,
    /// The node that carries the mesh.
    pub node: usize,
    /// Vertices of the part.
    pub vertices: Range<usize>,
    /// Triangles of the part.
    pub triangles: Range<usize>,
    /// Coefficients that move the part.
    pub coefficients: Range<usize>,
    /// What is drawn with a material each.
    pub primitives: Vec<Primitive>,
}

/// What of a part is drawn with one material.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Name of the material; may be empty.
    pub material: String,
    /// Vertices of the primitive.
    pub vertices: Range<usize>,
    /// Triangles of the primitive.
    pub triangles: Range<usize>,
}
