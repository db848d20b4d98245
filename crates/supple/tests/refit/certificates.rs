//! What certificates say holds: for every node that is certified, and for what is stored of all others.

use std::sync::Arc;

use glam::{DAffine3, Quat, Vec3};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::oracle;
use supple::pose::{Joint, Node, Pose, Skeleton, Transform};
use supple::refit::false_certificates;
use supple::skin::Skin;
use supple::{Body, BuildOptions, Certificates, SelfFilter, Shape, Skinning, self_collide_into};

use crate::subjects::cases::{cases, skinnings_of_case};
use crate::subjects::characters::shape_of;
use crate::subjects::files::SKINS_OF_EVERY_KIND;
use crate::subjects::random_model::{Random, RestKind, random_model, random_pose};
use crate::subjects::zoo::{detailed, zoo};

fn assert_true(body: &mut Body, what: &str) {
    let positions = body.positions();
    let touching = oracle::self_collide_with(body.shape().model(), &positions, &SelfFilter::default());
    let found = false_certificates(body, &touching);
    assert!(
        found.is_empty(),
        "{what} {:?}: {} are false, {:?}",
        body.skinning(),
        found.len(),
        &found[..found.len().min(3)]
    );
}

/// Bends, twists, folds, scales and mirrors joints: what certificates are not made for.
fn hostile(model: &Model, seed: u64) -> Pose {
    let mut random = Random(seed);
    let mut pose = model.rest_pose();
    for node in &mut pose.nodes {
        let angle = [0.1, 0.4, 1.0, std::f32::consts::PI][random.below(4)] * random.signed();
        let turn = Quat::from_axis_angle(random.rotation() * Vec3::X, angle);
        node.rotation = (node.rotation * turn).normalize();
        match random.below(12) {
            0 => node.scale *= Vec3::ONE + 0.9 * random.vec3(),
            1 => node.scale *= Vec3::new(-1.0, 1.0, 1.0),
            2 => node.scale *= [1e-3, 0.0, 1e3][random.below(3)],
            3 => node.translation += random.vec3(),
            _ => {}
        }
    }
    for coefficient in &mut pose.coefficients {
        *coefficient = [0.0, 0.0, 0.3, 1.0][random.below(4)] * random.signed().abs();
    }
    if let Some(first) = pose.coefficients.first_mut() {
        *first += 0.1; // convex weights must not all be 0
    }
    pose
}

/// Frames of all clips, then hostile poses.
fn poses(model: &Model, of_clips: usize, hostile_ones: u64) -> Vec<Pose> {
    let frame = |i: usize| {
        let clip = &model.clips()[i % model.clips().len()];
        model.sample(clip, clip.duration() * (0.37 * i as f64).fract()).unwrap()
    };
    let of_clips = if model.clips().is_empty() { 0 } else { of_clips };
    let all = (0..of_clips).map(frame).chain((0..hostile_ones).map(|seed| hostile(model, seed)));
    std::iter::once(model.rest_pose()).chain(all).collect()
}

fn check(case: usize, name: &str, shape: &Arc<Shape>, of_clips: usize, hostile_ones: u64) {
    let mut bodies = Skinning::ALL.map(|skinning| Body::new(shape, skinning).unwrap());
    for (i, pose) in poses(shape.model(), of_clips, hostile_ones).iter().enumerate() {
        for body in &mut bodies[skinnings_of_case(case + i)] {
            // Some are too far for f32.
            if body.set_pose(pose).is_ok() {
                assert_true(body, name);
            }
        }
    }
}

#[test]
fn of_the_zoo() {
    let kinds = supple_zoo::kinds();
    for (case, kind) in kinds.iter().filter(|kind| kind.triangles < 20_000).enumerate() {
        check(case, kind.name, &zoo(kind.name), cases(3, 12), cases(3, 12) as u64);
    }
}

#[test]
fn of_real_files() {
    let Some(folder) = crate::assets::assets() else { return };
    for (case, file) in SKINS_OF_EVERY_KIND.into_iter().enumerate() {
        let shape = shape_of(supple_io::load(folder.join(file)).unwrap());
        check(case, file, &shape, cases(1, 6), cases(1, 6) as u64);
    }
}

/// Soups whose triangles are all near each other, with weights that jump.
#[test]
fn of_soups() {
    for seed in 0..cases(60, 600) as u64 {
        let kind = RestKind::ALL[seed as usize % 3];
        let shape = shape_of(random_model(seed, kind));
        let mut body = Body::new(&shape, Skinning::ALL[(seed / 3) as usize % 3]).unwrap();
        for pose in 0..6 {
            if body.set_pose(&random_pose(shape.model(), seed * 6 + pose, pose % 2 == 0)).is_ok() {
                assert_true(&mut body, &format!("soup {seed}, pose {pose}"));
            }
        }
    }
}

/// A tube along x that two joints bend in its middle. Weights follow x smoothly, but for noise.
fn tube(rings: usize, around: usize, noise: f32, seed: u64) -> Model {
    let mut random = Random(seed);
    let (mut positions, mut influences) = (Vec::new(), Vec::new());
    for ring in 0..rings {
        let x = ring as f32 / (rings - 1) as f32;
        for step in 0..around {
            let angle = step as f32 / around as f32 * std::f32::consts::TAU;
            let radius = 0.1 * (1.0 + 0.2 * noise * random.signed());
            positions.push(Vec3::new(4.0 * (x - 0.5), radius * angle.cos(), radius * angle.sin()));
            let smooth = ((x - 0.3) / 0.4).clamp(0.0, 1.0);
            let weight = (smooth * smooth * (3.0 - 2.0 * smooth) + noise * random.signed()).clamp(0.0, 1.0);
            influences.push(vec![(0, 1.0 - weight), (1, weight)]);
        }
    }
    let vertex = |ring: usize, step: usize| (ring * around + step % around) as u32;
    let quads = (0..rings - 1).flat_map(|ring| (0..around).map(move |step| (ring, step)));
    let triangles = quads.flat_map(|(ring, step)| {
        let [a, b, c, d] =
            [vertex(ring, step), vertex(ring + 1, step), vertex(ring + 1, step + 1), vertex(ring, step + 1)];
        [[a, b, c], [a, c, d]]
    });
    let mesh = Mesh::new(positions, triangles.collect()).unwrap();
    let node = |name: &str, parent| Node::new(name.to_owned(), parent, Transform::IDENTITY);
    let joint = |node| Joint { node, inverse_bind: DAffine3::IDENTITY };
    let skeleton =
        Skeleton::new(vec![node("near", None), node("far", Some(0))], vec![joint(0), joint(1)]).unwrap();
    let skin = Skin::new(2, influences.iter().map(Vec::as_slice)).unwrap();
    Model::new(mesh, skin, skeleton).unwrap()
}

/// From a tube that hardly bends to one that is folded flat, scaled and twisted by half a turn; the answer is that of brute force, and while it
/// hardly bends, nothing is looked at.
#[test]
fn of_a_tube_that_folds() {
    for (case, noise) in [0.0f32, 0.001, 0.01, 0.1].into_iter().enumerate() {
        let shape = shape_of(tube(120, 12, noise, case as u64));
        let mut body = Body::new(&shape, Skinning::Linear).unwrap();
        let mut pairs = Vec::new();
        for step in 0..=cases(12, 60) {
            let angle = std::f32::consts::PI * step as f32 / cases(12, 60) as f32;
            for (turn, axis) in
                [Vec3::Z, Vec3::X, Vec3::new(1.0, 0.0, 1.0).normalize()].into_iter().enumerate()
            {
                let mut pose = shape.model().rest_pose();
                pose.nodes[1].rotation = Quat::from_axis_angle(axis, angle);
                pose.nodes[turn % 2].scale = Vec3::ONE + 0.3 * turn as f32 * Vec3::X;
                body.set_pose(&pose).unwrap();
                assert_true(&mut body, &format!("tube {noise}, {angle} about {axis}"));
                body.set_pose(&pose).unwrap();
                let used = self_collide_into(&mut body, &SelfFilter::default(), &mut pairs).unwrap();
                let found = pairs.clone();
                body.set_pose(&pose).unwrap();
                let ignored = SelfFilter::default().with_certificates(Certificates::Ignored);
                self_collide_into(&mut body, &ignored, &mut pairs).unwrap();
                assert_eq!(found, pairs, "tube {noise}, {angle} about {axis}");
                if noise == 0.0 && angle < 0.3 && turn == 0 {
                    assert_eq!((used.triangle_tests, used.vertices_deformed), (0, 0), "{angle}");
                }
            }
        }
    }
}

/// Far from the origin, and tiny: rounding is what certificates have to survive there.
#[test]
fn far_away_and_tiny() {
    let shape = detailed("man", 0);
    let model = shape.model();
    let mut body = Body::new(&shape, Skinning::Linear).unwrap();
    for (i, far) in [10.0f32, 1e3, 1e5].into_iter().enumerate() {
        let mut pose = hostile(model, 40 + i as u64);
        pose.nodes[0].translation += Vec3::new(far, -far, 0.5 * far);
        if body.set_pose(&pose).is_ok() {
            assert_true(&mut body, &format!("{far} away"));
        }
        let mut pose = model.sample(&model.clips()[0], 0.4).unwrap();
        pose.nodes[0].scale *= 1.0 / far;
        pose.nodes[0].translation += Vec3::splat(1.0);
        body.set_pose(&pose).unwrap();
        assert_true(&mut body, &format!("scaled by 1 / {far}"));
    }
}

/// A shape that is built with other options says nothing false either.
#[test]
fn of_other_trees() {
    let model = Arc::clone(zoo("hand").model());
    for (leaf, twig) in [(1, 1), (2, 8), (8, 8), (4, 64)] {
        let options = BuildOptions::default().with_leaf_size(leaf).with_twig_size(twig);
        let shape = Arc::new(Shape::build(Arc::clone(&model), &options).unwrap());
        check(leaf, &format!("hand, leaves of {leaf}"), &shape, cases(2, 6), cases(2, 6) as u64);
    }
}
