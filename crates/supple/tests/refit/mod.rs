//! Tests of bodies.

mod body;
mod certificates;
mod given_vertices;
mod pieces;
mod tightness;
