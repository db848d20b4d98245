//! `supple fit`: any mesh animation as a skin.
//!
//! In: a sequence of one mesh's shapes. Out: a GLB with joints, weights, corrections and a clip, and how well it fits.
//! Must hold: what was written is read back and compared with the fitted model in every frame before the program says so.

mod exported;
mod text;

use std::time::Instant;

use anyhow::Context;
use supple_fit::{Corrections, Distance, FitOptions, Fitted, MeshSequence, Placement, Progress, Weights};

use crate::arguments::FitArguments;
use crate::deform::OutputKind;
use crate::failure::{Blame, Failure, OrBlame};
use crate::output::Output;
use crate::print::print;
use crate::progress::{bar, while_waiting};
use crate::sequence::{self, Wanted};

use self::exported::Exported;
use self::text::Summary;

/// Reads, fits, writes and reports.
pub fn run(arguments: &FitArguments) -> Result<(), Failure> {
    OutputKind::of(&arguments.output, &[OutputKind::Glb])?;
    let input = sequence::read(&Wanted {
        file: &arguments.input,
        rest: arguments.rest.as_deref(),
        clip: arguments.clip.as_deref(),
        other_clips: &arguments.other_clips,
        fps: arguments.fps,
    })?;
    let output = Output::new(&arguments.output)?;
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
    print(&summary.to_string())
}

fn fitted(arguments: &FitArguments, sequence: &MeshSequence) -> Result<Fitted, Failure> {
    let options = FitOptions::default()
        .with_joints(arguments.joints as usize)
        .with_reach(arguments.reach)
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
    supple_fit::fit(sequence, &options, &report)
        .with_context(|| arguments.input.clone())
        .or_blame(Blame::Input)
}
