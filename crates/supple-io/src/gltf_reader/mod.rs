//! Reads glTF 2.0, as text or binary (`.gltf`, `.glb`, `.vrm`), into one model.
//!
//! In: bytes, and the folder in which buffers outside the file are looked for.
//! Out: one model of all meshes of all scenes, with notes about what was odd.
//! Must hold: nothing in the bytes makes the reader panic or allocate much more than the file justifies
//! ([`MAX_ELEMENTS`]); errors name the object.
//!
//! | in the file | in the model |
//! | --- | --- |
//! | nodes with a mesh, in file order | one part each; a mesh under several nodes appears several times |
//! | primitives, then their vertices and indices | appended in that order, nothing merged or dropped |
//! | joints of all skins | one palette; equal node and inverse bind matrix make one joint |
//! | a mesh without a skin | follows its node rigidly, inverse bind matrix identity |
//! | morph targets of a node's mesh | displacement fields of the part, with coefficients of its own |
//! | animations | clips; one without a name is called `clip N` |
//! | points and lines | skipped with a note |
//!
//! The transform of a skinned mesh's own node is ignored, as the specification says. A part without a skin whose
//! node mirrors it at rest gets its triangles turned round, so that front faces stay counter-clockwise in the world.
//! Weights are normalised over all sets. If some primitives have normals, the others get averaged ones; if some have
//! texture coordinates, the others get zeros. Normals and texture coordinates that are not finite become zero.
//!
//! Based on: Khronos Group, glTF 2.0 specification.

mod accessor;
mod animation;
mod assembly;
mod budget;
mod buffers;
mod container;
mod document;
mod extensions;
mod influences;
mod meshopt_view;
mod morph_targets;
mod nodes;
mod palette;
mod primitive;
mod source;
mod topology;

use std::fs;
use std::path::Path;

use self::budget::Budget;
use self::buffers::load_buffers;
use self::container::split;
use self::document::Document;
use self::source::Source;
use crate::{Loaded, Problem};

pub use self::budget::MAX_ELEMENTS;

/// Reads a glTF file.
pub(crate) fn read_file(path: &Path) -> Result<Loaded, Problem> {
    let bytes = fs::read(path)?;
    read_gltf_bytes(&bytes, Some(path.parent().unwrap_or(Path::new(""))))
}

/// Reads glTF 2.0, text or binary, from memory.
///
/// `folder` is where buffers outside the file are looked for; without it a file that has some is an error.
///
/// ```
/// let problem = supple_io::read_gltf_bytes(b"glTF", None).unwrap_err();
/// assert_eq!(problem.to_string(), "header: 4 bytes; expected at least 20 for a binary glTF");
/// ```
///
/// # Errors
/// The bytes are not glTF 2.0, need an extension that is not supported, or break the format's rules.
pub fn read_gltf_bytes(bytes: &[u8], folder: Option<&Path>) -> Result<Loaded, Problem> {
    let mut notes = Vec::new();
    let container = split(bytes, &mut notes)?;
    let document = Document::parse(container.json, &mut notes)?;
    extensions::check_required(&document.extensions_required)?;
    let buffers = load_buffers(&document, container.binary, folder)?;
    let stored_bytes = bytes.len() + buffers.iter().flatten().map(|b| b.len()).sum::<usize>();
    let generator = document.generator.clone();
    let source = Source::new(document, buffers, Budget::for_file_of(stored_bytes));
    let model = assembly::assemble(&source, &mut notes)?;
    Ok(Loaded { model, notes, format: container.format, generator })
}
