//! Primitives compressed by Draco, in files made by hand.
#![allow(dead_code, reason = "every test binary uses another part of it")]

use draco_core::{
    DataType, EncoderBuffer, EncoderOptions, GeometryAttributeType, Mesh, MeshEncoder, PointAttribute,
};
use serde_json::json;

use crate::small_files::{F32, File, U8};

/// A way to compress connectivity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    Sequential,
    Edgebreaker,
    Valence,
}

/// What is compressed: a square grid, its vertices with texture coordinates and two joints each.
pub struct Grid {
    pub positions: Vec<[f32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub joints: Vec<[u8; 4]>,
    pub weights: Vec<[f32; 4]>,
    pub triangles: Vec<[u32; 3]>,
}

pub fn grid(n: u32) -> Grid {
    let corners = || (0..=n).flat_map(|y| (0..=n).map(move |x| (x, y)));
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let squares = (0..n).flat_map(|y| (0..n).map(move |x| (x, y)));
    let part = |x: u32| x as f32 / n as f32;
    Grid {
        positions: corners().map(|(x, y)| [x as f32, y as f32, (x * y) as f32 * 0.25]).collect(),
        uvs: corners().map(|(x, y)| [part(x), part(y)]).collect(),
        joints: corners().map(|_| [0, 1, 0, 0]).collect(),
        weights: corners().map(|(x, _)| [1.0 - part(x), part(x), 0.0, 0.0]).collect(),
        triangles: squares
            .flat_map(|(x, y)| {
                [[at(x, y), at(x + 1, y), at(x, y + 1)], [at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)]]
            })
            .collect(),
    }
}

/// The compressed bytes; positions have so many bits.
pub fn compress(grid: &Grid, method: Method, bits: i32) -> Vec<u8> {
    let mut mesh = Mesh::new();
    let bytes = |values: &[f32]| values.iter().flat_map(|v| v.to_le_bytes()).collect::<Vec<u8>>();
    let count = grid.positions.len();
    let mut add = |kind, width: usize, data_type, bytes: Vec<u8>| {
        let mut attribute = PointAttribute::new();
        attribute.init(kind, width as u8, data_type, false, count);
        attribute.buffer_mut().write(0, &bytes);
        mesh.add_attribute(attribute)
    };
    use GeometryAttributeType::{Generic, Position, TexCoord};
    add(Position, 3, DataType::Float32, bytes(grid.positions.as_flattened()));
    add(TexCoord, 2, DataType::Float32, bytes(grid.uvs.as_flattened()));
    add(Generic, 4, DataType::Uint8, grid.joints.as_flattened().to_vec());
    add(Generic, 4, DataType::Float32, bytes(grid.weights.as_flattened()));
    mesh.set_num_points(count);
    mesh.set_num_faces(grid.triangles.len());
    mesh.set_faces_from_flat_indices(grid.triangles.as_flattened());
    let mut options = EncoderOptions::new();
    options.set_encoding_method(i32::from(method != Method::Sequential));
    let speed = if method == Method::Valence { 0 } else { 5 };
    options.set_global_int("encoding_speed", speed);
    options.set_global_int("decoding_speed", speed);
    for (attribute, bits) in [(0, bits), (1, 12), (3, 12)] {
        options.set_attribute_int(attribute, "quantization_bits", bits);
    }
    let mut encoder = MeshEncoder::new();
    encoder.set_mesh(mesh);
    let mut out = EncoderBuffer::new();
    encoder.encode(&options, &mut out).unwrap();
    out.data().to_vec()
}

/// A skinned file of one compressed primitive; nodes 1 and 2 are its joints.
pub fn file(grid: &Grid, compressed: &[u8]) -> File {
    let mut file = File::empty();
    let count = grid.positions.len();
    let mut shell = |kind: u32, shape: &str, count: usize| {
        file.push("accessors", json!({ "componentType": kind, "type": shape, "count": count }))
    };
    let attributes = json!({
        "POSITION": shell(F32, "VEC3", count), "TEXCOORD_0": shell(F32, "VEC2", count),
        "JOINTS_0": shell(U8, "VEC4", count), "WEIGHTS_0": shell(F32, "VEC4", count),
    });
    let indices = shell(5125, "SCALAR", grid.triangles.len() * 3);
    let view = file.view(compressed);
    let ids = json!({ "POSITION": 0, "TEXCOORD_0": 1, "JOINTS_0": 2, "WEIGHTS_0": 3 });
    let extension = json!({ "KHR_draco_mesh_compression": { "bufferView": view, "attributes": ids } });
    let primitive = json!({ "attributes": attributes, "indices": indices, "extensions": extension });
    file.push("meshes", json!({ "primitives": [primitive] }));
    file.push("nodes", json!({ "mesh": 0, "skin": 0 }));
    file.push("nodes", json!({ "name": "a" }));
    file.push("nodes", json!({ "name": "b", "translation": [0.0, 0.0, 5.0] }));
    file.json["skins"] = json!([{ "joints": [1, 2] }]);
    file.json["extensionsUsed"] = json!(["KHR_draco_mesh_compression"]);
    file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]);
    file
}
