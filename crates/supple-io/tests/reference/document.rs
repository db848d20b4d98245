//! JSON, buffers and accessors of a glTF.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use base64::prelude::{BASE64_STANDARD, Engine};
use serde_json::Value;

/// A file, opened.
pub struct Document {
    pub root: Value,
    buffers: Vec<Vec<u8>>,
    /// Accessors that were decoded before.
    known: RefCell<BTreeMap<usize, Rc<Vec<Vec<f64>>>>>,
}

impl Document {
    pub fn open(path: &Path) -> Self {
        Self::from_bytes(&fs::read(path).unwrap())
    }

    pub fn from_bytes(bytes: &[u8]) -> Self {
        let u32_at = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
        let binary = bytes.starts_with(b"glTF");
        let json_end = if binary { 20 + u32_at(12) } else { bytes.len() };
        let root: Value = serde_json::from_slice(&bytes[if binary { 20 } else { 0 }..json_end]).unwrap();
        let load = |buffer: &Value| match buffer["uri"].as_str() {
            Some(uri) => BASE64_STANDARD.decode(uri.split_once(";base64,").unwrap().1).unwrap(),
            None => bytes[json_end + 8..json_end + 8 + u32_at(json_end)].to_vec(),
        };
        let buffers = root["buffers"].as_array().into_iter().flatten().map(load).collect();
        Self { root, buffers, known: RefCell::default() }
    }

    pub fn list(&self, key: &str) -> &[Value] {
        self.root[key].as_array().map_or(&[], Vec::as_slice)
    }

    /// Nodes that have a mesh, with the mesh.
    pub fn mesh_nodes(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.list("nodes")
            .iter()
            .enumerate()
            .filter_map(|(index, node)| Some((index, &self.root["meshes"][node["mesh"].as_u64()? as usize])))
    }

    pub fn accessor_count(&self, index: &Value) -> usize {
        self.root["accessors"][index.as_u64().unwrap() as usize]["count"].as_u64().unwrap() as usize
    }

    /// Elements of an accessor.
    pub fn accessor(&self, index: &Value) -> Rc<Vec<Vec<f64>>> {
        let index = index.as_u64().unwrap() as usize;
        let decode = || Rc::new(self.decode(&self.root["accessors"][index]));
        self.known.borrow_mut().entry(index).or_insert_with(decode).clone()
    }

    fn decode(&self, accessor: &Value) -> Vec<Vec<f64>> {
        let count = accessor["count"].as_u64().unwrap() as usize;
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("unknown type {other}"),
        };
        let kind = accessor["componentType"].as_u64().unwrap();
        let normalized = accessor["normalized"].as_bool().unwrap_or(false);
        let mut elements = match accessor.get("bufferView") {
            Some(_) => self.elements(accessor, count, width, kind, normalized),
            None => vec![vec![0.0; width]; count],
        };
        if let Some(sparse) = accessor.get("sparse") {
            let changes = sparse["count"].as_u64().unwrap() as usize;
            let index_kind = sparse["indices"]["componentType"].as_u64().unwrap();
            let indices = self.elements(&sparse["indices"], changes, 1, index_kind, false);
            let values = self.elements(&sparse["values"], changes, width, kind, normalized);
            for (index, value) in indices.iter().zip(values) {
                elements[index[0] as usize] = value;
            }
        }
        elements
    }

    fn elements(&self, at: &Value, count: usize, width: usize, kind: u64, normalized: bool) -> Vec<Vec<f64>> {
        let view = &self.root["bufferViews"][at["bufferView"].as_u64().unwrap() as usize];
        let offset = |v: &Value| v["byteOffset"].as_u64().unwrap_or(0) as usize;
        let start = offset(view) + offset(at);
        let bytes = &self.buffers[view["buffer"].as_u64().unwrap() as usize][start..];
        let size = match kind {
            5120 | 5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let stride = view["byteStride"].as_u64().map_or(size * width, |s| s as usize);
        let component =
            |i: usize, c: usize| number(&bytes[i * stride + c * size..][..size], kind, normalized);
        (0..count).map(|i| (0..width).map(|c| component(i, c)).collect()).collect()
    }
}

fn number(b: &[u8], kind: u64, normalized: bool) -> f64 {
    let (value, most) = match kind {
        5120 => (f64::from(b[0] as i8), 127.0),
        5121 => (f64::from(b[0]), 255.0),
        5122 => (f64::from(i16::from_le_bytes([b[0], b[1]])), 32767.0),
        5123 => (f64::from(u16::from_le_bytes([b[0], b[1]])), 65535.0),
        5125 => (f64::from(u32::from_le_bytes(b.try_into().unwrap())), 4294967295.0),
        5126 => (f64::from(f32::from_le_bytes(b.try_into().unwrap())), 1.0),
        other => panic!("unknown component type {other}"),
    };
    if normalized && kind != 5126 { (value / most).max(-1.0) } else { value }
}
