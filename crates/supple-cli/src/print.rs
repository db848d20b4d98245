//! Text to stdout, where a reader may stop reading.

use std::io::{self, ErrorKind, Write};

use anyhow::Context;

use crate::failure::{Blame, Failure, OrBlame};

/// Prints a whole text. A closed pipe is no error: whoever reads has seen enough.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
    .context("cannot write to stdout")
    .or_blame(Blame::Output)
}
