//! A file that is written when the work is done; whether it can be written is told before.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf, absolute};

use anyhow::Context;
use serde::Serialize;

use crate::failure::{Blame, Failure, OrBlame};
use crate::print::print;

/// A place to write to. What it holds stays until the new contents are there.
#[derive(Debug)]
pub struct Output {
    path: PathBuf,
    _held: File,
}

impl Output {
    /// Fails where nothing can be written.
    pub fn new(path: impl AsRef<Path>) -> Result<Self, Failure> {
        let path = path.as_ref().to_owned();
        let opened = File::options().write(true).create(true).truncate(false).open(&path);
        Ok(Self { _held: explained(&path, opened)?, path })
    }

    /// Replaces the contents.
    pub fn write(&self, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
        explained(&self.path, fs::write(&self.path, contents))
    }
}

fn explained<T>(path: &Path, result: io::Result<T>) -> Result<T, Failure> {
    result.with_context(|| format!("{}: cannot be written", path.display())).or_blame(Blame::Output)
}

/// Whether two names mean one file, as far as their text tells.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    a == b || matches!((absolute(a), absolute(b)), (Ok(a), Ok(b)) if a == b)
}

/// A report as JSON, if that is wanted, to a file or else to stdout; and as text, unless stdout has the JSON.
pub fn write_json_or_text<R: Serialize>(
    wanted: bool,
    json_file: Option<&Output>,
    report: &R,
    text: impl FnOnce(&R) -> String,
) -> Result<(), Failure> {
    if wanted {
        let json = serde_json::to_string(report).or_blame(Blame::Output)? + "\n";
        match json_file {
            Some(output) => output.write(json)?,
            None => return print(&json),
        }
    }
    print(&text(report))
}
