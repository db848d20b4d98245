//! Collisions within a budget: exact as far as they go, honest about the rest, complete ones equal to brute force.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::subjects::random_model::{RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::Vec3;
use supple::math::Isometry;
use supple::oracle::{self, PosedMesh};
use supple::{
    Answer, Body, Budget, BuildOptions, CollideOptions, NodeId, PartialPairs, Shape, Skinning, VolumeKind,
    collide, collide_with,
};

fn collide_within(a: &mut Body, b: &mut Body, budget: Budget) -> Answer<PartialPairs> {
    collide_with(a, b, &CollideOptions::default().with_budget(budget))
}

fn brute_force(a: &mut Body, b: &mut Body) -> Vec<[u32; 2]> {
    let (model_a, model_b) = (Arc::clone(a.shape().model()), Arc::clone(b.shape().model()));
    oracle::collide(
        PosedMesh::new(model_a.mesh(), &a.positions()),
        PosedMesh::new(model_b.mesh(), &b.positions()),
    )
}

/// Pairs touch; those that were not found lie in the bounds of an open pair.
fn assert_honest(a: &mut Body, b: &mut Body, partial: &PartialPairs, expected: &[[u32; 2]]) {
    assert!(partial.pairs.windows(2).all(|w| w[0] < w[1]), "ascending, each once");
    assert!(partial.pairs.iter().all(|pair| expected.binary_search(pair).is_ok()));
    let mut inside = |body_a: bool, triangle: u32, bound: &supple::math::Aabb| {
        let body = if body_a { &mut *a } else { &mut *b };
        let corners = body.shape().model().mesh().triangles()[triangle as usize];
        corners.iter().all(|&v| bound.contains(body.position(v)))
    };
    for pair in expected.iter().filter(|pair| partial.pairs.binary_search(pair).is_err()) {
        let covered = partial
            .open
            .iter()
            .any(|open| inside(true, pair[0], &open.bounds[0]) && inside(false, pair[1], &open.bounds[1]));
        assert!(covered, "{pair:?} is neither found nor open");
    }
    assert!(partial.open.iter().all(|open| open.bounds[0].intersects(&open.bounds[1])));
}

/// Grows the budget until the answer is complete; returns how many steps that took.
fn check(a: &mut Body, b: &mut Body) -> usize {
    let expected = brute_force(a, b);
    // Twins that are asked the same, and bodies that were asked nothing before.
    let (mut twin_a, mut twin_b) = (a.clone(), b.clone());
    let (mut visits, mut steps) = (0, 0);
    loop {
        let partial = collide_within(a, b, Budget::visits(visits));
        let again = collide_within(&mut twin_a, &mut twin_b, Budget::visits(visits));
        assert!(partial.found == again.found, "deterministic");
        assert_eq!(partial.stats, again.stats);
        let (mut fresh_a, mut fresh_b) = (a.clone(), b.clone());
        fresh_a.set_placement(a.placement()).unwrap();
        fresh_b.set_placement(b.placement()).unwrap();
        let fresh = collide_within(&mut fresh_a, &mut fresh_b, Budget::visits(visits));
        for partial in [&partial, &fresh] {
            assert!(partial.stats.node_visits < visits.max(1) + 8, "the budget is kept");
            assert_honest(a, b, &partial.found, &expected);
        }
        steps += 1;
        if partial.found.is_complete() {
            assert_eq!(partial.found.pairs, expected);
            break;
        }
        visits = visits * 3 / 2 + 5;
    }
    let all = collide_within(a, b, Budget::UNLIMITED);
    let complete = collide(a, b);
    assert_eq!((&all.found.pairs, all.found.is_complete()), (&complete.found, true));
    assert_eq!(all.stats.node_visits, complete.stats.node_visits, "only the order differs");
    steps
}

#[test]
fn hostile_models() {
    for seed in 0..25 {
        for kind in RestKind::ALL {
            let (model_a, model_b) = (random_model(seed, kind), random_model(seed + 50, RestKind::Plain));
            let options = BuildOptions::default().with_leaf_size(2);
            let mut a =
                Body::new(&Arc::new(Shape::build(model_a, &options).unwrap()), Skinning::Linear).unwrap();
            let skinning = Skinning::ALL[seed as usize % 3];
            let mut b = Body::new(&Arc::new(Shape::build(model_b, &options).unwrap()), skinning).unwrap();
            a.set_pose(&random_pose(a.shape().model(), seed, seed % 2 == 0)).unwrap();
            let aside = Isometry::from_translation(Vec3::X * (seed % 6) as f32);
            b.set_pose_at(&random_pose(b.shape().model(), seed + 3, false), aside).unwrap();
            check(&mut a, &mut b);
        }
    }
}

#[test]
fn characters() {
    let shape = zoo("man");
    let walk = shape.model().clip("walk").unwrap();
    for (skinning, aside) in Skinning::ALL.into_iter().zip([0.0, 0.3, 0.6]) {
        let (mut a, mut b) = (Body::new(&shape, skinning).unwrap(), Body::new(&shape, skinning).unwrap());
        a.set_pose(&shape.model().sample(walk, 0.2).unwrap()).unwrap();
        b.set_placement(Isometry::from_translation(Vec3::X * aside)).unwrap();
        assert!(check(&mut a, &mut b) > 3);
    }
}

#[test]
fn apart_is_certain_at_once() {
    let shape = zoo("man");
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    b.set_placement(Isometry::from_translation(Vec3::X * 10.0)).unwrap();
    let partial = collide_within(&mut a, &mut b, Budget::visits(0)).found;
    assert!(partial.is_complete() && partial.pairs.is_empty());
    // Nothing can be said of bodies at the same place, except where to look.
    b.set_placement(Isometry::IDENTITY).unwrap();
    let partial = collide_within(&mut a, &mut b, Budget::visits(0)).found;
    assert_eq!((partial.open.len(), partial.pairs.len()), (1, 0));
    assert_eq!(partial.open[0].nodes, [NodeId(0); 2]);
}

#[test]
fn conditions() {
    let shape = zoo("man");
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    let expected = collide(&mut a, &mut b).found;
    let at_once = collide_within(&mut a, &mut b, Budget::until(&|| true)).found;
    assert_eq!(
        (at_once.pairs.len(), at_once.open.len()),
        (0, 1),
        "the condition held before the first visit"
    );
    let never = collide_within(&mut a, &mut b, Budget::until(&|| false)).found;
    assert!(never.is_complete() && never.pairs == expected);
    // Asked between visits: the more often it says no, the farther the query comes.
    let mut before = 0;
    for most in [1u64, 5, 25, 125] {
        let asked = AtomicU64::new(0);
        let enough = || asked.fetch_add(1, Ordering::Relaxed) >= most;
        let partial = collide_within(&mut a, &mut b, Budget::until(&enough));
        assert_honest(&mut a, &mut b, &partial.found, &expected);
        assert_eq!(asked.into_inner(), most + 1, "it is not asked again once it has held");
        assert!(!partial.found.is_complete() && partial.stats.node_visits > before);
        assert!(partial.stats.node_visits <= 8 * (most + 1), "at most eight visits between two questions");
        before = partial.stats.node_visits;
    }
    // What is spent first ends the query, with either volume.
    for volume in [VolumeKind::Box, VolumeKind::Sphere] {
        let ask = |a: &mut Body, b: &mut Body, budget| {
            collide_with(a, b, &CollideOptions::default().with_volume(volume).with_budget(budget))
        };
        let mut both = Budget::until(&|| false);
        both.visits = Some(50);
        let limited = ask(&mut a, &mut b, both);
        assert!(!limited.found.is_complete() && limited.stats.node_visits < 58);
        assert_eq!(limited.found, ask(&mut a, &mut b, Budget::visits(50)).found);
        let mut both = Budget::until(&|| true);
        both.visits = Some(50);
        assert!(ask(&mut a, &mut b, both).stats.node_visits <= 1);
        assert_eq!(ask(&mut a, &mut b, Budget::until(&|| false)).found.pairs, expected);
    }
}

/// A deadline is a condition.
#[test]
fn deadlines() {
    let shape = zoo("man");
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    let mut b = a.clone();
    let expected = collide(&mut a, &mut b).found;
    let (now, hour) = (Instant::now(), Instant::now() + Duration::from_secs(3600));
    let past = collide_within(&mut a, &mut b, Budget::until(&|| Instant::now() >= now)).found;
    assert!(!past.is_complete(), "the deadline has passed");
    let in_time = collide_within(&mut a, &mut b, Budget::until(&|| Instant::now() >= hour)).found;
    assert_eq!(in_time.pairs, expected);
}
