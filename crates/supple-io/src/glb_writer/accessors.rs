//! The buffer with its views and accessors.
//!
//! Must hold: every view begins at a multiple of 4 bytes; bounds are the exact smallest and largest stored numbers.

use std::collections::BTreeMap;

use glam::Vec3;
use serde_json::{Value, json};

/// What a buffer view is bound to when it is drawn.
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

const UNSIGNED_BYTE: u32 = 5121;
const UNSIGNED_SHORT: u32 = 5123;
const UNSIGNED_INT: u32 = 5125;
const FLOAT: u32 = 5126;

/// JSON around a sparse accessor, in bytes; below that dense is shorter.
const SPARSE_OVERHEAD: usize = 256;

/// A buffer that grows, and what describes it.
#[derive(Debug, Default)]
pub(super) struct Binary {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// Accessors of key times that were written before, by their bits.
    times: BTreeMap<Vec<u32>, usize>,
}

impl Binary {
    /// The buffer, its views and its accessors.
    pub(super) fn finish(self) -> (Vec<u8>, Vec<Value>, Vec<Value>) {
        (self.bytes, self.views, self.accessors)
    }

    /// Vertex positions or displacements, with bounds.
    pub(super) fn positions(&mut self, values: &[Vec3]) -> usize {
        let view = self.view(values.iter().flat_map(|v| v.to_array()), Some(ARRAY_BUFFER));
        let mut accessor = json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": "VEC3",
        });
        set_bounds(&mut accessor, values.iter().copied());
        self.push(accessor)
    }

    /// A vertex attribute of `N` floats.
    pub(super) fn attribute<const N: usize>(&mut self, kind: &str, values: &[[f32; N]]) -> usize {
        let view = self.view(values.iter().flatten().copied(), Some(ARRAY_BUFFER));
        self.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len(), "type": kind,
        }))
    }

    /// Floats that are not drawn: matrices, key values.
    pub(super) fn floats(&mut self, kind: &str, width: usize, values: &[f32]) -> usize {
        let view = self.view(values.iter().copied(), None);
        self.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": values.len() / width, "type": kind,
        }))
    }

    /// Key times, with bounds; equal ones are stored once.
    pub(super) fn key_times(&mut self, times: &[f32]) -> usize {
        let key: Vec<u32> = times.iter().map(|t| t.to_bits()).collect();
        if let Some(&accessor) = self.times.get(&key) {
            return accessor;
        }
        let view = self.view(times.iter().copied(), None);
        let (min, max) = (times.first().copied(), times.last().copied());
        let accessor = self.push(json!({
            "bufferView": view, "componentType": FLOAT, "count": times.len(), "type": "SCALAR",
            "min": [min], "max": [max],
        }));
        self.times.insert(key, accessor);
        accessor
    }

    /// Vertex indices: 16 bits where that is enough (65535 itself means a restart).
    pub(super) fn indices(&mut self, indices: &[u32], vertices: usize) -> usize {
        let (component, bytes): (u32, Vec<u8>) = if vertices <= usize::from(u16::MAX) {
            (UNSIGNED_SHORT, indices.iter().flat_map(|&i| (i as u16).to_le_bytes()).collect())
        } else {
            (UNSIGNED_INT, indices.iter().flat_map(|i| i.to_le_bytes()).collect())
        };
        let view = self.raw_view(&bytes, Some(ELEMENT_ARRAY_BUFFER));
        self.push(json!({
            "bufferView": view, "componentType": component, "count": indices.len(), "type": "SCALAR",
        }))
    }

    /// Joints of vertices, four at a time: bytes where that is enough.
    pub(super) fn joints(&mut self, joints: &[[u16; 4]], joint_count: usize) -> usize {
        let (component, bytes): (u32, Vec<u8>) = if joint_count <= 256 {
            (UNSIGNED_BYTE, joints.iter().flatten().map(|&j| j as u8).collect())
        } else {
            (UNSIGNED_SHORT, joints.iter().flatten().flat_map(|j| j.to_le_bytes()).collect())
        };
        let view = self.raw_view(&bytes, Some(ARRAY_BUFFER));
        self.push(json!({
            "bufferView": view, "componentType": component, "count": joints.len(), "type": "VEC4",
        }))
    }

    /// Colours of vertices: 0 to 255 stands for 0 to 1.
    pub(super) fn colours(&mut self, colours: &[[u8; 4]]) -> usize {
        let view = self.raw_view(colours.as_flattened(), Some(ARRAY_BUFFER));
        self.push(json!({
            "bufferView": view, "componentType": UNSIGNED_BYTE, "normalized": true, "count": colours.len(), "type": "VEC4",
        }))
    }

    /// Displacements of some of `count` vertices, zero elsewhere; stored in the shorter way.
    pub(super) fn displacements(&mut self, count: usize, entries: &[(u32, Vec3)]) -> usize {
        let index_bytes = if count <= usize::from(u16::MAX) + 1 { 2 } else { 4 };
        if entries.len() * (12 + index_bytes) + SPARSE_OVERHEAD >= count * 12 {
            let mut dense = vec![Vec3::ZERO; count];
            for &(vertex, value) in entries {
                dense[vertex as usize] = value;
            }
            return self.positions(&dense);
        }
        // A sparse accessor needs an entry; that of a target which moves nothing says so of the first vertex.
        let nothing = [(0, Vec3::ZERO)];
        let entries = if entries.is_empty() { &nothing } else { entries };
        let (component, indices): (u32, Vec<u8>) = if index_bytes == 2 {
            (UNSIGNED_SHORT, entries.iter().flat_map(|&(v, _)| (v as u16).to_le_bytes()).collect())
        } else {
            (UNSIGNED_INT, entries.iter().flat_map(|(v, _)| v.to_le_bytes()).collect())
        };
        let index_view = self.raw_view(&indices, None);
        let value_view = self.view(entries.iter().flat_map(|(_, value)| value.to_array()), None);
        let mut accessor = json!({
            "componentType": FLOAT, "count": count, "type": "VEC3",
            "sparse": {
                "count": entries.len(),
                "indices": { "bufferView": index_view, "componentType": component },
                "values": { "bufferView": value_view },
            },
        });
        let zero = (entries.len() < count).then_some(Vec3::ZERO);
        set_bounds(&mut accessor, entries.iter().map(|&(_, value)| value).chain(zero));
        self.push(accessor)
    }

    fn push(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn view(&mut self, numbers: impl Iterator<Item = f32>, target: Option<u32>) -> usize {
        let bytes: Vec<u8> = numbers.flat_map(f32::to_le_bytes).collect();
        self.raw_view(&bytes, target)
    }

    fn raw_view(&mut self, data: &[u8], target: Option<u32>) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": data.len() });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.bytes.extend(data);
        self.views.push(view);
        self.views.len() - 1
    }
}

fn set_bounds(accessor: &mut Value, values: impl Iterator<Item = Vec3>) {
    let bounds = values.fold(None, |bounds: Option<(Vec3, Vec3)>, v| {
        let (min, max) = bounds.unwrap_or((v, v));
        Some((min.min(v), max.max(v)))
    });
    if let Some((min, max)) = bounds {
        accessor["min"] = json!(min.to_array());
        accessor["max"] = json!(max.to_array());
    }
}
