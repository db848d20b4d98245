//! What can go wrong: the size of a canvas, the PNG encoder, the file.
//!
//! Written by hand rather than derived, so that the crate needs nothing beyond glam and png.

use std::fmt;
use std::path::PathBuf;

/// Why a canvas could not be made or written.
#[derive(Debug)]
#[non_exhaustive]
pub enum DrawError {
    /// A side of the canvas is zero, or the canvas is larger than supported.
    Size {
        /// The width asked for, in pixels.
        width: u32,
        /// The height asked for, in pixels.
        height: u32,
    },
    /// The picture could not be encoded as PNG.
    Encode(png::EncodingError),
    /// The file could not be written.
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
}

impl fmt::Display for DrawError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size { width, height } => write!(
                out,
                "canvas of {width} x {height} pixels: expected sides of 1 to {} and at most {} pixels in all",
                crate::canvas::MAX_SIDE,
                crate::canvas::MAX_PIXELS
            ),
            Self::Encode(source) => write!(out, "picture could not be encoded as PNG: {source}"),
            Self::Write { path, source } => {
                write!(out, "{}: picture could not be written: {source}", path.display())
            }
        }
    }
}

impl std::error::Error for DrawError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Size { .. } => None,
            Self::Encode(source) => Some(source),
            Self::Write { source, .. } => Some(source),
        }
    }
}
