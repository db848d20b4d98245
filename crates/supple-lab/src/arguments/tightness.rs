//! `supple-lab tightness`: its arguments.

use clap::{Args, ValueEnum};
use supple::Skinning;
use supple_cli::input::Input;

/// `supple-lab tightness`
#[derive(Args, Debug)]
#[command(next_line_help = true)]
pub struct TightnessArguments {
    #[command(flatten)]
    pub input: Input,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = SkinningChoice::All)]
    pub skinning: SkinningChoice,
    /// The clip, by name or by its number in `inspect`
    /// [default: all clips; the rest pose where there are none]
    #[arg(long, verbatim_doc_comment, value_name = "NAME|INDEX")]
    pub clip: Option<String>,
    /// Poses, evenly spread over each clip
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=10_000),
          allow_negative_numbers = true)]
    pub samples: u32,
    /// Print everything as JSON
    #[arg(long)]
    pub json: bool,
}

/// One skinning model, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum SkinningChoice {
    /// Blend matrices, as engines do
    Linear,
    /// Blend rotations about a common center
    Spherical,
    /// Blend dual quaternions
    Dual,
    /// All of them
    All,
}

impl SkinningChoice {
    /// The models.
    pub fn skinnings(self) -> &'static [Skinning] {
        match self {
            Self::Linear => &[Skinning::Linear],
            Self::Spherical => &[Skinning::Spherical],
            Self::Dual => &[Skinning::DualQuaternion],
            Self::All => &Skinning::ALL,
        }
    }
}
