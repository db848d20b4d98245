//! `supple-lab tightness`: how much larger refitted bounds are than they would have to be.

mod measure;
mod text;

use serde::Serialize;
use supple::Skinning;
use supple_cli::failure::{Blame, Failure, OrBlame, failed_check};
use supple_cli::print::print;
use supple_cli::source;

use crate::arguments::TightnessArguments;

use self::measure::{Measured, measure, sampled_poses};

/// All that was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    file: String,
    triangles: usize,
    vertices: usize,
    nodes: usize,
    poses: usize,
    skinnings: Vec<Measured>,
}

/// Reads, builds, measures and prints.
pub fn run(arguments: &TightnessArguments) -> Result<(), Failure> {
    let shape = source::read_shape(&arguments.input)?;
    let model = shape.model();
    let poses = sampled_poses(model, arguments.clip.as_deref(), arguments.samples)?;
    let mut skinnings = arguments.skinning.skinnings();
    if model.skin().joint_count() == 1 && skinnings.len() > 1 {
        // A single joint is not blended with anything.
        skinnings = &[Skinning::Linear];
    }
    let report = Report {
        file: arguments.input.file.clone(),
        triangles: model.mesh().triangles().len(),
        vertices: model.mesh().positions().len(),
        nodes: shape.node_count(),
        poses: poses.len(),
        skinnings: measure(&shape, skinnings, &poses)?,
    };
    if arguments.json {
        print(&(serde_json::to_string_pretty(&report).or_blame(Blame::Output)? + "\n"))?;
    } else {
        print(&text::text(&report))?;
    }
    match report.skinnings.iter().map(Measured::violations).sum::<usize>() {
        0 => Ok(()),
        count => Err(failed_check(format!(
            "{}: {count} times a posed vertex is outside a bound that should contain it",
            report.file
        ))),
    }
}
