//! Which file a name means, so that two names for one file are recognised.

use std::fs;
use std::path::{Path, PathBuf};

/// Equal for all names of a file: links of both kinds, ways through other folders, other cases where the file system sees none.
///
/// Only Unix knows hard links by a number that can be asked for; elsewhere they count as two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileId {
    /// Device and number of a file that is there.
    #[cfg(unix)]
    Number(u64, u64),
    /// Where a file is, or would be.
    Path(PathBuf),
}

impl FileId {
    /// Of a file that is there; nothing for folders, devices and pipes.
    pub fn of_existing(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            Some(Self::Number(found.dev(), found.ino()))
        }
        #[cfg(not(unix))]
        {
            _ = found;
            fs::canonicalize(path).ok().map(Self::Path)
        }
    }

    /// Of a file that may still have to be made.
    pub fn of(path: &Path) -> Self {
        Self::of_existing(path).unwrap_or_else(|| {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = fs::canonicalize(folder.unwrap_or(Path::new(".")));
            let name = path.file_name().unwrap_or_default();
            // Systems whose file systems usually see no cases.
            let name = if cfg!(any(windows, target_vendor = "apple")) {
                name.to_string_lossy().to_lowercase().into()
            } else {
                name.to_owned()
            };
            Self::Path(folder.map_or_else(|_| path.to_owned(), |folder| folder.join(name)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_of_a_file_are_one() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("below")).unwrap();
        fs::write(at("a"), "").unwrap();
        fs::write(at("b"), "").unwrap();
        let id = FileId::of_existing(&at("a")).unwrap();
        assert_eq!(FileId::of(&at("below/../a")), id);
        assert_ne!(FileId::of(&at("b")), id);
        assert_eq!(FileId::of_existing(&at("below")), None);
        assert_eq!(FileId::of_existing(&at("missing")), None);
        assert_eq!(FileId::of(&at("missing")), FileId::of(&at("below/../missing")));
        assert_ne!(FileId::of(&at("missing")), FileId::of(&at("other")));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", at("soft")).unwrap();
            fs::hard_link(at("a"), at("hard")).unwrap();
            assert!(FileId::of(&at("soft")) == id && FileId::of(&at("hard")) == id);
        }
    }
}
