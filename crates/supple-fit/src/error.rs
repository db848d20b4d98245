//! What can be wrong with a sequence or with what is asked of it.

use supple::{ModelError, PoseError};
use thiserror::Error;

/// Why a sequence cannot be fitted.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FitError {
    /// Nothing to fit.
    #[error("the sequence has no frames")]
    NoFrames,
    /// A frame of another mesh.
    #[error("frame {frame} has {found} vertices, the rest mesh has {expected}: its topology changes")]
    VertexCount {
        /// The frame.
        frame: usize,
        /// Vertices of the rest mesh.
        expected: usize,
        /// Vertices of the frame.
        found: usize,
    },
    /// A frame with other triangles.
    #[error("frame {frame} has other triangles than the first: its topology changes")]
    TopologyChanges {
        /// The frame.
        frame: usize,
    },
    /// A time per frame is needed.
    #[error("{found} times for {expected} frames")]
    TimeCount {
        /// Frames.
        expected: usize,
        /// Times.
        found: usize,
    },
    /// Times must ascend.
    #[error("frame {frame} is at {time} s; times must be finite, not negative and strictly ascending")]
    BadTime {
        /// The frame.
        frame: usize,
        /// Its time.
        time: f32,
    },
    /// A position or normal that is not finite, or so large that squares of it are not.
    #[error("the {attribute} of vertex {vertex} in frame {frame} is not finite or beyond 1e15")]
    BadVertex {
        /// Position or normal.
        attribute: &'static str,
        /// The frame.
        frame: usize,
        /// The vertex.
        vertex: usize,
    },
    /// A vertex of the rest mesh that is too far away.
    #[error("vertex {vertex} of the rest mesh is beyond 1e15")]
    BadRestVertex {
        /// The vertex.
        vertex: usize,
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
    /// Pieces that do not make a model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A pose that cannot be evaluated.
    #[error(transparent)]
    Pose(#[from] PoseError),
}
