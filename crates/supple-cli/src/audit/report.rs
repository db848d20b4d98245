//! Everything `audit` has to say, as plain data: the JSON is this, text and page are made from this.

use serde::Serialize;

use super::picture::Picture;

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
    pub triangles: usize,
    pub vertices: usize,
    pub bones: usize,
    /// Of the rest pose, along Y.
    pub height: f32,
    /// The rest pose as a motion of one frame, in which all pairs are at rest.
    pub rest: Motion,
    pub clips: Vec<Motion>,
    /// Clips that were asked for and are not there.
    pub missing_clips: Vec<String>,
    /// What the names of all bones begin with.
    #[serde(skip)]
    pub bone_prefix: String,
}

/// A clip, or the rest pose.
#[derive(Debug, Serialize)]
pub struct Motion {
    pub name: String,
    /// The number of the clip in the file.
    pub clip: Option<usize>,
    pub duration: f64,
    pub frames: usize,
    pub frames_with_pairs: usize,
    /// The frame with the most pairs, and how many it has.
    pub fullest_frame: usize,
    pub most_pairs: usize,
    pub over_limit: bool,
    /// The deepest first.
    pub bone_pairs: Vec<BonePair>,
}

/// Two bones that intersect in some frame.
#[derive(Debug, Serialize)]
pub struct BonePair {
    pub bones: [String; 2],
    pub nodes: [usize; 2],
    pub frames: usize,
    pub first_frame: usize,
    pub last_frame: usize,
    /// Where the depth is largest; of equals where most triangles intersect.
    pub worst_frame: usize,
    /// Most in one frame.
    pub most_new_pairs: usize,
    pub most_rest_pairs: usize,
    pub depth: Option<f32>,
    pub depth_percent: Option<f32>,
    /// In the worst frame.
    pub worst_triangles: Vec<[u32; 2]>,
    pub timeline: Vec<Moment>,
    #[serde(skip)]
    pub picture: Option<Picture>,
}

/// Two bones in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Moment {
    pub frame: usize,
    /// Pairs of triangles that do not intersect in the rest pose.
    pub new_pairs: usize,
    /// Those that do.
    pub rest_pairs: usize,
    pub depth: Option<f32>,
}

impl FileReport {
    /// What was played: the clips, or the rest pose where there are none.
    pub fn motions(&self) -> &[Motion] {
        if self.clips.is_empty() { std::slice::from_ref(&self.rest) } else { &self.clips }
    }

    /// What a reader would take for a clean bill of health and is none.
    pub fn remarks(&self, settings: &Settings) -> Vec<String> {
        let one_bone =
            "there is only one bone, and pairs of one bone are left out: see --skip-same-bone=false";
        let one_bone = (self.bones == 1 && settings.skip_same_bone).then(|| one_bone.to_owned());
        let missing = (!self.missing_clips.is_empty()).then(|| has_no_clip(&self.missing_clips));
        one_bone.into_iter().chain(missing).collect()
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

impl Motion {
    /// The name as people read it.
    pub fn title(&self) -> String {
        match self.clip {
            None => "rest pose".to_owned(),
            Some(number) if self.name.is_empty() => format!("clip {number}"),
            Some(_) => self.name.clone(),
        }
    }
}

impl Totals {
    /// Adds up.
    pub fn new(files: &[FileReport], settings: &Settings) -> Self {
        let mut totals = Self { files: files.len(), ..Self::default() };
        for motion in files.iter().flat_map(FileReport::motions) {
            totals.clips += usize::from(motion.clip.is_some());
            totals.frames += motion.frames;
            // With --ignore-rest there is nothing to find in the rest pose.
            let counts = motion.clip.is_some() || !settings.ignore_rest;
            totals.frames_with_pairs += if counts { motion.frames_with_pairs } else { 0 };
            totals.clips_over_limit += usize::from(motion.over_limit);
        }
        totals
    }
}
