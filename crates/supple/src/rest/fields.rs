//! Displacement fields: `p_k(q) = v_k + sum_j U_kj q_j`, any coefficient of any sign and size.
//!
//! In: fields as lists of (vertex, displacement). Out: the displaced vertex.
//! Must hold: only displacements that are not zero are stored, so that a face with hundreds of local blend shapes
//! costs a vertex what is local to it. Stored vertex by vertex, because queries ask for single vertices.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree: Output-Sensitive Collision Detection for Reduced Deformable Models,
//! 2004, section 2.

use glam::Vec3;
use thiserror::Error;

use super::RestStage;
use crate::mesh::{Mesh, vertex_normals};

/// One displacement field as importers and generators make it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Field {
    /// What the file calls it; may be empty.
    pub name: String,
    /// Coefficient of the rest pose.
    pub default: f32,
    /// Displaced vertices, each at most once.
    pub displacements: Vec<(u32, Vec3)>,
    /// Changes of normals, each vertex at most once; may be empty.
    pub normal_changes: Vec<(u32, Vec3)>,
}

impl Field {
    /// A field that moves every vertex of a mesh by a vector and, where the mesh has normals, turns them as far as a coefficient of 1
    /// does. What does not move has no entry.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::{mesh::Mesh, rest::Field};
    ///
    /// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?.with_normals(vec![Vec3::Z; 3])?;
    /// let field = Field::displacing("tips up", &mesh, &[Vec3::ZERO, Vec3::Z, Vec3::ZERO]);
    /// assert_eq!(field.displacements, [(1, Vec3::Z)]);
    /// assert_eq!(field.normal_changes.len(), 3);
    /// # Ok::<(), supple::mesh::MeshError>(())
    /// ```
    ///
    /// # Panics
    /// Not one vector per vertex.
    pub fn displacing(name: impl Into<String>, mesh: &Mesh, displacements: &[Vec3]) -> Self {
        let rest = mesh.positions();
        assert_eq!(displacements.len(), rest.len(), "a displacement per vertex");
        let entries = |changes: &[Vec3]| {
            (0u32..).zip(changes.iter().copied()).filter(|(_, change)| *change != Vec3::ZERO).collect()
        };
        let normal_changes = mesh.normals().map(|_| {
            let moved: Vec<Vec3> = rest.iter().zip(displacements).map(|(&p, &change)| p + change).collect();
            // Both computed by the same sums: where nothing moves the difference is exactly zero.
            let before = vertex_normals(rest, mesh.triangles());
            let after = vertex_normals(&moved, mesh.triangles());
            let turns: Vec<Vec3> =
                before.iter().zip(&after).map(|(before, after)| *after - *before).collect();
            entries(&turns)
        });
        Self {
            name: name.into(),
            default: 0.0,
            displacements: entries(displacements),
            normal_changes: normal_changes.unwrap_or_default(),
        }
    }
}

/// All displacement fields of a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Fields {
    names: Vec<String>,
    defaults: Vec<f32>,
    displacements: SparseRows,
    normal_changes: SparseRows,
}

/// Why lists do not make fields.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum FieldsError {
    /// A vertex that does not exist.
    #[error("field {field} displaces vertex {vertex}, but there are only {vertices} vertices")]
    VertexOutOfRange {
        /// The field.
        field: usize,
        /// The vertex.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A vertex twice in one field.
    #[error("field {field} displaces vertex {vertex} twice")]
    RepeatedVertex {
        /// The field.
        field: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A coefficient of the rest pose that is not finite.
    #[error("field {field} has the default coefficient {value}, which is not finite")]
    BadDefault {
        /// The field.
        field: usize,
        /// Its default.
        value: f32,
    },
    /// A number that is not finite.
    #[error("field {field} has a number that is not finite at vertex {vertex}")]
    NotFinite {
        /// The field.
        field: usize,
        /// The vertex.
        vertex: u32,
    },
}

impl Fields {
    /// Checks and keeps the fields; zero displacements are dropped.
    ///
    /// # Errors
    /// A vertex out of range or twice in a field, a number that is not finite.
    pub fn new(vertex_count: usize, fields: &[Field]) -> Result<Self, FieldsError> {
        if let Some((field, bad)) = fields.iter().enumerate().find(|(_, f)| !f.default.is_finite()) {
            return Err(FieldsError::BadDefault { field, value: bad.default });
        }
        Ok(Self {
            names: fields.iter().map(|f| f.name.clone()).collect(),
            defaults: fields.iter().map(|f| f.default).collect(),
            displacements: SparseRows::new(vertex_count, fields, |f| &f.displacements)?,
            normal_changes: SparseRows::new(vertex_count, fields, |f| &f.normal_changes)?,
        })
    }

    /// Number of fields.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Names, one per field.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Coefficients of the rest pose.
    pub fn defaults(&self) -> &[f32] {
        &self.defaults
    }

    /// Number of vertices the fields are made for.
    pub fn vertex_count(&self) -> usize {
        self.displacements.offsets.len() - 1
    }

    /// Displacements of a vertex: (field, displacement), fields ascending.
    pub fn of_vertex(&self, vertex: u32) -> impl Iterator<Item = (usize, Vec3)> {
        self.displacements.row(vertex as usize).iter().map(|e| (e.field as usize, e.change))
    }

    /// The fields as they were given, without zeros, vertices ascending.
    pub fn to_fields(&self) -> Vec<Field> {
        let mut fields: Vec<Field> = self
            .names
            .iter()
            .zip(&self.defaults)
            .map(|(name, &default)| Field { name: name.clone(), default, ..Field::default() })
            .collect();
        for (vertex, entry) in self.displacements.entries_by_vertex() {
            fields[entry.field as usize].displacements.push((vertex, entry.change));
        }
        for (vertex, entry) in self.normal_changes.entries_by_vertex() {
            fields[entry.field as usize].normal_changes.push((vertex, entry.change));
        }
        fields
    }
}

/// Fields with their coefficients.
#[derive(Clone, Copy)]
pub(crate) struct FieldsAt<'a> {
    pub mesh: &'a Mesh,
    pub fields: &'a Fields,
    pub coefficients: &'a [f32],
}

impl RestStage for FieldsAt<'_> {
    #[inline(always)]
    fn position(&self, vertex: usize) -> Vec3 {
        self.fields.displacements.add(vertex, self.coefficients, self.mesh.positions()[vertex])
    }

    #[inline(always)]
    fn normal(&self, vertex: usize) -> Vec3 {
        let rest = self.mesh.normals().map_or(Vec3::ZERO, |normals| normals[vertex]);
        self.fields.normal_changes.add(vertex, self.coefficients, rest)
    }
}

/// A sparse matrix of vectors, row by row: one row per vertex, one column per field.
#[derive(Clone, Debug, PartialEq)]
struct SparseRows {
    offsets: Vec<u32>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Entry {
    field: u32,
    change: Vec3,
}

impl SparseRows {
    fn new(
        rows: usize,
        fields: &[Field],
        changes: impl Fn(&Field) -> &[(u32, Vec3)],
    ) -> Result<Self, FieldsError> {
        let mut counts = vec![0u32; rows + 1];
        let mut last_field = vec![None; rows];
        for (field, changes) in fields.iter().map(&changes).enumerate() {
            check_changes(field, changes, &mut last_field)?;
            for (vertex, _) in changes.iter().filter(|(_, change)| *change != Vec3::ZERO) {
                counts[*vertex as usize + 1] += 1;
            }
        }
        let mut sum = 0;
        for count in &mut counts {
            sum += *count;
            *count = sum;
        }
        let offsets = counts;
        let mut entries = vec![Entry { field: 0, change: Vec3::ZERO }; sum as usize];
        let mut next = offsets.clone();
        for (field, changes) in (0u32..).zip(fields.iter().map(&changes)) {
            for &(vertex, change) in changes.iter().filter(|(_, change)| *change != Vec3::ZERO) {
                let free = &mut next[vertex as usize];
                entries[*free as usize] = Entry { field, change };
                *free += 1;
            }
        }
        Ok(Self { offsets, entries })
    }

    #[inline(always)]
    fn row(&self, vertex: usize) -> &[Entry] {
        &self.entries[self.offsets[vertex] as usize..self.offsets[vertex + 1] as usize]
    }

    #[inline(always)]
    fn add(&self, vertex: usize, coefficients: &[f32], rest: Vec3) -> Vec3 {
        let mut sum = rest;
        for entry in self.row(vertex) {
            sum += entry.change * coefficients[entry.field as usize];
        }
        sum
    }

    fn entries_by_vertex(&self) -> impl Iterator<Item = (u32, &Entry)> {
        (0..self.offsets.len() - 1).flat_map(|v| self.row(v).iter().map(move |e| (v as u32, e)))
    }
}

/// `last_field` remembers for every vertex the last field that displaced it, so that a field costs only what it stores.
fn check_changes(
    field: usize,
    changes: &[(u32, Vec3)],
    last_field: &mut [Option<usize>],
) -> Result<(), FieldsError> {
    let vertices = last_field.len();
    for &(vertex, change) in changes {
        let Some(last) = last_field.get_mut(vertex as usize) else {
            return Err(FieldsError::VertexOutOfRange { field, vertex, vertices });
        };
        if last.replace(field) == Some(field) {
            return Err(FieldsError::RepeatedVertex { field, vertex });
        }
        if !change.is_finite() {
            return Err(FieldsError::NotFinite { field, vertex });
        }
    }
    Ok(())
}
