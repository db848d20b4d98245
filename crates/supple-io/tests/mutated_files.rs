//! Thousands of damaged files: the reader may refuse them or not, but never panics, hangs or allocates wildly.
//!
//! Mutations follow from a fixed seed; `SUPPLE_MUTANTS` asks for more of them per file. Small real files join in where `SUPPLE_ASSETS` names their folder.

mod assets;
mod draco_primitive;
mod from_memory;
mod limits;
mod random;
mod small_files;

use std::panic::{AssertUnwindSafe, catch_unwind};

use draco_primitive::{Method, compress, grid};
use from_memory::read_gltf;
use limits::{mutants_per_file, pose, within_limits};
use random::Random;
use serde_json::{Value, json};
use small_files::{File, U8};

const SEED: u64 = 0x5eed_0002;
const MUTANTS_PER_FILE: usize = 2000;
/// All files here have less than 20 kB. The budget of such a file (2^22 numbers) costs some 16 bytes a number: 63 MB
/// measured.
const MOST_MEGABYTES: f32 = 128.0;

#[test]
fn damaged_files_are_refused_or_read_but_never_worse() {
    let mut random = Random(SEED);
    let mutants = mutants_per_file(MUTANTS_PER_FILE);
    println!("seed {SEED:#x}, {mutants} mutants per file");
    let (mut read, mut refused) = (0, 0);
    for (name, good) in originals() {
        assert!(good.len() < 20_000, "{name} is too large for this test");
        assert!(read_gltf(&good).is_ok(), "{name}");
        for mutant in 0..mutants {
            let bytes = mutate(&good, &mut random);
            match try_read(&bytes, &format!("{name}, mutant {mutant}")) {
                true => read += 1,
                false => refused += 1,
            }
        }
    }
    println!("{read} read, {refused} refused");
    for (number, bomb) in bombs().iter().enumerate() {
        try_read(&bomb.glb(), &format!("bomb {number}"));
    }
    // Mutations that all do nothing, or all break the first bytes, would test nothing.
    assert!(read > 200 && refused > 1000, "{read} read, {refused} refused");
}

/// Whether the bytes could be read.
fn try_read(bytes: &[u8], name: &str) -> bool {
    let read = || {
        let loaded = read_gltf(bytes);
        loaded.iter().for_each(|loaded| pose(&loaded.model));
        loaded.map_err(|problem| assert!(!problem.to_string().is_empty())).is_ok()
    };
    let result = within_limits(name, MOST_MEGABYTES, || catch_unwind(AssertUnwindSafe(read)));
    result.unwrap_or_else(|_| panic!("{name} panicked; hex: {}", hex(bytes)))
}

fn originals() -> Vec<(String, Vec<u8>)> {
    let mut files = vec![
        ("triangle".to_owned(), File::triangle().glb()),
        ("strip".to_owned(), File::indexed(5, &[0.5; 15], &[0, 1, 2, 3, 4]).glb()),
        ("character".to_owned(), character().glb()),
        ("compressed".to_owned(), compressed().glb()),
        ("instances".to_owned(), instances().glb()),
    ];
    for method in [Method::Sequential, Method::Edgebreaker, Method::Valence] {
        let grid = grid(6);
        files.push((format!("{method:?}"), draco_primitive::file(&grid, &compress(&grid, method, 10)).glb()));
    }
    if let Some(folder) = assets::assets() {
        for name in [
            "gltf-rs/box_sparse.glb",
            "khronos/RiggedSimple.glb",
            "khronos/RiggedSimple-Draco.glb",
            "khronos/AnimatedMorphCube-Quantized.glb",
        ] {
            let path = folder.join(name);
            files.push((name.to_owned(), std::fs::read(&path).expect("listed in the assets")));
        }
    }
    files
}

/// Skin, sparse morph target, animation, two nodes with one mesh.
fn character() -> File {
    let mut file = File::skinned(
        [0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0],
        [0.5, 0.5, 0., 0., 1., 0., 0., 0., 1., 0., 0., 0.],
    );
    let indices = file.view(&[1]);
    let values = file.view(&[1.0f32, 2.0, 3.0].map(f32::to_le_bytes).concat());
    let sparse = json!({
        "count": 1,
        "indices": { "bufferView": indices, "componentType": U8 },
        "values": { "bufferView": values },
    });
    let target = file
        .push("accessors", json!({ "componentType": 5126, "type": "VEC3", "count": 3, "sparse": sparse }));
    file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }]);
    let times = file.floats("SCALAR", &[0.0, 1.0]);
    let weights = file.floats("SCALAR", &[0.0, 1.0]);
    let turns = file.floats("VEC4", &[0., 0., 0., 1., 0., 0., 1., 0.]);
    file.json["animations"] = json!([{
        "channels": [
            { "sampler": 0, "target": { "node": 0, "path": "weights" } },
            { "sampler": 1, "target": { "node": 2, "path": "rotation" } },
        ],
        "samplers": [{ "input": times, "output": weights }, { "input": times, "output": turns }],
    }]);
    file.push("nodes", json!({ "mesh": 0, "children": [1] }));
    file
}

/// A triangle at two places.
fn instances() -> File {
    let mut file = File::triangle();
    let places = file.floats("VEC3", &[0., 0., 0., 4., 0., 1.]);
    let attributes = json!({ "TRANSLATION": places });
    file.json["nodes"][0]["extensions"] = json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } });
    file
}

/// A compressed strip of vertices.
fn compressed() -> File {
    let mut file = File::triangle();
    let positions: Vec<u8> = (0..48).flat_map(|i| (i as f32 * 0.25).to_le_bytes()).collect();
    let mut out = vec![0; meshoptimizer::encode_vertex_buffer_bound(16, 12).unwrap()];
    let bound = out.len();
    let used = meshoptimizer::encode_vertex_buffer(&mut out, bound, &positions, 16, 12).unwrap();
    let view = file.view(&out[..used]);
    let stored = file.json["bufferViews"][view].clone();
    let mut extension = stored.clone();
    extension["byteStride"] = json!(12);
    extension["count"] = json!(16);
    extension["mode"] = json!("ATTRIBUTES");
    file.json["bufferViews"][view]["extensions"] = json!({ "EXT_meshopt_compression": extension });
    file.json["accessors"][0]["bufferView"] = json!(view);
    file.json["accessors"][0]["count"] = json!(15);
    file
}

/// Small files that ask for as much as they can get.
fn bombs() -> Vec<File> {
    let mut zeros = File::triangle();
    // Seven numbers a vertex: just below and just above what a small file may have.
    zeros.json["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 599_000 / 3 * 3 });
    let mut more_zeros = zeros.clone();
    more_zeros.json["accessors"][0]["count"] = json!(600_000);
    let mut instances = File::indexed(5, &[0.5; 300], &[0; 1000]);
    for _ in 0..1000 {
        instances.push("nodes", json!({ "mesh": 0 }));
    }
    let mut targets = character();
    targets.json["meshes"][0]["primitives"][0]["targets"] = json!(vec![json!({ "POSITION": 3 }); 3000]);
    let mut ratio = compressed();
    let view = ratio.json["bufferViews"].as_array().unwrap().len() - 1;
    ratio.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"]["count"] = json!(10_000);
    vec![zeros, more_zeros, instances, targets, ratio]
}

fn mutate(good: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = good.to_vec();
    match random.below(6) {
        // Bits flip anywhere.
        0 => (0..=random.below(8)).for_each(|_| {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }),
        // The end is missing, with and without a header that knows it.
        1 => {
            bytes.truncate(random.below(bytes.len()));
            if random.below(2) == 0 && bytes.len() >= 12 {
                let length = bytes.len() as u32;
                bytes[8..12].copy_from_slice(&length.to_le_bytes());
            }
        }
        // A piece is repeated, moved or removed.
        2 => {
            let (from, to) = (random.below(bytes.len()), random.below(bytes.len()));
            let piece = bytes[from.min(to)..from.max(to)].to_vec();
            let at = random.below(bytes.len());
            match random.below(2) {
                0 => drop(bytes.splice(at..at, piece)),
                _ => drop(bytes.drain(from.min(to)..from.max(to))),
            }
        }
        // Bytes of the binary chunk change.
        3 => (0..=random.below(4)).for_each(|_| {
            let start = binary_start(&bytes);
            let at = start + random.below((bytes.len() - start).max(1));
            if let Some(byte) = bytes.get_mut(at) {
                *byte = [0, 1, 0x7f, 0x80, 0xff][random.below(5)];
            }
        }),
        // Numbers of the document change, which is where the interesting faults are.
        _ => return with_other_numbers(good, random),
    }
    bytes
}

fn binary_start(bytes: &[u8]) -> usize {
    (20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize + 8).min(bytes.len())
}

fn with_other_numbers(good: &[u8], random: &mut Random) -> Vec<u8> {
    let start = binary_start(good);
    let mut json: Value = serde_json::from_slice(&good[20..start - 8]).unwrap();
    for _ in 0..=random.below(3) {
        let mut numbers = Vec::new();
        collect_leaves(&mut json, &mut numbers);
        let at = random.below(numbers.len());
        *numbers.swap_remove(at) = match random.below(12) {
            0 => json!(0),
            1 => json!(1),
            2 => json!(2),
            3 => json!(random.below(40)),
            4 => json!(-1),
            5 => json!(255),
            6 => json!(65_536),
            7 => json!(4_000_000_000u32),
            8 => json!(u64::MAX),
            9 => json!(1e300),
            10 => json!([5120, 5121, 5122, 5123, 5125, 5126][random.below(6)]),
            _ => Value::Null,
        };
    }
    small_files::glb(json.to_string().as_bytes(), &good[start..])
}

/// All numbers and short texts of a document.
fn collect_leaves<'v>(value: &'v mut Value, leaves: &mut Vec<&'v mut Value>) {
    match value {
        Value::Number(_) => leaves.push(value),
        Value::Array(list) => list.iter_mut().for_each(|v| collect_leaves(v, leaves)),
        Value::Object(map) => map.values_mut().for_each(|v| collect_leaves(v, leaves)),
        _ => {}
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
