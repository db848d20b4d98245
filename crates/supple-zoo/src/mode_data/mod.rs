//! Vibration modes as checked-in data.
//!
//! In: a file that `cargo run --release -p supple-fit --example zoo_modes` made. Out: a displacement per vertex and mode, the
//! same ones, bit by bit, that `supple_fit::reduce::modes` finds for the mesh.
//!
//! A file holds the lattice of cubes around a mesh, from which the vertices get their displacements: a bridge of 133,620 vertices
//! has 1,724 nodes that move. Displacements of nodes are whole multiples of a power of two, of four to six bytes. That is
//! finer than what f32 keeps of the displacements of vertices, but some of them would be rounded to the neighbour of the number
//! that the full solution gives; a list of corrections at the end of the file puts these right.
//!
//! All numbers are little-endian, without padding:
//!
//! | bytes | what |
//! | --- | --- |
//! | 3 * 8 | least corner of the grid, f64 |
//! | 8 | edge of a cell, f64 |
//! | 3 * 4 | cells along each axis, u32 |
//! | 4 | number of modes, u32 |
//! | 4 | bytes `w` of a number, u32, 1 to 8 |
//! | cells / 8 | a bit per cell, x fastest: whether it is filled |
//! | corners / 8 | a bit per corner of the grid, x fastest: whether it is a node that moves |
//!
//! then for each mode and each of x, y and z
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | exponent `e`, i32 |
//! | w per node | displacements in units of `2^e`, signed |
//!
//! and corrections to the end of the file: two numbers of variable length each (`varint.rs`), how far it is from the correction before it
//! (f32 numbers are counted by mode, vertex and axis) and what is to be added to the bits of the f32.

mod bits;
mod encode;
mod varint;

use glam::{DVec3, UVec3, Vec3};

use bits::Bits;

/// Modes of a lattice, as they stand in a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeData {
    grid: Grid,
    filled: Bits,
    moving: Bits,
    width: usize,
    modes: Vec<[Axis; 3]>,
    corrections: Vec<Correction>,
}

/// A grid of cubes, x fastest.
#[derive(Clone, Debug, PartialEq)]
struct Grid {
    origin: DVec3,
    size: f64,
    counts: UVec3,
}

/// One coordinate of all nodes in one mode, in units of a power of two.
#[derive(Clone, Debug, PartialEq)]
struct Axis {
    exponent: i32,
    numbers: Vec<i64>,
}

/// What is to be added to the bits of an f32.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Correction {
    index: usize,
    by: i32,
}

impl ModeData {
    /// Displacements of a mesh's vertices, mode by mode. Corrections are those of the mesh that the data are made for.
    pub fn displacements(&self, positions: &[Vec3]) -> Vec<Vec<Vec3>> {
        let mut all = self.rounded(positions);
        for &Correction { index, by } in &self.corrections {
            let (vector, axis) = (index / 3, index % 3);
            let mode = all.get_mut(vector / positions.len().max(1));
            if let Some(displacement) = mode.map(|mode| &mut mode[vector % positions.len()]) {
                displacement[axis] = f32::from_bits(displacement[axis].to_bits().wrapping_add_signed(by));
            }
        }
        all
    }

    /// Displacements without corrections.
    fn rounded(&self, positions: &[Vec3]) -> Vec<Vec<Vec3>> {
        let node_of = self.moving.ranks();
        let mut all = vec![Vec::with_capacity(positions.len()); self.modes.len()];
        for &position in positions {
            let corners = self.corners(position.as_dvec3(), &node_of);
            for (mode, displacements) in self.modes.iter().zip(&mut all) {
                let along = |axis: &Axis| {
                    let sum: f64 = corners.iter().map(|&(node, part)| part * axis.numbers[node] as f64).sum();
                    (sum * 2f64.powi(axis.exponent)) as f32
                };
                displacements.push(Vec3::from_array([0, 1, 2].map(|axis| along(&mode[axis]))));
            }
        }
        all
    }

    /// Nodes at the corners of the cell that a point is in, with their parts of it; none in a cell that is not filled.
    fn corners(&self, point: DVec3, node_of: &[Option<u32>]) -> Vec<(usize, f64)> {
        let grid = &self.grid;
        let inside = (point - grid.origin) / grid.size;
        let Some(cell) = self.filled_cell(inside) else { return Vec::new() };
        let share = (inside - cell.as_dvec3()).clamp(DVec3::ZERO, DVec3::ONE);
        let corner = |i: u32| {
            let far = UVec3::new(i & 1, i >> 1 & 1, i >> 2);
            let node = node_of[index(cell + far, grid.counts + 1)]?;
            let parts = far.as_dvec3() * share + (1.0 - far.as_dvec3()) * (1.0 - share);
            Some((node as usize, parts.element_product()))
        };
        (0..8).filter_map(corner).collect()
    }

    /// A filled cell that a point is in or on the side of.
    fn filled_cell(&self, inside: DVec3) -> Option<UVec3> {
        // Rounding of points on the side of a cell.
        const ON_SIDE: f64 = 1e-9;
        let last = self.grid.counts - 1;
        let [least, greatest] =
            [-ON_SIDE, ON_SIDE].map(|by| (inside + by).max(DVec3::ZERO).as_uvec3().min(last));
        let corner = |i: u32| {
            let far = UVec3::new(i & 1, i >> 1 & 1, i >> 2);
            least * (1 - far) + greatest * far
        };
        (0..8).map(corner).find(|&cell| self.filled.get(index(cell, self.grid.counts)))
    }
}

/// Where a cell or corner stands among all, x fastest.
fn index(at: UVec3, counts: UVec3) -> usize {
    let [at, counts] = [at, counts].map(|v| v.to_array().map(|n| n as usize));
    (at[2] * counts[1] + at[1]) * counts[0] + at[0]
}

fn product(counts: UVec3) -> usize {
    counts.to_array().into_iter().map(|n| n as usize).product()
}
