//! The lattice: cubes of elastic material whose corners are nodes with masses.
//!
//! In: cells and which boxes are held. Out: nodes, masses, stiffness, rigid motions, and the displacement of any point from those of
//! the nodes, trilinear in each cell.
//! Must hold: every piece is joined through sides of cells, and free as a whole or held at three points that are not in a line: then nothing but
//! rigid motions of the whole has no energy. Cells that share only an edge would be hinges.

use std::collections::HashMap;

use glam::{DMat3, DVec3, UVec3};

use super::cells::Cells;
use super::element::{Stiffness, UNKNOWNS, corner_bits, unit_stiffness};
use super::{ModeLattice, ModeOptions, ReduceError};
use crate::skyline::{Envelope, Skyline};

/// Numbers of the factor: two gigabytes.
const MAX_NUMBERS: usize = 250_000_000;

/// An elastic cube.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// The part of it that is there.
    fill: f64,
    nodes: [u32; 8],
}

/// Cells, nodes and what they are made of.
#[derive(Debug)]
pub(super) struct Lattice {
    cells: Cells,
    elements: Vec<Cell>,
    /// The element of each cell of the grid.
    element_of: HashMap<usize, u32>,
    positions: Vec<DVec3>,
    masses: Vec<f64>,
    /// The number of each node among those that move.
    free: Vec<Option<u32>>,
    free_count: usize,
    stiffness: Stiffness,
    resolution: usize,
}

impl Lattice {
    /// The lattice in some cells.
    pub fn new(cells: Cells, options: &ModeOptions) -> Result<Self, ReduceError> {
        let (grid, size) = (&cells.grid, cells.grid.size);
        let mut numbers: HashMap<UVec3, u32> = HashMap::new();
        let (mut positions, mut masses) = (Vec::new(), Vec::new());
        let (mut elements, mut element_of) = (Vec::new(), HashMap::new());
        for (at, cell) in grid.cells().enumerate().filter(|(at, _)| cells.fill[*at] > 0.0) {
            let fill = cells.fill[at];
            let nodes = std::array::from_fn(|corner| {
                let at = cell + UVec3::from_array(corner_bits(corner).map(|end| end as u32));
                let node = *numbers.entry(at).or_insert_with(|| {
                    positions.push(grid.origin + size * at.as_dvec3());
                    masses.push(0.0);
                    (positions.len() - 1) as u32
                });
                masses[node as usize] += options.density * fill * size.powi(3) / 8.0;
                node
            });
            element_of.insert(at, elements.len() as u32);
            elements.push(Cell { fill, nodes });
        }
        // Nodes on the side of a box are in it.
        let margin = DVec3::splat(1e-9 * size * options.resolution as f64);
        let is_held = |p: &DVec3| {
            options
                .held
                .iter()
                .any(|&[min, max]| (min - margin).cmple(*p).all() && p.cmple(max + margin).all())
        };
        let mut free_count = 0;
        let number = |p: &DVec3| {
            let number = free_count;
            free_count += u32::from(!is_held(p));
            (free_count > number).then_some(number)
        };
        let free: Vec<Option<u32>> = positions.iter().map(number).collect();
        let scale = options.young * size;
        let stiffness = unit_stiffness(options.poisson).map(|row| row.map(|value| scale * value));
        let lattice = Self {
            cells,
            elements,
            element_of,
            positions,
            masses,
            free,
            free_count: free_count as usize,
            stiffness,
            resolution: options.resolution,
        };
        lattice.check_pieces(options.held.is_empty())?;
        Ok(lattice)
    }

    fn check_pieces(&self, flies: bool) -> Result<(), ReduceError> {
        let pieces = self.pieces();
        if flies {
            let is_one = pieces.len() == 1;
            let several = || ReduceError::Pieces { pieces: pieces.len(), resolution: self.resolution };
            return if is_one { Ok(()) } else { Err(several()) };
        }
        for piece in &pieces {
            let nodes = piece.iter().flat_map(|&element| self.elements[element].nodes);
            let held = nodes.filter(|&node| self.free[node as usize].is_none());
            let held: Vec<DVec3> = held.map(|node| self.positions[node as usize]).collect();
            if !spans_a_plane(&held, self.cells.grid.size) {
                let near = self.positions[self.elements[piece[0]].nodes[0] as usize].to_array();
                return Err(ReduceError::Loose { near });
            }
        }
        if self.free_count == 0 { Err(ReduceError::AllHeld) } else { Ok(()) }
    }

    /// Elements that sides connect.
    fn pieces(&self) -> Vec<Vec<usize>> {
        let grid = &self.cells.grid;
        let mut done = vec![false; self.elements.len()];
        let mut pieces = Vec::new();
        for cell in grid.cells() {
            let Some(&first) = self.element_of.get(&grid.index(cell)) else { continue };
            if std::mem::replace(&mut done[first as usize], true) {
                continue;
            }
            let (mut piece, mut open) = (Vec::new(), vec![(cell, first as usize)]);
            while let Some((cell, element)) = open.pop() {
                piece.push(element);
                for next in grid.neighbours(cell) {
                    let Some(&element) = self.element_of.get(&grid.index(next)) else { continue };
                    if !std::mem::replace(&mut done[element as usize], true) {
                        open.push((next, element as usize));
                    }
                }
            }
            pieces.push(piece);
        }
        pieces
    }

    /// Unknowns of the nodes that move: three each.
    pub fn unknowns(&self) -> usize {
        3 * self.free_count
    }

    /// The mass that each unknown moves.
    pub fn unknown_masses(&self) -> Vec<f64> {
        let moving = self.masses.iter().zip(&self.free).filter(|(_, free)| free.is_some());
        moving.flat_map(|(&mass, _)| [mass; 3]).collect()
    }

    /// About the largest square of an angular frequency that there can be.
    pub fn stiffest(&self) -> f64 {
        let stiffest = (0..UNKNOWNS).map(|i| self.stiffness[i][i]).fold(0.0, f64::max);
        let full = self.masses.iter().sum::<f64>() / self.elements.iter().map(|e| e.fill).sum::<f64>();
        8.0 * stiffest / full
    }

    /// Which unknowns an element couples.
    pub fn envelope(&self) -> Result<Envelope, ReduceError> {
        let mut pairs: Vec<[u32; 2]> = Vec::with_capacity(28 * self.elements.len());
        for element in &self.elements {
            let nodes: Vec<u32> = element.nodes.iter().filter_map(|&n| self.free[n as usize]).collect();
            for (i, &a) in nodes.iter().enumerate() {
                pairs.extend(nodes[..i].iter().map(|&b| [a.min(b), a.max(b)]));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        let envelope = Envelope::new(self.free_count, &pairs);
        let needed = envelope.stored(3);
        if needed > MAX_NUMBERS {
            let (resolution, limit) = (self.resolution, MAX_NUMBERS);
            return Err(ReduceError::TooFine { resolution, what: "numbers of a matrix", needed, limit });
        }
        Ok(envelope)
    }

    /// `K + shift M`.
    pub fn shifted<'e>(&self, envelope: &'e Envelope, shift: f64) -> Skyline<'e> {
        let mut matrix = envelope.zeros(3);
        for element in &self.elements {
            for (i, a) in element.nodes.iter().enumerate() {
                let Some(a) = self.free[*a as usize] else { continue };
                for (j, b) in element.nodes[..=i].iter().enumerate() {
                    let Some(b) = self.free[*b as usize] else { continue };
                    let block = |r: usize, c: usize| element.fill * self.stiffness[3 * i + r][3 * j + c];
                    matrix.add([a, b], block);
                }
            }
        }
        for (free, mass) in self.free.iter().zip(&self.masses) {
            let Some(free) = *free else { continue };
            matrix.add([free, free], |r, c| if r == c { shift * mass } else { 0.0 });
        }
        matrix
    }

    /// `K x`.
    pub fn forces(&self, x: &[f64]) -> Vec<f64> {
        let mut forces = vec![0.0; x.len()];
        for element in &self.elements {
            let unknown = |i: usize| self.free[element.nodes[i / 3] as usize].map(|n| 3 * n as usize + i % 3);
            let corners: [f64; UNKNOWNS] = std::array::from_fn(|i| unknown(i).map_or(0.0, |at| x[at]));
            for i in 0..UNKNOWNS {
                let Some(at) = unknown(i) else { continue };
                let row = self.stiffness[i].iter().zip(&corners);
                forces[at] += element.fill * row.map(|(k, u)| k * u).sum::<f64>();
            }
        }
        forces
    }

    /// Three translations and three turns about the center of mass, if nothing is held.
    pub fn rigid_motions(&self) -> Vec<Vec<f64>> {
        if self.free_count < self.positions.len() {
            return Vec::new();
        }
        let center = self.center();
        let axes = [DVec3::X, DVec3::Y, DVec3::Z];
        let motion = |moved: &dyn Fn(DVec3) -> DVec3| -> Vec<f64> {
            self.positions.iter().flat_map(|&p| moved(p - center).to_array()).collect()
        };
        let shifts = axes.map(|axis| motion(&|_| axis));
        let turns = axes.map(|axis| motion(&|p| axis.cross(p)));
        shifts.into_iter().chain(turns).collect()
    }

    /// The longest side of what the lattice is made for.
    pub fn longest(&self) -> f64 {
        self.cells.grid.size * self.resolution as f64
    }

    /// Of everything, held or not.
    pub fn mass(&self) -> f64 {
        self.masses.iter().sum()
    }

    pub fn center(&self) -> DVec3 {
        self.positions.iter().zip(&self.masses).map(|(&p, &mass)| mass * p).sum::<DVec3>() / self.mass()
    }

    /// `sum m (|p|^2 - p p^T)` about the center of mass.
    pub fn inertia(&self) -> DMat3 {
        let center = self.center();
        let about = |p: DVec3| {
            let outer = DMat3::from_cols(p * p.x, p * p.y, p * p.z);
            DMat3::from_diagonal(DVec3::splat(p.length_squared())) - outer
        };
        let terms = self.positions.iter().zip(&self.masses).map(|(&p, &mass)| about(p - center) * mass);
        terms.fold(DMat3::ZERO, |sum, term| sum + term)
    }

    /// What is needed to move any point, given the displacements of the nodes that move, mode by mode.
    pub fn into_mode_lattice(self, displacements: Vec<Vec<DVec3>>) -> ModeLattice {
        let grid = &self.cells.grid;
        let corner = |position: &DVec3| grid.in_cells(*position).round().as_uvec3();
        let moving = self.positions.iter().zip(&self.free).filter(|(_, free)| free.is_some());
        ModeLattice {
            origin: grid.origin,
            size: grid.size,
            counts: grid.counts,
            cells: grid.cells().filter(|&cell| self.cells.fill[grid.index(cell)] > 0.0).collect(),
            nodes: moving.map(|(position, _)| corner(position)).collect(),
            displacements,
        }
    }

    /// Where the nodes take a point; nothing moves a point that is in no cell.
    pub fn displacement(&self, point: DVec3, x: &[f64]) -> DVec3 {
        let grid = &self.cells.grid;
        let at = grid.in_cells(point);
        let Some(cell) = self.cells.around(at) else { return DVec3::ZERO };
        let Some(&element) = self.element_of.get(&grid.index(cell)) else { return DVec3::ZERO };
        let share = (at - cell.as_dvec3()).clamp(DVec3::ZERO, DVec3::ONE);
        let corner = |(corner, &node): (usize, &u32)| {
            let bits = corner_bits(corner);
            let part = |axis: usize| if bits[axis] == 1 { share[axis] } else { 1.0 - share[axis] };
            let moved =
                self.free[node as usize].map_or(DVec3::ZERO, |n| DVec3::from_slice(&x[3 * n as usize..]));
            part(0) * part(1) * part(2) * moved
        };
        self.elements[element as usize].nodes.iter().enumerate().map(corner).sum()
    }
}

/// Whether three of the points, which lie on a grid, are not in a line.
fn spans_a_plane(points: &[DVec3], size: f64) -> bool {
    let Some(&first) = points.first() else { return false };
    let far = |a: &DVec3, b: &DVec3| a.distance_squared(first).total_cmp(&b.distance_squared(first));
    let Some(along) = points.iter().copied().max_by(far).map(|p| p - first) else { return false };
    points.iter().any(|&p| (p - first).cross(along).length() > 1e-3 * size * along.length())
}
