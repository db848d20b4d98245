//! Turns of boxes whose angles follow from their sizes.

use std::sync::Arc;

use glam::{DAffine3, Quat, Vec3};
use supple::pose::{Joint, Node, Skeleton, Transform};
use supple::{BuildOptions, Mesh, Model, Pose, Shape, Skin, Skinning};
use supple_audit::{Axis, HintError, MAX_TURN_QUERIES, NoTurn, TurnFinder, TurnHint};

/// A box in the space of its node, which is in the middle of it, except for the hand's, which is at the origin.
struct Box {
    name: &'static str,
    center: Vec3,
    half: Vec3,
}

/// A hand of half size 0.1 at the end of a lever of length 1, in a thigh whose top is so deep in it.
fn hand_and_thigh(depth: f32, thigh_half: Vec3) -> Vec<Box> {
    let top = -0.1 + depth;
    vec![
        Box { name: "hand", center: Vec3::X, half: Vec3::splat(0.1) },
        Box { name: "thigh", center: Vec3::new(1.0, top - thigh_half.y, 0.0), half: thigh_half },
    ]
}

/// Boxes on nodes of their own, whose parent is scaled; the first is turned up by 60 degrees at rest.
fn shape(boxes: &[Box], scale: Vec3) -> Arc<Shape> {
    let (mut positions, mut triangles, mut owners) = (Vec::new(), Vec::new(), Vec::new());
    let mut nodes = vec![Node::new("body", None, Transform { scale, ..Transform::IDENTITY })];
    for (number, Box { name, center, half }) in (0u32..).zip(boxes) {
        let first = positions.len() as u32;
        let sign = |i: u32, bit: u32| if i >> bit & 1 == 0 { -1.0 } else { 1.0 };
        let joint = if *name == "hand" { Vec3::ZERO } else { *center };
        positions
            .extend((0..8).map(|i| center - joint + half * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))));
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        triangles.extend(
            sides.iter().flat_map(|s| [[s[0], s[1], s[2]], [s[0], s[2], s[3]]]).map(|t| t.map(|v| v + first)),
        );
        owners.extend([[(number, 1.0)]; 8]);
        nodes.push(Node::new(*name, Some(0), Transform::from_translation(joint)));
    }
    nodes[1].rest.rotation = Quat::from_rotation_z(60f32.to_radians());
    let joints = (1..nodes.len()).map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect();
    let skin = Skin::new(boxes.len(), owners.iter().map(|list| list.as_slice())).unwrap();
    let mesh = Mesh::new(positions, triangles).unwrap();
    let model = Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap();
    Arc::new(Shape::build(model, &BuildOptions::default()).unwrap())
}

/// The hand goes down into the thigh.
fn lowered(shape: &Shape) -> Pose {
    let mut pose = shape.model().rest_pose();
    pose.nodes[1].rotation = Quat::IDENTITY;
    pose
}

fn found(shape: &Arc<Shape>) -> Result<TurnHint, NoTurn> {
    let finder = TurnFinder::new(shape, Skinning::Linear).unwrap();
    finder.least_turn(&lowered(shape), [&[0], &[1]], &[]).unwrap().found
}

/// By how many degrees the near lower edge of the hand has to be turned to rise by `height` above where the lever is:
/// `0.9 sin t - 0.1 cos t > height`.
fn degrees_to_reach(height: f64) -> f64 {
    (0.1f64.atan2(0.9) + (height / 0.9f64.hypot(0.1)).asin()).to_degrees()
}

fn next_half(degrees: f64) -> f32 {
    (2.0 * degrees).ceil() as f32 / 2.0
}

#[test]
fn a_hand_is_lifted_out_of_a_thigh() {
    for (depth, expected) in [(0.01, 1.0), (0.05, 3.5), (0.1, 6.5), (0.15, 10.0)] {
        let shape = shape(&hand_and_thigh(depth, Vec3::new(0.4, 0.3, 0.4)), Vec3::ONE);
        let hint = found(&shape).unwrap();
        assert_eq!((hint.bone.as_str(), hint.node, hint.axis_name), ("hand", 1, Some(Axis::Z)));
        assert_eq!(hint.axis, [0.0, 0.0, 1.0]);
        assert_eq!((hint.degrees, next_half(degrees_to_reach(f64::from(depth) - 0.1))), (expected, expected));
        assert!(hint.pairs_before > 0 && hint.pairs_after == 0 && hint.new_elsewhere == 0);
        assert_eq!(hint.to_string(), format!("turn hand by {expected} degrees about its own z axis"));
    }
}

#[test]
fn mirrored_and_stretched_bodies_turn_about_the_same_axis_of_the_bone() {
    for scale in [Vec3::new(-1.0, 1.0, 1.0), Vec3::splat(-2.0), Vec3::new(3.0, 3.0, -3.0)] {
        // Of the deeper one, turning down by 3.5 degrees would sink it as a whole.
        for (depth, degrees) in [(0.05, 3.5), (0.15, 10.0)] {
            let hint = found(&shape(&hand_and_thigh(depth, Vec3::new(0.4, 0.3, 0.4)), scale)).unwrap();
            assert_eq!((hint.axis_name, hint.degrees), (Some(Axis::Z), degrees), "{scale}");
        }
    }
}

/// Up is nearer, but there is a lid; the hand goes sideways, above a thigh of half width 0.05.
#[test]
fn a_way_that_leads_into_something_else_is_left_for_a_longer_one() {
    let mut boxes = hand_and_thigh(0.1, Vec3::new(0.4, 0.3, 0.05));
    assert_eq!(
        found(&shape(&boxes, Vec3::ONE)).map(|hint| (hint.axis_name, hint.degrees)),
        Ok((Some(Axis::Z), 6.5))
    );
    boxes.push(Box { name: "lid", center: Vec3::new(1.0, 0.16, 0.0), half: Vec3::new(0.4, 0.05, 0.05) });
    let hint = found(&shape(&boxes, Vec3::ONE)).unwrap();
    assert_eq!((hint.axis_name, hint.degrees.abs()), (Some(Axis::Y), next_half(degrees_to_reach(0.05))));
    assert_eq!((hint.bone.as_str(), hint.new_elsewhere), ("hand", 0));
}

#[test]
fn what_cannot_be_cleared_says_why() {
    let wide = shape(&hand_and_thigh(0.05, Vec3::new(3.0, 0.3, 3.0)), Vec3::ONE);
    let finder = TurnFinder::new(&wide, Skinning::Linear).unwrap();
    let ask = |pose: &Pose, sides: [&[u32]; 2]| {
        let answer = finder.least_turn(pose, sides, &[]).unwrap();
        assert!((1..=MAX_TURN_QUERIES).contains(&answer.queries));
        answer.found.map(|hint| hint.degrees)
    };
    let pose = lowered(&wide);
    assert_eq!(ask(&wide.model().rest_pose(), [&[0], &[1]]), Err(NoTurn::NothingTouches));
    assert_eq!(ask(&pose, [&[0], &[0]]), Err(NoTurn::NothingTouches));
    assert_eq!(ask(&pose, [&[0], &[]]), Err(NoTurn::NothingTouches));
    assert_eq!(ask(&pose, [&[0], &[7, u32::MAX]]), Err(NoTurn::NothingTouches), "numbers of no bone");
    assert_eq!(ask(&pose, [&[0, 0, 9], &[1]]), Ok(3.5));
    // A hand in the middle of a block: no 30 degrees bring it out.
    let deep = shape(&hand_and_thigh(1.0, Vec3::new(3.0, 3.0, 3.0)), Vec3::ONE);
    let finder = TurnFinder::new(&deep, Skinning::Linear).unwrap();
    assert_eq!(
        finder.least_turn(&lowered(&deep), [&[0], &[1]], &[]).unwrap().found,
        Err(NoTurn::NothingTouches)
    );
    let through = shape(&hand_and_thigh(0.15, Vec3::new(0.02, 3.0, 3.0)), Vec3::ONE);
    let mut pose = lowered(&through);
    pose.nodes[1].translation.y = -2.95; // the middle of the wall
    let finder = TurnFinder::new(&through, Skinning::Linear).unwrap();
    let answer = finder.least_turn(&pose, [&[0], &[1]], &[]).unwrap();
    assert_eq!(answer.found, Err(NoTurn::NothingSmall));
    assert_eq!(NoTurn::NothingSmall.to_string(), "no turn of one bone by up to 30 degrees clears it");
}

/// Between two walls the hand cannot leave one without entering the other.
#[test]
fn a_turn_that_only_moves_the_contact_is_none() {
    let mut boxes = hand_and_thigh(0.05, Vec3::new(3.0, 0.3, 3.0));
    boxes.push(Box { name: "lid", center: Vec3::new(1.0, 0.41, 0.0), half: Vec3::new(3.0, 0.3, 3.0) });
    assert_eq!(found(&shape(&boxes, Vec3::ONE)), Err(NoTurn::MovesItElsewhere));
}

#[test]
fn pairs_at_rest_do_not_count() {
    let shape = shape(&hand_and_thigh(0.05, Vec3::new(0.4, 0.3, 0.4)), Vec3::ONE);
    let mut nodes = shape.model().skeleton().nodes().to_vec();
    nodes[1].rest.rotation = Quat::IDENTITY; // in the thigh at rest
    let (model, joints) = (shape.model(), shape.model().skeleton().joints().to_vec());
    let skeleton = Skeleton::new(nodes, joints).unwrap();
    let model = Model::new(model.mesh().clone(), model.skin().clone(), skeleton).unwrap();
    let layered = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
    assert_eq!(found(&layered), Err(NoTurn::NothingTouches));
}

/// The triangles of a contact stand for all triangles of their bones.
#[test]
fn triangles_stand_for_their_bones() {
    let shape = shape(&hand_and_thigh(0.05, Vec3::new(0.4, 0.3, 0.4)), Vec3::ONE);
    let finder = TurnFinder::new(&shape, Skinning::Linear).unwrap();
    let ask = |pairs: &[[u32; 2]]| finder.least_turn(&lowered(&shape), [&[], &[]], pairs).unwrap().found;
    let expected = found(&shape);
    assert!(expected.is_ok());
    assert_eq!(ask(&[[0, 12]]), expected);
    assert_eq!(ask(&[[3, 20], [0, 99], [u32::MAX, 0]]), expected, "numbers of no triangle");
    assert_eq!(ask(&[[20, 3]]), expected, "the other side first");
    assert_eq!(ask(&[]), Err(NoTurn::NothingTouches));
    assert_eq!(ask(&[[0, 1]]), Err(NoTurn::NothingTouches), "the hand in itself");
    // A bone of both sides is on none.
    let sides: [&[u32]; 2] = [&[0, 1], &[1]];
    let both = |pairs: &[[u32; 2]]| finder.least_turn(&lowered(&shape), sides, pairs).unwrap().found;
    assert_eq!([both(&[]), both(&[[0, 12]])], [Err(NoTurn::NothingTouches), expected]);
}

#[test]
fn a_pose_of_another_model_is_an_error() {
    let shape = shape(&hand_and_thigh(0.05, Vec3::splat(0.3)), Vec3::ONE);
    let finder = TurnFinder::new(&shape, Skinning::Linear).unwrap();
    let error = finder.least_turn(&Pose::default(), [&[0], &[1]], &[]).unwrap_err();
    assert!(matches!(error, HintError::Pose(_)), "{error}");
}

#[cfg(feature = "serde")]
#[test]
fn a_hint_reads_back_as_it_was_written() {
    let shape = shape(&hand_and_thigh(0.05, Vec3::new(0.4, 0.3, 0.4)), Vec3::ONE);
    let finder = TurnFinder::new(&shape, Skinning::Linear).unwrap();
    let answer = finder.least_turn(&lowered(&shape), [&[0], &[1]], &[]).unwrap();
    let json = serde_json::to_string(&answer).unwrap();
    assert!(json.contains("\"axis_name\":\"z\"") && json.contains("\"degrees\":3.5"), "{json}");
    assert_eq!(serde_json::from_str::<supple_audit::TurnAnswer>(&json).unwrap(), answer);
}
