//! How much of each cell of a grid a mesh fills.
//!
//! In: a mesh and a number of cells along its longest side. Out: the cells that its surface touches or encloses, with the part of each
//! that is inside.
//!
//! Triangles are cut into the cells. A point is inside by as many surfaces to the right of it that face right as left, so
//! a piece with area `A` seen along x (negative if it faces left) and mean `x` fills
//!
//! ```text
//! A (x - i)   of its own cell i,   A   of every cell before it in the same row,   in units of cells
//! ```
//!
//! which is exact for closed surfaces, however thin. A surface that is not closed is a sheet with a thickness; what it encloses up to holes
//! smaller than a cell is full.
//! Must hold: every vertex of a triangle lies in one of the cells, or on its side.

use glam::{DVec3, UVec3};
use supple::Mesh;
use supple::mesh::{edge_counts, weld_positions};

use super::{ModeOptions, ReduceError};

/// Cells of the whole grid: a few hundred megabytes.
const MAX_CELLS: usize = 20_000_000;

/// A cell that is only just touched still counts for this part: nothing may hang on nothing.
const LEAST_FILL: f64 = 1e-6;

/// A grid of cubes, x fastest.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The least corner.
    pub origin: DVec3,
    /// Edge of a cell.
    pub size: f64,
    /// Cells along each axis.
    pub counts: UVec3,
}

impl Grid {
    /// Around a mesh, in the middle of it.
    fn around(mesh: &Mesh, resolution: usize) -> Result<Self, ReduceError> {
        let used = mesh.triangles().iter().flatten().map(|&v| mesh.positions()[v as usize].as_dvec3());
        let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
        let [min, max] = used.fold(none, |[min, max], p| [min.min(p), max.max(p)]);
        let longest = (max - min).max_element();
        if !(1e-12..1e15).contains(&longest) {
            return Err(ReduceError::NoSize { longest });
        }
        let size = longest / resolution as f64;
        // A side that is a whole number of cells, up to rounding, needs no more.
        let counts = ((max - min) / size - 1e-6).ceil().max(DVec3::ONE);
        let needed = counts.element_product();
        if needed > MAX_CELLS as f64 {
            let needed = needed as usize;
            return Err(ReduceError::TooFine { resolution, what: "cells", needed, limit: MAX_CELLS });
        }
        let origin = 0.5 * (min + max) - 0.5 * size * counts;
        Ok(Self { origin, size, counts: counts.as_uvec3() })
    }

    /// Where a point is, in cells.
    pub fn in_cells(&self, point: DVec3) -> DVec3 {
        (point - self.origin) / self.size
    }

    /// The cell of a point, in cells; beyond the grid the last one.
    pub fn cell_of(&self, at: DVec3) -> UVec3 {
        at.max(DVec3::ZERO).as_uvec3().min(self.counts - UVec3::ONE)
    }

    pub fn index(&self, cell: UVec3) -> usize {
        let [x, y, z] = cell.to_array().map(|c| c as usize);
        (z * self.counts.y as usize + y) * self.counts.x as usize + x
    }

    fn len(&self) -> usize {
        self.counts.as_u64vec3().element_product() as usize
    }

    /// All cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = UVec3> {
        let UVec3 { x, y, z } = self.counts;
        (0..z).flat_map(move |k| (0..y).flat_map(move |j| (0..x).map(move |i| UVec3::new(i, j, k))))
    }

    /// Up to six cells that share a side with one.
    pub fn neighbours(&self, cell: UVec3) -> impl Iterator<Item = UVec3> {
        let counts = self.counts;
        let axes = [UVec3::X, UVec3::Y, UVec3::Z];
        let before =
            axes.into_iter().filter(move |axis| (cell * axis).max_element() > 0).map(move |a| cell - a);
        before.chain(axes.into_iter().map(move |a| cell + a).filter(move |n| n.cmplt(counts).all()))
    }
}

/// What is in one cell, in units of cells.
#[derive(Clone, Copy, Debug, Default)]
struct Content {
    /// Area of the surface.
    area: f64,
    /// Area seen along x, negative where it faces left.
    facing: f64,
    /// What the pieces of this cell fill of it.
    own: f64,
}

/// A grid and the filled part of its cells; 0 for those that are not there.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    pub grid: Grid,
    pub fill: Vec<f64>,
}

impl Cells {
    /// Of a mesh, as the options say.
    pub fn new(mesh: &Mesh, options: &ModeOptions) -> Result<Self, ReduceError> {
        let grid = Grid::around(mesh, options.resolution)?;
        let mut contents = vec![Content::default(); grid.len()];
        for triangle in mesh.triangles() {
            cut(
                &grid,
                triangle.map(|v| grid.in_cells(mesh.positions()[v as usize].as_dvec3())),
                &mut contents,
            );
        }
        let fill = solid(mesh, &grid, &contents).unwrap_or_else(|| {
            let thickness = options.thickness.unwrap_or(0.01 * grid.size * options.resolution as f64);
            sheet(&grid, &contents, thickness / grid.size)
        });
        let mut cells = Self { grid, fill };
        // Vertices of triangles without area, which fill nothing.
        for &vertex in mesh.triangles().iter().flatten() {
            let at = cells.grid.in_cells(mesh.positions()[vertex as usize].as_dvec3());
            if cells.around(at).is_none() {
                let cell = cells.grid.index(cells.grid.cell_of(at));
                cells.fill[cell] = LEAST_FILL;
            }
        }
        Ok(cells)
    }

    /// A filled cell that a point, in cells, is in or on the side of.
    pub fn around(&self, at: DVec3) -> Option<UVec3> {
        // Rounding of points far from the origin.
        const ON_SIDE: f64 = 1e-9;
        let [least, greatest] = [-ON_SIDE, ON_SIDE].map(|by| self.grid.cell_of(at + by));
        let corner = |i: u32| {
            let far = UVec3::new(i & 1, i >> 1 & 1, i >> 2);
            least * (UVec3::ONE - far) + greatest * far
        };
        (0..8).map(corner).find(|&cell| self.fill[self.grid.index(cell)] > 0.0)
    }
}

/// Filled parts if the surface is closed and holds something.
fn solid(mesh: &Mesh, grid: &Grid, contents: &[Content]) -> Option<Vec<f64>> {
    if !edge_counts(mesh.triangles(), &weld_positions(mesh.positions())).is_closed() {
        return None;
    }
    let row_length = grid.counts.x as usize;
    let mut fill = vec![0.0; contents.len()];
    for (row, contents) in fill.chunks_mut(row_length).zip(contents.chunks(row_length)) {
        let mut beyond = 0.0;
        for (fill, content) in row.iter_mut().zip(contents).rev() {
            *fill = content.own + beyond;
            beyond += content.facing;
        }
        // As much faces right as left, or triangles are not oriented alike.
        if beyond.abs() > 1e-6 {
            return None;
        }
    }
    let (volume, area) = (fill.iter().sum::<f64>(), contents.iter().map(|c| c.area).sum::<f64>());
    // Two sides of one sheet hold nothing.
    if volume.abs() < 1e-6 * area {
        return None;
    }
    for (fill, content) in fill.iter_mut().zip(contents) {
        // Inside out is a thing as well.
        let inside = *fill * volume.signum();
        let touched = content.area > 0.0;
        *fill = if touched { inside.clamp(LEAST_FILL, 1.0) } else { inside.clamp(0.0, 1.0).round() };
    }
    Some(fill)
}

/// Filled parts of a surface that is not closed.
fn sheet(grid: &Grid, contents: &[Content], thickness: f64) -> Vec<f64> {
    let mut outside = vec![false; contents.len()];
    let is_last = |cell: UVec3| (cell + 1).cmpeq(grid.counts).any() || cell.cmpeq(UVec3::ZERO).any();
    let is_free = |cell: UVec3| contents[grid.index(cell)].area == 0.0;
    let mut open: Vec<UVec3> = grid.cells().filter(|&cell| is_last(cell) && is_free(cell)).collect();
    open.iter().for_each(|&cell| outside[grid.index(cell)] = true);
    while let Some(cell) = open.pop() {
        for next in grid.neighbours(cell).filter(|&next| is_free(next)) {
            if !std::mem::replace(&mut outside[grid.index(next)], true) {
                open.push(next);
            }
        }
    }
    let fill = |(content, outside): (&Content, bool)| match outside {
        true => 0.0,
        false if content.area == 0.0 => 1.0,
        false => (content.area * thickness).clamp(LEAST_FILL, 1.0),
    };
    contents.iter().zip(outside).map(fill).collect()
}

/// Cuts a triangle along x, y and z and adds its pieces to the cells they are in.
fn cut(grid: &Grid, triangle: [DVec3; 3], contents: &mut [Content]) {
    slices(grid, 0, &triangle, &mut |x, slab| {
        slices(grid, 1, slab, &mut |y, bar| {
            slices(grid, 2, bar, &mut |z, piece| {
                let content = &mut contents[grid.index(UVec3::new(x, y, z))];
                for i in 1..piece.len() - 1 {
                    let [a, b, c] = [piece[0], piece[i], piece[i + 1]];
                    let normal = 0.5 * (b - a).cross(c - a);
                    content.area += normal.length();
                    content.facing += normal.x;
                    content.own += normal.x * ((a.x + b.x + c.x) / 3.0 - f64::from(x));
                }
            });
        });
    });
}

/// Slices of a convex polygon between whole numbers along an axis, each with the cell it is in. Along a side between two
/// cells it belongs to the second.
fn slices(grid: &Grid, axis: usize, polygon: &[DVec3], slice: &mut dyn FnMut(u32, &[DVec3])) {
    let none = [f64::INFINITY, f64::NEG_INFINITY];
    let [min, max] = polygon.iter().fold(none, |[min, max], p| [min.min(p[axis]), max.max(p[axis])]);
    let cell = |value: f64| (value.max(0.0) as u32).min(grid.counts[axis] - 1);
    let (first, last) = (cell(min), cell(max));
    if first == last {
        return slice(first, polygon);
    }
    for at in first..=last {
        let above = if at == first { polygon.to_vec() } else { kept(polygon, |p| p[axis] - f64::from(at)) };
        let between = if at == last { above } else { kept(&above, |p| f64::from(at + 1) - p[axis]) };
        if between.len() >= 3 {
            slice(at, &between);
        }
    }
}

/// What is left of a convex polygon where a linear function is not negative.
fn kept(polygon: &[DVec3], side: impl Fn(DVec3) -> f64) -> Vec<DVec3> {
    let mut left = Vec::with_capacity(polygon.len() + 1);
    for (i, &from) in polygon.iter().enumerate() {
        let to = polygon[(i + 1) % polygon.len()];
        let (a, b) = (side(from), side(to));
        if a >= 0.0 {
            left.push(from);
        }
        if (a > 0.0 && b < 0.0) || (a < 0.0 && b > 0.0) {
            left.push(from.lerp(to, a / (a - b)));
        }
    }
    left
}
