//! Eight vertices side by side, a lane each: sums over their joints, and small vectors.
//!
//! In: the joints of a block of vertices, and per joint a weight for each lane. Out: per lane the numbers that the functions of
//! one vertex compute.
//! Must hold: per lane the same operations in the same order as for one vertex. A joint that a lane does not have weighs 0 there; adding 0
//! times a finite number changes no bit of a sum that began with +0, because such a sum is never -0.
//!
//! An operation below is one instruction for eight vertices; a joint of a block costs a broadcast load, a multiplication and an
//! addition per number.

use super::weighted_sum::Block;
use crate::simd::Eight;

/// Joints of eight vertices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightWeights<'a> {
    pub joints: &'a [u32],
    /// Per joint, lane by lane; 0 where a vertex does not have it.
    pub weights: &'a [[f32; 8]],
}

/// Points or vectors, axis by axis.
pub(crate) type Three<E> = [E; 3];

impl EightWeights<'_> {
    /// `sum_i w_i M_i` of matrices in columns of four: twelve numbers per lane.
    #[inline(always)]
    pub(super) fn blended_matrix<E: Eight>(&self, matrices: &[Block<2>]) -> [Three<E>; 4] {
        let zero = E::all(0.0);
        let (mut x, mut y, mut z, mut t) = ([zero; 3], [zero; 3], [zero; 3], [zero; 3]);
        for (&joint, weights) in self.joints.iter().zip(self.weights) {
            let [xy, zt] = &matrices[joint as usize];
            let weight = E::load(weights);
            add(&mut x, weight, [xy[0], xy[1], xy[2]]);
            add(&mut y, weight, [xy[4], xy[5], xy[6]]);
            add(&mut z, weight, [zt[0], zt[1], zt[2]]);
            add(&mut t, weight, [zt[4], zt[5], zt[6]]);
        }
        [x, y, z, t]
    }

    /// The matrix of the only joint that each lane has.
    #[inline(always)]
    pub(super) fn only_matrix<E: Eight>(&self, matrices: &[Block<2>]) -> [Three<E>; 4] {
        let zero = E::all(0.0);
        let (mut x, mut y, mut z, mut t) = ([zero; 3], [zero; 3], [zero; 3], [zero; 3]);
        for (&joint, weights) in self.joints.iter().zip(self.weights) {
            let [xy, zt] = &matrices[joint as usize];
            let has = zero.less(E::load(weights));
            take::<E>(&mut x, has, [xy[0], xy[1], xy[2]]);
            take::<E>(&mut y, has, [xy[4], xy[5], xy[6]]);
            take::<E>(&mut z, has, [zt[0], zt[1], zt[2]]);
            take::<E>(&mut t, has, [zt[4], zt[5], zt[6]]);
        }
        [x, y, z, t]
    }

    /// Whether every lane has one joint. Blocks have either only such vertices or none.
    #[inline(always)]
    pub(super) fn are_of_one_joint(&self) -> bool {
        self.weights.iter().filter(|weights| weights[0] > 0.0).count() == 1
    }
}

#[inline(always)]
fn add<E: Eight>(sum: &mut Three<E>, weight: E, numbers: [f32; 3]) {
    sum[0] = sum[0].plus(weight.times(E::all(numbers[0])));
    sum[1] = sum[1].plus(weight.times(E::all(numbers[1])));
    sum[2] = sum[2].plus(weight.times(E::all(numbers[2])));
}

#[inline(always)]
fn take<E: Eight>(own: &mut Three<E>, has: E::Mask, numbers: [f32; 3]) {
    own[0] = E::choose(has, E::all(numbers[0]), own[0]);
    own[1] = E::choose(has, E::all(numbers[1]), own[1]);
    own[2] = E::choose(has, E::all(numbers[2]), own[2]);
}

/// `(x p_x + z p_z) + (y p_y + t)`, as `transform` in `linear.rs`.
#[inline(always)]
pub(super) fn transformed<E: Eight>([x, y, z, t]: [Three<E>; 4], p: Three<E>) -> Three<E> {
    let axis = |k: usize| {
        let low = x[k].times(p[0]).plus(z[k].times(p[2]));
        low.plus(y[k].times(p[1]).plus(t[k]))
    };
    [axis(0), axis(1), axis(2)]
}

/// `p x q`.
#[inline(always)]
pub(super) fn cross<E: Eight>(p: Three<E>, q: Three<E>) -> Three<E> {
    [
        p[1].times(q[2]).minus(p[2].times(q[1])),
        p[2].times(q[0]).minus(p[0].times(q[2])),
        p[0].times(q[1]).minus(p[1].times(q[0])),
    ]
}

/// `p + q`.
#[inline(always)]
pub(super) fn plus<E: Eight>(p: Three<E>, q: Three<E>) -> Three<E> {
    [p[0].plus(q[0]), p[1].plus(q[1]), p[2].plus(q[2])]
}

/// `p - q`.
#[inline(always)]
pub(super) fn minus<E: Eight>(p: Three<E>, q: Three<E>) -> Three<E> {
    [p[0].minus(q[0]), p[1].minus(q[1]), p[2].minus(q[2])]
}

/// `s p`.
#[inline(always)]
pub(super) fn scaled<E: Eight>(p: Three<E>, s: E) -> Three<E> {
    [p[0].times(s), p[1].times(s), p[2].times(s)]
}
