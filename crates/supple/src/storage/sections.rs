//! Sections of a file: a tag, a length, a checksum, and the content.
//!
//! Must hold: content is only looked at after its checksum was found right, and is read to its last byte.

use super::bytes::{Reader, Writer};
use super::{MAGIC, StorageError, VERSION};

/// A kind of section: its tag, and what errors call it.
#[derive(Clone, Copy)]
pub(super) struct Section([u8; 4], &'static str);

pub(super) const MESH: Section = Section(*b"MESH", "mesh");
pub(super) const REST: Section = Section(*b"REST", "rest stage");
pub(super) const SKELETON: Section = Section(*b"SKEL", "skeleton");
pub(super) const SKIN: Section = Section(*b"SKIN", "skin");
pub(super) const CLIPS: Section = Section(*b"CLIP", "list of clips");
pub(super) const PARTS: Section = Section(*b"PART", "list of parts");
pub(super) const TREE: Section = Section(*b"TREE", "tree");

/// A file while it is written.
pub(super) struct SectionsWriter(Vec<u8>);

impl SectionsWriter {
    /// Magic and version.
    pub fn new() -> Self {
        Self([&MAGIC[..], &VERSION.to_le_bytes()].concat())
    }

    pub fn add(
        &mut self,
        Section(tag, section): Section,
        write: impl FnOnce(&mut Writer),
    ) -> Result<(), StorageError> {
        let mut content = Writer::default();
        write(&mut content);
        if let Some(what) = content.obstacle {
            return Err(StorageError::NotStorable { section, what });
        }
        let length = (content.bytes.len() as u64).to_le_bytes();
        let sum = checksum([&tag, &length, &content.bytes]).to_le_bytes();
        for bytes in [&tag[..], &length, &sum, &content.bytes] {
            self.0.extend_from_slice(bytes);
        }
        Ok(())
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

/// A file while it is read.
pub(super) struct Sections<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Sections<'a> {
    /// Checks magic and version.
    pub fn new(file: &'a [u8]) -> Result<Self, StorageError> {
        if !file.starts_with(&MAGIC) {
            // A file that was cut within its first bytes is a cut file.
            let cut = MAGIC.starts_with(file);
            let length = file.len();
            let truncated = StorageError::Truncated { section: "header", start: 0, length };
            return Err(if cut { truncated } else { StorageError::NotAShape });
        }
        let mut sections = Self { file, at: MAGIC.len() };
        let found = u32::from_le_bytes(sections.take("header", 0)?);
        if found != VERSION {
            return Err(StorageError::Version { found, expected: VERSION });
        }
        Ok(sections)
    }

    /// Reads the next section, which must be this one.
    pub fn read<T>(
        &mut self,
        Section(tag, section): Section,
        read: impl FnOnce(&mut Reader<'a>) -> Result<T, StorageError>,
    ) -> Result<T, StorageError> {
        let start = self.at;
        if self.take::<4>(section, start)? != tag {
            return Err(StorageError::WrongTag { section, start });
        }
        let length = self.take::<8>(section, start)?;
        let expected = u64::from_le_bytes(self.take(section, start)?);
        let content = usize::try_from(u64::from_le_bytes(length))
            .ok()
            .and_then(|length| self.file[self.at..].get(..length))
            .ok_or(StorageError::Truncated { section, start, length: self.file.len() })?;
        let end = self.at + content.len();
        let found = checksum([&tag, &length, content]);
        if found != expected {
            return Err(StorageError::Checksum { section, start, end, expected, found });
        }
        let mut reader = Reader { section, at: self.at, left: content };
        let value = read(&mut reader)?;
        if !reader.left.is_empty() {
            return Err(reader.wrong(format!("{} bytes are left over", reader.left.len())));
        }
        self.at = end;
        Ok(value)
    }

    /// Nothing may follow.
    pub fn end(self) -> Result<(), StorageError> {
        let (expected, length) = (self.at, self.file.len());
        if expected == length { Ok(()) } else { Err(StorageError::Prolonged { expected, length }) }
    }

    fn take<const N: usize>(&mut self, section: &'static str, start: usize) -> Result<[u8; N], StorageError> {
        let left = &self.file[self.at..];
        let length = self.file.len();
        let taken = left.first_chunk::<N>().ok_or(StorageError::Truncated { section, start, length })?;
        self.at += N;
        Ok(*taken)
    }
}

/// FNV-1a, 64 bits. Each step is a bijection of the sum so far, so bytes that differ in one byte have different sums.
///
/// Based on: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, The FNV Non-Cryptographic Hash Algorithm, 2019.
fn checksum(pieces: [&[u8]; 3]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    pieces.into_iter().flatten().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
#[path = "../../tests/inside/storage/sections.rs"]
mod tests;
