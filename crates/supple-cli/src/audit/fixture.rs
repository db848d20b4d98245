//! Reports made by hand, for tests of what is made from them.

use serde_json::json;
use supple_audit::{Class, Event, PlayedClip};

use super::report::{
    EventReport, FailedFile, FileReport, Report, SCHEMA, Settings, SkippedFile, Status, Totals,
};
use crate::short_names::ShortNames;

/// An event of ten frames in each of the clips of these numbers, deepest in frame 7.
pub fn event(id: &str, class: Class, depth_percent: f32, clips: &[usize]) -> Event {
    let (a, b) = id.split_once('/').unwrap_or((id, id));
    let side = |name: &str| json!({ "body_part": name, "mesh": null, "bones": [name], "nodes": [1] });
    let occurrence = |(place, &clip): (usize, &usize)| {
        let moments: Vec<_> = (0..10).map(|i| json!({ "frame": 3 + i, "pairs": 5, "depth": 0.01 })).collect();
        let depth = 0.01 * depth_percent / (1 + place) as f32;
        json!({ "clip": clip, "first_frame": 3, "last_frame": 12, "frames": 10, "worst_frame": 7, "depth": depth,
                "moments": moments })
    };
    let occurrences: Vec<_> = clips.iter().enumerate().map(occurrence).collect();
    let event = json!({
        "id": id, "class": class.name(), "name": format!("{a} into {b}"), "sides": [side(a), side(b)],
        "severity": 2.0 * depth_percent, "depth": 0.01 * depth_percent, "depth_percent": depth_percent,
        "rest_depth": 0.0, "area": 0.002, "seconds": clips.len(), "frames": 10 * clips.len(), "visibility": 0.5,
        "worst": { "clip": clips.first().unwrap_or(&0), "frame": 7, "point": [0.0, 1.0, 0.0], "triangles": [[1, 2]],
                   "cut_off": [[1], [2]] },
        "occurrences": occurrences,
    });
    serde_json::from_value(event).expect("an event")
}

/// A file of size 1 with clips of these names.
pub fn file(name: &str, clips: &[&str], events: Vec<Event>) -> FileReport {
    let pairs = json!({ "frames": 0, "most_pairs": 0 });
    let clip = |(number, name): (usize, &&str)| -> PlayedClip {
        let clip = json!({
            "name": name, "number": number, "duration": 1.0, "frames": 11, "own_fps": null,
            "frames_with": { "fault": 0, "hidden": 0, "graze": 0, "crease": 0, "layered": 0 },
            "left_out": { "other_meshes": pairs, "other_bones": pairs, "near_bones": pairs, "hidden_bones": pairs },
        });
        serde_json::from_value(clip).expect("a clip")
    };
    let report = |event| EventReport {
        event,
        status: Status::Open,
        reason: None,
        why_worse: None,
        compared: None,
        hint: None,
        command: String::new(),
        picture: None,
    };
    FileReport {
        file: name.to_owned(),
        triangles: 100,
        vertices: 60,
        bones: 9,
        size: 1.0,
        hidden_bones: Vec::new(),
        bleeding: Vec::new(),
        missing_clips: Vec::new(),
        clips: clips.iter().enumerate().map(clip).collect(),
        events: events.into_iter().map(report).collect(),
        short_names: ShortNames::default(),
    }
}

/// What the options are by default, at 10 frames per second.
pub fn settings() -> Settings {
    Settings {
        fps: 10.0,
        skinning: "linear",
        clips: Vec::new(),
        part: None,
        without: Vec::new(),
        scene: None,
        events: Vec::new(),
        bones: Vec::new(),
        bones_apart: 0,
        between: None,
        against: None,
        attach: None,
        offset: None,
        turn: None,
        scale: None,
        min_depth: "0.25%".to_owned(),
        min_frames: 1,
        classes: vec![Class::Fault],
        accept: None,
        baseline: None,
    }
}

/// All of it, with a file that was skipped and one that failed.
pub fn report(files: Vec<FileReport>) -> Report {
    let settings = settings();
    Report {
        schema: SCHEMA,
        totals: Totals::new(&files, &settings),
        settings,
        remarks: Vec::new(),
        files,
        skipped: vec![SkippedFile {
            file: "chair.glb".to_owned(),
            remark: "has no clip \"walk\"".to_owned(),
        }],
        failed: vec![FailedFile { file: "bad.glb".to_owned(), error: "bad.glb: is cut off".to_owned() }],
    }
}
