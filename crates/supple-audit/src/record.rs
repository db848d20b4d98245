//! What is found in one frame, as plain data: for those who want every frame and not only events.

use crate::collect::Place;
use crate::frame::{Finder, Frame};
use crate::kind::Kind;

/// What is found in one frame of a clip.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrameRecord {
    /// The clip, as its place in [`Audit::clips`](crate::Audit::clips).
    pub clip: usize,
    /// The frame.
    pub frame: usize,
    /// What intersects, by parts of the body and kind.
    pub contacts: Vec<ContactRecord>,
}

/// Two parts of a body that intersect in a frame.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ContactRecord {
    /// The parts of the body.
    pub body_parts: [String; 2],
    /// By the rest pose.
    pub kind: Kind,
    /// How many pairs of triangles intersect.
    pub pairs: usize,
    /// How deep.
    pub depth: f32,
    /// Whether it can be seen from outside; only told of free contacts that are deep enough.
    pub is_seen: bool,
}

impl FrameRecord {
    pub(crate) fn new((clip, frame): Place, found: &Frame, finder: &Finder) -> Self {
        let contacts = found.found.iter().map(|(key, found)| ContactRecord {
            body_parts: key.sides.map(|side| finder.parts.name(side.part).to_owned()),
            kind: key.kind,
            pairs: found.pairs,
            depth: found.depth,
            is_seen: found.is_seen,
        });
        Self { clip, frame, contacts: contacts.collect() }
    }
}
