//! What can be wrong with a file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::model::ModelError;
use crate::tree::BuildError;

/// Why a shape could not be saved or loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StorageError {
    /// The file system says no.
    #[error("{} cannot be written: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file system says no.
    #[error("{} cannot be read: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The shape cannot be written in this format.
    #[error("the {section} cannot be stored: it has {what}")]
    NotStorable {
        /// Which piece.
        section: &'static str,
        /// What stands in the way.
        what: &'static str,
    },
    /// The stored model is beyond what a shape may be.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// Some other file.
    #[error("this is not a shape file: it does not start with \"SUPPLE\"")]
    NotAShape,
    /// Written by another version of the library.
    #[error(
        "the file has format version {found}, this library reads version {expected}; build the shape anew"
    )]
    Version {
        /// Version of the file.
        found: u32,
        /// Version of the library.
        expected: u32,
    },
    /// The file stops too early.
    #[error("the file ends at byte {length}, inside the {section} that starts at byte {start}")]
    Truncated {
        /// What is cut.
        section: &'static str,
        /// Where it starts.
        start: usize,
        /// Length of the file.
        length: usize,
    },
    /// The file goes on after its end.
    #[error("the file should end at byte {expected}, but has {length} bytes")]
    Prolonged {
        /// Where the last section ends.
        expected: usize,
        /// Length of the file.
        length: usize,
    },
    /// A section that does not start with its tag.
    #[error("at byte {start} the {section} should start, but its tag is not there")]
    WrongTag {
        /// What was expected.
        section: &'static str,
        /// Where.
        start: usize,
    },
    /// Some byte has changed.
    #[error(
        "the {section} (bytes {start} to {end}) is damaged: its checksum is {found:016x}, not {expected:016x}"
    )]
    Checksum {
        /// What is damaged.
        section: &'static str,
        /// Where it starts.
        start: usize,
        /// Where it ends.
        end: usize,
        /// What the file says.
        expected: u64,
        /// What its bytes say.
        found: u64,
    },
    /// A section with a right checksum that says something impossible.
    #[error("the {section} is wrong before byte {byte}: {what}")]
    Wrong {
        /// Which piece.
        section: &'static str,
        /// Up to where it was read.
        byte: usize,
        /// What is wrong.
        what: String,
    },
    /// Pieces that are right but do not fit together.
    #[error("the pieces of the model do not fit together: {0}")]
    Model(#[from] ModelError),
}
