//! Tests of what `pose/keyframes` keeps to itself.

use super::*;

#[test]
fn times_outside_the_keys_hold_the_ends() {
    let times = [1.0, 2.0, 4.0];
    for (time, before, after, fraction) in
        [(-1.0, 0, 0, 0.0), (1.0, 0, 1, 0.0), (3.0, 1, 2, 0.5), (4.0, 2, 2, 0.0), (9.0, 2, 2, 0.0)]
    {
        let span = find_span(&times, time);
        assert_eq!((span.before, span.after, span.fraction), (before, after, fraction), "{time}");
    }
}

#[test]
fn splines_pass_through_their_keys_with_their_tangents() {
    // Two keys one second apart: value 1 with out-tangent 2, value 5 with in-tangent -3.
    let values = [0.0, 1.0, 2.0, -3.0, 5.0, 0.0];
    let at = |time: f64| {
        let span = find_span(&[0.0, 1.0], time);
        component(Interpolation::CubicSpline, &values, 1, span, 0)
    };
    assert_eq!(at(0.0), 1.0);
    assert_eq!(at(1.0), 5.0);
    let h = 1e-6;
    assert!(((at(h) - at(0.0)) / h - 2.0).abs() < 1e-4);
    assert!(((at(1.0) - at(1.0 - h)) / h + 3.0).abs() < 1e-4);
}
