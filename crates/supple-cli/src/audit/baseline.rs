//! An earlier audit, so that only what is new or got worse fails.
//!
//! In: the JSON of an earlier audit, and what was found now. Out: which events are known, and in what they are worse.
//! Must hold: an audit compared with its own JSON has nothing that fails.

use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use supple_audit::{Class, Event, PlayedClip};
use supple_io::read_whole_file;

use super::earlier::{Allowance, Earlier, in_clips, is_same_kind, why_worse};
use super::model_path::ModelPath;
use super::report::{Compared, FileReport, SCHEMA, Settings, Status, title};
use crate::failure::{Blame, Failure, OrBlame};

/// Numbers of two audits differ a little after every export.
const ALLOWANCE: Allowance = Allowance { factor: 1.1, percent: 0.05 };

/// Settings that change what is found, or what its class is.
const COMPARED: [&str; 16] = [
    "fps",
    "skinning",
    "part",
    "without",
    "scene",
    "events",
    "bones",
    "bones_apart",
    "between",
    "against",
    "attach",
    "offset",
    "turn",
    "scale",
    "min_depth",
    "min_frames",
];

/// An earlier audit.
#[derive(Debug)]
pub struct Baseline {
    settings: Value,
    files: Vec<EarlierFile>,
}

#[derive(Debug)]
struct EarlierFile {
    path: ModelPath,
    events: Vec<EarlierEvent>,
}

#[derive(Debug)]
struct EarlierEvent {
    id: String,
    class: Class,
    depth_percent: f32,
    clips: Vec<String>,
}

/// What is needed of the JSON; hours of animation have a hundred times as much.
#[derive(Deserialize)]
struct Written {
    settings: Value,
    files: Vec<WrittenFile>,
}

#[derive(Deserialize)]
struct WrittenFile {
    file: String,
    clips: Vec<PlayedClip>,
    events: Vec<WrittenEvent>,
}

#[derive(Deserialize)]
struct WrittenEvent {
    id: String,
    class: Class,
    depth_percent: f32,
    occurrences: Vec<WrittenOccurrence>,
}

#[derive(Deserialize)]
struct WrittenOccurrence {
    clip: usize,
}

/// What tells an audit from other JSON.
#[derive(Deserialize)]
struct Head {
    schema: Option<Value>,
    accepted: Option<Value>,
}

impl Baseline {
    /// Reads the JSON of an earlier audit; its relative names begin in `folder`.
    pub fn read(path: &Path, folder: &Path) -> Result<Self, Failure> {
        let name = path.display();
        let bytes =
            read_whole_file(path).with_context(|| format!("--baseline {name}")).or_blame(Blame::Input)?;
        Self::parse(&bytes, folder)
            .map_err(|why| Failure::new(Blame::Input, why).at(format!("--baseline {name}")))
    }

    fn parse(bytes: &[u8], folder: &Path) -> anyhow::Result<Self> {
        const NO_AUDIT: &str = "this is not the JSON of an audit";
        let head: Head = serde_json::from_slice(bytes).context(NO_AUDIT)?;
        match head.schema.as_ref().map(Value::as_u64) {
            _ if head.accepted.is_some() => {
                bail!("{NO_AUDIT}: it is a list of accepted events, for --accept")
            }
            Some(Some(schema)) if schema == u64::from(SCHEMA) => {}
            Some(Some(schema)) => {
                bail!(
                    "the audit has schema {schema}, this version of supple knows {SCHEMA}; write it again with --json"
                )
            }
            _ => bail!("{NO_AUDIT}: it has no \"schema\""),
        }
        let written: Written = serde_json::from_slice(bytes).context(NO_AUDIT)?;
        ensure!(written.settings.is_object(), "{NO_AUDIT}: its settings are none");
        let files = written.files.into_iter().map(|file| EarlierFile::new(file, folder));
        Ok(Self { settings: written.settings, files: files.collect::<anyhow::Result<_>>()? })
    }

    /// Compares events with the earlier ones; those that are not accepted get their status from it.
    pub fn judge(&self, files: &mut [FileReport], folder: &Path) {
        let partners = self.partners(files, folder);
        for (file, partner) in files.iter_mut().zip(partners) {
            let clips: Vec<_> = file.events.iter().map(|e| in_clips(&e.event, file)).collect();
            for (report, clips) in file.events.iter_mut().zip(&clips) {
                let Some(was) = partner.and_then(|partner| partner.find(&report.event)) else {
                    report.compared = Some(Compared::New);
                    continue;
                };
                let earlier =
                    Earlier { class: was.class, depth_percent: was.depth_percent, clips: Some(&was.clips) };
                let why = why_worse(earlier, &report.event, clips, ALLOWANCE, "in the earlier audit");
                report.compared = Some(if why.is_some() { Compared::Worse } else { Compared::Same });
                if report.status != Status::Accepted {
                    report.status = if why.is_some() { Status::Worse } else { Status::Known };
                    report.why_worse = why;
                }
            }
        }
    }

    /// The earlier file for each of the files: that of the same path; of the others that with the longest common end of the path, at
    /// least its name, if that is clear from both sides. So another machine, or a folder that has moved, does not matter, and a new
    /// file beside one of the same name is new.
    fn partners(&self, files: &[FileReport], folder: &Path) -> Vec<Option<&EarlierFile>> {
        let paths: Vec<ModelPath> =
            files.iter().map(|file| ModelPath::absolute(&file.file, folder)).collect();
        let same = |path: &ModelPath| self.files.iter().position(|earlier| earlier.path == *path);
        let mut partners: Vec<Option<usize>> = paths.iter().map(same).collect();
        let left: Vec<usize> = (0..paths.len()).filter(|&number| partners[number].is_none()).collect();
        let earlier_left: Vec<usize> =
            (0..self.files.len()).filter(|&number| !partners.contains(&Some(number))).collect();
        let common = |number: usize, earlier: usize| paths[number].common_end(&self.files[earlier].path);
        for &number in &left {
            let best = only_best(&earlier_left, |earlier| common(number, earlier));
            let is_mutual =
                |earlier: &usize| only_best(&left, |other| common(other, *earlier)) == Some(number);
            partners[number] = best.filter(is_mutual);
        }
        partners.into_iter().map(|partner| partner.map(|number| &self.files[number])).collect()
    }

    /// In what the two audits cannot be compared; nothing where they can.
    pub fn other_settings(&self, settings: &Settings) -> anyhow::Result<Option<String>> {
        let now = serde_json::to_value(settings)?;
        let words = |value: &Value| match value {
            Value::Null => "none".to_owned(),
            Value::String(text) => text.clone(),
            other => other.as_f64().map_or_else(|| other.to_string(), |number| number.to_string()),
        };
        // A number may be written in other ways: 30, 30.0.
        let is_same = |a: &Value, b: &Value| a == b || (a.as_f64().is_some() && a.as_f64() == b.as_f64());
        let differ = COMPARED.iter().filter(|&&key| !is_same(&now[key], &self.settings[key]));
        let differ: Vec<String> = differ
            .map(|&key| format!("{key} is {}, was {}", words(&now[key]), words(&self.settings[key])))
            .collect();
        Ok((!differ.is_empty()).then(|| differ.join("; ")))
    }
}

/// The one of the largest value, if it is the only one and the value is not 0.
fn only_best(numbers: &[usize], value: impl Fn(usize) -> usize) -> Option<usize> {
    let best = numbers.iter().map(|&number| value(number)).max().filter(|best| *best > 0)?;
    let mut with_best = numbers.iter().filter(|&&number| value(number) == best);
    let first = with_best.next().copied();
    if with_best.next().is_some() { None } else { first }
}

impl EarlierFile {
    fn new(written: WrittenFile, folder: &Path) -> anyhow::Result<Self> {
        let name = &written.file;
        let names: Vec<String> = written.clips.iter().map(title).collect();
        let event = |event: WrittenEvent| -> anyhow::Result<EarlierEvent> {
            let clip = |occurrence: &WrittenOccurrence| names.get(occurrence.clip).cloned();
            let clips: Option<Vec<String>> = event.occurrences.iter().map(clip).collect();
            let clips =
                clips.with_context(|| format!("{name}: {}: a clip is not in the list of clips", event.id))?;
            Ok(EarlierEvent { id: event.id, class: event.class, depth_percent: event.depth_percent, clips })
        };
        let events = written.events.into_iter().map(event).collect::<anyhow::Result<_>>()?;
        Ok(Self { path: ModelPath::absolute(name, folder), events })
    }

    /// What an event was: that of the same class, or the worst of the same kind.
    fn find(&self, event: &Event) -> Option<&EarlierEvent> {
        let is_it = |was: &&EarlierEvent| was.id == event.id && is_same_kind(was.class, event.class);
        self.events.iter().filter(is_it).min_by_key(|was| (was.class != event.class, was.class))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file, report, settings};

    fn here() -> &'static Path {
        Path::new("/art")
    }

    fn baseline(files: Vec<FileReport>) -> Baseline {
        Baseline::parse(&serde_json::to_vec(&report(files)).unwrap(), here()).unwrap()
    }

    fn hero(depth_percent: f32, clips: &[usize]) -> FileReport {
        file("a/hero.glb", &["walk", "run"], vec![event("hand/thigh", Class::Fault, depth_percent, clips)])
    }

    /// Statuses of all events, file by file.
    fn judged(baseline: &Baseline, mut files: Vec<FileReport>) -> Vec<Status> {
        baseline.judge(&mut files, here());
        files.iter().flat_map(|file| &file.events).map(|event| event.status).collect()
    }

    #[test]
    fn an_audit_knows_itself() {
        let files = || {
            let classes = Class::ALL.into_iter().enumerate();
            let events = classes.map(|(n, class)| event(&format!("{n}/{n}"), class, n as f32 / 3.0, &[0, 1]));
            vec![
                file("a/hero.glb", &["walk", ""], events.collect()),
                file("b/hero.glb", &["run"], vec![event("0/0", Class::Fault, 1.0, &[0])]),
            ]
        };
        assert_eq!(judged(&baseline(files()), files()), [Status::Known; 6]);
        assert_eq!(baseline(files()).other_settings(&settings()).unwrap(), None);
    }

    #[test]
    fn deeper_other_clips_and_other_classes_are_worse() {
        let walk = baseline(vec![hero(2.0, &[0])]);
        assert_eq!(judged(&walk, vec![hero(2.25, &[0])]), [Status::Known]); // 1.1 x 2 + 0.05
        assert_eq!(judged(&walk, vec![hero(2.26, &[0])]), [Status::Worse]);
        assert_eq!(judged(&walk, vec![hero(1.0, &[0, 1])]), [Status::Worse]);
        let with = |class| vec![file("a/hero.glb", &["walk"], vec![event("hand/thigh", class, 2.0, &[0])])];
        assert_eq!(judged(&baseline(with(Class::Graze)), with(Class::Fault)), [Status::Worse]);
        assert_eq!(judged(&baseline(with(Class::Fault)), with(Class::Graze)), [Status::Known]);
        assert_eq!(judged(&baseline(with(Class::Crease)), with(Class::Fault)), [Status::Open]);
        let mut files = vec![hero(2.26, &[0])];
        walk.judge(&mut files, here());
        let [event] = &files[0].events[..] else { panic!() };
        assert_eq!(
            event.why_worse.as_deref(),
            Some("2.3 % of the size deep now, 2.0 % in the earlier audit")
        );
        assert_eq!(event.compared, Some(Compared::Worse));
    }

    #[test]
    fn accepted_events_stay_accepted() {
        let mut files = vec![hero(9.0, &[0])];
        files[0].events[0].status = Status::Accepted;
        baseline(vec![hero(1.0, &[0])]).judge(&mut files, here());
        let event = &files[0].events[0];
        assert_eq!(
            (event.status, event.compared, &event.why_worse),
            (Status::Accepted, Some(Compared::Worse), &None)
        );
    }

    #[test]
    fn files_are_found_by_their_path_and_then_by_its_end() {
        let named = |name: &str| FileReport { file: name.to_owned(), ..hero(1.0, &[0]) };
        let judged = |before: &[&str], now: &[&str]| {
            let files = |names: &[&str]| names.iter().map(|name| named(name)).collect::<Vec<_>>();
            judged(&baseline(files(before)), files(now))
        };
        use Status::{Known, Open};
        assert_eq!(judged(&["a/hero.glb"], &["./a/x/../hero.glb"]), [Known]);
        assert_eq!(judged(&["/build/1/a/hero.glb"], &["/build/2/a/hero.glb"]), [Known]);
        assert_eq!(judged(&["hero.glb"], &["hero2.glb"]), [Open]);
        assert_eq!(judged(&["a/hero.glb"], &["a/hero.glb", "b/hero.glb"]), [Known, Open], "a new file");
        assert_eq!(judged(&["a/hero.glb", "b/hero.glb"], &["c/hero.glb"]), [Open], "nobody knows which");
        assert_eq!(
            judged(&["/1/a/hero.glb", "/1/b/hero.glb"], &["b/hero.glb", "a/hero.glb"]),
            [Known, Known]
        );
        assert_eq!(judged(&["a/hero.glb"], &["b/hero.glb", "c/hero.glb"]), [Open, Open]);
    }

    #[test]
    fn other_settings_are_told() {
        let now = Settings { fps: 5.0, between: Some("body,shirt".to_owned()), ..settings() };
        let words = baseline(vec![]).other_settings(&now).unwrap().unwrap();
        assert_eq!(words, "fps is 5, was 10; between is body,shirt, was none");
    }

    #[test]
    fn other_files_are_refused() {
        let refused = |text: &str| format!("{:#}", Baseline::parse(text.as_bytes(), here()).unwrap_err());
        assert!(refused("").starts_with("this is not the JSON of an audit: EOF"));
        assert!(refused("{}").ends_with("it has no \"schema\""));
        assert!(refused("{\"schema\": \"x\"}").ends_with("it has no \"schema\""));
        assert!(
            refused("{\"schema\": 1, \"files\": []}").contains("schema 1, this version of supple knows 2")
        );
        assert!(refused("{\"schema\": 1, \"accepted\": []}").ends_with("for --accept"));
        assert!(refused("{\"schema\": 2, \"settings\": {}}").contains("missing field `files`"));
        assert!(refused("{\"schema\": 2, \"settings\": 3, \"files\": []}").contains("settings"));
        let mut broken = serde_json::to_value(report(vec![hero(1.0, &[0])])).unwrap();
        broken["files"][0]["events"][0]["occurrences"][0]["clip"] = 7.into();
        assert!(
            refused(&broken.to_string())
                .ends_with("a/hero.glb: hand/thigh: a clip is not in the list of clips")
        );
    }
}
