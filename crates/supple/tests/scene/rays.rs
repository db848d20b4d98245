//! Rays through scenes, against all bodies asked one by one by brute force.

use glam::Vec3;
use supple::{Aabb, Groups, QueryStats, Ray, Scene, SceneHit, oracle};

use super::members::{Member, QUESTION_GROUPS, around, copies, crowd, members};
use crate::subjects::cases::cases;
use crate::subjects::random_model::Random;

/// All ways to ask agree with brute force; returns all hits.
fn check(scene: &mut Scene, members: &[Member], ray: Ray, groups: Groups) -> Vec<SceneHit> {
    let mut expected: Vec<SceneHit> = Vec::new();
    for member in members.iter().filter(|member| member.groups.meet(&groups)) {
        let hits = oracle::cast_ray_all(member.posed(), ray);
        expected.extend(hits.into_iter().map(|hit| SceneHit { body: member.id, hit }));
    }
    let key = |hit: &SceneHit| (hit.hit.time, hit.body, hit.hit.triangle);
    expected.sort_by(|a, b| key(a).partial_cmp(&key(b)).unwrap());
    assert_eq!(scene.cast_ray_all(ray, groups).found, expected, "{ray:?}");
    assert_eq!(scene.cast_ray(ray, groups).found, expected.first().copied(), "{ray:?}");
    let any = scene.cast_ray_any(ray, groups).found;
    assert_eq!(any.is_some(), !expected.is_empty(), "{ray:?}");
    assert!(any.is_none_or(|hit| expected.contains(&hit)), "{ray:?}");
    assert_eq!(any, scene.cast_ray_any(ray, groups).found, "the same for the same input");
    expected
}

fn aimed(random: &mut Random, bounds: &Aabb) -> Ray {
    let origin = bounds.center() + random.rotation() * Vec3::X * bounds.half_extents().length() * 1.5;
    let target = bounds.center() + bounds.half_extents() * random.vec3();
    Ray::new(origin, target - origin).unwrap()
}

#[test]
fn a_crowd() {
    let mut scene = crowd();
    let members = members(&mut scene);
    let (bounds, mut random) = (around(&members), Random(3));
    let mut found = 0;
    for round in 0..cases(30, 150) {
        let vertex = members[random.below(members.len())].vertex(&mut random);
        let rays = [
            Some(aimed(&mut random, &bounds)),
            // From the middle of things, and parallel to an axis.
            Ray::new(bounds.center() + bounds.half_extents() * random.vec3(), Vec3::AXES[round % 3]).ok(),
            Ray::new(vertex, random.vec3()).ok(),
            Ray::segment(bounds.min, vertex).ok(),
        ];
        for ray in rays.into_iter().flatten() {
            let groups = QUESTION_GROUPS[round % QUESTION_GROUPS.len()];
            let hits = check(&mut scene, &members, ray, groups);
            found += hits.len();
            check(&mut scene, &members, ray.front_faces_only(), groups);
            if let Some(hit) = hits.get(random.below(hits.len().max(1))) {
                let until = check(&mut scene, &members, ray.until(hit.hit.time).unwrap(), groups);
                assert!(until.contains(hit), "a hit at the very end counts");
            }
        }
    }
    assert!(found > 100, "{found}");
}

/// Of hits at the same time, the body with the smallest id is first.
#[test]
fn copies_of_one_body() {
    let mut scene = copies(5);
    let members = members(&mut scene);
    let (bounds, mut random) = (around(&members), Random(5));
    let mut ties = 0;
    for round in 0..cases(40, 200) {
        let groups = QUESTION_GROUPS[round % QUESTION_GROUPS.len()];
        let ray = aimed(&mut random, &bounds);
        let hits = check(&mut scene, &members, ray, groups);
        let meeting: Vec<_> = members.iter().filter(|member| member.groups.meet(&groups)).collect();
        if let Some(first) = hits.first() {
            assert_eq!(first.body, meeting[0].id);
            assert_eq!(hits.len() % meeting.len(), 0, "all of them are hit");
            ties += 1;
        }
    }
    assert!(ties > 5, "{ties}");
}

/// Bodies behind each other, so that the order of their bounds is not that of their hits.
#[test]
fn moved_and_removed_bodies() {
    let mut scene = crowd();
    let mut random = Random(8);
    for round in 0..cases(8, 30) {
        let ids: Vec<_> = scene.bodies_mut().map(|(id, _)| id).collect();
        let body = scene.body_mut(ids[round % ids.len()]).unwrap();
        let mut placement = body.placement();
        placement.translation += (random.vec3() * 0.3).as_dvec3();
        body.set_placement(placement).unwrap();
        if round % 3 == 2 {
            let body = scene.remove(ids[(round * 5) % ids.len()]).unwrap();
            scene.insert(body, QUESTION_GROUPS[round % 3]);
        }
        let members = members(&mut scene);
        let bounds = around(&members);
        for _ in 0..6 {
            check(&mut scene, &members, aimed(&mut random, &bounds), Groups::ALL);
        }
    }
}

#[test]
fn empty_scenes() {
    let mut scene = Scene::new();
    let ray = Ray::new(Vec3::ZERO, Vec3::X).unwrap();
    assert!(check(&mut scene, &[], ray, Groups::ALL).is_empty());
    assert_eq!(scene.cast_ray(ray, Groups::ALL).stats, QueryStats::default());
    let mut scene = copies(1);
    let id = scene.bodies_mut().map(|(id, _)| id).next().unwrap();
    scene.remove(id);
    assert!(check(&mut scene, &[], ray, Groups::ALL).is_empty());
}
