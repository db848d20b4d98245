//! Whether two triangles touch, by linear programming in whole numbers: shares no idea and no code with the library.
//!
//! Triangles touch when there are weights `l, m >= 0` with `sum l = 1`, `sum m = 1` and `sum l_i a_i = sum m_j b_j`.
//! Fraction-free elimination (Bareiss) solves the five equations for as many of the six weights as their rank, the
//! rest stay free; that no weight is negative leaves inequalities in the free ones, which Fourier-Motzkin
//! elimination decides.

use std::ops::{Add, Div, Mul, Neg, Sub};

use num_bigint::BigInt;

/// Whole numbers: `i128` where they suffice (overflow panics), `BigInt` where they do not.
pub trait Whole:
    Clone
    + Ord
    + From<i32>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
}

impl Whole for i128 {}
impl Whole for BigInt {}

pub fn touch<T: Whole>(a: &[[T; 3]; 3], b: &[[T; 3]; 3]) -> bool {
    let (zero, one) = (T::from(0), T::from(1));
    // Rows of six coefficients and the right side.
    let mut rows = Vec::new();
    for k in 0..3 {
        let a = a.iter().map(|corner| corner[k].clone());
        let b = b.iter().map(|corner| -corner[k].clone());
        rows.push(a.chain(b).chain([zero.clone()]).collect::<Vec<T>>());
    }
    for of_a in [true, false] {
        let row = (0..6).map(|i| if (i < 3) == of_a { one.clone() } else { zero.clone() });
        rows.push(row.chain([one.clone()]).collect());
    }
    match weights_of_free_ones(rows) {
        Some(inequalities) => feasible(inequalities),
        None => false,
    }
}

/// A finite `f32` as a multiple of `2^-149`.
pub fn whole(value: f32) -> BigInt {
    let bits = value.to_bits();
    let (exponent, fraction) = ((bits >> 23) & 0xff, bits & 0x7f_ffff);
    let mantissa = if exponent == 0 { fraction } else { fraction | 0x80_0000 };
    let magnitude = BigInt::from(mantissa) << exponent.saturating_sub(1);
    if value < 0.0 { -magnitude } else { magnitude }
}

/// The six weights as affine functions of the free ones (coefficients, then the constant), all to be at least 0, up
/// to a positive factor. `None` when the equations contradict each other.
fn weights_of_free_ones<T: Whole>(mut rows: Vec<Vec<T>>) -> Option<Vec<Vec<T>>> {
    let zero = T::from(0);
    let mut previous = T::from(1);
    let mut pivots = Vec::new();
    for column in 0..6 {
        let done = pivots.len();
        let Some(at) = (done..rows.len()).find(|&i| rows[i][column] != zero) else { continue };
        rows.swap(done, at);
        let pivot_row = rows[done].clone();
        let pivot = pivot_row[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != done {
                let factor = row[column].clone();
                for (value, by) in row.iter_mut().zip(&pivot_row) {
                    *value = (value.clone() * pivot.clone() - by.clone() * factor.clone()) / previous.clone();
                }
            }
        }
        previous = pivot;
        pivots.push(column);
    }
    if rows[pivots.len()..].iter().any(|row| row[6] != zero) {
        return None;
    }
    let free: Vec<usize> = (0..6).filter(|column| !pivots.contains(column)).collect();
    let mut weights = Vec::new();
    // Every pivot equals `previous` by now: previous * weight = right side - sum of free ones.
    let positive = previous > zero;
    for row in &rows[..pivots.len()] {
        let function = free.iter().map(|&c| -row[c].clone()).chain([row[6].clone()]);
        weights.push(function.map(|v| if positive { v } else { -v }).collect());
    }
    for i in 0..free.len() {
        weights.push((0..=free.len()).map(|j| T::from(i32::from(i == j))).collect());
    }
    Some(weights)
}

/// Whether affine functions can all be at least 0: eliminates the first variable until only constants remain.
fn feasible<T: Whole>(mut functions: Vec<Vec<T>>) -> bool {
    let zero = T::from(0);
    while functions[0].len() > 1 {
        let mut rest = Vec::new();
        for f in &functions {
            if f[0] == zero {
                rest.push(f[1..].to_vec());
            }
            for g in &functions {
                if f[0] > zero && g[0] < zero {
                    let combine = |(x, y): (&T, &T)| x.clone() * -g[0].clone() + y.clone() * f[0].clone();
                    rest.push(f[1..].iter().zip(&g[1..]).map(combine).collect());
                }
            }
        }
        if rest.is_empty() {
            return true;
        }
        functions = rest;
    }
    functions.iter().all(|f| f[0] >= zero)
}
