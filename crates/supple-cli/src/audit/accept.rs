//! The list of accepted events: people's decisions, kept beside the models and reviewed like them.
//!
//! In: a list as JSON (docs/audit.md describes it), and what was found. Out: which events are accepted, and which were but are worse
//! now; the list that would accept everything.
//!
//! Must hold: what a list accepts when it is written, it accepts when it is read. Reasons are never lost, except those of
//! events that were looked for and no longer happen.

use std::path::Path;

use anyhow::Context;
use serde::{Deserialize, Serialize};
use supple_audit::{Class, Event};
use supple_io::read_whole_file;

use super::earlier::{Allowance, Earlier, clips_of, in_clips, is_same_kind, why_worse};
use super::model_path::ModelPath;
use super::report::{FileReport, Report, Settings, Status, title};
use crate::failure::{Blame, Failure, OrBlame};

const SCHEMA: u32 = 1;

/// Depths change a little with every change of a clip; an artist would accept that much without being asked.
const ALLOWANCE: Allowance = Allowance { factor: 1.25, percent: 0.1 };

/// What is written where nobody has given a reason yet; easy to search for.
pub const NO_REASON: &str = "no reason given yet";

/// The whole list.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Contents {
    schema: u32,
    accepted: Vec<Entry>,
}

/// One accepted event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The end of a model's path.
    pub file: String,
    /// The id.
    pub event: String,
    pub class: Class,
    /// In these clips; in all if empty.
    #[serde(default)]
    pub clips: Vec<String>,
    /// How deep it was, in percent of the size.
    pub depth_percent: f32,
    pub reason: String,
}

/// A list that has been read, and where relative names begin.
#[derive(Debug)]
pub struct AcceptList<'f> {
    entries: Vec<(ModelPath, Entry)>,
    folder: &'f Path,
}

impl<'f> AcceptList<'f> {
    /// Without entries.
    pub fn empty(folder: &'f Path) -> Self {
        Self { entries: Vec::new(), folder }
    }

    /// Reads a list.
    pub fn read(path: &Path, folder: &'f Path) -> Result<Self, Failure> {
        let name = path.display();
        let bytes =
            read_whole_file(path).with_context(|| format!("--accept {name}")).or_blame(Blame::Input)?;
        Self::parse(&bytes, folder)
            .map_err(|why| Failure::new(Blame::Input, why).at(format!("--accept {name}")))
    }

    fn parse(bytes: &[u8], folder: &'f Path) -> anyhow::Result<Self> {
        let contents: Contents =
            serde_json::from_slice(bytes).context("this is no list of accepted events")?;
        anyhow::ensure!(
            contents.schema == SCHEMA,
            "the list has schema {}, this version of supple knows {SCHEMA}",
            contents.schema
        );
        let mut entries: Vec<(ModelPath, Entry)> = Vec::new();
        for (index, entry) in contents.accepted.into_iter().enumerate() {
            let path = ModelPath::written(&entry.file);
            let place = format!("entry {} ({:?}, {:?})", index + 1, entry.file, entry.event);
            anyhow::ensure!(!path.is_empty(), "{place}: the file is empty");
            anyhow::ensure!(!entry.event.is_empty(), "{place}: the event is empty");
            let depth = entry.depth_percent;
            anyhow::ensure!(
                depth.is_finite() && depth >= 0.0,
                "{place}: the depth is {depth}, expected 0 or more"
            );
            let is_reason = !entry.reason.trim().is_empty();
            anyhow::ensure!(is_reason, "{place}: the reason is empty; say why this is accepted");
            let is_same =
                |(p, e): &(ModelPath, Entry)| *p == path && e.event == entry.event && e.class == entry.class;
            if let Some(other) = entries.iter().position(is_same) {
                anyhow::bail!(
                    "{place}: the same file, event and class as entry {}; make them one",
                    other + 1
                );
            }
            entries.push((path, entry));
        }
        Ok(Self { entries, folder })
    }

    /// Decides which events of these files are accepted.
    pub fn judge(&self, files: &mut [FileReport]) {
        for file in files {
            let path = ModelPath::absolute(&file.file, self.folder);
            let clips: Vec<_> = file.events.iter().map(|e| in_clips(&e.event, file)).collect();
            for (report, clips) in file.events.iter_mut().zip(&clips) {
                let Some(number) = self.entry_of(&path, &report.event) else { continue };
                let entry = &self.entries[number].1;
                let was = Earlier {
                    class: entry.class,
                    depth_percent: entry.depth_percent,
                    clips: (!entry.clips.is_empty()).then_some(&entry.clips),
                };
                report.reason = Some(entry.reason.clone());
                report.why_worse = why_worse(was, &report.event, clips, ALLOWANCE, "when it was accepted");
                report.status = if report.why_worse.is_some() { Status::Worse } else { Status::Accepted };
            }
        }
    }

    /// Entries that happened when they were accepted, were looked for, and are no longer there.
    pub fn no_longer_happen(&self, files: &[FileReport], settings: &Settings) -> Vec<&Entry> {
        let is_over = self.are_over(files, settings);
        self.entries
            .iter()
            .zip(is_over)
            .filter(|(_, is_over)| *is_over)
            .map(|((_, entry), _)| entry)
            .collect()
    }

    /// Of a part of a model nobody knows what happens elsewhere; of a part of the clips neither.
    fn are_over(&self, files: &[FileReport], settings: &Settings) -> Vec<bool> {
        let is_part = settings.part.is_some()
            || !settings.without.is_empty()
            || settings.between.is_some()
            || settings.against.is_some()
            || !settings.events.is_empty()
            || !settings.bones.is_empty();
        let (mut is_looked_for, mut happens) =
            (vec![false; self.entries.len()], vec![false; self.entries.len()]);
        for file in files {
            let path = ModelPath::absolute(&file.file, self.folder);
            let played: Vec<String> = file.clips.iter().map(title).collect();
            for (number, (end, entry)) in self.entries.iter().enumerate() {
                let all_clips =
                    !entry.clips.is_empty() && entry.clips.iter().all(|clip| played.contains(clip));
                let is_asked = path.ends_with(end) && (settings.clips.is_empty() || all_clips);
                is_looked_for[number] |= is_asked && !is_part;
            }
            for report in &file.events {
                self.entry_of(&path, &report.event).into_iter().for_each(|number| happens[number] = true);
            }
        }
        is_looked_for.iter().zip(happens).map(|(looked, happens)| *looked && !happens).collect()
    }

    /// The entry that speaks of an event: the one with the longest path, then the one of the same class.
    fn entry_of(&self, path: &ModelPath, event: &Event) -> Option<usize> {
        let speaks = |(end, entry): &(ModelPath, Entry)| {
            entry.event == event.id && is_same_kind(entry.class, event.class) && path.ends_with(end)
        };
        let speaking = self.entries.iter().enumerate().filter(|(_, entry)| speaks(entry));
        let best = speaking.max_by_key(|(_, (end, entry))| (end.len(), entry.class == event.class));
        best.map(|(number, _)| number)
    }

    /// The list that accepts what would fail now, too. Entries stay as they are while they hold, and those of files and clips that
    /// were not looked at stay in any case. `list_folder` is where the list will be: names begin there.
    pub fn updated(&self, report: &Report, list_folder: &Path) -> Vec<Entry> {
        let mut kept: Vec<Entry> = self.entries.iter().map(|(_, entry)| entry.clone()).collect();
        let mut new: Vec<Entry> = Vec::new();
        for file in &report.files {
            let path = ModelPath::absolute(&file.file, self.folder);
            for failing in file.events.iter().filter(|event| event.fails(&report.settings)) {
                let event = &failing.event;
                let clips = clips_of(event, file);
                if let Some(number) = self.entry_of(&path, event) {
                    kept[number].raise(event, clips);
                    continue;
                }
                let name = path.below([list_folder, self.folder]);
                let is_same = |entry: &&mut Entry| {
                    entry.file == name && entry.event == event.id && entry.class == event.class
                };
                match new.iter_mut().find(is_same) {
                    Some(entry) => entry.raise(event, clips),
                    None => new.push(Entry {
                        file: name,
                        event: event.id.clone(),
                        class: event.class,
                        clips,
                        depth_percent: rounded_up(event.depth_percent),
                        reason: NO_REASON.to_owned(),
                    }),
                }
            }
        }
        let is_over = self.are_over(&report.files, &report.settings);
        let kept = kept.into_iter().zip(is_over).filter(|(_, is_over)| !is_over).map(|(entry, _)| entry);
        let mut entries: Vec<Entry> = kept.chain(new).collect();
        entries.sort_by(|a, b| (&a.file, &a.event, a.class).cmp(&(&b.file, &b.event, b.class)));
        entries
    }
}

impl Entry {
    /// Accepts an event that is worse.
    fn raise(&mut self, event: &Event, clips: Vec<String>) {
        self.class = self.class.min(event.class);
        self.depth_percent = self.depth_percent.max(rounded_up(event.depth_percent));
        if !self.clips.is_empty() {
            let new: Vec<String> = clips.into_iter().filter(|clip| !self.clips.contains(clip)).collect();
            self.clips.extend(new);
        }
    }
}

/// With two digits behind the point, for people who read the list.
fn rounded_up(percent: f32) -> f32 {
    (100.0 * percent).ceil() / 100.0
}

/// A list as it is written.
pub fn json(entries: Vec<Entry>) -> Result<String, Failure> {
    let contents = Contents { schema: SCHEMA, accepted: entries };
    Ok(serde_json::to_string_pretty(&contents).or_blame(Blame::Output)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file, report, settings};

    const HERE: &str = "/art";

    fn here() -> &'static Path {
        Path::new(HERE)
    }

    fn entry(file: &str, event: &str, depth_percent: f32, clips: &[&str]) -> Entry {
        let clips = clips.iter().map(|&clip| clip.to_owned()).collect();
        let (file, event) = (file.to_owned(), event.to_owned());
        Entry { file, event, class: Class::Fault, clips, depth_percent, reason: "cape".to_owned() }
    }

    fn list(entries: &[Entry]) -> AcceptList<'static> {
        AcceptList::parse(json(entries.to_vec()).unwrap().as_bytes(), here()).unwrap()
    }

    fn hero(depth_percent: f32, clips: &[usize]) -> FileReport {
        file("a/hero.glb", &["walk", "run"], vec![event("hand/thigh", Class::Fault, depth_percent, clips)])
    }

    /// The status of the hero's only event.
    fn judged(entries: &[Entry], hero: FileReport) -> (Status, Option<String>) {
        let mut files = [hero];
        list(entries).judge(&mut files);
        let [FileReport { events, .. }] = files;
        (events[0].status, events[0].why_worse.clone())
    }

    #[test]
    fn accepted_until_it_is_deeper_or_elsewhere() {
        let walk = [entry("hero.glb", "hand/thigh", 2.0, &["walk"])];
        assert_eq!(judged(&walk, hero(2.6, &[0])), (Status::Accepted, None)); // 1.25 x 2 + 0.1
        let (status, why) = judged(&walk, hero(2.61, &[0]));
        assert_eq!(
            (status, why.unwrap().as_str()),
            (Status::Worse, "2.6 % of the size deep now, 2.0 % when it was accepted")
        );
        let (status, why) = judged(&walk, hero(1.0, &[0, 1]));
        assert_eq!(status, Status::Worse);
        assert_eq!(why.unwrap(), "also in \"run\", which it was not when it was accepted");
        let anywhere = [entry("a/hero.glb", "hand/thigh", 2.0, &[])];
        assert_eq!(judged(&anywhere, hero(1.0, &[0, 1])).0, Status::Accepted);
    }

    #[test]
    fn other_files_events_and_kinds_are_not_meant() {
        for other in [
            entry("b/hero.glb", "hand/thigh", 9.0, &[]),
            entry("ero.glb", "hand/thigh", 9.0, &[]),
            entry("hero.glb", "hand/hip", 9.0, &[]),
            Entry { class: Class::Crease, ..entry("hero.glb", "hand/thigh", 9.0, &[]) },
        ] {
            assert_eq!(judged(&[other], hero(1.0, &[0])).0, Status::Open);
        }
        let graze = Entry { class: Class::Graze, ..entry("hero.glb", "hand/thigh", 9.0, &[]) };
        assert_eq!(judged(&[graze], hero(1.0, &[0])).0, Status::Worse);
    }

    #[test]
    fn the_longest_path_decides() {
        let all = entry("hero.glb", "hand/thigh", 9.0, &[]);
        let one = entry("a/hero.glb", "hand/thigh", 1.0, &[]);
        for entries in [[all.clone(), one.clone()], [one, all]] {
            assert_eq!(judged(&entries, hero(5.0, &[0])).0, Status::Worse);
        }
    }

    #[test]
    fn what_is_written_is_accepted_and_keeps_its_reasons() {
        let files = || {
            vec![
                file(
                    "a/hero.glb",
                    &["walk", "run"],
                    vec![
                        event("hand/thigh", Class::Fault, 3.24159, &[0, 1]),
                        event("foot/foot", Class::Fault, 1.0, &[1]),
                        event("eye/head", Class::Layered, 1.0, &[0]),
                    ],
                ),
                file("zoo:man", &["random"], vec![event("hand/head", Class::Fault, 0.3333, &[0])]),
            ]
        };
        let before = list(&[
            entry("hero.glb", "hand/thigh", 1.0, &["walk"]), // worse now
            entry("hero.glb", "foot/foot", 1.0, &[]),        // holds
            entry("hero.glb", "gone/gone", 1.0, &[]),
            entry("villain.glb", "hand/thigh", 1.0, &[]), // not looked at
        ]);
        let mut found = report(files());
        before.judge(&mut found.files);
        let entries = before.updated(&found, here());
        let words: Vec<String> =
            entries.iter().map(|e| format!("{} {} {}", e.file, e.event, e.reason)).collect();
        assert_eq!(
            words,
            [
                "hero.glb foot/foot cape",
                "hero.glb hand/thigh cape",
                "villain.glb hand/thigh cape",
                "zoo:man hand/head no reason given yet"
            ]
        );
        assert_eq!(
            (entries[1].depth_percent, entries[1].clips.len(), entries[0].depth_percent),
            (3.25, 2, 1.0)
        );

        let after = list(&entries);
        let mut again = report(files());
        after.judge(&mut again.files);
        let failing = again.files.iter().flat_map(|file| &file.events).filter(|e| e.fails(&again.settings));
        assert_eq!(failing.count(), 0);
        assert_eq!(after.updated(&again, here()), entries, "a second time changes nothing");
    }

    #[test]
    fn only_what_was_looked_for_can_be_over() {
        let entries =
            [entry("hero.glb", "gone/gone", 1.0, &["walk"]), entry("hero.glb", "away/away", 1.0, &[])];
        let over = |settings: &Settings| {
            let list = list(&entries);
            let over = list.no_longer_happen(&[hero(1.0, &[0])], settings);
            over.iter().map(|entry| entry.event.clone()).collect::<Vec<_>>()
        };
        assert_eq!(over(&settings()), ["gone/gone", "away/away"]);
        let clip = Settings { clips: vec!["walk".to_owned()], ..settings() };
        assert_eq!(over(&clip), ["gone/gone"]);
        let part = Settings { between: Some("body,shirt".to_owned()), ..settings() };
        assert!(over(&part).is_empty());
        let event = Settings { events: vec!["hand/thigh".to_owned()], ..settings() };
        assert!(over(&event).is_empty());
    }

    #[test]
    fn names_begin_where_the_list_is() {
        let found = report(vec![hero(1.0, &[0])]);
        let written =
            |folder: &str| AcceptList::empty(here()).updated(&found, Path::new(folder))[0].file.clone();
        assert_eq!(written("/art"), "a/hero.glb");
        assert_eq!(written("/art/a"), "hero.glb");
        assert_eq!(written("/lists"), "a/hero.glb"); // from the current folder on
    }

    #[test]
    fn bad_lists_are_refused_with_a_place() {
        let good =
            r#"{"file": "hero.glb", "event": "a/b", "class": "fault", "depth_percent": 1, "reason": "cape"}"#;
        let refused = |entries: &str| {
            let text = format!("{{\"schema\": 1, \"accepted\": [\n{entries}\n]}}");
            format!("{:#}", AcceptList::parse(text.as_bytes(), here()).unwrap_err())
        };
        let text = format!("{{\"schema\": 1, \"accepted\": [{good}]}}");
        assert_eq!(AcceptList::parse(text.as_bytes(), here()).unwrap().entries[0].1.clips.len(), 0);
        for (entries, message) in [
            (good.replace("reason", "reasn"), "unknown field `reasn`"),
            (good.replace("fault", "bad"), "unknown variant `bad`"),
            (good.replace("\"cape\"", "7"), "expected a string at line 2"),
            (good.replace(": 1,", ": -1,"), "entry 1 (\"hero.glb\", \"a/b\"): the depth is -1"),
            (good.replace(": 1,", ": 1e400,"), "number out of range at line 2"),
            (good.replace("cape", " "), "the reason is empty"),
            (good.replace("hero.glb", "./"), "the file is empty"),
            (good.replace("a/b", ""), "the event is empty"),
            (
                format!("{good}, {}", good.replace("hero", "./hero")),
                "entry 2 (\"./hero.glb\", \"a/b\"): the same file",
            ),
            (good.replace('}', ""), "line 3"),
        ] {
            assert!(refused(&entries).contains(message), "{message}: {}", refused(&entries));
        }
        let parse = |text: &[u8]| format!("{:#}", AcceptList::parse(text, here()).unwrap_err());
        assert!(parse(b"{\"schema\": 7, \"accepted\": []}").contains("schema 7"));
        for text in [&b"\xff\xfe"[..], b"", b"[]", b"{\"schema\": 1}", "[".repeat(100_000).as_bytes()] {
            assert!(parse(text).starts_with("this is no list of accepted events"));
        }
    }
}
