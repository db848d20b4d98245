//! The command line: what may be asked, and the help that says so.

mod chains;
mod collide;
mod fit;
mod ray;
mod reduce;
mod view;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::deform::OutputKind;
use crate::number::{finite, positive, weight};

pub use self::chains::{ChainsArguments, NamedRegions};
pub use self::collide::{CollideArguments, MAX_FRAMES};
pub use self::fit::{EditRestArguments, FitArguments};
pub use self::ray::RayArguments;
pub use self::reduce::{ReduceArguments, Side};
pub use self::view::ViewArguments;
pub use supple_cli::audit::AuditArguments;
pub use supple_cli::input::{Input, OtherClips};
pub use supple_cli::skinning_name::SkinningName;

/// Exact collision detection of deforming meshes: skinned characters, morphing faces, flexing things.
#[derive(Debug, Parser)]
#[command(name = "supple", version, after_help = AFTER_HELP)]
pub struct Arguments {
    /// What to do; without it two people brush past each other.
    #[command(subcommand)]
    pub command: Option<Command>,
}

const AFTER_HELP: &str = "\
Without a command: two people brush past each other, and a table shows what it takes to know where
they touch, and what it takes after deforming all vertices.

Files: .glb .gltf .vrm .fbx .obj .supple; or zoo:man, zoo:man:2 (subdivided twice) for an animal
of the zoo.

Outputs: - is stdout; text for people is left out there, then. A file has its old contents until
the new ones are complete. An output that is an input is refused.

Exit codes:
  0  done
  1  a check failed (collide --check, faults in an audit)
  2  bad usage; an unknown clip, morph target, part or animal; an output that is an input
  3  the input file is missing, broken or of an unknown kind
  4  the output could not be written

Examples:
  supple inspect fox.glb
  supple zoo man -o man.glb
  supple deform zoo:man --clip twist --time 1 --skinning dual -o twisted.obj
  supple deform fox.glb --clip Run --fps 30 -o run.pc2
  supple collide zoo:man --clip-a walk --offset-b 1,0,0 --velocity-b -0.5,0,0
  supple ray zoo:man --clip walk --time 0.4 --pixel 320,200 --picture hit.png
  supple audit fox.glb --html fox.html
  supple view fox.glb
  supple chains zoo:human --check
  supple fit cloth_####.obj --corrections 5 -o cloth.glb
  supple reduce chair.obj --modes 10 -o chair.glb";

const JSON_HELP: &str = concat!(
    "The JSON (`first` counts from 0; sizes are in the file's units, times in seconds):\n\n",
    include_str!("../inspect/sample.json")
);

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Tell what is in a file
    #[command(after_long_help = JSON_HELP)]
    Inspect(InspectArguments),
    /// Write the mesh deformed by a pose
    Deform(DeformArguments),
    /// Turn any mesh animation into a skin with joints, weights and a clip
    Fit(FitArguments),
    /// Put another rest mesh below a skin and all of its clips
    EditRest(EditRestArguments),
    /// Make morph targets: vibration modes of a mesh, principal components of a sequence
    Reduce(ReduceArguments),
    /// List the animals that need no file, or write one
    Zoo(ZooArguments),
    /// Find all pairs of touching triangles of two animated models, frame by frame
    Collide(CollideArguments),
    /// Cast a ray at a model in a pose and tell what it hits
    Ray(RayArguments),
    /// Find where a character's own parts go through each other, in every frame of every clip
    Audit(Box<AuditArguments>),
    /// Fill a character with spheres and tell which of its parts come near each other
    Chains(ChainsArguments),
    /// Show a character in the browser: where it touches itself, what is under the pointer
    View(ViewArguments),
    /// Build the tree of a model and write both as a .supple file, which loads fast
    Build(BuildArguments),
    /// Show what the library does, without any file
    Demo(DemoArguments),
}

/// `supple build`
#[derive(Args, Debug)]
pub struct BuildArguments {
    #[command(flatten)]
    pub input: Input,
    /// The .supple file to write, overwritten if it exists, or - for
    /// stdout; every other command reads it like any model
    #[arg(short, long, verbatim_doc_comment, value_name = "OUT")]
    pub output: PathBuf,
}

/// `supple demo`
#[derive(Args, Debug)]
pub struct DemoArguments {
    /// What to show
    #[arg(value_enum, default_value_t = DemoName::Collide)]
    pub name: DemoName,
}

/// The demos.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum DemoName {
    /// Two people brush past each other (also without any command)
    Collide,
    /// A man is twisted by all skinning models
    Skinning,
}

/// `supple inspect`
#[derive(Args, Debug)]
pub struct InspectArguments {
    #[command(flatten)]
    pub input: Input,
    /// Print everything as JSON (--help shows an example)
    #[arg(long)]
    pub json: bool,
}

/// `supple zoo`
#[derive(Args, Debug)]
pub struct ZooArguments {
    /// The animal; without a name all are listed
    pub name: Option<String>,
    /// The file to write, overwritten if it exists, or - for stdout: .glb with
    /// skeleton and clips, .obj with the rest pose
    #[arg(short, long, verbatim_doc_comment, value_name = "FILE", requires = "name")]
    pub output: Option<PathBuf>,
    /// The kind of file, needed with -o -
    #[arg(long, requires = "output", value_enum, value_name = "KIND")]
    pub format: Option<OutputKind>,
    /// Subdivide N times; each time makes four triangles of one
    #[arg(long, value_name = "N", default_value_t = 0, requires = "name", allow_negative_numbers = true)]
    pub detail: u32,
}

/// `supple deform`
#[derive(Args, Debug)]
#[command(next_line_help = true)]
pub struct DeformArguments {
    #[command(flatten)]
    pub input: Input,
    /// The file to write, overwritten if it exists, or - for stdout: .obj, .glb
    /// (static mesh), .pc2, .mdd (vertex caches)
    ///
    /// With --frames, out.obj becomes out_0000.obj, out_0001.obj ...; a run of # in the name
    /// (out-##.obj) is replaced by the number. They appear together, when
    /// all are written. Positions read back as exactly the same f32.
    #[arg(short, long, value_name = "OUT", verbatim_doc_comment)]
    pub output: PathBuf,
    /// The kind of file, needed with -o -
    #[arg(long, value_enum, value_name = "KIND")]
    pub format: Option<OutputKind>,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = SkinningName::Linear)]
    pub skinning: SkinningName,
    /// The clip, by name or by its number in `inspect`; without it the rest pose is written
    #[arg(long, value_name = "NAME|INDEX")]
    pub clip: Option<String>,
    /// Seconds into the clip [default: 0]; before the start and beyond the end
    /// the first and last pose are held
    #[arg(long, verbatim_doc_comment, value_name = "S", requires = "clip", conflicts_with = "frames", value_parser = finite,
          allow_negative_numbers = true)]
    pub time: Option<f64>,
    /// Write N frames [default for .pc2 and .mdd: the whole clip]
    #[arg(long, value_name = "N", requires = "clip", value_parser = clap::value_parser!(u32).range(1..=1_000_000),
          allow_negative_numbers = true)]
    pub frames: Option<u32>,
    /// Frames per second [default: 30]
    #[arg(long, value_name = "F", requires = "clip", conflicts_with = "time", value_parser = positive,
          allow_negative_numbers = true)]
    pub fps: Option<f32>,
    /// Seconds into the clip of the first frame [default: 0]
    #[arg(long, value_name = "S", requires = "clip", conflicts_with = "time", value_parser = finite,
          allow_negative_numbers = true)]
    pub start: Option<f64>,
    /// Wrap times at the clip's end instead of holding the last pose
    #[arg(long = "loop", requires = "clip")]
    pub looped: bool,
    /// Set a morph target, by name or number, after the clip; may be repeated
    ///
    /// For models that blend whole shapes (zoo:blob) the weights are divided by their sum.
    #[arg(long, value_name = "NAME=VALUE", value_parser = weight)]
    pub weights: Vec<(String, f32)>,
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
