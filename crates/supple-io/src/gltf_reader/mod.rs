//! Reads glTF 2.0, as text or binary (`.gltf`, `.glb`, `.vrm`), into one model.
//!
//! In: bytes, and a way to get at buffers outside the file.
//! Out: one model of all meshes of a scene, with notes about what was odd.
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
//! | animations | clips; one without a name is called `clip N`, one with a fault is left out with a note |
//! | nodes outside of the scene | move those inside, as joints; their meshes are left out with a note |
//! | instances (`EXT_mesh_gpu_instancing`) | one part each, at a node of its own behind those of the file |
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
mod attributes;
mod budget;
mod buffers;
mod container;
mod document;
mod draco;
mod extensions;
mod influences;
mod instances;
mod meshopt_view;
mod morph_targets;
mod motion;
mod nodes;
mod palette;
mod primitive;
mod contents;
mod scenes;
mod topology;

pub(crate) use self::budget::Budget;
use self::buffers::load_buffers;
use self::container::split;
use self::contents::Contents;
use self::document::Document;
use self::scenes::Scenes;
use crate::{Loaded, OtherFiles, Problem, ReadOptions};

pub use self::budget::MAX_ELEMENTS;
pub(crate) use self::motion::read_motion;

/// Reads glTF 2.0, text or binary; other files are buffers outside of it.
pub(crate) fn read(bytes: &[u8], other_files: OtherFiles, options: &ReadOptions) -> Result<Loaded, Problem> {
    let mut notes = Vec::new();
    let (contents, format) = open(bytes, other_files, &mut notes)?;
    let scenes = Scenes::choose(&contents.document, options.scene.as_deref())?;
    let mut left_out = Vec::new();
    let model = assembly::assemble(&contents, &scenes, &mut notes, &mut left_out)?;
    notes.extend(left_out.iter().cloned());
    let generator = contents.document.generator.clone();
    let Scenes { names, chosen, .. } = scenes;
    Ok(Loaded { model, notes, format, generator, left_out, scenes: names, scene: chosen })
}

/// The document with its bytes, and the kind of file.
fn open<'b>(
    bytes: &'b [u8],
    other_files: OtherFiles,
    notes: &mut Vec<String>,
) -> Result<(Contents<'b>, &'static str), Problem> {
    let container = split(bytes, notes)?;
    let document = Document::parse(container.json, notes)?;
    extensions::check(&document.extensions_used, &document.extensions_required, notes)?;
    let buffers = load_buffers(&document, container.binary, other_files)?;
    let stored_bytes = bytes.len() + buffers.iter().flatten().map(|b| b.len()).sum::<usize>();
    Ok((Contents::new(document, buffers, Budget::for_file_of(stored_bytes)), container.format))
}
