//! A checked triangle mesh.
//!
//! In: positions, triangles and optional normals and texture coordinates, as plain arrays.
//! Out: a [`Mesh`] whose indices are in range and whose numbers are finite.
//! Must hold: every later stage may index and compute without checking again.

use glam::{Vec2, Vec3};
use thiserror::Error;

/// A triangle mesh: shared vertices, counter-clockwise front faces.
///
/// ```
/// use glam::Vec3;
/// use supple::mesh::Mesh;
///
/// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// assert_eq!(mesh.triangles().len(), 1);
/// # Ok::<(), supple::mesh::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    normals: Option<Vec<Vec3>>,
    uvs: Option<Vec<Vec2>>,
}

/// Why arrays do not make a mesh.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// A mesh without triangles has no surface to ask about.
    #[error("the mesh has no triangles")]
    Empty,
    /// More vertices or triangles than a `u32` can number.
    #[error("the mesh has {0} {1}, at most 4294967295 can be numbered")]
    TooLarge(usize, &'static str),
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {vertex}, but there are only {vertices} vertices")]
    IndexOutOfRange {
        /// The triangle.
        triangle: usize,
        /// The vertex it names.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A number that is not finite.
    #[error("the {attribute} of vertex {vertex} is not finite")]
    NotFinite {
        /// What was read.
        attribute: &'static str,
        /// Where.
        vertex: usize,
    },
    /// An attribute array of the wrong length.
    #[error("{found} {attribute}s for {expected} vertices")]
    WrongCount {
        /// What was counted.
        attribute: &'static str,
        /// One per vertex is needed.
        expected: usize,
        /// What there was.
        found: usize,
    },
}

impl Mesh {
    /// Checks and keeps the arrays.
    ///
    /// # Errors
    /// No triangle, an index out of range, a position that is not finite.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>) -> Result<Self, MeshError> {
        if triangles.is_empty() {
            return Err(MeshError::Empty);
        }
        for (count, what) in [(positions.len(), "vertices"), (triangles.len(), "triangles")] {
            if count > u32::MAX as usize {
                return Err(MeshError::TooLarge(count, what));
            }
        }
        check_finite("position", &positions, |p| p.is_finite())?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= positions.len()) {
                return Err(MeshError::IndexOutOfRange { triangle, vertex, vertices: positions.len() });
            }
        }
        Ok(Self { positions, triangles, normals: None, uvs: None })
    }

    /// Adds one normal per vertex.
    ///
    /// # Errors
    /// A wrong count or a normal that is not finite.
    pub fn with_normals(mut self, normals: Vec<Vec3>) -> Result<Self, MeshError> {
        self.check_count("normal", normals.len())?;
        check_finite("normal", &normals, |n| n.is_finite())?;
        self.normals = Some(normals);
        Ok(self)
    }

    /// Adds one texture coordinate per vertex.
    ///
    /// # Errors
    /// A wrong count or a coordinate that is not finite.
    pub fn with_uvs(mut self, uvs: Vec<Vec2>) -> Result<Self, MeshError> {
        self.check_count("texture coordinate", uvs.len())?;
        check_finite("texture coordinate", &uvs, |uv| uv.is_finite())?;
        self.uvs = Some(uvs);
        Ok(self)
    }

    /// Vertex positions at rest, in the space of the file they came from.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Vertex indices of each triangle.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Vertex normals, if the mesh has them.
    pub fn normals(&self) -> Option<&[Vec3]> {
        self.normals.as_deref()
    }

    /// Texture coordinates, if the mesh has them.
    pub fn uvs(&self) -> Option<&[Vec2]> {
        self.uvs.as_deref()
    }

    fn check_count(&self, attribute: &'static str, found: usize) -> Result<(), MeshError> {
        let expected = self.positions.len();
        if found == expected {
            return Ok(());
        }
        Err(MeshError::WrongCount { attribute, expected, found })
    }
}

fn check_finite<T>(
    attribute: &'static str,
    values: &[T],
    finite: impl Fn(&T) -> bool,
) -> Result<(), MeshError> {
    match values.iter().position(|v| !finite(v)) {
        Some(vertex) => Err(MeshError::NotFinite { attribute, vertex }),
        None => Ok(()),
    }
}
