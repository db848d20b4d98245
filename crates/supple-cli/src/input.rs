//! The arguments that name a model, and clips of other files.

use std::iter;

use clap::Args;

use crate::clip_files::files_behind;

/// What is read.
#[derive(Args, Debug)]
pub struct Input {
    /// A .glb, .gltf, .vrm, .fbx, .obj or .supple file, or zoo:NAME or zoo:NAME:DETAIL
    pub file: String,
    /// Take only the parts of that name
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Leave out the parts of that name; may be repeated
    #[arg(long, value_name = "NAME")]
    pub without: Vec<String>,
    /// Take another scene of a glTF, by name or by its number in `inspect`
    #[arg(long, value_name = "NAME|INDEX")]
    pub scene: Option<String>,
    /// Clips of other files.
    #[command(flatten)]
    pub other_clips: OtherClips,
}

impl Input {
    /// All files that are read, as the user named them, or as they are named in a folder.
    pub fn files(&self) -> impl Iterator<Item = String> {
        iter::once(self.file.clone()).chain(files_behind(&self.other_clips.clips))
    }

    /// A model as it is, with its own clips.
    pub fn whole(file: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            part: None,
            without: Vec::new(),
            scene: None,
            other_clips: OtherClips::default(),
        }
    }
}

/// Clips that are not in the model's file.
#[derive(Args, Clone, Debug, Default, PartialEq, Eq)]
pub struct OtherClips {
    /// Also play the clips of these files, on bones of the same names:
    /// .glb .gltf .vrm .fbx .bvh .supple or zoo:NAME;
    /// of a folder all such files that fit
    #[arg(long, value_name = "FILE", num_args = 1.., verbatim_doc_comment)]
    pub clips: Vec<String>,
    /// With --clips: ignore this beginning of bones' names, like mixamorig:
    /// and with it case and separators; may be repeated
    #[arg(long, value_name = "PREFIX", verbatim_doc_comment, requires = "clips")]
    pub ignore_prefix: Vec<String>,
}
