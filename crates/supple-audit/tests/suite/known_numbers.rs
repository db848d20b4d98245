//! Frames, depths and classes that can be told beforehand.

use glam::{Quat, Vec3};
use supple::{Mesh, Model};
use supple_audit::{AuditOptions, Class, Depth, audit};

use crate::figures::{Figure, built, cube, sphere};
use crate::hand_and_thigh::hand_and_thigh;

#[test]
fn a_hand_is_found_in_a_thigh_with_its_frames_and_its_depth() {
    // The hand's front is at 2.05 - 0.2 - t, the thigh's side at 1: inside by t - 0.85.
    let shape = hand_and_thigh(["thigh_l", "hand_l"], 2.05);
    let found = audit(&shape, &AuditOptions::default().with_fps(10.0)).unwrap();
    assert_eq!((found.triangles, found.vertices, found.bones), (24, 16, 2));
    assert_eq!((found.clips[0].frames, found.clips[0].frames_with.fault), (11, 2));
    assert_eq!(found.clips[1].frames_with.fault, 0);
    let [event] = &found.events[..] else { panic!("{:?}", found.events) };
    assert_eq!((event.class, event.id.as_str()), (Class::Fault, "left-hand/left-thigh/layers"));
    assert_eq!((event.worst.clip, event.worst.frame, event.frames), (0, 10, 2));
    assert_eq!(event.sides.each_ref().map(|s| s.bones.join(" ")), ["thigh_l", "hand_l"]);
    let [occurrence] = &event.occurrences[..] else { panic!("{:?}", event.occurrences) };
    assert_eq!((occurrence.first_frame, occurrence.last_frame, occurrence.worst_frame), (9, 10, 10));
    let depths: Vec<f32> = occurrence.moments.iter().map(|moment| moment.depth).collect();
    assert!((depths[0] - 0.05).abs() < 1e-5 && (depths[1] - 0.15).abs() < 1e-5, "{depths:?}");
    assert!((event.depth_percent - 100.0 * 0.15 / found.size).abs() < 1e-3);
    assert!(event.worst.triangles.iter().all(|&[thigh, hand]| hand >= 12 && thigh < 12));
}

#[test]
fn thresholds_make_grazes() {
    let shape = hand_and_thigh(["thigh_l", "hand_l"], 2.05);
    let options = AuditOptions::default().with_fps(10.0);
    let class = |options: AuditOptions| audit(&shape, &options).unwrap().events[0].class;
    assert_eq!(class(options.clone().with_min_depth(Depth::Units(0.149))), Class::Fault);
    assert_eq!(class(options.clone().with_min_depth(Depth::Units(0.151))), Class::Graze);
    assert_eq!(class(options.clone().with_min_frames(2)), Class::Fault);
    assert_eq!(class(options.with_min_frames(3)), Class::Graze);
}

#[test]
fn what_a_closed_box_covers_is_hidden() {
    let apart = Vec3::X * 1.5;
    let figure = || Figure::default().with("a", cube(0.4), Vec3::ZERO).with("b", cube(0.3), apart);
    let moved = |figure: Figure| figure.clip("in").moves(1, &[apart, Vec3::new(0.5, 0.03, 0.02)]);
    let class = |figure: Figure| {
        let found = audit(&figure.shape(), &AuditOptions::default().with_fps(1.0)).unwrap();
        assert_eq!(found.events.len(), 1);
        found.events[0].class
    };
    assert_eq!(class(moved(figure())), Class::Fault);
    assert_eq!(class(moved(figure().with("c", cube(5.0), Vec3::ZERO))), Class::Hidden);
}

#[test]
fn an_eye_that_turns_in_its_socket_is_layered_and_one_that_is_pushed_in_is_not() {
    let place = Vec3::new(1.17, 0.03, 0.02);
    let figure =
        Figure::default().with("head", cube(1.0), Vec3::ZERO).with("eye_l", sphere(0.2, 8, 12), place);
    let turn = [Quat::IDENTITY, Quat::from_rotation_y(0.4)];
    let turned = figure.clone().clip("look").turns(1, &turn);
    let found = audit(&turned.shape(), &AuditOptions::default().with_fps(1.0)).unwrap();
    assert!(found.events.iter().all(|event| event.class == Class::Layered) && !found.events.is_empty());
    assert!(found.faults().next().is_none() && !found.is_clean());
    let pushed = figure.clip("push").moves(1, &[place, place - Vec3::X * 0.1]);
    let found = audit(&pushed.shape(), &AuditOptions::default().with_fps(1.0)).unwrap();
    // The eye is larger than a joint of a puppet would be: deeper than at rest is a fault.
    let told: Vec<_> = found.events.iter().map(|event| (event.class, event.frames)).collect();
    assert_eq!(told, [(Class::Fault, 1), (Class::Layered, 1)]);
    let deeper = &found.events[0];
    assert!((deeper.depth - 0.13).abs() < 1e-5 && (deeper.rest_depth - 0.03).abs() < 1e-5, "{deeper:?}");
}

#[test]
fn hidden_bones_are_left_out_and_named() {
    let (away, inside) = (Vec3::X * 4.0, Vec3::new(1.0, 0.03, 0.02));
    let scales = [Vec3::ONE, Vec3::splat(0.01)];
    let figure = Figure::default().with("body", cube(1.0), Vec3::ZERO).with("hand_l", cube(0.5), away);
    let hidden = figure.clone().clip("hide").moves(1, &[away, inside]).scales(1, &scales);
    let found = audit(&hidden.shape(), &AuditOptions::default().with_fps(1.0)).unwrap();
    assert!(found.events.is_empty() && !found.is_clean());
    assert_eq!(
        (found.hidden_bones, found.clips[0].left_out.hidden_bones.frames),
        (vec!["hand_l".to_owned()], 1)
    );
    let seen = figure.clip("show").moves(1, &[away, inside]);
    assert_eq!(audit(&seen.shape(), &AuditOptions::default().with_fps(1.0)).unwrap().faults().count(), 1);
}

#[test]
fn one_event_has_occurrences_in_all_clips_and_ends_after_a_gap() {
    let (out, inside) = (Vec3::X * 2.0, Vec3::new(1.2, 0.03, 0.02));
    let figure = Figure::default()
        .with("thigh_l", cube(1.0), Vec3::ZERO)
        .with("hand_l", cube(0.3), out)
        .clip("twice")
        .moves(1, &[inside, out, out, out, inside])
        .clip("once")
        .moves(1, &[out, inside]);
    let shape = figure.shape();
    let options = AuditOptions::default().with_fps(1.0);
    let found = audit(&shape, &options).unwrap();
    let [event] = &found.events[..] else { panic!("{:?}", found.events) };
    let places: Vec<_> = event.occurrences.iter().map(|o| (o.clip, o.first_frame, o.last_frame)).collect();
    assert_eq!((places, event.frames, event.seconds), (vec![(0, 0, 0), (0, 4, 4), (1, 1, 1)], 3, 3.0));
    for other in [options.clone().with_clips(["once"]), options.with_fps(7.0)] {
        assert_eq!(audit(&shape, &other).unwrap().events[0].id, event.id);
    }
}

#[test]
fn contacts_that_no_clip_changes_have_the_numbers_of_those_that_are_measured() {
    let figure = Figure::default()
        .with("hips", cube(1.0), Vec3::ZERO)
        .with("belt", cube(0.5), Vec3::new(1.2, 0.03, 0.02))
        .below(0)
        .clip("walk")
        .moves(0, &[Vec3::ZERO, Vec3::X, Vec3::Y]);
    let place = Vec3::new(1.2, 0.03, 0.02);
    let measured = figure.clone().moves(1, &[place; 3]);
    let options = AuditOptions::default().with_fps(1.0);
    let [still, measured] = [figure, measured].map(|figure| audit(&figure.shape(), &options).unwrap());
    let [a, b] = [&still.events[..], &measured.events[..]];
    assert_eq!((a.len(), b.len(), a[0].class), (1, 1, Class::Layered));
    assert!(
        (a[0].depth - b[0].depth).abs() < 1e-6 && a[0].worst.triangles.len() == b[0].worst.triangles.len()
    );
    assert_eq!((&a[0].id, a[0].frames), (&b[0].id, b[0].frames));
}

#[test]
fn layers_that_move_are_measured_in_every_frame() {
    let place = |inside: f32| Vec3::new(1.5 - inside, 0.03, 0.02);
    let figure = Figure::default()
        .with("hips", cube(1.0), Vec3::ZERO)
        .with("belt", cube(0.5), place(0.1))
        .clip("walk")
        .moves(1, &[place(0.1), place(0.15), place(0.05)]);
    let found = audit(&figure.shape(), &AuditOptions::default().with_fps(1.0)).unwrap();
    let [event] = &found.events[..] else { panic!("{:?}", found.events) };
    let depths: Vec<f32> = event.occurrences[0].moments.iter().map(|moment| moment.depth).collect();
    let is_near = |(found, expected): (&f32, f32)| (found - expected).abs() < 1e-5;
    assert!(depths.iter().zip([0.1, 0.15, 0.05]).all(is_near), "{depths:?}");
    assert_eq!((event.class, event.worst.frame), (Class::Layered, 1));
}

#[test]
fn without_clips_the_rest_pose_is_all() {
    let positions = [
        [0.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [0.0, 2.0, 0.0],
        [0.5, 0.5, -1.0],
        [0.5, 0.5, 1.0],
        [0.6, 0.7, 1.0],
    ];
    let mesh = Mesh::new(positions.map(Vec3::from).to_vec(), vec![[0, 1, 2], [3, 4, 5]]).unwrap();
    let found = audit(&built(Model::rigid(mesh)), &AuditOptions::default()).unwrap();
    assert_eq!((found.bones, found.clips.len(), found.clips[0].number), (1, 1, None));
    assert_eq!((found.events.len(), found.events[0].class), (1, Class::Layered));
    let point = Mesh::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2]]).unwrap();
    let found = audit(&built(Model::rigid(point)), &AuditOptions::default()).unwrap();
    assert!(found.is_clean() && found.size == 0.0);
}
