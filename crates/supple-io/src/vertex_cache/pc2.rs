//! PC2: little-endian; `POINTCACHE2\0`, version 1, points, start frame, frames per sample, samples; then positions.
//!
//! Times are frame numbers in the file, so that reading and writing need the frame rate.

use std::path::Path;

use super::{VertexCache, check_length, read_count, read_frames, stored_count, word};
use crate::whole_file::read_whole_file;
use crate::write_error::{Unsuitable, WriteError, write_bytes};
use crate::{LoadError, Problem};

const MAGIC: &[u8; 12] = b"POINTCACHE2\0";
const HEADER: usize = 32;

/// Reads a PC2 file.
///
/// # Errors
/// The file cannot be read or is not what its header promises.
pub fn read_pc2(path: impl AsRef<Path>, frames_per_second: f32) -> Result<VertexCache, LoadError> {
    let path = path.as_ref();
    read_whole_file(path)
        .map_err(Problem::from)
        .and_then(|bytes| read_pc2_bytes(&bytes, frames_per_second))
        .map_err(|problem| problem.in_file(path))
}

/// Reads the bytes of a PC2 file.
///
/// ```
/// use glam::Vec3;
/// use supple_io::{VertexCache, pc2_bytes, read_pc2_bytes};
///
/// let cache = VertexCache::evenly(vec![vec![Vec3::ZERO], vec![Vec3::X]], 0.0, 25.0);
/// let bytes = pc2_bytes(&cache, 25.0)?;
/// assert_eq!(read_pc2_bytes(&bytes, 25.0)?, cache);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// They are not what their header promises.
pub fn read_pc2_bytes(bytes: &[u8], frames_per_second: f32) -> Result<VertexCache, Problem> {
    if bytes.len() < HEADER || &bytes[..12] != MAGIC {
        let message = format!("expected 32 bytes that begin with POINTCACHE2, the file has {}", bytes.len());
        return Err(Problem::invalid("header", message));
    }
    if !(frames_per_second > 0.0 && frames_per_second.is_finite()) {
        return Err(Problem::invalid(
            "frame rate",
            format!("{frames_per_second}, expected a positive number"),
        ));
    }
    let version = i32::from_le_bytes(word(bytes, 12));
    if version != 1 {
        return Err(Problem::invalid("byte 12", format!("version {version}, expected 1")));
    }
    let vertices = read_count("points", 16, i32::from_le_bytes(word(bytes, 16)))?;
    let start = f32::from_le_bytes(word(bytes, 20));
    let step = f32::from_le_bytes(word(bytes, 24));
    if !start.is_finite() || !step.is_finite() {
        let message = format!("start {start} and frames per sample {step} must be finite");
        return Err(Problem::invalid("byte 20", message));
    }
    let samples = read_count("samples", 28, i32::from_le_bytes(word(bytes, 28)))?;
    // Without points a tiny file could promise billions of empty frames.
    if vertices == 0 || samples == 0 {
        return Err(Problem::invalid(
            "header",
            format!("{samples} samples of {vertices} points are nothing"),
        ));
    }
    check_length(HEADER, samples, vertices as u128 * 12, bytes.len())?;
    let frames = read_frames(bytes, HEADER, samples, vertices, f32::from_le_bytes)?;
    let seconds =
        |sample: usize| (f64::from(start) + sample as f64 * f64::from(step)) / f64::from(frames_per_second);
    Ok(VertexCache { times: (0..samples).map(|sample| seconds(sample) as f32).collect(), frames })
}

/// Writes a PC2 file.
///
/// # Errors
/// The file cannot be written, or the cache is not one that PC2 can hold.
pub fn write_pc2(
    path: impl AsRef<Path>,
    cache: &VertexCache,
    frames_per_second: f32,
) -> Result<(), WriteError> {
    let path = path.as_ref();
    let bytes = pc2_bytes(cache, frames_per_second).map_err(|e| e.in_file(path))?;
    write_bytes(path, &bytes)
}

/// The bytes of a PC2 file.
///
/// See [`read_pc2_bytes`] for an example.
///
/// # Errors
/// What is in the way: frames of different sizes, times that are not evenly spaced, nothing at all.
pub fn pc2_bytes(cache: &VertexCache, frames_per_second: f32) -> Result<Vec<u8>, Unsuitable> {
    cache.check()?;
    let vertices = cache.vertex_count();
    if vertices == 0 {
        return Err(Unsuitable::new("PC2 needs at least one frame with one vertex"));
    }
    let (start, step) = even_times(&cache.times, frames_per_second)?;
    let mut bytes = Vec::with_capacity(HEADER + cache.frames.len() * vertices * 12);
    bytes.extend(MAGIC);
    bytes.extend(1i32.to_le_bytes());
    bytes.extend(stored_count("points", vertices)?);
    bytes.extend(start.to_le_bytes());
    bytes.extend(step.to_le_bytes());
    bytes.extend(stored_count("samples", cache.frames.len())?);
    for number in cache.frames.iter().flatten().flat_map(|p| p.to_array()) {
        bytes.extend(number.to_le_bytes());
    }
    Ok(bytes)
}

/// First frame number and frames per sample.
fn even_times(times: &[f32], frames_per_second: f32) -> Result<(f32, f32), Unsuitable> {
    let (first, last) = (f64::from(times[0]), f64::from(times[times.len() - 1]));
    let steps = times.len().saturating_sub(1).max(1) as f64;
    let step = (last - first) / steps;
    // Times come rounded to f32 and from other frame rates; a thousandth of a step is no visible shift.
    let uneven =
        |(i, &t): (usize, &f32)| (f64::from(t) - (first + i as f64 * step)).abs() > 1e-3 * step.abs();
    if let Some(frame) = times.iter().enumerate().position(uneven) {
        let message = "PC2 needs evenly spaced frames";
        return Err(Unsuitable::new(format!("{message}, but frame {frame} is at {} s", times[frame])));
    }
    let rate = f64::from(frames_per_second);
    let frames_per_sample = if times.len() > 1 { step * rate } else { 1.0 };
    let (start, step) = ((first * rate) as f32, frames_per_sample as f32);
    if start.is_finite() && step.is_finite() {
        return Ok((start, step));
    }
    Err(Unsuitable::new(format!("PC2 needs finite times and a finite frame rate, not {frames_per_second}")))
}
