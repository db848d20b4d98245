//! What an audit looks at, and what it leaves out.

use supple::{Clip, Model, Skinning};

use crate::error::AuditError;

/// A clip of more frames than this is not audited: it is a mistake in the frame rate, nine hours at 30 per second.
pub const MAX_FRAMES: usize = 1_000_000;

/// What an audit looks at, and what it leaves out. One set of options may serve many models.
///
/// ```
/// use supple::Skinning;
/// use supple_audit::{AuditOptions, Depth};
///
/// let options = AuditOptions::default()
///     .with_skinning(Skinning::DualQuaternion)
///     .with_clips(["walk", "run"])
///     .with_bones([["hand_l+", "thigh_l"]]) // the left hand, its fingers, and the thigh
///     .with_min_depth(Depth::Units(0.01));
/// assert_eq!((options.fps, options.bones_apart), (30.0, 0));
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
    /// Only between these two sets of meshes, by the names of the model's parts or of their materials; everything if none.
    pub between: Option<[Vec<String>; 2]>,
    /// Leave out pairs of bones that are fewer steps apart in the skeleton; 0: nothing. 1 leaves out a bone in itself, 2 also a
    /// bone and its parent.
    pub bones_apart: u32,
    /// Events that are nowhere deeper are grazes; 0.25 percent of the size.
    pub min_depth: Depth,
    /// Events in fewer frames, of all clips together, are grazes; 1.
    pub min_frames: usize,
    /// Whether what crosses in the rest pose may be layered; true. Not where the rest pose means nothing: two characters beside each
    /// other.
    pub compare_rest: bool,
    /// The length that percents are of, and that tells near from far; the largest side of the model's box at rest if none. Of two
    /// characters in one model, it is better that of one.
    pub size: Option<f32>,
}

/// A depth, as the user gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Depth {
    /// In units of the model.
    Units(f32),
    /// In percent of the model's size ([`Audit::size`](crate::Audit::size)).
    Percent(f32),
}

impl Depth {
    /// In units of a model of that size.
    pub fn in_units(self, size: f32) -> f32 {
        match self {
            Self::Units(depth) => depth,
            Self::Percent(percent) => 0.01 * percent * size,
        }
    }
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
            between: None,
            bones_apart: 0,
            min_depth: Depth::Percent(0.25),
            min_frames: 1,
            compare_rest: true,
            size: None,
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

    /// Looks only at what is between two sets of meshes.
    #[must_use]
    pub fn with_between(mut self, sets: [Vec<String>; 2]) -> Self {
        self.between = Some(sets);
        self
    }

    /// Leaves out pairs of bones that are fewer steps apart.
    #[must_use]
    pub fn with_bones_apart(mut self, steps: u32) -> Self {
        self.bones_apart = steps;
        self
    }

    /// Sets the depth below which events are grazes.
    #[must_use]
    pub fn with_min_depth(mut self, depth: Depth) -> Self {
        self.min_depth = depth;
        self
    }

    /// Sets the number of frames below which events are grazes.
    #[must_use]
    pub fn with_min_frames(mut self, frames: usize) -> Self {
        self.min_frames = frames;
        self
    }

    /// Compares with the rest pose, or not.
    #[must_use]
    pub fn with_rest_compared(mut self, compared: bool) -> Self {
        self.compare_rest = compared;
        self
    }

    /// Sets the length that percents are of.
    #[must_use]
    pub fn with_size(mut self, size: f32) -> Self {
        self.size = Some(size);
        self
    }

    /// Seconds into a clip of a frame.
    pub fn seconds(&self, frame: usize) -> f64 {
        frame as f64 / f64::from(self.fps)
    }

    /// The clips that are played, in the order of the model.
    pub(crate) fn chosen_clips(&self, model: &Model) -> Result<Vec<ChosenClip>, AuditError> {
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
pub(crate) struct ChosenClip {
    pub number: usize,
    pub frames: usize,
}

impl ChosenClip {
    /// From the start to the end of a clip, both included. A duration that is a whole number of frames, up to its rounding
    /// to f32, ends with a frame.
    fn new(number: usize, clip: &Clip, fps: f32) -> Result<Self, AuditError> {
        let last = (clip.duration() * f64::from(fps) + 1e-4).floor().max(0.0) as usize;
        let frames = last.saturating_add(1);
        if frames > MAX_FRAMES {
            return Err(AuditError::TooManyFrames { clip: number, name: clip.name().to_owned(), frames });
        }
        Ok(Self { number, frames })
    }
}
