//! What other commands would refuse this file for: their own checks, done beforehand.
//!
//! In: a model. Out: commands and their reasons; none where all commands take the file.

use std::sync::Arc;

use serde::Serialize;
use supple::{Body, BuildOptions, Model, Shape, Skinning};
use supple_chains::{ChainOptions, Regions, SphereChains};

use crate::arguments::MAX_FRAMES;
use crate::edit_rest::rests_on_its_mesh;
use crate::frames::DEFAULT_FPS;
use crate::table::printable;

/// Poses that are tried in each clip: all frames of the usual rate, or as many evenly chosen ones.
const MOST_POSES: usize = 600;

/// Commands that do not take the file, and why.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// Names of commands, with the option where only that is refused.
    pub commands: String,
    /// Their reason.
    pub why: String,
}

/// Tries what the commands do first.
pub fn refusals(model: &Model) -> Vec<Refusal> {
    let mut found = Vec::new();
    let mut refused =
        |commands: &str, why: String| found.push(Refusal { commands: commands.to_owned(), why });
    if model.clips().is_empty() {
        refused("fit, reduce --pca", "the model has no clips, so there is no motion".to_owned());
    }
    for clip in model.clips() {
        if clip.duration() * f64::from(DEFAULT_FPS) > MAX_FRAMES as f64 {
            let why = format!(
                "clip {:?} has {:.0} s, which are more than {MAX_FRAMES} frames; a lower --fps helps",
                printable(clip.name(), 40),
                clip.duration()
            );
            refused("collide, audit, fit, reduce --pca", why);
        }
    }
    if let Err(error) = rests_on_its_mesh(model) {
        refused("edit-rest", format!("{error:#}"));
    }
    if let Err(error) = supple_io::glb_bytes(model) {
        refused("deform -o .glb, edit-rest", error.to_string());
    }
    let shape = match Shape::build(model.clone(), &BuildOptions::default()) {
        Ok(shape) => Arc::new(shape),
        Err(error) => {
            refused("collide, ray, audit, chains, build", error.to_string());
            return found;
        }
    };
    for (skinning, option) in Skinning::ALL.into_iter().zip(["", " --skinning spherical", " --skinning dual"])
    {
        for why in poses_that_fail(&shape, skinning) {
            refused(&format!("collide, ray, audit, chains, deform{option}"), why);
        }
    }
    let chains = Regions::from_rig(model)
        .and_then(|regions| SphereChains::build(&shape, &regions, &ChainOptions::default()));
    if let Err(error) = chains {
        refused("chains", error.to_string());
    }
    found
}

/// The first pose of each clip that no body can take, and the rest pose.
fn poses_that_fail(shape: &Arc<Shape>, skinning: Skinning) -> Vec<String> {
    let mut body = match Body::new(shape, skinning) {
        Ok(body) => body,
        Err(error) => return vec![format!("at rest: {error}")],
    };
    let model = shape.model();
    let mut fails = Vec::new();
    for clip in model.clips() {
        let steps = (clip.duration() * f64::from(DEFAULT_FPS)).ceil().clamp(1.0, MOST_POSES as f64) as usize;
        let time = |step: usize| clip.duration() * step as f64 / steps as f64;
        let mut take = |time: f64| body.set_pose(&model.sample(clip, time)?);
        let fail = (0..=steps).find_map(|step| Some((time(step), take(time(step)).err()?)));
        if let Some((time, error)) = fail {
            fails.push(format!("clip {:?} at {time:.3} s: {error}", printable(clip.name(), 40)));
        }
    }
    fails
}
