//! How far an audit of several files is, as work: frames of large models take longer, and files that were not opened yet are work, too.
//!
//! In: the sizes of all files, and of those that are read their triangles and frames. Out: the frames that are known, and the
//! work that is done, of the work that there is likely to be: for files that were not read yet, as much per byte as the others.

use std::fs;
use std::sync::{Mutex, PoisonError};

use crate::progress::{Bar, bar};

/// What a file without a size counts as, like one of the zoo.
const BYTES: u64 = 1_000_000;

/// The work of an audit, shown on stderr.
pub struct Work {
    bar: Bar,
    files: Mutex<Vec<FileWork>>,
}

/// The work of one file.
#[derive(Clone, Copy, Debug, Default)]
struct FileWork {
    bytes: u64,
    /// Frames that are done, all of them, and triangles; nothing before the file is read.
    known: Option<[usize; 3]>,
}

impl Work {
    /// Of files that nothing is known of yet but their sizes.
    pub fn new(files: &[String]) -> Self {
        let bytes = |file: &String| fs::metadata(file).map_or(BYTES, |found| found.len());
        let files = files.iter().map(|file| FileWork { bytes: bytes(file), known: None }).collect();
        Self { bar: bar(0, "auditing").counting(" frames"), files: Mutex::new(files) }
    }

    /// A file is at one of its frames.
    pub fn is_at(&self, file: usize, done: usize, frames: usize, triangles: usize) {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files[file].known = Some([done, frames, triangles]);
        let frames =
            |which: usize| files.iter().filter_map(|file| file.known).map(|known| known[which]).sum();
        let (done, all) = weights(&files);
        self.bar.set_weighted(frames(0), frames(1), done, all);
    }

    /// Nothing is left to do for a file: it is done, or cannot be.
    pub fn is_over(&self, file: usize) {
        let known = {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            *files[file].known.get_or_insert([0, 0, 0])
        };
        self.is_at(file, known[1], known[1], known[2]);
    }
}

/// The work that is done, and all of it.
fn weights(files: &[FileWork]) -> (f64, f64) {
    let (mut done, mut known, mut known_bytes, mut other_bytes) = (0.0, 0.0, 0.0, 0.0);
    for file in files {
        match file.known {
            Some([frames_done, frames, triangles]) => {
                done += (frames_done * triangles) as f64;
                known += (frames * triangles) as f64;
                known_bytes += file.bytes as f64;
            }
            None => other_bytes += file.bytes as f64,
        }
    }
    let others = if known_bytes > 0.0 { known * other_bytes / known_bytes } else { 0.0 };
    (done, known + others)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_not_read_count_by_their_size() {
        let file = |bytes, known| FileWork { bytes, known };
        assert_eq!(weights(&[file(100, None), file(5, None)]), (0.0, 0.0));
        assert_eq!(weights(&[file(100, Some([5, 10, 1000])), file(300, None)]), (5000.0, 40_000.0));
        assert_eq!(weights(&[file(100, Some([10, 10, 7])), file(9, Some([0, 0, 0]))]), (70.0, 70.0));
    }
}
