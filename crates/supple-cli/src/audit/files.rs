//! Which files the user means: those named, and all models in the folders named.

use std::fs;
use std::io;
use std::path::Path;

use anyhow::{Context, anyhow};

use crate::failure::{Blame, Failure, OrBlame};

/// Models by the end of their name.
const KINDS: [&str; 6] = ["glb", "gltf", "vrm", "fbx", "obj", "supple"];

/// Files in the order in which they were named; those of a folder by name, at any depth. Hidden files, links to
/// folders, pipes and devices are passed over.
pub fn files(named: &[String]) -> Result<Vec<String>, Failure> {
    let mut files = Vec::new();
    for name in named {
        if !Path::new(name).is_dir() {
            files.push(name.clone());
            continue;
        }
        let before = files.len();
        add_folder(Path::new(name), &mut files)
            .with_context(|| format!("{name}: the folder cannot be read"))
            .or_blame(Blame::Input)?;
        if files.len() == before {
            let kinds = KINDS.map(|kind| format!(".{kind}")).join(", ");
            return Err(anyhow!("{name}: no model in this folder, expected {kinds}")).or_blame(Blame::Input);
        }
    }
    Ok(files)
}

fn add_folder(folder: &Path, files: &mut Vec<String>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let is_model =
            path.extension().is_some_and(|e| KINDS.iter().any(|kind| e.eq_ignore_ascii_case(kind)));
        if kind.is_dir() {
            add_folder(&path, files)?;
        } else if is_model && path.is_file() {
            // A name that is no text cannot be opened by its text: it is then reported as a file that cannot be read.
            files.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
