//! What the BD-Tree adds: volumes that grow instead of being refitted, levels that are wrapped, and why deep nodes hardly grow.

use std::sync::Arc;

use glam::{DVec3, Vec3};
use supple::rest::{Fields, Rest};
use supple::{Isometry, Model, Pose, QueryStats, Skinning};
use supple_papers::{self as papers, BoundingSphere, Method, MethodError, Slabs, Volume};

use crate::random_model::{Random, RestKind, random_model};
use crate::{assert_law, body_of, cases, for_all_volumes, for_some_volumes, halves, of_one_joint, placed};

fn chair() -> Arc<Model> {
    Arc::new(supple_zoo::make("chair", 0).unwrap())
}

fn fields_of(model: &Model) -> &Fields {
    let Rest::Fields(fields) = model.rest() else { panic!("the model has fields") };
    fields
}

/// Slow oscillations of all coefficients that never repeat.
fn swaying(model: &Model, frame: u32) -> Pose {
    let mut pose = model.rest_pose();
    for (j, q) in pose.coefficients.iter_mut().enumerate() {
        *q = (frame as f32 * 0.01 * (1.0 + j as f32).sqrt()).sin();
    }
    pose
}

/// Nodes down to a level.
fn nodes_down_to<V: Volume>(body: &papers::Body<V>, level: usize) -> Vec<usize> {
    let nodes = body.tree().nodes();
    (0..nodes.len()).filter(|&node| nodes[node].level() <= level).collect()
}

/// Volumes of nodes, and how many had to be refitted.
fn volumes_of<V: Volume>(body: &mut papers::Body<V>, nodes: &[usize]) -> (Vec<V>, u64) {
    let mut stats = QueryStats::default();
    (nodes.iter().map(|&node| body.volume(node, false, &mut stats)).collect(), stats.refits)
}

fn coherent_clip<V: Volume>() {
    let model = chair();
    let body = body_of::<V>(&model, Skinning::Linear, &halves(&model), Method::Fields);
    let mut last_refits = u64::MAX;
    for tolerance in [0.0, 0.02, 0.2, 1.0] {
        let (mut plain, mut coherent) = (body.clone(), body.clone().with_coherence(tolerance));
        let nodes = nodes_down_to(&plain, 8);
        let (mut largest, mut refits) = (vec![0.0f64; nodes.len()], 0);
        let frames = cases(30, 300);
        for frame in 0..frames {
            let pose = swaying(&model, frame);
            plain.set_pose(&pose, &placed(2, Vec3::X)).unwrap();
            coherent.set_pose(&pose, &placed(2, Vec3::X)).unwrap();
            let (exact, _) = volumes_of(&mut plain, &nodes);
            let (grown, count) = volumes_of(&mut coherent, &nodes);
            refits += count;
            // What is kept was exact at some time, and grew by the tolerance at most.
            for (node, (exact, grown)) in exact.iter().zip(&grown).enumerate() {
                largest[node] = largest[node].max(exact.size());
                let limit = (1.0 + tolerance) * largest[node] * (1.0 + 1e-12);
                assert!(
                    grown.size() <= limit,
                    "{} node {node} frame {frame}: {} {limit}",
                    V::NAME,
                    grown.size()
                );
            }
            if frame % 25 == 24 {
                assert_law(&mut coherent, &format!("frame {frame}, tolerance {tolerance}"));
            }
        }
        let all = nodes.len() as u64 * u64::from(frames);
        println!("{} tolerance {tolerance}: {refits} refits of {all}", V::NAME);
        assert!(refits <= all && refits <= last_refits, "{refits} {last_refits}");
        assert!(tolerance == 0.0 || refits < all, "{refits} of {all}");
        last_refits = refits;
    }
}

#[test]
fn coherent_volumes_obey_the_law_and_stay_within_the_tolerance() {
    coherent_clip::<BoundingSphere>();
    coherent_clip::<Slabs<13>>();
    if cases(false, true) {
        coherent_clip::<Slabs<3>>();
    }
}

/// Coherence is asked for before, after and without a pose; jumps are no problem; strange tolerances refit always or never.
#[test]
fn coherence_at_any_time() {
    fn any_time<V: Volume>() {
        for seed in 0..cases(8, 20) {
            let model = Arc::new(of_one_joint(&random_model(seed, RestKind::Fields)));
            for tolerance in [0.1, 0.0, -1.0, f64::NAN, f64::INFINITY] {
                let new = || body_of::<V>(&model, Skinning::Linear, &halves(&model), Method::Fields);
                let mut body = new().with_coherence(tolerance);
                assert_law(&mut body, "before any pose");
                let mut random = Random(seed);
                for step in 0..80 {
                    let mut pose = model.rest_pose();
                    let reach = [1.0, 1e-3, 1e3][random.below(3)];
                    pose.coefficients.iter_mut().for_each(|q| *q = random.signed() * reach);
                    body.set_pose(&pose, &Isometry::IDENTITY).unwrap();
                    assert_law(&mut body, &format!("seed {seed} tolerance {tolerance} step {step}"));
                }
                let mut late = new();
                late.set_pose(&swaying(&model, 40), &Isometry::IDENTITY).unwrap();
                let mut late = late.with_coherence(tolerance);
                assert_law(&mut late, "after a pose");
                late.set_pose(&swaying(&model, 41), &Isometry::IDENTITY).unwrap();
                assert_law(&mut late, "and after the next");
            }
        }
    }
    any_time::<BoundingSphere>();
    any_time::<Slabs<7>>();
}

/// Coefficients of any sign and size.
fn any_coefficients(model: &Model, random: &mut Random) -> Pose {
    let mut pose = model.rest_pose();
    let reach = [0.1, 1.0, 5.0][random.below(3)];
    pose.coefficients.iter_mut().for_each(|q| *q = random.signed() * reach);
    pose
}

fn wrapped<V: Volume>(model: &Arc<Model>, level: usize) -> Arc<papers::Shape<V>> {
    let shape = papers::Shape::new(model, Skinning::Linear, halves(model), Method::Fields).unwrap();
    Arc::new(shape.wrapping_level(level).unwrap())
}

/// Whether a volume contains another, up to the rounding of f64.
fn contains<V: Volume>(outer: &V, inner: &V) -> bool {
    let mut both = *outer;
    both.wrap(inner);
    both.size() <= outer.size() * (1.0 + 1e-12)
}

fn wrapping<V: Volume>() {
    let models = [chair(), Arc::new(of_one_joint(&random_model(3, RestKind::Fields)))];
    for (model, level) in models.iter().zip([7, 4]) {
        let shape = wrapped::<V>(model, level);
        let tree = shape.tree();
        let mut body = papers::Body::new(&shape).unwrap();
        let nodes = nodes_down_to(&body, level);
        let mut random = Random(level as u64);
        for _ in 0..cases(3, 30) {
            body.set_pose(&any_coefficients(model, &mut random), &Isometry::IDENTITY).unwrap();
            let (volumes, _) = volumes_of(&mut body, &nodes);
            let volume_of = |node: usize| &volumes[nodes.binary_search(&node).unwrap()];
            for &node in nodes.iter().filter(|&&node| tree.nodes()[node].level() < level) {
                // Down to the level, not only the children.
                let mut open: Vec<usize> = tree.nodes()[node].children().collect();
                while let Some(below) = open.pop() {
                    assert!(contains(volume_of(node), volume_of(below)), "{} {below}", V::NAME);
                    if tree.nodes()[below].level() < level {
                        open.extend(tree.nodes()[below].children());
                    }
                }
            }
        }
        assert_law(&mut body, "wrapped");
    }
}

#[test]
fn wrapping_volumes_contain_those_of_the_level() {
    for_some_volumes!(wrapping());
}

#[test]
fn only_fields_can_wrap() {
    let model = Arc::new(random_model(3, RestKind::Plain));
    let shape =
        papers::Shape::<BoundingSphere>::new(&model, Skinning::Linear, halves(&model), Method::Linear)
            .unwrap();
    for level in [0, 3] {
        let error = shape.clone().wrapping_level(level).unwrap_err();
        assert_eq!(error, MethodError::DoesNotApply { method: Method::Linear });
    }
}

/// Overlapping nodes of a level, and leaves above it, by trying all.
fn all_contacts<V: Volume>(
    a: &mut papers::Body<V>,
    b: &mut papers::Body<V>,
    level: usize,
) -> Vec<[usize; 2]> {
    let between = V::between(&(a.frame().inverse() * *b.frame()));
    let ends = |body: &papers::Body<V>| -> Vec<usize> {
        let nodes = body.tree().nodes();
        let is_end = |&node: &usize| {
            nodes[node].level() == level || (nodes[node].is_leaf() && nodes[node].level() < level)
        };
        (0..nodes.len()).filter(is_end).collect()
    };
    let (of_a, of_b) = (ends(a), ends(b));
    let (volumes_a, volumes_b) = (volumes_of(a, &of_a).0, volumes_of(b, &of_b).0);
    let mut pairs = Vec::new();
    for (&own, volume) in of_a.iter().zip(&volumes_a) {
        let others = of_b.iter().zip(&volumes_b);
        let touching = others.filter(|(_, other)| volume.overlaps_turned(other, &between));
        pairs.extend(touching.map(|(&other, _)| [own, other]));
    }
    pairs
}

fn contacts<V: Volume>() -> usize {
    let model = chair();
    let level = 7;
    let plain =
        Arc::new(papers::Shape::new(&model, Skinning::Linear, halves(&model), Method::Fields).unwrap());
    let wrapped = wrapped::<V>(&model, level);
    let (mut found, mut lost) = (0, 0);
    let mut random = Random(11);
    for round in 0..cases(6, 20) {
        let poses = [any_coefficients(&model, &mut random), any_coefficients(&model, &mut random)];
        let placement = placed(round, random.vec3() * 1.2);
        for (shape, wraps) in [(&wrapped, true), (&plain, false)] {
            let [mut a, mut b] = [papers::Body::new(shape).unwrap(), papers::Body::new(shape).unwrap()];
            a.set_pose(&poses[0], &Isometry::IDENTITY).unwrap();
            b.set_pose(&poses[1], &placement).unwrap();
            let (pairs, _) = papers::contacts(&mut a, &mut b, level);
            let all = all_contacts(&mut a, &mut b, level);
            if wraps {
                assert_eq!(pairs, all, "{} round {round}", V::NAME);
                found += pairs.len();
            } else {
                assert!(pairs.iter().all(|pair| all.binary_search(pair).is_ok()), "{}", V::NAME);
                lost += all.len() - pairs.len();
            }
        }
    }
    println!("{}: {found} contacts with wrapping; without, {lost} are lost", V::NAME);
    assert!(found > 100);
    lost
}

/// A walk that stops at a level finds what trying all pairs of the level finds, if the volumes above wrap it; otherwise some may be lost:
/// of spheres some are, of slabs that follow the chair's vibrations none in these poses.
#[test]
fn contacts_of_a_level_need_wrapping() {
    assert!(contacts::<BoundingSphere>() > 0);
    contacts::<Slabs<13>>();
    if cases(false, true) {
        contacts::<Slabs<3>>();
    }
}

/// Appendix A of the paper: the mean over a level of `|dR|_2`, divided by the root's.
const PAPER: [f64; 19] = [
    1.000, 0.684, 0.575, 0.399, 0.252, 0.167, 0.110, 0.080, 0.057, 0.041, 0.030, 0.022, 0.017, 0.016, 0.015,
    0.013, 0.007, 0.004, 0.003,
];

/// The less extended a node is, the less smooth fields can enlarge it (appendix A).
#[test]
fn radius_growth_decays_with_depth() {
    let model = Arc::new(supple_zoo::make("chair", 1).unwrap());
    let shape =
        papers::Shape::<BoundingSphere>::new(&model, Skinning::Linear, halves(&model), Method::Fields)
            .unwrap();
    let levels = shape.tree().levels();
    let mean = |level: &Vec<usize>| {
        level.iter().map(|&node| shape.radius_increment(node)).sum::<f64>() / level.len() as f64
    };
    let means: Vec<f64> = levels.iter().map(mean).collect();
    let decay: Vec<f64> = means.iter().map(|m| m / means[0]).collect();
    println!("chair {decay:.3?}\npaper {PAPER:.3?}");
    for (level, pair) in decay.windows(2).enumerate() {
        assert!(pair[1] < pair[0] * 1.02 + 1e-3, "level {}: {pair:?}", level + 1);
    }
    for (level, (own, paper)) in decay.iter().zip(&PAPER).enumerate() {
        assert!(*own < 2.0 * paper + 0.02 && *own > 0.0, "level {level}: {own} {paper}");
    }
}

/// Equation 15: `dR_j <= 2 L_j R`, where `L_j` says how far a field takes vertices apart for their distance.
#[test]
fn radius_growth_is_bounded_by_smoothness() {
    let model = chair();
    let (fields, mesh) = (fields_of(&model), model.mesh());
    let shape =
        papers::Shape::<BoundingSphere>::new(&model, Skinning::Linear, halves(&model), Method::Fields)
            .unwrap();
    let mut checked = 0;
    for node in 0..shape.tree().nodes().len() {
        let vertices = shape.tree().vertices_below(node, mesh.triangles());
        if vertices.len() > 200 {
            continue;
        }
        let points: Vec<DVec3> = vertices.iter().map(|&v| mesh.positions()[v].as_dvec3()).collect();
        let radius = BoundingSphere::smallest(&points).radius;
        let mut squares = 0.0;
        for field in 0..fields.count() {
            let displacement = |&v: &usize| {
                fields
                    .of_vertex(v as u32)
                    .find(|(own, _)| *own == field)
                    .map_or(DVec3::ZERO, |(_, u)| u.as_dvec3())
            };
            let moved: Vec<DVec3> = vertices.iter().map(displacement).collect();
            let mean = moved.iter().sum::<DVec3>() / moved.len() as f64;
            let increment = moved.iter().map(|u| u.distance(mean)).fold(0.0, f64::max);
            let mut lipschitz = 0.0f64;
            for i in 0..points.len() {
                for k in 0..i {
                    let (apart, moved_apart) = (points[i].distance(points[k]), moved[i].distance(moved[k]));
                    lipschitz = lipschitz.max(if moved_apart > 0.0 { moved_apart / apart } else { 0.0 });
                }
            }
            assert!(increment <= 2.0 * lipschitz * radius * (1.0 + 1e-12), "node {node} field {field}");
            squares += increment * increment;
        }
        let expected = squares.sqrt();
        assert!((shape.radius_increment(node) - expected).abs() <= 1e-12 * expected, "node {node}");
        checked += 1;
    }
    assert!(checked > 100, "{checked} nodes");
    assert_eq!(shape.radius_increment(usize::MAX), 0.0);
}
