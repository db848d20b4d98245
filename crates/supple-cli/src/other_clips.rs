//! Clips of other files, played on a model by the names of its bones.
//!
//! In: a model and the names of files. Out: the model with these clips behind its own, and what is to be said about each file.

use std::path::Path;

use anyhow::{Context, anyhow};
use serde::Serialize;
use supple::{Clip, Model};
use supple_io::{Motion, RetargetError, RetargetOptions, retarget};

use crate::failure::{Blame, Failure, OrBlame};
use crate::input::{Input, OtherClips};
use crate::source::{check_file, from_file, from_zoo, holds_shape, zoo_name};
use crate::table::{counted, first_few, printable};

/// Columns of a line about bones.
const WIDTH: usize = 72;

/// What became of the clips of a file.
#[derive(Clone, Debug, Serialize)]
pub struct ClipsOfFile {
    /// As the user named it.
    pub file: String,
    /// Names of its clips, as they are called now.
    pub clips: Vec<String>,
    /// How many bones of the character they move.
    pub bones: usize,
    /// Bones of the character that they do not move.
    pub missing: Vec<String>,
    /// Bones that they move and the character does not have.
    pub superfluous: Vec<String>,
    /// What could not be carried over, or is not certain; what was odd in the file.
    pub remarks: Vec<String>,
}

/// Adds the clips of all files.
pub fn add(model: Model, wanted: &OtherClips) -> Result<(Model, Vec<ClipsOfFile>), Failure> {
    let options = RetargetOptions::default().with_ignored_prefixes(wanted.ignore_prefix.clone());
    let mut clips = model.clips().to_vec();
    let mut files = Vec::new();
    for file in &wanted.clips {
        let motion = read(file)?;
        let played = retarget(&model, &motion, &options).map_err(|error| blamed(file, error))?;
        let mut names = Vec::new();
        let alone = played.clips.len() == 1;
        for clip in played.clips {
            let name = name(file, clip.name(), alone, &clips);
            let renamed = Clip::new(name.clone(), clip.channels().to_vec());
            clips.push(renamed.with_context(|| file.clone()).or_blame(Blame::Input)?);
            names.push(name);
        }
        files.push(ClipsOfFile {
            file: file.clone(),
            clips: names,
            bones: played.bones,
            missing: played.missing,
            superfluous: played.superfluous,
            remarks: motion.notes.into_iter().chain(played.remarks).collect(),
        });
    }
    Ok((model.with_clips(clips).or_blame(Blame::Input)?, files))
}

fn read(file: &str) -> Result<Motion, Failure> {
    if let Some((name, detail)) = zoo_name(file)? {
        return Ok(Motion::from(&from_zoo(name, detail)?.model));
    }
    if holds_shape(file) {
        return Ok(Motion::from(&from_file(&Input::whole(file))?.model));
    }
    check_file(file)?;
    supple_io::read_motion(file).or_blame(Blame::Input)
}

fn blamed(file: &str, error: RetargetError) -> Failure {
    let blame = match error {
        RetargetError::NoBones { .. } => Blame::Usage,
        _ => Blame::Input,
    };
    let hint = match &error {
        RetargetError::NoBones { hint, .. } if !hint.is_empty() => " (--ignore-prefix)",
        _ => "",
    };
    Failure::new(blame, anyhow!("{file}: {error}{hint}"))
}

/// What programs call a clip that has no name.
fn is_nameless(name: &str) -> bool {
    ["", "clip 0", "mixamo.com", "Take 001"].contains(&name) || name.starts_with("Armature|")
}

/// The clip's own name; that of its file if it has none; with the file in front if there is another clip of that name.
fn name(file: &str, own: &str, alone: bool, others: &[Clip]) -> String {
    let path = Path::new(file);
    let of_file = |part: Option<&std::ffi::OsStr>| {
        part.map_or_else(|| file.to_owned(), |part| part.to_string_lossy().into_owned())
    };
    let own = if alone && is_nameless(own) { of_file(path.file_stem()) } else { own.to_owned() };
    let candidates = [own.clone(), format!("{}:{own}", of_file(path.file_name())), format!("{file}:{own}")];
    let is_free = |name: &&String| others.iter().all(|clip| clip.name() != name.as_str());
    candidates.iter().find(is_free).unwrap_or(&candidates[2]).clone()
}

impl ClipsOfFile {
    /// A few lines: how many bones move, which do not, and remarks. Without `whole`, lists are cut to a line.
    pub fn lines(&self, whole: bool) -> Vec<String> {
        let listed = |names: &[String]| {
            let names = names.iter().map(String::as_str);
            if whole { first_few(names, usize::MAX) } else { first_few(names, WIDTH) }
        };
        let mut lines = vec![format!(
            "{}: {} on {}",
            self.file,
            counted(self.clips.len(), "clip"),
            counted(self.bones, "bone")
        )];
        if !self.missing.is_empty() {
            let count = counted(self.missing.len(), "bone");
            lines.push(format!("{count} of the character not moved: {}", listed(&self.missing)));
        }
        if !self.superfluous.is_empty() {
            let count = counted(self.superfluous.len(), "bone");
            lines.push(format!("{count} not in the character: {}", listed(&self.superfluous)));
        }
        let length = if whole { 2000 } else { 160 };
        lines.extend(self.remarks.iter().map(|remark| printable(remark, length)));
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clips_are_named_after_their_file_where_needed() {
        let others = ["Run".to_owned(), "run".to_owned(), "b.glb:Run".to_owned()]
            .map(|name| Clip::new(name, Vec::new()).unwrap());
        let name = |file, own, alone| name(file, own, alone, &others);
        assert_eq!(name("a/b.glb", "Walk", true), "Walk");
        assert_eq!(name("a/b.glb", "Take 001", true), "b");
        assert_eq!(name("a/b.glb", "Take 001", false), "Take 001");
        assert_eq!(name("a/run.bvh", "", true), "run.bvh:run");
        assert_eq!(name("a/b.glb", "Run", true), "a/b.glb:Run");
        assert_eq!(name("walk.glb", "Armature|mixamo.com|Layer0", true), "walk");
    }
}
