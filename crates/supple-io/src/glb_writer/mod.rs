//! GLB out: mesh, skin, morph targets and clips in one binary glTF 2.0 file.
//!
//! In: a model. Out: the bytes of a `.glb` file that passes the Khronos validator.
//! Must hold: the file loads as an equal model, up to what glTF cannot say:
//!
//! - Nodes keep their numbers; further nodes come after them. glTF has no sheared transforms, so a node with an
//!   [`offset`](supple::pose::Node::offset) becomes a chain of two or three nodes whose product is the same.
//! - A convex morph becomes morph targets relative to its first reference: the weights in the file are those of the
//!   second and later references, divided by the sum of all. What was `w_0 .. w_n` is `w_1 .. w_n`.
//! - Coefficients that several parts share become morph targets of each of them.
//! - Normals are made unit length, zero ones become +Z. Equal key times are drawn apart by one unit in the last
//!   place. Clips without channels and joints that nothing follows in a file without skins are left out.
//! - Parts whose materials share vertices are written with one material, so that vertices keep their numbers. Parts
//!   that share vertices with each other each get their own; vertices of no part are left out.
//!
//! Based on: Khronos Group, glTF 2.0 specification, sections 3 and 4.

mod accessors;
mod animations;
mod coloured;
mod container;
mod instances;
mod keys;
mod materials;
mod meshes;
mod nodes;
mod placement;
mod shape;
mod shear;
mod skins;
mod targets;
mod weights;

use std::path::Path;

use serde_json::{Map, Value, json};
use supple::{Mesh, Model};
use thiserror::Error;

use self::accessors::Binary;
pub use self::coloured::{ColouredFrame, ColouredMesh, coloured_glb_bytes, write_coloured_glb};
pub use self::instances::{Instance, Instances, instances_glb_bytes};
use self::materials::Materials;
use self::nodes::Nodes;
use self::placement::Placement;
use self::shape::Shape;
use self::skins::Skins;
use crate::write_error::{WriteError, write_bytes};

/// Why a model cannot be written as GLB.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum GlbError {
    /// A triangle reaches out of its part.
    #[error(
        "triangle {triangle} of part {part} names vertex {vertex}, which is not one of the part's vertices"
    )]
    TriangleOutsidePart {
        /// Index of the part.
        part: usize,
        /// The triangle, over the whole model.
        triangle: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A triangle that would be lost.
    #[error("triangle {triangle} belongs to no part")]
    TriangleWithoutPart {
        /// The triangle.
        triangle: usize,
    },
    /// glTF numbers joints with 16 bits.
    #[error("skin {skin} has {joints} joints, glTF can number 65536")]
    TooManyJoints {
        /// The skin.
        skin: usize,
        /// How many it has.
        joints: usize,
    },
    /// A number that does not fit into `f32`.
    #[error("the {what} {index} does not fit into 32-bit floats")]
    NotFinite {
        /// Node, inverse bind matrix of joint, morph target.
        what: &'static str,
        /// Which one.
        index: usize,
    },
    /// Joints, several parts or reference shapes, where one mesh is placed many times.
    #[error(
        "model {model} has {parts} parts and {joints} joints; what is placed several times must be one part that moves as a whole, with displacement fields at most"
    )]
    NotOnePart {
        /// Which of the models.
        model: usize,
        /// Its parts.
        parts: usize,
        /// Its joints.
        joints: usize,
    },
    /// Key times of instances that do not ascend.
    #[error("key times must ascend from 0 or more; key {key} does not")]
    KeyTimes {
        /// The first that does not; 0 if there are none.
        key: usize,
    },
    /// Not one value per key time.
    #[error("instance {instance} of model {model} has {found} {what}, expected {expected}")]
    InstanceLength {
        /// Which of the models.
        model: usize,
        /// Which of its instances.
        instance: usize,
        /// Placements or coefficients.
        what: &'static str,
        /// As many as there are key times, or as there are times and coefficients.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// Not one colour per triangle.
    #[error("mesh '{mesh}' has {found} colours, expected {expected}: one per triangle")]
    ColourCount {
        /// Name of the mesh.
        mesh: String,
        /// Its triangles.
        expected: usize,
        /// Its colours.
        found: usize,
    },
    /// A corner that does not exist.
    #[error("triangle {triangle} of mesh '{mesh}' names vertex {vertex}; there are {vertices}")]
    NoSuchVertex {
        /// Name of the mesh.
        mesh: String,
        /// Which of its triangles.
        triangle: usize,
        /// The vertex.
        vertex: u32,
        /// How many there are.
        vertices: usize,
    },
    /// A corner that is nowhere.
    #[error("vertex {vertex} of mesh '{mesh}' has a position that is not finite")]
    PositionNotFinite {
        /// Name of the mesh.
        mesh: String,
        /// The vertex.
        vertex: u32,
    },
    /// glTF has no empty meshes.
    #[error("there is no triangle to write")]
    NoTriangles,
    /// GLB counts bytes with 32 bits.
    #[error("the file would have {bytes} bytes, GLB can count 4294967295")]
    TooLarge {
        /// What it would have.
        bytes: usize,
    },
}

/// Writes a model as a GLB file.
///
/// # Errors
/// The file cannot be written, or the model does not fit into GLB.
pub fn write_glb(path: impl AsRef<Path>, model: &Model) -> Result<(), WriteError> {
    let path = path.as_ref();
    let bytes = glb_bytes(model).map_err(|source| WriteError::Glb { file: path.to_owned(), source })?;
    write_bytes(path, &bytes)
}

/// Writes a mesh that does not move as a GLB file, for example a deformed one.
///
/// # Errors
/// The file cannot be written, or the mesh does not fit into GLB.
pub fn write_static_glb(path: impl AsRef<Path>, mesh: &Mesh) -> Result<(), WriteError> {
    write_glb(path, &Model::rigid(mesh.clone()))
}

/// The bytes of a GLB file of a model.
///
/// ```
/// use glam::Vec3;
/// use supple::{Mesh, Model};
///
/// let model = Model::rigid(Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?);
/// let bytes = supple_io::glb_bytes(&model)?;
/// let read = supple_io::read_bytes("glb", &bytes, &mut supple_io::no_other_files)?;
/// assert_eq!(read.model.mesh(), model.mesh());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The model does not fit into GLB.
pub fn glb_bytes(model: &Model) -> Result<Vec<u8>, GlbError> {
    let shape = Shape::of(model)?;
    let mut nodes = Nodes::new(model)?;
    let mut skins = Skins::plan(model);
    skins.place_joints(model, &mut nodes)?;
    let placements = Placement::of_parts(model, &skins, &mut nodes);
    nodes.join_roots(skins.joint_nodes());

    let mut binary = Binary::default();
    let mut materials = Materials::default();
    let mut meshes = Vec::new();
    let mut tracks = Vec::new();
    for placement in &placements {
        let targets = shape.targets_of(&model.parts()[placement.part]);
        let skin = placement.skin.map(|skin| &skins.skins()[skin]);
        let mesh = meshes::mesh(model, &shape, placement, skin, &targets, &mut binary, &mut materials)?;
        nodes.set_mesh(placement.node, meshes.len(), placement.skin);
        meshes.push(mesh);
        tracks.push((placement.node, shape.coefficients(&targets)));
    }
    check_coverage(model)?;
    let skin_values = skins.to_json(&mut binary);
    let animation_values = animations::animations(model, &nodes, &tracks, &mut binary);

    let contents = Contents {
        roots: nodes.roots(),
        nodes: nodes.to_json(),
        meshes,
        materials: materials.to_json(),
        skins: skin_values,
        animations: animation_values,
        binary,
    };
    contents.into_glb()
}

/// What a file holds.
struct Contents {
    roots: Vec<usize>,
    nodes: Vec<Value>,
    meshes: Vec<Value>,
    materials: Vec<Value>,
    skins: Vec<Value>,
    animations: Vec<Value>,
    binary: Binary,
}

impl Contents {
    fn into_glb(self) -> Result<Vec<u8>, GlbError> {
        let mut root = Map::new();
        root.insert("asset".into(), json!({ "version": "2.0", "generator": "supple" }));
        root.insert("scene".into(), json!(0));
        root.insert("scenes".into(), json!([{ "nodes": self.roots }]));
        let (bytes, views, accessors) = self.binary.finish();
        root.insert("buffers".into(), json!([{ "byteLength": bytes.len() }]));
        for (key, values) in [
            ("nodes", self.nodes),
            ("meshes", self.meshes),
            ("materials", self.materials),
            ("skins", self.skins),
            ("animations", self.animations),
            ("accessors", accessors),
            ("bufferViews", views),
        ] {
            if !values.is_empty() {
                root.insert(key.into(), Value::Array(values));
            }
        }
        container::glb(&Value::Object(root), &bytes)
    }
}

/// Every triangle must be in a part, or it would silently vanish.
fn check_coverage(model: &Model) -> Result<(), GlbError> {
    let mut covered = vec![false; model.mesh().triangles().len()];
    for part in model.parts() {
        covered[part.triangles.clone()].fill(true);
    }
    match covered.iter().position(|covered| !covered) {
        Some(triangle) => Err(GlbError::TriangleWithoutPart { triangle }),
        None => Ok(()),
    }
}
