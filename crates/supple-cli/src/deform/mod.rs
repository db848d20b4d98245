//! `supple deform`: the mesh in a pose, or in many, as a file.

mod output;
mod poser;

use std::path::Path;

use supple::Model;
use supple::Skinning;

use crate::arguments::DeformArguments;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::frames::Frames;
use crate::print::print;
use crate::progress::while_waiting;
use crate::source;
use crate::table::counted;

pub use self::output::{OutputKind, posed_mesh};
use self::output::{write_cache, write_frame, write_sequence};
use self::poser::Poser;

/// Reads, poses, deforms and writes.
pub fn run(arguments: &DeformArguments) -> Result<(), Failure> {
    let kind = OutputKind::of(&arguments.output, &OutputKind::ALL)?;
    check_combination(arguments, kind)?;
    let model = source::read(&arguments.input)?.model;
    let poser = Poser::new(&model, arguments)?;
    let output = arguments.output.as_path();
    let written = match kind {
        OutputKind::Pc2 | OutputKind::Mdd => {
            let frames = match arguments.time {
                Some(time) => Frames::single(time),
                None => frames_of(arguments, &poser)?,
            };
            write_cache(&poser, &frames, kind, output)?;
            format!("{}: {}", output.display(), counted(frames.count(), "frame"))
        }
        OutputKind::Obj if arguments.frames.is_some() => {
            let frames = frames_of(arguments, &poser)?;
            let (first, last) = write_sequence(&poser, &frames, output)?;
            format!("{} to {}: {}", first.display(), last.display(), counted(frames.count(), "frame"))
        }
        OutputKind::Obj | OutputKind::Glb => {
            let time = arguments.time.unwrap_or(0.0);
            let posed = poser.posed(time)?;
            while_waiting(format!("writing {}", output.display()), || write_frame(&posed, kind, output))?;
            format!("{}: {}", output.display(), poser.describe(time))
        }
    };
    let mesh = model.mesh();
    print(&format!(
        "{written}; {}, {}, {} skinning\n",
        counted(mesh.positions().len(), "vertex"),
        counted(mesh.triangles().len(), "triangle"),
        Skinning::from(arguments.skinning).name()
    ))
}

fn frames_of(arguments: &DeformArguments, poser: &Poser<'_>) -> Result<Frames, Failure> {
    Frames::of_clip(poser.clip(), arguments.start.unwrap_or(0.0), arguments.fps, arguments.frames)
}

/// Writes the mesh as it is when nothing animates it.
pub fn write_rest_pose(model: &Model, skinning: Skinning, output: &Path) -> Result<(), Failure> {
    let posed = model.posed(&model.rest_pose(), skinning).or_blame(Blame::Input)?;
    write_frame(&posed, OutputKind::Obj, output)
}

/// What the argument parser cannot know: it does not look at extensions.
fn check_combination(arguments: &DeformArguments, kind: OutputKind) -> Result<(), Failure> {
    let several = arguments.frames.is_some();
    if kind == OutputKind::Glb && several {
        return Err(bad_usage(
            "a .glb holds one pose here; write --frames to .obj, .pc2 or .mdd, or use --time",
        ));
    }
    let for_several = arguments.start.is_some() || arguments.fps.is_some();
    if for_several && !several && matches!(kind, OutputKind::Obj | OutputKind::Glb) {
        return Err(bad_usage(
            "--start and --fps need --frames or a .pc2 or .mdd file; use --time for one pose",
        ));
    }
    Ok(())
}
