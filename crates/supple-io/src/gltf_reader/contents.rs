//! Checked access to the bytes of a glTF.
//!
//! In: the document, its buffers. Out: arrays that are known to be there.
//! Must hold: every offset, stride and count is checked against the bytes that are there before anything is read.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 3.6.2.

use std::cell::OnceCell;

use gltf::json;
use json::accessor::Type;
use json::validation::Checked;

use super::accessor::{Accessor, Element, Sparse, Strided};
use super::budget::{Budget, VISIT};
use super::buffers::Buffers;
use super::document::{Document, lookup};
use super::draco::DracoMesh;
use super::meshopt_view::Compression;
use crate::Problem;

/// A document with its bytes.
#[derive(Debug)]
pub(super) struct Contents<'a> {
    pub document: Document,
    pub budget: Budget,
    buffers: Buffers<'a>,
    /// Views that were compressed, decoded when first asked for.
    decoded: Vec<OnceCell<Vec<u8>>>,
    /// Views that hold a Draco mesh, decoded when first asked for.
    draco_meshes: Vec<OnceCell<DracoMesh>>,
}

impl<'a> Contents<'a> {
    pub fn new(document: Document, buffers: Buffers<'a>, budget: Budget) -> Self {
        let decoded = document.buffer_views.iter().map(|_| OnceCell::new()).collect();
        let draco_meshes = document.buffer_views.iter().map(|_| OnceCell::new()).collect();
        Self { document, budget, buffers, decoded, draco_meshes }
    }

    /// The mesh that a buffer view holds.
    pub fn draco_mesh(&self, view: usize) -> Result<&DracoMesh, Problem> {
        let bytes = self.view(view)?;
        if let Some(mesh) = self.draco_meshes[view].get() {
            return Ok(mesh);
        }
        let mesh = DracoMesh::decode(bytes, &self.budget, &format!("buffer view {view}"))?;
        Ok(self.draco_meshes[view].get_or_init(|| mesh))
    }

    /// An accessor whose numbers are all there.
    pub fn accessor(&self, index: usize) -> Result<Accessor<'_>, Problem> {
        let place = || format!("accessor {index}");
        let stored = lookup(&self.document.accessors, "accessor", index)?;
        self.budget.spend(place, 1, VISIT)?;
        let (Checked::Valid(kind), Checked::Valid(shape)) = (&stored.component_type, &stored.type_) else {
            return Err(Problem::invalid(
                place(),
                "has an unknown type or component type; expected SCALAR to MAT4 of 5120 to 5126",
            ));
        };
        let count = usize::try_from(stored.count.0)
            .map_err(|_| Problem::invalid(place(), format!("has the absurd count {}", stored.count.0)))?;
        let element = Element { kind: kind.0, width: width(*shape), normalized: stored.normalized };
        let offset = stored.byte_offset.unwrap_or_default().0;
        let dense = stored
            .buffer_view
            .map(|view| self.strided(&place(), view.value(), offset, element, count, Stride::OfView))
            .transpose()?;
        let sparse = stored.sparse.as_ref().map(|s| self.sparse(&place(), s, element, count)).transpose()?;
        Ok(Accessor { contents: self, place: place(), shape: *shape, element, count, dense, sparse })
    }

    fn sparse(
        &self,
        place: &str,
        sparse: &json::accessor::sparse::Sparse,
        element: Element,
        count: usize,
    ) -> Result<Sparse<'_>, Problem> {
        let place = format!("{place}, sparse");
        let changes = usize::try_from(sparse.count.0).ok().filter(|&c| c <= count).ok_or_else(|| {
            Problem::invalid(&place, format!("{} changes of {count} elements", sparse.count.0))
        })?;
        let Checked::Valid(kind) = sparse.indices.component_type else {
            return Err(Problem::invalid(&place, "expected indices of type 5121, 5123 or 5125"));
        };
        let index_element = Element { kind: kind.0, width: 1, normalized: false };
        let (indices, values) = (&sparse.indices, &sparse.values);
        let (index_view, value_view) = (indices.buffer_view.value(), values.buffer_view.value());
        let tight = Stride::Tight;
        let indices =
            self.strided(&place, index_view, indices.byte_offset.0, index_element, changes, tight)?;
        let values = self.strided(&place, value_view, values.byte_offset.0, element, changes, tight)?;
        self.budget.spend(|| place.clone(), changes, 1)?;
        for i in 0..changes {
            let target = indices.u32_at(i, 0);
            if target as usize >= count {
                return Err(Problem::invalid(
                    &place,
                    format!("change {i} is to element {target}; expected less than {count}"),
                ));
            }
        }
        Ok(Sparse { count: changes, indices, values })
    }

    /// `count` elements at an offset of a view.
    fn strided(
        &self,
        place: &str,
        view: usize,
        offset: u64,
        element: Element,
        count: usize,
        stride: Stride,
    ) -> Result<Strided<'_>, Problem> {
        let bytes = self.view(view).map_err(|problem| problem.within(place))?;
        let size = element.size();
        let stored = self.document.buffer_views[view].byte_stride.map_or(0, |s| s.0);
        let stride = match stride {
            // A stride of 0 is not allowed, but written by some to mean none.
            Stride::OfView if stored > 0 => stored,
            _ => size,
        };
        if stride < size {
            return Err(Problem::invalid(
                place,
                format!("buffer view {view} has stride {stride}; expected at least {size}"),
            ));
        }
        let end = match count {
            0 => Some(offset),
            _ => (count as u64 - 1)
                .checked_mul(stride as u64)
                .and_then(|last| last.checked_add(size as u64).and_then(|length| length.checked_add(offset))),
        };
        match end {
            Some(end) if end <= bytes.len() as u64 => {
                Ok(Strided { bytes: &bytes[offset as usize..], stride, element })
            }
            _ => Err(Problem::invalid(
                place,
                format!(
                    "{count} elements of {size} bytes from byte {offset} with stride {stride}; expected to fit \
                     into the {} bytes of buffer view {view}",
                    bytes.len()
                ),
            )),
        }
    }

    /// The bytes of a buffer view, decompressed.
    fn view(&self, index: usize) -> Result<&[u8], Problem> {
        let view = lookup(&self.document.buffer_views, "buffer view", index)?;
        let place = || format!("buffer view {index}");
        let Some(compression) = Compression::of(view).map_err(|e| Problem::invalid(place(), e))? else {
            let offset = view.byte_offset.unwrap_or_default().0;
            return self.buffer_range(&place(), view.buffer.value(), offset, view.byte_length.0);
        };
        if let Some(decoded) = self.decoded[index].get() {
            return Ok(decoded);
        }
        let Compression { buffer, byte_offset, byte_length, .. } = compression;
        let compressed = self.buffer_range(&place(), buffer, byte_offset, byte_length)?;
        self.budget.spend(place, compression.count, compression.byte_stride)?;
        let decoded = compression.decode(&place(), compressed)?;
        Ok(self.decoded[index].get_or_init(|| decoded))
    }

    fn buffer_range(&self, place: &str, buffer: usize, offset: u64, length: u64) -> Result<&[u8], Problem> {
        let stored = lookup(&self.buffers, "buffer", buffer).map_err(|problem| problem.within(place))?;
        let Some(bytes) = stored else {
            return Err(Problem::invalid(
                place,
                format!("buffer {buffer} has no bytes; expected a URI or a binary chunk"),
            ));
        };
        let range = usize::try_from(offset).ok().zip(usize::try_from(length).ok());
        range.and_then(|(from, length)| bytes.get(from..)?.get(..length)).ok_or_else(|| {
            Problem::invalid(
                place,
                format!("{length} bytes from byte {offset}; buffer {buffer} has only {}", bytes.len()),
            )
        })
    }
}

/// How the elements of one array follow each other.
#[derive(Clone, Copy)]
enum Stride {
    OfView,
    Tight,
}

fn width(shape: Type) -> usize {
    match shape {
        Type::Scalar => 1,
        Type::Vec2 => 2,
        Type::Vec3 => 3,
        Type::Vec4 | Type::Mat2 => 4,
        Type::Mat3 => 9,
        Type::Mat4 => 16,
    }
}
