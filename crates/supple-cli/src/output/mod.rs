//! Every file that the commands write, and what must hold of all of them.
//!
//! In: what a command reads, names of files to write, their contents. Out: files that are whole.
//!
//! Must hold:
//! - No output is an input or another output, by whatever name; that is known before anything is read ([`Files`]).
//! - A file has its old contents or all of its new ones: these are written beside it under a hidden name, and the name is changed
//!   when all are on the disk (`unfinished`). A failure or a signal removes what was begun. After a crash a
//!   hidden file may be left, never a half one under the name that was asked for.
//! - Frames of a sequence get their names together, when all are written ([`Numbered`]).
//! - `-` is standard output. Text for people is left out there, then.
//!
//! A file that is replaced keeps its permissions and, where the system allows it, its owner. Of a symbolic link the file that it
//! names is replaced, and the link stays. Another hard link to the file keeps the old contents. What is no file - `/dev/null`, a
//! pipe - is written to as it is.

mod file_id;
mod files;
mod numbered;
mod picture;
mod place;
#[cfg(unix)]
mod signals;
mod streamed;
mod unfinished;

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};

use anyhow::Context;
use serde::Serialize;

use crate::failure::{Blame, Failure, OrBlame};
use crate::print::print;

use self::place::Place;
use self::unfinished::Unfinished;

pub use self::files::{Contents, Files, is_same_file};
pub use self::numbered::Numbered;
pub use self::picture::check_picture;
pub use self::place::is_no_file;
pub use self::streamed::Streamed;

/// A place to write to. What it holds stays until the new contents are there.
#[derive(Debug)]
pub struct Output {
    /// As the user named it.
    name: String,
    place: Place,
}

impl Output {
    /// Fails where nothing can be written. Leaves no trace.
    fn new(name: String, place: Place) -> Result<Self, Failure> {
        if let Place::File(path) = &place {
            let opened = File::options().write(true).open(path);
            let possible = match opened {
                // A file that may not be changed may not be replaced either.
                Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
                _ => Unfinished::beside(path).map(drop),
            };
            explained(&name, possible)?;
        }
        Ok(Self { name, place })
    }

    /// Replaces the contents. A reader of a pipe that has seen enough is no error.
    pub fn write(&self, contents: impl AsRef<[u8]>) -> Result<(), Failure> {
        let contents = contents.as_ref();
        let written = match &self.place {
            Place::Stdout => to_stream(&mut io::stdout().lock(), contents),
            Place::Stream(path) => {
                // What is open already and is a file has contents before these.
                let opened = File::options().append(true).open(path);
                opened.and_then(|mut stream| to_stream(&mut stream, contents))
            }
            Place::File(path) => {
                Unfinished::beside(path).and_then(|unfinished| unfinished.filled(contents)?.named(path))
            }
        };
        explained(&self.name, written)
    }
}

impl fmt::Display for Output {
    /// The name that the user gave.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

fn to_stream(stream: &mut impl Write, contents: &[u8]) -> io::Result<()> {
    match stream.write_all(contents).and_then(|()| stream.flush()) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

fn explained<T>(name: &str, result: io::Result<T>) -> Result<T, Failure> {
    result.with_context(|| format!("{name}: cannot be written")).or_blame(Blame::Output)
}

/// A report as JSON, if that is wanted; and as text, which is left out where something else goes to stdout.
pub fn write_json_or_text<R: Serialize>(
    json: Option<&Output>,
    report: &R,
    text: impl FnOnce(&R) -> String,
) -> Result<(), Failure> {
    if let Some(output) = json {
        output.write(serde_json::to_string(report).or_blame(Blame::Output)? + "\n")?;
    }
    print(&text(report))
}
