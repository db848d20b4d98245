//! A posed leaf: its triangles side by side, with their boxes.

use glam::{Vec3, Vec4};

use super::children::{EightBoxes, EightVolumes};
use crate::math::Aabb;
use crate::simd::Eight;
use crate::tree::WIDTH;

/// As many vertices as leaves with the same parent can have.
pub(crate) const MOST_VERTICES: usize = 3 * WIDTH * WIDTH;

/// Triangles of a leaf in the current pose.
#[derive(Clone, Debug)]
pub(crate) struct PosedLeaf {
    /// Boxes of the triangles.
    pub boxes: EightBoxes,
    /// Bit `i` is set where there is a triangle `i`.
    pub present: u8,
    /// Around all triangles.
    pub bounds: Aabb,
    /// Per corner and axis.
    corners: [[[f32; WIDTH]; 3]; 3],
}

impl PosedLeaf {
    /// A leaf without triangles.
    pub const EMPTY: Self =
        Self { boxes: EightBoxes::NOWHERE, present: 0, bounds: Aabb::EMPTY, corners: [[[0.0; WIDTH]; 3]; 3] };

    /// Takes posed vertices, and the indices of the triangles' corners among them.
    #[inline(always)]
    pub fn set<E: Eight>(&mut self, positions: &[Vec4; MOST_VERTICES], corners: &[[u8; 3]]) {
        // What is not there repeats what is.
        let mut indices = [corners[0]; WIDTH];
        indices[..corners.len()].copy_from_slice(corners);
        let p: [E; 3] = coordinates(positions, &indices, 0);
        let q: [E; 3] = coordinates(positions, &indices, 1);
        let r: [E; 3] = coordinates(positions, &indices, 2);
        for axis in 0..3 {
            p[axis].store(&mut self.corners[0][axis]);
            q[axis].store(&mut self.corners[1][axis]);
            r[axis].store(&mut self.corners[2][axis]);
            p[axis].least(q[axis]).least(r[axis]).store(&mut self.boxes.min[axis]);
            p[axis].greatest(q[axis]).greatest(r[axis]).store(&mut self.boxes.max[axis]);
        }
        self.present = ((1u32 << corners.len()) - 1) as u8;
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        for &vertex in corners.as_flattened() {
            let position = positions[usize::from(vertex) % MOST_VERTICES];
            min = min.min(position);
            max = max.max(position);
        }
        self.bounds = Aabb { min: min.truncate(), max: max.truncate() };
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub fn triangle(&self, lane: usize) -> [Vec3; 3] {
        let corner = |[x, y, z]: &[[f32; WIDTH]; 3]| Vec3::new(x[lane], y[lane], z[lane]);
        let [p, q, r] = &self.corners;
        [corner(p), corner(q), corner(r)]
    }

    /// The corners of all triangles, per corner and axis.
    pub fn corners(&self) -> &[[[f32; WIDTH]; 3]; 3] {
        &self.corners
    }
}

/// One corner of all triangles, axis by axis.
#[inline(always)]
fn coordinates<E: Eight>(
    positions: &[Vec4; MOST_VERTICES],
    indices: &[[u8; 3]; WIDTH],
    corner: usize,
) -> [E; 3] {
    let mut points = [Vec4::ZERO; WIDTH];
    for i in 0..WIDTH {
        points[i] = positions[usize::from(indices[i][corner]) % MOST_VERTICES];
    }
    E::coordinates(&points)
}
