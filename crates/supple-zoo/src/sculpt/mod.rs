//! Sculpting: from lumps of clay along bones to a closed, well-shaped triangle mesh with smooth weights.
//!
//! In: primitives with an owning joint, a wanted vertex count, places that need finer triangles.
//! Out: positions, triangles and influences. Must hold: the surface is closed and manifold, has exactly the wanted
//! number of vertices, and depends on nothing but the input (sums, products and square roots decide the topology).
//!
//! The order of work: [`Clay`] is the implicit surface, `polygonize` finds a dense first mesh, `remesh` makes its
//! triangles regular on a [`Surface`], `weights` lets joint influences flow over it.

mod clay;
mod half_edges;
mod polygonize;
mod primitive;
mod remesh;
mod sizing;
mod weights;

pub(crate) use clay::Clay;
pub(crate) use half_edges::Surface;
pub(crate) use polygonize::{CELLS_PER_BLOCK, polygonize};
pub(crate) use primitive::Primitive;
pub(crate) use remesh::remesh;
pub(crate) use sizing::{Focus, Sizing};
pub(crate) use weights::{nearest_joints, smooth_influences};
