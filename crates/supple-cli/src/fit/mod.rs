//! `supple fit`: any mesh animation as a skin.
//!
//! In: a sequence of one mesh's shapes. Out: a GLB with joints, weights, corrections and a clip, and how well it fits.
//! Must hold: what was written is read back and compared with the fitted model in every frame before the program says so.

mod exported;
mod text;

use std::iter;
use std::time::Instant;

use supple_fit::{
    Corrections, Distance, FitError, FitOptions, Fitted, MeshSequence, Placement, Progress, Weights,
};

use crate::arguments::FitArguments;
use crate::clip_files::files_behind;
use crate::deform::OutputKind;
use crate::failure::{Blame, Failure};
use crate::output::Files;
use crate::print::print;
use crate::progress::{bar, while_waiting};
use crate::sequence::{self, Wanted};
use crate::table::counted;

use self::exported::Exported;
use self::text::Summary;

/// Reads, fits, writes and reports.
pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    let kind = OutputKind::of(&arguments.output, None, &[OutputKind::Glb])?;
    let mut files = Files::reading(
        iter::once(&arguments.input)
            .chain(&arguments.rest)
            .cloned()
            .chain(files_behind(&arguments.other_clips.clips)),
    );
    let output = files.output("-o", &arguments.output, kind.contents())?;
    let input = sequence::read(&Wanted {
        file: &arguments.input,
        rest: arguments.rest.as_deref(),
        clip: arguments.clip.as_deref(),
        other_clips: &arguments.other_clips,
        fps: arguments.fps,
    })?;
    let start = Instant::now();
    let fitted = fitted(arguments, &input.sequence)?;
    let seconds = start.elapsed().as_secs_f64();
    let path = arguments.output.display();
    let exported = while_waiting(format!("writing {path}"), || Exported::new(&fitted, &input.sequence))
        .map_err(|failure| failure.at(&path))?;
    output.write(&exported.file.bytes)?;
    let sequence = &input.sequence;
    let summary =
        Summary { about: &input.about, sequence, fitted: &fitted, seconds, exported: &exported, path: &path };
    print(&(summary.to_string() + &fewer_than_asked(arguments, &fitted)))
}

/// What the mesh or the sequence did not need as many of as the user said.
fn fewer_than_asked(arguments: &FitArguments, fitted: &Fitted) -> String {
    let joints = (arguments.joints as usize, fitted.model.skin().joint_count(), "joint");
    let corrections = arguments.corrections.unwrap_or(0);
    let corrections = (corrections, fitted.model.rest().coefficient_count(), "correction");
    let fewer = [joints, corrections].into_iter().filter(|(asked, made, _)| made < asked);
    let told = |(asked, made, noun): (usize, usize, &str)| {
        format!("note: {} asked for; more than {made} have nothing to do here\n", were(asked, noun))
    };
    fewer.map(told).collect()
}

fn were(count: usize, noun: &str) -> String {
    format!("{} {}", counted(count, noun), if count == 1 { "was" } else { "were" })
}

fn fitted(arguments: &FitArguments, sequence: &MeshSequence) -> Result<Fitted, Failure> {
    let options = FitOptions::default()
        .with_joints(arguments.joints as usize)
        .with_reach(arguments.reach)
        .with_influences(arguments.influences as usize)
        .with_distance(if arguments.geodesic { Distance::Geodesic } else { Distance::Euclidean })
        .with_placement(if arguments.adaptive { Placement::Adaptive } else { Placement::PCenter })
        .with_weights(if arguments.least_squares { Weights::LeastSquares } else { Weights::FallOff })
        .with_skinning(arguments.skinning.into())
        .with_corrections(match (arguments.corrections, arguments.error) {
            (_, Some(percent)) => Corrections::Error(percent),
            (None | Some(0), None) => Corrections::None,
            (Some(count), None) => Corrections::Count(count),
        })
        .with_rounds(arguments.rounds as usize);
    // All frames are gone through several times, by all threads; how often depends on the options.
    let progress = bar(sequence.frames().len(), "fitting");
    let report = |Progress { stage, done, total }| {
        progress.set_message(format!("fitting {stage}"));
        progress.set_length(total as u64);
        progress.set_position(done as u64);
    };
    supple_fit::fit(sequence, &options, &report).map_err(|error| {
        let blame = match error {
            FitError::BadOption { .. } => Blame::Usage,
            _ => Blame::Input,
        };
        Failure::new(blame, error).at(&arguments.input)
    })
}
