//! A filter before the exact test: does a ray clearly pass beside a triangle? Eight at once, in f32.
//!
//! Points are sheared along the ray until it is an axis: with `z` the largest component of the direction `d`, and points
//! relative to the origin, `x' = x - (d.x / d.z) z` and `y'` likewise. Seen along the ray, it passes an edge on the side that is
//! the sign of `p' x q'`. If two edges of a triangle clearly differ in sign, the ray misses it.
//! Must hold: a triangle that the ray goes through is never dropped.
//!
//! With `u = 2^-24` and `A` the largest coordinates of the leaf relative to the origin, `x'` is off by at most `e.x = 8 u (A.x + A.z)`
//! (differences, quotient, product, difference: `2 u A.x + 5 u A.z`). With `m` the largest `|x'|` and `|y'|` of a triangle, as
//! computed, an edge is off by at most `2 (m.x e.y + m.y e.x + e.x e.y)` and `6 u m.x m.y` for its own rounding. Twice that counts,
//! and a tiny number, for underflow.
//!
//! Based on: S. Woop, C. Benthin, I. Wald, Watertight Ray/Triangle Intersection, 2013.

use glam::Vec3;

use crate::narrow::Ray;
use crate::refit::PosedLeaf;
use crate::simd::Eight;
use crate::tree::WIDTH;

/// A ray as the axis of a sheared space.
pub(super) struct Shear {
    origin: Vec3,
    /// The axes `x`, `y` and `z` of the ray.
    axes: [usize; 3],
    /// `d.x / d.z`, `d.y / d.z`: at most 1.
    slopes: [f32; 2],
}

/// Beyond this products might leave f32, and nothing is clear.
const MOST_DISTANCE: f32 = 1e15;

impl Shear {
    pub fn new(ray: &Ray) -> Self {
        let d = ray.direction();
        let z = d.abs().max_position();
        let (x, y) = ((z + 1) % 3, (z + 2) % 3);
        Self { origin: ray.origin(), axes: [x, y, z], slopes: [d[x] / d[z], d[y] / d[z]] }
    }

    /// Bit `i` is set where the ray may go through triangle `i`.
    #[inline(always)]
    pub fn near<E: Eight>(&self, leaf: &PosedLeaf) -> u8 {
        let [x, y, z] = self.axes;
        let farthest = (leaf.bounds.min - self.origin).abs().max((leaf.bounds.max - self.origin).abs());
        if farthest.max_element() > MOST_DISTANCE {
            return leaf.present;
        }
        let off = |axis: usize| 4.0 * f32::EPSILON * (farthest[axis] + farthest[z]) + f32::MIN_POSITIVE;
        let (off_x, off_y) = (off(x), off(y));
        let [a, b, c] = leaf.corners();
        let (a, b, c) = (self.seen::<E>(a), self.seen::<E>(b), self.seen::<E>(c));
        let (ab, bc, ca) = (edge(a, b), edge(b, c), edge(c, a));
        let most_x = a[0].abs().greatest(b[0].abs()).greatest(c[0].abs());
        let most_y = a[1].abs().greatest(b[1].abs()).greatest(c[1].abs());
        let own = most_x.times(most_y).times(E::all(6.0 * f32::EPSILON));
        let inherited = most_x.times(E::all(4.0 * off_y)).plus(most_y.times(E::all(4.0 * off_x)));
        let constant = E::all(4.0 * off_x * off_y + f32::MIN_POSITIVE);
        let error = own.plus(inherited).plus(constant);
        let (least, greatest) = (ab.least(bc).least(ca), ab.greatest(bc).greatest(ca));
        let beside = E::both(least.plus(error).at_most(E::all(0.0)), error.at_most(greatest));
        leaf.present & !E::bits(beside)
    }

    /// One corner of eight triangles, seen along the ray.
    #[inline(always)]
    fn seen<E: Eight>(&self, corner: &[[f32; WIDTH]; 3]) -> [E; 2] {
        let [x, y, z] = self.axes;
        let relative_x = E::load(&corner[x]).minus(E::all(self.origin[x]));
        let relative_y = E::load(&corner[y]).minus(E::all(self.origin[y]));
        let depth = E::load(&corner[z]).minus(E::all(self.origin[z]));
        [
            relative_x.minus(depth.times(E::all(self.slopes[0]))),
            relative_y.minus(depth.times(E::all(self.slopes[1]))),
        ]
    }
}

/// `p' x q'`.
#[inline(always)]
fn edge<E: Eight>(p: [E; 2], q: [E; 2]) -> E {
    p[0].times(q[1]).minus(p[1].times(q[0]))
}
