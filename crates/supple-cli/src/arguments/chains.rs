//! `supple chains`: its arguments.

use std::path::PathBuf;

use clap::Args;

use super::{Input, SkinningName};
use crate::number::{count_in, part_in, positive};

const AFTER_HELP: &str = concat!(
    "\
What it does: divides the model into limbs and a trunk, fills them with spheres, joins the spheres
of every two limbs, through the trunk, to a chain, and tells in which frames spheres overlap that do
not at rest. That is a coarse, cheap answer to which parts of a body are in each other's way; the
exact one is that of `supple audit`, and --check compares the two.

Regions: by default limbs are what the rig has of them: long branches of joints. Named ones begin at
joints; all below a joint belongs to its region, and what is in no region is the trunk.

Fit: spheres miss a piece of surface that is farther from them than half of their mean radius, at
rest: it sticks out of them, or they are too wide. Where both together are more than 30 % of a
region's surface, or triangles reach out of their spheres by more than the radius on average, a
warning says that answers about the region mean little: wings and swords are not made of spheres.

Check: with --check there are warnings where spheres, or only those of one chain, find nothing or
less than half of what touches in a clip, and where nothing that overlaps really touches. Spheres
that are neighbours or overlap at rest are not tested; what touches there counts as missed.

Exit codes: 2 for options out of range and regions that make no sense, 3 for a model without rig or
limbs, or whose surface is open where rays look for it.

The JSON of --json (frames count from 0; sizes are in the file's units, times in seconds; recall is
the share of everything that touches which was found, null where nothing touches; precision is the
share of the reported pairs of spheres that really touch, null where there are none; fullest_frame
is null where no spheres overlap):

",
    include_str!("../chains/sample.json"),
    "
Examples:
  supple chains zoo:human
  supple chains zoo:man --clip random --check --picture man.png
  supple chains hero.glb --regions 'left arm=LeftArm; right arm=RightArm; tail=Tail1,Tail2'
  supple chains zoo:creature --enclosing --json spheres.json -o spheres.glb"
);

/// `supple chains`
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_HELP, next_line_help = true)]
pub struct ChainsArguments {
    #[command(flatten)]
    pub input: Input,
    /// Limbs by their first joints, as 'left arm=upper_arm_l; tail=tail_1,fin'; a
    /// joint alone is a limb of that name; may be repeated [default: from the rig]
    #[arg(long, verbatim_doc_comment, value_name = "NAME=JOINT,..;..", value_parser = regions)]
    pub regions: Vec<NamedRegions>,
    /// Only this clip, by name or by number in `inspect` [default: all; the rest pose if
    /// there are none]
    #[arg(long, verbatim_doc_comment, value_name = "NAME|INDEX")]
    pub clip: Option<String>,
    /// Frames of each clip [default: the whole clip]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000),
          allow_negative_numbers = true)]
    pub frames: Option<u32>,
    /// Frames per second [default: 30]
    #[arg(long, value_name = "F", value_parser = positive, allow_negative_numbers = true)]
    pub fps: Option<f32>,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = SkinningName::Linear)]
    pub skinning: SkinningName,
    /// Rays of the disk that looks for the surface, 8 to 4096
    #[arg(long, value_name = "N", default_value_t = 80, value_parser = |text: &str| count_in(text, 8..=4096), allow_negative_numbers = true)]
    pub rays: usize,
    /// How far the disk moves at a time, 0.0001 to 0.5 of the model's size
    #[arg(long, value_name = "PART", default_value_t = 0.004, value_parser = |text: &str| part_in(text, 1e-4..=0.5), allow_negative_numbers = true)]
    pub step: f64,
    /// Spheres side by side in the trunk, 1 to 64
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = |text: &str| count_in(text, 1..=64), allow_negative_numbers = true)]
    pub spheres_per_level: usize,
    /// How far neighbouring spheres overlap, from 0 to 0.9 of their radii
    #[arg(long, value_name = "PART", default_value_t = 0.3, value_parser = |text: &str| part_in(text, 0.0..=0.9), allow_negative_numbers = true)]
    pub overlap: f64,
    /// Triangles that a sphere follows, 1 to 1024
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = |text: &str| count_in(text, 1..=1024), allow_negative_numbers = true)]
    pub pivots: usize,
    /// Spheres that contain all of their triangles in every pose, instead of following a few
    #[arg(long)]
    pub enclosing: bool,
    /// Do not leave out spheres that overlap at rest
    #[arg(long)]
    pub keep_resting: bool,
    /// Compare with the exact self-collision in every frame: how much of what touches is
    /// found, and how much of what is found touches
    #[arg(long, verbatim_doc_comment)]
    pub check: bool,
    /// Write everything as JSON (--help shows it); - is stdout, then no table is printed
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the spheres as meshes that move as in the clips: a .glb file
    #[arg(short, long, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// Draw the spheres at rest and in the frame with the most overlaps: a .png file
    #[arg(long, value_name = "PNG")]
    pub picture: Option<PathBuf>,
}

/// Limbs of one `--regions`: names, and joints of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRegions(pub Vec<(String, Vec<String>)>);

/// `NAME=JOINT,JOINT; JOINT; ..`
fn regions(text: &str) -> Result<NamedRegions, String> {
    let region = |text: &str| {
        let (name, joints) = text.split_once('=').unwrap_or((text, text));
        let joints: Vec<String> = joints.split(',').map(|joint| joint.trim().to_owned()).collect();
        let is_whole = !name.trim().is_empty() && joints.iter().all(|joint| !joint.is_empty());
        is_whole.then(|| (name.trim().to_owned(), joints))
    };
    let pieces = text.split(';').filter(|piece| !piece.trim().is_empty());
    match pieces.map(region).collect::<Option<Vec<_>>>() {
        Some(regions) if !regions.is_empty() => Ok(NamedRegions(regions)),
        _ => Err("expected NAME=JOINT, more joints after commas, more regions after ';'".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_have_names_and_joints() {
        let region = |name: &str, joints: &[&str]| {
            (name.to_owned(), joints.iter().map(|&joint| joint.to_owned()).collect::<Vec<_>>())
        };
        let parsed = regions(" left arm = a, b ;tail; ").map(|regions| regions.0);
        assert_eq!(parsed, Ok(vec![region("left arm", &["a", "b"]), region("tail", &["tail"])]));
        for wrong in ["", ";", "=a", "a=", "a=b,", "a,b;=c"] {
            assert!(regions(wrong).is_err(), "{wrong}");
        }
    }
}
