//! What an audit looks at, and what it leaves out.

use supple::{Clip, Model, Skinning};

use crate::error::AuditError;

/// A clip of more frames than this is not audited: it is a mistake in the frame rate, almost an hour at 30 per second.
pub const MAX_FRAMES: usize = 100_000;

/// What an audit looks at, and what it leaves out. One set of options may serve many models.
///
/// ```
/// use supple::Skinning;
/// use supple_audit::AuditOptions;
///
/// let options = AuditOptions::default()
///     .with_skinning(Skinning::DualQuaternion)
///     .with_clips(["walk", "run"])
///     .with_bones([["hand_l+", "thigh_l"]]) // the left hand, its fingers, and the thigh
///     .with_ignored_rest(true);
/// assert_eq!((options.fps, options.skip_parent_child), (30.0, true));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct AuditOptions {
    /// Frames per second; 30. Both ends of a clip are looked at.
    pub fps: f32,
    /// How joints are blended; linearly.
    pub skinning: Skinning,
    /// Which clips are played; all.
    pub clips: ClipChoice,
    /// Only between these pairs of bones, in either order; all if empty. `NAME+` stands for the bone and all below it.
    pub bones: Vec<[String; 2]>,
    /// Leave out pairs of triangles within this many rings of each other; 0: only those that share a vertex.
    pub rings: u32,
    /// Leave out pairs of one bone; true. They are looked at all the same where all triangles belong to one bone, and where
    /// morph targets make them intersect.
    pub skip_same_bone: bool,
    /// Leave out pairs of a bone and its parent; true.
    pub skip_parent_child: bool,
    /// In clips, neither count nor measure pairs of triangles that already intersect in the rest pose; false.
    pub ignore_rest: bool,
    /// Tell which clips have a frame with more pairs of triangles than this; none.
    pub max_pairs: Option<usize>,
}

/// Which clips of a model are played.
///
/// ```
/// use supple_audit::{AuditOptions, ClipChoice};
///
/// assert_eq!(AuditOptions::default().clips, ClipChoice::All);
/// let two = AuditOptions::default().with_clip_numbers([0, 3]);
/// assert_eq!(two.clips, ClipChoice::Numbers(vec![0, 3]));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClipChoice {
    /// Every clip.
    #[default]
    All,
    /// Clips by name; of clips that share one the first.
    Names(Vec<String>),
    /// Clips by their number in the model.
    Numbers(Vec<usize>),
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            fps: 30.0,
            skinning: Skinning::Linear,
            clips: ClipChoice::All,
            bones: Vec::new(),
            rings: 0,
            skip_same_bone: true,
            skip_parent_child: true,
            ignore_rest: false,
            max_pairs: None,
        }
    }
}

impl AuditOptions {
    /// Sets the frames per second.
    #[must_use]
    pub fn with_fps(mut self, fps: f32) -> Self {
        self.fps = fps;
        self
    }

    /// Sets how joints are blended.
    #[must_use]
    pub fn with_skinning(mut self, skinning: Skinning) -> Self {
        self.skinning = skinning;
        self
    }

    /// Plays only clips of these names.
    #[must_use]
    pub fn with_clips(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.clips = ClipChoice::Names(names.into_iter().map(Into::into).collect());
        self
    }

    /// Plays only clips of these numbers.
    #[must_use]
    pub fn with_clip_numbers(mut self, numbers: impl IntoIterator<Item = usize>) -> Self {
        self.clips = ClipChoice::Numbers(numbers.into_iter().collect());
        self
    }

    /// Looks only at what is between these pairs of bones.
    #[must_use]
    pub fn with_bones(mut self, pairs: impl IntoIterator<Item = [impl Into<String>; 2]>) -> Self {
        self.bones = pairs.into_iter().map(|pair| pair.map(Into::into)).collect();
        self
    }

    /// Leaves out pairs of triangles within this many rings of each other.
    #[must_use]
    pub fn with_rings(mut self, rings: u32) -> Self {
        self.rings = rings;
        self
    }

    /// Leaves out pairs of one bone, or not.
    #[must_use]
    pub fn with_same_bone_skipped(mut self, skipped: bool) -> Self {
        self.skip_same_bone = skipped;
        self
    }

    /// Leaves out pairs of a bone and its parent, or not.
    #[must_use]
    pub fn with_parent_child_skipped(mut self, skipped: bool) -> Self {
        self.skip_parent_child = skipped;
        self
    }

    /// Ignores pairs of triangles that already intersect in the rest pose, or not.
    #[must_use]
    pub fn with_ignored_rest(mut self, ignored: bool) -> Self {
        self.ignore_rest = ignored;
        self
    }

    /// Sets the number of pairs of triangles in a frame above which a clip is over the limit.
    #[must_use]
    pub fn with_max_pairs(mut self, limit: usize) -> Self {
        self.max_pairs = Some(limit);
        self
    }

    /// Seconds into a clip of a frame.
    pub fn seconds(&self, frame: usize) -> f64 {
        frame as f64 / f64::from(self.fps)
    }

    /// The clips that are played, in the order of the model.
    pub(crate) fn chosen_clips<'m>(&self, model: &'m Model) -> Result<Vec<ChosenClip<'m>>, AuditError> {
        if !(self.fps.is_finite() && self.fps > 0.0) {
            return Err(AuditError::FrameRate(self.fps));
        }
        let count = model.clips().len();
        let numbers: Vec<usize> = match &self.clips {
            ClipChoice::All => (0..count).collect(),
            ClipChoice::Names(names) => {
                names.iter().map(|name| number_of(model, name)).collect::<Result<_, _>>()?
            }
            ClipChoice::Numbers(numbers) => {
                if let Some(&number) = numbers.iter().find(|&&number| number >= count) {
                    return Err(AuditError::ClipOutOfRange { number, clips: count });
                }
                numbers.clone()
            }
        };
        let chosen = model.clips().iter().enumerate().filter(|(number, _)| numbers.contains(number));
        chosen.map(|(number, clip)| ChosenClip::new(number, clip, self.fps)).collect()
    }
}

fn number_of(model: &Model, name: &str) -> Result<usize, AuditError> {
    let number = model.clips().iter().position(|clip| clip.name() == name);
    number.ok_or_else(|| AuditError::UnknownClip {
        name: name.to_owned(),
        known: model.clips().iter().map(|clip| clip.name().to_owned()).collect(),
    })
}

/// A clip that is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChosenClip<'m> {
    pub number: usize,
    pub clip: &'m Clip,
    pub frames: usize,
}

impl<'m> ChosenClip<'m> {
    /// From the start to the end of a clip, both included. A duration that is a whole number of frames, up to its rounding
    /// to f32, ends with a frame.
    fn new(number: usize, clip: &'m Clip, fps: f32) -> Result<Self, AuditError> {
        let last = (clip.duration() * f64::from(fps) + 1e-4).floor().max(0.0) as usize;
        let frames = last.saturating_add(1);
        if frames > MAX_FRAMES {
            return Err(AuditError::TooManyFrames { clip: number, name: clip.name().to_owned(), frames });
        }
        Ok(Self { number, clip, frames })
    }
}
