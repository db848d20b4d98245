//! Builds small glTF files in memory, right or wrong.
#![allow(dead_code, reason = "every test binary uses another part of it")]

use serde_json::{Value, json};
use supple_io::{Loaded, Problem};

use crate::from_memory::read_gltf;

/// A document and its binary chunk.
#[derive(Clone)]
pub struct File {
    pub json: Value,
    pub binary: Vec<u8>,
}

pub const F32: u32 = 5126;
pub const U32: u32 = 5125;
pub const U16: u32 = 5123;
pub const I16: u32 = 5122;
pub const U8: u32 = 5121;
pub const I8: u32 = 5120;

impl File {
    /// A document without anything.
    pub fn empty() -> Self {
        let json = json!({
            "asset": { "version": "2.0", "generator": "by hand" },
            "accessors": [], "bufferViews": [], "meshes": [], "nodes": [],
        });
        Self { json, binary: Vec::new() }
    }

    /// One node with a mesh of one triangle, without indices.
    pub fn triangle() -> Self {
        let mut file = Self::empty();
        let position = file.floats("VEC3", &[0., 0., 0., 1., 0., 0., 0., 1., 0.]);
        file.push("meshes", json!({ "primitives": [{ "attributes": { "POSITION": position } }] }));
        file.push("nodes", json!({ "mesh": 0 }));
        file
    }

    /// Node 0 has a mesh of `positions` and `indices` (16 bit) in a mode.
    pub fn indexed(mode: u32, positions: &[f32], indices: &[u16]) -> Self {
        let mut file = Self::empty();
        let position = file.floats("VEC3", positions);
        let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let indices = file.accessor(U16, "SCALAR", indices.len(), &bytes);
        let primitive = json!({ "attributes": { "POSITION": position }, "indices": indices, "mode": mode });
        file.push("meshes", json!({ "name": "Body", "primitives": [primitive] }));
        file.push("nodes", json!({ "mesh": 0 }));
        file
    }

    /// A triangle whose corners follow two joints (nodes 1 and 2), with `joints` and `weights` of four each.
    pub fn skinned(joints: [u16; 12], weights: [f32; 12]) -> Self {
        let mut file = Self::triangle();
        let bytes: Vec<u8> = joints.iter().flat_map(|j| j.to_le_bytes()).collect();
        let joints = file.accessor(U16, "VEC4", 3, &bytes);
        let weights = file.floats("VEC4", &weights);
        let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
        attributes["JOINTS_0"] = json!(joints);
        attributes["WEIGHTS_0"] = json!(weights);
        file.json["nodes"][0]["skin"] = json!(0);
        file.push("nodes", json!({ "name": "a" }));
        file.push("nodes", json!({ "name": "b", "translation": [0.0, 0.0, 5.0] }));
        file.json["skins"] = json!([{ "joints": [1, 2] }]);
        file
    }

    /// Adds an object to a list and gives its index.
    pub fn push(&mut self, list: &str, object: Value) -> usize {
        let list = self.json[list].as_array_mut().unwrap();
        list.push(object);
        list.len() - 1
    }

    /// Adds bytes as a buffer view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        let view = json!({ "buffer": 0, "byteOffset": self.binary.len(), "byteLength": bytes.len() });
        self.binary.extend(bytes);
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        self.push("bufferViews", view)
    }

    /// Adds an accessor with a buffer view of its own.
    pub fn accessor(&mut self, kind: u32, shape: &str, count: usize, bytes: &[u8]) -> usize {
        let view = self.view(bytes);
        self.push(
            "accessors",
            json!({ "bufferView": view, "componentType": kind, "type": shape, "count": count }),
        )
    }

    pub fn floats(&mut self, shape: &str, values: &[f32]) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_le_bytes()).collect();
        self.accessor(F32, shape, values.len() / width, &bytes)
    }

    /// The document with its buffer.
    pub fn text(&self) -> Value {
        let mut json = self.json.clone();
        if json.get("buffers").is_none() {
            json["buffers"] = json!([{ "byteLength": self.binary.len() }]);
        }
        json
    }

    /// The file as binary glTF.
    pub fn glb(&self) -> Vec<u8> {
        glb(self.text().to_string().as_bytes(), &self.binary)
    }

    pub fn read(&self) -> Result<Loaded, Problem> {
        read_gltf(&self.glb())
    }

    pub fn error(&self) -> String {
        self.read().expect_err("the file is broken").to_string()
    }
}

/// Chunks put together.
pub fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let mut json = json.to_vec();
    json.resize(json.len().next_multiple_of(4), b' ');
    let mut bytes = b"glTF".to_vec();
    let length = 12 + 8 + json.len() + 8 + binary.len();
    for number in [2, length as u32, json.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}
