//! The attributes of a primitive's vertices, by name: numbers of accessors, or of a Draco mesh in their place.
//!
//! Must hold: what a Draco mesh holds is taken from it, everything else from accessors.

use gltf::json;
use json::mesh::{Mode, Semantic};
use json::validation::Checked;

use super::accessor::Accessor;
use super::contents::Contents;
use super::document::lookup;
use super::draco::{Compression, DracoMesh};
use crate::Problem;

/// Where the numbers of a primitive are.
#[derive(Debug)]
pub(super) struct Attributes<'s> {
    contents: &'s Contents<'s>,
    primitive: &'s json::mesh::Primitive,
    compressed: Option<(Compression, &'s DracoMesh)>,
}

impl<'s> Attributes<'s> {
    /// Decodes the primitive if it is compressed.
    pub fn of(
        contents: &'s Contents<'_>,
        primitive: &'s json::mesh::Primitive,
        place: &str,
        notes: &mut Vec<String>,
    ) -> Result<Self, Problem> {
        let Some(compression) = Compression::of(primitive, place)? else {
            return Ok(Self { contents, primitive, compressed: None });
        };
        let mesh = contents.draco_mesh(compression.buffer_view).map_err(|e| e.within(place))?;
        let this = Self { contents, primitive, compressed: Some((compression, mesh)) };
        this.compare_counts(mesh, place, notes);
        Ok(this)
    }

    /// Accessors should have the counts of the Draco mesh, which is what counts.
    fn compare_counts(&self, mesh: &DracoMesh, place: &str, notes: &mut Vec<String>) {
        let indices = self.primitive.indices.map(|index| index.value());
        let counts = [
            (self.index(Semantic::Positions), "vertices", mesh.vertices),
            (indices, "indices", mesh.triangles.len() * 3),
        ];
        for (index, what, found) in counts {
            let accessor = index.and_then(|index| self.contents.document.accessors.get(index));
            let strip = what == "indices" && self.primitive.mode != Checked::Valid(Mode::Triangles);
            if let Some(declared) = accessor.map(|a| a.count.0).filter(|&c| c != found as u64 && !strip) {
                notes.push(format!(
                    "{place}: {declared} {what} are announced, the Draco mesh has {found}; these are taken"
                ));
            }
        }
    }

    /// Triangles that came with the attributes.
    pub fn draco_triangles(&self) -> Option<&'s [[u32; 3]]> {
        self.compressed.as_ref().map(|(_, mesh)| mesh.triangles.as_slice())
    }

    /// The numbers of an attribute, if the primitive has it.
    pub fn get(&self, semantic: Semantic) -> Result<Option<Accessor<'s>>, Problem> {
        let (name, index) = (semantic.to_string(), self.index(semantic));
        let id = self.compressed.as_ref().and_then(|(c, mesh)| Some((*c.attributes.get(&name)?, *mesh)));
        let Some((id, mesh)) = id else {
            return index.map(|index| self.contents.accessor(index)).transpose();
        };
        let declared = index.map(|i| lookup(&self.contents.document.accessors, "accessor", i)).transpose()?;
        let (shape, dense) = mesh.attribute(id, declared).map_err(|e| Problem::invalid(&name, e))?;
        Ok(Some(Accessor {
            contents: self.contents,
            place: name,
            shape,
            element: dense.element,
            count: mesh.vertices,
            dense: Some(dense),
            sparse: None,
        }))
    }

    fn index(&self, semantic: Semantic) -> Option<usize> {
        self.primitive.attributes.get(&Checked::Valid(semantic)).map(|accessor| accessor.value())
    }
}
