//! `supple reduce`: its arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::OtherClips;
use crate::number::{measure, positive};

const AFTER_HELP: &str = "\
With --modes the input is any mesh, closed or open, as it is at rest: .glb .gltf .vrm .fbx .obj
.supple or zoo:NAME. A lattice of elastic cubes fills what the surface touches or encloses. The mesh
flies freely, or is held at sides of its box (--hold). What is thinner than a cell is too stiff: for
frequencies to be trusted, choose a --resolution with two cells across the thinnest part that bends.

With --pca the input is whatever `supple fit` takes: .obj files, a .pc2 or .mdd with --rest, a model
with a clip, cloth:flag ...

The output has a morph target for each mode or component. Its clip shows the modes one after the
other, or plays the sequence.

Examples:
  supple reduce zoo:chair --modes 10 --density 900 --young 1.3e9 -o chair.glb
  supple reduce bridge.obj --modes 6 --hold left,right --resolution 60 -o bridge.glb
  supple reduce flag.mdd --rest flag.obj --pca 8 -o flag.glb";

/// `supple reduce`
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP, next_line_help = true)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["modes", "pca"]))]
pub struct ReduceArguments {
    /// A mesh for --modes; for --pca what moves, as for `supple fit`
    pub input: String,
    /// The .glb file to write, overwritten if it exists, or - for stdout
    #[arg(short, long, value_name = "OUT")]
    pub output: PathBuf,
    /// The N lowest vibration modes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub modes: Option<u32>,
    /// The first N principal components
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), allow_negative_numbers = true)]
    pub pca: Option<u32>,
    /// Take only the parts of that name
    #[arg(long, value_name = "NAME", conflicts_with = "pca")]
    pub part: Option<String>,
    /// Sides that do not move: left,right,bottom,top,back,front [default: none]
    #[arg(
        long,
        value_name = "SIDES",
        value_enum,
        hide_possible_values = true,
        value_delimiter = ',',
        conflicts_with = "pca"
    )]
    pub hold: Vec<Side>,
    /// Cells along the longest side [default: 24]
    #[arg(long, value_name = "N", conflicts_with = "pca", value_parser = clap::value_parser!(u32).range(1..),
          allow_negative_numbers = true)]
    pub resolution: Option<u32>,
    /// Largest displacement of a mode, in metres [default: a tenth of the longest side]
    #[arg(long, value_name = "M", conflicts_with = "pca", value_parser = measure, allow_negative_numbers = true)]
    pub amplitude: Option<f64>,
    /// Mass in kg of a cubic metre [default: 1000]
    #[arg(long, value_name = "KG", conflicts_with = "pca", value_parser = measure, allow_negative_numbers = true)]
    pub density: Option<f64>,
    /// Young's modulus in pascals; plastic 1e9, steel 2e11, rubber 1e7 [default: 1e9]
    #[arg(long, value_name = "PA", conflicts_with = "pca", value_parser = measure, allow_negative_numbers = true)]
    pub young: Option<f64>,
    /// Poisson's ratio, 0 to 0.49 [default: 0.3]
    #[arg(long, value_name = "NU", conflicts_with = "pca", value_parser = poisson, allow_negative_numbers = true)]
    pub poisson: Option<f64>,
    /// Thickness in metres of an open surface [default: a hundredth of the longest side]
    #[arg(long, value_name = "M", conflicts_with = "pca", value_parser = measure, allow_negative_numbers = true)]
    pub thickness: Option<f64>,
    /// The mesh at rest; needed for .pc2 and .mdd
    #[arg(long, value_name = "FILE", conflicts_with = "modes")]
    pub rest: Option<String>,
    /// Which clip of a model, by name or by its number in `inspect` [default: the first]
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "modes")]
    pub clip: Option<String>,
    #[command(flatten)]
    pub other_clips: OtherClips,
    /// Frames per second; a .mdd has times of its own [default: 30]
    #[arg(long, value_name = "F", conflicts_with = "modes", value_parser = positive, allow_negative_numbers = true)]
    pub fps: Option<f32>,
}

/// Sides of the box around a mesh; glTF faces +Z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Side {
    /// Least x
    Left,
    /// Greatest x
    Right,
    /// Least y
    Bottom,
    /// Greatest y
    Top,
    /// Least z
    Back,
    /// Greatest z
    Front,
}

/// Beyond a half volume would grow under pressure; near it cells lock.
fn poisson(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|nu| (0.0..=0.49).contains(nu));
    number.ok_or_else(|| "expected a number from 0 to 0.49".to_owned())
}
