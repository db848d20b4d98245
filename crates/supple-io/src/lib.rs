//! Reads and writes files for `supple`: glTF, FBX (feature `fbx`), OBJ and vertex caches.
//!
//! In: a path, or the bytes of a file and a way to get at other files that it names. Out: a [`Model`], with notes about what was
//! odd in the file and how it was handled.
//! Must hold: no file, however broken, makes a reader panic or allocate without bound; it gives a [`LoadError`] that
//! names the file, the object in it and what was expected. Functions that take no path never touch the file system, so that they
//! also run in browsers.
//!
//! ```no_run
//! let model = supple_io::load("fox.glb")?;
//! println!("{} triangles", model.mesh().triangles().len());
//! # Ok::<(), supple_io::LoadError>(())
//! ```
//!
//! | | from and to paths | from and to bytes |
//! | --- | --- | --- |
//! | models | [`load`], [`read`], [`read_with`], [`write_glb`], [`write_static_glb`] | [`read_bytes`], [`read_bytes_with`], [`glb_bytes`], [`instances_glb_bytes`] |
//! | coloured meshes | [`write_coloured_glb`] | [`coloured_glb_bytes`] |
//! | meshes as OBJ | [`load`], [`read`], [`write_obj`] | [`read_bytes`], [`obj_bytes`] |
//! | OBJ sequences | [`find_obj_sequence`], [`read_obj_sequence`], [`write_obj_sequence`] | [`read_obj_sequence_bytes`], [`obj_bytes`] |
//! | motion without a mesh | [`read_motion`], played by [`retarget`](retarget()) | [`read_motion_bytes`] |
//! | vertex caches | [`read_pc2`], [`read_mdd`], [`write_pc2`], [`write_mdd`] | [`read_pc2_bytes`], [`read_mdd_bytes`], [`pc2_bytes`], [`mdd_bytes`] |
//!
//! Models themselves: [`only_part`] takes a part out of one, [`without_parts`] leaves some out, [`attach`] and [`side_by_side`] make one of two.

#![warn(clippy::unwrap_used, reason = "bad input is an error; where a value must exist an `expect` says why")]

mod error;
mod format;
#[cfg(feature = "fbx")]
mod fbx;
mod bvh;
mod glb_writer;
mod gltf_reader;
mod joined;
mod mistaken_files;
mod model_reader;
mod named_files;
mod motion;
mod obj;
mod obj_sequence;
mod only_part;
mod other_files;
mod read_options;
mod retarget;
mod vertex_cache;
mod whole_file;
mod write_error;

#[cfg(doc)]
use supple::Model;

pub use error::{LoadError, Problem};
pub use glb_writer::{
    ColouredFrame, ColouredMesh, GlbError, Instance, Instances, coloured_glb_bytes, glb_bytes,
    instances_glb_bytes, write_coloured_glb, write_glb, write_static_glb,
};
pub use gltf_reader::MAX_ELEMENTS;
pub use joined::{ClipPair, JoinError, SideBySide, attach, side_by_side};
pub use model_reader::{Loaded, load, read, read_bytes, read_bytes_with, read_with};
pub use motion::{Motion, read_motion, read_motion_bytes};
pub use named_files::other_files_of;
pub use obj::{obj_bytes, write_obj};
pub use obj_sequence::{
    ObjSequence, find_obj_sequence, read_obj_sequence, read_obj_sequence_bytes, write_obj_sequence,
};
pub use only_part::{PartError, only_part, without_parts};
pub use other_files::{OtherFiles, no_other_files};
pub use read_options::ReadOptions;
pub use retarget::{Remark, RetargetError, RetargetOptions, Retargeted, retarget};
pub use vertex_cache::{
    VertexCache, mdd_bytes, pc2_bytes, read_mdd, read_mdd_bytes, read_pc2, read_pc2_bytes, write_mdd,
    write_pc2,
};
pub use whole_file::{MAX_FILE_BYTES, MAX_PIPE_BYTES, read_whole_file};
pub use write_error::{Unsuitable, WriteError};
