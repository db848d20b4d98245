//! The first stage of an audit: reads a file and asks the engine.

use std::collections::BTreeSet;
use std::sync::Arc;

use supple::Model;
use supple::Shape;
use supple_audit::{Audit, AuditError, AuditOptions, Bones, Progress, audit_with_progress};

use super::arguments::AuditArguments;
use super::joined::{Joined, read_joined};
use super::json_lines::JsonLines;
use super::{bone_names, part_names};
use crate::clip::find_clip;
use crate::failure::{Blame, Failure};
use crate::input::Input;
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

/// What is asked of a model.
#[derive(Clone, Debug)]
pub struct Question {
    pub shape: Arc<Shape>,
    pub bones: Bones,
    pub short_names: ShortNames,
    pub options: AuditOptions,
}

/// What was found, and all that is needed to draw it.
#[derive(Clone, Debug)]
pub struct Answer {
    pub question: Question,
    pub audit: Audit,
}

impl Question {
    /// Of a model and some of its clips. An error is told with the option that is wrong.
    pub fn new(
        shape: &Arc<Shape>,
        arguments: &AuditArguments,
        clips: Vec<usize>,
    ) -> Result<Self, (&'static str, Failure)> {
        let model = shape.model();
        let (bones, short_names) = (Bones::new(model), ShortNames::of(model));
        let pairs = arguments.bones.iter().map(|text| bone_names::split(&bones, &short_names, text));
        let pairs = pairs.collect::<Result<Vec<_>, _>>().map_err(|failure| ("bones", failure))?;
        let mut options = AuditOptions::default()
            .with_fps(arguments.fps)
            .with_skinning(arguments.skinning.into())
            .with_clip_numbers(clips)
            .with_bones(pairs)
            .with_bones_apart(arguments.bones_apart)
            .with_min_depth(arguments.min_depth)
            .with_min_frames(arguments.min_frames);
        if let Some(text) = &arguments.between {
            let sets = part_names::split(model, text).map_err(|failure| ("between", failure))?;
            options = options.with_between(sets);
        }
        Ok(Self { shape: Arc::clone(shape), bones, short_names, options })
    }
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
    let numbers: BTreeSet<usize> = clips.iter().copied().collect();
    let mut question = Question::new(&shape, arguments, clips).map_err(|(_, failure)| here(failure))?;
    if let Some(Joined { between, size, rest_is_meant, .. }) = joined {
        let options = question.options.with_between(between).with_size(size);
        question.options = options.with_rest_compared(rest_is_meant);
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
    let audit = audit_with_progress(&shape, &question.options, show).map_err(blamed).map_err(here)?;
    Ok(Asked { answer: Some(Answer { question, audit }), missing })
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
pub type Chosen = (Vec<usize>, Vec<(String, Failure)>);

/// All clips where no names are given.
pub fn chosen_clips(model: &Model, names: &[String]) -> Chosen {
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
