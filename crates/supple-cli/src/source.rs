//! Where a model comes from: a file, or the zoo.
//!
//! In: a path, `zoo:NAME` or `zoo:NAME:DETAIL`. Out: the model with what is known about its origin.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Error, anyhow};
use supple::Model;
use supple::{BuildOptions, Shape};
use supple_io::{LoadError, Problem, ReadOptions};

use crate::failure::{Blame, Failure, OrBlame, bad_usage};
use crate::input::Input;
use crate::other_clips::{self, ClipsOfFile};
use crate::output::is_no_file;
use crate::print::remark;
use crate::progress::{bar, while_waiting};
use crate::table::printable;

/// A model and its origin.
#[derive(Clone, Debug)]
pub struct Source {
    /// The model.
    pub model: Model,
    /// The kind of file.
    pub format: String,
    /// The program that wrote the file, where the file says so.
    pub generator: Option<String>,
    /// What the reader found odd.
    pub notes: Vec<String>,
    /// What of the file is not in the model; also among the notes.
    pub left_out: Vec<String>,
    /// Names of the file's scenes.
    pub scenes: Vec<String>,
    /// Which of them was read.
    pub scene: Option<usize>,
    /// What became of clips of other files.
    pub other_clips: Vec<ClipsOfFile>,
}

impl Source {
    /// A model without anything to tell about its origin.
    fn plain(model: Model, format: String) -> Self {
        let (notes, left_out, scenes) = (Vec::new(), Vec::new(), Vec::new());
        let other_clips = Vec::new();
        Self { model, format, generator: None, notes, left_out, scenes, scene: None, other_clips }
    }

    /// Says on stderr what of the file is not in the model: nobody should wonder about a clip that is missing. And what became
    /// of clips of other files.
    fn tell(self, input: &Input) -> Self {
        let line = |text: &str| printable(text, LONGEST_NOTE);
        for note in self.left_out.iter().take(MOST_NOTES) {
            remark(format_args!("note: {}: {}", input.file, line(note)));
        }
        if self.left_out.len() > MOST_NOTES {
            remark(format_args!(
                "note: {}: and {} more; `inspect --json` lists them",
                input.file,
                self.left_out.len() - MOST_NOTES
            ));
        }
        for line in self.other_clips.iter().flat_map(ClipsOfFile::notes) {
            remark(line);
        }
        self
    }
}

/// More notes than this would hide everything else.
const MOST_NOTES: usize = 12;

/// Names in notes may be as long as the file.
const LONGEST_NOTE: usize = 400;

/// Reads what the user named; only one of its parts if the user asked for that. Says what was left out.
pub fn read(input: &Input) -> Result<Source, Failure> {
    read_in_silence(input).map(|source| source.tell(input))
}

/// Like [`read`], for commands that tell notes and what became of clips of other files themselves.
pub fn read_in_silence(input: &Input) -> Result<Source, Failure> {
    while_waiting(format!("reading {}", input.file), || read_quietly(input))
}

fn read_quietly(input: &Input) -> Result<Source, Failure> {
    let mut source = match zoo_name(&input.file)? {
        Some((name, detail)) => from_zoo(name, detail)?,
        None => from_file(input)?,
    };
    if let (Some(scene), true) = (&input.scene, source.scenes.is_empty()) {
        return Err(bad_usage(format!(
            "{}: there is no scene {scene:?}; only glTF files have scenes",
            input.file
        )));
    }
    if let Some(part) = &input.part {
        source.model =
            supple_io::only_part(&source.model, part).context(input.file.clone()).or_blame(Blame::Usage)?;
    }
    if !input.without.is_empty() {
        source.model = supple_io::without_parts(&source.model, &input.without)
            .context(input.file.clone())
            .or_blame(Blame::Usage)?;
    }
    if !input.other_clips.clips.is_empty() {
        (source.model, source.other_clips) = other_clips::add(source.model, input)?;
    }
    Ok(source)
}

/// The shape of what the user named: loaded where the file holds one, built otherwise.
pub fn read_shape(input: &Input) -> Result<Arc<Shape>, Failure> {
    if holds_all(input) {
        return while_waiting(format!("reading {}", input.file), || read_shape_quietly(input));
    }
    let model = read(input)?.model;
    let progress = bar(100, format!("building the tree of {}", input.file)).counting(" percent");
    build(input, model, |fraction| progress.set_position((100.0 * fraction) as u64))
}

/// Like [`read_shape`], without progress of its own: for many files at once.
pub fn read_shape_quietly(input: &Input) -> Result<Arc<Shape>, Failure> {
    if holds_all(input) {
        return load_shape(&input.file).map(Arc::new);
    }
    build(input, read_model_quietly(input)?, |_| {})
}

/// Like [`read`], without progress of its own; the model alone.
pub fn read_model_quietly(input: &Input) -> Result<Model, Failure> {
    Ok(read_quietly(input)?.tell(input).model)
}

/// Whether the file has the shape that is wanted, with its tree.
fn holds_all(input: &Input) -> bool {
    holds_shape(&input.file)
        && input.part.is_none()
        && input.without.is_empty()
        && input.scene.is_none()
        && input.other_clips.clips.is_empty()
}

fn build(input: &Input, model: Model, progress: impl FnMut(f32)) -> Result<Arc<Shape>, Failure> {
    let built = Shape::build_with_progress(model, &BuildOptions::default(), progress);
    Ok(Arc::new(built.context(input.file.clone()).or_blame(Blame::Input)?))
}

/// An animal of the zoo.
pub fn from_zoo(name: &str, detail: u32) -> Result<Source, Failure> {
    let model = supple_zoo::make(name, detail).or_blame(Blame::Usage)?;
    Ok(Source::plain(model, format!("zoo, detail {detail}")))
}

/// Whether the name is that of a shape file.
pub fn holds_shape(file: impl AsRef<Path>) -> bool {
    file.as_ref().extension().is_some_and(|e| e.eq_ignore_ascii_case("supple"))
}

fn load_shape(file: &str) -> Result<Shape, Failure> {
    check_file(file)?;
    let bytes = supple_io::read_whole_file(file)
        .with_context(|| format!("{file}: cannot be read"))
        .or_blame(Blame::Input)?;
    Shape::from_bytes(&bytes).with_context(|| file.to_owned()).or_blame(Blame::Input)
}

pub(crate) fn from_file(input: &Input) -> Result<Source, Failure> {
    let path = input.file.as_str();
    if holds_shape(path) {
        let model = Model::clone(load_shape(path)?.model());
        return Ok(Source::plain(model, "supple shape".to_owned()));
    }
    check_file(path)?;
    let mut options = ReadOptions::default();
    options.scene.clone_from(&input.scene);
    let loaded = supple_io::read_with(path, &options).map_err(|error| {
        let is_usage = matches!(error.problem, Problem::NoSuchScene { .. });
        Failure::new(if is_usage { Blame::Usage } else { Blame::Input }, with_shapes(error))
    })?;
    Ok(Source {
        model: loaded.model,
        format: loaded.format.to_owned(),
        generator: loaded.generator,
        notes: loaded.notes,
        left_out: loaded.left_out,
        scenes: loaded.scenes,
        scene: loaded.scene,
        other_clips: Vec::new(),
    })
}

/// What no reader has to look into a file for.
pub(crate) fn check_file(path: &str) -> Result<(), Failure> {
    let found =
        fs::metadata(path).with_context(|| format!("{path}: cannot be read")).or_blame(Blame::Input)?;
    let problem = if found.is_dir() {
        "this is a folder, expected a file"
    } else if found.is_file() && found.len() == 0 {
        "the file is empty"
    } else if found.is_file() && Path::new(path).extension().is_none() && !is_no_file(Path::new(path)) {
        // Of pipes and of what is open already the first bytes tell the kind.
        "the name has no extension that tells the kind of file; expected one like .glb, .obj or .supple"
    } else {
        return Ok(());
    };
    Err(anyhow!("{path}: {problem}")).or_blame(Blame::Input)
}

/// The readers do not know that shapes are read here, too, and what there are arguments for.
fn with_shapes(error: LoadError) -> Error {
    match error.problem {
        Problem::UnknownFormat { .. } => anyhow!("{error}, .supple"),
        Problem::MotionOnly => {
            let file = error.file.display();
            anyhow!("{file}: has motion but no mesh; name a character, and this file behind --clips")
        }
        _ => error.into(),
    }
}

/// Name and detail behind `zoo:`.
pub fn zoo_name(file: &str) -> Result<Option<(&str, u32)>, Failure> {
    let Some(name) = file.strip_prefix("zoo:") else { return Ok(None) };
    let Some((name, detail)) = name.split_once(':') else { return Ok(Some((name, 0))) };
    match detail.parse() {
        Ok(detail) => Ok(Some((name, detail))),
        Err(_) => {
            Err(bad_usage(format!("{file}: the detail {detail:?} is not a number, expected zoo:{name}:2")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn animals_are_named_with_a_detail() {
        assert_eq!(zoo_name("fox.glb").unwrap(), None);
        assert_eq!(zoo_name("zoo:man").unwrap(), Some(("man", 0)));
        assert_eq!(zoo_name("zoo:man:2").unwrap(), Some(("man", 2)));
        assert!(zoo_name("zoo:man:x").unwrap_err().to_string().contains("\"x\" is not a number"));
    }
}
