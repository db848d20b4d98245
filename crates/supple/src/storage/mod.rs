//! Shapes in files: everything a [`Shape`] is made of, so that a program can load what another one built.
//!
//! In: a shape, or the bytes of one. Out: bytes, or an equal shape, bit by bit.
//! Must hold: a file that was cut, prolonged or changed in any byte is an error that says where. Everything that is
//! read passes the checks of its constructor, and the tree those of `soundness`, so that even bytes made up by an
//! enemy, with right checksums, cannot make a query panic or run for ever. That the bounds in a made-up file enclose
//! their vertices, and that its clearances and smoothness are true, is not checked.
//!
//! All numbers are little-endian, without padding. The file starts with
//!
//! | bytes | what |
//! | --- | --- |
//! | 8 | `SUPPLE\r\n`: a transfer that changes line ends is noticed here |
//! | 4 | format version, u32 |
//!
//! and goes on with these sections in this order, to its end:
//!
//! | bytes | what |
//! | --- | --- |
//! | 4 | tag |
//! | 8 | length `n` of the content, u64 |
//! | 8 | FNV-1a of tag, length and content, u64: finds every change of a single byte, others but for one in 2^64 |
//! | n | content |
//!
//! | tag | content |
//! | --- | --- |
//! | `MESH` | list of positions (3 f32), list of triangles (3 u32), optional list of normals (3 f32), of texture coordinates (2 f32) |
//! | `REST` | u8: 0 nothing, 1 list of displacement fields, 2 list of reference shapes |
//! | `SKEL` | list of nodes (name, optional parent, transform, optional 12 f64), list of joints (node, 12 f64) |
//! | `SKIN` | number of joints, list per vertex of (joint u32, weight f32) |
//! | `CLIP` | list of clips: name, list of channels (target, interpolation, times, values) |
//! | `PART` | list of parts: name, node, ranges of vertices, triangles and coefficients, list of primitives |
//! | `TREE` | lists of triangle numbers in leaf order, nodes, groups, linear groups, their joints and weights, weights and products of weights of groups, rest changes of nodes, clearances (f32, one per node), scopes (2 f32 per node), how many smooth joints and fields each node has, those joints and fields |
//!
//! A list is its length (u32) and its items, a string a list of UTF-8 bytes, an option a u8 (0 or 1) and what there is, a
//! range its start and end (u32).

mod bytes;
mod records;
mod sections;
mod pieces;
mod soundness;
mod error;

use std::fs;
use std::path::Path;

pub use error::StorageError;

use crate::tree::{Shape, check_size};
use sections::{Sections, SectionsWriter};

/// The version this library writes and reads.
const VERSION: u32 = 6;

/// What a file starts with.
const MAGIC: [u8; 8] = *b"SUPPLE\r\n";

impl Shape {
    /// Writes the shape to a file.
    ///
    /// ```
    /// use glam::Vec3;
    /// use supple::{BuildOptions, Shape, mesh::Mesh, model::Model};
    ///
    /// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
    /// let shape = Shape::build(Model::rigid(mesh), &BuildOptions::default())?;
    /// let path = std::env::temp_dir().join(format!("triangle-{}.supple", std::process::id()));
    /// shape.save(&path)?;
    /// assert_eq!(Shape::load(&path)?, shape);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`to_bytes`](Self::to_bytes), or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), StorageError> {
        let path = path.as_ref();
        fs::write(path, self.to_bytes()?)
            .map_err(|source| StorageError::Write { path: path.to_owned(), source })
    }

    /// Reads a shape that [`save`](Self::save) wrote. Costs far less than building it.
    ///
    /// # Errors
    /// The file cannot be read, is of another version, or is damaged.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, StorageError> {
        let path = path.as_ref();
        let bytes = fs::read(path).map_err(|source| StorageError::Read { path: path.to_owned(), source })?;
        Self::from_bytes(&bytes)
    }

    /// The bytes of the file: equal for equal shapes.
    ///
    /// # Errors
    /// A list is longer than a u32 can say.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StorageError> {
        let (model, tree) = (self.model(), self.tree());
        let mut file = SectionsWriter::new();
        file.add(sections::MESH, |out| pieces::write_mesh(model.mesh(), out))?;
        file.add(sections::REST, |out| pieces::write_rest(model.rest(), out))?;
        file.add(sections::SKELETON, |out| pieces::write_skeleton(model.skeleton(), out))?;
        file.add(sections::SKIN, |out| pieces::write_skin(model.skin(), out))?;
        file.add(sections::CLIPS, |out| out.list(model.clips()))?;
        file.add(sections::PARTS, |out| out.list(model.parts()))?;
        file.add(sections::TREE, |out| pieces::write_tree(tree, out))?;
        Ok(file.into_bytes())
    }

    /// The shape that [`to_bytes`](Self::to_bytes) gave these bytes.
    ///
    /// # Errors
    /// Bytes of another version, or damaged ones.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StorageError> {
        let mut file = Sections::new(bytes)?;
        let mesh = file.read(sections::MESH, pieces::read_mesh)?;
        let vertices = mesh.positions().len();
        let rest = file.read(sections::REST, |input| pieces::read_rest(input, vertices))?;
        let skeleton = file.read(sections::SKELETON, pieces::read_skeleton)?;
        let skin = file.read(sections::SKIN, pieces::read_skin)?;
        let clips = file.read(sections::CLIPS, bytes::Reader::list)?;
        let parts = file.read(sections::PARTS, bytes::Reader::list)?;
        let model = pieces::assemble(mesh, rest, skeleton, skin, clips, parts)?;
        check_size(&model)?;
        let tree = file.read(sections::TREE, |input| pieces::read_tree(input, &model))?;
        file.end()?;
        Ok(Self::from_parts(model, tree))
    }
}
