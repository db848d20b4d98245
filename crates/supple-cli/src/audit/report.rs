//! Everything `audit` has to say, as plain data: the JSON is this, text and page are made from this.

use serde::Serialize;
use supple_audit::{Audit, Findings};

use super::pictures::Pictures;

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
    /// What the names of all bones begin with.
    #[serde(skip)]
    pub bone_prefix: String,
    /// Drawn only for a page.
    #[serde(skip)]
    pub pictures: Pictures,
}

impl FileReport {
    /// What a reader would take for a clean bill of health and is none.
    pub fn remarks(&self, settings: &Settings) -> Vec<String> {
        let one_bone =
            "there is only one bone, and pairs of one bone are left out: see --skip-same-bone=false";
        let one_bone = (self.audit.bones == 1 && settings.skip_same_bone).then(|| one_bone.to_owned());
        let missing = (!self.missing_clips.is_empty()).then(|| has_no_clip(&self.missing_clips));
        one_bone.into_iter().chain(missing).collect()
    }
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
        }
        totals
    }
}
