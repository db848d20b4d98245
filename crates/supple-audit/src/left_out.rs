//! What an audit does not report although it intersects: how much that is, and why.
//!
//! In: for every frame how many intersecting pairs of triangles each reason leaves out. Out: sums over a clip.
//! Must hold: a pair is left out for one reason, the first that holds; all that intersects is in an event or counted here.

/// Pairs of triangles of a clip that intersect and are in no event, by the reason for it.
///
/// A pair counts once, by the first reason that holds. Pairs that share a vertex always touch: they are never looked at, and
/// are not counted. With the default options nothing is left out but what joints hide.
///
/// ```
/// # use std::sync::Arc;
/// # use supple::{BuildOptions, Shape};
/// use supple_audit::{AuditOptions, audit};
/// # let man = supple_zoo::make("man", 0)?;
/// # let shape = Arc::new(Shape::build(man, &BuildOptions::default())?);
///
/// let options = AuditOptions::default().with_fps(5.0).with_clips(["random"]).with_bones_apart(2);
/// let left_out = audit(&shape, &options)?.clips[0].left_out;
/// assert!(left_out.near_bones.most_pairs > 0); // elbows and knees that fold
/// assert_eq!(left_out.other_bones.frames, 0); // only with AuditOptions::bones
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LeftOut {
    /// Not between the meshes that were asked for ([`AuditOptions::between`](crate::AuditOptions::between)).
    pub other_meshes: LeftOutPairs,
    /// Between bones that were not asked for ([`AuditOptions::bones`](crate::AuditOptions::bones)).
    pub other_bones: LeftOutPairs,
    /// Of bones that are near each other ([`AuditOptions::bones_apart`](crate::AuditOptions::bones_apart)).
    pub near_bones: LeftOutPairs,
    /// Of bones that are scaled to almost nothing ([`Audit::hidden_bones`](crate::Audit::hidden_bones)).
    pub hidden_bones: LeftOutPairs,
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
    OtherMeshes,
    OtherBones,
    NearBones,
    HiddenBones,
}

/// How many pairs each [`Reason`] leaves out of one frame.
pub(crate) type LeftOutOfFrame = [usize; 4];

impl LeftOut {
    /// Whether every pair that intersects is in an event.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// Adds a frame.
    pub(crate) fn add(&mut self, frame: &LeftOutOfFrame) {
        for (reason, &pairs) in frame.iter().enumerate().filter(|(_, pairs)| **pairs > 0) {
            let sum = match reason {
                r if r == Reason::OtherMeshes as usize => &mut self.other_meshes,
                r if r == Reason::OtherBones as usize => &mut self.other_bones,
                r if r == Reason::NearBones as usize => &mut self.near_bones,
                _ => &mut self.hidden_bones,
            };
            sum.frames += 1;
            sum.most_pairs = sum.most_pairs.max(pairs);
        }
    }

    /// Adds other frames.
    pub(crate) fn merge(&mut self, other: &Self) {
        let Self { other_meshes, other_bones, near_bones, hidden_bones } = self;
        for (sum, more) in [
            (other_meshes, other.other_meshes),
            (other_bones, other.other_bones),
            (near_bones, other.near_bones),
            (hidden_bones, other.hidden_bones),
        ] {
            sum.frames = sum.frames.saturating_add(more.frames);
            sum.most_pairs = sum.most_pairs.max(more.most_pairs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_summed_up_by_reason() {
        let mut left_out = LeftOut::default();
        left_out.add(&[0; 4]);
        assert!(left_out.is_nothing());
        for frame in [[0, 3, 0, 1], [0, 0, 0, 1], [0, 7, 0, 0]] {
            left_out.add(&frame);
        }
        let pairs = |frames, most_pairs| LeftOutPairs { frames, most_pairs };
        assert_eq!((left_out.other_bones, left_out.hidden_bones), (pairs(2, 7), pairs(2, 1)));
        assert_eq!((left_out.other_meshes, left_out.near_bones), Default::default());
        assert!(!left_out.is_nothing());
        let mut merged = LeftOut::default();
        merged.add(&[0, 3, 5, 9]);
        merged.merge(&left_out);
        assert_eq!((merged.other_bones, merged.hidden_bones), (pairs(3, 7), pairs(3, 9)));
        assert_eq!((merged.other_meshes, merged.near_bones), (pairs(0, 0), pairs(1, 5)));
    }
}
