//! Wavefront OBJ, in and out.
//!
//! In: text with `v`, `vn`, `vt`, `f`, `o`, `g` and `usemtl` lines; everything else is passed over.
//! Out: a rigid model whose vertices are the `v` lines and whose triangles are the `f` lines, both in file order.
//! Must hold: what was written reads back bit by bit. Texture coordinates are kept as the file has them (OBJ counts `v`
//! from the bottom).
//!
//! The reader is our own: the common crate for OBJ numbers vertices by their first use in a face, makes faces of
//! polylines, invents missing normals and overflows on wild indices, so that vertex caches would no longer fit the
//! mesh and broken files would panic. It reads what we write in the tests.
//!
//! Based on: Wavefront Technologies, Advanced Visualizer manual, appendix B1 (object files).

mod faces;
mod objects;
mod reader;
mod writer;

pub(crate) use reader::read;
pub use writer::{obj_bytes, write_obj};
