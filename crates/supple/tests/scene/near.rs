//! Solid shapes and points in scenes, against all bodies asked one by one by brute force.

use glam::Vec3;
use supple::{
    Aabb, Distance, Groups, Isometry, Point, Probe, QueryStats, Scene, ScenePoint, SceneTriangle, oracle,
};

use super::members::{Member, QUESTION_GROUPS, around, copies, crowd, members};
use crate::subjects::cases::cases;
use crate::subjects::random_model::Random;

/// Returns how many triangles there are.
fn check_overlap(scene: &mut Scene, members: &[Member], probe: &Probe, groups: Groups) -> usize {
    let mut expected: Vec<SceneTriangle> = Vec::new();
    for member in members.iter().filter(|member| member.groups.meet(&groups)) {
        let triangles = oracle::overlap(member.posed(), probe);
        expected.extend(triangles.into_iter().map(|triangle| SceneTriangle { body: member.id, triangle }));
    }
    assert!(expected.is_sorted());
    assert_eq!(scene.overlap(probe, groups).found, expected, "{probe:?}");
    let any = scene.overlap_any(probe, groups).found;
    assert!(any.iter().all(|one| expected.binary_search(one).is_ok()), "{probe:?}");
    let mut bodies: Vec<_> = expected.iter().map(|triangle| triangle.body).collect();
    bodies.dedup();
    assert!(any.iter().map(|one| one.body).eq(bodies), "{probe:?}: one per body, by ascending id");
    expected.len()
}

fn check_closest(
    scene: &mut Scene,
    members: &[Member],
    point: Vec3,
    max: Distance,
    groups: Groups,
) -> Option<ScenePoint> {
    let point = Point::new(point).unwrap();
    let mut expected: Option<ScenePoint> = None;
    for member in members.iter().filter(|member| member.groups.meet(&groups)) {
        if let Some(found) = oracle::closest_point(member.posed(), point, max)
            && expected.is_none_or(|best| found.distance < best.point.distance)
        {
            expected = Some(ScenePoint { body: member.id, point: found });
        }
    }
    assert_eq!(scene.closest_point(point, max, groups).found, expected, "{point:?} {max:?} {groups:?}");
    expected
}

/// Asks for a point without a limit, and with limits around the answer.
fn check_point(scene: &mut Scene, members: &[Member], point: Vec3, groups: Groups) -> Option<ScenePoint> {
    let found = check_closest(scene, members, point, Distance::UNLIMITED, groups)?;
    let distance = found.point.distance;
    for max in [distance.next_up(), distance * 1.5, distance * 0.7, distance.next_down().max(0.0)] {
        check_closest(scene, members, point, Distance::new(max).unwrap(), groups);
    }
    Some(found)
}

fn probes(random: &mut Random, bounds: &Aabb) -> [Probe; 4] {
    let size = bounds.half_extents().max_element() * (random.signed() + 1.1) * 0.2;
    let mut point = || bounds.center() + bounds.half_extents() * random.vec3();
    let (center, end) = (point(), point());
    let corners: Vec<Vec3> = (0..7).map(|_| center + point() * 0.2).collect();
    let placement = Isometry::new(random.rotation().as_dquat().normalize(), center);
    [
        Probe::sphere(center, size).unwrap(),
        Probe::capsule([center, end], size * 0.2).unwrap(),
        Probe::cuboid(placement, Vec3::new(size, size * 0.5, size * 0.1)).unwrap(),
        Probe::hull(&corners).unwrap(),
    ]
}

#[test]
fn a_crowd() {
    let mut scene = crowd();
    let members = members(&mut scene);
    let (bounds, mut random) = (around(&members), Random(3));
    let (mut triangles, mut near) = (0, 0);
    for round in 0..cases(12, 60) {
        let groups = QUESTION_GROUPS[round % QUESTION_GROUPS.len()];
        for probe in probes(&mut random, &bounds) {
            triangles += check_overlap(&mut scene, &members, &probe, groups);
        }
        let about = bounds.center() + bounds.half_extents() * random.vec3() * 1.5;
        let vertex = members[random.below(members.len())].vertex(&mut random);
        for point in [about, vertex, vertex + random.vec3() * 0.05] {
            near += usize::from(check_point(&mut scene, &members, point, groups).is_some());
        }
    }
    assert!(triangles > 1000 && near > 20, "{triangles} triangles, {near} points");
}

/// Of equally close bodies the one with the smallest id.
#[test]
fn copies_of_one_body() {
    let mut scene = copies(4);
    let members = members(&mut scene);
    let (bounds, mut random) = (around(&members), Random(5));
    let mut triangles = 0;
    for round in 0..cases(16, 80) {
        let groups = QUESTION_GROUPS[round % QUESTION_GROUPS.len()];
        let meeting: Vec<_> = members.iter().filter(|member| member.groups.meet(&groups)).collect();
        for probe in probes(&mut random, &bounds) {
            triangles += check_overlap(&mut scene, &members, &probe, groups);
        }
        let about = bounds.center() + bounds.half_extents() * random.vec3() * 2.0;
        for point in [about, members[0].vertex(&mut random)] {
            let found = check_point(&mut scene, &members, point, groups);
            assert_eq!(found.map(|found| found.body), meeting.first().map(|member| member.id));
        }
    }
    assert!(triangles > 500, "{triangles}");
}

/// A point in the middle between mirrored bodies is equally far from both; a little aside it is not.
#[test]
fn points_in_the_middle() {
    let mut scene = copies(3);
    let ids: Vec<_> = scene.bodies_mut().map(|(id, _)| id).collect();
    for (&id, x) in ids.iter().zip([4.0, 2.0, -2.0]) {
        let turn = glam::DQuat::from_rotation_y(if x < 0.0 { std::f64::consts::PI } else { 0.0 });
        scene.body_mut(id).unwrap().set_placement(Isometry::new(turn, Vec3::X * x)).unwrap();
    }
    let members = members(&mut scene);
    for aside in [0.0, 1e-7, -1e-7, 1e-3, -1e-3, 3.0] {
        check_point(&mut scene, &members, Vec3::new(aside, 0.5, 0.0), Groups::ALL).unwrap();
    }
    for (aside, nearest) in [(0.9, ids[1]), (-0.9, ids[2]), (4.5, ids[0])] {
        let found = check_point(&mut scene, &members, Vec3::new(aside, 0.5, 0.0), Groups::ALL).unwrap();
        assert_eq!(found.body, nearest, "{aside}");
    }
}

#[test]
fn empty_scenes() {
    let mut scene = Scene::new();
    let probe = Probe::sphere(Vec3::ZERO, 1e9).unwrap();
    assert_eq!(check_overlap(&mut scene, &[], &probe, Groups::ALL), 0);
    assert_eq!(check_closest(&mut scene, &[], Vec3::ZERO, Distance::UNLIMITED, Groups::ALL), None);
    assert_eq!(scene.overlap(&probe, Groups::ALL).stats, QueryStats::default());
    // Nobody is asked where nobody meets.
    let mut scene = copies(2);
    let nobody = QUESTION_GROUPS[3];
    assert_eq!(scene.overlap(&probe, nobody).stats, QueryStats::default());
    let origin = Point::new(Vec3::ZERO).unwrap();
    assert_eq!(scene.closest_point(origin, Distance::UNLIMITED, nobody).stats, QueryStats::default());
}
