//! Names of models, compared by the folders that they are in.
//!
//! In: paths as users and files write them, with either kind of slash. Out: whether one is the end of another, and paths that
//! other machines understand. Only names are looked at, no disk: links are not followed.

use std::env;
use std::path::{Path, PathBuf};

/// Folders and the name of a file, from the root on, without `.` and `..`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelPath(Vec<String>);

impl ModelPath {
    /// A path from the root on; names that are relative begin in `folder`. An animal of the zoo is in no folder.
    pub fn absolute(file: &str, folder: &Path) -> Self {
        if is_animal(file) {
            return Self(vec![file.to_owned()]);
        }
        let is_absolute = Path::new(file).is_absolute();
        Self::written(&if is_absolute { file.to_owned() } else { format!("{}/{file}", folder.display()) })
    }

    /// A path as it is written; where it begins is not known.
    pub fn written(path: &str) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in path.split(['/', '\\']) {
            match name {
                "" | "." => {}
                ".." => _ = names.pop(),
                name => names.push(name.to_owned()),
            }
        }
        Self(names)
    }

    /// Whether there is no name in it.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many folders there are, and the name.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it ends with the folders and the name of another; names are compared as a whole.
    pub fn ends_with(&self, end: &Self) -> bool {
        self.0.ends_with(&end.0)
    }

    /// How many names at the end are the same.
    pub fn common_end(&self, other: &Self) -> usize {
        self.0.iter().rev().zip(other.0.iter().rev()).take_while(|(a, b)| a == b).count()
    }

    /// With slashes, from the first of the folders on that it is below, or just the name where that is none of them.
    pub fn below<'f>(&self, folders: impl IntoIterator<Item = &'f Path>) -> String {
        let mut folders = folders.into_iter().map(|folder| Self::written(&folder.display().to_string()));
        let below = folders.find_map(|folder| self.0.strip_prefix(folder.0.as_slice()));
        match below {
            Some(names) if !names.is_empty() => names.join("/"),
            _ => self.0.last().cloned().unwrap_or_default(),
        }
    }
}

/// Whether a name means an animal of the zoo and no file.
fn is_animal(file: &str) -> bool {
    file.starts_with("zoo:")
}

/// Where relative names begin. Where that is not known anymore, names stay relative.
pub fn current_folder() -> PathBuf {
    env::current_dir().unwrap_or_default()
}

/// A file as a build server knows it: from the current folder on where it is below that, otherwise as the user wrote it.
pub fn for_build_server(file: &str, folder: &Path) -> String {
    let path = ModelPath::absolute(file, folder);
    let (folders, names) = (ModelPath::written(&folder.display().to_string()), &path.0);
    match names.strip_prefix(folders.0.as_slice()) {
        Some(below) if !below.is_empty() && !is_animal(file) => below.join("/"),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn names_are_compared_by_their_ends() {
        let here = Path::new("/art/work");
        let path = |file| ModelPath::absolute(file, here);
        let hero = path("characters/./old/../hero.glb");
        assert_eq!(hero, path("/art/work/characters/hero.glb"));
        for end in
            ["hero.glb", "characters/hero.glb", "./characters\\hero.glb", "/art/work/characters/hero.glb"]
        {
            assert!(hero.ends_with(&ModelPath::written(end)), "{end}");
        }
        for end in ["ero.glb", "old/hero.glb", "Hero.glb", "hero"] {
            assert!(!hero.ends_with(&ModelPath::written(end)), "{end}");
        }
        assert_eq!(hero.common_end(&path("/elsewhere/characters/hero.glb")), 2);
        assert_eq!(hero.common_end(&path("/elsewhere/characters/villain.glb")), 0);
        assert!(ModelPath::written("./").is_empty() && ModelPath::written("..").is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn other_machines_get_relative_names() {
        let here = Path::new("/art/work");
        let below = |file, folder| ModelPath::absolute(file, here).below([Path::new(folder), here]);
        assert_eq!(below("characters/hero.glb", "/art"), "work/characters/hero.glb");
        assert_eq!(below("characters/hero.glb", "/art/lists"), "characters/hero.glb");
        assert_eq!(below("/elsewhere/hero.glb", "/art"), "hero.glb");
        assert_eq!(below("zoo:man", "/art"), "zoo:man");
        assert_eq!(for_build_server("/art/work/a/hero.glb", here), "a/hero.glb");
        assert_eq!(for_build_server("../hero.glb", here), "../hero.glb");
        assert_eq!(for_build_server("zoo:man", here), "zoo:man");
    }
}
