//! What a command reads and what it writes, compared before it does either.
//!
//! In: names of inputs, then of outputs. Out: places to write to.
//! Must hold: no output is an input, a file that belongs to an input, or another output.

use std::cell::OnceCell;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use super::Output;
use super::file_id::FileId;
use super::numbered::{Numbered, Pattern, replaceable};
use super::place::Place;
use crate::failure::{Failure, bad_usage};
use crate::print;

/// What a terminal would show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contents {
    /// JSON, a page, OBJ.
    Text,
    /// All else.
    Binary,
}

/// The files of a command.
#[derive(Debug)]
pub struct Files {
    /// As the user named them: files, folders, patterns, and names that stand for no file.
    inputs: Vec<String>,
    /// All files behind these names, and in words what each of them is. Looked for when an output is there already.
    read: OnceCell<Vec<(FileId, String)>>,
    /// Options, and what they write to.
    written: Vec<(&'static str, FileId)>,
    /// The option that writes to stdout.
    stdout: Option<&'static str>,
}

impl Files {
    /// Of a command that reads these.
    pub fn reading<S: Into<String>>(inputs: impl IntoIterator<Item = S>) -> Self {
        let inputs = inputs.into_iter().map(Into::into).collect();
        Self { inputs, read: OnceCell::new(), written: Vec::new(), stdout: None }
    }

    /// A place to write to.
    pub fn output(
        &mut self,
        option: &'static str,
        path: &Path,
        contents: Contents,
    ) -> Result<Output, Failure> {
        let place = Place::of(path)?;
        match &place {
            Place::Stdout => {
                self.take_stdout(option, contents)?;
                self.take_open(option, Path::new("/dev/stdout"))?;
            }
            Place::Stream(stream) => self.take_open(option, stream)?,
            Place::File(file) => {
                let id = self.compared(option, path, file, self.written.len())?;
                self.written.push((option, id));
            }
        }
        let name = if place == Place::Stdout { "stdout".to_owned() } else { path.display().to_string() };
        Output::new(name, place)
    }

    /// Like [`output`](Self::output), where the option was given.
    pub fn optional(
        &mut self,
        option: &'static str,
        path: Option<&PathBuf>,
        contents: Contents,
    ) -> Result<Option<Output>, Failure> {
        path.map(|path| self.output(option, path, contents)).transpose()
    }

    /// Places for the files of a sequence.
    pub fn numbered(&mut self, option: &'static str, path: &Path, count: usize) -> Result<Numbered, Failure> {
        let pattern = Pattern::new(path)?;
        let paths: Vec<PathBuf> = (0..count).map(|number| pattern.numbered(number)).collect();
        let others = self.written.len();
        for path in &paths {
            replaceable(path)?;
            let id = self.compared(option, path, path, others)?;
            self.written.push((option, id));
        }
        Numbered::new(pattern, paths)
    }

    /// The option that writes to stdout.
    pub fn for_stdout(&self) -> Option<&'static str> {
        self.stdout
    }

    fn take_stdout(&mut self, option: &'static str, contents: Contents) -> Result<(), Failure> {
        if let Some(other) = self.stdout.replace(option) {
            return Err(bad_usage(format!("{other} and {option} cannot both be written to stdout")));
        }
        refuse_terminal(option, contents, io::stdout().is_terminal())?;
        // A limit on the size of files is an error of writing, also there.
        #[cfg(unix)]
        super::signals::watch();
        print::leave_out_text();
        Ok(())
    }

    /// What is open may be a file: `supple ... -o - >> man.obj`.
    fn take_open(&mut self, option: &'static str, stream: &Path) -> Result<(), Failure> {
        if FileId::of_existing(stream).is_some() {
            let id = self.compared(option, stream, stream, self.written.len())?;
            self.written.push((option, id));
        }
        Ok(())
    }

    /// The file, if it is no input and none of the first outputs.
    fn compared(&self, option: &str, named: &Path, file: &Path, outputs: usize) -> Result<FileId, Failure> {
        if let Some(existing) = FileId::of_existing(file) {
            let read = self.read.get_or_init(|| files_behind(&self.inputs));
            if let Some((_, what)) = read.iter().find(|(input, _)| *input == existing) {
                return Err(bad_usage(format!(
                    "{option} {}: this would overwrite {what}; choose another name",
                    named.display()
                )));
            }
        }
        let id = FileId::of(file);
        if let Some((other, _)) = self.written[..outputs].iter().find(|(_, written)| *written == id) {
            let named = named.display();
            return Err(bad_usage(format!("{named}: {other} and {option} are the same file")));
        }
        Ok(id)
    }
}

/// Whether two names mean one file, which may still have to be made.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    FileId::of(a) == FileId::of(b)
}

fn refuse_terminal(option: &str, contents: Contents, is_terminal: bool) -> Result<(), Failure> {
    if contents == Contents::Binary && is_terminal {
        return Err(bad_usage(format!(
            "{option} -: this is no text, and stdout is a terminal; send it elsewhere with | or >"
        )));
    }
    Ok(())
}

/// All files that names of inputs stand for, with those that belong to them. What cannot be read is told when it is read.
fn files_behind(inputs: &[String]) -> Vec<(FileId, String)> {
    let mut files = Vec::new();
    for input in inputs {
        let path = Path::new(input);
        files.extend(FileId::of_existing(path).map(|id| (id, format!("the input {input}"))));
        for other in supple_io::other_files_of(path) {
            let what = format!("{}, which belongs to the input {input}", other.display());
            files.extend(FileId::of_existing(&other).map(|id| (id, what)));
        }
        if path.is_dir() || (!path.exists() && input.contains('#')) {
            for frame in supple_io::find_obj_sequence(path).unwrap_or_default() {
                let what = format!("{}, which is a part of the input {input}", frame.display());
                files.extend(FileId::of_existing(&frame).map(|id| (id, what)));
            }
        }
    }
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_text_is_for_terminals() {
        let refused = |contents, is_terminal| refuse_terminal("-o", contents, is_terminal).is_err();
        assert!(refused(Contents::Binary, true));
        assert!(!refused(Contents::Binary, false) && !refused(Contents::Text, true));
    }
}
