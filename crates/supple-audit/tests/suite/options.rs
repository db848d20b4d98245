//! What is chosen is what is played, and what cannot be chosen is an error that says why.

use std::error::Error;
use std::sync::Arc;

use supple::Model;
use supple::pose::{Channel, Clip, Interpolation, Target};
use supple::{BuildOptions, Shape};
use supple_audit::{AuditError, AuditOptions, MAX_FRAMES, Progress, audit, audit_with_progress};

use crate::hand_and_thigh::hand_and_thigh;

#[test]
fn clips_are_chosen_by_name_and_by_number() {
    let shape = hand_and_thigh(["thigh", "hand"], 2.05);
    let played = |options: AuditOptions| -> Vec<String> {
        audit(&shape, &options).unwrap().clips.into_iter().map(|clip| clip.name).collect()
    };
    let few = AuditOptions::default().with_fps(2.0);
    assert_eq!(played(few.clone()), ["push", "pull"]);
    assert_eq!(played(few.clone().with_clips(["pull"])), ["pull"]);
    assert_eq!(played(few.clone().with_clips(["pull", "push", "pull"])), ["push", "pull"]);
    assert_eq!(played(few.clone().with_clip_numbers([1])), ["pull"]);
    assert_eq!(played(few.clone().with_clip_numbers([])), [""], "the rest pose");
    let error = audit(&shape, &few.clone().with_clips(["fly"])).unwrap_err();
    assert_eq!(error.to_string(), "there is no clip \"fly\"; the model has the clips [\"push\", \"pull\"]");
    let error = audit(&shape, &few.with_clip_numbers([0, 2])).unwrap_err();
    assert_eq!(error, AuditError::ClipOutOfRange { number: 2, clips: 2 });
}

#[test]
fn bones_are_chosen_by_name() {
    let shape = hand_and_thigh(["rig:thigh", "rig:hand"], 2.05);
    let options = |a: &str, b: &str| AuditOptions::default().with_fps(10.0).with_bones([[a, b]]);
    let found = |a: &str, b: &str| audit(&shape, &options(a, b)).unwrap().clips[0].frames_with.fault;
    assert_eq!((found("rig:hand", "rig:thigh"), found("rig:thigh", "rig:hand+")), (2, 2));
    assert_eq!(found("rig:hand", "rig:hand"), 0);
    let error = audit(&shape, &options("rig:hand", "rig:tigh")).unwrap_err();
    let AuditError::UnknownBone { name, nearest, bones } = &error else { panic!("{error}") };
    assert_eq!((name.as_str(), nearest[0].as_str(), *bones), ("rig:tigh", "rig:thigh", 2));
}

#[test]
fn frame_rates_are_checked() {
    let shape = hand_and_thigh(["thigh", "hand"], 2.05);
    for fps in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        let error = audit(&shape, &AuditOptions::default().with_fps(fps)).unwrap_err();
        assert!(matches!(error, AuditError::FrameRate(_)), "{fps}: {error}");
    }
    let error = audit(&shape, &AuditOptions::default().with_fps(1e9)).unwrap_err();
    assert!(
        matches!(&error, AuditError::TooManyFrames { clip: 0, frames, .. } if *frames > MAX_FRAMES),
        "{error}"
    );
    assert!(audit(&shape, &AuditOptions::default().with_fps(f32::MAX)).is_err());
}

#[test]
fn a_clip_that_leaves_the_numbers_is_an_error_with_its_frame() {
    let away = Channel {
        target: Target::Translation(1),
        interpolation: Interpolation::Step,
        times: vec![0.0, 0.5],
        values: vec![0.0, 0.0, 0.0, 1e30, 0.0, 0.0],
    };
    let shape = hand_and_thigh(["thigh", "hand"], 5.0);
    let clips = vec![shape.model().clips()[0].clone(), Clip::new("away", vec![away]).unwrap()];
    let model = Model::clone(shape.model()).with_clips(clips).unwrap();
    let shape = Arc::new(Shape::build(model, &BuildOptions::default()).unwrap());
    let error = audit(&shape, &AuditOptions::default().with_fps(10.0)).unwrap_err();
    assert_eq!(error.to_string(), "clip 1 \"away\", frame 5");
    assert!(error.source().is_some_and(|cause| cause.to_string().contains("must stay within")));
}

#[test]
fn progress_begins_with_nothing_and_ends_with_all() {
    let shape = hand_and_thigh(["thigh", "hand"], 2.05);
    let mut told: Vec<[usize; 2]> = Vec::new();
    let mut records = 0;
    let options = AuditOptions::default().with_fps(100.0);
    audit_with_progress(&shape, &options, |progress: Progress| {
        records += progress.records.len();
        told.push([progress.done, progress.frames]);
    })
    .unwrap();
    assert!(told.iter().all(|[_, frames]| *frames == 202) && records == 202);
    assert_eq!((told[0][0], told[told.len() - 1][0]), (0, 202));
    assert!(told.is_sorted_by(|a, b| a[0] < b[0]));
}
