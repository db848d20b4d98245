//! What can go wrong with a file: which file, which object in it, and what was expected.

use std::io;
use std::path::{Path, PathBuf};

use supple::ModelError;
use thiserror::Error;

/// A file that could not be loaded.
///
/// Reads like `fox.glb: mesh 3 (Body), primitive 0, accessor 17: ends at byte 400 of a buffer of 128 bytes`.
#[derive(Debug, Error)]
#[non_exhaustive]
#[error("{}: {problem}", file.display())]
pub struct LoadError {
    /// The file, as it was given.
    pub file: PathBuf,
    /// What is wrong with it. Part of the text above, so not told again as a source.
    pub problem: Problem,
}

/// What is wrong with the contents of a file.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Problem {
    /// The operating system did not give us the bytes.
    #[error("cannot be read: {0}")]
    Io(#[from] io::Error),
    /// No reader for this kind of file.
    #[error(
        "the kind of file is not known from its extension {extension:?} or its content; expected one of {expected}"
    )]
    UnknownFormat {
        /// What stands after the last dot; may be empty.
        extension: String,
        /// What there are readers for.
        expected: &'static str,
    },
    /// Something else under the name of a model.
    #[error("this is {0}")]
    Mistaken(&'static str),
    /// No scene of that name or number.
    #[error("there is no scene {wanted:?}; {available}")]
    NoSuchScene {
        /// What was asked for.
        wanted: String,
        /// What there is, as a sentence.
        available: String,
    },
    /// Another file that this one names could not be read.
    #[error("{place}: the file {name} cannot be read: {source}")]
    OtherFile {
        /// The object that names it: `buffer 0`.
        place: String,
        /// Its name, relative to this file.
        name: String,
        /// Why. Part of the text above.
        source: io::Error,
    },
    /// The file needs something that this reader does not know.
    #[error("needs the extension {extension}, which is not supported")]
    UnsupportedExtension {
        /// Its name.
        extension: String,
    },
    /// Clips, but nothing that they move: [`read_motion`](crate::read_motion) reads them.
    #[error("has motion but no mesh; it can be played on a character that has one")]
    MotionOnly,
    /// Something in the file is not as it must be.
    #[error("{place}: {message}")]
    Invalid {
        /// The object, from the outside in: `mesh 3 (Body), primitive 0, accessor 17`.
        place: String,
        /// What was found and what was expected.
        message: String,
    },
    /// The pieces were read but do not make a model.
    #[error("does not make a model: {0}")]
    Model(#[from] ModelError),
}

impl Problem {
    /// Something at a place is not as it must be.
    pub fn invalid(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Invalid { place: place.into(), message: message.into() }
    }

    /// Puts an outer place in front of the place of a problem: `accessor 17` becomes `mesh 3, accessor 17`.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        match self {
            Self::Invalid { place, message } => Self::Invalid { place: format!("{outer}, {place}"), message },
            Self::OtherFile { place, name, source } => {
                Self::OtherFile { place: format!("{outer}, {place}"), name, source }
            }
            other => other,
        }
    }

    /// Names the file.
    pub fn in_file(self, file: impl AsRef<Path>) -> LoadError {
        LoadError { file: file.as_ref().to_owned(), problem: self }
    }
}
