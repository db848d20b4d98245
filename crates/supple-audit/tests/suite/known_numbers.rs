//! Frames, pairs and depths that can be told beforehand.

use std::sync::Arc;

use glam::Vec3;
use supple::Mesh;
use supple::Model;
use supple::{BuildOptions, Shape};
use supple_audit::{AuditOptions, audit};

use crate::hand_and_thigh::hand_and_thigh;

#[test]
fn a_hand_is_found_in_a_thigh_with_its_frames_and_its_depth() {
    // The hand's front is at 2.05 - 0.2 - t, the thigh's side at 1: inside by t - 0.85.
    let shape = hand_and_thigh(["thigh", "hand"], 2.05);
    let audit = audit(&shape, &AuditOptions::default().with_fps(10.0)).unwrap();
    assert_eq!((audit.triangles, audit.vertices, audit.bones, audit.height), (24, 16, 2, 2.0));
    assert_eq!((audit.rest.most_pairs, audit.rest.frames, audit.rest.clip), (0, 1, None));
    let [push, pull] = &audit.clips[..] else { panic!("{} clips", audit.clips.len()) };
    assert_eq!((push.name.as_str(), push.clip, push.duration, push.frames), ("push", Some(0), 1.0, 11));
    assert_eq!((push.frames_with_pairs, pull.frames_with_pairs, pull.bone_pairs.len()), (2, 0, 0));
    let [pair] = &push.bone_pairs[..] else { panic!("{:?}", push.bone_pairs) };
    assert_eq!((pair.bones.each_ref().map(String::as_str), pair.nodes), (["thigh", "hand"], [0, 1]));
    assert_eq!((pair.frames, pair.first_frame, pair.last_frame, pair.worst_frame), (2, 9, 10, 10));
    assert_eq!((pair.timeline[0].frame, pair.timeline[1].frame, pair.most_rest_pairs), (9, 10, 0));
    let depths = [pair.timeline[0].depth.unwrap(), pair.timeline[1].depth.unwrap()];
    assert!((depths[0] - 0.05).abs() < 1e-5 && (depths[1] - 0.15).abs() < 1e-5, "{depths:?}");
    assert_eq!(pair.depth, Some(depths[1]));
    assert!((pair.depth_percent.unwrap() - 7.5).abs() < 1e-3);
    assert_eq!(pair.worst_triangles.len(), pair.most_new_pairs);
    assert!(pair.worst_triangles.iter().all(|&[thigh, hand]| thigh < 12 && hand >= 12));
}

#[test]
fn pairs_at_rest_are_told_apart_and_can_be_ignored() {
    // At rest the hand is already 0.1 inside.
    let shape = hand_and_thigh(["thigh", "hand"], 1.1);
    let options = AuditOptions::default().with_fps(4.0).with_clips(["push"]);
    let all = audit(&shape, &options).unwrap();
    let at_rest = all.rest.most_pairs;
    assert!(at_rest > 0 && all.rest.bone_pairs[0].most_rest_pairs == at_rest);
    let first = all.clips[0].bone_pairs[0].timeline[0];
    assert_eq!((first.frame, first.rest_pairs, first.new_pairs), (0, at_rest, 0));
    let new = audit(&shape, &options.with_ignored_rest(true)).unwrap();
    assert_eq!(new.rest, all.rest, "the rest pose is still reported");
    let moments = new.clips[0].bone_pairs.iter().flat_map(|pair| &pair.timeline);
    assert!(moments.clone().all(|moment| moment.rest_pairs == 0 && moment.frame != 0));
}

#[test]
fn limits_are_about_what_is_played() {
    let shape = hand_and_thigh(["thigh", "hand"], 1.1);
    let one_frame = AuditOptions::default().with_fps(1e-3).with_clips(["push"]);
    let over = |options: AuditOptions| audit(&shape, &options).unwrap().clips[0].over_limit;
    let at_rest = audit(&shape, &one_frame).unwrap().rest.most_pairs;
    assert!(over(one_frame.clone().with_max_pairs(0)));
    assert!(!over(one_frame.clone().with_max_pairs(at_rest)) && !over(one_frame.clone()));
    assert!(!over(one_frame.clone().with_max_pairs(0).with_ignored_rest(true)));
    let found = audit(&shape, &one_frame.with_max_pairs(0)).unwrap();
    assert!(!found.rest.over_limit, "clips are played");
    let model = Model::clone(shape.model()).with_clips(Vec::new()).unwrap();
    let still = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
    let limited = AuditOptions::default().with_max_pairs(0);
    assert!(audit(&still, &limited).unwrap().rest.over_limit);
    assert!(!audit(&still, &limited.with_ignored_rest(true)).unwrap().rest.over_limit);
}

#[test]
fn without_clips_and_bones_the_rest_pose_is_all() {
    let positions = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.5, 0.5, -1.0],
        [0.5, 0.5, 1.0],
        [0.6, 0.7, 1.0],
    ];
    let mesh = Mesh::new(positions.map(Vec3::from).to_vec(), vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default()).unwrap());
    let found = audit(&shape, &AuditOptions::default()).unwrap();
    assert_eq!((found.bones, found.clips.len(), found.rest.most_pairs), (1, 0, 1));
    assert_eq!(found.played(), std::slice::from_ref(&found.rest));
    let pair = &found.rest.bone_pairs[0];
    assert_eq!((pair.most_rest_pairs, pair.depth, pair.depth_percent), (1, None, None));
    assert_eq!((pair.worst_triangles.as_slice(), pair.nodes), (&[[0, 1]][..], [0, 0]));
    let flat = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Z], vec![[0, 1, 2]]).unwrap();
    let flat = Arc::new(Shape::build(Model::rigid(flat), &BuildOptions::default()).unwrap());
    assert_eq!(audit(&flat, &AuditOptions::default()).unwrap().height, 0.0);
}
