//! Reads glTF 2.0, as text or binary (`.gltf`, `.glb`, `.vrm`), into one model.
//!
//! In: bytes, and a way to get at buffers outside the file.
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
mod motion;
mod nodes;
mod palette;
mod primitive;
mod contents;
mod topology;

use self::budget::Budget;
use self::buffers::load_buffers;
use self::container::split;
use self::contents::Contents;
use self::document::Document;
use crate::{Loaded, OtherFiles, Problem};

pub use self::budget::MAX_ELEMENTS;
pub(crate) use self::motion::read_motion;

/// Reads glTF 2.0, text or binary; other files are buffers outside of it.
pub(crate) fn read(bytes: &[u8], other_files: OtherFiles) -> Result<Loaded, Problem> {
    let mut notes = Vec::new();
    let (contents, format) = open(bytes, other_files, &mut notes)?;
    let model = assembly::assemble(&contents, &mut notes)?;
    Ok(Loaded { model, notes, format, generator: contents.document.generator.clone() })
}

/// The document with its bytes, and the kind of file.
fn open<'b>(
    bytes: &'b [u8],
    other_files: OtherFiles,
    notes: &mut Vec<String>,
) -> Result<(Contents<'b>, &'static str), Problem> {
    let container = split(bytes, notes)?;
    let document = Document::parse(container.json, notes)?;
    extensions::check_required(&document.extensions_required)?;
    let buffers = load_buffers(&document, container.binary, other_files)?;
    let stored_bytes = bytes.len() + buffers.iter().flatten().map(|b| b.len()).sum::<usize>();
    Ok((Contents::new(document, buffers, Budget::for_file_of(stored_bytes)), container.format))
}
