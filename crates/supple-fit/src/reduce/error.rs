//! Why a mesh or a sequence has no reduced model.

use supple::{ModelError, PoseError};
use thiserror::Error;

/// Why a mesh or a sequence cannot be reduced.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ReduceError {
    /// All vertices are one point.
    #[error("the mesh has no size: its longest side is {longest}")]
    NoSize {
        /// The longest side of its box.
        longest: f64,
    },
    /// An option that makes no sense.
    #[error("the option {option} is {value}; expected {expected}")]
    BadOption {
        /// Its name.
        option: &'static str,
        /// What was given.
        value: f64,
        /// What is possible.
        expected: &'static str,
    },
    /// A box whose corners are not in order.
    #[error(
        "held box {index} has a corner that is not a number, or its least corner is not below its greatest"
    )]
    BadBox {
        /// Its number in the list.
        index: usize,
    },
    /// More cells or more memory than anybody can want.
    #[error(
        "a resolution of {resolution} needs {needed} {what}, at most {limit} are allowed: choose a lower one"
    )]
    TooFine {
        /// What was asked for.
        resolution: usize,
        /// Cells, or numbers of the factorised matrix.
        what: &'static str,
        /// How many it would take.
        needed: usize,
        /// How many are allowed.
        limit: usize,
    },
    /// Parts that nothing connects.
    #[error(
        "the surface falls into {pieces} pieces at a resolution of {resolution}, and free pieces have no common vibrations: \
         choose a lower resolution, which joins what is near, or one part"
    )]
    Pieces {
        /// How many.
        pieces: usize,
        /// Cells along the longest side.
        resolution: usize,
    },
    /// Something that can still fly or turn away.
    #[error(
        "a piece near {near:?} is held at less than three points that are not in a line: it can move without bending"
    )]
    Loose {
        /// A corner of one of its cells.
        near: [f64; 3],
    },
    /// Nothing is left that could move.
    #[error("all of the mesh is held")]
    AllHeld,
    /// More fields than there are ways to move.
    #[error("{wanted} {what} are asked for, there are {available}")]
    TooMany {
        /// What is counted.
        what: &'static str,
        /// How many were asked for.
        wanted: usize,
        /// How many there are.
        available: usize,
    },
    /// The eigenvalue solver gave up, which only extreme numbers should make it do.
    #[error("the vibrations could not be computed: {problem}")]
    Unsolved {
        /// What happened.
        problem: &'static str,
    },
    /// A single shape is no motion.
    #[error("one frame has no principal components; expected two at least")]
    OneFrame,
    /// Pieces that do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A pose that cannot be evaluated.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
