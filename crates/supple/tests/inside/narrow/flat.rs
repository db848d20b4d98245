//! Tests of what `narrow/flat` keeps to itself.

use super::*;

fn at(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, 0.0)
}

#[test]
fn simplices_are_what_the_corners_span() {
    let of = |corners: Triangle| Simplex::of(&corners).corners().to_vec();
    assert_eq!(of([at(0., 0.), at(1., 0.), at(0., 1.)]), [0, 1, 2]);
    assert_eq!(of([at(1., 1.), at(0., 0.), at(3., 3.)]), [1, 2]);
    assert_eq!(of([at(1., 1.), at(0., 0.), at(1., 1.)]).len(), 2);
    assert_eq!(of([at(1., 1.); 3]).len(), 1);
    assert_eq!(of([at(0., 1.), at(-0., 1.), at(0., 1.)]).len(), 1);
}

#[test]
fn a_triangle_inside_another_touches_it() {
    let outer = [at(0., 0.), at(9., 0.), at(0., 9.)];
    let inner = [at(1., 1.), at(2., 1.), at(1., 2.)];
    assert!(flat_touch(&outer, &inner) && flat_touch(&inner, &outer));
    assert!(!flat_touch(&outer, &inner.map(|v| v + at(8., 0.))));
    assert!(flat_touch(&outer, &[at(4.5, 4.5); 3]));
    assert!(!flat_touch(&outer, &[at(4.5, 4.6); 3]));
}

#[test]
fn segments_on_one_line_are_intervals() {
    let segment = |from: f32, to: f32| [at(from, from), at(to, to), at(from, from)];
    assert!(flat_touch(&segment(0., 1.), &segment(2., 1.)));
    assert!(!flat_touch(&segment(0., 1.), &segment(1.1, 1.2)));
}
