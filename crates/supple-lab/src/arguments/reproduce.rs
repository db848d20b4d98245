//! `supple-lab reproduce`: its arguments.

use std::path::PathBuf;

use clap::Args;
use supple_repro::Paper;

const AFTER_HELP: &str = "\
Papers:
  morphing   Larsson, Akenine-Moller: Collision detection for models deformed by morphing (2003)
  bd-tree    James, Pai: BD-Tree, collision detection for reduced deformable models (2004)
  skinning   Kavan: Real-time Skeletal Animation (thesis, 2007), chapters 3 and 4
  linear     the same, chapter 5: collision detection for linear blend skinning
  spherical  the same, chapter 6, and Kavan, O'Sullivan, Zara (2006): for spherical blend skinning
  arbitrary  the same thesis, chapter 7: skins fitted to cloth and elastic bodies
  chains     Madera, Ayala, Moo-Mena: Self-collision detection using sphere chains (2015)

Prints every table to the terminal. Ratios that carry over between machines are compared with those
of the papers: reached, better, or worse and why; what is worse stands first.

Examples:
  supple-lab reproduce --quick
  supple-lab reproduce morphing bd-tree --out report";

/// `supple-lab reproduce`
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct ReproduceArguments {
    /// The papers [default: all]
    #[arg(value_name = "PAPER")]
    pub papers: Vec<Paper>,
    /// Fewer rounds and trials: sooner done, rougher times
    #[arg(long)]
    pub quick: bool,
    /// Also write DIR/report.html, one page with all plots and pictures in it; - writes
    /// the page to stdout, and no tables
    #[arg(long, value_name = "DIR", verbatim_doc_comment)]
    pub out: Option<PathBuf>,
}
