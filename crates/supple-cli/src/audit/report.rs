//! Everything `audit` has to say, as plain data: the JSON is this, text and page are made from this.

use serde::Serialize;
use supple_audit::{Audit, Findings, LeftOut, LeftOutPairs, Verdict};

use super::pictures::Pictures;
use crate::short_names::ShortNames;
use crate::table::{counted, grouped};

/// All files.
#[derive(Debug, Serialize)]
pub struct Report {
    pub settings: Settings,
    pub totals: Totals,
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
    pub bones: Vec<String>,
    pub rings: u32,
    pub skip_same_bone: bool,
    pub skip_parent_child: bool,
    pub ignore_rest: bool,
    pub max_pairs: Option<usize>,
}

/// Sums over all files.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Totals {
    pub files: usize,
    pub clips: usize,
    pub frames: usize,
    pub frames_with_pairs: usize,
    /// Clips with a frame that has more pairs than allowed.
    pub clips_over_limit: usize,
    /// Clips, or rest poses of files without clips, in which nothing intersects.
    pub clean: usize,
    /// Those in which nothing intersects but what is left out.
    pub clean_except_left_out: usize,
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
#[derive(Debug, Serialize)]
pub struct FileReport {
    pub file: String,
    #[serde(flatten)]
    pub audit: Audit,
    /// Clips that were asked for and are not there.
    pub missing_clips: Vec<String>,
    /// For text and page.
    #[serde(skip)]
    pub short_names: ShortNames,
    /// Drawn only for a page.
    #[serde(skip)]
    pub pictures: Pictures,
}

impl FileReport {
    /// What else is to be said of the file.
    pub fn remarks(&self) -> Vec<String> {
        let missing = (!self.missing_clips.is_empty()).then(|| has_no_clip(&self.missing_clips));
        missing.into_iter().collect()
    }
}

/// What intersects and is not reported: `312 triangle pairs within one bone, 88 between a bone and its parent`. Empty where that is nothing.
pub fn left_out_words(left_out: &LeftOut, frames: usize) -> String {
    let reasons: [(LeftOutPairs, &str); 5] = [
        (left_out.other_bones, "between bones that were not asked for"),
        (left_out.same_bone, "within one bone"),
        (left_out.parent_child, "between a bone and its parent"),
        (left_out.rings, "close to each other on the surface"),
        (left_out.rest, "that intersect in the rest pose"),
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
pub fn title(findings: &Findings) -> String {
    match findings.clip {
        None => "rest pose".to_owned(),
        Some(number) if findings.name.is_empty() => format!("clip {number}"),
        Some(_) => findings.name.clone(),
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
        for clip in files.iter().flat_map(|file| file.audit.played()) {
            totals.clips += usize::from(clip.clip.is_some());
            totals.frames += clip.frames;
            // With --ignore-rest there is nothing to find in the rest pose.
            let counts = clip.clip.is_some() || !settings.ignore_rest;
            totals.frames_with_pairs += if counts { clip.frames_with_pairs } else { 0 };
            totals.clips_over_limit += usize::from(clip.over_limit);
            totals.clean += usize::from(clip.verdict == Verdict::Clean);
            totals.clean_except_left_out += usize::from(clip.verdict == Verdict::CleanExceptLeftOut);
        }
        totals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_out_is_said_with_its_reason() {
        let mut left_out = LeftOut::default();
        assert_eq!(left_out_words(&left_out, 9), "");
        (left_out.same_bone.frames, left_out.same_bone.most_pairs) = (3, 1312);
        assert_eq!(left_out_words(&left_out, 1), "1,312 triangle pairs within one bone");
        (left_out.parent_child.frames, left_out.parent_child.most_pairs) = (1, 1);
        let words = "up to 1,312 triangle pairs within one bone, up to 1 between a bone and its parent";
        assert_eq!(left_out_words(&left_out, 9), words);
    }
}
