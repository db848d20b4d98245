//! Which files `--clips` means: those named, and all with motion in the folders named.

use std::path::Path;

use anyhow::{Context, anyhow};

use crate::failure::{Blame, Failure, OrBlame};
use crate::folder::files_in;

/// Files with motion by the end of their name.
const KINDS: [&str; 6] = ["glb", "gltf", "vrm", "fbx", "bvh", "supple"];

/// A file that may have clips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClipFile {
    /// As it can be opened.
    pub file: String,
    /// It was not named itself: it need not fit.
    pub is_of_folder: bool,
}

/// Files in the order in which they were named; those of a folder by name, at any depth.
pub fn clip_files(named: &[String]) -> Result<Vec<ClipFile>, Failure> {
    let mut files = Vec::new();
    for name in named {
        if !Path::new(name).is_dir() {
            files.push(ClipFile { file: name.clone(), is_of_folder: false });
            continue;
        }
        let found = files_in(Path::new(name), &KINDS);
        let found =
            found.with_context(|| format!("{name}: the folder cannot be read")).or_blame(Blame::Input)?;
        if found.is_empty() {
            let kinds = KINDS.map(|kind| format!(".{kind}")).join(", ");
            return Err(anyhow!("{name}: no clips in this folder, expected {kinds}")).or_blame(Blame::Input);
        }
        files.extend(found.into_iter().map(|file| ClipFile { file, is_of_folder: true }));
    }
    Ok(files)
}

/// All files that names of `--clips` stand for. What cannot be read is told when it is read.
pub fn files_behind(named: &[String]) -> impl Iterator<Item = String> {
    named.iter().flat_map(|name| match Path::new(name).is_dir() {
        true => files_in(Path::new(name), &KINDS).unwrap_or_default(),
        false => vec![name.clone()],
    })
}
