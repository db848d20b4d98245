//! Clips of other files, played on a model by the names of its bones.
//!
//! In: a model and the names of files. Out: the model with these clips behind its own, and what is to be said about each file.

use std::fs;
use std::path::Path;

use anyhow::{Context, anyhow};
use serde::{Serialize, Serializer};
use supple::{Clip, Model};
use supple_io::{Motion, Remark, RetargetError, RetargetOptions, retarget};

use crate::clip_files::{ClipFile, clip_files};
use crate::failure::{Blame, Failure, OrBlame};
use crate::input::Input;
use crate::short_names::ShortNames;
use crate::source::{check_file, from_file, from_zoo, holds_shape, zoo_name};
use crate::table::{as_many_as_fit, counted, grouped, joined, printable, shortened};

/// Columns of a line on stderr.
const WIDTH: usize = 110;

/// How lines on stderr begin.
const NOTE: &str = "note: ";

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
    #[serde(serialize_with = "as_text")]
    pub remarks: Vec<Remark>,
    /// How the names of the character's bones begin.
    #[serde(skip)]
    short_names: ShortNames,
    /// Nothing is said about files of a folder that fit.
    #[serde(skip)]
    is_of_folder: bool,
}

fn as_text<S: Serializer>(remarks: &[Remark], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(remarks.iter().map(Remark::to_string))
}

/// Adds the clips of all files. Those of a folder are passed over where they do not fit, with a word about it.
pub fn add(model: Model, input: &Input) -> Result<(Model, Vec<ClipsOfFile>), Failure> {
    let wanted = &input.other_clips;
    let options = RetargetOptions::default().with_ignored_prefixes(wanted.ignore_prefix.clone());
    let short_names = ShortNames::of(&model);
    let mut clips = model.clips().to_vec();
    let mut files = Vec::new();
    let mut misfit = None;
    for ClipFile { file, is_of_folder } in &clip_files(&wanted.clips)? {
        if *is_of_folder && is_same_file(file, &input.file) {
            continue;
        }
        let motion = read(file)?;
        let played = match retarget(&model, &motion, &options) {
            Err(error @ (RetargetError::NoClips | RetargetError::NoBones { .. })) if *is_of_folder => {
                files.push(ClipsOfFile::unplayed(file, &error));
                misfit = misfit.or_else(|| Some(blamed(file, error)));
                continue;
            }
            played => played.map_err(|error| blamed(file, error))?,
        };
        let mut names = Vec::new();
        let alone = played.clips.len() == 1;
        for clip in played.clips {
            let name = name(file, clip.name(), alone, &clips);
            let renamed = Clip::new(name.clone(), clip.channels().to_vec());
            clips.push(renamed.with_context(|| file.clone()).or_blame(Blame::Input)?);
            names.push(name);
        }
        let proposal = played
            .likely_prefix
            .map(|prefix| format!("many more bones have a partner with {}", ignoring(&prefix)));
        let remarks = motion.notes.into_iter().chain(proposal).map(Remark::from).chain(played.remarks);
        files.push(ClipsOfFile {
            file: file.clone(),
            clips: names,
            bones: played.bones,
            missing: played.missing,
            superfluous: played.superfluous,
            remarks: remarks.collect(),
            short_names: short_names.clone(),
            is_of_folder: *is_of_folder,
        });
    }
    if let (true, Some(misfit)) = (clips.is_empty(), misfit) {
        let count = counted(files.len(), "file");
        return Err(misfit.at(format_args!("{}: has no clips, and none of {count} fits", input.file)));
    }
    Ok((model.with_clips(clips).or_blame(Blame::Input)?, files))
}

/// A character among the clips has its own already.
fn is_same_file(a: &str, b: &str) -> bool {
    fs::canonicalize(a).ok().zip(fs::canonicalize(b).ok()).is_some_and(|(a, b)| a == b)
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
        RetargetError::NoBones { likely_prefix: Some(prefix), .. } => format!(" ({})", ignoring(prefix)),
        _ => String::new(),
    };
    Failure::new(blame, anyhow!("{file}: {error}{hint}"))
}

/// The option as the user may write it.
fn ignoring(prefix: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_:.-".contains(c);
    match !prefix.is_empty() && prefix.chars().all(is_plain) {
        true => format!("--ignore-prefix {prefix}"),
        false => format!("--ignore-prefix '{prefix}'"),
    }
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
    /// A file that does not fit.
    fn unplayed(file: &str, why: &RetargetError) -> Self {
        Self {
            file: file.to_owned(),
            clips: Vec::new(),
            bones: 0,
            missing: Vec::new(),
            superfluous: Vec::new(),
            remarks: vec![Remark::from(why.to_string())],
            short_names: ShortNames::default(),
            is_of_folder: true,
        }
    }

    /// Whether only few bones move: probably a mistake.
    fn moves_few(&self) -> bool {
        2 * self.bones < self.bones + self.missing.len()
    }

    /// Lines for stderr: lists are cut where a line ends.
    pub fn notes(&self) -> Vec<String> {
        if self.is_of_folder && !self.clips.is_empty() && !self.moves_few() {
            return Vec::new();
        }
        let room = WIDTH - NOTE.len();
        let mut notes = wrapped(&self.headline(&shortened(&self.file, 50)), room);
        for (text, bones) in self.lists() {
            let line = format!("{text}: ");
            let bones: Vec<String> = bones.iter().map(|bone| shortened(bone, 40)).collect();
            let list = as_many_as_fit(&bones, room.saturating_sub(line.chars().count()));
            notes.extend(wrapped(&(line + &list), room));
        }
        for remark in self.remarks.iter().filter(|remark| remark.bones.is_empty()) {
            notes.extend(wrapped(&printable(&remark.text, 400), room));
        }
        notes.into_iter().map(|line| format!("{NOTE}{line}")).collect()
    }

    /// All there is to say: how many bones move; then which do not, and remarks.
    pub fn whole(&self) -> (String, Vec<String>) {
        let lists = self.lists().into_iter().map(|(text, bones)| format!("{text}: {}", joined(&bones)));
        let remarks = self.remarks.iter().filter(|remark| remark.bones.is_empty());
        (
            self.headline(&self.file),
            lists.chain(remarks.map(|remark| printable(&remark.text, 2000))).collect(),
        )
    }

    /// How many bones move. Few are probably a mistake, so that this goes first.
    fn headline(&self, file: &str) -> String {
        let (clips, all) = (counted(self.clips.len(), "clip"), self.bones + self.missing.len());
        match self.moves_few() {
            _ if self.clips.is_empty() => format!("{file}: not played"),
            true => {
                format!("{file}: only {} of {} are moved; {clips}", grouped(self.bones), counted(all, "bone"))
            }
            false => format!("{file}: {clips} on {}", counted(self.bones, "bone")),
        }
    }

    /// What is said about bones, and their names without what all begin with.
    fn lists(&self) -> Vec<(String, Vec<String>)> {
        let of_motion = ShortNames::new(self.superfluous.iter().map(String::as_str));
        let cut = |short: &ShortNames, names: &[String]| -> Vec<String> {
            names.iter().map(|name| short.cut(name).to_owned()).collect()
        };
        let mut lists = Vec::new();
        if !self.missing.is_empty() {
            let count = counted(self.missing.len(), "bone");
            let text = format!("{count} of the character not moved");
            lists.push((text, cut(&self.short_names, &self.missing)));
        }
        if !self.superfluous.is_empty() {
            let text = format!("{} not in the character", counted(self.superfluous.len(), "bone"));
            lists.push((text, cut(&of_motion, &self.superfluous)));
        }
        for remark in self.remarks.iter().filter(|remark| !remark.bones.is_empty()) {
            lists.push((remark.text.clone(), cut(&self.short_names, &remark.bones)));
        }
        lists
    }
}

/// Lines of at most `width` columns, cut between words; all but the first are indented.
fn wrapped(sentence: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in sentence.split(' ') {
        let line = lines.last_mut().expect("there is always a line");
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > width {
            lines.push(format!("  {word}"));
            continue;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines
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
