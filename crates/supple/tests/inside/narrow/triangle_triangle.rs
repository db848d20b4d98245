//! Tests of what `narrow/triangle_triangle` keeps to itself.

use super::*;

#[test]
fn an_apex_is_separated_from_the_others_and_has_no_edge_in_the_plane() {
    for (above, below) in (0..8).flat_map(|above| (0..8).map(move |below| (above, below))) {
        let sides = Sides { above, below };
        if above & below != 0 || sides.apart() || sides == Sides::IN_PLANE {
            continue;
        }
        let side = |i: usize| i32::from(above >> i & 1) - i32::from(below >> i & 1);
        let apex = Apex::of(sides);
        let up = if apex.above { 1 } else { -1 };
        let [corner, next, last] = apex.corners(Apex { corner: 0, above: true });
        assert_eq!(corner, usize::from(apex.corner));
        assert!(side(corner) * up >= 0 && side(next) * up <= 0 && side(last) * up <= 0, "{sides:?}");
        assert!(side(corner) != 0 || (side(next) != 0 && side(last) != 0), "{sides:?}");
    }
}
