//! Files and folders that do not have their names yet.
//!
//! In: where something is to be. Out: a hidden file or folder beside it, which gets its name when it is complete.
//! Must hold: whatever ends the program in an orderly way - success, failure, a panic, a signal - nothing unfinished is left.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All that is unfinished now. Whoever holds it can be sure that nothing is begun or named meanwhile.
static ALL: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Letters of the final name in the hidden one: names may be 255 bytes long, a letter has up to four, and more is put to them.
const NAME_LETTERS: usize = 50;

/// The list of what is unfinished.
pub fn all() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes a file, or a folder with all that is in it. What is not there any more is as it should be.
pub fn remove(path: &Path) {
    if fs::remove_file(path).is_err() {
        _ = fs::remove_dir_all(path);
    }
}

/// A hidden file that is not complete. Dropped, it is removed.
#[derive(Debug)]
pub struct Unfinished {
    file: File,
    path: HiddenPath,
}

impl Unfinished {
    /// An empty file in the folder of the one that it will be.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let (path, file) =
            HiddenPath::new(path, |path| File::options().write(true).create_new(true).open(path))?;
        Ok(Self { file, path })
    }

    /// Writes all of it, to the disk.
    pub fn filled(mut self, contents: &[u8]) -> io::Result<Self> {
        write_through(&mut self.file, contents)?;
        Ok(self)
    }

    /// Everything that was written to it is on the disk.
    pub fn synced(self) -> io::Result<Self> {
        self.file.sync_all()?;
        Ok(self)
    }

    /// Puts it where it belongs, with the permissions of what was there.
    pub fn named(self, path: &Path) -> io::Result<()> {
        if let Ok(old) = fs::metadata(path) {
            take_over(&self.file, &old)?;
        }
        fs::rename(&self.path.path, path)?;
        sync_folder(path);
        Ok(())
    }
}

impl Write for Unfinished {
    fn write(&mut self, contents: &[u8]) -> io::Result<usize> {
        self.file.write(contents)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A hidden folder for files that belong together. Dropped, it is removed with all that is in it.
#[derive(Debug)]
pub struct UnfinishedFolder {
    path: HiddenPath,
}

impl UnfinishedFolder {
    /// An empty folder in the folder of the files that it will hold.
    pub fn beside(path: &Path) -> io::Result<Self> {
        let (path, ()) = HiddenPath::new(path, |path| fs::create_dir(path))?;
        Ok(Self { path })
    }

    /// Writes a file in it, with the permissions of the one that it will replace.
    pub fn write(&self, number: usize, contents: &[u8], replaced: &Path) -> io::Result<()> {
        // A signal that empties the folder must not meet new files in it.
        let no_signal = all();
        let mut file = File::create_new(self.file(number))?;
        drop(no_signal);
        write_through(&mut file, contents)?;
        match fs::metadata(replaced) {
            Ok(old) => take_over(&file, &old),
            Err(_) => Ok(()),
        }
    }

    /// Puts files where they belong. No signal comes between the first and the last. Tells how many were put there before
    /// something went wrong.
    pub fn named(self, paths: &[PathBuf]) -> Result<(), (usize, io::Error)> {
        let no_signal = all();
        for (number, path) in paths.iter().enumerate() {
            fs::rename(self.file(number), path).map_err(|error| (number, error))?;
        }
        drop(no_signal);
        paths.first().into_iter().for_each(|path| sync_folder(path));
        Ok(())
    }

    fn file(&self, number: usize) -> PathBuf {
        self.path.path.join(number.to_string())
    }
}

/// The name of something unfinished.
#[derive(Debug)]
struct HiddenPath {
    path: PathBuf,
}

impl HiddenPath {
    /// Makes something under a name that nothing else has.
    fn new<T>(beside: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(Self, T)> {
        #[cfg(unix)]
        super::signals::watch();
        // While it is made no signal looks at the list.
        let mut all = all();
        let mut number = 0;
        loop {
            let path = beside.with_file_name(hidden_name(beside, number));
            match make(&path) {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
                Ok(made) => {
                    all.insert(path.clone());
                    return Ok((Self { path }, made));
                }
            }
        }
    }
}

impl Drop for HiddenPath {
    fn drop(&mut self) {
        remove(&self.path);
        all().remove(&self.path);
    }
}

/// `.out.obj.unfinished-1234-0`
fn hidden_name(path: &Path, number: usize) -> OsString {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(NAME_LETTERS).collect();
    format!(".{name}.unfinished-{}-{number}", process::id()).into()
}

/// Some disks tell only here that they are full.
fn write_through(file: &mut File, contents: &[u8]) -> io::Result<()> {
    file.write_all(contents)?;
    match file.sync_all() {
        // File systems that know no such thing.
        Err(error) if matches!(error.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Ok(()),
        outcome => outcome,
    }
}

/// Permissions, and the owner where the system allows it: only the administrator may give files away.
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (old.uid(), old.gid()) {
            _ = fchown(file, Some(old.uid()), Some(old.gid()));
        }
    }
    file.set_permissions(old.permissions())
}

/// Names survive a power failure only when the folder is on the disk; where that cannot be asked for the files are there anyway.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if let Ok(folder) = File::open(folder) {
        _ = folder.sync_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_has_its_name_when_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        fs::write(&path, "old").unwrap();
        let unfinished = Unfinished::beside(&path).unwrap().filled(b"new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        let hidden = &names(folder.path())[0];
        assert!(hidden.starts_with(".a.obj.unfinished-"), "{hidden}");
        unfinished.named(&path).unwrap();
        assert_eq!((fs::read_to_string(&path).unwrap().as_str(), names(folder.path()).len()), ("new", 1));
    }

    #[test]
    fn what_is_given_up_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        drop(Unfinished::beside(&path).unwrap().filled(b"new").unwrap());
        let frames = UnfinishedFolder::beside(&path).unwrap();
        frames.write(0, b"new", &path).unwrap();
        assert_eq!(names(folder.path()).len(), 1);
        drop(frames);
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    fn the_longest_names_are_possible() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["x".repeat(255), "\u{e9}".repeat(127)] {
            let path = folder.path().join(name);
            Unfinished::beside(&path).unwrap().filled(b"new").unwrap().named(&path).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        }
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obj");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        Unfinished::beside(&path).unwrap().filled(b"new").unwrap().named(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o640);
    }
}
