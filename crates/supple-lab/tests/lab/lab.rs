//! Runs `supple-lab`.

pub use crate::run::{Run, text};

/// Runs `supple-lab` with arguments.
pub fn lab<S: AsRef<str>>(arguments: impl IntoIterator<Item = S>) -> Run {
    crate::run::run(env!("CARGO_BIN_EXE_supple-lab"), arguments)
}
