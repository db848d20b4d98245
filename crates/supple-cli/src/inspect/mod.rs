//! `supple inspect`: what is in a file, at a glance or as JSON.

mod clips;
mod joints;
mod morphs;
mod number;
mod problems;
mod refusals;
mod report;
mod scale;
mod summary;
mod surface;
mod text;

use crate::arguments::InspectArguments;
use crate::failure::{Blame, Failure, OrBlame};
use crate::print::print;
use crate::progress::while_waiting;
use crate::source;

use self::report::Report;

/// Reads a file and prints what is in it.
pub fn run(arguments: &InspectArguments) -> Result<(), Failure> {
    let source = source::read_in_silence(&arguments.input)?;
    let report =
        while_waiting("inspecting", || Report::new(&arguments.input.file, &source)).or_blame(Blame::Input)?;
    if arguments.json {
        let json = serde_json::to_string_pretty(&report).or_blame(Blame::Output)?;
        return print(&(json + "\n"));
    }
    print(&text::text(&report))
}
