//! A part of an audit: all that is kept of some frames.
//!
//! In: frames. Out: the parts of all frames, merged to one.
//! Must hold: whatever way frames are cut into parts, and whatever the order of the parts, the merged part is the same.

use std::collections::{BTreeMap, BTreeSet};

use crate::collect::{Collected, Place};
use crate::error::AuditError;
use crate::event::PlayedClip;
use crate::frame::{Finder, Frame};
use crate::left_out::LeftOut;
use crate::span::{Span, contain, in_order};

/// What is known of some frames of an audit, as plain data: [`Auditor::part`](crate::Auditor::part) makes it, and
/// [`Auditor::finish`](crate::Auditor::finish) makes an audit of the parts of all frames.
///
/// With the feature `serde` it can be sent to another process or machine, as JSON for example, and comes back the same. Its fields may
/// change from version to version: parts are made and finished by the same version of this crate.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, Auditor, Span};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let auditor = Auditor::new(&shape, &AuditOptions::default().with_fps(5.0))?;
/// let part = auditor.part(&[Span { clip: 1, frames: 2..4 }, Span { clip: 1, frames: 0..2 }])?;
/// assert_eq!((part.spans(), part.frames()), ([Span { clip: 1, frames: 0..4 }].as_slice(), 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AuditPart {
    /// The mark of the model and the options.
    mark: String,
    spans: Vec<Span>,
    collected: Collected,
    /// By clip; where there is something.
    #[cfg_attr(feature = "serde", serde(with = "crate::pairs"))]
    left_out: BTreeMap<usize, LeftOut>,
    hidden_bones: BTreeSet<u32>,
}

impl AuditPart {
    /// The frames that it has: by clip and number, joined where they follow each other.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// How many frames it has.
    pub fn frames(&self) -> usize {
        self.spans.iter().map(|span| span.frames.len()).sum()
    }

    /// A part whose frames are still to be added, one after the other.
    pub(crate) fn new(mark: &str, spans: Vec<Span>) -> Self {
        Self {
            mark: mark.to_owned(),
            spans,
            collected: Collected::default(),
            left_out: BTreeMap::new(),
            hidden_bones: BTreeSet::new(),
        }
    }

    pub(crate) fn add(&mut self, place: Place, frame: &Frame) {
        self.collected.add(place, frame);
        self.hidden_bones.extend(&frame.hidden_bones);
        if frame.left_out.iter().any(|&pairs| pairs > 0) {
            self.left_out.entry(place.0).or_default().add(&frame.left_out);
        }
    }

    /// Takes in the frames of other parts. All of them have been checked.
    pub(crate) fn merge(&mut self, others: impl IntoIterator<Item = Self>) -> Result<(), Span> {
        for other in others {
            self.spans.extend(other.spans);
            self.collected.merge(other.collected);
            self.hidden_bones.extend(other.hidden_bones);
            for (clip, left_out) in other.left_out {
                self.left_out.entry(clip).or_default().merge(&left_out);
            }
        }
        self.spans = in_order(std::mem::take(&mut self.spans))?;
        self.collected.sort();
        Ok(())
    }

    /// Whether it can be a part of this audit: it may have been read from anywhere.
    pub(crate) fn check(&self, mark: &str, finder: &Finder, clips: &[PlayedClip]) -> Result<(), AuditError> {
        if self.mark != mark {
            return Err(AuditError::ForeignPart);
        }
        let fits = |span: &Span| clips.get(span.clip).is_some_and(|clip| span.frames.end <= clip.frames);
        let is_left_out_here = |clip: &usize| self.spans.iter().any(|span| span.clip == *clip);
        let is_whole = self.spans.iter().all(fits)
            && in_order(self.spans.clone()).is_ok_and(|spans| spans == self.spans)
            && self.left_out.keys().all(is_left_out_here)
            && self.collected.fits(finder, |(clip, frame)| contain(&self.spans, clip, frame));
        if is_whole { Ok(()) } else { Err(AuditError::BrokenPart) }
    }

    pub(crate) fn collected(&self) -> &Collected {
        &self.collected
    }

    pub(crate) fn left_out(&self, clip: usize) -> LeftOut {
        self.left_out.get(&clip).copied().unwrap_or_default()
    }

    pub(crate) fn hidden_bones(&self) -> &BTreeSet<u32> {
        &self.hidden_bones
    }
}
