//! Scenes against brute force over all pairs of bodies, through insertions, removals and poses in any order; and on any
//! number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::subjects::cases::cases;
use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::Vec3;
use supple::math::Isometry;
use supple::oracle::{self, PosedMesh};
use supple::{
    Answer, Body, BodyContacts, BodyId, BuildOptions, Groups, QueryStats, Scene, Shape, Skinning,
    SphereContact, collide, sphere_contacts,
};

fn shapes() -> Vec<Arc<Shape>> {
    let options = BuildOptions::default().with_leaf_size(2);
    let shape = |(seed, kind)| Arc::new(Shape::build(random_model(seed, kind), &options).unwrap());
    (1u64..).zip(RestKind::ALL).map(shape).collect()
}

fn random_body(random: &mut Random, shapes: &[Arc<Shape>], room: f32) -> Body {
    let shape = &shapes[random.below(shapes.len())];
    let mut body = Body::new(shape, Skinning::ALL[random.below(3)]).unwrap();
    move_body(random, &mut body, room);
    body
}

fn move_body(random: &mut Random, body: &mut Body, room: f32) {
    let pose = random_pose(body.shape().model(), random.next(), false);
    let place = Isometry::from_rotation_translation(random.rotation(), random.vec3() * room);
    body.set_pose_at(&pose, place).unwrap();
}

/// Every pair of bodies by brute force.
fn brute_force(
    scene: &mut Scene,
    groups: &BTreeMap<BodyId, Groups>,
    meet: impl Fn(BodyId, BodyId) -> bool,
) -> Vec<BodyContacts> {
    let posed: Vec<_> = scene
        .bodies_mut()
        .map(|(id, body)| (id, Arc::clone(body.shape().model()), body.positions()))
        .collect();
    let mut touching = Vec::new();
    for (i, (a, model_a, positions_a)) in posed.iter().enumerate() {
        for (b, model_b, positions_b) in &posed[i + 1..] {
            if groups[a].meet(&groups[b]) && meet(*a, *b) {
                let pairs = oracle::collide(
                    PosedMesh::new(model_a.mesh(), positions_a),
                    PosedMesh::new(model_b.mesh(), positions_b),
                );
                if !pairs.is_empty() {
                    touching.push(BodyContacts { bodies: [*a, *b], pairs });
                }
            }
        }
    }
    touching.sort_by_key(|contact| contact.bodies);
    touching
}

/// All bodies whose groups meet; returns how many pairs of them touch.
fn assert_all_exact(scene: &mut Scene, groups: &BTreeMap<BodyId, Groups>) -> usize {
    let expected = assert_exact(scene, groups, |_, _| true);
    assert_eq!(scene.pairs(), scene.pairs_where(|_, _| true));
    assert_eq!(scene.collide().found, expected);
    let first = scene.collide_any().found;
    assert_eq!(first.len(), expected.len());
    for (one, all) in first.iter().zip(&expected) {
        assert!(one.bodies == all.bodies && all.pairs.binary_search(&one.pair).is_ok());
    }
    expected.len()
}

/// Returns what touches.
fn assert_exact(
    scene: &mut Scene,
    groups: &BTreeMap<BodyId, Groups>,
    meet: impl Fn(BodyId, BodyId) -> bool,
) -> Vec<BodyContacts> {
    let expected = brute_force(scene, groups, &meet);
    let near = scene.pairs_where(&meet);
    assert!(near.windows(2).all(|w| w[0] < w[1]) && near.iter().all(|[a, b]| a < b), "sorted, each once");
    let answers = scene.ask_pairs(&near, |bodies, a, b| BodyContacts { bodies, pairs: collide(a, b).found });
    assert_eq!(answers.len(), near.len());
    let touching: Vec<_> =
        answers.into_iter().flatten().filter(|contact| !contact.pairs.is_empty()).collect();
    assert_eq!(touching, expected);
    expected
}

#[test]
fn insertion_removal_and_poses_at_any_time() {
    let shapes = shapes();
    let mut contacts = 0;
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut scene = Scene::new();
        let (mut groups, mut removed) = (BTreeMap::new(), Vec::new());
        for step in 0..60 {
            let some = |random: &mut Random, groups: &BTreeMap<BodyId, Groups>| {
                groups.keys().copied().nth(random.below(groups.len().max(1)))
            };
            match random.below(5) {
                0 | 1 => {
                    let own = match random.below(3) {
                        0 => Groups { member: 1 << random.below(3), meets: random.below(8) as u32 },
                        _ => Groups::ALL,
                    };
                    let id = scene.insert(random_body(&mut random, &shapes, 4.0), own);
                    assert!(groups.insert(id, own).is_none(), "ids are new");
                    assert!(!removed.contains(&id), "ids are never given twice");
                }
                2 => {
                    if let Some(id) = some(&mut random, &groups) {
                        assert!(scene.remove(id).is_some());
                        groups.remove(&id);
                        removed.push(id);
                    }
                }
                _ => {
                    if let Some(id) = some(&mut random, &groups) {
                        move_body(&mut random, scene.body_mut(id).unwrap(), 4.0);
                    }
                }
            }
            for id in &removed {
                assert!(scene.body(*id).is_none() && scene.body_mut(*id).is_none());
                assert!(scene.groups_mut(*id).is_none() && scene.remove(*id).is_none());
            }
            assert_eq!(scene.len(), groups.len());
            assert!(scene.bodies_mut().map(|(id, _)| id).eq(groups.keys().copied()));
            if step % 6 == 5 {
                contacts += assert_all_exact(&mut scene, &groups);
                let some: Vec<BodyId> = groups.keys().copied().step_by(2).collect();
                assert_exact(&mut scene, &groups, |a, b| some.contains(&a) != some.contains(&b));
            }
        }
    }
    assert!(contacts > 300, "bodies meet: {contacts}");
}

#[test]
fn empty_scenes_and_lonely_bodies() {
    let mut scene = Scene::new();
    assert!(scene.is_empty() && scene.pairs().is_empty());
    assert_eq!(scene.collide().stats, QueryStats::default());
    let id = scene.insert(random_body(&mut Random(1), &shapes(), 1.0), Groups::ALL);
    assert!(scene.pairs().is_empty() && scene.collide_any().found.is_empty());
    assert!(scene.remove(id).is_some());
    assert!(scene.is_empty() && scene.pairs().is_empty());
}

#[test]
fn all_at_one_place() {
    let shapes = shapes();
    let mut scene = Scene::new();
    let body = random_body(&mut Random(5), &shapes, 0.0);
    let ids: Vec<BodyId> = (0..9).map(|_| scene.insert(body.clone(), Groups::ALL)).collect();
    let groups = ids.iter().map(|id| (*id, Groups::ALL)).collect();
    assert_eq!(assert_all_exact(&mut scene, &groups), 9 * 8 / 2);
    assert!(assert_exact(&mut scene, &groups, |_, _| false).is_empty());
    // Far apart along every axis in turn: the sweep changes its axis.
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for (number, id) in ids.iter().enumerate() {
            let place = Isometry::from_translation(axis * (number * number) as f32);
            scene.body_mut(*id).unwrap().set_placement(place).unwrap();
        }
        let contacts = assert_all_exact(&mut scene, &groups);
        assert!(contacts < 20, "{contacts}");
    }
}

#[test]
fn groups_meet_both_ways() {
    let players = Groups { member: 1, meets: 0b110 };
    let props = Groups { member: 0b10, meets: 0b11 };
    let ghosts = Groups { member: 0b100, meets: 0 };
    assert!(players.meet(&props) && props.meet(&players) && props.meet(&props));
    assert!(!players.meet(&players) && !players.meet(&ghosts) && !ghosts.meet(&players));
    assert!(Groups::default().meet(&Groups::ALL));
}

/// A crowd of characters, small enough for brute force.
#[test]
fn a_crowd_of_men() {
    let count = cases(5, 9);
    let mut scene = crowd(count);
    let groups = scene.bodies_mut().map(|(id, _)| (id, Groups::ALL)).collect();
    assert!(assert_all_exact(&mut scene, &groups) > cases(2, 4));
    assert!(scene.memory_bytes() > count * 10_000);
}

fn crowd(count: usize) -> Scene {
    let man = zoo("man");
    let mut scene = Scene::new();
    for number in 0..count {
        let mut body = Body::new(&man, Skinning::ALL[number % 3]).unwrap();
        let walk = man.model().clip("walk").unwrap();
        let pose = man.model().sample_looped(walk, number as f64 * 0.13).unwrap();
        let place = Vec3::new((number % 3) as f32 * 0.5, 0.0, (number / 3) as f32 * 0.4);
        body.set_pose_at(&pose, Isometry::from_translation(place)).unwrap();
        scene.insert(body, Groups::ALL);
    }
    scene
}

fn ask(ids: [BodyId; 2], a: &mut Body, b: &mut Body) -> ([BodyId; 2], Answer<Vec<SphereContact>>) {
    (ids, sphere_contacts(a, b, [3, 2]))
}

/// Answers come in the order of the pairs, whatever the pairs are.
#[test]
fn pairs_in_any_choice_and_order() {
    let mut scene = crowd(9);
    let ids: Vec<BodyId> = scene.bodies_mut().map(|(id, _)| id).collect();
    scene.remove(ids[4]);
    let [a, b, c, removed] = [ids[0], ids[1], ids[3], ids[4]];
    let pairs = [[b, a], [a, b], [c, c], [b, a], [removed, a], [a, c], [c, removed]];
    let answers = scene.ask_pairs(&pairs, ask);
    assert_eq!(answers.len(), pairs.len());
    for (pair, answer) in pairs.iter().zip(&answers) {
        let Some([first, second]) = scene.pair_mut(*pair) else {
            assert!(answer.is_none(), "{pair:?}");
            continue;
        };
        let (asked, contacts) = answer.as_ref().unwrap();
        assert_eq!((asked, &contacts.found), (pair, &ask(*pair, first, second).1.found));
    }
    assert_eq!(answers.iter().flatten().count(), 4);
    // An id of another scene whose slot is not there.
    let stranger = Scene::new().ask_pairs(&[[a, b]], ask);
    assert!(stranger.len() == 1 && stranger[0].is_none());
}

/// Answers and counters, from the first question on.
#[cfg(feature = "rayon")]
#[test]
fn nothing_depends_on_the_number_of_threads() {
    let scene = crowd(24);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut scene = scene.clone();
        pool.install(|| {
            let first = scene.collide_any();
            let pairs = scene.pairs();
            let asked = scene.ask_pairs(&pairs, ask);
            assert_eq!(asked.iter().flatten().count(), pairs.len());
            (first, scene.collide(), pairs, asked)
        })
    };
    let alone = on(1);
    assert!(alone.1.found.len() > 15);
    for threads in [2, 3, 8] {
        assert_eq!(on(threads), alone);
    }
}
