//! The built page, as the build script found it in the folder `view`; nothing where it was not there.

/// Names with slashes, and contents.
pub static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/view_files.rs"));
