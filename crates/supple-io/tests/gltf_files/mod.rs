//! The glTF files of a folder.

use std::fs;
use std::path::{Path, PathBuf};

/// All of them, also in folders below, in the order of their names.
pub fn gltf_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(gltf_files(&path));
        } else if path.extension().is_some_and(|e| e == "glb" || e == "gltf" || e == "vrm") {
            files.push(path);
        }
    }
    files.sort();
    files
}
