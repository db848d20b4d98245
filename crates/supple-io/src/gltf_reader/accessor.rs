//! The numbers of an accessor.
//!
//! In: arrays of bytes that are known to be there. Out: arrays of numbers.
//! Must hold: what is allocated is paid from the file's budget first; numbers are checked where they must be finite.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 3.6.2.

use std::collections::BTreeMap;

use glam::Vec3;
use gltf::json::accessor::{ComponentType, Type};

use super::contents::Contents;
use crate::Problem;

/// An array of vectors, known to be there.
#[derive(Debug)]
pub(super) struct Accessor<'s> {
    pub contents: &'s Contents<'s>,
    /// Its name in errors.
    pub place: String,
    pub shape: Type,
    pub element: Element,
    pub count: usize,
    pub dense: Option<Strided<'s>>,
    pub sparse: Option<Sparse<'s>>,
}

impl Accessor<'_> {
    pub fn count(&self) -> usize {
        self.count
    }

    pub fn place(&self) -> String {
        self.place.clone()
    }

    pub fn kind(&self) -> ComponentType {
        self.element.kind
    }

    /// Checks the kind of elements.
    pub fn checked_kind(self, shape: Type, kinds: &[ComponentType]) -> Result<Self, Problem> {
        if self.shape == shape && kinds.contains(&self.element.kind) {
            return Ok(self);
        }
        let found = format!("is {:?} of {:?}", self.shape, self.element.kind);
        Err(Problem::invalid(self.place(), format!("{found}; expected {shape:?} of one of {kinds:?}")))
    }

    /// Checks the number of elements.
    pub fn checked_count(self, count: usize, of_what: &str) -> Result<Self, Problem> {
        if self.count == count {
            return Ok(self);
        }
        let found = self.count;
        Err(Problem::invalid(
            self.place(),
            format!("has {found} elements; expected {count}, one per {of_what}"),
        ))
    }

    /// All components, element by element.
    pub fn to_f32(&self) -> Result<Vec<f32>, Problem> {
        self.to_flat(0.0, |array, i, c| array.f32_at(i, c))
    }

    /// All components of an accessor of unsigned integers.
    pub fn to_u32(&self) -> Result<Vec<u32>, Problem> {
        self.to_flat(0, |array, i, c| array.u32_at(i, c))
    }

    /// Vectors that are finite.
    pub fn to_vec3(&self, what: &str) -> Result<Vec<Vec3>, Problem> {
        let vectors: Vec<_> = self.to_f32()?.chunks_exact(3).map(Vec3::from_slice).collect();
        match vectors.iter().position(|v| !v.is_finite()) {
            Some(i) => Err(Problem::invalid(
                self.place(),
                format!("{what} {i} is {}; expected finite numbers", vectors[i]),
            )),
            None => Ok(vectors),
        }
    }

    /// Vectors that are not zero, by element. Costs only what is stored, so a sparse accessor stays sparse.
    pub fn to_changes(&self) -> Result<Vec<(u32, Vec3)>, Problem> {
        let mut changes = BTreeMap::new();
        if self.dense.is_some() {
            changes.extend((0u32..).zip(self.to_vec3("displacement")?));
        } else if let Some(sparse) = self.sparse {
            self.contents.budget.spend(|| self.place(), sparse.count, 4)?;
            for i in 0..sparse.count {
                let change = Vec3::from_array([0, 1, 2].map(|c| sparse.values.f32_at(i, c)));
                changes.insert(sparse.indices.u32_at(i, 0), change);
            }
        }
        if let Some((vertex, change)) = changes.iter().find(|(_, change)| !change.is_finite()) {
            let message = format!("displacement {vertex} is {change}; expected finite numbers");
            return Err(Problem::invalid(self.place(), message));
        }
        Ok(changes.into_iter().filter(|(_, change)| *change != Vec3::ZERO).collect())
    }

    fn to_flat<T: Copy>(
        &self,
        zero: T,
        read: impl Fn(&Strided<'_>, usize, usize) -> T,
    ) -> Result<Vec<T>, Problem> {
        let width = self.element.width;
        self.contents.budget.spend(|| self.place(), self.count, width)?;
        let mut values = Vec::with_capacity(self.count * width);
        match &self.dense {
            Some(dense) => {
                for i in 0..self.count {
                    values.extend((0..width).map(|c| read(dense, i, c)));
                }
            }
            None => values.resize(self.count * width, zero),
        }
        if let Some(sparse) = &self.sparse {
            for i in 0..sparse.count {
                let target = sparse.indices.u32_at(i, 0) as usize * width;
                for c in 0..width {
                    values[target + c] = read(&sparse.values, i, c);
                }
            }
        }
        Ok(values)
    }
}

/// A kind of element: a vector of `width` numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    pub kind: ComponentType,
    pub width: usize,
    pub normalized: bool,
}

impl Element {
    /// Matrices of 1 or 2 byte components have padded columns; none of those is read here.
    pub fn size(self) -> usize {
        self.width * self.kind.size()
    }
}

/// Elements in bytes, known to be there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Strided<'s> {
    pub bytes: &'s [u8],
    pub stride: usize,
    pub element: Element,
}

impl Strided<'_> {
    fn component<const N: usize>(&self, i: usize, c: usize) -> [u8; N] {
        let at = i * self.stride + c * N;
        *self.bytes[at..].first_chunk().expect("the range was checked when the array was made")
    }

    /// Integers divided by their largest value where normalised (and then not below -1), else as they are.
    fn f32_at(&self, i: usize, c: usize) -> f32 {
        let scaled = |value: f32, most: f32| match self.element.normalized {
            true => (value / most).max(-1.0),
            false => value,
        };
        match self.element.kind {
            ComponentType::I8 => scaled(f32::from(i8::from_le_bytes(self.component(i, c))), 127.0),
            ComponentType::U8 => scaled(f32::from(u8::from_le_bytes(self.component(i, c))), 255.0),
            ComponentType::I16 => scaled(f32::from(i16::from_le_bytes(self.component(i, c))), 32767.0),
            ComponentType::U16 => scaled(f32::from(u16::from_le_bytes(self.component(i, c))), 65535.0),
            ComponentType::U32 => u32::from_le_bytes(self.component(i, c)) as f32,
            ComponentType::F32 => f32::from_le_bytes(self.component(i, c)),
        }
    }

    /// Unsigned integers; other kinds never get here.
    pub fn u32_at(&self, i: usize, c: usize) -> u32 {
        match self.element.kind {
            ComponentType::U8 => u32::from(u8::from_le_bytes(self.component(i, c))),
            ComponentType::U16 => u32::from(u16::from_le_bytes(self.component(i, c))),
            _ => u32::from_le_bytes(self.component(i, c)),
        }
    }
}

/// Elements that differ from the dense ones (or from zero).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sparse<'s> {
    pub count: usize,
    pub indices: Strided<'s>,
    pub values: Strided<'s>,
}
