//! A sequence of files with numbers in their names, which appear together.
//!
//! In: a name with a place for the number, and how many. Out: files, when all are complete.
//! Must hold: until all are written, none has its name. Giving the names takes a moment in which signals wait; only a crash or a
//! failing disk in that moment can leave frames of two sequences side by side. Files of an earlier sequence that was longer stay.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};

use super::unfinished::UnfinishedFolder;
use crate::failure::{Blame, Failure, OrBlame, bad_usage};

/// Digits where the name has no place for a number.
const DIGITS: usize = 4;

/// Files to be written.
#[derive(Debug)]
pub struct Numbered {
    pattern: Pattern,
    paths: Vec<PathBuf>,
    folder: UnfinishedFolder,
}

impl Numbered {
    /// Fails where nothing can be written.
    pub(super) fn new(pattern: Pattern, paths: Vec<PathBuf>) -> Result<Self, Failure> {
        let folder = UnfinishedFolder::beside(&pattern.path)
            .with_context(|| format!("{}: cannot be written", pattern.path.display()))
            .or_blame(Blame::Output)?;
        Ok(Self { pattern, paths, folder })
    }

    /// Names of the first and the last.
    pub fn ends(&self) -> [String; 2] {
        [self.paths.first(), self.paths.last()]
            .map(|path| path.map_or_else(String::new, |path| path.display().to_string()))
    }

    /// Writes one of them; nobody sees it yet.
    pub fn write(&self, number: usize, contents: &[u8]) -> Result<(), Failure> {
        let path = &self.paths[number];
        let written = self.folder.write(number, contents, path);
        written.with_context(|| format!("{}: cannot be written", path.display())).or_blame(Blame::Output)
    }

    /// Gives all of them their names. Returns what is to be said of files that were there before and are none of these.
    pub fn finish(self) -> Result<Option<String>, Failure> {
        let Self { pattern, paths, folder } = self;
        paths.iter().try_for_each(|path| replaceable(path))?;
        folder.named(&paths).map_err(|(named, error)| {
            let path = paths[named].display();
            let count = paths.len();
            Failure::new(
                Blame::Output,
                anyhow!("{path}: cannot be written: {error}; {named} of {count} files are new"),
            )
        })?;
        Ok(pattern.remark_on_others(paths.len()))
    }
}

/// A file, or nothing: numbered files are replaced themselves, so that all of them are in one folder.
pub(super) fn replaceable(path: &Path) -> Result<(), Failure> {
    match fs::symlink_metadata(path) {
        Ok(found) if !found.is_file() => {
            Err(anyhow!("{}: cannot be written: this is a folder, a link or a device", path.display()))
                .or_blame(Blame::Output)
        }
        // A file that may not be changed may not be replaced either.
        Ok(_) => match fs::File::options().write(true).open(path) {
            Ok(_) => Ok(()),
            Err(error) => {
                Err(anyhow!("{}: cannot be written: {error}", path.display())).or_blame(Blame::Output)
            }
        },
        Err(_) => Ok(()),
    }
}

/// The name of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    path: PathBuf,
    before: String,
    digits: usize,
    after: String,
}

impl Pattern {
    /// `out.obj` stands for `out_0007.obj`; a run of `#` is replaced by the number.
    pub fn new(path: &Path) -> Result<Self, Failure> {
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(bad_usage(format!("{}: a sequence needs a name that is text", path.display())));
        };
        let (before, digits, after) = match name.find('#') {
            Some(start) => {
                let after = name[start..].trim_start_matches('#');
                (name[..start].to_owned(), name.len() - start - after.len(), after.to_owned())
            }
            None => {
                let stem = path.file_stem().unwrap_or_default().to_string_lossy();
                (format!("{stem}_"), DIGITS, name[stem.len()..].to_owned())
            }
        };
        Ok(Self { path: path.to_owned(), before, digits, after })
    }

    /// The name with a number.
    pub fn numbered(&self, number: usize) -> PathBuf {
        let Self { path, before, digits, after } = self;
        path.with_file_name(format!("{before}{number:0digits$}{after}"))
    }

    /// Files that go on where these end.
    fn remark_on_others(&self, count: usize) -> Option<String> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let number = |name: String| -> Option<usize> {
            let digits = name.strip_prefix(&self.before)?.strip_suffix(&self.after)?;
            let is_number = digits.len() >= self.digits && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| digits.parse().ok())?.filter(|&number| number >= count)
        };
        let others: Vec<usize> = names.filter_map(number).collect();
        let (first, last) = (*others.iter().min()?, *others.iter().max()?);
        let name = |number| self.numbered(number).display().to_string();
        Some(match first == last {
            true => format!("{} was there before and is not part of this", name(first)),
            false => format!(
                "{} files from {} to {} were there before and are not part of this",
                others.len(),
                name(first),
                name(last)
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_numbered() {
        let name = |path: &str, number| {
            Pattern::new(Path::new(path)).unwrap().numbered(number).display().to_string()
        };
        assert_eq!(name("a/out.obj", 7), "a/out_0007.obj");
        assert_eq!(name("out-##.obj", 7), "out-07.obj");
        assert_eq!(name("out-#.obj", 123), "out-123.obj");
    }

    #[test]
    fn older_files_that_go_on_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let pattern = Pattern::new(&folder.path().join("a.obj")).unwrap();
        for name in ["a_0001.obj", "a_0002.obj", "a_007.obj", "a_x.obj", "a_0009.obj.txt"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        assert_eq!(pattern.remark_on_others(3), None);
        assert!(pattern.remark_on_others(2).unwrap().contains("a_0002.obj was there before"));
        assert!(pattern.remark_on_others(0).unwrap().starts_with("2 files from "));
    }
}
