//! `supple deform`: the mesh in a pose, or in many, as a file.

mod output;
mod poser;

use supple::Model;
use supple::Skinning;

use crate::arguments::DeformArguments;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::frames::Frames;
use crate::output::{Files, Numbered, Output, is_no_file};
use crate::print::print;
use crate::progress::while_waiting;
use crate::source;
use crate::table::counted;

pub use self::output::{OutputKind, posed_mesh};
use self::output::{cache_bytes, frame_bytes, write_sequence};
use self::poser::Poser;

/// Reads, poses, deforms and writes.
pub fn run(arguments: &DeformArguments) -> Result<(), Failure> {
    let kind = OutputKind::of(&arguments.output, arguments.format, &OutputKind::ALL)?;
    check_combination(arguments, kind)?;
    let mut files = Files::reading(arguments.input.files());
    let output = match arguments.frames {
        Some(count) if kind == OutputKind::Obj => {
            Place::Sequence(files.numbered("-o", &arguments.output, count as usize)?)
        }
        _ => Place::File(files.output("-o", &arguments.output, kind.contents())?),
    };
    let model = source::read(&arguments.input)?.model;
    let poser = Poser::new(&model, arguments)?;
    let name = arguments.output.display();
    let (written, remark) = match output {
        Place::Sequence(output) => {
            let frames = frames_of(arguments, &poser)?;
            let [first, last] = output.ends();
            let remark = write_sequence(&poser, &frames, output)?;
            (format!("{first} to {last}: {}", counted(frames.count(), "frame")), remark)
        }
        Place::File(output) if matches!(kind, OutputKind::Pc2 | OutputKind::Mdd) => {
            let frames = match arguments.time {
                Some(time) => Frames::single(time),
                None => frames_of(arguments, &poser)?,
            };
            let bytes = cache_bytes(&poser, &frames, kind)?;
            while_waiting(format!("writing {name}"), || output.write(bytes))?;
            (format!("{name}: {}", counted(frames.count(), "frame")), None)
        }
        Place::File(output) => {
            let time = arguments.time.unwrap_or(0.0);
            let posed = poser.posed(time)?;
            while_waiting(format!("writing {name}"), || output.write(frame_bytes(&posed, kind)?))?;
            (format!("{name}: {}", poser.describe(time)), None)
        }
    };
    let mesh = model.mesh();
    print(&format!(
        "{written}; {}, {}, {} skinning\n{}",
        counted(mesh.positions().len(), "vertex"),
        counted(mesh.triangles().len(), "triangle"),
        Skinning::from(arguments.skinning).name(),
        remark.map_or_else(String::new, |remark| format!("note: {remark}\n"))
    ))
}

/// What is written to.
enum Place {
    File(Output),
    Sequence(Numbered),
}

fn frames_of(arguments: &DeformArguments, poser: &Poser<'_>) -> Result<Frames, Failure> {
    Frames::of_clip(poser.clip(), arguments.start.unwrap_or(0.0), arguments.fps, arguments.frames)
}

/// An OBJ of the mesh as it is when nothing animates it.
pub fn rest_pose_bytes(model: &Model, skinning: Skinning) -> Result<Vec<u8>, Failure> {
    let posed = model.posed(&model.rest_pose(), skinning).or_blame(Blame::Input)?;
    frame_bytes(&posed, OutputKind::Obj)
}

/// What the argument parser cannot know: it does not look at extensions.
fn check_combination(arguments: &DeformArguments, kind: OutputKind) -> Result<(), Failure> {
    let several = arguments.frames.is_some();
    if several && kind == OutputKind::Obj && is_no_file(&arguments.output) {
        return Err(bad_usage("several .obj files need a name; use --time for one, or --format pc2 or mdd"));
    }
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
