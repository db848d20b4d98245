//! From bytes to modes and back, and the choice of units and corrections.
//!
//! Must hold: bytes that are not such a file are `None`, never a panic.

use std::collections::HashMap;

use glam::{DVec3, UVec3, Vec3};

use super::bits::Bits;
use super::{Axis, Correction, Grid, ModeData, index, product, varint};

/// Cells of a grid: far more than the zoo has, far less than memory.
const MAX_CELLS: u64 = 1 << 24;

impl ModeData {
    /// Rounds the displacements of a lattice to `width` bytes: `cells` are filled, `nodes` move, and `displacements` say how far,
    /// mode by mode.
    ///
    /// # Panics
    /// Cells or nodes that are not in the grid; a width that is not 1 to 8.
    pub fn new(
        (origin, size, counts): (DVec3, f64, UVec3),
        cells: &[UVec3],
        nodes: &[UVec3],
        displacements: &[Vec<DVec3>],
        width: usize,
    ) -> Self {
        assert!((1..=8).contains(&width), "numbers of 1 to 8 bytes");
        let mut filled = Bits::zeros(product(counts));
        cells.iter().for_each(|&cell| filled.set(index(cell, counts)));
        let mut moving = Bits::zeros(product(counts + 1));
        let numbers: Vec<usize> = nodes.iter().map(|&node| index(node, counts + 1)).collect();
        numbers.iter().for_each(|&node| moving.set(node));
        let mut order: Vec<usize> = (0..nodes.len()).collect();
        order.sort_by_key(|&node| numbers[node]);
        let axis = |mode: &[DVec3], axis: usize| {
            let largest = mode.iter().map(|d| d[axis].abs()).fold(f64::MIN_POSITIVE, f64::max);
            // The least power of two in whose units the largest number still fits.
            let exponent = largest.log2().floor() as i32 + 2 - 8 * width as i32;
            let limit = i64::MAX >> (64 - 8 * width);
            let number = |d: f64| ((d * 2f64.powi(-exponent)).round() as i64).clamp(-limit, limit);
            Axis { exponent, numbers: order.iter().map(|&node| number(mode[node][axis])).collect() }
        };
        let modes = displacements.iter().map(|mode| [0, 1, 2].map(|i| axis(mode, i))).collect();
        let grid = Grid { origin, size, counts };
        Self { grid, filled, moving, width, modes, corrections: Vec::new() }
    }

    /// With corrections that make the displacements of some positions, mode by mode, exactly these; those of vertices that are not
    /// listed are zero.
    #[must_use]
    pub fn corrected(mut self, positions: &[Vec3], exact: &[Vec<(u32, Vec3)>]) -> Self {
        self.corrections.clear();
        for (mode, (found, exact)) in self.rounded(positions).iter().zip(exact).enumerate() {
            let exact: HashMap<u32, Vec3> = exact.iter().copied().collect();
            for (vertex, found) in found.iter().enumerate() {
                let wanted = exact.get(&(vertex as u32)).copied().unwrap_or_default();
                for axis in 0..3 {
                    let by = wanted[axis].to_bits().wrapping_sub(found[axis].to_bits()) as i32;
                    if by != 0 {
                        let index = 3 * (mode * positions.len() + vertex) + axis;
                        self.corrections.push(Correction { index, by });
                    }
                }
            }
        }
        self
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let Grid { origin, size, counts } = &self.grid;
        origin.to_array().iter().chain([size]).for_each(|x| bytes.extend(x.to_le_bytes()));
        let header = [counts.x, counts.y, counts.z, self.modes.len() as u32, self.width as u32];
        header.iter().for_each(|n| bytes.extend(n.to_le_bytes()));
        bytes.extend(self.filled.as_bytes());
        bytes.extend(self.moving.as_bytes());
        for axis in self.modes.iter().flatten() {
            bytes.extend(axis.exponent.to_le_bytes());
            axis.numbers.iter().for_each(|n| bytes.extend(&n.to_le_bytes()[..self.width]));
        }
        let mut next = 0;
        for correction in &self.corrections {
            varint::write((correction.index - next) as u64, &mut bytes);
            varint::write(varint::from_signed(correction.by), &mut bytes);
            next = correction.index;
        }
        bytes
    }

    /// Modes of a file; none if the bytes are something else.
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let input = &mut bytes;
        let [x, y, z, size] =
            [word(input)?, word(input)?, word(input)?, word(input)?].map(f64::from_le_bytes);
        let header = [word(input)?, word(input)?, word(input)?, word(input)?, word(input)?];
        let [columns, rows, layers, modes, width] = header.map(u32::from_le_bytes);
        let cells =
            [columns, rows, layers].iter().try_fold(1u64, |product, &n| product.checked_mul(n.into()))?;
        if !(1..=MAX_CELLS).contains(&cells) || !(1..=8).contains(&width) {
            return None;
        }
        let counts = UVec3::new(columns, rows, layers);
        let filled = Bits::from_bytes(take(input, Bits::bytes_for(product(counts)))?);
        let moving = Bits::from_bytes(take(input, Bits::bytes_for(product(counts + 1)))?);
        let width = width as usize;
        let mut axis = || {
            let exponent = i32::from_le_bytes(word(input)?);
            let numbers = take(input, moving.count().checked_mul(width)?)?.chunks_exact(width).map(signed);
            Some(Axis { exponent, numbers: numbers.collect() })
        };
        let modes = (0..modes).map(|_| Some([axis()?, axis()?, axis()?])).collect::<Option<_>>()?;
        let mut corrections = Vec::new();
        let mut next = 0usize;
        while !input.is_empty() {
            next = next.checked_add(usize::try_from(varint::read(input)?).ok()?)?;
            corrections.push(Correction { index: next, by: varint::to_signed(varint::read(input)?)? });
        }
        let grid = Grid { origin: DVec3::new(x, y, z), size, counts };
        Some(Self { grid, filled, moving, width, modes, corrections })
    }
}

fn take<'a>(input: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (taken, rest) = input.split_at_checked(count)?;
    *input = rest;
    Some(taken)
}

fn word<const N: usize>(input: &mut &[u8]) -> Option<[u8; N]> {
    take(input, N)?.try_into().ok()
}

/// A signed number of up to eight bytes.
fn signed(bytes: &[u8]) -> i64 {
    let mut whole = [0; 8];
    whole[8 - bytes.len()..].copy_from_slice(bytes);
    i64::from_le_bytes(whole) >> (64 - 8 * bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Displaced vertices of each mode.
    type Exact = Vec<Vec<(u32, Vec3)>>;

    fn data() -> (ModeData, Vec<Vec3>, Exact) {
        let counts = UVec3::new(2, 1, 1);
        let cells = [UVec3::ZERO];
        let nodes: Vec<UVec3> = [[1, 1, 1], [0, 0, 0], [1, 0, 0]].map(UVec3::from_array).to_vec();
        let modes = vec![vec![DVec3::new(1.0, -0.3, 1e-7), DVec3::new(0.1, 0.2, 3e-9), DVec3::ZERO]];
        let positions =
            vec![Vec3::ZERO, Vec3::splat(0.25), Vec3::new(1.0, 1.0, 1.0), Vec3::new(1.7, 0.0, 0.0)];
        let exact = vec![vec![(0, Vec3::new(0.1, 0.2, 3e-9)), (1, Vec3::X), (2, Vec3::new(1.0, -0.3, 1e-7))]];
        (ModeData::new((DVec3::ZERO, 1.0, counts), &cells, &nodes, &modes, 4), positions, exact)
    }

    #[test]
    fn nodes_move_what_is_between_them() {
        let (data, positions, _) = data();
        let [found] = &data.displacements(&positions)[..] else { panic!("one mode") };
        let near = |found: Vec3, wanted: Vec3| found.distance(wanted) < 1e-8;
        assert!(near(found[0], Vec3::new(0.1, 0.2, 3e-9)) && near(found[2], Vec3::new(1.0, -0.3, 1e-7)));
        // Corners without a node are held.
        let (first, last) = (0.75f32.powi(3), 0.25f32.powi(3));
        assert!(near(found[1], first * Vec3::new(0.1, 0.2, 3e-9) + last * Vec3::new(1.0, -0.3, 1e-7)));
        assert_eq!(found[3], Vec3::ZERO, "a cell that is not filled");
    }

    #[test]
    fn corrections_make_it_exact_and_survive() {
        let (data, positions, exact) = data();
        let corrected = data.corrected(&positions, &exact);
        let read = ModeData::from_bytes(&corrected.to_bytes()).unwrap();
        assert_eq!(read, corrected);
        assert!(!read.corrections.is_empty());
        let dense = [exact[0][0].1, Vec3::X, exact[0][2].1, Vec3::ZERO];
        assert_eq!(read.displacements(&positions), [dense.to_vec()]);
        // Of another mesh: nonsense, but no panic.
        read.displacements(&positions[..1]);
        read.displacements(&[]);
    }

    #[test]
    fn other_bytes_are_refused() {
        let (data, positions, exact) = data();
        let bytes = data.corrected(&positions, &exact).to_bytes();
        let header = 32 + 20;
        assert!((0..header + 10).all(|end| ModeData::from_bytes(&bytes[..end]).is_none()));
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                if let Some(data) = ModeData::from_bytes(&changed) {
                    data.displacements(&positions);
                }
            }
        }
    }
}
