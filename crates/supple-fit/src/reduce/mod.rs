//! Reduced deformable models: a few displacement fields that stand for all the ways in which a thing moves.
//!
//! In: a mesh, or a mesh that moves. Out: vibration modes with their frequencies and masses ([`modes`]), or principal components
//! with their coefficients per frame ([`components`]); as fields of a model that collides like every other.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree: Output-Sensitive Collision Detection for Reduced Deformable Models, 2004,
//! sections 2 and 4.

mod error;
mod options;
mod cells;
mod element;
mod mode_lattice;
mod lattice;
mod lowest_eigen;
mod modes;
mod components;
mod flexible;

pub use components::{Components, components};
pub use error::ReduceError;
pub use flexible::{flexible_model, showing_clip};
pub use mode_lattice::ModeLattice;
pub use modes::{Modes, mode_lattice, modes};
pub use options::ModeOptions;
