//! Meshes that do not move, with a colour per triangle: posed models with something marked on them.
//!
//! In: frames, each with meshes of posed positions, triangles and their colours. Out: a file with a node per frame, and below it a
//! node and a mesh per mesh, which any program opens: no skins, no animations, one white material that lets the colours through.
//! Must hold: every triangle has its colour alone, so vertices are doubled where colours meet; vertices that no triangle uses are
//! left out, and so are meshes without triangles.

use std::collections::HashMap;
use std::path::Path;

use glam::Vec3;
use serde_json::{Value, json};

use super::accessors::Binary;
use super::{Contents, GlbError};
use crate::write_error::{WriteError, write_bytes};

/// Meshes that belong together, for example a model at one time.
#[derive(Clone, Debug, Default)]
pub struct ColouredFrame<'a> {
    /// Of the node above those of the meshes; may be empty.
    pub name: String,
    /// For example the parts of a model.
    pub meshes: Vec<ColouredMesh<'a>>,
}

/// A mesh with a colour per triangle.
#[derive(Clone, Debug, Default)]
pub struct ColouredMesh<'a> {
    /// Of the mesh and its node; may be empty.
    pub name: String,
    /// Positions in the world. Several meshes may have the same list and use different vertices of it.
    pub positions: &'a [Vec3],
    /// Counter-clockwise corners.
    pub triangles: &'a [[u32; 3]],
    /// Red, green, blue and opacity of each triangle, as linear light (not sRGB), which is what glTF stores.
    pub colours: Vec<[u8; 4]>,
}

/// Writes coloured meshes as a GLB file.
///
/// # Errors
/// The file cannot be written, or the meshes do not fit into GLB, as in [`coloured_glb_bytes`].
pub fn write_coloured_glb(path: impl AsRef<Path>, frames: &[ColouredFrame<'_>]) -> Result<(), WriteError> {
    let path = path.as_ref();
    let bytes =
        coloured_glb_bytes(frames).map_err(|source| WriteError::Glb { file: path.to_owned(), source })?;
    write_bytes(path, &bytes)
}

/// The bytes of a GLB file of coloured meshes.
///
/// ```
/// use glam::Vec3;
/// use supple_io::{ColouredFrame, ColouredMesh};
///
/// let mesh = ColouredMesh {
///     name: "sail".to_owned(),
///     positions: &[Vec3::ZERO, Vec3::X, Vec3::Y],
///     triangles: &[[0, 1, 2]],
///     colours: vec![[255, 0, 0, 255]],
/// };
/// let frame = ColouredFrame { name: "frame 12".to_owned(), meshes: vec![mesh] };
/// assert!(supple_io::coloured_glb_bytes(&[frame])?.starts_with(b"glTF"));
/// # Ok::<(), supple_io::GlbError>(())
/// ```
///
/// # Errors
/// A position of a triangle is not finite, a triangle names a vertex that does not exist, a mesh has not one colour per triangle,
/// or there is no triangle at all.
pub fn coloured_glb_bytes(frames: &[ColouredFrame<'_>]) -> Result<Vec<u8>, GlbError> {
    let mut binary = Binary::default();
    let (mut roots, mut nodes, mut meshes) = (Vec::new(), Vec::new(), Vec::new());
    for frame in frames {
        let mut children = Vec::new();
        for mesh in &frame.meshes {
            if let Some(value) = mesh_value(mesh, &mut binary)? {
                children.push(nodes.len());
                nodes.push(named(&mesh.name, json!({ "mesh": meshes.len() })));
                meshes.push(value);
            }
        }
        if !children.is_empty() {
            roots.push(nodes.len());
            nodes.push(named(&frame.name, json!({ "children": children })));
        }
    }
    if meshes.is_empty() {
        return Err(GlbError::NoTriangles);
    }
    let material = json!({
        "name": "vertex colours", "doubleSided": true,
        "pbrMetallicRoughness": { "baseColorFactor": [1, 1, 1, 1], "metallicFactor": 0, "roughnessFactor": 1 },
    });
    let (skins, animations) = (Vec::new(), Vec::new());
    Contents { roots, nodes, meshes, materials: vec![material], skins, animations, binary }.into_glb()
}

fn mesh_value(mesh: &ColouredMesh, binary: &mut Binary) -> Result<Option<Value>, GlbError> {
    let ColouredMesh { name, positions, triangles, colours } = mesh;
    if triangles.len() != colours.len() {
        let (expected, found) = (triangles.len(), colours.len());
        return Err(GlbError::ColourCount { mesh: name.clone(), expected, found });
    }
    let (mut points, mut point_colours, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    let mut numbers: HashMap<(u32, [u8; 4]), u32> = HashMap::new();
    for (triangle, (corners, &colour)) in triangles.iter().zip(colours).enumerate() {
        for &vertex in corners {
            let Some(position) = positions.get(vertex as usize) else {
                let vertices = positions.len();
                return Err(GlbError::NoSuchVertex { mesh: name.clone(), triangle, vertex, vertices });
            };
            if !position.is_finite() {
                return Err(GlbError::PositionNotFinite { mesh: name.clone(), vertex });
            }
            let number = *numbers.entry((vertex, colour)).or_insert(points.len() as u32);
            if number as usize == points.len() {
                points.push(*position);
                point_colours.push(colour);
            }
            indices.push(number);
        }
    }
    if points.is_empty() {
        return Ok(None);
    }
    let attributes =
        json!({ "POSITION": binary.positions(&points), "COLOR_0": binary.colours(&point_colours) });
    let indices = binary.indices(&indices, points.len());
    let primitive = json!({ "attributes": attributes, "indices": indices, "material": 0 });
    Ok(Some(named(name, json!({ "primitives": [primitive] }))))
}

fn named(name: &str, mut value: Value) -> Value {
    if !name.is_empty() {
        value["name"] = json!(name);
    }
    value
}
