//! Joint matrices taken apart into rigid parts and stretches, four at a time: `C_i = R_i S_i + t_i`.
//!
//! In: matrices, and which of them are new. Out: for those the rigid part, as a dual quaternion and as a matrix; stretches of
//! joints that have one.
//! Must hold: the bits are those of `polar` and `DualQuat`, joint by joint.

use glam::{DAffine3, DMat3, DVec3, Mat4, Vec4};

use super::palette::column_vectors;
use super::weighted_sum::Block;
use crate::math::{EvenPolar, polar};
use crate::pose::columns;
use crate::simd::{Eight, Four, Kernel};

/// Takes some joints apart.
pub(super) struct TakeApart<'a> {
    pub matrices: &'a [Block<2>],
    /// Which joints.
    pub chosen: &'a [u32],
    pub dual_quaternions: &'a mut [Block<1>],
    pub rigid_matrices: &'a mut [Block<2>],
    /// Joints with a stretch that is not 1 are added.
    pub stretches: &'a mut Vec<(u32, Block<2>)>,
}

impl Kernel for TakeApart<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(mut self) {
        for four in self.chosen.chunks(4) {
            // The last ones count twice where there are less than four.
            let joint = |lane: usize| four[lane.min(four.len() - 1)] as usize;
            let joints = [joint(0), joint(1), joint(2), joint(3)];
            let rotation = self.rotations::<E::Four>(joints, four.len());
            self.write(joints, rotation);
        }
    }
}

/// Four joints in f64, each number for all of them.
type Numbers<F> = [F; 4];

impl TakeApart<'_> {
    /// One column of four joints: x, y, z.
    #[inline(always)]
    fn column<F: Four>(&self, joints: [usize; 4], half: usize, first: usize) -> [F; 3] {
        let column = |lane: usize| Vec4::from_slice(&self.matrices[joints[lane]][half][first..first + 4]);
        let rows = Mat4::from_cols(column(0), column(1), column(2), column(3)).transpose();
        [F::widened(rows.x_axis), F::widened(rows.y_axis), F::widened(rows.z_axis)]
    }

    /// Quaternions of four joints; notes stretches of the first `count`.
    #[inline(always)]
    fn rotations<F: Four>(&mut self, joints: [usize; 4], count: usize) -> Numbers<F> {
        let matrix = [self.column(joints, 0, 0), self.column(joints, 0, 4), self.column(joints, 1, 0)];
        let EvenPolar { even, rotation, scale } = EvenPolar::<F>::new(matrix);
        let mut scales = [0.0; 4];
        scale.store(&mut scales);
        if even == 0b1111 && scales == [1.0; 4] {
            return rotation;
        }
        let mut numbers = [[0.0; 4]; 4];
        for k in 0..4 {
            rotation[k].store(&mut numbers[k]);
        }
        for lane in 0..4 {
            let joint = joints[lane];
            let stretch = if even & 1 << lane != 0 {
                DMat3::from_diagonal(DVec3::splat(scales[lane]))
            } else {
                let [x, y, z, _] = column_vectors(&self.matrices[joint]).map(|c| c.truncate().as_dvec3());
                let (rotation, stretch) = polar(DMat3::from_cols(x, y, z));
                for (k, number) in rotation.to_array().into_iter().enumerate() {
                    numbers[k][lane] = number;
                }
                stretch
            };
            if lane < count && stretch != DMat3::IDENTITY {
                let stretch = columns(&DAffine3::from_mat3(stretch).as_affine3a());
                self.stretches.push((joint as u32, stretch));
            }
        }
        [F::load(&numbers[0]), F::load(&numbers[1]), F::load(&numbers[2]), F::load(&numbers[3])]
    }

    /// Writes what the vertex functions read, from quaternions of four joints.
    ///
    /// ```text
    /// dual = (0, t / 2) (q_v, q_w)          matrix = 1 + 2 (...)
    /// ```
    #[inline(always)]
    fn write<F: Four>(&mut self, joints: [usize; 4], [x, y, z, w]: Numbers<F>) {
        let (zero, half, one) = (F::all(0.0), F::all(0.5), F::all(1.0));
        let translation = self.column::<F>(joints, 1, 4);
        let [a, b, c] = [translation[0].times(half), translation[1].times(half), translation[2].times(half)];
        let real = transposed([x, y, z, w]);
        // A product of quaternions as `DualQuat` has it: products with 0 keep the signs of zeros.
        let dual = transposed([
            x.times(zero).plus(a.times(w)).plus(b.times(z).minus(y.times(c))),
            y.times(zero).plus(b.times(w)).plus(c.times(x).minus(z.times(a))),
            z.times(zero).plus(c.times(w)).plus(a.times(y).minus(x.times(b))),
            zero.times(w).minus(a.times(x).plus(b.times(y)).plus(c.times(z))),
        ]);
        let (x2, y2, z2) = (x.plus(x), y.plus(y), z.plus(z));
        let (xx, xy, xz) = (x.times(x2), x.times(y2), x.times(z2));
        let (yy, yz, zz) = (y.times(y2), y.times(z2), z.times(z2));
        let (wx, wy, wz) = (w.times(x2), w.times(y2), w.times(z2));
        let first = transposed([one.minus(yy.plus(zz)), xy.plus(wz), xz.minus(wy), zero]);
        let second = transposed([xy.minus(wz), one.minus(xx.plus(zz)), yz.plus(wx), zero]);
        let third = transposed([xz.plus(wy), yz.minus(wx), one.minus(xx.plus(yy)), zero]);
        for lane in 0..4 {
            let joint = joints[lane];
            let [quaternion] = &mut self.dual_quaternions[joint];
            real[lane].write_to_slice(&mut quaternion[..4]);
            dual[lane].write_to_slice(&mut quaternion[4..]);
            let [xy, zt] = &mut self.rigid_matrices[joint];
            first[lane].write_to_slice(&mut xy[..4]);
            second[lane].write_to_slice(&mut xy[4..]);
            third[lane].write_to_slice(&mut zt[..4]);
            zt[4..].copy_from_slice(&self.matrices[joint][1][4..]);
        }
    }
}

/// Rounded, and joint by joint.
#[inline(always)]
fn transposed<F: Four>([a, b, c, d]: Numbers<F>) -> [Vec4; 4] {
    let m = Mat4::from_cols(a.rounded(), b.rounded(), c.rounded(), d.rounded()).transpose();
    [m.x_axis, m.y_axis, m.z_axis, m.w_axis]
}

#[cfg(test)]
#[path = "../../tests/inside/skin/rigid_parts.rs"]
mod tests;
