//! The bytes of a file, as long as that can be the file of a model.
//!
//! In: a path. Out: all bytes. Must hold: nothing endless is begun, and no memory is taken for what is refused.

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Files are read up to this many bytes: what the lengths in a binary glTF can say. A reader needs a multiple of it in memory.
pub const MAX_FILE_BYTES: u64 = 1 << 32;

/// Likewise of a pipe, which does not tell how much will come: all of it may be in memory before it is refused.
pub const MAX_PIPE_BYTES: u64 = 1 << 30;

/// Reads a file of at most [`MAX_FILE_BYTES`], or a pipe of at most [`MAX_PIPE_BYTES`].
///
/// # Errors
/// The file is larger, is a device or a folder, or cannot be read.
pub fn read_whole_file(path: impl AsRef<Path>) -> Result<Vec<u8>> {
    let path = path.as_ref();
    // Some devices do something when they are opened.
    check(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    check(&metadata)?;
    let mut bytes = Vec::new();
    if metadata.is_file() {
        let length = usize::try_from(metadata.len()).map_err(|_| too_large(metadata.len()))?;
        bytes.try_reserve_exact(length).map_err(|_| Error::from(ErrorKind::OutOfMemory))?;
    }
    let most = if metadata.is_file() { MAX_FILE_BYTES } else { MAX_PIPE_BYTES };
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(too_large(bytes.len() as u64));
    }
    if bytes.starts_with(b"version https://git-lfs.github.com/spec") {
        let what = "this is only a pointer to the file, left by Git LFS; `git lfs pull` gets the file itself";
        return Err(Error::new(ErrorKind::InvalidData, what));
    }
    Ok(bytes)
}

fn check(metadata: &Metadata) -> Result<()> {
    if metadata.is_dir() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a folder"));
    }
    if is_device(metadata) {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a device, expected a file"));
    }
    match metadata.len() {
        length if metadata.is_file() && length > MAX_FILE_BYTES => Err(too_large(length)),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn is_device(metadata: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    let kind = metadata.file_type();
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: &Metadata) -> bool {
    false
}

fn too_large(bytes: u64) -> Error {
    let gigabytes = |bytes: u64| bytes as f64 / 1e9;
    let message = match bytes {
        _ if bytes <= MAX_FILE_BYTES => {
            format!("more than {:.1} GB come out of the pipe", gigabytes(MAX_PIPE_BYTES))
        }
        _ => format!(
            "it has {:.1} GB, files of up to {:.1} GB are read",
            gigabytes(bytes),
            gigabytes(MAX_FILE_BYTES)
        ),
    };
    Error::new(ErrorKind::FileTooLarge, message)
}
