//! A report for tests: `sample.json` has three files, events of all classes and statuses, and names that try to be markup.
//!
//! The sample says from where to where an occurrence goes; its moments are made here.

use serde::Deserialize;
use serde_json::{Value, json};
use supple_audit::{Event, PlayedClip};
use supple_draw::Canvas;

use super::super::picture::Picture;
use super::super::report::{
    EventReport, FailedFile, FileReport, Report, SCHEMA, Settings, SkippedFile, Status, Totals,
};
use crate::short_names::ShortNames;

#[derive(Deserialize)]
struct Sample {
    files: Vec<SampleFile>,
    skipped: Vec<SampleSkipped>,
    failed: Vec<SampleFailed>,
}

#[derive(Deserialize)]
struct SampleFile {
    file: String,
    triangles: usize,
    vertices: usize,
    bones: usize,
    size: f32,
    hidden_bones: Vec<String>,
    missing_clips: Vec<String>,
    clips: Vec<PlayedClip>,
    events: Vec<SampleEvent>,
}

#[derive(Deserialize)]
struct SampleEvent {
    event: Value,
    status: String,
    reason: Option<String>,
    why_worse: Option<String>,
    hint: Option<String>,
    command: String,
    picture: bool,
}

#[derive(Deserialize)]
struct SampleSkipped {
    file: String,
    remark: String,
}

#[derive(Deserialize)]
struct SampleFailed {
    file: String,
    error: String,
}

/// All of the sample.
pub fn report() -> Report {
    report_of(|_| true)
}

/// Those files of the sample whose number is wanted; what was skipped and failed only with all of them.
pub fn report_of(is_wanted: impl Fn(usize) -> bool) -> Report {
    let sample: Sample = serde_json::from_str(include_str!("sample.json")).expect("the sample is valid");
    let all = sample.files.len();
    let files: Vec<FileReport> = sample
        .files
        .into_iter()
        .enumerate()
        .filter(|(number, _)| is_wanted(*number))
        .map(|(_, file)| file.report())
        .collect();
    let is_whole = files.len() == all;
    let skipped = sample.skipped.into_iter().map(|s| SkippedFile { file: s.file, remark: s.remark });
    let failed = sample.failed.into_iter().map(|f| FailedFile { file: f.file, error: f.error });
    of_files(files, skipped.filter(|_| is_whole).collect(), failed.filter(|_| is_whole).collect())
}

/// A report of these files, asked for as by default.
pub fn of_files(files: Vec<FileReport>, skipped: Vec<SkippedFile>, failed: Vec<FailedFile>) -> Report {
    let settings = Settings { fps: 30.0, ..super::super::fixture::settings() };
    let totals = Totals::new(&files, &settings);
    Report { schema: SCHEMA, totals, settings, remarks: Vec::new(), files, skipped, failed }
}

impl SampleFile {
    fn report(self) -> FileReport {
        let names = self.hidden_bones.iter().map(String::as_str);
        FileReport {
            short_names: ShortNames::new(names),
            file: self.file,
            triangles: self.triangles,
            vertices: self.vertices,
            bones: self.bones,
            size: self.size,
            hidden_bones: self.hidden_bones,
            bleeding: Vec::new(),
            missing_clips: self.missing_clips,
            clips: self.clips,
            events: self.events.into_iter().map(SampleEvent::report).collect(),
        }
    }
}

impl SampleEvent {
    fn report(mut self) -> EventReport {
        let occurrences = self.event["occurrences"].as_array_mut().expect("a list");
        occurrences.iter_mut().for_each(fill_moments);
        EventReport {
            event: event(self.event),
            status: match self.status.as_str() {
                "accepted" => Status::Accepted,
                "known" => Status::Known,
                "worse" => Status::Worse,
                _ => Status::Open,
            },
            reason: self.reason,
            why_worse: self.why_worse,
            compared: None,
            hint: self.hint,
            command: self.command,
            picture: self.picture.then(picture),
        }
    }
}

/// An event of JSON.
pub fn event(value: Value) -> Event {
    serde_json::from_value(value).expect("an event")
}

/// Deepest in the worst frame, and less before and after it.
pub fn fill_moments(occurrence: &mut Value) {
    let number = |key: &str| occurrence[key].as_f64().expect("a number");
    let [first, last, worst, depth] = ["first_frame", "last_frame", "worst_frame", "depth"].map(number);
    let moments: Vec<Value> = (first as usize..=last as usize)
        .map(|frame| {
            let away = (frame as f64 - worst).abs() / (worst - first).max(last - worst).max(1.0);
            json!({ "frame": frame, "pairs": 4, "depth": depth * (1.0 - 0.9 * away) })
        })
        .collect();
    occurrence["moments"] = moments.into();
}

fn picture() -> Picture {
    let canvas = Canvas::new(24, 18).expect("a small canvas");
    Picture { png: canvas.to_png_bytes().expect("a small picture") }
}
