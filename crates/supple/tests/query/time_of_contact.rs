//! Times of contact against dense sampling: never later than the first sample that touches, and close when they are
//! reported.

use std::sync::Arc;

use crate::subjects::cases::cases;
use crate::subjects::random_model::{RestKind, random_model, random_pose};
use crate::subjects::zoo::zoo;
use glam::{DQuat, DVec3, Quat, Vec3};
use supple::math::{Aabb, Isometry};
use supple::mesh::Mesh;
use supple::model::Model;
use supple::pose::{Motion, Pose};
use supple::{
    Answer, Body, BuildOptions, Distance, MotionError, Shape, Skinning, TimedContact, closest_points,
    collide_any, time_of_contact,
};

fn shape(model: Model) -> Arc<Shape> {
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

fn touch_at(a: &mut Body, motion_a: &Motion, b: &mut Body, motion_b: &Motion, time: f64) -> bool {
    for (body, motion) in [(&mut *a, motion_a), (&mut *b, motion_b)] {
        let (pose, placement) = motion.at(time);
        body.set_pose_at(&pose, placement).unwrap();
    }
    collide_any(a, b).found.is_some()
}

/// The first of evenly spaced times at which the bodies touch.
fn sampled(a: &mut Body, motion_a: &Motion, b: &mut Body, motion_b: &Motion, samples: u32) -> Option<f64> {
    let mut times = (0..=samples).map(|i| f64::from(i) / f64::from(samples));
    times.find(|&time| touch_at(a, motion_a, b, motion_b, time))
}

fn assert_conservative(
    a: &mut Body,
    motion_a: &Motion,
    b: &mut Body,
    motion_b: &Motion,
    tolerance: f32,
    what: &str,
) -> Answer<Option<TimedContact>> {
    let expected = sampled(a, motion_a, b, motion_b, cases(500, 2000));
    let found = time_of_contact([a, b], [motion_a, motion_b], Distance::new(tolerance).unwrap()).unwrap();
    match found.found {
        Some(contact) => {
            assert!(
                expected.is_none_or(|first| f64::from(contact.time) <= first),
                "{what}: {contact:?} after {expected:?}"
            );
            assert!(contact.closest.distance <= tolerance, "{what}: {contact:?}");
            // The bodies are left there.
            assert_eq!(closest_points(a, b, Distance::UNLIMITED).found, Some(contact.closest), "{what}");
            // And nothing touches a little earlier.
            for part in [0.5, 0.9, 0.99, 0.999] {
                assert!(
                    !touch_at(a, motion_a, b, motion_b, f64::from(contact.time) * part)
                        || contact.time == 0.0,
                    "{what}"
                );
            }
        }
        None => assert_eq!(expected, None, "{what}: none found"),
    }
    found
}

fn square() -> Model {
    let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    Model::rigid(Mesh::new(positions, vec![[0, 1, 2], [1, 3, 2]]).unwrap())
}

/// Large, and seen along x.
fn wall() -> Model {
    let positions =
        [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]].map(|[y, z]| Vec3::new(0.0, y, z) * 30.0);
    Model::rigid(Mesh::new(positions.to_vec(), vec![[0, 1, 2], [1, 3, 2]]).unwrap())
}

fn place(x: f64, y: f64, z: f64) -> Isometry {
    Isometry::from_translation(DVec3::new(x, y, z))
}

#[test]
fn rigid_things_meet_when_they_should() {
    let shape = shape(square());
    let (mut a, mut b) =
        (Body::new(&shape, Skinning::Linear).unwrap(), Body::new(&shape, Skinning::Linear).unwrap());
    let rest = shape.model().rest_pose();
    let motion = |from, to| Motion::of_placement(rest.clone(), from, to).unwrap();
    let still = motion(place(0.0, 0.0, 0.0), place(0.0, 0.0, 0.0));
    // Where it starts and ends, and when it gets there.
    for (from, to, time) in [
        (place(0.0, 0.0, 1.0), place(0.0, 0.0, -1.0), Some(0.5)),
        (place(0.0, 0.0, 1.0), place(0.0, 0.0, 0.0), Some(1.0)),
        (place(0.3, 0.3, 0.0), place(9.0, 9.0, 9.0), Some(0.0)),
        (place(0.0, 0.0, 1.0), place(0.0, 0.0, 0.5), None),
        (place(0.0, 0.0, 1.0), place(0.0, 0.0, 1.0), None),
        (place(-5.0, 0.0, 1.0), place(5.0, 0.0, 1.0), None),
        (place(-6.0, 0.5, 0.0), place(4.0, 0.5, 0.0), Some(0.5)),
    ] {
        let moving = motion(from, to);
        let found = assert_conservative(&mut a, &still, &mut b, &moving, 1e-4, "squares");
        assert_eq!(found.found.is_some(), time.is_some(), "{from:?} {to:?}");
        if let (Some(contact), Some(time)) = (found.found, time) {
            assert!(contact.time <= time && contact.time > time - 1e-3, "{contact:?} instead of {time}");
        }
        let swapped = assert_conservative(&mut b, &moving, &mut a, &still, 1e-4, "swapped");
        assert_eq!(swapped.found.is_some(), time.is_some());
        assert!(found.stats.moments < 40, "{} steps", found.stats.moments);
    }
}

#[test]
fn half_turns_and_fast_spins() {
    let shape = shape(square());
    let (mut a, mut b) =
        (Body::new(&shape, Skinning::Linear).unwrap(), Body::new(&shape, Skinning::DualQuaternion).unwrap());
    let rest = shape.model().rest_pose();
    let still = Motion::of_placement(rest.clone(), place(0.0, 0.0, 0.0), place(0.0, 0.0, 0.0)).unwrap();
    let mut contacts = 0;
    for axis in [DVec3::X, DVec3::Y, DVec3::Z, DVec3::new(0.6, 0.0, 0.8)] {
        for angle in [std::f64::consts::PI, 3.0, -2.0, 0.5] {
            for x in [0.3, 1.2, 2.5] {
                let turned = Isometry::new(DQuat::from_axis_angle(axis, angle), DVec3::new(-x, 0.1, 0.2));
                let moving = Motion::of_placement(rest.clone(), place(x, 0.2, 0.3), turned).unwrap();
                let what = format!("{axis} {angle} {x}");
                let found = assert_conservative(&mut a, &still, &mut b, &moving, 1e-3, &what);
                contacts += u32::from(found.found.is_some());
            }
        }
    }
    assert!(contacts > 10, "{contacts}");
}

fn character(name: &str) -> (Arc<Shape>, impl Fn(usize, f64) -> Pose) {
    let shape = zoo(name);
    let model = Arc::clone(shape.model());
    let pose = move |clip: usize, time: f64| {
        model.sample_looped(&model.clips()[clip % model.clips().len()], time).unwrap()
    };
    (shape, pose)
}

#[test]
fn characters_walk_into_each_other() {
    let (mut contacts, mut steps) = (0, 0);
    for name in ["man", "dwarf", "creature"] {
        let (shape, pose) = character(name);
        for (i, (skinning_a, skinning_b)) in [
            (Skinning::Linear, Skinning::Linear),
            (Skinning::DualQuaternion, Skinning::Linear),
            (Skinning::DualQuaternion, Skinning::DualQuaternion),
        ]
        .into_iter()
        .enumerate()
        {
            let mut a = Body::new(&shape, skinning_a).unwrap();
            let mut b = Body::new(&shape, skinning_b).unwrap();
            let time = 0.3 * i as f64;
            let turned = |z: f64| Isometry::new(DQuat::from_rotation_y(3.0), DVec3::new(0.1, 0.0, z));
            let motion_a = Motion::new(
                (pose(i, time), place(0.0, 0.0, 0.0)),
                (pose(i, time + 0.2), place(0.0, 0.0, 0.3)),
            )
            .unwrap();
            let motion_b =
                Motion::new((pose(0, time), turned(3.0)), (pose(0, time + 0.2), turned(0.8))).unwrap();
            let what = format!("{name} {skinning_a:?} {skinning_b:?}");
            let found = assert_conservative(&mut a, &motion_a, &mut b, &motion_b, 5e-3, &what);
            println!(
                "{what}: {:?} after {} steps, {:?}",
                found.found.map(|c| c.time),
                found.stats.moments,
                found.stats
            );
            contacts += u32::from(found.found.is_some());
            steps = steps.max(found.stats.moments);
            // Passing by.
            let away = |x: f64| Isometry::from_translation(DVec3::new(x, 0.0, 8.0));
            let motion_b =
                Motion::new((pose(0, time), away(-5.0)), (pose(0, time + 0.2), away(5.0))).unwrap();
            let found = assert_conservative(&mut a, &motion_a, &mut b, &motion_b, 5e-3, &what);
            assert_eq!(found.found, None);
        }
    }
    assert!(contacts >= 8, "{contacts}");
    assert!(steps < 400, "{steps}");
}

/// Files whose units, scales and bind matrices are not ours.
#[test]
fn characters_of_files() {
    let Some(folder) = crate::assets::assets() else { return };
    let mut contacts = 0;
    for file in ["khronos/CesiumMan.glb", "khronos/Fox.glb", "khronos/RiggedFigure.glb", "kaykit/Knight.glb"]
    {
        let shape = shape(supple_io::load(folder.join(file)).unwrap());
        let model = shape.model();
        let pose = |time: f64| model.sample_looped(&model.clips()[0], time).unwrap();
        for (skinning_a, skinning_b) in
            [(Skinning::Linear, Skinning::Linear), (Skinning::DualQuaternion, Skinning::Linear)]
        {
            let (mut a, mut b) =
                (Body::new(&shape, skinning_a).unwrap(), Body::new(&shape, skinning_b).unwrap());
            a.set_pose(&pose(0.1)).unwrap();
            let bounds = Aabb::from_points(a.positions());
            let width = f64::from((bounds.max - bounds.min).max_element());
            let motion_a =
                Motion::new((pose(0.1), Isometry::IDENTITY), (pose(0.2), Isometry::IDENTITY)).unwrap();
            let (far, near) = (place(1.5 * width, 0.0, 0.0), place(0.1 * width, 0.0, 0.02 * width));
            let motion_b = Motion::new((pose(0.5), far), (pose(0.6), near)).unwrap();
            let what = format!("{file} {skinning_a:?}");
            let tolerance = 5e-3 * width as f32;
            let found = assert_conservative(&mut a, &motion_a, &mut b, &motion_b, tolerance, &what);
            println!("{what}: {:?} after {} steps", found.found.map(|c| c.time), found.stats.moments);
            contacts += u32::from(found.found.is_some_and(|contact| contact.time > 0.0));
        }
    }
    assert_eq!(contacts, 8);
}

#[test]
fn joints_turn_into_a_wall() {
    let (shape, _) = character("man");
    let wall = self::shape(square());
    let model = shape.model();
    for skinning in [Skinning::Linear, Skinning::DualQuaternion] {
        let mut man = Body::new(&shape, skinning).unwrap();
        let mut other = Body::new(&wall, Skinning::Linear).unwrap();
        let (rest, mut bent) = (model.rest_pose(), model.rest_pose());
        for node in &mut bent.nodes {
            node.rotation *= Quat::from_rotation_x(0.35);
        }
        let bend = Motion::new((rest, place(0.0, 0.0, 0.0)), (bent, place(0.0, 0.0, 0.0))).unwrap();
        for z in [-0.6, -0.4, 0.4, 0.6, 0.9] {
            let there = Isometry::new(DQuat::IDENTITY, DVec3::new(-0.5, 0.6, z));
            let still = Motion::of_placement(wall.model().rest_pose(), there, there).unwrap();
            let what = format!("{skinning:?} wall at {z}");
            assert_conservative(&mut man, &bend, &mut other, &still, 5e-3, &what);
        }
    }
}

#[test]
fn coefficients_that_change() {
    let mut contacts = 0;
    for kind in [RestKind::Fields, RestKind::Morph] {
        for seed in 0..6 {
            let model = random_model(seed, kind);
            let (shape_a, shape_b) = (shape(model.clone()), shape(wall()));
            let mut a = Body::new(&shape_a, Skinning::Linear).unwrap();
            let mut b = Body::new(&shape_b, Skinning::Linear).unwrap();
            let mut from = model.rest_pose();
            let mut to = model.rest_pose();
            from.coefficients = random_pose(&model, seed, false).coefficients;
            to.coefficients = random_pose(&model, seed + 1, false).coefficients;
            let motion_a = Motion::new((from, place(0.0, 0.0, 0.0)), (to, place(0.0, 0.0, 0.0))).unwrap();
            let (start, placement) = motion_a.at(0.0);
            a.set_pose_at(&start, placement).unwrap();
            let edge = f64::from(a.positions().iter().fold(f32::MIN, |most, p| most.max(p.x)));
            for x in [edge + 0.01, edge + 0.1, edge + 0.4] {
                let rest = shape_b.model().rest_pose();
                let motion_b =
                    Motion::of_placement(rest, place(x, 0.0, 0.0), place(x - 0.05, 0.0, 0.0)).unwrap();
                let what = format!("{kind:?} seed {seed} at {x}");
                let found = assert_conservative(&mut a, &motion_a, &mut b, &motion_b, 1e-2, &what);
                contacts += u32::from(found.found.is_some_and(|contact| contact.time > 0.0));
            }
        }
    }
    assert!(contacts > 3, "{contacts}");
}

#[test]
fn hostile_models_with_scaled_joints() {
    let mut contacts = 0;
    for seed in 0..8 {
        let (model_a, model_b) =
            (random_model(seed, RestKind::Fields), random_model(seed + 50, RestKind::Plain));
        let (shape_a, shape_b) = (shape(model_a.clone()), shape(model_b.clone()));
        let mut a = Body::new(&shape_a, Skinning::Linear).unwrap();
        let mut b = Body::new(&shape_b, Skinning::Linear).unwrap();
        let motion = |model: &Model, seed, from, to| {
            Motion::new((random_pose(model, seed, true), from), (random_pose(model, seed + 9, true), to))
                .unwrap()
        };
        let motion_a = motion(&model_a, seed, place(0.0, 0.0, 0.0), place(0.0, 0.0, 0.0));
        let motion_b = motion(&model_b, seed, place(14.0, 0.0, 0.0), place(1.0, 0.0, 0.0));
        let what = format!("seed {seed}");
        let found = assert_conservative(&mut a, &motion_a, &mut b, &motion_b, 0.02, &what);
        contacts += u32::from(found.found.is_some_and(|contact| contact.time > 0.0));
    }
    assert!(contacts > 3, "{contacts}");
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let model = random_model(1, RestKind::Plain);
    let shape = shape(model.clone());
    let rest = model.rest_pose();
    let still = Motion::of_placement(rest.clone(), Isometry::IDENTITY, Isometry::IDENTITY).unwrap();
    let away = Motion::of_placement(rest.clone(), place(9.0, 0.0, 0.0), place(8.0, 0.0, 0.0)).unwrap();
    let mut a = Body::new(&shape, Skinning::Linear).unwrap();
    for tolerance in [f32::NAN, -1.0] {
        assert!(Distance::new(tolerance).is_err());
    }
    for tolerance in [0.0, 1e-12, f32::INFINITY].map(|tolerance| Distance::new(tolerance).unwrap()) {
        let error = time_of_contact([&mut a.clone(), &mut a], [&still, &away], tolerance).unwrap_err();
        assert!(matches!(error, MotionError::Tolerance { .. }), "{error}");
    }
    let hundredth = Distance::new(0.01).unwrap();
    let mut spherical = Body::new(&shape, Skinning::Spherical).unwrap();
    let error = time_of_contact([&mut a, &mut spherical], [&still, &away], hundredth).unwrap_err();
    assert_eq!(error, MotionError::Spherical);
    let mut dual = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let mut scaled = rest.clone();
    scaled.nodes[0].scale = Vec3::new(1.0, 2.0, 1.0);
    let stretch = Motion::new((rest.clone(), Isometry::IDENTITY), (scaled, Isometry::IDENTITY)).unwrap();
    let error = time_of_contact([&mut dual, &mut a], [&stretch, &away], hundredth).unwrap_err();
    assert_eq!(error, MotionError::Stretched);
    let other = Motion::of_placement(Pose::default(), Isometry::IDENTITY, Isometry::IDENTITY).unwrap();
    let error = time_of_contact([&mut a, &mut dual], [&other, &away], hundredth).unwrap_err();
    assert!(matches!(error, MotionError::Pose(_)), "{error}");
    let mut broken = rest.clone();
    broken.nodes[0].translation.x = f32::NAN;
    assert!(Motion::new((broken, Isometry::IDENTITY), (rest, Isometry::IDENTITY)).is_err());
}

/// Polar decomposition then finds the same stretch in all joints, at all times.
#[test]
fn a_body_may_be_scaled_as_a_whole() {
    let (shape, pose) = character("dwarf");
    let scaled = |time: f64| {
        let mut pose = pose(0, time);
        let roots =
            shape.model().skeleton().nodes().iter().enumerate().filter(|(_, node)| node.parent.is_none());
        roots.for_each(|(index, _)| pose.nodes[index].scale *= 2.0);
        pose
    };
    let motion_a =
        Motion::new((scaled(0.1), place(0.0, 0.0, 0.0)), (scaled(0.3), place(0.5, 0.0, 0.0))).unwrap();
    let motion_b =
        Motion::new((pose(0, 0.1), place(4.0, 0.1, 0.0)), (pose(0, 0.2), place(0.5, 0.1, 0.0))).unwrap();
    let mut a = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let mut b = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let found = assert_conservative(&mut a, &motion_a, &mut b, &motion_b, 0.01, "one twice as large");
    assert!(found.found.is_some_and(|contact| contact.time > 0.0));
}

/// A joint that turns by more than half a turn against its neighbour: the blend flips on the way.
#[test]
fn blends_that_may_jump_are_reported() {
    let shape = zoo("man");
    let model = shape.model();
    let mut twisted = model.rest_pose();
    let joint = model.skeleton().joints().len() / 2;
    let node = model.skeleton().joints()[joint].node;
    let mut back = model.rest_pose();
    twisted.nodes[node].rotation *= Quat::from_rotation_y(2.0);
    back.nodes[node].rotation *= Quat::from_rotation_y(-2.0);
    let twist = Motion::new((twisted, Isometry::IDENTITY), (back, Isometry::IDENTITY)).unwrap();
    let away = Motion::of_placement(model.rest_pose(), place(2.0, 0.0, 0.0), place(2.1, 0.0, 0.0)).unwrap();
    let mut a = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let mut b = Body::new(&shape, Skinning::Linear).unwrap();
    let hundredth = Distance::new(0.01).unwrap();
    let error = time_of_contact([&mut a, &mut b], [&twist, &away], hundredth).unwrap_err();
    assert!(matches!(error, MotionError::NotContinuous { .. } | MotionError::Tolerance { .. }), "{error}");
    let mut linear = Body::new(&shape, Skinning::Linear).unwrap();
    assert!(time_of_contact([&mut linear, &mut b], [&twist, &away], hundredth).is_ok());
}
