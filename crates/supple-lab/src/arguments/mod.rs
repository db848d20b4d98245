//! The command line: what may be asked, and the help that says so.

mod drop;
mod reproduce;
mod tightness;

use clap::{Parser, Subcommand};

pub use self::drop::{DropArguments, Film};
pub use self::reproduce::ReproduceArguments;
pub use self::tightness::TightnessArguments;

/// Experiments with supple: how tight its bounds are, the papers made again, things that fall.
#[derive(Debug, Parser)]
#[command(name = "supple-lab", version, after_help = AFTER_HELP)]
pub struct Arguments {
    /// What to do
    #[command(subcommand)]
    pub command: Command,
}

const AFTER_HELP: &str = "\
Exit codes:
  0  done
  1  a check failed: tightness found a vertex outside a bound, a simulation went wrong
  2  bad usage; an unknown clip, part, animal, paper or scene
  3  the input file is missing, broken or of an unknown kind
  4  the output could not be written

Examples:
  supple-lab tightness fox.glb
  supple-lab reproduce --quick
  supple-lab drop chairs";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Measure how tight the bounds of the tree are, level by level
    Tightness(TightnessArguments),
    /// Make the tables and figures of the papers again, beside the papers' own numbers
    Reproduce(ReproduceArguments),
    /// Let chairs, fish or a ball fall: a simulation of flexible bodies, and what it takes
    Drop(DropArguments),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }
}
