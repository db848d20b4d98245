//! Every character: counts, closed and well-shaped surface, smooth weights, believable clips.

use glam::{DVec3, EulerRot, Quat, Vec3};
use supple::mesh::{edge_counts, weld_positions};
use supple::{Model, Pose, Skinning};

use crate::{is_made_again, model};
use supple_zoo::{creature, dwarf, hand, human, joint_limits, man, random_pose};

struct Expected {
    name: &'static str,
    build: fn() -> Model,
    vertices: usize,
    triangles: usize,
    joints: usize,
    max_influences: usize,
    clips: &'static [&'static str],
}

const MOTIONS: &[&str] = &["walk", "run", "wave", "twist", "fall", "random"];
const HAND_MOTIONS: &[&str] = &["grasp", "wave", "point", "twist", "random"];

const ALL: [Expected; 5] = [
    row("man", man, 4400, 8796, 27, 4, MOTIONS),
    row("creature", creature, 6802, 13_600, 56, 4, MOTIONS),
    row("dwarf", dwarf, 852, 1700, 45, 1, MOTIONS),
    row("human", human, 13_002, 26_000, 52, 4, MOTIONS),
    row("hand", hand, 2402, 4800, 19, 4, HAND_MOTIONS),
];

const fn row(
    name: &'static str,
    build: fn() -> Model,
    vertices: usize,
    triangles: usize,
    joints: usize,
    max_influences: usize,
    clips: &'static [&'static str],
) -> Expected {
    Expected { name, build, vertices, triangles, joints, max_influences, clips }
}

/// All characters, as the zoo makes them by name.
fn all() -> impl Iterator<Item = (&'static Expected, &'static Model)> {
    ALL.iter().map(|expected| (expected, model(expected.name)))
}

fn sampled(model: &Model, clip: &str, time: f64) -> Pose {
    let clip = model.clips().iter().find(|c| c.name() == clip).unwrap();
    let mut pose = model.rest_pose();
    clip.sample(time * clip.duration(), &mut pose).unwrap();
    pose
}

fn posed(model: &Model, pose: &Pose) -> Vec<Vec3> {
    model.posed(pose, Skinning::Linear).unwrap().positions()
}

#[test]
fn counts_are_as_promised() {
    for (expected, model) in all() {
        let name = expected.name;
        assert_eq!(model.mesh().positions().len(), expected.vertices, "{name}");
        assert_eq!(model.mesh().triangles().len(), expected.triangles, "{name}");
        assert_eq!(model.skeleton().joints().len(), expected.joints, "{name}");
        assert_eq!(model.skin().max_influences(), expected.max_influences, "{name}");
        assert_eq!(model.parts().len(), 1);
        assert_eq!(model.parts()[0].name, name);
        let clips: Vec<&str> = model.clips().iter().map(|c| c.name()).collect();
        assert_eq!(clips, expected.clips, "{name}");
    }
}

#[test]
fn joints_have_names_of_their_own_and_move_something() {
    for (expected, model) in all() {
        let nodes = model.skeleton().nodes();
        for (index, node) in nodes.iter().enumerate() {
            assert_eq!(model.skeleton().node_named(&node.name), Some(index), "{}", expected.name);
            assert_eq!(node.parent.is_none(), index == 0);
            let vertices = 0..model.mesh().positions().len() as u32;
            let moved = vertices
                .filter(|&v| model.skin().influences(v).any(|(j, w)| j.0 as usize == index && w > 0.3));
            assert!(moved.count() > 0, "{}: nothing follows {}", expected.name, node.name);
        }
    }
}

#[test]
fn surfaces_are_closed_and_oriented_outwards() {
    for (expected, model) in all() {
        let (positions, triangles) = (model.mesh().positions(), model.mesh().triangles());
        let edges = edge_counts(triangles, &weld_positions(positions));
        assert_eq!(
            (edges.boundary, edges.non_manifold, edges.collapsed_triangles),
            (0, 0, 0),
            "{}",
            expected.name
        );
        // One piece without handles.
        assert_eq!(triangles.len(), 2 * positions.len() - 4, "{}", expected.name);
        let volume: f64 = triangles
            .iter()
            .map(|t| t.map(|v| positions[v as usize].as_dvec3()))
            .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
            .sum();
        assert!(volume > 1e-4, "{}: {volume}", expected.name);
        let normals = model.mesh().normals().unwrap();
        let outwards = triangles.iter().filter(|t| {
            let [a, b, c] = t.map(|v| positions[v as usize]);
            let face = (b - a).cross(c - a).normalize();
            t.iter().all(|&v| face.dot(normals[v as usize]) > 0.0)
        });
        assert!(outwards.count() as f64 > 0.99 * triangles.len() as f64, "{}", expected.name);
    }
}

#[test]
fn triangles_are_well_shaped() {
    for (expected, model) in all() {
        let positions = model.mesh().positions();
        let mut angles: Vec<f64> = model
            .mesh()
            .triangles()
            .iter()
            .map(|t| smallest_angle(t.map(|v| positions[v as usize].as_dvec3())))
            .collect();
        angles.sort_by(f64::total_cmp);
        let (percentile, median) = (angles[angles.len() / 100], angles[angles.len() / 2]);
        println!("{}: smallest {:.1}, 1 % {percentile:.1}, median {median:.1}", expected.name, angles[0]);
        assert!(percentile > 15.0 && median > 40.0 && angles[0] > 1.0, "{}", expected.name);
    }
}

fn smallest_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let angle = |p: DVec3, q: DVec3, r: DVec3| (q - p).angle_between(r - p).to_degrees();
    angle(a, b, c).min(angle(b, c, a)).min(angle(c, a, b))
}

#[test]
fn people_stand_on_the_ground_and_look_forwards() {
    for (name, height) in [("man", 1.75), ("human", 1.75), ("dwarf", 1.6), ("creature", 2.0)] {
        let positions = model(name).mesh().positions();
        let lowest = positions.iter().fold(f32::MAX, |y, p| y.min(p.y));
        let highest = positions.iter().fold(f32::MIN, |y, p| y.max(p.y));
        assert!(lowest.abs() < 0.01, "{name} stands at {lowest}");
        assert!((highest - height).abs() < 0.05, "{name} is {highest} high");
        // Noses and toes point to +Z: the foremost point of the feet is before the ankles.
        let skeleton = model(name).skeleton();
        let world = skeleton.world_matrices(&model(name).rest_pose()).unwrap();
        let foot = skeleton.node_named("foot_l").or(skeleton.node_named("forefoot_l")).unwrap();
        let before = positions.iter().filter(|p| p.y < 0.1).fold(f32::MIN, |z, p| z.max(p.z));
        assert!(f64::from(before) > world[foot].translation.z + 0.1, "{name}");
    }
}

#[test]
fn weights_change_gently_from_neighbour_to_neighbour() {
    for (expected, model) in all().filter(|(expected, _)| expected.max_influences > 1) {
        let weights = |v: u32| {
            let mut dense = vec![0.0f32; expected.joints];
            model.skin().influences(v).for_each(|(j, w)| dense[j.0 as usize] = w);
            dense
        };
        let mut largest = 0.0f32;
        for &[a, b, c] in model.mesh().triangles() {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                let change: f32 = weights(from).iter().zip(weights(to)).map(|(x, y)| (x - y).abs()).sum();
                largest = largest.max(change);
            }
        }
        println!("{}: largest L1 change along an edge {largest}", expected.name);
        assert!(largest < 0.9, "{}: {largest}", expected.name);
    }
}

#[test]
fn the_rest_pose_is_the_mesh() {
    for (expected, model) in all() {
        for skinning in [Skinning::Linear, Skinning::Spherical, Skinning::DualQuaternion] {
            let posed = model.posed(&model.rest_pose(), skinning).unwrap().positions();
            let off =
                posed.iter().zip(model.mesh().positions()).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(off < 1e-5, "{} {skinning:?}: {off}", expected.name);
        }
    }
}

#[test]
fn clips_are_finite_and_loop() {
    for (expected, model) in all() {
        for clip in model.clips() {
            assert!(
                clip.duration() > 0.5 && !clip.channels().is_empty(),
                "{} {}",
                expected.name,
                clip.name()
            );
            for step in 0..=20 {
                let positions = posed(model, &sampled(model, clip.name(), f64::from(step) / 20.0));
                assert!(positions.iter().all(|p| p.is_finite() && p.length() < 10.0));
            }
            if clip.name() != "fall" {
                let ends = [0.0, 1.0].map(|time| sampled(model, clip.name(), time));
                assert_eq!(ends[0], ends[1], "{} {}", expected.name, clip.name());
            }
            let moved = posed(model, &sampled(model, clip.name(), 0.37));
            let most =
                moved.iter().zip(model.mesh().positions()).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(most > 0.02, "{} {} moves only {most}", expected.name, clip.name());
        }
    }
}

#[test]
fn walking_keeps_a_foot_on_the_ground_and_none_below() {
    for name in ["man", "human", "dwarf", "creature"] {
        let model = model(name);
        for clip in ["walk", "run"] {
            for step in 0..24 {
                let positions = posed(model, &sampled(model, clip, f64::from(step) / 24.0));
                let lowest = positions.iter().fold(f32::MAX, |y, p| y.min(p.y));
                // Running has a flight phase.
                let highest = if clip == "walk" { 0.03 } else { 0.15 };
                assert!(lowest > -0.04 && lowest < highest, "{name} {clip} at {step}/24: {lowest}");
            }
        }
    }
}

#[test]
fn arms_swing_against_the_legs() {
    for name in ["man", "human", "dwarf"] {
        let skeleton = model(name).skeleton();
        let z = |joint: &str, time: f64| {
            let world = skeleton.world_matrices(&sampled(model(name), "walk", time)).unwrap();
            world[skeleton.node_named(joint).unwrap()].translation.z
        };
        for (time, sign) in [(0.0, 1.0), (0.5, -1.0)] {
            assert!(sign * (z("foot_l", time) - z("foot_r", time)) > 0.1, "{name}");
            assert!(sign * (z("hand_l", time) - z("hand_r", time)) < -0.05, "{name}");
        }
    }
}

#[test]
fn twisting_reaches_half_a_turn() {
    for (expected, model) in all() {
        let (pose, rest) = (sampled(model, "twist", 0.5), model.rest_pose());
        let turned = pose.nodes.iter().zip(&rest.nodes).map(|(a, b)| a.rotation.angle_between(b.rotation));
        let most = turned.fold(0.0, f32::max).to_degrees();
        assert!((most - 180.0).abs() < 0.1, "{} turns {most}", expected.name);
    }
}

#[test]
fn falling_ends_on_the_ground() {
    for name in ["man", "human", "dwarf", "creature"] {
        let positions = posed(model(name), &sampled(model(name), "fall", 1.0));
        let lowest = positions.iter().fold(f32::MAX, |y, p| y.min(p.y));
        let highest = positions.iter().fold(f32::MIN, |y, p| y.max(p.y));
        let standing = model(name).mesh().positions().iter().fold(f32::MIN, |y, p| y.max(p.y));
        println!("{name} lies from {lowest} to {highest}");
        assert!(lowest.abs() < 0.15 && highest < 0.75 * standing, "{name} lies from {lowest} to {highest}");
    }
}

#[test]
fn random_poses_differ_and_respect_the_limits() {
    for (expected, model) in all() {
        assert_eq!(random_pose(model, 5), random_pose(model, 5));
        assert_ne!(random_pose(model, 5), random_pose(model, 6));
        for seed in 0..20 {
            let pose = random_pose(model, seed);
            assert_eq!(pose.nodes[0], model.rest_pose().nodes[0]);
            for (node, local) in model.skeleton().nodes().iter().zip(&pose.nodes).skip(1) {
                let turn: Quat = node.rest.rotation.inverse() * local.rotation;
                let (twist, bend, swing) = turn.to_euler(EulerRot::YXZ);
                // A bend of more than 90 degrees has a second reading as Euler angles; both are the same turn.
                let second = (twist.abs() > 1.6).then_some(std::f32::consts::PI);
                let bend = second.map_or(bend, |half| half - bend);
                let fold = |angle: f32| {
                    if second.is_some() { angle - std::f32::consts::PI.copysign(angle) } else { angle }
                };
                let limits = joint_limits(&node.name);
                for (angle, range) in
                    [(bend, limits.bend), (fold(twist), limits.twist), (fold(swing), limits.swing)]
                {
                    let (low, high) = (range.start() - 0.1, range.end() + 0.1);
                    let degrees = angle.to_degrees();
                    assert!(
                        (low..=high).contains(&degrees),
                        "{} {}: {degrees} {range:?}",
                        expected.name,
                        node.name
                    );
                }
            }
        }
    }
}

#[test]
fn limits_of_the_right_side_mirror_the_left() {
    let (left, right) = (joint_limits("thigh_l"), joint_limits("thigh_r"));
    assert_eq!(left.bend, right.bend);
    assert_eq!((left.swing.start(), left.swing.end()), (&-right.swing.end(), &-right.swing.start()));
    assert_ne!(joint_limits("shin_l"), joint_limits("unheard_of"));
}

#[test]
fn building_twice_gives_the_same_bits() {
    for (expected, model) in all().filter(|(expected, _)| is_made_again(expected.name)) {
        assert_eq!(&(expected.build)(), model, "{}", expected.name);
    }
}
