//! What may be wrong with a tick or a time.

use thiserror::Error;

use crate::pose::PoseError;

/// Why a history cannot be made, added to or asked.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum HistoryError {
    /// There is nothing between ticks with less than two.
    #[error("a history of {0} ticks was asked for; it needs at least 2, and memory for all")]
    BadCapacity(usize),
    /// Nothing was recorded yet.
    #[error("the history is empty")]
    Empty,
    /// A tick that is not after the newest one.
    #[error("tick {tick} is not a number after the newest tick {newest}")]
    NotIncreasing {
        /// What was to be recorded.
        tick: f64,
        /// The newest one; minus infinity if there is none.
        newest: f64,
    },
    /// A time that the history does not cover.
    #[error("time {time} is not within the recorded ticks {oldest} to {newest}")]
    OutOfRange {
        /// What was asked for.
        time: f64,
        /// The oldest tick that is still there.
        oldest: f64,
        /// The newest tick.
        newest: f64,
    },
    /// Poses and joint matrices do not mix.
    #[error("the history keeps {kept}, not {given}")]
    WrongKind {
        /// What it was made for.
        kept: &'static str,
        /// What it was given.
        given: &'static str,
    },
    /// A body that cannot take the recorded poses.
    #[error("the spare body has another shape or another skinning than the body of the history")]
    AnotherBody,
    /// A placement that is not a rotation and a translation.
    #[error(
        "the placement at tick {tick} is not rigid: a number is not finite, or its rotation is not a unit quaternion"
    )]
    Placement {
        /// The tick.
        tick: f64,
    },
    /// The pose does not fit the model or is not finite; or bodies refuse it because it takes them too far.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
