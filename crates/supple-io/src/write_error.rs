//! Why something could not be written.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::glb_writer::GlbError;

/// A file that could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The operating system did not take the bytes.
    #[error("{}: cannot be written: {source}", file.display())]
    Io {
        /// The file, as it was given.
        file: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The data do not fit the format.
    #[error("{}: {message}", file.display())]
    Unsuitable {
        /// The file, as it was given.
        file: PathBuf,
        /// What the format needs and what there was.
        message: String,
    },
    /// The model cannot be said in glTF.
    #[error("{}: {source}", file.display())]
    Glb {
        /// The file, as it was given.
        file: PathBuf,
        /// What is in the way.
        source: GlbError,
    },
}

/// Why data do not fit a format.
#[derive(Clone, Debug, Error, PartialEq)]
#[error("{message}")]
#[non_exhaustive]
pub struct Unsuitable {
    /// What the format needs and what there was.
    pub message: String,
}

impl Unsuitable {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }

    /// Names the file.
    pub(crate) fn in_file(self, file: &Path) -> WriteError {
        WriteError::Unsuitable { file: file.to_owned(), message: self.message }
    }
}

/// Writes all bytes of a file.
pub(crate) fn write_bytes(file: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    std::fs::write(file, bytes).map_err(|source| WriteError::Io { file: file.to_owned(), source })
}
