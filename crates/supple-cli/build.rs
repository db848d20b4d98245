//! Lists the files of the folder `view`, the built page, so that `supple view` has them in the program.
//!
//! In: the folder, which `npm run embed` in web/page fills; it may be empty. Out: `view_files.rs`, a list of names and contents.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("Cargo sets it"));
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("Cargo sets it"));
    let folder = root.join("view");
    println!("cargo:rerun-if-changed=build.rs");
    let mut files = Vec::new();
    if folder.is_dir() {
        println!("cargo:rerun-if-changed=view");
        find(&folder, "", &mut files)?;
    }
    files.sort();
    let mut list = "&[\n".to_owned();
    for (name, path) in files {
        let _ = writeln!(list, "    ({name:?}, include_bytes!({path:?})),");
    }
    fs::write(out.join("view_files.rs"), list + "]\n")
}

/// All files below a folder, by their names from there; hidden ones are no part of the page.
fn find(folder: &Path, place: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        let Some(name) = name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        if path.is_dir() {
            find(&path, &format!("{place}{name}/"), files)?;
        } else {
            files.push((format!("{place}{name}"), path));
        }
    }
    Ok(())
}
