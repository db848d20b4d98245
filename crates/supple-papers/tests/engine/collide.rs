//! Pairs of touching triangles: every method, volume and tree finds what the library and brute force find.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DQuat, DVec3, Vec3};
use supple::oracle::{self, PosedMesh};
use supple::{Body, BuildOptions, Isometry, Mesh, Model, Pose, QueryStats, Shape, Skinning, collide};
use supple_papers::{self as papers, BoundingSphere, Method, Slabs, Tree, Volume, Walk};

use crate::random_model::{Random, grid_soup, random_pose};
use crate::{
    body_of, cases, for_all_volumes, for_some_volumes, halves, methods_for, placed, subjects, trees,
};

/// All trees of [`trees`].
const ALL_TREES: &[usize] = &[0, 1, 2, 3];

/// A model somewhere in some pose.
#[derive(Clone)]
struct Actor {
    model: Arc<Model>,
    skinning: Skinning,
    /// The library's.
    shape: Arc<Shape>,
    trees: [(&'static str, Tree); 4],
    pose: Pose,
    placement: Isometry,
}

impl Actor {
    fn new(model: &Arc<Model>, skinning: Skinning) -> Self {
        let (trees, pose) = (trees(model), model.rest_pose());
        let shape = Arc::new(Shape::build(Arc::clone(model), &BuildOptions::default()).unwrap());
        Self { model: Arc::clone(model), skinning, shape, trees, pose, placement: Isometry::IDENTITY }
    }

    /// The library's body.
    fn own(&self) -> Body {
        let mut body = Body::new(&self.shape, self.skinning).unwrap();
        body.set_pose_at(&self.pose, self.placement).unwrap();
        body
    }

    fn reference<V: Volume>(&self, method: Method, tree: usize) -> papers::Body<V> {
        let mut body = body_of(&self.model, self.skinning, &self.trees[tree].1, method);
        body.set_pose(&self.pose, &self.placement).unwrap();
        body
    }

    fn methods(&self) -> Vec<Method> {
        methods_for(&self.model, self.skinning).collect()
    }
}

/// Both of one model.
fn two_actors(model: &Arc<Model>, skinning: Skinning) -> (Actor, Actor) {
    let actor = Actor::new(model, skinning);
    (actor.clone(), actor)
}

/// What the library finds, which brute force finds as well.
fn expected_pairs(a: &Actor, b: &Actor) -> Vec<[u32; 2]> {
    let (mut own, mut other) = (a.own(), b.own());
    let (positions, other_positions) = (own.positions(), other.positions());
    let found = collide(&mut own, &mut other).found;
    let posed =
        [PosedMesh::new(a.model.mesh(), &positions), PosedMesh::new(b.model.mesh(), &other_positions)];
    assert_eq!(found, oracle::collide(posed[0], posed[1]));
    found
}

/// All ways to walk agree; returns what the first took.
fn assert_walks<V: Volume>([a, b]: [&papers::Body<V>; 2], expected: &[[u32; 2]], what: &str) -> QueryStats {
    // Clones know nothing of the last walk.
    let ask = |walk| papers::collide(&mut a.clone(), &mut b.clone(), walk);
    let (pairs, stats) = ask(Walk::default());
    assert_eq!(pairs, expected, "{what}");
    let (again, without_stamps) = ask(Walk { frame_stamps: false, ..Walk::default() });
    assert_eq!(again, expected, "{what}, without stamps");
    assert!(without_stamps.refits >= stats.refits, "{what}: {without_stamps:?} {stats:?}");
    assert_eq!(without_stamps.node_visits, stats.node_visits, "{what}");
    let (first, sooner) = ask(Walk { first: true, ..Walk::default() });
    assert_eq!(first.len(), expected.len().min(1), "{what}");
    assert!(first.iter().all(|pair| expected.binary_search(pair).is_ok()), "{what}: {first:?}");
    assert!(sooner.triangle_tests <= stats.triangle_tests, "{what}");
    stats
}

/// By every method of both bodies, on trees of both kinds.
fn assert_found<V: Volume>(a: &Actor, b: &Actor, trees: &[usize], expected: &[[u32; 2]], what: &str) {
    let (of_a, of_b) = (a.methods(), b.methods());
    for turn in 0..of_a.len().max(of_b.len()) {
        let (method_a, method_b) = (of_a[turn % of_a.len()], of_b[turn % of_b.len()]);
        for &tree in trees {
            let other_tree = (tree + turn / 3) % 4;
            let what = format!(
                "{what}, {}: {} on {}, {} on {}",
                V::NAME,
                method_a.name(),
                a.trees[tree].0,
                method_b.name(),
                b.trees[other_tree].0
            );
            let own = a.reference::<V>(method_a, tree);
            assert_walks([&own, &b.reference(method_b, other_tree)], expected, &what);
        }
    }
}

#[test]
fn random_models_against_each_other() {
    let (mut contacts, seeds) = (0, cases(1, 3));
    for seed in 0..seeds {
        let (of_a, of_b) = (subjects(seed), subjects(seed + 100));
        for (i, (model, skinning)) in of_a.iter().enumerate() {
            let (other, other_skinning) = &of_b[(i + 1 + seed as usize) % of_b.len()];
            let (mut a, mut b) = (Actor::new(model, *skinning), Actor::new(other, *other_skinning));
            a.pose = random_pose(model, seed, false);
            b.pose = random_pose(other, seed + 7, false);
            a.placement = placed(seed + i as u64, Vec3::new(0.5, -0.2, 0.1));
            // Deep, side by side, apart.
            for distance in [0.3, 2.5, 12.0] {
                b.placement = placed(seed + 50, Vec3::X * distance);
                let expected = expected_pairs(&a, &b);
                contacts += expected.len();
                let what = format!("seed {seed}, model {i}, {distance} aside");
                for_all_volumes!(assert_found(&a, &b, ALL_TREES, &expected, &what));
            }
        }
    }
    assert!(contacts as u64 > 334 * seeds, "the models meet: {contacts}");
}

/// The zoo at two times of its clips, coefficients of fields enlarged.
fn zoo_pose(model: &Model, part: f64) -> Pose {
    let clip = &model.clips()[0];
    let mut pose = model.sample(clip, part * clip.duration()).unwrap();
    if matches!(model.rest(), supple::rest::Rest::Fields(_)) {
        pose.coefficients.iter_mut().for_each(|q| *q *= 3.0);
    }
    pose
}

#[test]
fn the_zoo_against_itself() {
    let animals = [("dolphin", 0.2), ("chair", 0.2), ("man", 0.3), ("face", 0.1), ("creature", 0.6)];
    let mut turn = 0;
    for &(name, aside) in &animals[..cases(3, 5)] {
        let model = Arc::new(supple_zoo::make(name, 0).unwrap());
        let several = model.skin().joint_count() > 1;
        let skinnings = if several { &Skinning::ALL[..] } else { &Skinning::ALL[..1] };
        for &skinning in skinnings {
            let (mut a, mut b) = two_actors(&model, skinning);
            (a.pose, b.pose) = (zoo_pose(&model, 0.2), zoo_pose(&model, 0.6));
            b.placement = Isometry::new(DQuat::from_rotation_y(0.4), Vec3::X * aside);
            let expected = expected_pairs(&a, &b);
            println!("{name} {}: {} pairs", skinning.name(), expected.len());
            assert!(!expected.is_empty(), "{name} meets itself");
            // Every tree has its turn.
            let mut tree = || {
                turn += 1;
                [turn as usize % 4]
            };
            let what = format!("{name} {}", skinning.name());
            for_some_volumes!(assert_found(&a, &b, &tree(), &expected, &what));
            b.placement = Isometry::from_translation(Vec3::X * 20.0);
            assert_found::<Slabs<9>>(&a, &b, &tree(), &[], &what);
        }
    }
}

/// What is apart is found to be apart near the roots, and only there volumes are computed.
#[test]
fn bodies_apart_refit_little() {
    fn apart<V: Volume>(a: &Actor, b: &Actor) {
        for method in a.methods().into_iter().filter(|method| !method.is_eager()) {
            let bodies = [a, b].map(|actor| actor.reference::<V>(method, 1));
            let stats = assert_walks([&bodies[0], &bodies[1]], &[], V::NAME);
            let nodes = 2 * bodies[0].tree().nodes().len() as u64;
            assert!(stats.refits < nodes / 10, "{} {}: {stats:?} of {nodes}", method.name(), V::NAME);
        }
    }
    for (name, aside) in [("dolphin", 1.5), ("chair", 1.0), ("man", 1.5)] {
        let model = Arc::new(supple_zoo::make(name, 0).unwrap());
        let (mut a, mut b) = two_actors(&model, Skinning::Linear);
        (a.pose, b.pose) = (zoo_pose(&model, 0.2), zoo_pose(&model, 0.6));
        b.placement = Isometry::from_translation(Vec3::new(aside, 0.1, aside));
        assert_eq!(expected_pairs(&a, &b), [[0; 2]; 0], "{name}");
        for_some_volumes!(apart(&a, &b));
    }
}

fn triangle() -> Arc<Model> {
    Arc::new(Model::rigid(Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).unwrap()))
}

#[test]
fn one_triangle_bodies() {
    let model = triangle();
    let (a, mut b) = two_actors(&model, Skinning::Linear);
    for (offset, touch) in [
        (Vec3::ZERO, true),
        (Vec3::new(1.0, 0.0, 0.0), true),
        (Vec3::new(0.5, 0.5, 0.0), true),
        (Vec3::new(1.0, 1e-7, 0.0), false),
        (Vec3::new(0.0, 0.0, 1e-30), false),
    ] {
        b.placement = Isometry::from_translation(offset);
        let expected = expected_pairs(&a, &b);
        assert_eq!(!expected.is_empty(), touch, "{offset}");
        for_all_volumes!(assert_found(&a, &b, ALL_TREES, &expected, &format!("{offset}")));
    }
}

/// Triangles that are the same, which no plane can tell apart, and such that are one point.
#[test]
fn coincident_triangles() {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::splat(0.2)];
    let triangles = [vec![[0, 1, 2]; 21], vec![[3, 3, 3]; 10]].concat();
    let model = Arc::new(Model::rigid(Mesh::new(positions, triangles).unwrap()));
    let (a, mut b) = two_actors(&model, Skinning::Linear);
    for (name, tree) in &a.trees[..3] {
        let leaves: Vec<_> = (0..tree.nodes().len()).filter(|&node| tree.nodes()[node].is_leaf()).collect();
        assert_eq!(leaves.len(), 31, "{name} has a leaf per triangle");
    }
    for placement in [Isometry::IDENTITY, Isometry::new(DQuat::from_rotation_x(1.0), Vec3::ZERO)] {
        b.placement = placement;
        let expected = expected_pairs(&a, &b);
        assert!(expected.len() >= 21 * 21);
        for_all_volumes!(assert_found(&a, &b, ALL_TREES, &expected, "coincident"));
    }
}

/// Corners on a coarse grid: edges through edges, coplanar and degenerate triangles, faces that only touch.
#[test]
fn exact_degeneracies_on_a_grid() {
    for seed in 0..cases(2, 6) {
        let size = 2 + seed as usize % 4;
        let (model, other) = (Arc::new(grid_soup(seed, size, 30)), Arc::new(grid_soup(seed + 500, size, 25)));
        let (a, mut b) = (Actor::new(&model, Skinning::Linear), Actor::new(&other, Skinning::Linear));
        for aside in [0, size - 1, size] {
            b.placement = Isometry::from_translation(Vec3::X * aside as f32);
            let expected = expected_pairs(&a, &b);
            assert_eq!(expected.is_empty(), aside == size, "seed {seed}");
            let what = format!("seed {seed}, {aside} aside");
            for_all_volumes!(assert_found(&a, &b, ALL_TREES, &expected, &what));
        }
    }
}

/// Two soups whose spaces stretch by nearly as much as is allowed: a sphere of one space is larger in the other.
fn nearly_rigid_spaces<V: Volume>() {
    let (mut contacts, seeds) = (0, cases(40, 200));
    for seed in 0..seeds {
        let mut random = Random(seed);
        let corner = |random: &mut Random| random.vec3() * 10.0;
        let mesh = |random: &mut Random| {
            let positions = (0..9).map(|_| corner(random)).collect();
            Arc::new(Model::rigid(Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]]).unwrap()))
        };
        let models = [mesh(&mut random), mesh(&mut random)];
        let mut bodies = models
            .each_ref()
            .map(|model| body_of::<V>(model, Skinning::Linear, &halves(model), Method::Fields));
        let turn = Affine3A::from_quat(random.rotation());
        let stretch = |by: f32| turn * Affine3A::from_scale(Vec3::splat(by));
        // So that a corner of one is a corner of the other, on the far side of its sphere.
        let joints = [stretch(0.9991), stretch(1.0009)];
        let farthest = |i: usize, towards: Vec3| {
            let posed = models[i].mesh().positions().iter().map(|p| joints[i].transform_point3(*p));
            posed.max_by(|p, q| p.dot(towards).total_cmp(&q.dot(towards))).unwrap()
        };
        let axis = random.rotation() * Vec3::X;
        let shift = farthest(0, axis) - farthest(1, -axis);
        let moved = Affine3A::from_translation(shift * 0.9995) * joints[1];
        bodies[0].set_joint_matrices(&[joints[0]], &[]).unwrap();
        bodies[1].set_joint_matrices(&[moved], &[]).unwrap();
        let posed = |i: usize, joint: Affine3A| {
            let shape = Arc::new(Shape::build(Arc::clone(&models[i]), &BuildOptions::default()).unwrap());
            let mut body = Body::new(&shape, Skinning::Linear).unwrap();
            body.set_joint_matrices(&[joint], &[]).unwrap();
            body.positions()
        };
        let positions = [posed(0, joints[0]), posed(1, moved)];
        let [a, b] = [0, 1].map(|i: usize| PosedMesh::new(models[i].mesh(), &positions[i]));
        let expected = oracle::collide(a, b);
        contacts += expected.len();
        assert_walks([&bodies[0], &bodies[1]], &expected, &format!("{} seed {seed}", V::NAME));
    }
    assert!(contacts as u64 > seeds / 10, "{contacts} contacts");
}

#[test]
fn spaces_that_stretch_lose_nothing() {
    for_all_volumes!(nearly_rigid_spaces());
}

/// A sphere of one space that is tested in another which is smaller.
#[test]
fn spheres_grow_with_the_space_they_are_seen_from() {
    let a_from_b = DAffine3::from_scale(DVec3::splat(1.001));
    let (a, b) =
        (BoundingSphere::of_sphere(DVec3::X * 2.0005, 1.0), BoundingSphere::of_sphere(DVec3::ZERO, 1.0));
    assert!(!a.overlaps(&b) && a.overlaps_turned(&b, &BoundingSphere::between(&a_from_b)));
}

/// Bodies in one space are tested by their slabs themselves, which is the tighter test.
#[test]
fn turned_bodies_are_tested_across_their_spaces() {
    // Each is moved by one joint, whose space is that of its volumes.
    let model = Arc::new(supple_zoo::make(cases("dolphin", "chair"), 0).unwrap());
    let (mut a, mut b) = two_actors(&model, Skinning::Linear);
    for turn in 0..cases(1, 4u32) {
        let rotation = DQuat::from_rotation_y(f64::from(turn));
        a.placement = Isometry::new(rotation, Vec3::new(5.0, -1.0, 2.0));
        b.placement =
            Isometry::new(rotation, a.placement.transform_point(DVec3::new(0.3, 0.05, 0.1)).as_vec3());
        let expected = expected_pairs(&a, &b);
        assert!(!expected.is_empty());
        for_all_volumes!(assert_found(&a, &b, &[turn as usize], &expected, &format!("turn {turn}")));
    }
}
