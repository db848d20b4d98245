//! Clips: interpolation, loops, and what is refused.

use std::ops::Range;

use glam::{Quat, Vec3};
use supple::pose::{Channel, Clip, Interpolation, Pose, PoseError, Target, Transform};

fn pose() -> Pose {
    Pose { nodes: vec![Transform::IDENTITY; 2], coefficients: vec![0.0; 3] }
}

fn channel(target: Target, interpolation: Interpolation, times: &[f32], values: &[f32]) -> Channel {
    Channel { target, interpolation, times: times.to_vec(), values: values.to_vec() }
}

#[test]
fn rotations_take_the_shortest_arc() {
    let (a, b) = (Quat::from_rotation_z(0.2), -Quat::from_rotation_z(0.6));
    let values = [a.to_array(), b.to_array()].concat();
    let clip =
        Clip::new("turn", vec![channel(Target::Rotation(1), Interpolation::Linear, &[0.0, 1.0], &values)])
            .unwrap();
    let mut pose = pose();
    clip.sample(0.5, &mut pose).unwrap();
    assert!(pose.nodes[1].rotation.angle_between(Quat::from_rotation_z(0.4)) < 1e-3);
    assert_eq!(pose.nodes[0], Transform::IDENTITY);
}

#[test]
fn looping_wraps_at_the_last_key() {
    let clip = Clip::new(
        "ramp",
        vec![channel(Target::Coefficients(1..2), Interpolation::Linear, &[0.0, 2.0], &[0.0, 4.0])],
    )
    .unwrap();
    let mut pose = pose();
    for (time, expected) in [(0.5, 1.0), (2.5, 1.0), (-0.5, 3.0), (2.0, 0.0)] {
        clip.sample_looped(time, &mut pose).unwrap();
        assert_eq!(pose.coefficients, [0.0, expected, 0.0], "{time}");
    }
    clip.sample(f64::INFINITY, &mut pose).unwrap();
    assert_eq!(pose.coefficients[1], 4.0);
    clip.sample(f64::NAN, &mut pose).unwrap();
    assert_eq!(pose.coefficients[1], 0.0);
}

#[test]
fn steps_hold() {
    let clip = Clip::new(
        "blink",
        vec![channel(Target::Scale(0), Interpolation::Step, &[0.5, 1.0], &[1., 1., 1., 2., 2., 2.])],
    )
    .unwrap();
    let mut pose = pose();
    for (time, expected) in [(0.0, 1.0), (0.999, 1.0), (1.0, 2.0), (5.0, 2.0)] {
        clip.sample(time, &mut pose).unwrap();
        assert_eq!(pose.nodes[0].scale, Vec3::splat(expected), "{time}");
    }
}

#[test]
fn bad_channels_are_errors_with_a_place() {
    let bad = |times: &[f32], values: &[f32]| {
        let c = channel(Target::Translation(0), Interpolation::Linear, times, values);
        Clip::new("bad", vec![c]).unwrap_err().to_string()
    };
    assert_eq!(bad(&[], &[]), "channel 0 has no keys");
    assert_eq!(bad(&[0.0], &[0.0; 2]), "channel 0 has 2 values, its keys need 3");
    assert_eq!(bad(&[0.0], &[0.0, f32::NAN, 0.0]), "channel 0: value 1 is not finite");
    let range = Range { start: 2, end: 1 };
    let backward = channel(Target::Coefficients(range), Interpolation::Step, &[0.0], &[]);
    let error = Clip::new("bad", vec![backward]).unwrap_err();
    assert_eq!(error.to_string(), "channel 0 animates coefficients from 2 back to 1");
    assert!(bad(&[1.0, 0.5], &[0.0; 6]).starts_with("channel 0: key 1 is at 0.5 s"));
}

#[test]
fn poses_that_are_too_small_are_errors() {
    let clip =
        Clip::new("far", vec![channel(Target::Translation(9), Interpolation::Step, &[0.0], &[0.0; 3])])
            .unwrap();
    assert_eq!(clip.sample(0.0, &mut pose()), Err(PoseError::NodeCount { expected: 10, found: 2 }));
}
