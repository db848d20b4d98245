//! `supple-lab drop`: its arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use supple_cli::number::positive;
use supple_drop::SceneKind;

const AFTER_HELP: &str = "\
Scenes:
  chairs   plastic chairs crash to the ground: a rigid frame and ten vibration modes each
  fish     fish fall on a bridge that sways; contacts are found at the bridge's exact triangles
  curtain  a ball is thrown at a curtain in the wind; then 110 frames as in Table 2 of the BD-Tree
           paper: bounds on demand against all vertices posed and all bounds refitted from below

Flexible bodies, and in turn as many rigid ones of the same mesh, mass and seed, for the ratio of
what a step takes; --flexible and --rigid let only one kind fall.

Refits happen in the middle of a traversal. To tell them apart, every 16th step asks the same pairs
once more in the same pose, when all bounds are known; that second time is the traversal alone, and
is not counted.

The same seed gives the same motion, in every bit, on any number of threads (RAYON_NUM_THREADS).

Examples:
  supple-lab drop chairs
  supple-lab drop chairs --count 500 --seconds 1 --out chairs.png
  supple-lab drop fish --count 60 --flexible --out fish.glb
  supple-lab drop curtain";

/// `supple-lab drop`
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, next_line_help = true)]
pub struct DropArguments {
    /// chairs, fish or curtain
    #[arg(value_name = "SCENE")]
    pub scene: SceneKind,
    /// How many bodies [default: 12 chairs, 200 fish, 1 ball]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub count: Option<usize>,
    /// Simulated seconds
    #[arg(long, value_name = "S", default_value_t = 2.0, value_parser = positive, allow_negative_numbers = true)]
    pub seconds: f32,
    /// Only bodies that do not flex
    #[arg(long, conflicts_with = "flexible")]
    pub rigid: bool,
    /// Only bodies that flex
    #[arg(long)]
    pub flexible: bool,
    /// Level of the bodies' trees at which contacts are found, from the root at 0
    /// [default: 4 for chairs, 3 for fish]
    #[arg(long, value_name = "L", verbatim_doc_comment, allow_negative_numbers = true)]
    pub level: Option<u32>,
    /// Steps per simulated second
    #[arg(long, value_name = "F", default_value_t = supple_drop::STEPS_PER_SECOND as f32, value_parser = positive,
          allow_negative_numbers = true)]
    pub rate: f32,
    /// Another seed, another heap
    #[arg(long, value_name = "N", default_value_t = 0, allow_negative_numbers = true)]
    pub seed: u64,
    /// Write an animation (.glb, up to 64 bodies) or some frames as one picture (.png), or - for
    /// stdout; of the flexible bodies where both are run
    #[arg(long, value_name = "FILE", verbatim_doc_comment)]
    pub out: Option<PathBuf>,
    /// The kind of file, needed with --out -
    #[arg(long, value_enum, value_name = "KIND", requires = "out")]
    pub format: Option<Film>,
}

/// What there is to watch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Film {
    /// An animation
    Glb,
    /// A picture of some frames
    Png,
}
