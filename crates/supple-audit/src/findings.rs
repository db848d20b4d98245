//! What an audit finds, as plain data.
//!
//! Frames count from 0; lengths are in the units of the model, times in seconds.

use crate::left_out::LeftOut;

/// What was found in a model.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// # use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// let audit = audit(&shape, &AuditOptions::default().with_fps(2.0).with_clips(["walk"]))?;
/// let frames: usize = audit.played().iter().map(|clip| clip.frames_with_pairs).sum();
/// println!("{} bones, {} pairs at rest, {frames} frames", audit.bones, audit.rest.most_pairs);
/// # assert_eq!((audit.bones, audit.clips.len()), (27, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Audit {
    /// How many triangles the model has.
    pub triangles: usize,
    /// How many vertices it has.
    pub vertices: usize,
    /// How many bones it has.
    pub bones: usize,
    /// Of the rest pose, along Y.
    pub height: f32,
    /// The rest pose as a clip of one frame, in which all pairs are at rest.
    pub rest: Findings,
    /// The clips that were chosen, in the order of the model.
    pub clips: Vec<Findings>,
}

impl Audit {
    /// What was played: the clips, or the rest pose where there are none.
    pub fn played(&self) -> &[Findings] {
        if self.clips.is_empty() { std::slice::from_ref(&self.rest) } else { &self.clips }
    }
}

/// What was found in a clip, or in the rest pose.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// # use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// let audit = audit(&shape, &AuditOptions::default().with_fps(2.0).with_clips(["walk"]).with_max_pairs(10_000))?;
/// let walk = &audit.clips[0];
/// assert_eq!((walk.name.as_str(), walk.frames), ("walk", (2.0 * walk.duration) as usize + 1));
/// assert!(!walk.over_limit);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Findings {
    /// The name of the clip; may be empty. Empty for the rest pose.
    pub name: String,
    /// The number of the clip in the model; none for the rest pose.
    pub clip: Option<usize>,
    /// Of the clip; 0 for the rest pose.
    pub duration: f64,
    /// How many frames were looked at.
    pub frames: usize,
    /// How many of them have intersecting triangles.
    pub frames_with_pairs: usize,
    /// The frame with the most pairs of triangles, the first of equals.
    pub fullest_frame: usize,
    /// How many it has.
    pub most_pairs: usize,
    /// Whether that is more than [`AuditOptions::max_pairs`](crate::AuditOptions::max_pairs). The limit is about what is
    /// played: the rest pose can be over it only where no clip is, and rest pairs are not ignored.
    pub over_limit: bool,
    /// In one word.
    pub verdict: Verdict,
    /// What intersects and is not reported.
    pub left_out: LeftOut,
    /// Bones that intersect in some frame; the deepest first.
    pub bone_pairs: Vec<BonePair>,
}

/// What an audit says of a clip. It is about the frames that were looked at, not about what is between them, and about pairs of
/// triangles that share no vertex.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, Verdict, audit};
/// # let face = supple_zoo::make("face", 0)?;
/// # let shape = Arc::new(Shape::build(face, &BuildOptions::default())?);
///
/// let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["blink", "random"]))?;
/// assert_eq!((audit.clips[0].verdict, audit.clips[1].verdict), (Verdict::Clean, Verdict::Intersects));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Verdict {
    /// No two triangles intersect in any frame.
    Clean,
    /// None of those that are looked at; some of those that are left out do ([`Findings::left_out`]).
    CleanExceptLeftOut,
    /// Some intersect.
    Intersects,
}

impl Verdict {
    pub(crate) fn new(most_pairs: usize, left_out: &LeftOut) -> Self {
        match (most_pairs, left_out.is_nothing()) {
            (0, true) => Self::Clean,
            (0, false) => Self::CleanExceptLeftOut,
            _ => Self::Intersects,
        }
    }
}

/// Two bones that intersect in some frame of a clip.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// # use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// # let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["random"]))?;
/// for pair in &audit.clips[0].bone_pairs {
///     let [a, b] = &pair.bones;
///     println!("{a} and {b}: frames {} to {}, depth {:?}", pair.first_frame, pair.last_frame, pair.depth);
///     assert_eq!(pair.timeline.len(), pair.frames);
///     assert!(!pair.worst_triangles.is_empty());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BonePair {
    /// Their labels ([`Bones::label`](crate::Bones::label)).
    pub bones: [String; 2],
    /// Their nodes in the skeleton.
    pub nodes: [usize; 2],
    /// In how many frames they intersect.
    pub frames: usize,
    /// The first of these frames.
    pub first_frame: usize,
    /// The last of these frames.
    pub last_frame: usize,
    /// Where the depth is largest; of equals where most triangles intersect, then the first.
    pub worst_frame: usize,
    /// Most pairs of triangles in one frame that do not intersect in the rest pose.
    pub most_new_pairs: usize,
    /// Most pairs of triangles in one frame that do intersect in the rest pose.
    pub most_rest_pairs: usize,
    /// The largest depth; none for a bone in itself.
    pub depth: Option<f32>,
    /// The largest depth in percent of the height; none also where the model has no height.
    pub depth_percent: Option<f32>,
    /// Intersecting triangles of the worst frame, that of the first bone first.
    pub worst_triangles: Vec<[u32; 2]>,
    /// All frames in which they intersect, ascending.
    pub timeline: Vec<Moment>,
}

/// Two bones in one frame.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// # use supple_audit::{AuditOptions, Moment, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
/// # let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["random"]))?;
/// let pair = &audit.clips[0].bone_pairs[0];
/// let worst = pair.timeline.iter().find(|moment| moment.frame == pair.worst_frame);
/// let Some(&Moment { new_pairs, rest_pairs, depth, .. }) = worst else { panic!("the worst frame is one of all") };
/// assert_eq!((new_pairs + rest_pairs, depth), (pair.worst_triangles.len(), pair.depth));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Moment {
    /// The frame.
    pub frame: usize,
    /// Pairs of triangles that do not intersect in the rest pose.
    pub new_pairs: usize,
    /// Those that do.
    pub rest_pairs: usize,
    /// How deep; none for a bone in itself.
    pub depth: Option<f32>,
}
