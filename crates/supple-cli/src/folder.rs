//! The files of some kinds in a folder, at any depth.

use std::fs;
use std::io;
use std::path::Path;

/// By name, folder by folder. `kinds` are ends of names without the dot. Hidden files, links to folders, pipes and devices are
/// passed over.
pub fn files_in(folder: &Path, kinds: &[&str]) -> io::Result<Vec<String>> {
    let mut files = Vec::new();
    add(folder, kinds, &mut files)?;
    Ok(files)
}

fn add(folder: &Path, kinds: &[&str], files: &mut Vec<String>) -> io::Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(|entry| entry.file_name());
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let is_wanted =
            path.extension().is_some_and(|e| kinds.iter().any(|kind| e.eq_ignore_ascii_case(kind)));
        if kind.is_dir() {
            add(&path, kinds, files)?;
        } else if is_wanted && path.is_file() {
            // A name that is no text cannot be opened by its text: it is then reported as a file that cannot be read.
            files.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(())
}
