//! Buffer views compressed by meshoptimizer, with data that its encoder makes.

mod from_memory;
mod small_files;

use glam::Vec3;
use meshoptimizer as codec;
use serde_json::json;
use small_files::{F32, File, I16, U16, U32};

/// A grid of squares: positions and indices.
fn grid(n: u32) -> (Vec<Vec3>, Vec<u32>) {
    let at = |x: u32, y: u32| y * (n + 1) + x;
    let positions = (0..=n).flat_map(|y| (0..=n).map(move |x| Vec3::new(x as f32, y as f32, (x * y) as f32)));
    let squares = (0..n).flat_map(|y| (0..n).map(move |x| (x, y)));
    let indices = squares.flat_map(|(x, y)| {
        [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y), at(x + 1, y + 1), at(x, y + 1)]
    });
    (positions.collect(), indices.collect())
}

fn vertex_stream(bytes: &[u8], stride: usize, version: i32) -> Vec<u8> {
    let count = bytes.len() / stride;
    let mut out = vec![0; codec::encode_vertex_buffer_bound(count, stride).unwrap()];
    let bound = out.len();
    let used = codec::encode_vertex_buffer_level(&mut out, bound, bytes, count, stride, 2, version).unwrap();
    out.truncate(used);
    out
}

/// Adds a view of `decoded` bytes that is stored as `compressed`.
fn compressed_view(
    file: &mut File,
    compressed: &[u8],
    count: usize,
    stride: usize,
    mode: &str,
    filter: &str,
) -> usize {
    let offset = file.binary.len();
    file.binary.extend(compressed);
    file.binary.resize(file.binary.len().next_multiple_of(4), 0);
    let extension = json!({
        "buffer": 0, "byteOffset": offset, "byteLength": compressed.len(),
        "byteStride": stride, "count": count, "mode": mode, "filter": filter,
    });
    let mut view = json!({
        "buffer": 1, "byteOffset": 0, "byteLength": count * stride,
        "extensions": { "EXT_meshopt_compression": extension },
    });
    if mode == "ATTRIBUTES" {
        view["byteStride"] = json!(stride);
    }
    file.push("bufferViews", view)
}

fn accessor(file: &mut File, view: usize, kind: u32, shape: &str, count: usize) -> usize {
    file.push(
        "accessors",
        json!({ "bufferView": view, "componentType": kind, "type": shape, "count": count }),
    )
}

fn compressed_grid(mode: &str, index_stride: usize, version: i32) -> (File, Vec<Vec3>, Vec<u32>) {
    let (positions, indices) = grid(20);
    let mut file = File::empty();
    let bytes: Vec<u8> = positions.iter().flat_map(|p| p.to_array()).flat_map(f32::to_le_bytes).collect();
    let view = compressed_view(
        &mut file,
        &vertex_stream(&bytes, 12, version),
        positions.len(),
        12,
        "ATTRIBUTES",
        "NONE",
    );
    let position = accessor(&mut file, view, F32, "VEC3", positions.len());
    let (n, vertices) = (indices.len(), positions.len());
    let stream = if mode == "TRIANGLES" {
        let mut out = vec![0; codec::encode_index_buffer_bound(n, vertices).unwrap()];
        let bound = out.len();
        let used = codec::encode_index_buffer(&mut out, bound, &indices, n).unwrap();
        out[..used].to_vec()
    } else {
        let mut out = vec![0; codec::encode_index_sequence_bound(n, vertices)];
        let bound = out.len();
        let used = codec::encode_index_sequence(&mut out, bound, &indices, n).unwrap();
        out[..used].to_vec()
    };
    let view = compressed_view(&mut file, &stream, n, index_stride, mode, "NONE");
    let index_kind = if index_stride == 2 { U16 } else { U32 };
    let index = accessor(&mut file, view, index_kind, "SCALAR", n);
    file.push(
        "meshes",
        json!({ "primitives": [{ "attributes": { "POSITION": position }, "indices": index }] }),
    );
    file.push("nodes", json!({ "mesh": 0 }));
    file.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]);
    let length = file.binary.len();
    let fallback = json!({ "EXT_meshopt_compression": { "fallback": true } });
    file.json["buffers"] =
        json!([{ "byteLength": length }, { "byteLength": 1_000_000, "extensions": fallback }]);
    (file, positions, indices)
}

#[test]
fn positions_and_indices_come_back() {
    for mode in ["TRIANGLES", "INDICES"] {
        for index_stride in [2, 4] {
            for version in [0, 1] {
                let (file, positions, indices) = compressed_grid(mode, index_stride, version);
                let model = file.read().unwrap().model;
                assert_eq!(model.mesh().positions(), positions);
                let mut found: Vec<[u32; 3]> = model.mesh().triangles().to_vec();
                let mut expected: Vec<[u32; 3]> = indices.chunks(3).map(|t| [t[0], t[1], t[2]]).collect();
                // The triangle codec may turn the corners of a triangle round.
                for triangle in found.iter_mut().chain(&mut expected) {
                    let least = (0..3).min_by_key(|&i| triangle[i]).unwrap();
                    triangle.rotate_left(least);
                }
                assert_eq!(found, expected, "{mode} {index_stride} {version}");
            }
        }
    }
}

#[test]
fn filters_are_undone() {
    let (mut file, positions, _) = compressed_grid("TRIANGLES", 2, 0);
    let count = positions.len();
    // Normals through the octahedral filter, texture coordinates through the exponential one.
    let normals: Vec<f32> = positions
        .iter()
        .flat_map(|p| {
            let n = (*p + Vec3::new(1.0, -2.0, 3.0)).normalize();
            [n.x, n.y, n.z, 0.0]
        })
        .collect();
    let mut filtered = vec![0u8; count * 8];
    codec::encode_filter_oct(&mut filtered, count, 8, 16, &normals).unwrap();
    let view =
        compressed_view(&mut file, &vertex_stream(&filtered, 8, 0), count, 8, "ATTRIBUTES", "OCTAHEDRAL");
    let normal = accessor(&mut file, view, I16, "VEC3", count);
    file.json["accessors"][normal]["normalized"] = json!(true);
    let uvs: Vec<f32> = positions.iter().flat_map(|p| [p.x / 20.0, p.y / 20.0]).collect();
    let mut filtered = vec![0u8; count * 8];
    codec::encode_filter_exp(&mut filtered, count, 8, 24, &uvs, codec::EncodeExpMode::Separate).unwrap();
    let view =
        compressed_view(&mut file, &vertex_stream(&filtered, 8, 0), count, 8, "ATTRIBUTES", "EXPONENTIAL");
    let uv = accessor(&mut file, view, F32, "VEC2", count);
    let attributes = &mut file.json["meshes"][0]["primitives"][0]["attributes"];
    attributes["NORMAL"] = json!(normal);
    attributes["TEXCOORD_0"] = json!(uv);
    file.json["buffers"][0]["byteLength"] = json!(file.binary.len());
    let model = file.read().unwrap().model;
    for (vertex, expected) in normals.chunks(4).enumerate() {
        let found = model.mesh().normals().unwrap()[vertex];
        assert!(found.distance(Vec3::from_slice(expected)) < 1e-3, "{vertex}: {found}");
    }
    for (vertex, expected) in uvs.chunks(2).enumerate() {
        let found = model.mesh().uvs().unwrap()[vertex];
        assert!(found.distance(glam::Vec2::from_slice(expected)) < 1e-5, "{vertex}: {found}");
    }
}

#[test]
fn broken_streams_are_errors() {
    let extension = |file: &mut File, key: &str, value: serde_json::Value| {
        file.json["bufferViews"][0]["extensions"]["EXT_meshopt_compression"][key] = value;
        file.error()
    };
    let (file, ..) = compressed_grid("TRIANGLES", 4, 0);
    let place = "mesh 0, primitive 0, accessor 0, buffer view 0: ";
    let error = extension(&mut file.clone(), "count", json!(4_000_000_000u64));
    assert!(
        error.starts_with(&format!("{place}EXT_meshopt_compression: 4000000000 elements of 12 bytes")),
        "{error}"
    );
    let error = extension(&mut file.clone(), "count", json!(1000));
    assert!(error.contains("do not decompress to 1000 elements of 12 bytes"), "{error}");
    let error = extension(&mut file.clone(), "byteStride", json!(7));
    assert_eq!(
        error,
        format!("{place}EXT_meshopt_compression: byteStride 7 does not suit the mode Attributes")
    );
    let error = extension(&mut file.clone(), "byteLength", json!(10_000_000));
    assert!(error.starts_with(&format!("{place}10000000 bytes from byte 0; buffer 0 has only")), "{error}");
    let error = extension(&mut file.clone(), "mode", json!("MAGIC"));
    assert!(
        error.starts_with(&format!("{place}EXT_meshopt_compression: unknown variant `MAGIC`")),
        "{error}"
    );
    let error = extension(&mut file.clone(), "filter", json!("QUATERNION"));
    assert!(error.contains("stride must be 8"), "{error}");
}
