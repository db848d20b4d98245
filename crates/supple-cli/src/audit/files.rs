//! Which files the user means: those named, and all models in the folders named.

use std::path::Path;

use anyhow::{Context, anyhow};

use crate::failure::{Blame, Failure, OrBlame};
use crate::folder::files_in;

/// Models by the end of their name.
const KINDS: [&str; 6] = ["glb", "gltf", "vrm", "fbx", "obj", "supple"];

/// Files in the order in which they were named; those of a folder by name, at any depth.
pub fn files(named: &[String]) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for name in named {
        if !Path::new(name).is_dir() {
            files.push(name.clone());
            continue;
        }
        let found = files_in(Path::new(name), &KINDS);
        let found =
            found.with_context(|| format!("{name}: the folder cannot be read")).or_blame(Blame::Input)?;
        if found.is_empty() {
            let kinds = KINDS.map(|kind| format!(".{kind}")).join(", ");
            return Err(anyhow!("{name}: no model in this folder, expected {kinds}")).or_blame(Blame::Input);
        }
        files.extend(found);
    }
    Ok(files)
}
