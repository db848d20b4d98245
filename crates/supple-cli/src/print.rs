//! Text for people to stdout, where a reader may stop reading, or where something else goes.

use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::failure::{Blame, Failure, OrBlame};

static IS_LEFT_OUT: AtomicBool = AtomicBool::new(false);

/// Prints nothing from now on: stdout is for a file that the user has asked for.
pub(crate) fn leave_out_text() {
    IS_LEFT_OUT.store(true, Ordering::Relaxed);
}

/// Prints a whole text. A closed pipe is no error: whoever reads has seen enough.
pub fn print(text: &str) -> Result<(), Failure> {
    if IS_LEFT_OUT.load(Ordering::Relaxed) {
        return Ok(());
    }
    let mut stdout = io::stdout().lock();
    match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
    .context("cannot write to stdout")
    .or_blame(Blame::Output)
}

/// A remark or an error on stderr, which must not be in the way of anything: where it cannot be written, nobody listens.
pub fn remark(text: impl std::fmt::Display) {
    _ = writeln!(io::stderr(), "{text}");
}
