//! `--against`: the audited model together with a prop that a bone carries, or with a second character, as one model.
//!
//! In: what the user named. Out: the shape of both, and the names of the parts of each. Says on stderr which clips of the second are
//! played with which, and which are not.

use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use supple::{Aabb, BuildOptions, Model, PoseError, Shape, Skinning, Transform};
use supple_io::{JoinError, SideBySide, attach, side_by_side};

use super::against::Against;
use crate::failure::{Blame, Failure, OrBlame};
use crate::input::Input;
use crate::print::remark;
use crate::short_names::ShortNames;
use crate::source::read_model_quietly;
use crate::table::{as_many_as_fit, counted, shortened};

/// Columns that names of clips may take in a line on stderr.
const NAMES: usize = 60;

/// Two models as one.
#[derive(Debug)]
pub struct Joined {
    pub shape: Arc<Shape>,
    /// Names of the parts of the first, and of the second model: an audit looks between the two.
    pub between: [Vec<String>; 2],
    /// The largest side of the first model's box at rest: how far away the second stands does not change what is deep.
    pub size: f32,
    /// Whether the rest pose tells how the two belong together: it does for what a bone carries.
    pub rest_is_meant: bool,
}

/// Reads both models and joins them; nothing where there is no second one.
pub fn read_joined(input: &Input, against: &Against) -> Result<Option<Joined>, Failure> {
    let Some(file) = &against.against else { return Ok(None) };
    let first = named(read_model_quietly(input)?, &input.file)?;
    let second = named(read_model_quietly(&Input::whole(file))?, file)?;
    let placement = against.placement();
    let here = |error| match error {
        JoinError::UnknownNode { .. } | JoinError::AmbiguousNode { .. } | JoinError::FlatNode { .. } => {
            blamed(error).at(&input.file)
        }
        _ => blamed(error).at(format_args!("{} with {file}", input.file)),
    };
    let model = match &against.attach {
        Some(bone) => {
            let model = attached(&first, &second, bone, &placement).map_err(here)?;
            if !second.clips().is_empty() {
                let clips = counted(second.clips().len(), "clip");
                remark(format_args!("note: {file}: a prop stays in its rest pose; {clips} not played"));
            }
            model
        }
        None => {
            let joined = side_by_side(&first, &second, &placement).map_err(here)?;
            for note in notes(&joined, &first, &second, [&input.file, file]) {
                remark(format_args!("note: {note}"));
            }
            joined.model
        }
    };
    let names = |parts: &[supple::model::Part]| parts.iter().map(|part| part.name.clone()).collect();
    let (own, others) = model.parts().split_at(first.parts().len());
    let between = [names(own), names(others)];
    let shape = Shape::build(model, &BuildOptions::default());
    let shape = shape.with_context(|| format!("{} with {file}", input.file)).or_blame(Blame::Input)?;
    let size = size(&first).with_context(|| input.file.clone()).or_blame(Blame::Input)?;
    Ok(Some(Joined { shape: Arc::new(shape), between, size, rest_is_meant: against.attach.is_some() }))
}

fn size(model: &Model) -> Result<f32, PoseError> {
    let posed = model.posed(&model.rest_pose(), Skinning::Linear)?;
    Ok(2.0 * Aabb::from_points(posed.positions()).half_extents().max_element())
}

/// The model with a name for every part: its own, or that of the file.
fn named(model: Model, file: &str) -> Result<Model, Failure> {
    let stem = Path::new(file).file_stem().map_or_else(|| file.into(), |stem| stem.to_string_lossy());
    let mut parts = model.parts().to_vec();
    for part in parts.iter_mut().filter(|part| part.name.is_empty()) {
        part.name = stem.clone().into_owned();
    }
    model.with_parts(parts).with_context(|| file.to_owned()).or_blame(Blame::Input)
}

/// By the bone's whole name, or without what the names of all bones begin with.
fn attached(first: &Model, second: &Model, bone: &str, placement: &Transform) -> Result<Model, JoinError> {
    match attach(first, second, bone, placement) {
        Err(unknown @ JoinError::UnknownNode { .. }) => {
            let whole = ShortNames::of(first).whole(bone);
            match attach(first, second, &whole, placement) {
                Err(JoinError::UnknownNode { .. }) => Err(unknown),
                other => other,
            }
        }
        other => other,
    }
}

/// What can be mended by other arguments is the user's fault, all else the file's.
fn blamed(error: JoinError) -> Failure {
    let blame = match error {
        JoinError::RestPose { .. } | JoinError::Model(_) | JoinError::TooLarge { .. } => Blame::Input,
        _ => Blame::Usage,
    };
    Failure::new(blame, error)
}

/// Which clips do not have a partner of the same name, and what is played instead.
fn notes(joined: &SideBySide, first: &Model, second: &Model, files: [&str; 2]) -> Vec<String> {
    let [own, other] = files;
    let listed = |numbers: Vec<usize>, model: &Model| {
        let names: Vec<String> =
            numbers.iter().map(|&number| shortened(model.clips()[number].name(), 40)).collect();
        as_many_as_fit(&names, NAMES)
    };
    let mut notes = Vec::new();
    if first.clips().is_empty() && !second.clips().is_empty() {
        notes.push(format!("{own}: has no clips and stays in its rest pose"));
    }
    let alone: Vec<usize> =
        joined.clips.iter().filter(|pair| pair.second.is_none()).filter_map(|pair| pair.first).collect();
    if second.clips().is_empty() && !alone.is_empty() {
        notes.push(format!("{other}: has no clips and stays in its rest pose"));
    } else if !alone.is_empty() {
        let clips = counted(alone.len(), "clip");
        notes.push(format!("{other}: stays in its rest pose in {clips}: {}", listed(alone, first)));
    }
    let is_other_name = |pair: &&supple_io::ClipPair| match (pair.first, pair.second) {
        (Some(a), Some(b)) => first.clips()[a].name() != second.clips()[b].name(),
        _ => false,
    };
    let under_other_name = joined.clips.iter().filter(is_other_name).count();
    if under_other_name > 0 {
        let clips = counted(under_other_name, "clip");
        notes.push(format!("{other}: plays {} in {clips} of another name", listed(vec![0], second)));
    }
    if !joined.unplayed.is_empty() {
        let clips = counted(joined.unplayed.len(), "clip");
        let names = listed(joined.unplayed.clone(), second);
        notes.push(format!("{other}: {clips} without a partner of the same name not played: {names}"));
    }
    notes
}
