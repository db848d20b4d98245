//! `supple ray`: its arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use glam::{DVec3, Vec3};
use supple_draw::{BACK, FRONT, SIDE, THREE_QUARTER, TOP};

use super::{Input, SkinningName};
use crate::number::{finite, vector};

const AFTER_HELP: &str = concat!(
    "\
A ray is given by its start and direction, or by a pixel of the view: the picture of --size that
--picture writes, with the whole model in it. Pixels count from the top left corner, from 0; the ray
goes through the middle of the pixel, along the line of sight. Rays hit both sides of triangles.

Time is in units of the direction: the point is from + time * direction. The normal is that of the
posed triangle, on its front. The rest point is the same point of the mesh as the file has it.

A ray that hits nothing is no error: it is said, and the list of hits in the JSON is empty.

The JSON of --json (lengths are in the file's units, times of clips in seconds):

",
    include_str!("../ray/sample.json"),
    "
Examples:
  supple ray zoo:man --from 0,1.2,5 --direction 0,0,-1
  supple ray zoo:man --clip walk --time 0.4 --pixel 320,200 --picture hit.png
  supple ray fox.glb --clip Run --view side --size 800x600 --pixel 410,330 --all --json"
);

/// `supple ray`
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_HELP, next_line_help = true)]
pub struct RayArguments {
    #[command(flatten)]
    pub input: Input,
    /// Where the ray starts
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, requires = "direction")]
    pub from: Option<DVec3>,
    /// Where it goes; any length but 0
    #[arg(long, value_name = "X,Y,Z", value_parser = vector, allow_hyphen_values = true, requires = "from")]
    pub direction: Option<DVec3>,
    /// Through this pixel of the view instead
    #[arg(long, value_name = "X,Y", value_parser = pixel, allow_hyphen_values = true,
          conflicts_with_all = ["from", "direction"])]
    pub pixel: Option<[u32; 2]>,
    /// Pixels of the view
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = size, allow_hyphen_values = true)]
    pub size: [u32; 2],
    /// Where the eye is
    #[arg(long, value_enum, default_value_t = ViewName::Front)]
    pub view: ViewName,
    /// The clip, by name or by its number in `inspect` [default: the rest pose]
    #[arg(long, value_name = "NAME|INDEX")]
    pub clip: Option<String>,
    /// Seconds into the clip [default: 0]; before the start and beyond the end
    /// the first and last pose are held
    #[arg(long, verbatim_doc_comment, value_name = "S", requires = "clip", value_parser = finite,
          allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = SkinningName::Linear)]
    pub skinning: SkinningName,
    /// All hits along the ray, not only the first
    #[arg(long)]
    pub all: bool,
    /// Write everything as JSON (--help shows it); without a file, or with -, to stdout and
    /// nothing else there
    #[arg(long, verbatim_doc_comment, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    pub json: Option<PathBuf>,
    /// Draw the view with the hit marked in it, and a close-up beside it: a .png file
    #[arg(long, value_name = "PNG")]
    pub picture: Option<PathBuf>,
}

/// Directions under their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ViewName {
    /// From +Z
    Front,
    /// From -Z
    Back,
    /// From +X
    Side,
    /// From +Y
    Top,
    /// From the front, half to the side and a little from above
    ThreeQuarter,
}

impl ViewName {
    /// From the model to the eye.
    pub fn direction(self) -> Vec3 {
        match self {
            Self::Front => FRONT,
            Self::Back => BACK,
            Self::Side => SIDE,
            Self::Top => TOP,
            Self::ThreeQuarter => THREE_QUARTER,
        }
    }
}

/// `X,Y`
fn pixel(text: &str) -> Result<[u32; 2], String> {
    two_numbers(text, ',').ok_or_else(|| "expected two whole numbers with a comma, like 320,200".to_owned())
}

/// `WxH`
fn size(text: &str) -> Result<[u32; 2], String> {
    let size = two_numbers(text, 'x').filter(|size| size.iter().all(|side| (16..=8192).contains(side)));
    size.filter(|[width, height]| width * height <= 1 << 24).ok_or_else(|| {
        "expected width x height in pixels, like 640x480: sides of 16 to 8192, at most 16 million pixels"
            .to_owned()
    })
}

fn two_numbers(text: &str, between: char) -> Option<[u32; 2]> {
    let (first, second) = text.split_once(between)?;
    Some([first.trim().parse().ok()?, second.trim().parse().ok()?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_and_sizes_are_checked() {
        assert_eq!((pixel("3, 4"), size("640x480")), (Ok([3, 4]), Ok([640, 480])));
        for wrong in ["", "3", "3,", "-1,2", "1.5,2", "1,2,3", "a,b"] {
            assert!(pixel(wrong).is_err(), "{wrong}");
        }
        for wrong in ["640", "640,480", "0x0", "15x100", "9000x100", "8192x8192", "-1x5", "4294967295x16"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }
}
