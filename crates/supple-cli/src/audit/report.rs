//! Everything `audit` has to say, as plain data: the JSON is this, all other outputs are made from this.

use serde::Serialize;
use supple_audit::{Class, Event, LeftOut, LeftOutPairs, PlayedClip};

use super::bleeding::{self, BleedingWeight};
use super::picture::Picture;
use crate::short_names::ShortNames;
use crate::table::{counted, grouped};

/// Raised whenever a reader of the JSON would have to change.
pub const SCHEMA: u32 = 2;

/// All files.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    pub schema: u32,
    pub settings: Settings,
    pub totals: Totals,
    /// What else is to be said of all of it.
    pub remarks: Vec<String>,
    pub files: Vec<FileReport>,
    pub skipped: Vec<SkippedFile>,
    pub failed: Vec<FailedFile>,
}

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    pub fps: f32,
    pub skinning: &'static str,
    pub clips: Vec<String>,
    pub part: Option<String>,
    pub without: Vec<String>,
    pub scene: Option<String>,
    pub events: Vec<String>,
    pub bones: Vec<String>,
    pub bones_apart: u32,
    pub between: Option<String>,
    pub against: Option<String>,
    pub attach: Option<String>,
    pub offset: Option<[f64; 3]>,
    pub turn: Option<[f64; 3]>,
    pub scale: Option<f32>,
    /// As the user wrote it: `0.25%`.
    pub min_depth: String,
    pub min_frames: usize,
    /// Classes that are shown and that fail.
    pub classes: Vec<Class>,
    pub accept: Option<String>,
    pub baseline: Option<String>,
}

/// Sums over all files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    pub files: usize,
    pub clips: usize,
    pub frames: usize,
    /// Events by class.
    pub fault: usize,
    pub hidden: usize,
    pub graze: usize,
    pub crease: usize,
    pub layered: usize,
    /// Events of the classes that fail, by what was decided of them.
    pub failing: usize,
    pub accepted: usize,
    pub known: usize,
    pub worse: usize,
}

/// A file that has none of the clips that were asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkippedFile {
    pub file: String,
    pub remark: String,
}

/// A file that could not be audited.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailedFile {
    pub file: String,
    pub error: String,
}

/// One file.
#[derive(Clone, Debug, Serialize)]
pub struct FileReport {
    pub file: String,
    pub triangles: usize,
    pub vertices: usize,
    pub bones: usize,
    /// The longest side of a box around the rest pose.
    pub size: f32,
    /// Bones that are scaled to almost nothing in some frame.
    pub hidden_bones: Vec<String>,
    /// Clips that were asked for and are not there.
    pub missing_clips: Vec<String>,
    pub clips: Vec<PlayedClip>,
    /// Vertices that follow a bone of another limb, the largest weight first; looked for with the hints.
    pub bleeding: Vec<BleedingWeight>,
    /// Faults first, the most severe first in each class.
    pub events: Vec<EventReport>,
    /// For text and page.
    #[serde(skip)]
    pub short_names: ShortNames,
}

/// An event, and what is to be done about it.
#[derive(Clone, Debug, Serialize)]
pub struct EventReport {
    #[serde(flatten)]
    pub event: Event,
    pub status: Status,
    /// Why it was accepted, even if it is worse now.
    pub reason: Option<String>,
    /// Why it is worse than what was accepted or known.
    pub why_worse: Option<String>,
    /// Against the earlier audit, whatever was accepted; none without one.
    pub compared: Option<Compared>,
    /// Which bone to turn, in words; none where it was not searched.
    pub hint: Option<String>,
    /// What shows the worst frame.
    pub command: String,
    /// Drawn only for a page, of events that are shown.
    #[serde(skip)]
    pub picture: Option<Picture>,
}

/// What was decided of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Nothing: it fails, if its class does.
    Open,
    /// The list of accepted events has it.
    Accepted,
    /// The earlier audit has it.
    Known,
    /// It was accepted or known, but is deeper now, or in other clips.
    Worse,
}

/// What an earlier audit says of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// It was not there.
    New,
    /// It was there, and is not worse.
    Same,
    /// It was there, but is deeper now, in other clips, or of a worse class.
    Worse,
}

impl EventReport {
    /// Whether the audit fails because of it.
    pub fn fails(&self, settings: &Settings) -> bool {
        settings.classes.contains(&self.event.class) && matches!(self.status, Status::Open | Status::Worse)
    }
}

impl FileReport {
    /// What else is to be said of the file.
    pub fn remarks(&self) -> Vec<String> {
        let missing = (!self.missing_clips.is_empty()).then(|| has_no_clip(&self.missing_clips));
        let hidden = (!self.hidden_bones.is_empty()).then(|| {
            let bones: Vec<&str> = self.hidden_bones.iter().map(|bone| self.short_names.cut(bone)).collect();
            format!("scaled to almost nothing in some frames, and left out there: {}", bones.join(", "))
        });
        missing.into_iter().chain(hidden).chain(bleeding::words(self)).collect()
    }
}

/// What intersects and is in no event: `312 triangle pairs of near bones, 88 between bones that were not asked for`. Empty where that is nothing.
pub fn left_out_words(left_out: &LeftOut, frames: usize) -> String {
    let reasons: [(LeftOutPairs, &str); 4] = [
        (left_out.other_meshes, "not between the meshes that were asked for"),
        (left_out.other_bones, "between bones that were not asked for"),
        (left_out.near_bones, "of bones that are near each other"),
        (left_out.hidden_bones, "of bones that are scaled to almost nothing"),
    ];
    let mut words: Vec<String> = Vec::new();
    for (pairs, which) in reasons.iter().filter(|(pairs, _)| pairs.frames > 0) {
        let up_to = if frames > 1 { "up to " } else { "" };
        let count = if words.is_empty() {
            counted(pairs.most_pairs, "triangle pair")
        } else {
            grouped(pairs.most_pairs)
        };
        words.push(format!("{up_to}{count} {which}"));
    }
    words.join(", ")
}

/// The name of a clip as people read it.
pub fn title(clip: &PlayedClip) -> String {
    match clip.number {
        None => "rest pose".to_owned(),
        Some(number) if clip.name.is_empty() => format!("clip {number}"),
        Some(_) => clip.name.clone(),
    }
}

/// `has no clip "walk" or "run"`
pub fn has_no_clip(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    format!("has no clip {}", quoted.join(" or "))
}

impl Report {
    /// How many files there are of all kinds.
    pub fn all_files(&self) -> usize {
        self.files.len() + self.skipped.len() + self.failed.len()
    }
}

impl Totals {
    /// Adds up.
    pub fn new(files: &[FileReport], settings: &Settings) -> Self {
        let mut totals = Self { files: files.len(), ..Self::default() };
        for clip in files.iter().flat_map(|file| &file.clips) {
            totals.clips += usize::from(clip.number.is_some());
            totals.frames += clip.frames;
        }
        for report in files.iter().flat_map(|file| &file.events) {
            *totals.of_mut(report.event.class) += 1;
            if settings.classes.contains(&report.event.class) {
                totals.failing += usize::from(report.fails(settings));
                totals.accepted += usize::from(report.status == Status::Accepted);
                totals.known += usize::from(report.status == Status::Known);
                totals.worse += usize::from(report.status == Status::Worse);
            }
        }
        totals
    }

    /// How many events there are of a class.
    pub fn of(&self, class: Class) -> usize {
        *self.clone().of_mut(class)
    }

    fn of_mut(&mut self, class: Class) -> &mut usize {
        match class {
            Class::Fault => &mut self.fault,
            Class::Hidden => &mut self.hidden,
            Class::Graze => &mut self.graze,
            Class::Crease => &mut self.crease,
            _ => &mut self.layered,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_said_with_its_reason() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out_words(&left_out, 9), "");
        (left_out.other_bones.frames, left_out.other_bones.most_pairs) = (3, 1312);
        assert_eq!(
            left_out_words(&left_out, 1),
            "1,312 triangle pairs between bones that were not asked for"
        );
        (left_out.near_bones.frames, left_out.near_bones.most_pairs) = (1, 1);
        let words = "up to 1,312 triangle pairs between bones that were not asked for, \
                     up to 1 of bones that are near each other";
        assert_eq!(left_out_words(&left_out, 9), words);
    }
}
