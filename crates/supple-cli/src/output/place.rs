//! Where a name leads: to stdout, to something that is no file, or to a file that is there or not.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::anyhow;

use crate::failure::{Blame, Failure, OrBlame};

/// Links to links are followed this far, as Linux does.
const MOST_LINKS: usize = 40;

/// Where contents go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// Standard output.
    Stdout,
    /// A device or a pipe: there is nothing to replace.
    Stream(PathBuf),
    /// A file, or the name for one. No symbolic link.
    File(PathBuf),
}

impl Place {
    /// Follows links, and refuses folders.
    pub fn of(path: &Path) -> Result<Self, Failure> {
        if is_stdout(path) {
            return Ok(Self::Stdout);
        }
        let is_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir();
        if is_folder || path.file_name().is_none() {
            return Err(anyhow!("{}: cannot be written: this is a folder", path.display()))
                .or_blame(Blame::Output);
        }
        if is_no_file(path) {
            return Ok(Self::Stream(path.to_owned()));
        }
        match target(path) {
            Ok(file) => Ok(Self::File(file)),
            Err(error) => {
                Err(anyhow!("{}: cannot be written: {error}", path.display())).or_blame(Blame::Output)
            }
        }
    }
}

/// Whether a name means standard output.
fn is_stdout(path: &Path) -> bool {
    // Equal paths may still have single dots and slashes too many.
    path.as_os_str() == "-"
        || ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path == *name)
}

/// Whether a name means something that the program was given open: it is written to and not replaced, even if it is a file.
fn is_descriptor(path: &Path) -> bool {
    let folders: Vec<_> = path.components().skip(1).map(|part| part.as_os_str().to_string_lossy()).collect();
    let folders: Vec<&str> = folders.iter().map(AsRef::as_ref).collect();
    path.is_absolute()
        && matches!(folders[..], ["dev", "fd", _] | ["proc", _, "fd", _] | ["dev", "stderr" | "stdin"])
}

/// Whether a name means standard output, a device, a pipe: nothing that has an extension.
pub fn is_no_file(path: &Path) -> bool {
    is_stdout(path)
        || (cfg!(unix) && is_descriptor(path))
        || fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The file that a chain of links ends with, whether it is there or not.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("the link leads in a circle"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_files_streams_and_stdout() {
        let of = |path: &str| Place::of(Path::new(path)).unwrap();
        assert_eq!(of("-"), Place::Stdout);
        assert_eq!(of("./-"), Place::File("./-".into()));
        assert_eq!(of("no/such/x.obj"), Place::File("no/such/x.obj".into()));
        for folder in [".", "..", "/", "new/"] {
            assert_eq!(Place::of(Path::new(folder)).unwrap_err().exit_code(), 4, "{folder}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_their_end() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("below")).unwrap();
        symlink("below/b", at("a")).unwrap();
        symlink("../c", at("below/b")).unwrap();
        assert_eq!(Place::of(&at("a")).unwrap(), Place::File(at("below/../c")));
        symlink("round", at("round")).unwrap();
        assert!(Place::of(&at("round")).unwrap_err().to_string().contains("circle"));
        assert_eq!(Place::of(Path::new("/dev/null")).unwrap(), Place::Stream("/dev/null".into()));
        for stdout in ["/dev/stdout", "/proc/self/fd/./1", "//dev/fd//1"] {
            assert_eq!(Place::of(Path::new(stdout)).unwrap(), Place::Stdout, "{stdout}");
        }
        assert_eq!(Place::of(Path::new("/proc/self/fd/2")).unwrap(), Place::Stream("/proc/self/fd/2".into()));
        let here = Path::new("/proc/self/cwd/x.obj");
        assert_eq!(Place::of(here).unwrap(), Place::File(here.into()));
        symlink("/dev/null", at("null.obj")).unwrap();
        assert_eq!(Place::of(&at("null.obj")).unwrap(), Place::Stream(at("null.obj")));
    }
}
