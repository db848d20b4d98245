//! Tests of what `math/outward` keeps to itself.

use super::*;

#[test]
fn never_inward_and_never_more_than_one_step_out() {
    let mut value = 1e-40f64;
    while value < 1e38 {
        let radius = radius_of(value);
        assert!(f64::from(radius) > value && f64::from(radius.next_down()) <= value * SLACK);
        let radius = radius_of_sq(value * value);
        assert!(f64::from(radius) > value && f64::from(radius.next_down()) <= value * SLACK);
        value *= 1.37;
    }
    assert_eq!(radius_of(0.0), 0.0);
    assert_eq!(radius_of_sq(0.0), 0.0);
    assert_eq!(radius_of_sq(1e300), f32::INFINITY);
}
