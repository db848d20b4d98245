//! Meshes compressed by Draco (`KHR_draco_mesh_compression`).
//!
//! In: the extension of a primitive, the bytes of its buffer view. Out: triangles, and one array of numbers per attribute.
//! Must hold: counts in the bytes are believed only as far as the file's budget goes; every corner is a vertex, and every
//! attribute has one element per vertex.
//!
//! Based on: Khronos Group, KHR_draco_mesh_compression, glTF 2.0 extension, 2018.

use std::collections::BTreeMap;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};
use gltf::json;
use json::accessor::{ComponentType, Type};
use json::validation::Checked;
use serde::Deserialize;
use serde_json::Value;

use super::accessor::{Element, Strided};
use super::budget::Budget;
use crate::Problem;

pub(super) const NAME: &str = "KHR_draco_mesh_compression";

/// A triangle is stored twice on its way into the model, as indices and as corners.
const NUMBERS_PER_TRIANGLE: usize = 6;

/// Which buffer view holds a primitive, and which of its attributes are meant.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Compression {
    pub buffer_view: usize,
    /// By name (`POSITION`) the unique id inside of the compressed mesh.
    pub attributes: BTreeMap<String, u32>,
}

impl Compression {
    /// What the extension says about a primitive, if it has it.
    pub fn of(primitive: &json::mesh::Primitive, place: &str) -> Result<Option<Self>, Problem> {
        let found = primitive.extensions.as_ref().and_then(|extensions| extensions.others.get(NAME));
        let Some(value) = found else { return Ok(None) };
        let parsed = Self::deserialize(value as &Value);
        parsed.map(Some).map_err(|e| Problem::invalid(place, format!("{NAME}: {e}")))
    }
}

/// A mesh that was decoded.
#[derive(Debug)]
pub(super) struct DracoMesh {
    pub vertices: usize,
    pub triangles: Vec<[u32; 3]>,
    attributes: BTreeMap<u32, DracoAttribute>,
}

/// One attribute of all vertices, element after element.
#[derive(Debug)]
struct DracoAttribute {
    kind: ComponentType,
    shape: Type,
    normalized: bool,
    bytes: Vec<u8>,
}

impl DracoMesh {
    /// Decodes; `place` is that of the buffer view.
    pub fn decode(bytes: &[u8], budget: &Budget, place: &str) -> Result<Self, Problem> {
        let left = budget.left();
        let limits = DecodeLimits::default()
            .with_max_points(left)
            .with_max_faces(left / NUMBERS_PER_TRIANGLE as u64)
            .with_max_decoded_bytes(left.saturating_mul(4));
        let mut mesh = Mesh::new();
        MeshDecoder::new()
            .decode(&mut DecoderBuffer::new(bytes).with_limits(limits), &mut mesh)
            .map_err(|e| Problem::invalid(place, format!("cannot be decoded as Draco: {}", e.message())))?;
        budget.spend(|| place.to_owned(), mesh.num_faces(), NUMBERS_PER_TRIANGLE)?;
        let vertices = mesh.num_points();
        let triangles: Vec<[u32; 3]> =
            mesh.faces().iter().map(|face| face.map(|PointIndex(vertex)| vertex)).collect();
        if let Some(vertex) = triangles.iter().flatten().find(|&&v| v as usize >= vertices) {
            let message = format!("a triangle has vertex {vertex}; there are only {vertices}");
            return Err(Problem::invalid(place, message));
        }
        let mut attributes = BTreeMap::new();
        for id in 0..mesh.num_attributes() {
            let stored = mesh.attribute(id);
            budget.spend(|| place.to_owned(), vertices, usize::from(stored.num_components()))?;
            // What glTF has no numbers for can only be an attribute that nobody asks for.
            let Some(attribute) = DracoAttribute::read(stored, vertices, place)? else { continue };
            attributes.insert(stored.unique_id(), attribute);
        }
        Ok(Self { vertices, triangles, attributes })
    }

    /// An attribute as an array of numbers. `declared` is what the accessor of the attribute says, where there is one.
    pub fn attribute(
        &self,
        id: u32,
        declared: Option<&json::Accessor>,
    ) -> Result<(Type, Strided<'_>), String> {
        let Some(found) = self.attributes.get(&id) else {
            return Err(format!("the Draco mesh has no attribute {id} that glTF could have"));
        };
        let normalized = declared.map_or(found.normalized, |accessor| accessor.normalized);
        let declared_kind = declared.and_then(|accessor| match accessor.component_type {
            Checked::Valid(kind) => Some(kind.0),
            Checked::Invalid => None,
        });
        // What an integer is divided by follows from its kind, so both must speak of the same one.
        if normalized && found.kind != ComponentType::F32 && declared_kind.is_some_and(|k| k != found.kind) {
            return Err(format!("is declared as other numbers than the {:?} of the Draco mesh", found.kind));
        }
        let width = found.shape.multiplicity();
        let element = Element { kind: found.kind, width, normalized };
        Ok((found.shape, Strided { bytes: &found.bytes, stride: element.size(), element }))
    }
}

impl DracoAttribute {
    /// Copies one element per vertex; `None` if glTF has no such numbers.
    fn read(stored: &PointAttribute, vertices: usize, place: &str) -> Result<Option<Self>, Problem> {
        let kind = match stored.data_type() {
            DataType::Int8 => ComponentType::I8,
            DataType::Uint8 => ComponentType::U8,
            DataType::Int16 => ComponentType::I16,
            DataType::Uint16 => ComponentType::U16,
            DataType::Uint32 => ComponentType::U32,
            DataType::Float32 => ComponentType::F32,
            _ => return Ok(None),
        };
        let shape = match stored.num_components() {
            1 => Type::Scalar,
            2 => Type::Vec2,
            3 => Type::Vec3,
            4 => Type::Vec4,
            _ => return Ok(None),
        };
        let size = kind.size() * shape.multiplicity();
        let stride = usize::try_from(stored.byte_stride()).unwrap_or(size);
        let values = stored.buffer().data();
        let mut bytes = Vec::with_capacity(vertices * size);
        for vertex in 0..vertices as u32 {
            let index = stored.mapped_index(PointIndex(vertex)).0 as usize;
            let value = index.checked_mul(stride).and_then(|start| values.get(start..)?.get(..size));
            let Some(value) = value else {
                let id = stored.unique_id();
                return Err(Problem::invalid(place, format!("Draco attribute {id} lacks vertex {vertex}")));
            };
            bytes.extend(value);
        }
        Ok(Some(Self { kind, shape, normalized: stored.normalized(), bytes }))
    }
}
