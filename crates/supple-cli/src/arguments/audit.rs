//! `supple audit`: its arguments.

use std::path::PathBuf;

use clap::{ArgAction, Args};

use super::{OtherClips, SkinningName};
use crate::number::{count, positive};

const AFTER_HELP: &str = concat!(
    "\
What is looked for: pairs of triangles of one model that intersect, exactly, in every frame. A
triangle belongs to the bone of its heaviest joint; pairs are grouped by their two bones. Triangles
that share a vertex always touch there and are never compared (seams are closed first). What happens
between two frames is not looked at; --fps takes more of them.

Left out unless asked for: pairs of one bone (see them with --skip-same-bone=false), and pairs of a
bone and its parent, which fold wherever an elbow or a knee bends (--skip-parent-child=false). Pairs
of one bone are looked at all the same if the model has only one, and if morph targets make them
intersect. All that is left out is counted beside the verdict: a clip is \"clean\" only where nothing
intersects at all, otherwise it is \"clean except what was left out\". --max-pairs is about what is
reported, not about what is left out.

Names: what the names of all bones begin with, like mixamorig: or Armature_, is cut off and said
once; --bones takes names with it or without, the JSON has whole names.

Depth: how far vertices of one bone's surface are inside of the other's, going along edges from
where the two intersect; the larger of both directions. It is measured at vertices: 0 means that
the two cross, but have no vertex inside of each other. It is - for a bone in itself.

Of several files, those that have none of the --clip are passed over with a remark; a clip that no
file has is an error.

Exit codes: 1 if --max-pairs is exceeded, 2 and 3 as elsewhere; of several files, all are audited,
and the code is that of the first one that could not be.

The JSON of --json (frames count from 0; sizes are in the file's units, times in seconds):

",
    include_str!("../audit/sample.json"),
    "
Examples:
  supple audit zoo:man
  supple audit fox.glb --clip Run --clip Walk --html fox.html
  supple audit characters/ --ignore-rest --max-pairs 0 --json audit.json
  supple audit hero.glb --bones LeftHand+:LeftUpLeg --bones LeftHand+:Spine"
);

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
    #[command(flatten)]
    pub other_clips: OtherClips,
    /// Only the parts of that name
    #[arg(long, value_name = "NAME")]
    pub part: Option<String>,
    /// Another scene of the glTF files, by name or by its number in `inspect`
    #[arg(long, value_name = "NAME|INDEX")]
    pub scene: Option<String>,
    /// Frames per second
    #[arg(long, value_name = "F", default_value_t = 30.0, value_parser = positive, allow_negative_numbers = true)]
    pub fps: f32,
    /// How joints are blended
    #[arg(long, value_enum, default_value_t = SkinningName::Linear)]
    pub skinning: SkinningName,
    /// Neither count nor measure pairs of triangles that already intersect in the rest pose
    #[arg(long)]
    pub ignore_rest: bool,
    /// Fail with exit code 1 if a frame has more than N pairs of triangles that are reported
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub max_pairs: Option<usize>,
    /// Only between these two bones, in either order; NAME+ stands for the
    /// bone and all below it; may be repeated
    #[arg(long, value_name = "A:B", verbatim_doc_comment)]
    pub bones: Vec<String>,
    /// Also leave out pairs with at most N triangles between them along the
    /// surface: small folds
    #[arg(long, verbatim_doc_comment, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(..=64),
          allow_negative_numbers = true)]
    pub rings: u32,
    /// Leave out pairs of one bone, unless it is the only one or morph targets
    /// make them intersect
    #[arg(long, verbatim_doc_comment, value_name = "BOOL", default_value_t = true, action = ArgAction::Set,
          num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    pub skip_same_bone: bool,
    /// Leave out pairs of a bone and its parent
    #[arg(long, value_name = "BOOL", default_value_t = true, action = ArgAction::Set, num_args = 0..=1,
          require_equals = true, default_missing_value = "true")]
    pub skip_parent_child: bool,
    /// Write everything as JSON (--help shows it); - is stdout, then no table is printed
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a page with timelines and pictures of the worst frames; it needs no other file
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}
