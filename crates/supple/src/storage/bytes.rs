//! Numbers, strings and lists as bytes: little-endian, without padding.
//!
//! Must hold: a list's length is compared with the bytes that are left before anything is allocated; only finite
//! numbers are written and read.

use std::ops::Range;

use super::StorageError;

/// What can be written and read.
///
/// Law: `read` gives back what was written, bit by bit, and takes exactly the bytes of it.
pub(super) trait Stored: Sized {
    /// The fewest bytes of an item, at least 1: what bounds the length of a list.
    const LEAST_BYTES: usize;
    fn write(&self, out: &mut Writer);
    fn read(input: &mut Reader) -> Result<Self, StorageError>;
}

/// The content of a section while it is written.
#[derive(Default)]
pub(super) struct Writer {
    pub bytes: Vec<u8>,
    /// The first thing that this format cannot hold.
    pub obstacle: Option<&'static str>,
}

impl Writer {
    pub fn list<T: Stored>(&mut self, items: &[T]) {
        items.len().write(self);
        items.iter().for_each(|item| item.write(self));
    }

    fn require(&mut self, fine: bool, obstacle: &'static str) {
        if !fine {
            self.obstacle.get_or_insert(obstacle);
        }
    }
}

/// The content of a section while it is read.
pub(super) struct Reader<'a> {
    /// What errors call it.
    pub section: &'static str,
    /// Where the bytes that are left start in the file.
    pub at: usize,
    pub left: &'a [u8],
}

impl<'a> Reader<'a> {
    /// An error at the current byte.
    pub fn wrong(&self, what: impl ToString) -> StorageError {
        StorageError::Wrong { section: self.section, byte: self.at, what: what.to_string() }
    }

    pub fn bytes(&mut self, count: usize) -> Result<&'a [u8], StorageError> {
        let Some((taken, left)) = self.left.split_at_checked(count) else {
            return Err(self.wrong(format!("{count} bytes should follow, {} are left", self.left.len())));
        };
        (self.at, self.left) = (self.at + count, left);
        Ok(taken)
    }

    pub fn list<T: Stored>(&mut self) -> Result<Vec<T>, StorageError> {
        let count = usize::read(self)?;
        if count > self.left.len() / T::LEAST_BYTES {
            return Err(self.wrong(format!("a list of {count} does not fit into {} bytes", self.left.len())));
        }
        let mut items = Vec::with_capacity(count);
        for _ in 0..count {
            items.push(T::read(self)?);
        }
        Ok(items)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], StorageError> {
        let mut array = [0; N];
        array.copy_from_slice(self.bytes(N)?);
        Ok(array)
    }
}

impl Stored for u8 {
    const LEAST_BYTES: usize = 1;

    fn write(&self, out: &mut Writer) {
        out.bytes.push(*self);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok(input.array::<1>()?[0])
    }
}

impl Stored for u32 {
    const LEAST_BYTES: usize = 4;

    fn write(&self, out: &mut Writer) {
        out.bytes.extend(self.to_le_bytes());
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok(Self::from_le_bytes(input.array()?))
    }
}

/// Indices and counts are stored as u32.
impl Stored for usize {
    const LEAST_BYTES: usize = 4;

    fn write(&self, out: &mut Writer) {
        out.require(*self <= u32::MAX as Self, "a number above 4294967295");
        (*self as u32).write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok(u32::read(input)? as Self)
    }
}

impl Stored for f32 {
    const LEAST_BYTES: usize = 4;

    fn write(&self, out: &mut Writer) {
        out.require(self.is_finite(), "a number that is not finite");
        out.bytes.extend(self.to_le_bytes());
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let number = Self::from_le_bytes(input.array()?);
        if number.is_finite() { Ok(number) } else { Err(input.wrong("a number is not finite")) }
    }
}

impl Stored for f64 {
    const LEAST_BYTES: usize = 8;

    fn write(&self, out: &mut Writer) {
        out.require(self.is_finite(), "a number that is not finite");
        out.bytes.extend(self.to_le_bytes());
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let number = Self::from_le_bytes(input.array()?);
        if number.is_finite() { Ok(number) } else { Err(input.wrong("a number is not finite")) }
    }
}

impl<T: Stored + Copy + Default, const N: usize> Stored for [T; N] {
    const LEAST_BYTES: usize = N * T::LEAST_BYTES;

    fn write(&self, out: &mut Writer) {
        self.iter().for_each(|item| item.write(out));
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(input)?;
        }
        Ok(items)
    }
}

impl<A: Stored, B: Stored> Stored for (A, B) {
    const LEAST_BYTES: usize = A::LEAST_BYTES + B::LEAST_BYTES;

    fn write(&self, out: &mut Writer) {
        self.0.write(out);
        self.1.write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        Ok((A::read(input)?, B::read(input)?))
    }
}

impl<T: Stored> Stored for Option<T> {
    const LEAST_BYTES: usize = 1;

    fn write(&self, out: &mut Writer) {
        u8::from(self.is_some()).write(out);
        self.iter().for_each(|item| item.write(out));
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        match u8::read(input)? {
            0 => Ok(None),
            1 => T::read(input).map(Some),
            other => Err(input.wrong(format!("an option is marked {other}, neither 0 nor 1"))),
        }
    }
}

impl<T: Stored> Stored for Vec<T> {
    const LEAST_BYTES: usize = 4;

    fn write(&self, out: &mut Writer) {
        out.list(self);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        input.list()
    }
}

impl Stored for String {
    const LEAST_BYTES: usize = 4;

    fn write(&self, out: &mut Writer) {
        self.len().write(out);
        out.bytes.extend(self.as_bytes());
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let length = usize::read(input)?;
        let bytes = input.bytes(length)?;
        str::from_utf8(bytes).map(Self::from).map_err(|error| input.wrong(error))
    }
}

impl Stored for Range<usize> {
    const LEAST_BYTES: usize = 8;

    fn write(&self, out: &mut Writer) {
        (self.start, self.end).write(out);
    }

    fn read(input: &mut Reader) -> Result<Self, StorageError> {
        let (start, end) = Stored::read(input)?;
        if start > end {
            return Err(input.wrong(format!("a range goes from {start} back to {end}")));
        }
        Ok(start..end)
    }
}
