//! Why two models cannot become one.

use supple::{ModelError, PoseError};
use thiserror::Error;

/// Why two models cannot become one.
///
/// ```
/// use supple::Transform;
/// use supple_io::{JoinError, attach};
///
/// let (man, chair) = (supple_zoo::make("man", 0)?, supple_zoo::make("chair", 0)?);
/// let error = attach(&man, &chair, "hnad_r", &Transform::IDENTITY).unwrap_err();
/// assert!(matches!(&error, JoinError::UnknownNode { name, .. } if name == "hnad_r"));
/// assert!(error.to_string().contains("the nearest: \"hand_r\""));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum JoinError {
    /// A name that no bone has.
    #[error("there is no bone {name:?}; {}", offered(nearest))]
    UnknownNode {
        /// What was asked for.
        name: String,
        /// Names that are much like it, the most alike first.
        nearest: Vec<String>,
    },
    /// A name that several bones have.
    #[error("{count} bones are called {name:?}; rename all but one of them")]
    AmbiguousNode {
        /// What was asked for.
        name: String,
        /// How many there are.
        count: usize,
    },
    /// A bone that is scaled to nothing where it should carry something.
    #[error("bone {name:?} is scaled to nothing in the rest pose, it cannot carry anything")]
    FlatNode {
        /// The bone.
        name: String,
    },
    /// A placement that would leave nothing.
    #[error("the placement must have finite numbers, a rotation of unit length and no scale of 0")]
    Placement,
    /// A model that cannot take its own rest pose.
    #[error("the {model} model cannot take its rest pose")]
    RestPose {
        /// First or second.
        model: &'static str,
        /// Why not.
        #[source]
        source: PoseError,
    },
    /// Reference shapes share one set of weights.
    #[error(
        "a model that blends whole reference shapes can only be joined with one that has neither these nor morph targets"
    )]
    TwoRestStages,
    /// More than a `u32` can number.
    #[error("together the models have {count} {what}, at most 4294967295 can be numbered")]
    TooLarge {
        /// How many there are.
        count: usize,
        /// Vertices, triangles, joints, nodes.
        what: &'static str,
    },
    /// The pieces do not fit together.
    #[error(transparent)]
    Model(#[from] ModelError),
}

fn offered(nearest: &[String]) -> String {
    match nearest {
        [] => "no bone has a name".to_owned(),
        names => {
            let quoted: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
            format!("the nearest: {}", quoted.join(", "))
        }
    }
}
