//! Boxes: what they contain, meet and are made of.

use glam::Vec3;
use supple::Aabb;

#[test]
fn box_of_points() {
    let aabb = Aabb::from_points([Vec3::new(1.0, -2.0, 3.0), Vec3::new(-1.0, 4.0, 3.0)]);
    assert_eq!(aabb, Aabb { min: Vec3::new(-1.0, -2.0, 3.0), max: Vec3::new(1.0, 4.0, 3.0) });
    assert_eq!(aabb.center(), Vec3::new(0.0, 1.0, 3.0));
    assert_eq!(aabb.half_extents(), Vec3::new(1.0, 3.0, 0.0));
    assert!(aabb.contains(Vec3::new(1.0, 4.0, 3.0)));
    assert!(!aabb.contains(Vec3::new(1.0, 4.0, 3.1)));
}

#[test]
fn empty_is_neutral_and_meets_nothing() {
    let aabb = Aabb::from_points([Vec3::ONE]);
    assert_eq!(aabb.union(&Aabb::EMPTY), aabb);
    assert!(Aabb::EMPTY.is_empty() && !aabb.is_empty());
    assert!(!Aabb::EMPTY.intersects(&aabb) && !Aabb::EMPTY.contains(Vec3::ZERO));
}

#[test]
fn segments_meet_boxes() {
    let aabb = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    let meets = |a: [f32; 3], b: [f32; 3]| aabb.may_meet_segment(a.into(), b.into());
    assert!(meets([0.5; 3], [0.6; 3]) && meets([-1.0; 3], [2.0; 3]));
    assert!(meets([1.0, 0.5, 0.5], [2.0, 0.5, 0.5]), "touching counts");
    assert!(meets([0.0, 2.0, 0.5], [2.0, 0.0, 0.5]), "through an edge");
    assert!(!meets([0.0, 2.1, 0.5], [2.1, 0.0, 0.5]), "past an edge");
    assert!(!meets([1.1, 0.5, 0.5], [2.0, 0.5, 0.5]), "too short");
    assert!(meets([0.5; 3], [0.5; 3]) && !meets([1.5; 3], [1.5; 3]), "a point");
    let everything = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };
    assert!(everything.may_meet_segment(Vec3::ONE, Vec3::ZERO));
    // Against points along the segment.
    for i in 0..2000u32 {
        let random = |k: u32| (((i * 7 + k).wrapping_mul(2_654_435_761) >> 8) % 4096) as f32 / 1024.0 - 1.5;
        let (a, b) = (Vec3::new(random(0), random(1), random(2)), Vec3::new(random(3), random(4), random(5)));
        let touches = (0..=200).any(|k| aabb.contains(a.lerp(b, k as f32 / 200.0)));
        assert!(!touches || aabb.may_meet_segment(a, b), "{a} {b}");
    }
}

#[test]
fn touching_counts() {
    let a = Aabb { min: Vec3::ZERO, max: Vec3::ONE };
    assert!(a.intersects(&Aabb { min: Vec3::ONE, max: Vec3::splat(2.0) }));
    assert!(!a.intersects(&Aabb { min: Vec3::new(1.1, 0.0, 0.0), max: Vec3::splat(2.0) }));
}
