//! Volumes and areas of `f32` points to about 104 bits, for where a contact is.
//!
//! Signs are decided elsewhere; here the ratios of volumes become coordinates. In plain `f64` those of slivers and
//! of nearly parallel planes would lose all digits; with twice the digits they keep `f32` precision as long as the
//! determinant does not cancel more than 80 bits. A number is the unevaluated sum `hi + lo`, `|lo| <= ulp(hi) / 2`.
//!
//! Based on: Dekker, A floating-point technique for extending the available precision, 1971; Joldes, Muller,
//! Popescu, Tight and rigorous error bounds for basic building blocks of double-word arithmetic, 2017.

use std::ops::{Add, Mul, Sub};

use glam::Vec3;

/// `det(q - p, r - p, x - p)`, see `predicates`.
pub(super) fn volume(p: Vec3, q: Vec3, r: Vec3, x: Vec3) -> f64 {
    let [u, v, w] = [q, r, x].map(|end| difference(end, p));
    let minor = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
    (minor(1, 2) * w[0] + minor(2, 0) * w[1] + minor(0, 1) * w[2]).hi
}

/// Twice the area of a triangle seen along a coordinate axis, with its sign, see `predicates`.
pub(super) fn area(axis: usize, p: Vec3, q: Vec3, r: Vec3) -> f64 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    let (u, v) = (difference(q, p), difference(r, p));
    (u[i] * v[j] - u[j] * v[i]).hi
}

/// The unevaluated sum of two numbers.
#[derive(Clone, Copy)]
pub(super) struct Double {
    pub(super) hi: f64,
    pub(super) lo: f64,
}

impl Double {
    /// The exact sum of two numbers.
    pub(super) fn sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        let b_part = hi - a;
        Self { hi, lo: (a - (hi - b_part)) + (b - b_part) }
    }

    /// The exact sum of two numbers of which the first is not smaller.
    fn ordered_sum(a: f64, b: f64) -> Self {
        let hi = a + b;
        Self { hi, lo: b - (hi - a) }
    }

    /// The exact product of two numbers.
    pub(super) fn product(a: f64, b: f64) -> Self {
        let hi = a * b;
        Self { hi, lo: a.mul_add(b, -hi) }
    }
}

impl Add for Double {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let (high, low) = (Self::sum(self.hi, other.hi), Self::sum(self.lo, other.lo));
        let partial = Self::ordered_sum(high.hi, high.lo + low.hi);
        Self::ordered_sum(partial.hi, low.lo + partial.lo)
    }
}

impl Sub for Double {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + Self { hi: -other.hi, lo: -other.lo }
    }
}

impl Mul for Double {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let high = Self::product(self.hi, other.hi);
        Self::ordered_sum(high.hi, high.lo + (self.hi * other.lo + self.lo * other.hi))
    }
}

/// The exact difference of two points.
pub(super) fn difference(end: Vec3, start: Vec3) -> [Double; 3] {
    [0, 1, 2].map(|i| Double::sum(f64::from(end[i]), -f64::from(start[i])))
}

#[cfg(test)]
#[path = "../../tests/inside/narrow/double_double.rs"]
mod tests;
