//! The `supple-lab` command: what is measured and tried, and is no tool for users of the library.
//!
//! In: arguments. Out: text on stdout, files, an exit code; errors are one line on stderr with their causes.
//!
//! | command | does |
//! | --- | --- |
//! | `supple-lab tightness FILE` | measures the bounds of the tree, level by level |
//! | `supple-lab reproduce [PAPER..]` | makes the tables and figures of the papers again, beside the papers' numbers |
//! | `supple-lab drop SCENE` | lets flexible bodies fall and tells what a step takes |
//!
//! Files, animals of the zoo and exit codes are those of the command `supple`; 1 means that `tightness` found a vertex outside a
//! bound, or that a simulation went wrong.

mod arguments;
mod drop;
mod reproduce;
mod tightness;

use std::process::ExitCode;

use clap::Parser;
use supple_cli::failure;

use self::arguments::{Arguments, Command};

fn main() -> ExitCode {
    failure::exit_code(match Arguments::parse().command {
        Command::Tightness(arguments) => tightness::run(&arguments),
        Command::Reproduce(arguments) => reproduce::run(&arguments),
        Command::Drop(arguments) => drop::run(&arguments),
    })
}
