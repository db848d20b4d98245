//! A posed leaf: its triangles side by side, with their boxes.

use glam::{Vec3, Vec4};

use super::children::{EightBoxes, EightVolumes};
use crate::math::Aabb;
use crate::simd::Eight;
use crate::tree::WIDTH;

/// As many vertices as a leaf can have.
pub(crate) const MOST_VERTICES: usize = 3 * WIDTH;

/// Triangles of a leaf in the current pose.
#[derive(Clone, Debug)]
pub(crate) struct PosedLeaf {
    /// Boxes of the triangles; nowhere where there is no triangle.
    pub boxes: EightBoxes,
    /// Around all triangles.
    pub bounds: Aabb,
    /// Per corner and axis.
    corners: [[[f32; WIDTH]; 3]; 3],
}

impl PosedLeaf {
    /// A leaf without triangles.
    pub const EMPTY: Self =
        Self { boxes: EightBoxes::NOWHERE, bounds: Aabb::EMPTY, corners: [[[0.0; WIDTH]; 3]; 3] };

    /// Takes posed vertices, and the places of the triangles' corners among them.
    #[inline(always)]
    pub fn set<E: Eight>(&mut self, positions: &[Vec4; MOST_VERTICES], vertices: usize, corners: &[[u8; 3]]) {
        for (i, triangle) in corners.iter().take(WIDTH).enumerate() {
            for (k, &vertex) in triangle.iter().enumerate() {
                let p = positions[usize::from(vertex) % MOST_VERTICES];
                for axis in 0..3 {
                    self.corners[k][axis][i] = p[axis];
                }
            }
        }
        for axis in 0..3 {
            let p = E::load(&self.corners[0][axis]);
            let q = E::load(&self.corners[1][axis]);
            let r = E::load(&self.corners[2][axis]);
            p.least(q).least(r).store(&mut self.boxes.min[axis]);
            p.greatest(q).greatest(r).store(&mut self.boxes.max[axis]);
        }
        for i in corners.len()..WIDTH {
            self.boxes.set(i, &Aabb::EMPTY);
        }
        let (mut min, mut max) = (Vec4::INFINITY, Vec4::NEG_INFINITY);
        for position in positions.iter().take(vertices) {
            min = min.min(*position);
            max = max.max(*position);
        }
        self.bounds = Aabb { min: min.truncate(), max: max.truncate() };
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub fn triangle(&self, place: usize) -> [Vec3; 3] {
        let corner = |[x, y, z]: &[[f32; WIDTH]; 3]| Vec3::new(x[place], y[place], z[place]);
        let [p, q, r] = &self.corners;
        [corner(p), corner(q), corner(r)]
    }

    /// The corners of all triangles, per corner and axis.
    pub fn corners(&self) -> &[[[f32; WIDTH]; 3]; 3] {
        &self.corners
    }
}
