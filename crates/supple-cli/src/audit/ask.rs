//! The first stage of an audit: reads a file and asks the engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use supple::Model;
use supple::Shape;
use supple_audit::{Audit, AuditError, AuditOptions, Bones, Progress, audit_with_progress};

use super::joined::{Joined, read_joined};
use super::json_lines::JsonLines;
use super::{bone_names, part_names};
use crate::arguments::{AuditArguments, Input};
use crate::clip::find_clip;
use crate::failure::{Blame, Failure};
use crate::short_names::ShortNames;
use crate::source::read_shape_quietly;

/// What became of a file.
#[derive(Debug)]
pub struct Asked {
    /// Nothing where the file has none of the clips.
    pub answer: Option<Answer>,
    /// Clips that were asked for and are not there, and how to say that.
    pub missing: Vec<(String, Failure)>,
}

/// What was found, and all that is needed to draw it.
#[derive(Debug)]
pub struct Answer {
    pub shape: Arc<Shape>,
    pub bones: Bones,
    pub short_names: ShortNames,
    pub options: AuditOptions,
    pub audit: Audit,
}

/// Reads and audits a file. A clip that is not there is an error only of the only file: others may have it. `progress` is told
/// how many frames are done, of how many, and how many triangles each has.
pub fn ask(
    file: &str,
    is_only_file: bool,
    arguments: &AuditArguments,
    lines: Option<&JsonLines>,
    progress: impl Fn(usize, usize, usize),
) -> Result<Asked, Failure> {
    let input = Input {
        part: arguments.part.clone(),
        without: arguments.without.clone(),
        scene: arguments.scene.clone(),
        other_clips: arguments.other_clips.clone(),
        ..Input::whole(file)
    };
    let joined = read_joined(&input, &arguments.against)?;
    let shape = match &joined {
        Some(joined) => Arc::clone(&joined.shape),
        None => read_shape_quietly(&input)?,
    };
    let here = |failure: Failure| failure.at(file);
    let (clips, missing) = chosen_clips(shape.model(), &arguments.clip);
    let mut missing: Vec<_> = missing.into_iter().map(|(name, failure)| (name, here(failure))).collect();
    if is_only_file && !missing.is_empty() {
        return Err(missing.swap_remove(0).1);
    }
    if clips.is_empty() && !missing.is_empty() {
        return Ok(Asked { answer: None, missing });
    }
    let bones = Bones::new(shape.model());
    let short_names = ShortNames::of(shape.model());
    let numbers: BTreeSet<usize> = clips.iter().copied().collect();
    let mut options = options(arguments, clips, &bones, &short_names).map_err(here)?;
    if let Some(text) = &arguments.between {
        options = options.with_between(part_names::split(shape.model(), text).map_err(here)?);
    }
    if let Some(Joined { between, size, rest_is_meant, .. }) = joined {
        options = options.with_between(between).with_size(size).with_rest_compared(rest_is_meant);
    }
    let triangles = shape.model().mesh().triangles().len();
    let played: Vec<String> = match shape.model().clips() {
        [] => vec!["rest pose".to_owned()],
        all => numbers.iter().map(|&number| all[number].name().to_owned()).collect(),
    };
    let show = |Progress { done, frames, records, .. }: Progress<'_>| {
        progress(done, frames, triangles);
        lines.into_iter().for_each(|lines| lines.add(file, &played, records));
    };
    let audit = audit_with_progress(&shape, &options, show).map_err(blamed).map_err(here)?;
    Ok(Asked { answer: Some(Answer { shape, bones, short_names, options, audit }), missing })
}

fn options(
    arguments: &AuditArguments,
    clips: Vec<usize>,
    bones: &Bones,
    short_names: &ShortNames,
) -> Result<AuditOptions, Failure> {
    let pairs = arguments.bones.iter().map(|text| bone_names::split(bones, short_names, text));
    Ok(AuditOptions::default()
        .with_fps(arguments.fps)
        .with_skinning(arguments.skinning.into())
        .with_clip_numbers(clips)
        .with_bones(pairs.collect::<Result<Vec<_>, _>>()?)
        .with_bones_apart(arguments.bones_apart)
        .with_min_depth(arguments.min_depth)
        .with_min_frames(arguments.min_frames))
}

/// A pose that the model cannot take is the file's fault, all else the user's.
pub fn blamed(error: AuditError) -> Failure {
    let blame = match error {
        AuditError::RestPose(_) | AuditError::Pose { .. } => Blame::Input,
        _ => Blame::Usage,
    };
    Failure::new(blame, error)
}

/// Numbers of clips, and names that are no clip's.
type Chosen = (Vec<usize>, Vec<(String, Failure)>);

fn chosen_clips(model: &Model, names: &[String]) -> Chosen {
    if names.is_empty() {
        return ((0..model.clips().len()).collect(), Vec::new());
    }
    let (mut numbers, mut missing) = (Vec::new(), Vec::new());
    for name in names {
        match find_clip(model, name) {
            Ok(clip) => numbers.extend(model.clips().iter().position(|c| std::ptr::eq(c, clip))),
            Err(failure) => missing.push((name.clone(), failure)),
        }
    }
    (numbers, missing)
}
