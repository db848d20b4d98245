//! Triangle meshes at rest: plain arrays, checked once, immutable afterwards.
//!
//! Nothing here knows of deformation; a mesh is what the rest stage starts from.

mod neighbourhood;
mod normals;
mod topology;
mod triangle_mesh;
mod welding;

pub use normals::vertex_normals;
pub use topology::{EdgeCounts, edge_counts};
pub use triangle_mesh::{Mesh, MeshError};
pub use welding::weld_positions;

pub(crate) use welding::bits;

pub(crate) use neighbourhood::Neighbourhood;
