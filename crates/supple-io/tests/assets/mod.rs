//! Where real files are: the folder that `SUPPLE_ASSETS` names, relative to the workspace.

use std::env;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The folder; `None` (with a word about it) where the variable is not set, a panic in the CI.
pub fn assets() -> Option<PathBuf> {
    let Some(folder) = env::var_os("SUPPLE_ASSETS") else {
        assert!(env::var_os("CI").is_none(), "SUPPLE_ASSETS must be set in the CI");
        // Not through `println!`, which a passing test swallows.
        let _ = writeln!(io::stderr(), "skipped: SUPPLE_ASSETS is not set");
        return None;
    };
    // Tests run in the folder of their crate, but the variable is set at the root.
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    assert!(folder.is_dir(), "SUPPLE_ASSETS is not a folder: {}", folder.display());
    Some(folder)
}
