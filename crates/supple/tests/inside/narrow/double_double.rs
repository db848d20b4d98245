//! Tests of what `narrow/double_double` keeps to itself.

use super::*;

#[test]
fn digits_beyond_f64_survive() {
    // Two rows with terms of 48 bits that cancel to -1, times 24 bits.
    let n = 16_777_215.0;
    let (q, r) = (Vec3::new(n, n - 1.0, 0.0), Vec3::new(n - 1.0, n - 2.0, 0.0));
    assert_eq!(area(2, Vec3::ZERO, q, r), -1.0);
    assert_eq!(volume(Vec3::ZERO, q, r, Vec3::new(n, n, 1.0)), -1.0);
    // All three rows of 24 bits, sums of terms of 72 bits.
    let x = Vec3::new(n, n - 1.0, 1.0);
    assert_eq!(volume(Vec3::ZERO, q + Vec3::Z * n, r + Vec3::Z * n, x), f64::from(n) - 1.0);
    // A difference of 125 bits: 2^100 - 2^-24 is not rounded away.
    let (big, small) = (2f32.powi(100), 2f32.powi(-24));
    let line = [Vec3::new(small, small, 0.0), Vec3::new(big, big, 0.0)];
    assert_eq!(area(2, line[0], line[1], Vec3::X * small), -f64::from(small) * f64::from(big));
}
