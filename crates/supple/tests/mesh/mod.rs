//! Tests of `supple::mesh`.

mod triangle_mesh;
