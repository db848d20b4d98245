//! `supple collide`: its arguments.

use std::path::PathBuf;

use clap::{ArgGroup, Args};
use glam::DVec3;

use super::SkinningName;
use crate::number::{angle, finite, positive, vector};

/// More frames than this are a mistake in the frame rate: almost an hour at 30 per second.
pub const MAX_FRAMES: usize = 100_000;

const AFTER_HELP: &str = "\
The JSON of --json (times in seconds; pairs are triangle of A, triangle of B, in ascending order):

  {\"a\":{\"file\":\"zoo:man\",\"triangles\":8796,\"vertices\":4400,\"joints\":27,\"skinning\":\"linear\",
        \"clip\":\"walk\",\"nodes\":2000},
   \"b\":{..},
   \"frames\":[{\"frame\":0,\"time\":0.0,\"pairs\":[[17,4031],[18,4031]],
              \"stats\":{\"node_visits\":90,\"refits\":70,\"vertices_deformed\":40,\"triangle_tests\":9,
                       \"microseconds\":12.5},
              \"baking_microseconds\":180.2}],
   \"totals\":{\"frames\":1,\"frames_in_contact\":1,\"pairs\":2,\"node_visits\":90,\"refits\":70,
             \"vertices_deformed\":40,\"triangle_tests\":9,\"microseconds\":12.5,
             \"baking\":{\"frames\":1,\"faster\":0,\"microseconds\":180.2,\"supple_microseconds\":12.5}}}

  Baking: deforming all vertices of both, fitting all boxes to them and asking the same. It is
  measured in the frames of the table. With --pairs every frame also has
  \"by_joints\":[{\"joints\":[\"hand_l\",\"chest\"],\"pairs\":[[17,4031],[18,4031]]}]:
  names of a joint of A and one of B, and the pairs of triangles that these own.

Examples:
  supple collide zoo:man --clip-a walk --turn-b 180 --offset-b 0,0,1.2 --velocity-b 0,0,-0.6
  supple collide zoo:creature zoo:chair --clip-a walk --clip-b 0 --offset-b 0.3,0,0.5 --check
  supple collide zoo:man zoo:chair --offset-b 0,0,0.3 --pairs --picture contact.png
  supple collide fox.glb wall.obj --clip-a Run --first --json - > contact.json";

/// `supple collide`
#[derive(Args, Debug)]
#[command(after_long_help = AFTER_HELP, next_line_help = true)]
#[command(group(ArgGroup::new("other_clips").args(["clips_a", "clips_b"]).multiple(true)))]
pub struct CollideArguments {
    /// A .glb, .gltf, .vrm, .fbx, .obj or .supple file, or zoo:NAME or zoo:NAME:DETAIL
    pub a: String,
    /// The other one [default: another body of A's shape]
    pub b: Option<String>,
    /// Another scene of A's glTF, by name or by its number in `inspect`
    #[arg(long, value_name = "SCENE")]
    pub scene_a: Option<String>,
    /// Another scene of B's glTF
    #[arg(long, value_name = "SCENE", requires = "b")]
    pub scene_b: Option<String>,
    /// How A's joints are blended
    #[arg(long, value_name = "MODEL", value_enum, default_value_t = SkinningName::Linear)]
    pub skinning_a: SkinningName,
    /// How B's joints are blended
    /// [default: linear; A's if B is not given]
    #[arg(long, verbatim_doc_comment, value_name = "MODEL", value_enum)]
    pub skinning_b: Option<SkinningName>,
    /// A's clip, by name or by its number in `inspect`; it loops [default: the rest pose]
    #[arg(long, value_name = "CLIP")]
    pub clip_a: Option<String>,
    /// B's clip [default: the rest pose; A's clip if B is not given]
    #[arg(long, value_name = "CLIP")]
    pub clip_b: Option<String>,
    /// Also clips of these files for A, on bones of the same names:
    /// .glb .gltf .vrm .fbx .bvh .supple or zoo:NAME, or folders
    #[arg(long, verbatim_doc_comment, value_name = "FILE", num_args = 1..)]
    pub clips_a: Vec<String>,
    /// Also clips of these files for B [default: A's if B is not given]:
    /// .glb .gltf .vrm .fbx .bvh .supple or zoo:NAME, or folders
    #[arg(long, verbatim_doc_comment, value_name = "FILE", num_args = 1..)]
    pub clips_b: Vec<String>,
    /// With --clips-a and --clips-b: names of bones may begin with this on either
    /// side, like mixamorig: ; case and separators do not count then; may be repeated
    #[arg(long, verbatim_doc_comment, value_name = "PREFIX", requires = "other_clips")]
    pub ignore_prefix: Vec<String>,
    /// Seconds into A's clip of the first frame [default: 0]
    #[arg(long, value_name = "S", value_parser = finite, allow_negative_numbers = true)]
    pub start_a: Option<f64>,
    /// Seconds into B's clip of the first frame [default: 0]
    #[arg(long, value_name = "S", value_parser = finite, allow_negative_numbers = true)]
    pub start_b: Option<f64>,
    /// Turn B about the vertical axis, in degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 0.0, value_parser = angle, allow_negative_numbers = true)]
    pub turn_b: f64,
    /// Where B is in the first frame
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = vector, allow_hyphen_values = true)]
    pub offset_b: DVec3,
    /// How B moves, in the units of the files, per second
    #[arg(long, value_name = "X,Y,Z", default_value = "0,0,0", value_parser = vector, allow_hyphen_values = true)]
    pub velocity_b: DVec3,
    /// Frames per second
    #[arg(long, value_name = "F", default_value_t = 30.0, value_parser = positive, allow_negative_numbers = true)]
    pub fps: f32,
    /// Number of frames [default: once through A's clip, or B's; 60 without clips, 1 if nothing
    /// moves]
    #[arg(long, verbatim_doc_comment, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_FRAMES as i64),
          allow_negative_numbers = true)]
    pub frames: Option<u32>,
    /// Look for any one pair of touching triangles instead of all
    #[arg(long)]
    pub first: bool,
    /// Compare every frame with brute force; exit code 1 if anything differs
    #[arg(long)]
    pub check: bool,
    /// Write everything as JSON (--help shows it); - is stdout, then no table is printed
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// List the pairs of triangles of every frame, by the joints that own them; with --json also
    /// there, as by_joints
    #[arg(long, verbatim_doc_comment)]
    pub pairs: bool,
    /// Write a picture of the frame with the most touching triangles: the whole, and where they
    /// touch
    #[arg(long, verbatim_doc_comment, value_name = "FILE.png")]
    pub picture: Option<PathBuf>,
    /// Also show how many boxes and triangles were looked at
    #[arg(long)]
    pub details: bool,
    /// Show all frames in the table, not only some
    #[arg(long)]
    pub all_frames: bool,
}
