//! From the implicit surface to a first, dense mesh by surface nets on a regular grid.
//!
//! In: clay. Out: positions and triangles, outward oriented, closed and manifold. Only blocks near the surface are
//! sampled; the others are filled with one value, which has the right sign.
//!
//! Based on: Sarah Gibson, Constrained elastic surface nets, 1998, through the crate `fast-surface-nets`.

use fast_surface_nets::ndshape::{RuntimeShape, Shape};
use fast_surface_nets::{SurfaceNetsBuffer, surface_nets};
use glam::{DVec3, Vec3};

use super::Clay;
use super::clay::{Near, triples};

/// Cells per block along each axis.
pub(crate) const CELLS_PER_BLOCK: usize = 4;

/// Positions and triangles of the dense mesh.
pub(crate) fn polygonize(clay: &Clay) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    let mut samples = Samples::new(clay);
    while samples.fill_ambiguous_cells(clay) {}
    let mut net = SurfaceNetsBuffer::default();
    let last = samples.shape.as_array().map(|n| n - 1);
    surface_nets(&samples.values, &samples.shape, [0; 3], last, &mut net);
    let position = |p: &[f32; 3]| samples.origin + Vec3::from_array(*p).as_dvec3() * samples.cell;
    let (triples, _) = net.indices.as_chunks::<3>();
    (net.positions.iter().map(position).collect(), largest_piece(net.positions.len(), triples))
}

/// Triangles of the piece that has most of them. Lumps may enclose a bubble; nobody sees its walls.
fn largest_piece(vertices: usize, triangles: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let mut leader: Vec<u32> = (0..vertices as u32).collect();
    let find = |leader: &mut Vec<u32>, mut v: u32| {
        while leader[v as usize] != v {
            leader[v as usize] = leader[leader[v as usize] as usize];
            v = leader[v as usize];
        }
        v
    };
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c)] {
            let (from, to) = (find(&mut leader, from), find(&mut leader, to));
            leader[from.max(to) as usize] = from.min(to);
        }
    }
    let pieces: Vec<u32> = triangles.iter().map(|t| find(&mut leader, t[0])).collect();
    let mut sizes = vec![0usize; vertices];
    pieces.iter().for_each(|&piece| sizes[piece as usize] += 1);
    let largest = (0..vertices).rev().max_by_key(|&piece| sizes[piece]);
    let kept = triangles.iter().zip(&pieces).filter(|&(_, &piece)| Some(piece as usize) == largest);
    kept.map(|(triangle, _)| *triangle).collect()
}

/// Signed distances on a grid, with one layer of outside samples around.
struct Samples {
    shape: RuntimeShape<u32, 3>,
    values: Vec<f32>,
    origin: DVec3,
    cell: f64,
}

impl Samples {
    fn new(clay: &Clay) -> Self {
        let cell = (clay.corner([1, 0, 0]).x - clay.corner([0; 3]).x) / CELLS_PER_BLOCK as f64;
        let shape = RuntimeShape::<u32, 3>::new(clay.blocks().map(|n| (n * CELLS_PER_BLOCK + 2) as u32));
        let values = vec![1.0f32; shape.usize()];
        let mut samples = Self { shape, values, origin: clay.corner([0; 3]) - cell, cell };
        for block in triples(clay.blocks()) {
            samples.fill_block(clay, block);
        }
        samples
    }

    fn fill_block(&mut self, clay: &Clay, block: [usize; 3]) {
        let (corner, near) = (clay.corner(block), clay.near(block));
        for local in triples([CELLS_PER_BLOCK; 3]) {
            let offset = DVec3::from_array(local.map(|i| i as f64)) * self.cell;
            let value = match near {
                Near::Lumps(lumps) => clay.distance_to(lumps, corner + offset),
                Near::Nothing(sign) => *sign,
            };
            let at = [0, 1, 2].map(|axis| (block[axis] * CELLS_PER_BLOCK + local[axis] + 1) as u32);
            self.values[self.shape.linearize(at) as usize] = value as f32;
        }
    }

    /// Fills one corner of every cell in which inside or outside corners hang together only across a diagonal: there
    /// the net would not be manifold. Filling only adds clay, so repeating it ends. True if something was filled.
    fn fill_ambiguous_cells(&mut self, clay: &Clay) -> bool {
        let mut changed = false;
        for block in triples(clay.blocks()) {
            if matches!(clay.near(block), Near::Nothing(_)) {
                continue;
            }
            for local in triples([CELLS_PER_BLOCK; 3]) {
                let at = [0, 1, 2].map(|axis| (block[axis] * CELLS_PER_BLOCK + local[axis]) as u32);
                changed |= self.fill_if_ambiguous(at);
            }
        }
        changed
    }

    fn fill_if_ambiguous(&mut self, at: [u32; 3]) -> bool {
        let corner =
            |c: u32| self.shape.linearize([at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)]) as usize;
        let corners: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7].map(corner);
        let inside = (0..8).filter(|&c| self.values[corners[c]] < 0.0).fold(0u8, |mask, c| mask | 1 << c);
        if hangs_together(inside) && hangs_together(!inside) {
            return false;
        }
        let outside = corners.into_iter().filter(|&c| self.values[c] >= 0.0);
        if let Some(nearest) = outside.min_by(|&a, &b| self.values[a].total_cmp(&self.values[b])) {
            self.values[nearest] = -1e-3 * self.cell as f32;
        }
        true
    }
}

/// Whether the corners of a cube in the mask are connected along its edges.
fn hangs_together(mask: u8) -> bool {
    let mut reached = mask & mask.wrapping_neg();
    loop {
        // Neighbours along x, y and z differ in one bit of the corner's number.
        let along_x = (reached & 0x55) << 1 | (reached & 0xAA) >> 1;
        let along_y = (reached & 0x33) << 2 | (reached & 0xCC) >> 2;
        let along_z = reached.rotate_left(4);
        let grown = (reached | along_x | along_y | along_z) & mask;
        if grown == reached {
            return reached == mask;
        }
        reached = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sculpt::{Primitive, Surface};

    #[test]
    fn corners_across_a_diagonal_do_not_hang_together() {
        assert!(hangs_together(0) && hangs_together(0b11) && hangs_together(0xFF) && hangs_together(0b1011));
        assert!(!hangs_together(0b1001) && !hangs_together(0b1000_0001));
    }

    #[test]
    fn spheres_that_almost_touch_give_a_manifold() {
        for gap in 0..40 {
            let position = DVec3::new(1.0, 0.7, 0.4).normalize() * (2.0 + 0.005 * f64::from(gap));
            let spheres = [DVec3::ZERO, position].map(|center| Primitive::sphere(center, 1.0).blend(0.0));
            let (positions, triangles) = polygonize(&Clay::new(spheres.to_vec(), 0.8));
            assert!(Surface::new(positions, &triangles).is_some(), "gap {gap}");
        }
    }
}
