//! The papers' methods: their volumes obey the law, their walks find what brute force finds, and they do what the papers say.
//!
//! By default loops over random models, seeds, frames and characters run a twelfth to a third of their [cases]: every method,
//! volume, tree and rest stage is there at least once, against brute force and against the law. With the environment variable
//! `SUPPLE_ALL_CASES` they run all of them. Each loop says both numbers.

#[path = "../../../supple-io/tests/assets/mod.rs"]
mod assets;
mod bd_tree;
#[allow(dead_code, reason = "every test binary uses another part of it")]
#[path = "../../../supple/tests/subjects/characters.rs"]
mod characters;
mod collide;
mod corners;
mod front;
mod hostile;
mod law;
mod library;
#[allow(dead_code, reason = "every test binary uses another part of it")]
#[path = "../../../supple/tests/subjects/random_model.rs"]
mod random_model;
mod tightness;

use std::sync::Arc;

use glam::{Quat, Vec3};
use random_model::{Random, RestKind, random_model, random_pose};
use supple::rest::Rest;
use supple::{BuildOptions, Isometry, Model, Pose, Shape, Skinning};
use supple_papers::{self as papers, Method, Tree, Volume};

/// How many cases a loop has: a few, or all of them if `SUPPLE_ALL_CASES` is set.
fn cases<T>(few: T, all: T) -> T {
    if std::env::var_os("SUPPLE_ALL_CASES").is_some() { all } else { few }
}

/// Calls a generic function once per volume.
macro_rules! for_all_volumes {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        $function::<supple_papers::BoundingSphere>($($argument),*);
        $function::<supple_papers::Slabs<3>>($($argument),*);
        $function::<supple_papers::Slabs<7>>($($argument),*);
        $function::<supple_papers::Slabs<9>>($($argument),*);
        $function::<supple_papers::Slabs<13>>($($argument),*);
    }};
}
use for_all_volumes;

/// Calls a generic function for spheres and for the slabs with the most directions; for all volumes if `SUPPLE_ALL_CASES` is set.
macro_rules! for_some_volumes {
    ($function:ident($($argument:expr),* $(,)?)) => {{
        if cases(false, true) {
            for_all_volumes!($function($($argument),*));
        } else {
            $function::<supple_papers::BoundingSphere>($($argument),*);
            $function::<supple_papers::Slabs<13>>($($argument),*);
        }
    }};
}
use for_some_volumes;

/// All that are bounds.
const METHODS: [Method; 10] = [
    Method::Linear,
    Method::Spherical,
    Method::DualQuaternion,
    Method::Fields,
    Method::Morph { between: 0 },
    Method::Morph { between: 1 },
    Method::Morph { between: 3 },
    Method::BottomUp,
    Method::Hybrid,
    Method::Rebuild,
];

/// Those of several joints.
const SKINS: [(Method, Skinning); 3] = [
    (Method::Linear, Skinning::Linear),
    (Method::Spherical, Skinning::Spherical),
    (Method::DualQuaternion, Skinning::DualQuaternion),
];

/// Methods that bound such a model.
fn methods_for(model: &Model, skinning: Skinning) -> impl Iterator<Item = Method> {
    METHODS.into_iter().filter(move |method| method.applies_to(model, skinning))
}

fn skinning_of(method: Method) -> Skinning {
    SKINS.iter().find(|(own, _)| *own == method).map_or(Skinning::Linear, |&(_, skinning)| skinning)
}

/// The rest stage of a random model under a single joint, as the papers have it.
fn of_one_joint(model: &Model) -> Model {
    Model::rigid(model.mesh().clone()).with_rest(model.rest().clone()).unwrap()
}

/// Random models of every kind that a method bounds, with the skinnings that matter.
fn subjects(seed: u64) -> Vec<(Arc<Model>, Skinning)> {
    let plain = Arc::new(random_model(seed, RestKind::Plain));
    let mut all: Vec<_> = Skinning::ALL.map(|skinning| (Arc::clone(&plain), skinning)).to_vec();
    for kind in RestKind::ALL {
        let skinned = random_model(seed, kind);
        all.push((Arc::new(of_one_joint(&skinned)), Skinning::Linear));
        if kind != RestKind::Plain {
            // Only methods that look at vertices bound these.
            all.push((Arc::new(skinned), Skinning::DualQuaternion));
        }
    }
    all
}

fn own_shape(model: &Arc<Model>) -> Arc<Shape> {
    let options = BuildOptions::default().with_leaf_size(2);
    Arc::new(Shape::build(Arc::clone(model), &options).unwrap())
}

/// The papers' trees and the library's own.
fn trees(model: &Arc<Model>) -> [(&'static str, Tree); 4] {
    let (positions, triangles) = (model.mesh().positions(), model.mesh().triangles());
    let halves = Tree::halves(positions, triangles);
    let collapsed = halves.collapsed(positions, triangles, 0.6);
    [
        ("octants", Tree::octants(positions, triangles)),
        ("halves", halves),
        ("collapsed", collapsed),
        ("own", Tree::of_shape(&own_shape(model))),
    ]
}

fn halves(model: &Model) -> Tree {
    Tree::halves(model.mesh().positions(), model.mesh().triangles())
}

fn body_of<V: Volume>(
    model: &Arc<Model>,
    skinning: Skinning,
    tree: &Tree,
    method: Method,
) -> papers::Body<V> {
    let shape = papers::Shape::new(model, skinning, tree.clone(), method).unwrap();
    papers::Body::new(&Arc::new(shape)).unwrap()
}

/// Every vertex is in every volume above it.
fn assert_law<V: Volume>(body: &mut papers::Body<V>, what: &str) {
    let found = papers::violations(body);
    let method = body.shape().method();
    assert!(found.is_empty(), "{} {}, {what}: {:?}", method.name(), V::NAME, &found[..found.len().min(5)]);
}

/// Exact half turns about the axes, and nearly half turns.
fn half_turns(model: &Model, seed: u64) -> Pose {
    let mut random = Random(seed);
    let mut pose = model.rest_pose();
    for node in &mut pose.nodes {
        let axis = [Vec3::X, Vec3::Y, Vec3::Z][random.below(3)];
        let turns = [0.0, 0.5, 1.0, -1.0, 0.999_999][random.below(5)];
        node.rotation = Quat::from_axis_angle(axis, turns * std::f32::consts::PI);
    }
    pose
}

/// Random axes, angles up to a limit.
fn turned(model: &Model, seed: u64, limit: f32) -> Pose {
    let mut random = Random(seed);
    let mut pose = random_pose(model, seed, false);
    for node in &mut pose.nodes {
        node.rotation = Quat::from_axis_angle(random.rotation() * Vec3::X, random.signed() * limit);
    }
    pose
}

/// Coefficients that only neighbouring reference shapes have, if the model has such: the case that volumes between them are for.
fn on_the_way(model: &Model, seed: u64) -> Pose {
    let mut pose = random_pose(model, seed, false);
    if matches!(model.rest(), Rest::Morph(_)) {
        let mut random = Random(seed);
        let part = [0.0, 0.25, 0.5, 1.0, 1e-7, random.signed().abs()][random.below(6)];
        let first = random.below(pose.coefficients.len() - 1);
        pose.coefficients.fill(0.0);
        (pose.coefficients[first], pose.coefficients[first + 1]) = (1.0 - part, part);
    }
    pose
}

/// Turned and moved.
fn placed(seed: u64, offset: Vec3) -> Isometry {
    let mut random = Random(seed);
    Isometry::new(random.rotation().as_dquat().normalize(), offset)
}
