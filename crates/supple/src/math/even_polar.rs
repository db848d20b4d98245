//! Polar decomposition of four matrices at a time, where all axes are scaled evenly: the joints of almost every character.
//!
//! In: any finite matrices. Out: which of them are a rotation times a uniform scale; rotation and scale of those.
//! Must hold: the bits are those of [`polar`](super::polar), which says what counts as even.

use super::polar::UNIFORM_TOLERANCE;
use crate::simd::Four;

/// Three numbers for each of four matrices.
type Vector<F> = [F; 3];

/// Four matrices, where they are even.
#[derive(Clone, Copy)]
pub(crate) struct EvenPolar<F> {
    /// Bit `i` is set where matrix `i` is even. The other numbers have no meaning where it is not.
    pub even: u8,
    /// Unit quaternions: x, y, z, w.
    pub rotation: [F; 4],
    /// Negative where a matrix mirrors.
    pub scale: F,
}

impl<F: Four> EvenPolar<F> {
    /// Of four matrices with these columns.
    ///
    /// ```text
    /// s^2 = (|x|^2 + |y|^2 + |z|^2) / 3
    /// even where |<x, y>|, |<x, z>|, |<y, z>|, ||x|^2 - s^2|, ||y|^2 - s^2|, ||z|^2 - s^2| <= tolerance s^2
    /// ```
    #[inline(always)]
    pub fn new([x, y, z]: [Vector<F>; 3]) -> Self {
        let (xx, yy, zz) = (dot(x, x), dot(y, y), dot(z, z));
        let s_sq = xx.plus(yy).plus(zz).over(F::all(3.0));
        let tolerance = F::all(UNIFORM_TOLERANCE).times(s_sq);
        let near = |value: F, wanted: F| value.minus(wanted).abs().at_most(tolerance);
        let zero = F::all(0.0);
        let right = F::both(F::both(near(dot(x, y), zero), near(dot(x, z), zero)), near(dot(y, z), zero));
        let equal = F::both(F::both(near(xx, s_sq), near(yy, s_sq)), near(zz, s_sq));
        let in_range = F::both(F::all(1e-200).at_most(s_sq), s_sq.below(F::all(1e200)));
        let even = F::bits(F::both(F::both(right, equal), in_range));

        let one = F::all(1.0);
        let unscaled = s_sq.minus(one).abs().at_most(F::all(UNIFORM_TOLERANCE));
        let length = F::choose(unscaled, one, s_sq.root());
        let mirrored = dot(x, cross(y, z)).below(zero);
        let scale = F::choose(mirrored, length.negated(), length);
        let share = one.over(scale);
        let unit = |v: Vector<F>| [v[0].times(share), v[1].times(share), v[2].times(share)];
        Self { even, rotation: quaternion([unit(x), unit(y), unit(z)]), scale }
    }
}

/// As glam turns a rotation matrix with these columns into a quaternion, which is then made one of unit length: the largest of
/// its four numbers comes from the diagonal, the others from what is beside it.
#[inline(always)]
fn quaternion<F: Four>([x, y, z]: [Vector<F>; 3]) -> [F; 4] {
    let (zero, one) = (F::all(0.0), F::all(1.0));
    let (difference, sum) = (y[1].minus(x[0]), y[1].plus(x[0]));
    let (less, more) = (one.minus(z[2]), one.plus(z[2]));
    // Whether x or y is the largest, or z or w; whether x, of x and y; whether z, of z and w.
    let (in_plane, by_x, by_z) = (z[2].at_most(zero), difference.at_most(zero), sum.at_most(zero));
    let choose = |if_x: F, if_y: F, if_z: F, if_w: F| {
        F::choose(in_plane, F::choose(by_x, if_x, if_y), F::choose(by_z, if_z, if_w))
    };
    let square = choose(less.minus(difference), less.plus(difference), more.minus(sum), more.plus(sum));
    let (xy, xz, yz) = (x[1].plus(y[0]), x[2].plus(z[0]), y[2].plus(z[1]));
    let (wx, wy, wz) = (y[2].minus(z[1]), z[0].minus(x[2]), x[1].minus(y[0]));
    let share = F::all(0.5).over(square.root());
    let q = [
        choose(square, xy, xz, wx).times(share),
        choose(xy, square, yz, wy).times(share),
        choose(xz, yz, square, wz).times(share),
        choose(wx, wy, wz, square).times(share),
    ];
    let length_sq = q[0].times(q[0]).plus(q[1].times(q[1])).plus(q[2].times(q[2])).plus(q[3].times(q[3]));
    let share = one.over(length_sq.root());
    [q[0].times(share), q[1].times(share), q[2].times(share), q[3].times(share)]
}

#[inline(always)]
fn dot<F: Four>(a: Vector<F>, b: Vector<F>) -> F {
    a[0].times(b[0]).plus(a[1].times(b[1])).plus(a[2].times(b[2]))
}

#[inline(always)]
fn cross<F: Four>(a: Vector<F>, b: Vector<F>) -> Vector<F> {
    let row = |i: usize, j: usize| a[i].times(b[j]).minus(b[i].times(a[j]));
    [row(1, 2), row(2, 0), row(0, 1)]
}

#[cfg(test)]
#[path = "../../tests/inside/math/even_polar.rs"]
mod tests;
