//! What an audit does not report although it intersects: how much that is, and why.
//!
//! In: for every frame how many intersecting pairs of triangles each reason leaves out. Out: sums over a clip.
//! Must hold: a pair is left out for one reason, the first that holds; all that intersects is reported or counted here.

/// Pairs of triangles of a clip that intersect and are not reported, by the reason for it.
///
/// A pair counts once, by the first reason that holds. Pairs that share a vertex always touch: they are never looked at, and
/// are not counted.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let audit = audit(&shape, &AuditOptions::default().with_fps(5.0).with_clips(["random"]))?;
/// let left_out = audit.clips[0].left_out;
/// assert!(left_out.parent_child.most_pairs > 0); // elbows and knees that fold
/// assert_eq!(left_out.rest.frames, 0); // only with AuditOptions::ignore_rest
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LeftOut {
    /// Between bones that were not asked for ([`AuditOptions::bones`](crate::AuditOptions::bones)).
    pub other_bones: LeftOutPairs,
    /// Within one bone ([`AuditOptions::skip_same_bone`](crate::AuditOptions::skip_same_bone)).
    pub same_bone: LeftOutPairs,
    /// Of a bone and its parent ([`AuditOptions::skip_parent_child`](crate::AuditOptions::skip_parent_child)).
    pub parent_child: LeftOutPairs,
    /// Near each other along the surface ([`AuditOptions::rings`](crate::AuditOptions::rings)).
    pub rings: LeftOutPairs,
    /// Those that intersect in the rest pose, too ([`AuditOptions::ignore_rest`](crate::AuditOptions::ignore_rest)).
    pub rest: LeftOutPairs,
}

/// Pairs of triangles that one reason leaves out of a clip.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LeftOutPairs {
    /// In how many frames there are any.
    pub frames: usize,
    /// The most in one frame.
    pub most_pairs: usize,
}

/// Why a pair that intersects is not reported; the first that holds counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    OtherBones,
    SameBone,
    ParentChild,
    Rings,
    Rest,
}

/// How many pairs each [`Reason`] leaves out of one frame.
pub(crate) type LeftOutOfFrame = [usize; 5];

impl LeftOut {
    /// Whether every pair that intersects is reported.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Sums up frames.
    pub(crate) fn of_frames<'a>(frames: impl Iterator<Item = &'a LeftOutOfFrame> + Clone) -> Self {
        let pairs = |reason: Reason| {
            let counts = frames.clone().map(|frame| frame[reason as usize]);
            LeftOutPairs {
                frames: counts.clone().filter(|&count| count > 0).count(),
                most_pairs: counts.max().unwrap_or(0),
            }
        };
        Self {
            other_bones: pairs(Reason::OtherBones),
            same_bone: pairs(Reason::SameBone),
            parent_child: pairs(Reason::ParentChild),
            rings: pairs(Reason::Rings),
            rest: pairs(Reason::Rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_summed_up_by_reason() {
        let frames = [[0, 3, 0, 0, 1], [0, 0, 0, 2, 1], [0, 7, 0, 0, 0]];
        let left_out = LeftOut::of_frames(frames.iter());
        let pairs = |frames, most_pairs| LeftOutPairs { frames, most_pairs };
        assert_eq!(
            (left_out.same_bone, left_out.rings, left_out.rest),
            (pairs(2, 7), pairs(1, 2), pairs(2, 1))
        );
        assert_eq!((left_out.other_bones, left_out.parent_child), Default::default());
        assert!(!left_out.is_nothing() && LeftOut::of_frames([[0; 5]].iter()).is_nothing());
        assert!(LeftOut::of_frames([].iter()).is_nothing());
    }
}
