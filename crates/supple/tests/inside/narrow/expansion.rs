//! Tests of what `narrow/expansion` keeps to itself.

use super::*;

fn vector(x: f64, y: f64, z: f64) -> [Double; 3] {
    [x, y, z].map(|x| Double::sum(x, 0.0))
}

#[test]
fn nothing_is_rounded_away() {
    let (big, small) = (f64::from(2f32.powi(120)), f64::from(f32::from_bits(1)));
    // (big + small) big small - big (big small) = big small^2.
    let wide = Double::sum(big, small);
    assert_eq!((wide.hi, wide.lo), (big, small));
    let u = [wide, Double::sum(big, 0.0), Double::sum(0.0, 0.0)];
    let found = exact_determinant(u, vector(big, big, 0.0), vector(0.0, 0.0, small));
    assert_eq!(found, small * big * small);
    assert_eq!(exact_determinant(u, u, vector(1.0, 2.0, 3.0)), 0.0);
    let [x, y, z] = [vector(1.0, 0.0, 0.0), vector(0.0, 1.0, 0.0), vector(0.0, 0.0, 1.0)];
    assert_eq!((exact_determinant(x, y, z), exact_determinant(y, x, z)), (1.0, -1.0));
}
