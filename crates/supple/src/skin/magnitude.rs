//! How large the numbers of a pose's joints are, eight joints at a time.

use glam::Vec4;

use super::Magnitude;
use super::weighted_sum::Block;
use crate::simd::{self, Eight, Kernel};

impl Magnitude {
    /// Of a joint that moves points within a distance `rest` of the origin.
    pub(crate) fn of_joint(matrix: &Block<2>, rest: f32) -> Self {
        let column = |i: usize| {
            let [x, y, z] = [0, 1, 2].map(|row| matrix[i / 2][4 * (i % 2) + row].abs());
            x + y + z
        };
        let stretch = column(0) + column(1) + column(2);
        Self { stretched: stretch * rest, translation: column(3), rest, stretch }
    }

    /// The largest of joints that move points, and a number that no number of any joint exceeds; it is not finite where one
    /// is not. Joint `i` moves points within a distance `radii[i]` of the origin, none if that is negative; all may be displaced.
    pub(crate) fn of_joints(matrices: &[Block<2>], radii: &[f32], displacement: f32) -> (Self, f32) {
        simd::run(Magnitudes { matrices, radii, displacement })
    }
}

struct Magnitudes<'a> {
    matrices: &'a [Block<2>],
    radii: &'a [f32],
    displacement: f32,
}

/// In each lane what is known of every eighth joint.
#[derive(Clone, Copy)]
struct Gathered<E> {
    stretched: E,
    translation: E,
    rest: E,
    stretch: E,
    total: E,
}

impl Kernel for Magnitudes<'_> {
    type Output = (Magnitude, f32);

    #[inline(always)]
    fn run<E: Eight>(self) -> (Magnitude, f32) {
        let zero = E::all(0.0);
        let mut most =
            Gathered { stretched: zero, translation: zero, rest: zero, stretch: zero, total: zero };
        let (matrices, last_matrices) = self.matrices.as_chunks::<8>();
        let (radii, last_radii) = self.radii.as_chunks::<8>();
        for (matrices, radii) in matrices.iter().zip(radii) {
            most.add(matrices, radii, self.displacement);
        }
        if !last_matrices.is_empty() {
            let (mut matrices, mut radii) = ([Block::default(); 8], [-1.0; 8]);
            matrices[..last_matrices.len()].copy_from_slice(last_matrices);
            radii[..last_radii.len()].copy_from_slice(last_radii);
            most.add(&matrices, &radii, self.displacement);
        }
        let magnitude = Magnitude {
            stretched: largest(most.stretched),
            translation: largest(most.translation),
            rest: largest(most.rest),
            stretch: largest(most.stretch),
        };
        let mut totals = [0.0; 8];
        most.total.store(&mut totals);
        (magnitude, totals.iter().sum())
    }
}

impl<E: Eight> Gathered<E> {
    #[inline(always)]
    fn add(&mut self, matrices: &[Block<2>; 8], radii: &[f32; 8], displacement: f32) {
        let [x, y, z, translation] = [
            sums::<E>(matrices, 0, 0),
            sums::<E>(matrices, 0, 4),
            sums::<E>(matrices, 1, 0),
            sums::<E>(matrices, 1, 4),
        ];
        let stretch = x.plus(y).plus(z);
        let rest = E::load(radii).greatest(E::all(0.0)).plus(E::all(displacement));
        let stretched = stretch.times(rest);
        self.total = self.total.plus(stretch).plus(rest).plus(stretched).plus(translation);
        // 1 or 0: joints that move nothing do not count.
        let counts = E::load(&radii.map(|radius| if radius >= 0.0 { 1.0 } else { 0.0 }));
        self.stretched = self.stretched.greatest(stretched.times(counts));
        self.translation = self.translation.greatest(translation.times(counts));
        self.rest = self.rest.greatest(rest.times(counts));
        self.stretch = self.stretch.greatest(stretch.times(counts));
    }
}

/// Sums of the absolute values of one column of eight matrices.
#[inline(always)]
fn sums<E: Eight>(matrices: &[Block<2>; 8], half: usize, first: usize) -> E {
    let column = |joint: usize| Vec4::from_slice(&matrices[joint][half][first..first + 4]);
    let columns = [column(0), column(1), column(2), column(3), column(4), column(5), column(6), column(7)];
    let [x, y, z] = E::coordinates(&columns);
    x.abs().plus(y.abs()).plus(z.abs())
}

#[inline(always)]
fn largest<E: Eight>(lanes: E) -> f32 {
    let [low, high] = lanes.split();
    low.max(high).max_element()
}

#[cfg(test)]
#[path = "../../tests/inside/skin/magnitude.rs"]
mod tests;
