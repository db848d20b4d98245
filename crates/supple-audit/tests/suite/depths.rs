//! Depths that can be told beforehand.

use glam::{Quat, Vec3};
use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use crate::figures::{Net, bar, cube, depth, sheet, sleeve, tube, two};

fn assert_depth(what: &str, (pairs, found): (usize, f32), expected: f32) {
    assert!(pairs > 0 && (found - expected).abs() < 2e-5, "{what}: {pairs} pairs, {found}, not {expected}");
}

#[test]
fn boxes_end_to_end() {
    // The second box is thinner and goes into the end of the first: its corners are that far from the end, and farther from the
    // sides.
    for expected in [0.05, 0.3, 0.45] {
        let found = depth(tube(2.0, 1.0, 4, 4), tube(2.0, 0.2, 5, 4), Vec3::X * (2.0 - expected));
        assert_depth("end to end", found, expected);
    }
}

#[test]
fn cylinders_side_by_side() {
    // Axes are parallel. The other's surface is the flat side of a polygon with the apothem r cos(pi / n).
    let (radius, sectors) = (0.5f32, 64);
    let apothem = radius * (PI / sectors as f32).cos();
    for expected in [0.02, 0.1, 0.3] {
        let one = || tube(2.0, radius, 20, sectors);
        let (pairs, found) = depth(one(), one(), Vec3::new(0.05, 2.0 * apothem - expected, 0.0));
        // Vertices stand half a sector beside the line between the axes: a little less deep than the apothems overlap.
        let is_near = found <= expected + 1e-4 && found > expected - 0.01;
        assert!(pairs > 0 && is_near, "{expected}: {found}");
    }
}

#[test]
fn surfaces_apart_have_none() {
    assert_eq!(depth(tube(1.0, 0.5, 4, 16), tube(1.0, 0.5, 4, 16), Vec3::X * 3.0), (0, 0.0));
    // One in the other without a touch: nothing intersects.
    assert_eq!(depth(cube(1.0), cube(0.5), Vec3::ZERO), (0, 0.0));
}

#[test]
fn a_needle_through_a_wall_is_as_deep_as_half_the_wall() {
    let found = depth(tube(0.2, 2.0, 2, 4), tube(4.0, 0.02, 40, 8), Vec3::new(-1.9, 0.11, 0.17));
    assert_depth("needle", found, 0.1);
}

#[test]
fn crossed_bars_without_a_vertex_inside_are_as_deep_as_their_edges() {
    // The first is at y from -0.35 to 0.35, the second from -0.05 to 0.65: edges of the first are 0.3 under the top of the second.
    let half = 0.35;
    let upright = bar(4.0, half, 1).turned(Quat::from_rotation_y(FRAC_PI_2));
    let found = depth(bar(4.0, half, 1), upright, Vec3::new(2.0, 0.3, 2.0));
    assert_depth("crossed bars", found, 0.3);
}

#[test]
fn an_edge_through_a_face_is_as_deep_as_the_edge() {
    // A bar that stands on one of its edges, which is 0.2 below the top of a box; its ends are beyond the box.
    let on_edge = bar(6.0, 0.5, 1).turned(Quat::from_rotation_x(FRAC_PI_4)).moved(Vec3::X * -3.0);
    let lowest = 0.5f32 * 2.0f32.sqrt();
    let found = depth(cube(1.0), on_edge, Vec3::new(0.1, 1.0 - 0.2 + lowest, 0.05));
    assert_depth("edge", found, 0.2);
}

#[test]
fn an_arm_through_a_cape_is_as_deep_as_what_is_beyond() {
    let arm = || tube(4.0, 0.2, 40, 8).turned(Quat::from_rotation_y(FRAC_PI_2)); // from 0 to -4 along Z
    for (cells, beyond) in [(1, 1.03), (20, 1.03), (20, 0.33)] {
        let found = depth(sheet(2.0, cells), arm(), Vec3::new(0.13, 0.21, 4.0 - beyond));
        assert_depth("through a cape", found, beyond);
    }
}

#[test]
fn the_rim_of_a_cape_in_an_arm_is_as_deep_as_the_rim() {
    // A cape hangs into the flat top of an arm from above, by 0.05, and nowhere else: nothing beyond its rim counts.
    let arm = || bar(8.0, 0.3, 16).moved(Vec3::X * -4.0);
    let found = depth(arm(), sheet(1.0, 20), Vec3::new(0.03, 0.3 + 1.0 - 0.05, 0.02));
    assert_depth("rim", found, 0.05);
    // Deeper than to the middle: the bottom is nearer.
    let found = depth(arm(), sheet(1.0, 40), Vec3::new(0.03, 0.3 + 1.0 - 0.45, 0.02));
    assert!(found.1 > 0.25 && found.1 <= 0.3, "{found:?}");
}

/// An arm with one vertex at another radius.
fn arm_with_a_bump(radius: f32, bump: f32) -> Net {
    let mut arm = tube(2.0, radius, 20, 16);
    let vertex = &mut arm.positions[10 * 16 + 3];
    let out = Vec3::new(0.0, vertex.y, vertex.z).normalize();
    *vertex = Vec3::X * vertex.x + bump * out;
    arm
}

#[test]
fn what_comes_out_of_a_sleeve_is_as_deep_as_that() {
    // Edges of the sleeve lie along X at the radius 0.25, at the angles of the arm's vertices.
    let open = || sleeve(1.7, |_| 0.25, 7, 16);
    let found = depth(open(), arm_with_a_bump(0.2, 0.27), Vec3::X * -0.15);
    assert_depth("bump", found, 0.02);
    assert_eq!(depth(open(), arm_with_a_bump(0.2, 0.24), Vec3::X * -0.15), (0, 0.0));
}

#[test]
fn a_collar_in_a_neck_is_as_deep_as_the_collar() {
    // Around the neck, and its upper rim dips in all around: the head above it does not count.
    let (sectors, neck) = (32, tube(4.0, 0.2, 40, 32));
    let collar = sleeve(0.4, |x| if x > 0.35 { 0.15 } else { 0.3 }, 4, sectors);
    let found = depth(neck, collar, Vec3::X * 2.5);
    assert_depth("collar", found, 0.05 * (PI / sectors as f32).cos());
}

#[test]
fn sheets_slotted_into_each_other_are_as_deep_as_their_edges() {
    // Both are cut from a rim to the middle, and nothing is cut off.
    let upright = || sheet(1.0, 8).turned(Quat::from_rotation_y(FRAC_PI_2));
    let (pairs, found) = depth(sheet(1.0, 8), upright(), Vec3::new(0.1, 1.1, 0.1));
    let edge = 0.25;
    assert!(pairs > 0 && found > 0.05 && found <= edge, "{found}");
}

/// Constructions that cross, with what is put where.
fn crossings() -> Vec<(Net, Net, Vec3)> {
    let arm = tube(4.0, 0.2, 40, 8).turned(Quat::from_rotation_y(FRAC_PI_2));
    vec![
        (tube(2.0, 1.0, 4, 4), tube(2.0, 0.2, 5, 4), Vec3::new(1.7, 0.03, 0.02)),
        (sheet(2.0, 10), arm, Vec3::new(0.13, 0.21, 3.2)),
        (sleeve(1.7, |_| 0.25, 7, 16), arm_with_a_bump(0.2, 0.27), Vec3::X * -0.15),
        (bar(4.0, 0.35, 1), bar(4.0, 0.35, 3).turned(Quat::from_rotation_y(1.3)), Vec3::new(2.0, 0.3, 2.0)),
    ]
}

#[test]
fn neither_side_is_outside() {
    for (a, b, place) in crossings() {
        let (pairs, expected) = depth(a.clone(), b.clone(), place);
        assert!(pairs > 0 && expected > 0.0);
        for (a, b) in [
            (a.clone().inside_out(), b.clone()),
            (a.clone(), b.clone().inside_out()),
            (a.clone().inside_out(), b.clone().inside_out()),
        ] {
            assert_eq!(depth(a, b, place), (pairs, expected));
        }
        // Which of the two comes first does not matter either.
        let (swapped_pairs, swapped) = depth(b.moved(place), a, Vec3::ZERO);
        assert!(swapped_pairs == pairs && (swapped - expected).abs() < 1e-5, "{swapped} {expected}");
    }
}

#[test]
fn mirrored_bones_have_the_depths_of_mirrored_surfaces() {
    for (a, b, place) in crossings() {
        let (pairs, expected) = depth(a.clone(), b.clone(), place);
        let mirror = Vec3::new(-1.0, 1.0, 1.0);
        // Bones that are mirrored, and carry the surfaces as they are.
        let figure = two(a.clone(), b.clone(), place * mirror).scaled(0, mirror).scaled(1, mirror);
        let [contact] = &figure.records()[1].contacts[..] else { panic!("one contact") };
        assert_eq!((contact.pairs, contact.depth), (pairs, expected));
        let (mirrored_pairs, mirrored) = depth(a.mirrored(), b.mirrored(), place * mirror);
        assert!(mirrored_pairs == pairs && (mirrored - expected).abs() < 1e-6, "{mirrored} {expected}");
    }
}

#[test]
fn triangles_without_area_and_triangles_twice_change_no_depth() {
    for (a, b, place) in crossings() {
        let (pairs, expected) = depth(a.clone(), b.clone(), place);
        let (mut flat, mut twice) = (b.clone(), b.clone());
        flat.triangles.extend(b.triangles.iter().flat_map(|&[a, b, c]| [[a, a, b], [c, b, b], [c, c, c]]));
        let (more_pairs, found) = depth(a.clone(), flat.clone(), place);
        assert!(more_pairs >= pairs && (found - expected).abs() < 1e-6, "{found} {expected}");
        let (more_pairs, found) = depth(flat, a.clone().moved(-place), Vec3::ZERO);
        assert!(more_pairs >= pairs && (found - expected).abs() < 1e-5, "{found} {expected}");
        twice.triangles.extend(b.triangles);
        assert_eq!(depth(a, twice, place), (2 * pairs, expected));
    }
}

/// A neck with a head that hangs over a collar, whose upper rim dips in: parts of the head are nearest to the slope of the collar, not
/// to its rim.
#[test]
fn a_head_over_a_collar_does_not_count() {
    let radius = |x: f32| {
        if !(0.05..=3.95).contains(&x) {
            0.0
        } else if x > 2.95 {
            0.45
        } else {
            0.2
        }
    };
    let head = sleeve(4.0, radius, 40, 32);
    let mut collar = sleeve(0.4, |x| if x > 0.35 { 0.15 } else { 0.3 }, 4, 32);
    let expected = 0.05 * (PI / 32.0).cos();
    assert_depth("head", depth(head.clone(), collar.clone(), Vec3::X * 2.5), expected);
    // Triangles without area do not hide the rim.
    let flat = collar.triangles.iter().flat_map(|&[a, b, c]| [[a, b, b], [b, c, c], [c, a, a]]);
    collar.triangles.extend(flat.collect::<Vec<_>>());
    assert_depth("flat", depth(head, collar, Vec3::X * 2.5), expected);
}

#[test]
fn what_is_beyond_the_rim_of_a_cape_does_not_count() {
    // An arm goes through the cape slantwise, at 0.3 from its rim, and ends far beyond it.
    let slanted = tube(5.0, 0.05, 100, 8).turned(Quat::from_rotation_y(FRAC_PI_4));
    let (pairs, found) = depth(sheet(1.0, 40), slanted, Vec3::new(0.7 - 2.03, 0.01, 2.03));
    assert!(pairs > 0 && (found - 0.3).abs() < 0.1, "{found}");
}
