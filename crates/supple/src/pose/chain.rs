//! Products of many matrices: from local transforms to joints.
//!
//! Everything is computed in f64 and rounded once at the end: chains of joints would gather errors, and far away from the
//! origin inverse bind matrices take large numbers away again. Matrices are columns of four numbers (the fourth is 0),
//! so that a column is one register of the widest kind, where the processor has it.

use glam::{DAffine3, DVec3};

use super::Transform;
use crate::simd::{Eight, Kernel};

/// Four columns of an affine matrix.
pub(crate) type Columns = [[f64; 4]; 4];

pub(crate) fn columns(m: &DAffine3) -> Columns {
    let column = |v: DVec3| [v.x, v.y, v.z, 0.0];
    [column(m.x_axis), column(m.y_axis), column(m.z_axis), column(m.translation)]
}

/// `a b`.
#[inline(always)]
pub(crate) fn times(a: &Columns, b: &Columns) -> Columns {
    let mut product = [[0.0; 4]; 4];
    for column in 0..4 {
        let [x, y, z, _] = b[column];
        for row in 0..4 {
            product[column][row] = a[0][row] * x + a[1][row] * y + a[2][row] * z;
        }
    }
    for row in 0..4 {
        product[3][row] += a[3][row];
    }
    product
}

/// Scale first, then rotation, then translation. With `|q|` for quaternions that files have to f32 precision only:
/// `R = 1 + 2 / |q|^2 (...)`; a zero one turns nothing.
#[inline(always)]
fn local(transform: &Transform) -> Columns {
    let [x, y, z, w] = transform.rotation.to_array().map(f64::from);
    let length_sq = x * x + y * y + z * z + w * w;
    let s = if length_sq > 0.0 { 2.0 / length_sq } else { 0.0 };
    let (xs, ys, zs) = (x * s, y * s, z * s);
    let (xx, xy, xz) = (x * xs, x * ys, x * zs);
    let (yy, yz, zz) = (y * ys, y * zs, z * zs);
    let (wx, wy, wz) = (w * xs, w * ys, w * zs);
    let [sx, sy, sz] = transform.scale.to_array().map(f64::from);
    let [tx, ty, tz] = transform.translation.to_array().map(f64::from);
    [
        [(1.0 - (yy + zz)) * sx, (xy + wz) * sx, (xz - wy) * sx, 0.0],
        [(xy - wz) * sy, (1.0 - (xx + zz)) * sy, (yz + wx) * sy, 0.0],
        [(xz + wy) * sz, (yz - wx) * sz, (1.0 - (xx + yy)) * sz, 0.0],
        [tx, ty, tz, 0.0],
    ]
}

/// One node in the order of evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Step {
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
        for step in self.steps {
            let (node, parent) = (step.node as usize, step.parent as usize);
            let mut local = local(&self.transforms[node]);
            if let Some(offset) = &step.offset {
                local = times(&local, offset);
            }
            self.world[node] = if parent == node { local } else { times(&self.world[parent], &local) };
        }
    }
}

/// `world(node) * inverse_bind` of joints.
pub(super) struct Joints<'a> {
    pub joints: &'a [(u32, Columns)],
    pub world: &'a [Columns],
    pub out: &'a mut Vec<Columns>,
}

impl Kernel for Joints<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        self.out.clear();
        for (node, inverse_bind) in self.joints {
            self.out.push(times(&self.world[*node as usize], inverse_bind));
        }
    }
}

/// Matrices with another one in front, rounded.
pub(crate) struct Rounded<'a> {
    pub front: &'a Columns,
    pub matrices: &'a [Columns],
    pub out: &'a mut Vec<glam::Affine3A>,
}

impl Kernel for Rounded<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        self.out.clear();
        for matrix in self.matrices {
            let [x, y, z, t] = times(self.front, matrix);
            // All four, so that one instruction does it.
            let round = |v: [f64; 4]| glam::Vec3A::from_vec4(v.map(|number| number as f32).into());
            let matrix3 = glam::Mat3A::from_cols(round(x), round(y), round(z));
            self.out.push(glam::Affine3A { matrix3, translation: round(t) });
        }
    }
}

#[cfg(test)]
#[path = "../../tests/inside/pose/chain.rs"]
mod tests;
