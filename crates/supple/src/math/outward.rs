//! Outward rounding: radii that still contain after they became `f32`.
//!
//! Distances here are computed in `f64` from `f32` coordinates. With `u = 2^-53` the difference of two
//! coordinates is off by a factor `1 + u` at most, a square by `(1 + u)^3`, the sum of three by `(1 + u)^5`:
//! whatever the order of summation and with or without fused operations, two evaluations of one squared
//! distance differ by less than `1 + 13 u`. A factor of `1 + 16 u` therefore makes a computed squared
//! distance an upper bound of the true one and of every other evaluation. Nothing leaves the range of f64:
//! squares of `f32` values lie between 1e-90 and 1e78.

/// `1 + 16 u`.
const SLACK: f64 = 1.0 + 8.0 * f64::EPSILON;

/// The least `f32` radius whose sphere contains everything within a squared distance computed in `f64` from
/// `f32` coordinates. The square of an `f32` is exact in `f64`, so tests of the form `distance_sq <= radius *
/// radius` hold.
pub fn radius_of_sq(distance_sq: f64) -> f32 {
    let bound = distance_sq * SLACK;
    let mut radius = bound.sqrt() as f32;
    // Rounding to f32 may have gone down.
    while f64::from(radius) * f64::from(radius) < bound {
        radius = radius.next_up();
    }
    radius
}

/// The least `f32` above a radius that was computed in `f64` as a distance plus a radius.
///
/// The root of a squared distance is off by `1 + 4 u`, the sum by one `u` more. A point that passes the `f64`
/// test of an inner sphere is at most `1 + 3 u` outside it, and the test of the outer sphere needs another `1 + 3
/// u`: 11 in all, below 16.
pub fn radius_of(length: f64) -> f32 {
    let bound = length * SLACK;
    let radius = bound as f32;
    if f64::from(radius) < bound { radius.next_up() } else { radius }
}

#[cfg(test)]
#[path = "../../tests/inside/math/outward.rs"]
mod tests;
