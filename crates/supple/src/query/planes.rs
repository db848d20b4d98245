//! A filter before the exact test: is a triangle clearly on one side of another's plane, or the other way round?
//!
//! One triangle is compared with eight at once, in f32. With `n = (q - p) x (r - p)`, a point `x` is above the plane of
//! `p, q, r` if `n . (x - p)` is positive. That is a sum of six products of three differences, each at most the product `V`
//! of the extents of a box around all points; with `u = 2^-24`, a product is off by at most `8 u` of itself (three
//! differences, two multiplications, three additions), the sum by `48 u V`. Only what is beyond `64 u V` counts as clear.
//! Must hold: triangles that touch are never separated.

use glam::Vec3;

use crate::refit::PosedLeaf;
use crate::simd::Eight;

/// What is needed of two leaves.
pub(super) struct Planes<E> {
    error: f32,
    /// Normals of the triangles of the second leaf.
    normals: [E; 3],
}

impl<E: Eight> Planes<E> {
    #[inline(always)]
    pub fn new(a: &PosedLeaf, b: &PosedLeaf) -> Self {
        let extents = a.bounds.max.max(b.bounds.max) - a.bounds.min.min(b.bounds.min);
        let error = 32.0 * f32::EPSILON * (extents.x * extents.y * extents.z);
        // Where products might leave the range of f32, nothing is clear: no number is at least NaN.
        let error = if (1e-25..1e25).contains(&error) { error } else { f32::NAN };
        let [p, q, r] = b.corners();
        let (ux, uy, uz) = (between::<E>(p, q, 0), between::<E>(p, q, 1), between::<E>(p, q, 2));
        let (vx, vy, vz) = (between::<E>(p, r, 0), between::<E>(p, r, 1), between::<E>(p, r, 2));
        let normals = [
            uy.times(vz).minus(uz.times(vy)),
            uz.times(vx).minus(ux.times(vz)),
            ux.times(vy).minus(uy.times(vx)),
        ];
        Self { error, normals }
    }

    /// Bit `i` is set where the triangle and triangle `i` of the second leaf are clearly apart.
    #[inline(always)]
    pub fn separated(&self, triangle: &[Vec3; 3], b: &PosedLeaf) -> u8 {
        let [p, q, r] = *triangle;
        let n = (q - p).cross(r - p);
        let normal = [E::all(n.x), E::all(n.y), E::all(n.z)];
        let origin = [E::all(p.x), E::all(p.y), E::all(p.z)];
        let own = [corner(b, 0), corner(b, 1), corner(b, 2)];
        let above = self.one_side(
            height(normal, origin, own[0]),
            height(normal, origin, own[1]),
            height(normal, origin, own[2]),
        );
        let [q, r] = [[E::all(q.x), E::all(q.y), E::all(q.z)], [E::all(r.x), E::all(r.y), E::all(r.z)]];
        let below = self.one_side(
            height(self.normals, own[0], origin),
            height(self.normals, own[0], q),
            height(self.normals, own[0], r),
        );
        above | below
    }

    /// Bit `i` is set where all three are clearly positive, or all clearly negative.
    #[inline(always)]
    fn one_side(&self, a: E, b: E, c: E) -> u8 {
        let (least, greatest) = (a.least(b).least(c), a.greatest(b).greatest(c));
        E::all(self.error).at_most(least) | greatest.at_most(E::all(-self.error))
    }
}

/// One corner of eight triangles.
#[inline(always)]
fn corner<E: Eight>(leaf: &PosedLeaf, corner: usize) -> [E; 3] {
    let [x, y, z] = &leaf.corners()[corner];
    [E::load(x), E::load(y), E::load(z)]
}

/// `normal . (point - origin)`.
#[inline(always)]
fn height<E: Eight>(normal: [E; 3], origin: [E; 3], point: [E; 3]) -> E {
    let x = point[0].minus(origin[0]).times(normal[0]);
    let y = point[1].minus(origin[1]).times(normal[1]);
    let z = point[2].minus(origin[2]).times(normal[2]);
    x.plus(y).plus(z)
}

/// From one corner to another, along one axis.
#[inline(always)]
fn between<E: Eight>(from: &[[f32; 8]; 3], to: &[[f32; 8]; 3], axis: usize) -> E {
    E::load(&to[axis]).minus(E::load(&from[axis]))
}
