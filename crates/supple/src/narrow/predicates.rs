//! Signs of orientation determinants of `f32` points, always right.
//!
//! Comes in: points with finite `f32` coordinates, some already widened to `f64`. Goes out: signs of
//!
//! ```text
//! volume(p, q, r, x) = det(q - p, r - p, x - p) = ((q - p) x (r - p)) . (x - p)
//! area(p, q, r)      = det(q - p, r - p), both projected along a coordinate axis
//! ```
//!
//! A filter in `f64` decides nearly all of them; the rest go to adaptive expansions (crate `robust`).
//!
//! # The filter
//! Let `u = 2^-53`, and `E` the extents of a box around all points of a pair of triangles. Each of the six terms of
//! a volume is a product of one difference in x, one in y and one in z, so their absolute values add up to at most
//! `6 E.x E.y E.z`. A difference carries one rounding, a product of two of them three, the difference of two
//! products four, the product with the third vector six, the sum of three such products eight. The computed volume
//! is therefore off by at most `((1 + u)^8 - 1) 6 E.x E.y E.z < 48.1 u E.x E.y E.z`. Computing the bound itself
//! loses a factor of `(1 + u)^5` at most: `64 u E.x E.y E.z` is safe. Fused multiply-add only removes roundings.
//! One bound serves all volumes of the pair, and the box is known from the test of the boxes.
//!
//! # Range
//! A finite `f32` is an integer times `2^-149` and below `2^128`. Sums and differences of `f64` values that are
//! integer multiples of some power of two stay such multiples, so differences are multiples of `2^-149`,
//! products of two and three of `2^-298` and `2^-447`, and so are all their rounding errors; magnitudes stay
//! below `2^400`. `f64` goes from `2^-1074` to `2^1024`: nothing underflows or overflows, neither here nor in
//! the expansions, whose theory assumes that.
//!
//! Based on: Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates, 1997;
//! the kind of filter follows Meyer and Pion, FPG: a code generator for fast and certified geometric predicates,
//! 2008.

use glam::{DVec3, Vec3};
use robust::{Coord, Coord3D};

/// -1, 0 or 1.
pub(super) type Sign = i8;

/// On which sides of a plane three points are, one bit each: `above` where the normal points to. A point in neither
/// set is in the plane, or undecided before [`Sides::decided`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sides {
    pub(super) above: u8,
    pub(super) below: u8,
}

impl Sides {
    /// All points are exactly in the plane.
    pub(super) const IN_PLANE: Self = Self { above: 0, below: 0 };

    /// What the filter decides about three points and the plane of a triangle.
    #[inline(always)]
    pub(super) fn filtered([p, q, r]: &[DVec3; 3], points: &[DVec3; 3], error: f64) -> Self {
        let normal = (q - p).cross(r - p);
        let [x, y, z] = points.map(|x| normal.dot(x - p));
        let bits = |x: bool, y: bool, z: bool| u8::from(x) | u8::from(y) << 1 | u8::from(z) << 2;
        Self { above: bits(x > error, y > error, z > error), below: bits(x < -error, y < -error, z < -error) }
    }

    /// All three points are strictly on one side.
    #[inline(always)]
    pub(super) fn apart(self) -> bool {
        self.above == 7 || self.below == 7
    }

    /// None of the points is in the plane or undecided.
    #[inline(always)]
    pub(super) fn complete(self) -> bool {
        self.above | self.below == 7
    }

    /// The same with exact answers for the points the filter left open. Everything is in the plane of a degenerate
    /// triangle.
    #[cold]
    pub(super) fn decided(mut self, triangle: &[DVec3; 3], points: &[DVec3; 3]) -> Self {
        let [p, q, r] = *triangle;
        for (i, &x) in points.iter().enumerate() {
            let bit = 1 << i;
            // Meshes share corners: that zero is worth a shortcut.
            if (self.above | self.below) & bit == 0 && !triangle.contains(&x) {
                match volume_sign(p, q, r, x) {
                    1 => self.above |= bit,
                    -1 => self.below |= bit,
                    _ => {}
                }
            }
        }
        self
    }
}

/// A bound of the rounding errors of volumes of points in a box with these extents.
#[inline(always)]
pub(super) fn volume_error(extents: DVec3) -> f64 {
    /// `64 u`, see the module's documentation.
    const FILTER: f64 = 32.0 * f64::EPSILON;
    FILTER * (extents.x * extents.y * extents.z)
}

/// The volume, with a rounding error of at most [`volume_error`].
#[inline(always)]
pub(super) fn rough_volume(p: DVec3, q: DVec3, r: DVec3, x: DVec3) -> f64 {
    (q - p).cross(r - p).dot(x - p)
}

/// The exact sign of `volume(p, q, r, x)`: 1 where the normal of `p, q, r` points to. Coordinates are `f32` values.
pub(super) fn volume_sign(p: DVec3, q: DVec3, r: DVec3, x: DVec3) -> Sign {
    let [p, q, r, x] = [p, q, r, x].map(|v| Coord3D { x: v.x, y: v.y, z: v.z });
    // `robust` takes its last point as the origin of the determinant.
    sign(robust::orient3d(q, r, x, p))
}

/// Twice the area of a triangle seen along a coordinate axis (0, 1, 2): the sign is exact, the value is not.
pub(super) fn area_along(axis: usize, p: Vec3, q: Vec3, r: Vec3) -> f64 {
    let [p, q, r] = [p, q, r].map(|v| Coord { x: v[(axis + 1) % 3], y: v[(axis + 2) % 3] });
    robust::orient2d(p, q, r)
}

/// The sign of a number that is not NaN.
pub(super) fn sign(value: f64) -> Sign {
    Sign::from(value > 0.0) - Sign::from(value < 0.0)
}

#[cfg(test)]
#[path = "../../tests/inside/narrow/predicates.rs"]
mod tests;
