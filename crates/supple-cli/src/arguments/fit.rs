//! `supple fit` and `supple edit-rest`: their arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use supple::Skinning;

use super::OtherClips;
use crate::number::{count, percent, positive};

const AFTER_HELP: &str = "\
The input is one of
  a folder of .obj files, or cloth_####.obj for those with a number in that place
  a .pc2 or .mdd vertex cache, with --rest for the mesh
  a model with a clip (morph targets, joints or both): .glb .gltf .vrm .fbx .supple or zoo:NAME,
    which is sampled with linear skinning
  cloth:flag, cloth:curtain, cloth:skirt or cloth:drape, which need no file

The output has a node per joint, and corrections as morph targets. As it is made by default (linear,
4 joints per vertex), players of glTF show it as it is. Dual quaternions with more joints per vertex
fit better, but others than supple show something else; how far that is off is told.

Errors are percentages of distortion: 100 |exact - fitted| / |exact - average over all frames|.

Examples:
  supple fit zoo:curtain --joints 50 --corrections 5 -o curtain.glb
  supple fit flag.mdd --rest flag.obj --error 0.5 --skinning linear -o flag.glb
  supple fit sim/skirt_####.obj --rest pattern.obj --fps 24 -o skirt.glb";

/// `supple fit`
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, next_line_help = true)]
pub struct FitArguments {
    /// What moves: a folder or pattern of .obj files, a .pc2, a .mdd, a model with a clip
    pub input: String,
    /// The .glb file to write, overwritten if it exists, or - for stdout
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// How many joints
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..),
          allow_negative_numbers = true)]
    pub joints: u32,
    /// Correct the rest shape by N displacement fields [default: 0]
    #[arg(long, value_name = "N", conflicts_with = "error", value_parser = count, allow_negative_numbers = true)]
    pub corrections: Option<usize>,
    /// As few corrections as bring the error down to so many percent
    #[arg(long, value_name = "PCT", value_parser = percent, allow_negative_numbers = true)]
    pub error: Option<f64>,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = FitSkinning::Linear)]
    pub skinning: FitSkinning,
    /// How many joints a vertex follows at most; many players show no more than 4
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..),
          allow_negative_numbers = true)]
    pub influences: u32,
    /// The mesh at rest; needed for .pc2 and .mdd [default: the first .obj, the model at rest]
    #[arg(long, value_name = "FILE")]
    pub rest: Option<String>,
    /// Which clip of a model, by name or by its number in `inspect` [default: the first]
    #[arg(long, value_name = "NAME|INDEX")]
    pub clip: Option<String>,
    #[command(flatten)]
    pub other_clips: OtherClips,
    /// Frames per second; a .mdd has times of its own [default: 30]
    #[arg(long, value_name = "F", value_parser = positive, allow_negative_numbers = true)]
    pub fps: Option<f32>,
    /// How far a joint reaches, in largest distances from vertex to nearest joint
    #[arg(long, value_name = "P", default_value_t = 1.5, value_parser = reach, allow_negative_numbers = true)]
    pub reach: f64,
    /// Measure distances along the surface: for meshes whose parts are close but not connected
    #[arg(long)]
    pub geodesic: bool,
    /// Place half of the joints where the error of a first fit is large
    #[arg(long)]
    pub adaptive: bool,
    /// Improve the weights by least squares
    #[arg(long)]
    pub least_squares: bool,
    /// Fit joints and corrections N times in turn
    #[arg(long, value_name = "N", default_value_t = 1, requires = "corrections",
          value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub rounds: u32,
}

/// Shorter than 1 it would leave vertices to no joint.
fn reach(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|reach: &f64| *reach > 1.0 && *reach <= 100.0);
    number.ok_or_else(|| "expected a number greater than 1 and at most 100".to_owned())
}

/// The skinning models for which joints can be fitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FitSkinning {
    /// Rigid joints, blended as dual quaternions
    Dual,
    /// Affine joints, blended as matrices, which every tool plays
    Linear,
}

impl From<FitSkinning> for Skinning {
    fn from(name: FitSkinning) -> Self {
        match name {
            FitSkinning::Dual => Self::DualQuaternion,
            FitSkinning::Linear => Self::Linear,
        }
    }
}

const EDIT_HELP: &str = "\
The new mesh must have the vertices and triangles of the old one, in the same order; only where the
vertices are may differ. `deform` writes the old one.

Example:
  supple fit zoo:curtain -o curtain.glb
  supple deform curtain.glb -o rest.obj            # to be changed by any modeller
  supple edit-rest curtain.glb rest.obj -o pleated.glb";

/// `supple edit-rest`
#[derive(Args, Debug)]
#[command(after_help = EDIT_HELP)]
pub struct EditRestArguments {
    /// A model with joints and clips, e.g. by `supple fit`: .glb .gltf .vrm .fbx .supple
    pub model: String,
    /// The changed rest mesh: .obj .glb .gltf
    pub rest: String,
    /// The .glb file to write, overwritten if it exists, or - for stdout
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
}
