//! Files of motion: a skeleton and clips, whether there is a mesh or not.

use supple::Clip;
use supple::pose::Skeleton;

use crate::format::Format;
use crate::{LoadError, Problem};

/// A skeleton with its clips.
#[derive(Clone, Debug, PartialEq)]
pub struct Motion {
    /// All nodes; joints are the bones.
    pub skeleton: Skeleton,
    /// The clips, of nodes of the skeleton.
    pub clips: Vec<Clip>,
    /// What was odd in the file, where, and how it was handled.
    pub notes: Vec<String>,
}

/// Reads skeleton and clips of an FBX (with the feature `fbx`) from memory; `name` is the name of the file or only its extension.
/// Unlike [`read_bytes`](crate::read_bytes) it needs no mesh.
///
/// # Errors
/// Bytes of another format, or not what their format demands.
pub fn read_motion_bytes(name: &str, bytes: &[u8]) -> Result<Motion, LoadError> {
    let read = Format::of(name, bytes).and_then(|format| match format {
        #[cfg(feature = "fbx")]
        Format::Fbx => crate::fbx::read_motion(bytes),
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => Err(Format::left_out()),
        Format::Gltf | Format::Obj => {
            Err(Problem::invalid("motion", "can be read without a mesh only from an .fbx file"))
        }
    });
    read.map_err(|problem| problem.in_file(name))
}
