//! Reads and writes files for `supple`: glTF, OBJ and vertex caches.
//!
//! In: a path. Out: a [`Model`], with notes about what was odd in the file and how it was handled.
//! Must hold: no file, however broken, makes a reader panic or allocate without bound; it gives a [`LoadError`] that
//! names the file, the object in it and what was expected.
//!
//! ```no_run
//! let model = supple_io::load("fox.glb")?;
//! println!("{} triangles", model.mesh().triangles().len());
//! # Ok::<(), supple_io::LoadError>(())
//! ```

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod error;
#[cfg(feature = "fbx")]
mod fbx;
mod glb_writer;
mod gltf_reader;
mod obj;
mod obj_sequence;
mod vertex_cache;
mod write_error;

use std::path::Path;

use supple::model::Model;

pub use error::{LoadError, Problem};
#[cfg(feature = "fbx")]
pub use fbx::{read_fbx, read_fbx_bytes};
pub use glb_writer::{
    GlbError, Instance, Instances, glb_bytes, instances_glb_bytes, write_glb, write_static_glb,
};
pub use gltf_reader::{MAX_ELEMENTS, read_gltf_bytes};
pub use obj::{obj_text, read_obj, read_obj_bytes, write_obj};
pub use obj_sequence::{ObjSequence, find_obj_sequence, read_obj_sequence, write_obj_sequence};
pub use vertex_cache::{
    VertexCache, mdd_bytes, pc2_bytes, read_mdd, read_mdd_bytes, read_pc2, read_pc2_bytes, write_mdd,
    write_pc2,
};
pub use write_error::WriteError;

/// Extensions of the files that [`read`] knows.
const KNOWN_EXTENSIONS: &str =
    if cfg!(feature = "fbx") { ".gltf, .glb, .vrm, .obj, .fbx" } else { ".gltf, .glb, .vrm, .obj" };

/// A model with what the reader has to say about its file.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What was odd in the file, where, and how it was handled; empty for a clean file.
    pub notes: Vec<String>,
    /// The kind of file: `glTF 2.0 (text)`, `glTF 2.0 (binary)`, ...
    pub format: &'static str,
    /// The program that wrote the file, where the file says so.
    pub generator: Option<String>,
}

/// Loads a model from a file of any known kind, found by its extension.
///
/// # Errors
/// The file cannot be read, is of an unknown kind, or is not what its format demands.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    read(path).map(|loaded| loaded.model)
}

/// Like [`load`], with notes about what was odd in the file.
///
/// # Errors
/// The file cannot be read, is of an unknown kind, or is not what its format demands.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match extension.as_str() {
        "gltf" | "glb" | "vrm" => gltf_reader::read_file(path),
        "obj" => read_plain(path, "Wavefront OBJ", read_obj_bytes),
        #[cfg(feature = "fbx")]
        "fbx" => read_plain(path, "FBX", read_fbx_bytes),
        _ => Err(Problem::UnknownFormat { extension, expected: KNOWN_EXTENSIONS }),
    }
    .map_err(|problem| problem.in_file(path))
}

/// Reads a format whose reader has nothing to say beside the model.
fn read_plain(
    path: &Path,
    format: &'static str,
    read_bytes: fn(&[u8]) -> Result<Model, Problem>,
) -> Result<Loaded, Problem> {
    let model = read_bytes(&std::fs::read(path)?)?;
    Ok(Loaded { model, notes: Vec::new(), format, generator: None })
}
