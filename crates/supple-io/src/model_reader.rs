//! Files of any known format as models.

use std::path::Path;

use supple::Model;

use crate::format::Format;
use crate::mistaken_files::mistaken_for;
use crate::other_files::{OtherFiles, files_in};
use crate::whole_file::read_whole_file;
use crate::{LoadError, Problem, ReadOptions, gltf_reader, obj};

/// A model with what the reader has to say about its file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// What was odd in the file, where, and how it was handled; empty for a clean file.
    pub notes: Vec<String>,
    /// The kind of file: `glTF 2.0 (text)`, `glTF 2.0 (binary)`, ...
    pub format: &'static str,
    /// The program that wrote the file, where the file says so.
    pub generator: Option<String>,
    /// What of the file is not in the model, and why: clips that are wrong, meshes outside of the scene. Also among the
    /// notes.
    pub left_out: Vec<String>,
    /// Names of the scenes of a glTF; one without a name is called `scene N`.
    pub scenes: Vec<String>,
    /// Which of them was read.
    pub scene: Option<usize>,
}

impl Loaded {
    /// A model of a file that has nothing else to tell.
    pub(crate) fn plain(model: Model, format: &'static str) -> Self {
        Self {
            model,
            notes: Vec::new(),
            format,
            generator: None,
            left_out: Vec::new(),
            scenes: Vec::new(),
            scene: None,
        }
    }
}

/// Loads a model from a file of any known format, which is found by its content and its extension.
///
/// ```no_run
/// let fox = supple_io::load("fox.glb")?;
/// # Ok::<(), supple_io::LoadError>(())
/// ```
///
/// # Errors
/// The file cannot be read, is of an unknown format, or is not what its format demands.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    read(path).map(|loaded| loaded.model)
}

/// Like [`load`], with notes about what was odd in the file. Other files that it names are looked for in its folder.
///
/// ```no_run
/// let fox = supple_io::read("fox.glb")?;
/// fox.notes.iter().for_each(|note| println!("{}: {note}", fox.format));
/// # Ok::<(), supple_io::LoadError>(())
/// ```
///
/// # Errors
/// The file cannot be read, is of an unknown format, or is not what its format demands.
pub fn read(path: impl AsRef<Path>) -> Result<Loaded, LoadError> {
    read_with(path, &ReadOptions::default())
}

/// Like [`read`], with a choice of what is read.
///
/// ```no_run
/// let lobby = supple_io::read_with("hotel.glb", &supple_io::ReadOptions::default().with_scene("Lobby"))?;
/// # Ok::<(), supple_io::LoadError>(())
/// ```
///
/// # Errors
/// Those of [`read`], and a scene that is not there.
pub fn read_with(path: impl AsRef<Path>, options: &ReadOptions) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    read_whole_file(path)
        .map_err(Problem::from)
        .and_then(|bytes| read_any(&path.to_string_lossy(), &bytes, &mut files_in(folder), options))
        .map_err(|problem| problem.in_file(path))
}

/// Like [`read`], from memory: `name` is the name of the file or only its extension, `other_files` gives the bytes of other
/// files that this one names. Nothing touches the file system.
///
/// Only a glTF names other files that matter here: buffers that are not in it. Where there are none,
/// [`no_other_files`](crate::no_other_files) will do.
///
/// ```
/// let triangle = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
/// let read = supple_io::read_bytes("triangle.obj", triangle, &mut supple_io::no_other_files)?;
/// assert_eq!(read.model.mesh().triangles(), [[0, 1, 2]]);
///
/// // A glTF with its buffer in another file, which may come out of an archive or from the network.
/// let text = br#"{
///     "asset": { "version": "2.0" },
///     "buffers": [{ "byteLength": 36, "uri": "corners.bin" }],
///     "bufferViews": [{ "buffer": 0, "byteLength": 36 }],
///     "accessors": [{ "bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3" }],
///     "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
///     "nodes": [{ "mesh": 0 }]
/// }"#;
/// let corners: Vec<u8> = [0f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()).collect();
/// let mut other_files = |name: &str| match name {
///     "corners.bin" => Ok(corners.clone()),
///     _ => supple_io::no_other_files(name),
/// };
/// let again = supple_io::read_bytes("triangle.gltf", text, &mut other_files)?;
/// assert_eq!(again.model.mesh().positions(), read.model.mesh().positions());
/// # Ok::<(), supple_io::LoadError>(())
/// ```
///
/// # Errors
/// Bytes of an unknown format, or not what their format demands; another file is missing.
pub fn read_bytes(name: &str, bytes: &[u8], other_files: OtherFiles) -> Result<Loaded, LoadError> {
    read_bytes_with(name, bytes, other_files, &ReadOptions::default())
}

/// Like [`read_bytes`], with a choice of what is read.
///
/// # Errors
/// Those of [`read_bytes`], and a scene that is not there.
pub fn read_bytes_with(
    name: &str,
    bytes: &[u8],
    other_files: OtherFiles,
    options: &ReadOptions,
) -> Result<Loaded, LoadError> {
    read_any(name, bytes, other_files, options).map_err(|problem| problem.in_file(name))
}

fn read_any(
    name: &str,
    bytes: &[u8],
    other_files: OtherFiles,
    options: &ReadOptions,
) -> Result<Loaded, Problem> {
    if let Some(what) = mistaken_for(bytes) {
        return Err(Problem::Mistaken(what));
    }
    let format = Format::of(name, bytes)?;
    if let (Some(wanted), true) = (&options.scene, format != Format::Gltf) {
        let available = "only glTF files have scenes".to_owned();
        return Err(Problem::NoSuchScene { wanted: wanted.clone(), available });
    }
    match format {
        Format::Gltf => gltf_reader::read(bytes, other_files, options),
        Format::Obj => Ok(Loaded::plain(obj::read(bytes)?, "Wavefront OBJ")),
        Format::Bvh => Err(Problem::MotionOnly),
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read(bytes),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(Format::left_out()),
    }
}
