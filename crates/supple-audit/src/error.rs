//! Why a model cannot be audited.

use supple::PoseError;
use thiserror::Error;

use crate::options::MAX_FRAMES;
use crate::span::Span;

/// Why a model cannot be audited.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditError, AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let error = audit(&shape, &AuditOptions::default().with_bones([["hand_l", "thihg_l"]])).unwrap_err();
/// assert!(matches!(&error, AuditError::UnknownBone { name, .. } if name == "thihg_l"));
/// assert!(error.to_string().contains("the nearest of 27 bones with triangles: \"thigh_l\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum AuditError {
    /// Frames per second.
    #[error("the frame rate must be finite and greater than 0, it is {0}")]
    FrameRate(f32),
    /// A name that no clip has.
    #[error("there is no clip {name:?}; the model has the clips {known:?}")]
    UnknownClip {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// A number that no clip has.
    #[error("there is no clip number {number}; the number of clips is {clips}, and the first has number 0")]
    ClipOutOfRange {
        /// What was asked for.
        number: usize,
        /// How many there are.
        clips: usize,
    },
    /// More than [`MAX_FRAMES`].
    #[error("{frames} frames of clip {name:?} are too many, at most {MAX_FRAMES} are audited")]
    TooManyFrames {
        /// The number of the clip in the model.
        clip: usize,
        /// Its name.
        name: String,
        /// How many frames it would have.
        frames: usize,
    },
    /// A name that no bone has.
    #[error("there is no bone {name:?}; the nearest of {bones} with triangles: {}",
            quoted(nearest), bones = counted(*bones))]
    UnknownBone {
        /// What was asked for.
        name: String,
        /// Names that are much like it, the most alike first.
        nearest: Vec<String>,
        /// How many bones have triangles.
        bones: usize,
    },
    /// A name that neither a part nor a material has.
    #[error("there is no mesh and no material {name:?}; the nearest of {names}: {}", quoted(nearest))]
    UnknownPart {
        /// What was asked for.
        name: String,
        /// Names that are much like it, the most alike first.
        nearest: Vec<String>,
        /// How many names of parts and materials there are.
        names: usize,
    },
    /// Whoever watched the progress wanted no more.
    #[error("stopped after {done} of {frames} frames")]
    Stopped {
        /// How many frames were done.
        done: usize,
        /// How many there are.
        frames: usize,
    },
    /// A span of a clip that is not played.
    #[error(
        "there is no clip {clip} to look at; the number of clips that are played is {clips}, and the first has number 0"
    )]
    SpanOfNoClip {
        /// What was asked for, as a place in [`Auditor::clips`](crate::Auditor::clips).
        clip: usize,
        /// How many there are.
        clips: usize,
    },
    /// A span that begins after its end, or ends after its clip.
    #[error("clip {clip} {name:?} has no frames {start}..{end}; it has 0..{frames}")]
    SpanOutOfRange {
        /// The clip, as a place in [`Auditor::clips`](crate::Auditor::clips).
        clip: usize,
        /// Its name.
        name: String,
        /// The first frame that was asked for.
        start: usize,
        /// The frame after the last one.
        end: usize,
        /// How many the clip has.
        frames: usize,
    },
    /// Frames that are in two spans of a part, or in two parts of an audit.
    #[error("{span} {name:?} {} there twice", is_or_are(span))]
    FramesTwice {
        /// The first of them.
        span: Span,
        /// The name of the clip.
        name: String,
    },
    /// Frames that are in no part of an audit.
    #[error("{}", missing_words(missing, name))]
    FramesMissing {
        /// All of them.
        missing: Vec<Span>,
        /// The name of the clip of the first.
        name: String,
    },
    /// A part of an audit of something else.
    #[error("a part is of an audit of another model, with other options, or by another version")]
    ForeignPart,
    /// A part that no audit makes: it was changed on its way.
    #[error("a part is damaged: it names clips, frames or bones that it cannot have")]
    BrokenPart,
    /// The model cannot take its own rest pose.
    #[error("the rest pose")]
    RestPose(#[source] PoseError),
    /// The model cannot take a pose of a clip.
    #[error("clip {clip} {name:?}, frame {frame}")]
    Pose {
        /// The number of the clip in the model.
        clip: usize,
        /// Its name.
        name: String,
        /// The frame.
        frame: usize,
        /// Why not.
        #[source]
        source: PoseError,
    },
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

fn counted(bones: usize) -> String {
    if bones == 1 { "1 bone".to_owned() } else { format!("{bones} bones") }
}

fn is_or_are(span: &Span) -> &'static str {
    if span.frames.len() == 1 { "is" } else { "are" }
}

fn missing_words(missing: &[Span], name: &str) -> String {
    let frames: usize = missing.iter().map(|span| span.frames.len()).sum();
    match missing {
        [] => "no frames are missing".to_owned(),
        [span] => format!("{span} {name:?} {} missing", is_or_are(span)),
        [span, ..] => {
            format!("{span} {name:?} and others are missing: {frames} frames in {} spans", missing.len())
        }
    }
}
