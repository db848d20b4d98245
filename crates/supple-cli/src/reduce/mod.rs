//! `supple reduce`: a mesh with its vibration modes, or a sequence as principal components.
//!
//! In: a mesh, or a sequence of one mesh's shapes. Out: a GLB with morph targets and a clip that shows them or plays the sequence.
//! Must hold: what was written is read back and compared before the program says so.

mod text;

use std::iter;
use std::path;
use std::time::Instant;

use glam::{DVec3, Vec3};
use supple::Mesh;
use supple::Model;
use supple::Skinning;
use supple_fit::reduce::{ModeOptions, ReduceError, components, flexible_model, modes, showing_clip};

use crate::arguments::{Input, ReduceArguments, Side};
use crate::deform::{OutputKind, posed_mesh};
use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::output::{Files, Output};
use crate::print::print;
use crate::progress::while_waiting;
use crate::read_back::ReadBack;
use crate::sequence::{self, Wanted};
use crate::source;

use self::text::{ComponentsSummary, ModesSummary, Written};

/// Reads, reduces, writes and reports.
pub fn run(arguments: &ReduceArguments) -> Result<(), Failure> {
    if arguments.pca.is_none() && !arguments.other_clips.clips.is_empty() {
        return Err(bad_usage("--clips is for --pca; --modes looks at the mesh at rest"));
    }
    let kind = OutputKind::of(&arguments.output, None, &[OutputKind::Glb])?;
    let mut files = Files::reading(
        iter::once(&arguments.input).chain(&arguments.rest).chain(&arguments.other_clips.clips),
    );
    let output = files.output("-o", &arguments.output, kind.contents())?;
    match arguments.pca {
        Some(count) => reduce_sequence(arguments, count as usize, &output),
        None => reduce_mesh(arguments, &output),
    }
}

fn reduce_mesh(arguments: &ReduceArguments, output: &Output) -> Result<(), Failure> {
    let file = &arguments.input;
    let model = source::read(&Input { part: arguments.part.clone(), ..Input::whole(file) })?.model;
    let posed = model.posed(&model.rest_pose(), Skinning::Linear).or_blame(Blame::Input)?;
    let mesh = posed_mesh(&posed).or_blame(Blame::Input)?;
    let options = options(arguments, &mesh);
    let start = Instant::now();
    let found = while_waiting(format!("vibrations of {file}"), || modes(&mesh, &options));
    let modes = found.map_err(|error| blamed(error).at(file))?;
    let seconds = start.elapsed().as_secs_f64();
    let clip = showing_clip("modes", modes.fields.len()).or_blame(Blame::Input)?;
    let times: Vec<f32> = clip.channels()[0].times.clone();
    let model = flexible_model(mesh.clone(), &modes.fields, vec![clip]).or_blame(Blame::Input)?;
    let path = arguments.output.display();
    // Some of each mode.
    let written = write(&model, &times.iter().copied().step_by(3).collect::<Vec<_>>(), &path, output)?;
    print(&ModesSummary { file, mesh: &mesh, options: &options, modes: &modes, seconds, written }.to_string())
}

fn options(arguments: &ReduceArguments, mesh: &Mesh) -> ModeOptions {
    let default = ModeOptions::default();
    ModeOptions::default()
        .with_count(arguments.modes.map_or(default.count, |count| count as usize))
        .with_amplitude(arguments.amplitude)
        .with_resolution(arguments.resolution.map_or(default.resolution, |cells| cells as usize))
        .with_density(arguments.density.unwrap_or(default.density))
        .with_young(arguments.young.unwrap_or(default.young))
        .with_poisson(arguments.poisson.unwrap_or(default.poisson))
        .with_thickness(arguments.thickness)
        .with_held(arguments.hold.iter().map(|&side| beyond(side, mesh)).collect())
}

/// Everything at and beyond a side of the box around the triangles.
fn beyond(side: Side, mesh: &Mesh) -> [DVec3; 2] {
    let used = mesh.triangles().iter().flatten().map(|&v| mesh.positions()[v as usize]);
    let none = [Vec3::INFINITY, Vec3::NEG_INFINITY];
    let [min, max] = used.fold(none, |[min, max], p| [min.min(p), max.max(p)]).map(|p| p.as_dvec3());
    let (axis, least) = match side {
        Side::Left => (0, true),
        Side::Right => (0, false),
        Side::Bottom => (1, true),
        Side::Top => (1, false),
        Side::Back => (2, true),
        Side::Front => (2, false),
    };
    let mut held = [DVec3::NEG_INFINITY, DVec3::INFINITY];
    if least {
        held[1][axis] = min[axis];
    } else {
        held[0][axis] = max[axis];
    }
    held
}

fn reduce_sequence(arguments: &ReduceArguments, count: usize, output: &Output) -> Result<(), Failure> {
    let motion = sequence::read(&Wanted {
        file: &arguments.input,
        rest: arguments.rest.as_deref(),
        clip: arguments.clip.as_deref(),
        other_clips: &arguments.other_clips,
        fps: arguments.fps,
    })?;
    let start = Instant::now();
    let waiting = format!("components of {}", arguments.input);
    let components = while_waiting(waiting, || components(&motion.sequence, count))
        .map_err(|error| blamed(error).at(&arguments.input))?;
    let seconds = start.elapsed().as_secs_f64();
    let model = components.model("sequence").or_blame(Blame::Input)?;
    let path = arguments.output.display();
    let written = write(&model, motion.sequence.times(), &path, output)?;
    print(&ComponentsSummary { motion: &motion, components: &components, seconds, written }.to_string())
}

/// Counts, resolutions and what is held are the user's; all else is about the file.
fn blamed(error: ReduceError) -> Failure {
    let blame = match error {
        ReduceError::BadOption { .. }
        | ReduceError::TooFine { .. }
        | ReduceError::TooMany { .. }
        | ReduceError::Loose { .. }
        | ReduceError::AllHeld => Blame::Usage,
        _ => Blame::Input,
    };
    Failure::new(blame, error)
}

fn write<'p>(
    model: &Model,
    times: &[f32],
    path: &'p path::Display<'p>,
    output: &Output,
) -> Result<Written<'p>, Failure> {
    let read_back =
        while_waiting(format!("writing {path}"), || ReadBack::new(model, times, Skinning::Linear));
    let file = read_back.map_err(|failure| failure.at(path))?;
    output.write(&file.bytes)?;
    Ok(Written { path, file })
}
