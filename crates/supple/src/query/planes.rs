//! A filter before the exact test: is a triangle clearly on one side of another's plane, or the other way round?
//!
//! One triangle is compared with eight at once, in f32. With `n = (q - p) x (r - p)`, a point `x` is above the plane of
//! `p, q, r` if `n . (x - p)` is positive. That is a sum of six products of three differences, each at most the product `V`
//! of the extents of a box around all points; with `u = 2^-24`, a product is off by at most `8 u` of itself (three
//! differences, two multiplications, three additions), the sum by `48 u V`. Only what is beyond `64 u V` counts as clear.
//! Coordinates are at most 1e18, so a product of two extents never overflows; where the product of all three is tiny nothing is clear, so what
//! underflows in a product of two is less than what `64` leaves over `48`.
//! Where all six heights of a pair are clear, the exact test need not compute them again: it starts from their signs.
//! Must hold: triangles that touch are never separated; signs that count as clear are right.

use glam::Vec3;

use crate::refit::PosedLeaf;
use crate::simd::Eight;

/// What is needed of two leaves.
pub(super) struct Planes<E> {
    error: f32,
    /// Of a box around both leaves.
    pub extents: Vec3,
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
        let [x, y, z] = b.normals();
        let normals = [E::load(x), E::load(y), E::load(z)];
        Self { error, extents, normals }
    }

    /// Heights of the corners of the second leaf's triangles above the plane of a triangle with normal `n`, then those of
    /// its corners above their planes.
    #[inline(always)]
    pub fn heights(&self, triangle: &[Vec3; 3], n: Vec3, b: &PosedLeaf) -> [E; 6] {
        let [p, q, r] = *triangle;
        let normal = [E::all(n.x), E::all(n.y), E::all(n.z)];
        let origin = [E::all(p.x), E::all(p.y), E::all(p.z)];
        let own = [corner(b, 0), corner(b, 1), corner(b, 2)];
        let [q, r] = [[E::all(q.x), E::all(q.y), E::all(q.z)], [E::all(r.x), E::all(r.y), E::all(r.z)]];
        [
            height(normal, origin, own[0]),
            height(normal, origin, own[1]),
            height(normal, origin, own[2]),
            height(self.normals, own[0], origin),
            height(self.normals, own[0], q),
            height(self.normals, own[0], r),
        ]
    }

    /// Bit `i` is set where the triangle and triangle `i` of the second leaf are clearly apart.
    #[inline(always)]
    pub fn separated(&self, [a, b, c, d, e, f]: &[E; 6]) -> u8 {
        E::bits(E::either(self.one_side(*a, *b, *c), self.one_side(*d, *e, *f)))
    }

    /// What is clear about heights.
    #[inline(always)]
    pub fn sides(&self, heights: &[E; 6]) -> SidesOfEight {
        let (up, down) = (E::all(self.error), E::all(-self.error));
        let (mut clear, mut bits) = (up.at_most(up), [0; 6]);
        for k in 0..6 {
            let above = up.at_most(heights[k]);
            bits[k] = E::bits(above);
            clear = E::both(clear, E::either(above, heights[k].at_most(down)));
        }
        SidesOfEight { clear: E::bits(clear), above: bits }
    }

    /// Where all three are clearly positive, or all clearly negative.
    #[inline(always)]
    fn one_side(&self, a: E, b: E, c: E) -> E::Mask {
        let (least, greatest) = (a.least(b).least(c), a.greatest(b).greatest(c));
        E::either(E::all(self.error).at_most(least), greatest.at_most(E::all(-self.error)))
    }
}

/// On which sides of planes corners are: of one triangle and eight others.
pub(super) struct SidesOfEight {
    /// Bit `i` is set where all six heights of triangle `i` are clear.
    clear: u8,
    /// Per height, bit `i` is set where it is clearly positive.
    above: [u8; 6],
}

impl SidesOfEight {
    /// Corners of the triangle in a lane above the plane of the one triangle, and its corners above the plane of that in the lane; if all
    /// is clear.
    #[inline(always)]
    pub fn above(&self, lane: usize) -> Option<[u8; 2]> {
        let three =
            |k: usize| (0..3).fold(0, |bits, corner| bits | (self.above[k + corner] >> lane & 1) << corner);
        (self.clear >> lane & 1 != 0).then(|| [three(0), three(3)])
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
