//! Spans: frames of clips that follow each other.
//!
//! Must hold: lists of spans, once made, ascend, and no two of them overlap or follow each other.

use std::fmt;
use std::ops::Range;

/// Frames of one clip that follow each other: what one part of an audit looks at.
///
/// ```
/// use supple_audit::Span;
///
/// let half = Span { clip: 0, frames: 0..50 };
/// assert_eq!(half.to_string(), "frames 0 to 49 of clip 0");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Span {
    /// The clip, as its place in [`Auditor::clips`](crate::Auditor::clips) and [`Audit::clips`](crate::Audit::clips).
    pub clip: usize,
    /// The frames, which count from 0.
    pub frames: Range<usize>,
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, last) = (self.frames.start, self.frames.end.saturating_sub(1));
        match self.frames.len() {
            0 => write!(f, "no frames of clip {}", self.clip),
            1 => write!(f, "frame {first} of clip {}", self.clip),
            _ => write!(f, "frames {first} to {last} of clip {}", self.clip),
        }
    }
}

/// Puts spans in order and joins those that follow each other. Where two overlap: the frames that both have.
pub fn in_order(mut spans: Vec<Span>) -> Result<Vec<Span>, Span> {
    spans.retain(|span| !span.frames.is_empty());
    spans.sort_by_key(|span| (span.clip, span.frames.start));
    let mut joined: Vec<Span> = Vec::new();
    for span in spans {
        match joined.last_mut().filter(|last| last.clip == span.clip && last.frames.end >= span.frames.start)
        {
            Some(last) if last.frames.end > span.frames.start => {
                let both = span.frames.start..last.frames.end.min(span.frames.end);
                return Err(Span { clip: span.clip, frames: both });
            }
            Some(last) => last.frames.end = span.frames.end,
            None => joined.push(span),
        }
    }
    Ok(joined)
}

/// What spans in order lack of clips with so many frames each.
pub fn missing(spans: &[Span], frames: impl Iterator<Item = usize>) -> Vec<Span> {
    let mut missing = Vec::new();
    for (clip, frames) in frames.enumerate() {
        let mut from = 0;
        for span in spans.iter().filter(|span| span.clip == clip) {
            missing.push(Span { clip, frames: from..span.frames.start });
            from = span.frames.end;
        }
        missing.push(Span { clip, frames: from..frames });
    }
    missing.retain(|span| !span.frames.is_empty());
    missing
}

/// Whether spans in order have a frame.
pub fn contain(spans: &[Span], clip: usize, frame: usize) -> bool {
    let after = spans.partition_point(|span| (span.clip, span.frames.start) <= (clip, frame));
    after > 0 && spans[after - 1].clip == clip && spans[after - 1].frames.contains(&frame)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(clip: usize, frames: Range<usize>) -> Span {
        Span { clip, frames }
    }

    #[test]
    fn spans_are_sorted_and_joined() {
        let spans = vec![span(1, 0..2), span(0, 4..7), span(0, 2..4), span(0, 9..9), span(0, 8..9)];
        let spans = in_order(spans).unwrap();
        assert_eq!(spans, [span(0, 2..7), span(0, 8..9), span(1, 0..2)]);
        assert_eq!(
            missing(&spans, [9, 3, 1].into_iter()),
            [span(0, 0..2), span(0, 7..8), span(1, 2..3), span(2, 0..1)]
        );
        let has = |clip, frame| contain(&spans, clip, frame);
        assert!(has(0, 2) && has(0, 6) && has(0, 8) && has(1, 0) && has(1, 1));
        assert!(!has(0, 1) && !has(0, 7) && !has(0, 9) && !has(1, 2) && !has(2, 0));
    }

    #[test]
    fn frames_that_are_there_twice_are_told() {
        assert_eq!(in_order(vec![span(0, 3..9), span(0, 0..5)]), Err(span(0, 3..5)));
        assert_eq!(in_order(vec![span(0, 0..9), span(0, 4..6)]), Err(span(0, 4..6)));
        assert_eq!(in_order(vec![span(2, 0..1), span(2, 0..1)]), Err(span(2, 0..1)));
        assert!(in_order(vec![span(0, 0..9), span(1, 4..6)]).is_ok());
    }
}
