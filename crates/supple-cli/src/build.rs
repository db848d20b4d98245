//! `supple build`: a model with its tree as a file.

use std::fs;

use anyhow::Context;

use crate::arguments::BuildArguments;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::print::print;
use crate::source::{holds_shape, read_shape};
use crate::table::{counted, grouped};

/// Reads, builds and writes.
pub fn run(arguments: &BuildArguments) -> Result<(), Failure> {
    let output = arguments.output.display();
    if !holds_shape(&arguments.output) {
        return Err(bad_usage(format!("{output}: a shape is written as .supple")));
    }
    let shape = read_shape(&arguments.input)?;
    let bytes = shape.to_bytes().with_context(|| arguments.input.file.clone()).or_blame(Blame::Input)?;
    fs::write(&arguments.output, &bytes)
        .with_context(|| format!("{output}: cannot be written"))
        .or_blame(Blame::Output)?;
    print(&format!(
        "{output}: {}, tree of {}, {} kB\n",
        counted(shape.model().mesh().triangles().len(), "triangle"),
        counted(shape.node_count(), "node"),
        grouped(bytes.len().div_ceil(1000))
    ))
}
