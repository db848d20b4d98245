//! Vibration modes as displacements of a lattice.
//!
//! A point of a filled cell moves by what its eight corners do, trilinear in between; nothing else moves. Corners that are
//! no nodes are held and do not move.

use glam::{DVec3, UVec3};

/// How the cubes around a mesh move in each of its vibration modes.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeLattice {
    /// The least corner of the grid.
    pub origin: DVec3,
    /// Edge of a cell.
    pub size: f64,
    /// Cells of the grid along each axis.
    pub counts: UVec3,
    /// Filled cells, in the order of the grid, x fastest.
    pub cells: Vec<UVec3>,
    /// Corners of filled cells that can move, in cells from the least corner of the grid.
    pub nodes: Vec<UVec3>,
    /// Displacements of the nodes, mode by mode. A coefficient of 1 moves the vertex that moves farthest by
    /// [`ModeOptions::amplitude`](super::ModeOptions::amplitude).
    pub displacements: Vec<Vec<DVec3>>,
}
