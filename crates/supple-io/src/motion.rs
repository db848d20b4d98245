//! Motion without a mesh: a skeleton and its clips, to be played on a character that has bones of the same names.
//!
//! In: glTF with or without meshes, BVH, or a model. Out: a [`Motion`]; [`retarget`](crate::retarget()) plays it on a model.

use std::ops::Range;
use std::path::Path;

use glam::DAffine3;
use supple::pose::{Joint, Skeleton};
use supple::{Clip, Model};

use crate::format::Format;
use crate::mistaken_files::mistaken_for;
use crate::other_files::{OtherFiles, files_in};
use crate::whole_file::read_whole_file;
use crate::{LoadError, Problem, bvh, gltf_reader};

/// A skeleton, its clips, and what was odd in their file.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// The nodes that clips move, with the pose in which nothing moves them.
    pub skeleton: Skeleton,
    /// Clips, whose channels name nodes of the skeleton and numbers of morph targets.
    pub clips: Vec<Clip>,
    /// Names of the morph targets that clips may move; may be empty and need not be unique.
    pub morph_targets: Vec<String>,
    /// What was odd, where, and how it was handled.
    pub notes: Vec<String>,
}

impl From<&Model> for Motion {
    /// Skeleton and clips of a model.
    fn from(model: &Model) -> Self {
        Self {
            skeleton: model.skeleton().clone(),
            clips: model.clips().to_vec(),
            morph_targets: model.rest().names().to_vec(),
            notes: Vec::new(),
        }
    }
}

/// Reads the clips of a file, which needs no mesh: `.glb`, `.gltf`, `.vrm` or `.bvh`; with the feature `fbx` also `.fbx`.
///
/// Lengths are those of the file; BVH files do not say what their unit is.
///
/// ```no_run
/// let character = supple_io::load("character.glb")?;
/// let walk = supple_io::read_motion("walk.bvh")?;
/// let played = supple_io::retarget(&character, &walk, &supple_io::RetargetOptions::default())?;
/// let character = character.with_clips(played.clips)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The file cannot be read, is of an unknown format or of one without clips, or is not what its format demands.
pub fn read_motion(path: impl AsRef<Path>) -> Result<Motion, LoadError> {
    let path = path.as_ref();
    let folder = path.parent().unwrap_or(Path::new(""));
    read_whole_file(path)
        .map_err(Problem::from)
        .and_then(|bytes| read_any(&path.to_string_lossy(), &bytes, &mut files_in(folder)))
        .map_err(|problem| problem.in_file(path))
}

/// Like [`read_motion`], from memory: `name` is the name of the file or only its extension.
///
/// # Errors
/// Bytes of an unknown format or of one without clips, or not what their format demands; another file is missing.
pub fn read_motion_bytes(name: &str, bytes: &[u8], other_files: OtherFiles) -> Result<Motion, LoadError> {
    read_any(name, bytes, other_files).map_err(|problem| problem.in_file(name))
}

fn read_any(name: &str, bytes: &[u8], other_files: OtherFiles) -> Result<Motion, Problem> {
    if let Some(what) = mistaken_for(bytes) {
        return Err(Problem::Mistaken(what));
    }
    match Format::of(name, bytes)? {
        Format::Gltf => gltf_reader::read_motion(bytes, other_files),
        Format::Bvh => bvh::read(bytes),
        Format::Obj => Err(Problem::invalid("OBJ", "has no clips; expected glTF, FBX or BVH")),
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read_motion(bytes),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(Format::left_out()),
    }
}

/// A joint for every node: there is no skin that chooses.
pub(crate) fn bones_of(nodes: Range<usize>) -> Vec<Joint> {
    nodes.map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).collect()
}
