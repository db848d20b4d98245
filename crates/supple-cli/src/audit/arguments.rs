//! `supple audit`: its arguments.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use supple_audit::{Class, Depth};

use super::against::Against;
use crate::input::OtherClips;
use crate::number::{count, positive};
use crate::skinning_name::SkinningName;

const AFTER_HELP: &str = "\
What is looked for: triangles of one character that intersect, exactly, in every frame. Everything
that hangs together is one contact; contacts of the same two parts of the body are one event, over
all frames and clips. A triangle belongs to the bone of its heaviest joint, bones to parts of the
body: fingers to the hand, toes to the foot. Triangles that share a vertex always touch there and
are never compared (seams are closed first). What happens between two frames is not looked at; --fps
takes more of them.

Classes: only faults are shown and fail, unless --class asks for others; the others are counted.
  fault    one surface goes through another, and that can be seen from outside in some frame
  hidden   the same, but seen from nowhere outside
  graze    the same, but less deep than --min-depth, or in fewer frames than --min-frames
  crease   a fold: the two surfaces are near each other along the surface, as in an elbow
  layered  they cross in the rest pose, too, and are not deeper now: eyes in sockets, clothes

Depth: where two surfaces cross, a piece of each is cut off; the depth is how far the smaller piece
reaches from the other surface.

Exit codes: 1 if there is an event of the classes that fail, 2 and 3 as elsewhere; of several files,
all are audited, and the code is that of the first one that could not be.

Examples:
  supple audit zoo:man
  supple audit fox.glb --clip Run --clip Walk --html fox.html
  supple audit hero.glb --against sword.glb --attach hand_r
  supple audit hero.glb --between body,shirt --html clothes.html
  supple audit characters/ --accept accepted.json --junit audit.xml --sarif audit.sarif
  supple audit hero.glb --bones LeftHand+:LeftUpLeg --bones LeftHand+:Spine";

/// `supple audit`
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_HELP, next_line_help = true)]
pub struct AuditArguments {
    /// .glb, .gltf, .vrm, .fbx, .obj or .supple files, zoo:NAME or zoo:NAME:DETAIL,
    /// or folders: all such files in them, at any depth
    #[arg(required = true, value_name = "FILE", verbatim_doc_comment)]
    pub files: Vec<String>,
    /// Only this clip, by name or by number in `inspect`; may be repeated:
    /// --clip walk --clip run [default: all]
    #[arg(long, value_name = "NAME", verbatim_doc_comment)]
    pub clip: Vec<String>,
    /// Clips of other files.
    #[command(flatten)]
    pub other_clips: OtherClips,
    /// Only the parts of that name
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Leave out the parts of that name, like weapons that are not shown
    /// together; may be repeated
    #[arg(long, value_name = "NAME", verbatim_doc_comment)]
    pub without: Vec<String>,
    /// Another scene of the glTF files, by name or by its number in `inspect`
    #[arg(long, value_name = "NAME|INDEX")]
    pub scene: Option<String>,
    /// Frames per second
    #[arg(long, value_name = "F", default_value_t = 30.0, value_parser = positive, allow_negative_numbers = true)]
    pub fps: f32,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = SkinningName::Linear)]
    pub skinning: SkinningName,

    /// A second model.
    #[command(flatten)]
    pub against: Against,
    /// Only between these two meshes or materials of the file: --between body,shirt;
    /// of more than two names, between the first and all others
    #[arg(
        long,
        value_name = "A,B",
        conflicts_with = "against",
        verbatim_doc_comment,
        help_heading = "What is looked at"
    )]
    pub between: Option<String>,
    /// Only between these two bones, in either order; NAME+ stands for the
    /// bone and all below it; may be repeated
    #[arg(long, value_name = "A:B", verbatim_doc_comment, help_heading = "What is looked at")]
    pub bones: Vec<String>,
    /// Leave out bones that are fewer than N steps apart in the skeleton: 1 a
    /// bone in itself, 2 also a bone and its parent
    #[arg(
        long,
        verbatim_doc_comment,
        value_name = "N",
        default_value_t = 0,
        help_heading = "What is looked at",
        allow_negative_numbers = true
    )]
    pub bones_apart: u32,

    /// Events that are less deep are grazes: in percent of the size (0.5%) or
    /// in the file's units (0.01)
    #[arg(long, verbatim_doc_comment, value_name = "DEPTH", default_value = "0.25%", value_parser = depth,
          allow_negative_numbers = true, help_heading = "What is a fault")]
    pub min_depth: Depth,
    /// Events in fewer frames are grazes
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = count, allow_negative_numbers = true,
          help_heading = "What is a fault")]
    pub min_frames: usize,
    /// Only the event of this id, as the page and the JSON have it; may be repeated
    #[arg(long, value_name = "ID", help_heading = "What is a fault")]
    pub event: Vec<String>,
    /// Classes of events that are shown and that fail, with commas between them:
    /// fault, hidden, graze, crease, layered, all
    #[arg(long, value_enum, value_name = "CLASS", value_delimiter = ',', default_values_t = [ClassName::Fault],
          hide_possible_values = true, verbatim_doc_comment, help_heading = "What is a fault")]
    pub class: Vec<ClassName>,
    /// A list of accepted events, which do not fail unless they get worse
    #[arg(long, value_name = "FILE", help_heading = "What is a fault")]
    pub accept: Option<PathBuf>,
    /// Write what would fail now as a list for --accept
    #[arg(long, value_name = "FILE", help_heading = "What is a fault")]
    pub write_accept: Option<PathBuf>,
    /// The JSON of an earlier audit: only what is new or got worse fails
    #[arg(long, value_name = "FILE", help_heading = "What is a fault")]
    pub baseline: Option<PathBuf>,

    /// Write a page with timelines and pictures; it needs no other file
    #[arg(long, value_name = "FILE", help_heading = "What is written")]
    pub html: Option<PathBuf>,
    /// Search which bone to turn, and by how much, to clear the worst frame of
    /// every event that is shown
    #[arg(long, verbatim_doc_comment, help_heading = "What is written")]
    pub hints: bool,
    /// Write the worst frame of every event that is shown as a GLB into this
    /// folder, with colours where triangles touch
    #[arg(long, verbatim_doc_comment, value_name = "FOLDER", help_heading = "What is written")]
    pub glb: Option<PathBuf>,
    /// Write everything as JSON (docs/audit.md describes it); - is stdout, then
    /// no table is printed
    #[arg(long, verbatim_doc_comment, value_name = "FILE", help_heading = "What is written")]
    pub json: Option<PathBuf>,
    /// Write every frame as a line of JSON while it is audited, for hours of animation
    #[arg(long, value_name = "FILE", help_heading = "What is written")]
    pub json_lines: Option<PathBuf>,
    /// Write a test report for build servers
    #[arg(long, value_name = "FILE", help_heading = "What is written")]
    pub junit: Option<PathBuf>,
    /// Write a report for code scanning
    #[arg(long, value_name = "FILE", help_heading = "What is written")]
    pub sarif: Option<PathBuf>,
    /// Print annotations for GitHub's workflows after the report
    #[arg(long, help_heading = "What is written")]
    pub github: bool,
}

/// A [`Class`], or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ClassName {
    /// One surface goes through another, and it can be seen
    Fault,
    /// As a fault, but it cannot be seen from outside
    Hidden,
    /// Less deep or in fewer frames than --min-depth and --min-frames
    Graze,
    /// A fold, like both sides of an elbow
    Crease,
    /// Crosses in the rest pose, too, and is not deeper
    Layered,
    /// All of them
    All,
}

impl ClassName {
    /// Whether a class is meant.
    pub fn contains(self, class: Class) -> bool {
        match self {
            Self::Fault => class == Class::Fault,
            Self::Hidden => class == Class::Hidden,
            Self::Graze => class == Class::Graze,
            Self::Crease => class == Class::Crease,
            Self::Layered => class == Class::Layered,
            Self::All => true,
        }
    }
}

/// `0.5%` or `0.01`
pub(super) fn depth(text: &str) -> Result<Depth, String> {
    let expected = "expected a depth, 0 or more, in percent of the size (0.5%) or in units (0.01)";
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f32| n.is_finite() && *n >= 0.0);
    let depth = match text.strip_suffix('%') {
        Some(percent) => number(percent).map(Depth::Percent),
        None => number(text).map(Depth::Units),
    };
    depth.ok_or_else(|| expected.to_owned())
}
