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
    ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|name| path.as_os_str() == *name)
}

/// Whether a name means standard output, a device, a pipe: nothing that has an extension.
pub fn is_no_file(path: &Path) -> bool {
    // What is open already is written to and not replaced, even if it is a file.
    let is_open = || path.starts_with("/dev/fd") || path.starts_with("/proc") || path == "/dev/stderr";
    is_stdout(path)
        || (cfg!(unix) && is_open())
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
        assert_eq!(Place::of(Path::new("/dev/stdout")).unwrap(), Place::Stdout);
        symlink("/dev/null", at("null.obj")).unwrap();
        assert_eq!(Place::of(&at("null.obj")).unwrap(), Place::Stream(at("null.obj")));
    }
}
