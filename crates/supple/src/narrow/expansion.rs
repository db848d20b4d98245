//! Determinants without rounding, as expansions: sums of `f64` terms that do not overlap.
//!
//! Comes in: vectors whose coordinates are differences of `f32` numbers, as exact sums of two `f64`. Goes out: the
//! determinant, with its exact sign and within an `f64` rounding of its value. Slow; for what a filter leaves open.
//!
//! Nothing underflows or overflows, for the reasons given in `predicates`.
//!
//! Based on: Shewchuk, Adaptive precision floating-point arithmetic and fast robust geometric predicates, 1997, section 2.4.

use super::double_double::Double;

/// Six products of three sums of two; each of those eight products has four terms.
const MOST_TERMS: usize = 6 * 8 * 4;

/// `det(u, v, w) = u . (v x w)`.
#[cold]
#[inline(never)]
pub(super) fn exact_determinant(u: [Double; 3], v: [Double; 3], w: [Double; 3]) -> f64 {
    let mut sum = Expansion { terms: [0.0; MOST_TERMS], count: 0 };
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        sum.add_product(1.0, u[i], v[j], w[k]);
        sum.add_product(-1.0, u[i], v[k], w[j]);
    }
    // From the smallest on, and the last one is larger than all others together.
    sum.terms[..sum.count].iter().sum()
}

/// Terms that do not overlap, ascending in magnitude, none of them zero.
struct Expansion {
    terms: [f64; MOST_TERMS],
    count: usize,
}

impl Expansion {
    fn add_product(&mut self, sign: f64, a: Double, b: Double, c: Double) {
        for x in [a.hi, a.lo] {
            for y in [b.hi, b.lo] {
                for z in [c.hi, c.lo].into_iter().filter(|&z| x * y * z != 0.0) {
                    let xy = Double::product(sign * x, y);
                    for part in [xy.lo, xy.hi] {
                        let product = Double::product(part, z);
                        self.add(product.lo);
                        self.add(product.hi);
                    }
                }
            }
        }
    }

    /// Adds a number; its rounding errors become terms.
    fn add(&mut self, number: f64) {
        let (mut sum, mut kept) = (number, 0);
        for i in 0..self.count {
            let next = Double::sum(sum, self.terms[i]);
            sum = next.hi;
            if next.lo != 0.0 {
                self.terms[kept] = next.lo;
                kept += 1;
            }
        }
        if sum != 0.0 {
            self.terms[kept] = sum;
            kept += 1;
        }
        self.count = kept;
    }
}

#[cfg(test)]
#[path = "../../tests/inside/narrow/expansion.rs"]
mod tests;
