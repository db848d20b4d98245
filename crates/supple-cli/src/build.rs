//! `supple build`: a model with its tree as a file.

use anyhow::Context;

use crate::arguments::BuildArguments;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::output::{Contents, Files, is_no_file};
use crate::print::print;
use crate::source::{holds_shape, read_shape};
use crate::table::{counted, grouped};

/// Reads, builds and writes.
pub fn run(arguments: &BuildArguments) -> Result<(), Failure> {
    let path = &arguments.output;
    let has_no_kind = is_no_file(path) && path.extension().is_none();
    if !holds_shape(path) && !has_no_kind {
        return Err(bad_usage(format!("{}: a shape is written as .supple", path.display())));
    }
    let output = Files::reading(arguments.input.files()).output("-o", path, Contents::Binary)?;
    let shape = read_shape(&arguments.input)?;
    let bytes = shape.to_bytes().with_context(|| arguments.input.file.clone()).or_blame(Blame::Input)?;
    output.write(&bytes)?;
    print(&format!(
        "{output}: {}, tree of {}, {} kB\n",
        counted(shape.model().mesh().triangles().len(), "triangle"),
        counted(shape.node_count(), "node"),
        grouped(bytes.len().div_ceil(1000))
    ))
}
