//! Why there is no such scene.

use supple::{BuildError, ModelError, PoseError};
use supple_draw::DrawError;
use supple_fit::reduce::ReduceError;
use supple_io::GlbError;
use supple_zoo::ZooError;
use thiserror::Error;

use crate::scene_kind::SceneKind;

/// A scene that cannot be made, run or shown.
#[derive(Debug, Error)]
pub enum DropError {
    /// None, or more than the scene takes.
    #[error("{count} bodies; {scene} takes 1 to {most}")]
    Count {
        /// How many were asked for.
        count: usize,
        /// The scene.
        scene: SceneKind,
        /// How many it takes.
        most: usize,
    },
    /// A rate that makes no sense.
    #[error("{0} steps per second; expected 30 to 10000")]
    StepRate(f64),
    /// More than an animation for viewers should have.
    #[error(
        "{count} bodies are too many for a GLB animation, which takes up to {most}; write a .png instead"
    )]
    TooManyToExport {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// Nothing was recorded.
    #[error("there is no frame to show")]
    NoFrames,
    /// An animal of the zoo.
    #[error(transparent)]
    Zoo(#[from] ZooError),
    /// Vibration modes.
    #[error(transparent)]
    Modes(#[from] ReduceError),
    /// A model of fields.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// A tree.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A body that left the world: numbers that are not finite, or beyond f32.
    #[error("the simulation went astray: {0}")]
    Astray(#[from] PoseError),
    /// An animation.
    #[error(transparent)]
    Glb(#[from] GlbError),
    /// A picture.
    #[error(transparent)]
    Draw(#[from] DrawError),
}
