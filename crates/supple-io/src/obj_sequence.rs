//! Sequences of OBJ files: one mesh that moves, a file per frame.
//!
//! In: a folder, a pattern `name_####.obj`, a prefix, or a list of paths. Out: the first file as a model, and all
//! positions as a vertex cache. Must hold: all files have the same triangles.

use std::path::{Path, PathBuf};

use glam::Vec3;
use supple::Model;

use crate::obj::{self, obj_bytes};
use crate::vertex_cache::VertexCache;
use crate::whole_file::{MAX_FILE_BYTES, read_whole_file};
use crate::write_error::{Unsuitable, WriteError, write_bytes};
use crate::{LoadError, OtherFiles, Problem};

/// Positions of all frames together.
const MAX_POSITIONS: u64 = MAX_FILE_BYTES / 12;

/// A mesh and its positions over time.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjSequence {
    /// The first file.
    pub model: Model,
    /// Positions of every file, the first included.
    pub cache: VertexCache,
}

/// Reads OBJ files as frames, in the order given.
///
/// # Errors
/// No file, a file that cannot be read, a file with another number of vertices or other triangles than the first.
pub fn read_obj_sequence(
    paths: &[impl AsRef<Path>],
    frames_per_second: f32,
) -> Result<ObjSequence, LoadError> {
    let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
    read_frames(&paths, frames_per_second, read_whole_file)
}

/// Like [`read_obj_sequence`], from memory: `files` gives the bytes of each of the names, one after the other.
///
/// ```
/// let frame = |name: &str| Ok(format!("v 0 0 {}\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", name.len()).into_bytes());
/// let read = supple_io::read_obj_sequence_bytes(&["a", "bb", "ccc"], 24.0, &mut { frame })?;
/// assert_eq!(read.cache.frames.iter().map(|frame| frame[0].z).collect::<Vec<_>>(), [1.0, 2.0, 3.0]);
/// # Ok::<(), supple_io::LoadError>(())
/// ```
///
/// # Errors
/// Those of [`read_obj_sequence`].
pub fn read_obj_sequence_bytes(
    names: &[impl AsRef<str>],
    frames_per_second: f32,
    files: OtherFiles,
) -> Result<ObjSequence, LoadError> {
    let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
    read_frames(&names, frames_per_second, files)
}

fn read_frames<Name: AsRef<Path> + Copy>(
    names: &[Name],
    frames_per_second: f32,
    mut files: impl FnMut(Name) -> std::io::Result<Vec<u8>>,
) -> Result<ObjSequence, LoadError> {
    let Some((&first, others)) = names.split_first() else {
        return Err(Problem::invalid("sequence", "no files").in_file(""));
    };
    let mut read = |name: Name| files(name).map_err(Problem::from).and_then(|bytes| obj::read(&bytes));
    let model = read(first).map_err(|problem| problem.in_file(first))?;
    let vertices = model.mesh().positions().len();
    // All positions are kept: no more than a vertex cache could hold.
    if (vertices as u64).saturating_mul(names.len() as u64) > MAX_POSITIONS {
        let message = format!(
            "{} files with {vertices} vertices each are too many; {} million positions are possible",
            names.len(),
            MAX_POSITIONS / 1_000_000
        );
        return Err(Problem::invalid("sequence", message).in_file(first));
    }
    let mut frames = vec![model.mesh().positions().to_vec()];
    for &name in others {
        let frame = read(name).and_then(|frame| {
            same_topology(first.as_ref(), &model, &frame)?;
            Ok(frame)
        });
        frames.push(frame.map_err(|problem| problem.in_file(name))?.mesh().positions().to_vec());
    }
    let cache = VertexCache::evenly(frames, 0.0, frames_per_second);
    Ok(ObjSequence { model, cache })
}

/// The files of a sequence, numbers in names compared as numbers.
///
/// `spec` is a folder (all its OBJ files), a pattern in which a run of `#` stands for a number of any length
/// (`cloth_####.obj`), or a prefix (`out/cloth_` for `out/cloth_1.obj` and all others that begin so).
///
/// # Errors
/// The folder cannot be read, or no file matches.
pub fn find_obj_sequence(spec: impl AsRef<Path>) -> Result<Vec<PathBuf>, LoadError> {
    let spec = spec.as_ref();
    let (folder, pattern) = if spec.is_dir() {
        (spec.to_owned(), String::new())
    } else {
        let folder = spec.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        (folder.to_owned(), spec.file_name().unwrap_or_default().to_string_lossy().into_owned())
    };
    let entries = std::fs::read_dir(&folder).map_err(|error| Problem::from(error).in_file(&folder))?;
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| Problem::from(error).in_file(&folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.to_lowercase().ends_with(".obj") && matches_pattern(&name, &pattern) {
            found.push((natural_key(&name), path));
        }
    }
    if found.is_empty() {
        return Err(Problem::invalid("sequence", "no OBJ file matches").in_file(spec));
    }
    found.sort();
    Ok(found.into_iter().map(|(_, path)| path).collect())
}

/// Writes every frame as an OBJ file: `name_####.obj` with the run of `#` replaced by the frame's number from 0,
/// at least as many digits as there are `#`. Returns the files.
///
/// # Errors
/// The pattern has no `#`, or a file cannot be written.
pub fn write_obj_sequence(
    pattern: impl AsRef<Path>,
    frames: &[Vec<Vec3>],
    triangles: &[[u32; 3]],
) -> Result<Vec<PathBuf>, WriteError> {
    let pattern = pattern.as_ref();
    let name = pattern.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let Some((before, digits, after)) = split_pattern(&name) else {
        let message = "the name of a sequence needs # for the frame's number";
        return Err(Unsuitable::new(message).in_file(pattern));
    };
    let mut files = Vec::with_capacity(frames.len());
    for (number, frame) in frames.iter().enumerate() {
        let file = pattern.with_file_name(format!("{before}{number:0digits$}{after}"));
        let bytes = obj_bytes(frame, triangles, None, None).map_err(|e| e.in_file(&file))?;
        write_bytes(&file, &bytes)?;
        files.push(file);
    }
    Ok(files)
}

fn same_topology(first_path: &Path, first: &Model, frame: &Model) -> Result<(), Problem> {
    let first_name = first_path.display();
    let counts = |model: &Model| (model.mesh().positions().len(), model.mesh().triangles().len());
    let ((vertices, triangles), (first_vertices, first_triangles)) = (counts(frame), counts(first));
    if (vertices, triangles) != (first_vertices, first_triangles) {
        let message = format!(
            "has {vertices} vertices and {triangles} triangles, {first_name} has {first_vertices} and \
             {first_triangles}; all files of a sequence must have the same"
        );
        return Err(Problem::invalid("sequence", message));
    }
    let pairs = || frame.mesh().triangles().iter().zip(first.mesh().triangles());
    match pairs().position(|(a, b)| a != b) {
        Some(index) => {
            let message = format!("names other vertices than in {first_name}");
            Err(Problem::invalid(format!("triangle {index}"), message))
        }
        None => Ok(()),
    }
}

fn matches_pattern(name: &str, pattern: &str) -> bool {
    match split_pattern(pattern) {
        Some((before, _, after)) => name
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after))
            .is_some_and(|number| !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit())),
        None => name.starts_with(pattern),
    }
}

/// What stands before the first run of `#`, how long the run is, and what stands after it.
fn split_pattern(pattern: &str) -> Option<(&str, usize, &str)> {
    let start = pattern.find('#')?;
    let rest = &pattern[start..];
    let digits = rest.len() - rest.trim_start_matches('#').len();
    Some((&pattern[..start], digits, &rest[digits..]))
}

/// Text and numbers in turn, so that `a2` comes before `a10`; the name itself breaks ties.
fn natural_key(name: &str) -> (Vec<(String, usize, String)>, String) {
    let mut key = Vec::new();
    // Without what follows the last dot, so that `a` comes before `a1`.
    let mut rest = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    while !rest.is_empty() {
        let text = &rest[..rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len())];
        rest = &rest[text.len()..];
        let digits = &rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())];
        rest = &rest[digits.len()..];
        // Numbers of any length compare by length first, once leading zeros are gone.
        let number = digits.trim_start_matches('0');
        key.push((text.to_owned(), number.len(), number.to_owned()));
    }
    (key, name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count_as_numbers() {
        let mut names = ["a10.obj", "a2.obj", "a002b.obj", "a1.obj", "a.obj"];
        names.sort_by_key(|name| natural_key(name));
        assert_eq!(names, ["a.obj", "a1.obj", "a2.obj", "a002b.obj", "a10.obj"]);
    }

    #[test]
    fn patterns_and_prefixes_choose_files() {
        assert!(matches_pattern("cloth_12.obj", "cloth_####.obj"));
        assert!(!matches_pattern("cloth_.obj", "cloth_####.obj"));
        assert!(!matches_pattern("cloth_1b.obj", "cloth_#.obj"));
        assert!(matches_pattern("cloth_1b.obj", "cloth_"));
        assert!(!matches_pattern("coat_1.obj", "cloth_"));
    }
}
