//! Boxes in one pose or in four, as the processor wants them: rows of eight numbers, four least coordinates and four greatest
//! ones, which are negated. So boxes are united by taking the least number, eight at a time.
//!
//! | rows | lane `i` of row `r` |
//! | --- | --- |
//! | 1 | axis `i` in the one pose; the fourth has no meaning |
//! | 3 | axis `r` in pose `i`; a pose that is not there has the empty box |
//!
//! Must hold: numbers have the bits that boxes of least and greatest corners would have; to negate is exact.

use glam::{Vec3, Vec4};

use crate::simd::Eight;

/// Rows for one pose.
pub(super) const ONE_POSE: usize = 1;
/// Rows for up to four poses.
pub(super) const FOUR_POSES: usize = 3;
/// Lanes of a row.
pub(super) const LANES: usize = 4;

/// A box per pose, in memory.
#[derive(Clone, Copy)]
pub(super) struct Extents<const ROWS: usize>([[f32; 8]; ROWS]);

impl<const ROWS: usize> Extents<ROWS> {
    pub const EMPTY: Self = Self([[f32::INFINITY; 8]; ROWS]);

    /// Of a triangle.
    pub fn new(poses: &[&[Vec3]], triangle: &[u32; 3]) -> Self {
        let mut extents = Self::EMPTY;
        for (pose, positions) in poses.iter().enumerate() {
            let [p, q, r] = triangle.map(|vertex| positions[vertex as usize]);
            let (min, max) = (p.min(q).min(r), p.max(q).max(r));
            for axis in 0..3 {
                let (row, lane) = Self::place(pose, axis);
                extents.0[row][lane] = min[axis];
                extents.0[row][lane + LANES] = -max[axis];
            }
        }
        extents
    }

    pub fn union(mut self, other: &Self) -> Self {
        for (own, other) in self.0.as_flattened_mut().iter_mut().zip(other.0.as_flattened()) {
            *own = own.min(*other);
        }
        self
    }

    /// The row and lane of an axis in a pose.
    #[inline(always)]
    pub fn place(pose: usize, axis: usize) -> (usize, usize) {
        if ROWS == ONE_POSE { (0, axis) } else { (axis, pose) }
    }

    /// One coordinate of the center. Halved first: the sum of two large coordinates may overflow.
    #[inline(always)]
    pub fn center(&self, row: usize, lane: usize) -> f32 {
        self.0[row][lane] * 0.5 - self.0[row][lane + LANES] * 0.5
    }
}

/// A box per pose, in registers.
#[derive(Clone, Copy)]
pub(super) struct Registers<E, const ROWS: usize>([E; ROWS]);

impl<E: Eight, const ROWS: usize> Registers<E, ROWS> {
    #[inline(always)]
    pub fn empty() -> Self {
        Self([E::all(f32::INFINITY); ROWS])
    }

    #[inline(always)]
    pub fn load(extents: &Extents<ROWS>) -> Self {
        let mut rows = [E::all(0.0); ROWS];
        for row in 0..ROWS {
            rows[row] = E::load(&extents.0[row]);
        }
        Self(rows)
    }

    #[inline(always)]
    pub fn store(self, extents: &mut Extents<ROWS>) {
        for row in 0..ROWS {
            self.0[row].store(&mut extents.0[row]);
        }
    }

    #[inline(always)]
    pub fn union(mut self, other: Self) -> Self {
        for row in 0..ROWS {
            self.0[row] = self.0[row].least(other.0[row]);
        }
        self
    }

    /// Centers, row by row, as [`Extents::center`].
    #[inline(always)]
    pub fn centers(self) -> [Vec4; ROWS] {
        let mut centers = [Vec4::ZERO; ROWS];
        for row in 0..ROWS {
            let [least, negated] = self.0[row].split();
            centers[row] = least * 0.5 - negated * 0.5;
        }
        centers
    }

    /// Half of the surface area in each pose; 0 where there is none.
    #[inline(always)]
    pub fn half_areas(self) -> Vec4 {
        let mut sides = [Vec4::ZERO; ROWS];
        for row in 0..ROWS {
            let [least, negated] = self.0[row].split();
            sides[row] = (-negated - least).max(Vec4::ZERO);
        }
        match sides[..] {
            [x, y, z] => x * y + y * z + z * x,
            [d] => Vec4::X * (d.x * d.y + d.y * d.z + d.z * d.x),
            _ => Vec4::ZERO,
        }
    }
}
