//! What may be wrong with classes of triangles, or with a question that names them.

use thiserror::Error;

/// Why triangles cannot be divided into classes, or why a body cannot be asked about them.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ClassError {
    /// Every triangle has one class.
    #[error(
        "{classes} classes were given for the {triangles} triangles of the shape; every triangle has one"
    )]
    WrongCount {
        /// How many were given.
        classes: usize,
        /// How many triangles the shape has.
        triangles: usize,
    },
    /// A class that no triangle belongs to, below one that has triangles.
    #[error("no triangle belongs to class {class}; classes are numbered from 0 without gaps")]
    EmptyClass {
        /// The class.
        class: u32,
    },
    /// A class that does not exist.
    #[error("class {class} was asked for; there are {count}, numbered from 0")]
    UnknownClass {
        /// The class.
        class: u32,
        /// How many there are.
        count: usize,
    },
    /// A body whose triangles are others.
    #[error("the body has another shape than the one whose triangles were divided into classes")]
    OtherShape,
    /// The rest pose cannot be evaluated.
    #[error("the model's rest pose is not finite")]
    RestPose,
}
