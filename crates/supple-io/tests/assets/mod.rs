//! Where real files are: the folders that `SUPPLE_ASSETS` and `SUPPLE_MORE_ASSETS` name, relative to the workspace.
#![allow(dead_code, reason = "not every test binary uses both folders")]

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder of models; `None` (with a word about it) where the variable is not set, a panic in the CI.
pub fn assets() -> Option<PathBuf> {
    folder_of("SUPPLE_ASSETS")
}

/// The folder of variants of the same models in other formats.
pub fn more_assets() -> Option<PathBuf> {
    folder_of("SUPPLE_MORE_ASSETS")
}

fn folder_of(variable: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os(variable) else {
        assert!(env::var_os("CI").is_none(), "{variable} must be set in the CI");
        // Not through `println!`, which a passing test swallows.
        let _ = writeln!(io::stderr(), "skipped: {variable} is not set");
        return None;
    };
    // Tests run in the folder of their crate, but the variable is set at the root.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    assert!(folder.is_dir(), "{variable} is not a folder: {}", folder.display());
    Some(folder)
}
