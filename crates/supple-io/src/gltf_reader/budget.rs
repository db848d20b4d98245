//! How much a file may make the reader allocate.
//!
//! A few bytes of JSON can ask for billions of zeros, or for one mesh under a million nodes. Every number that is
//! read or copied is paid from a budget that follows from the size of the file.

use std::cell::Cell;

use crate::Problem;

/// The most numbers (vertex components, indices, weights, keys) that are ever read from one glTF file.
///
/// The limit of a particular file is lower: 64 numbers per byte of the file and its buffers, but at least 2^22. A file
/// without instances and compression has at most one number per byte.
pub const MAX_ELEMENTS: u64 = 1 << 31;

const ELEMENTS_PER_BYTE: u64 = 64;
const ALWAYS_ALLOWED: u64 = 1 << 22;

/// What it costs to look at an object, whatever is in it: a fixed sum for its bookkeeping, notes and names. Otherwise
/// a mesh of many empty primitives under many nodes would be free.
pub(super) const VISIT: usize = 16;

/// What is left to spend.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    left: Cell<u64>,
}

impl Budget {
    pub fn for_file_of(bytes: usize) -> Self {
        let limit = (bytes as u64).saturating_mul(ELEMENTS_PER_BYTE).clamp(ALWAYS_ALLOWED, MAX_ELEMENTS);
        Self { limit, left: Cell::new(limit) }
    }

    /// How many numbers may still be read.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Pays for `count * width` numbers before they are allocated.
    pub fn spend(&self, place: impl FnOnce() -> String, count: usize, width: usize) -> Result<(), Problem> {
        let wanted = (count as u64).saturating_mul(width as u64);
        match self.left.get().checked_sub(wanted) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Problem::invalid(
                place(),
                format!(
                    "needs {wanted} more numbers, but a file of this size may have only {} in all; expected sizes \
                     that fit the file",
                    self.limit
                ),
            )),
        }
    }
}
