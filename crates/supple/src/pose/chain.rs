//! Products of many matrices: from local transforms to joints.
//!
//! Everything is computed in f64 and rounded once at the end: chains of joints would gather errors, and far away from the
//! origin inverse bind matrices take large numbers away again. Matrices are columns of four numbers (the fourth is 0),
//! so that a column is one register of the widest kind, where the processor has it.
//!
//! Numbers that are not finite stay so on their way: a product with one has one in each row, since neither `inf * 0` nor
//! `inf - inf` is finite. So it is enough to look at the joints.

use glam::{DAffine3, DVec3, Mat4, Vec3, Vec4};

use super::Transform;
use crate::simd::{Block, Eight, Four, Kernel};

/// Four columns of an affine matrix.
pub(super) type Columns = [[f64; 4]; 4];

pub(super) fn wide_columns(m: &DAffine3) -> Columns {
    let column = |v: DVec3| [v.x, v.y, v.z, 0.0];
    [column(m.x_axis), column(m.y_axis), column(m.z_axis), column(m.translation)]
}

#[inline(always)]
fn load<F: Four>(m: &Columns) -> [F; 4] {
    [F::load(&m[0]), F::load(&m[1]), F::load(&m[2]), F::load(&m[3])]
}

#[inline(always)]
fn store<F: Four>(m: [F; 4], to: &mut Columns) {
    for i in 0..4 {
        m[i].store(&mut to[i]);
    }
}

/// `a b`, with the numbers of `b` by column and row.
#[inline(always)]
fn times<F: Four>(a: &[F; 4], b: impl Fn(usize, usize) -> f64) -> [F; 4] {
    let column = |i: usize| {
        let (x, y, z) = (F::all(b(i, 0)), F::all(b(i, 1)), F::all(b(i, 2)));
        a[0].times(x).plus(a[1].times(y)).plus(a[2].times(z))
    };
    [column(0), column(1), column(2), column(3).plus(a[3])]
}

/// Local matrices of four nodes: columns of three numbers, one after the other, each for all four nodes.
///
/// Scale first, then rotation, then translation. With `|q|` for quaternions that files have to f32 precision only:
/// `R = 1 + 2 / |q|^2 (...)`; a zero one turns nothing.
#[inline(always)]
fn locals<F: Four>(nodes: [&Transform; 4]) -> [[f64; 4]; 12] {
    let [x, y, z, w] = lanes_of::<F>(nodes.map(|node| Vec4::from(node.rotation)));
    let three = |v: Vec3| v.extend(0.0);
    let [sx, sy, sz, _] = lanes_of::<F>(nodes.map(|node| three(node.scale)));
    let [tx, ty, tz, _] = lanes_of::<F>(nodes.map(|node| three(node.translation)));
    let length_sq = x.times(x).plus(y.times(y)).plus(z.times(z)).plus(w.times(w));
    let zero = F::all(0.0);
    let s = F::choose(zero.below(length_sq), F::all(2.0).over(length_sq), zero);
    let (xs, ys, zs) = (x.times(s), y.times(s), z.times(s));
    let (xx, xy, xz) = (x.times(xs), x.times(ys), x.times(zs));
    let (yy, yz, zz) = (y.times(ys), y.times(zs), z.times(zs));
    let (wx, wy, wz) = (w.times(xs), w.times(ys), w.times(zs));
    let one = F::all(1.0);
    let numbers = [
        one.minus(yy.plus(zz)).times(sx),
        xy.plus(wz).times(sx),
        xz.minus(wy).times(sx),
        xy.minus(wz).times(sy),
        one.minus(xx.plus(zz)).times(sy),
        yz.plus(wx).times(sy),
        xz.plus(wy).times(sz),
        yz.minus(wx).times(sz),
        one.minus(xx.plus(yy)).times(sz),
        tx,
        ty,
        tz,
    ];
    let mut stored = [[0.0; 4]; 12];
    for i in 0..12 {
        numbers[i].store(&mut stored[i]);
    }
    stored
}

/// The first, second, third and fourth numbers of four vectors.
#[inline(always)]
fn lanes_of<F: Four>([p, q, r, s]: [Vec4; 4]) -> [F; 4] {
    let rows = Mat4::from_cols(p, q, r, s).transpose();
    [F::widened(rows.x_axis), F::widened(rows.y_axis), F::widened(rows.z_axis), F::widened(rows.w_axis)]
}

/// One node in the order of evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Step {
    pub node: u32,
    /// The node's parent; the node itself for a root.
    pub parent: u32,
    pub offset: Option<Box<Columns>>,
}

/// World matrices of nodes, parents first. Others keep what they were.
pub(super) struct Worlds<'a> {
    pub steps: &'a [Step],
    pub transforms: &'a [Transform],
    pub world: &'a mut [Columns],
}

impl Kernel for Worlds<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for four in self.steps.chunks(4) {
            // The last ones count twice where there are less than four.
            let step = |lane: usize| &four[lane.min(four.len() - 1)];
            let numbers = locals::<E::Four>(
                [step(0), step(1), step(2), step(3)].map(|step| &self.transforms[step.node as usize]),
            );
            for (lane, step) in four.iter().enumerate() {
                let (node, parent) = (step.node as usize, step.parent as usize);
                let local = |column: usize, row: usize| numbers[3 * column + row][lane];
                if parent != node && step.offset.is_none() {
                    let product = times(&load::<E::Four>(&self.world[parent]), local);
                    store(product, &mut self.world[node]);
                    continue;
                }
                let column = |i: usize| [local(i, 0), local(i, 1), local(i, 2), 0.0];
                let mut world = [column(0), column(1), column(2), column(3)];
                if let Some(offset) = &step.offset {
                    store(times(&load::<E::Four>(&world), |i, row| offset[i][row]), &mut world);
                }
                if parent != node {
                    let above = load::<E::Four>(&self.world[parent]);
                    store(times(&above, |i, row| world[i][row]), &mut world);
                }
                self.world[node] = world;
            }
        }
    }
}

/// `world(node) * inverse_bind` of joints, of which there are as many as there is room for.
pub(super) struct Joints<'a> {
    pub joints: &'a [(u32, Columns)],
    pub world: &'a [Columns],
    pub out: &'a mut [Columns],
}

impl Kernel for Joints<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for ((node, inverse_bind), out) in self.joints.iter().zip(self.out) {
            let world = load::<E::Four>(&self.world[*node as usize]);
            store(times(&world, |column, row| inverse_bind[column][row]), out);
        }
    }
}

/// Matrices with another one in front, rounded: as many as there is room for. In one loop with [`Joints`] it would be no
/// faster.
pub(super) struct Placed<'a, M> {
    pub front: &'a Columns,
    pub matrices: &'a [M],
    pub out: &'a mut [Block<2>],
}

impl<M: Matrix> Kernel for Placed<'_, M> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        let front = load::<E::Four>(self.front);
        if turns_nothing(self.front) {
            for (matrix, out) in self.matrices.iter().zip(self.out) {
                let [x, y, z, t] = matrix.widened::<E::Four>();
                *out = rounded([times_one(x), times_one(y), times_one(z), times_one(t).plus(front[3])]);
            }
            return;
        }
        for (matrix, out) in self.matrices.iter().zip(self.out) {
            let mut numbers = Columns::default();
            store(matrix.widened::<E::Four>(), &mut numbers);
            *out = rounded(times(&front, |column, row| numbers[column][row]));
        }
    }
}

/// Whether a matrix has the bits of the identity but for its translation.
fn turns_nothing(m: &Columns) -> bool {
    let bits = |m: &Columns| [m[0], m[1], m[2]].map(|column| column.map(f64::to_bits));
    bits(m) == bits(&wide_columns(&DAffine3::IDENTITY))
}

/// The identity applied to a vector, in the bits of a product: each row is `1 v_i + 0 v_j + 0 v_k`, which is `v_i`, but 0 for
/// `v_i = -0`, unless all three numbers have that sign.
#[inline(always)]
fn times_one<F: Four>(v: F) -> F {
    const ADDED: [f64; 8] = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -0.0];
    v.plus(F::all(ADDED[usize::from(v.signs() & 7)]))
}

/// Four columns of f32 or f64.
pub(super) trait Matrix {
    fn widened<F: Four>(&self) -> [F; 4];
}

impl Matrix for Columns {
    #[inline(always)]
    fn widened<F: Four>(&self) -> [F; 4] {
        load(self)
    }
}

impl Matrix for Block<2> {
    #[inline(always)]
    fn widened<F: Four>(&self) -> [F; 4] {
        let column = |half: &[f32]| F::widened(Vec4::from_slice(half));
        [column(&self[0][..4]), column(&self[0][4..]), column(&self[1][..4]), column(&self[1][4..])]
    }
}

#[inline(always)]
fn rounded<F: Four>([x, y, z, t]: [F; 4]) -> Block<2> {
    let mut block = Block::<2>::default();
    x.rounded_three().write_to_slice(&mut block[0][..4]);
    y.rounded_three().write_to_slice(&mut block[0][4..]);
    z.rounded_three().write_to_slice(&mut block[1][..4]);
    t.rounded_three().write_to_slice(&mut block[1][4..]);
    block
}

#[cfg(test)]
#[path = "../../tests/inside/pose/chain.rs"]
mod tests;
