//! A posed leaf: its triangles side by side, with their boxes and normals.

use glam::{Mat4, Vec3, Vec4};

use super::children::{EightBoxes, EightVolumes};
use super::posed_twigs::Point;
use crate::math::Aabb;
use crate::pool::Pool;
use crate::simd::Eight;
use crate::tree::WIDTH;

/// Leaves of one body in one pose, by node.
pub(crate) type Leaves = Pool<PosedLeaf>;

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
    /// `(q - p) x (r - p)` of the corners, per axis.
    normals: [[f32; WIDTH]; 3],
}

impl PosedLeaf {
    /// A leaf without triangles.
    pub const EMPTY: Self = Self {
        boxes: EightBoxes::NOWHERE,
        present: 0,
        bounds: Aabb::EMPTY,
        corners: [[[0.0; WIDTH]; 3]; 3],
        normals: [[0.0; WIDTH]; 3],
    };

    /// Takes the posed vertices, and the places of the triangles' corners.
    #[inline(always)]
    pub fn set<E: Eight>(&mut self, points: &[Point], corners: &[[u32; 3]]) {
        // What is not there repeats what is.
        let mut places = [corners[0]; WIDTH];
        places[..corners.len()].copy_from_slice(corners);
        let p: [E; 3] = coordinates(points, &places, 0);
        let q: [E; 3] = coordinates(points, &places, 1);
        let r: [E; 3] = coordinates(points, &places, 2);
        let (mut low, mut high) = ([Vec4::ZERO; 3], [Vec4::ZERO; 3]);
        for axis in 0..3 {
            p[axis].store(&mut self.corners[0][axis]);
            q[axis].store(&mut self.corners[1][axis]);
            r[axis].store(&mut self.corners[2][axis]);
            let least = p[axis].least(q[axis]).least(r[axis]);
            let greatest = p[axis].greatest(q[axis]).greatest(r[axis]);
            least.store(&mut self.boxes.min[axis]);
            greatest.store(&mut self.boxes.max[axis]);
            let ([a, b], [c, d]) = (least.split(), greatest.split());
            (low[axis], high[axis]) = (a.min(b), c.max(d));
        }
        let (u, v) = (minus(q, p), minus(r, p));
        u[1].times(v[2]).minus(u[2].times(v[1])).store(&mut self.normals[0]);
        u[2].times(v[0]).minus(u[0].times(v[2])).store(&mut self.normals[1]);
        u[0].times(v[1]).minus(u[1].times(v[0])).store(&mut self.normals[2]);
        self.present = ((1u32 << corners.len()) - 1) as u8;
        let [x, y, z, w] = across(low);
        let min = x.min(y).min(z.min(w));
        let [x, y, z, w] = across(high);
        let max = x.max(y).max(z.max(w));
        self.bounds = Aabb { min: min.truncate(), max: max.truncate() };
    }

    /// The corners of a triangle.
    #[inline(always)]
    pub fn triangle(&self, lane: usize) -> [Vec3; 3] {
        let corner = |[x, y, z]: &[[f32; WIDTH]; 3]| Vec3::new(x[lane], y[lane], z[lane]);
        let [p, q, r] = &self.corners;
        [corner(p), corner(q), corner(r)]
    }

    /// The normal of a triangle, not of unit length.
    #[inline(always)]
    pub fn normal(&self, lane: usize) -> Vec3 {
        let [x, y, z] = &self.normals;
        Vec3::new(x[lane], y[lane], z[lane])
    }

    /// The normals of all triangles, per axis.
    #[inline(always)]
    pub fn normals(&self) -> &[[f32; WIDTH]; 3] {
        &self.normals
    }

    /// The corners of all triangles, per corner and axis.
    pub fn corners(&self) -> &[[[f32; WIDTH]; 3]; 3] {
        &self.corners
    }
}

#[inline(always)]
fn minus<E: Eight>(p: [E; 3], q: [E; 3]) -> [E; 3] {
    [p[0].minus(q[0]), p[1].minus(q[1]), p[2].minus(q[2])]
}

/// Four points from their coordinates.
#[inline(always)]
fn across([x, y, z]: [Vec4; 3]) -> [Vec4; 4] {
    let points = Mat4::from_cols(x, y, z, z).transpose();
    [points.x_axis, points.y_axis, points.z_axis, points.w_axis]
}

/// One corner of all triangles, axis by axis.
#[inline(always)]
fn coordinates<E: Eight>(points: &[Point], places: &[[u32; 3]; WIDTH], corner: usize) -> [E; 3] {
    let mut own = [Vec4::ZERO; WIDTH];
    for i in 0..WIDTH {
        own[i] = Vec4::from_array(points[places[i][corner] as usize]);
    }
    E::coordinates(&own)
}
