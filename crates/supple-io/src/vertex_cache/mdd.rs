//! MDD: big-endian; frames, points, one time in seconds per frame; then positions.

use std::path::Path;

use super::{VertexCache, check_length, read_count, read_frames, stored_count, word};
use crate::whole_file::read_whole_file;
use crate::write_error::{Unsuitable, WriteError, write_bytes};
use crate::{LoadError, Problem};

const HEADER: usize = 8;

/// Reads an MDD file.
///
/// # Errors
/// The file cannot be read or is not what its header promises.
pub fn read_mdd(path: impl AsRef<Path>) -> Result<VertexCache, LoadError> {
    let path = path.as_ref();
    read_whole_file(path)
        .map_err(Problem::from)
        .and_then(|bytes| read_mdd_bytes(&bytes))
        .map_err(|problem| problem.in_file(path))
}

/// Reads the bytes of an MDD file.
///
/// ```
/// use glam::Vec3;
/// use supple_io::{VertexCache, mdd_bytes, read_mdd_bytes};
///
/// let cache = VertexCache::evenly(vec![vec![Vec3::ZERO], vec![Vec3::X]], 0.0, 25.0);
/// let bytes = mdd_bytes(&cache)?;
/// assert_eq!(read_mdd_bytes(&bytes)?, cache);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// They are not what their header promises.
pub fn read_mdd_bytes(bytes: &[u8]) -> Result<VertexCache, Problem> {
    if bytes.len() < HEADER {
        let message = format!("expected at least 8 bytes, the file has {}", bytes.len());
        return Err(Problem::invalid("header", message));
    }
    let count = read_count("frames", 0, i32::from_be_bytes(word(bytes, 0)))?;
    let vertices = read_count("points", 4, i32::from_be_bytes(word(bytes, 4)))?;
    if count == 0 || vertices == 0 {
        return Err(Problem::invalid("header", format!("{count} frames of {vertices} points are nothing")));
    }
    check_length(HEADER, count, 4 + vertices as u128 * 12, bytes.len())?;
    let times: Vec<f32> = (0..count).map(|i| f32::from_be_bytes(word(bytes, HEADER + i * 4))).collect();
    if let Some(frame) = times.iter().position(|t| !t.is_finite()) {
        return Err(Problem::invalid(format!("frame {frame}"), format!("its time is {}", times[frame])));
    }
    let frames = read_frames(bytes, HEADER + count * 4, count, vertices, f32::from_be_bytes)?;
    Ok(VertexCache { times, frames })
}

/// Writes an MDD file.
///
/// # Errors
/// The file cannot be written, or frames have different sizes.
pub fn write_mdd(path: impl AsRef<Path>, cache: &VertexCache) -> Result<(), WriteError> {
    let path = path.as_ref();
    let bytes = mdd_bytes(cache).map_err(|e| e.in_file(path))?;
    write_bytes(path, &bytes)
}

/// The bytes of an MDD file.
///
/// See [`read_mdd_bytes`] for an example.
///
/// # Errors
/// What is in the way: frames of different sizes, nothing at all.
pub fn mdd_bytes(cache: &VertexCache) -> Result<Vec<u8>, Unsuitable> {
    cache.check()?;
    let vertices = cache.vertex_count();
    if vertices == 0 {
        return Err(Unsuitable::new("MDD needs at least one frame with one vertex"));
    }
    let mut bytes = Vec::with_capacity(HEADER + cache.frames.len() * (4 + vertices * 12));
    for (what, count) in [("frames", cache.frames.len()), ("points", vertices)] {
        let mut stored = stored_count(what, count)?;
        stored.reverse();
        bytes.extend(stored);
    }
    let positions = cache.frames.iter().flatten().flat_map(|p| p.to_array());
    for number in cache.times.iter().copied().chain(positions) {
        bytes.extend(number.to_be_bytes());
    }
    Ok(bytes)
}
