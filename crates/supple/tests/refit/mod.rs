//! Tests of bodies.

mod body;
mod given_vertices;
mod pieces;
mod tightness;
