//! What was written reads back: OBJ and vertex caches bit by bit, GLB as an equal model up to what glTF cannot say.
//! Broken input of every format is an error with a place.

mod assets;
mod from_memory;
mod hand_made;

use std::path::{Path, PathBuf};

use assets::assets;
use from_memory::{read_gltf, read_obj};
use glam::{Vec2, Vec3};
use supple::{Clip, JointId, Model, Skinning};
use supple_io::{
    LoadError, Problem, VertexCache, find_obj_sequence, glb_bytes, load, mdd_bytes, pc2_bytes,
    read_mdd_bytes, read_obj_sequence, read_obj_sequence_bytes, read_pc2_bytes, write_glb, write_mdd,
    write_obj, write_obj_sequence, write_pc2, write_static_glb,
};

/// Numbers whose digits are hard to get right.
const AWKWARD: [f32; 12] = [
    0.1,
    -0.0,
    1.0 / 3.0,
    f32::MIN_POSITIVE,
    1e-45,
    f32::MAX,
    -f32::MAX,
    16777217.0,
    1.000_000_1,
    -123_456.79,
    5.877_472e-39,
    0.3,
];

fn awkward_points() -> Vec<Vec3> {
    (0..AWKWARD.len())
        .map(|i| Vec3::from_array([0, 5, 7].map(|k| AWKWARD[(i + k) % AWKWARD.len()])))
        .collect()
}

fn bits(points: &[Vec3]) -> Vec<[u32; 3]> {
    points.iter().map(|p| p.to_array().map(f32::to_bits)).collect()
}

/// A folder that goes away with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("supple-io-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn place(problem: Problem) -> String {
    match problem {
        Problem::Invalid { place, .. } => place,
        other => panic!("an error without a place: {other:?}"),
    }
}

#[test]
fn obj_survives_bit_by_bit() {
    let folder = Folder::new("obj");
    let positions = awkward_points();
    // Vertex 3 is in no triangle, and triangles use vertices from the end first.
    let triangles = [[11, 10, 9], [8, 7, 6], [5, 4, 2], [2, 1, 0], [0, 0, 11]];
    let normals: Vec<Vec3> = positions.iter().rev().copied().collect();
    let uvs: Vec<Vec2> = positions.iter().map(|p| p.truncate()).collect();
    for (index, (n, t)) in
        [(None, None), (Some(&normals), None), (None, Some(&uvs)), (Some(&normals), Some(&uvs))]
            .into_iter()
            .enumerate()
    {
        let file = folder.file(&format!("awkward_{index}.obj"));
        write_obj(&file, &positions, &triangles, n.map(|n| &n[..]), t.map(|t| &t[..])).unwrap();
        let model = load(&file).unwrap();
        let mesh = model.mesh();
        assert_eq!(bits(mesh.positions()), bits(&positions));
        assert_eq!(mesh.triangles(), triangles);
        assert_eq!(mesh.normals().map(bits), n.map(|n| bits(n)));
        assert_eq!(mesh.uvs(), t.map(|t| &t[..]));
    }
}

#[test]
fn objects_become_parts_and_materials_primitives() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no second\nv 9 9 9\nv 0 0 1\nv 1 0 1\nv 0 1 1\nusemtl red\nf 5 6 7\n\
                usemtl blue\nf 7 6 5\ng empty\ng third\nv 0 0 2\nf 8 -2 -3\n";
    let model = read_obj(text.as_bytes()).unwrap();
    let parts = model.parts();
    assert_eq!(parts.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["", "second", "third"]);
    let materials: Vec<&str> = parts[1].primitives.iter().map(|p| p.material.as_str()).collect();
    assert_eq!(materials, ["red", "blue"]);
    assert_eq!(parts[1].triangles, 1..3);
    assert_eq!(supple_io::only_part(&model, "second").unwrap().mesh().triangles().len(), 2);
    // The third object uses vertices of the second: the ranges overlap, and nothing is stretched.
    assert_eq!(parts[2].vertices, 5..8);
    glb_bytes(&model).unwrap();
}

#[test]
fn a_second_obj_reader_agrees() {
    let positions: Vec<Vec3> = awkward_points();
    let triangles = [[0, 1, 2], [2, 3, 4], [5, 6, 7], [8, 9, 10], [10, 11, 0]];
    let text = supple_io::obj_bytes(&positions, &triangles, None, None).unwrap();
    let options = tobj::LoadOptions { single_index: false, ..Default::default() };
    let (models, _) =
        tobj::load_obj_buf(&mut text.as_slice(), &options, |_| Err(tobj::LoadError::GenericFailure)).unwrap();
    let mesh = &models[0].mesh;
    let (read, _) = mesh.positions.as_chunks::<3>();
    let corners: Vec<[u32; 3]> = mesh.indices.iter().map(|&i| read[i as usize].map(f32::to_bits)).collect();
    let expected: Vec<[u32; 3]> = triangles
        .iter()
        .flatten()
        .map(|&v: &u32| positions[v as usize].to_array().map(f32::to_bits))
        .collect();
    assert_eq!(corners, expected);
}

fn awkward_cache() -> VertexCache {
    let points = awkward_points();
    let frames = (0..5).map(|shift| points.iter().cycle().skip(shift).take(points.len()).copied().collect());
    VertexCache::evenly(frames.collect(), 0.5, 25.0)
}

fn same_frames(a: &VertexCache, b: &VertexCache) -> bool {
    let frames = |cache: &VertexCache| cache.frames.iter().map(|frame| bits(frame)).collect::<Vec<_>>();
    frames(a) == frames(b)
}

#[test]
fn vertex_caches_survive_bit_by_bit() {
    let folder = Folder::new("cache");
    let cache = awkward_cache();
    let (pc2, mdd) = (folder.file("a.pc2"), folder.file("a.mdd"));
    write_pc2(&pc2, &cache, 25.0).unwrap();
    let back = supple_io::read_pc2(&pc2, 25.0).unwrap();
    assert!(same_frames(&cache, &back));
    for (a, b) in cache.times.iter().zip(&back.times) {
        assert!((a - b).abs() < 1e-6, "{a} {b}");
    }
    write_mdd(&mdd, &cache).unwrap();
    let back = supple_io::read_mdd(&mdd).unwrap();
    assert!(same_frames(&cache, &back));
    assert_eq!(cache.times, back.times);
    let uneven = VertexCache { times: vec![0.0, 1.0, 3.0, 4.0, 5.0], ..cache };
    let error = pc2_bytes(&uneven, 25.0).unwrap_err();
    assert_eq!(error.to_string(), "PC2 needs evenly spaced frames, but frame 1 is at 1 s");
    assert!(mdd_bytes(&uneven).is_ok());
}

#[test]
fn headers_are_where_other_programs_look_for_them() {
    let cache = VertexCache { times: vec![2.0], frames: vec![vec![Vec3::X, Vec3::Y]] };
    let pc2 = pc2_bytes(&cache, 24.0).unwrap();
    let header = b"POINTCACHE2\0\x01\0\0\0\x02\0\0\0\0\0\x40\x42\0\0\x80\x3f\x01\0\0\0\0\0\x80\x3f";
    assert_eq!(&pc2[..36], header);
    let mdd = mdd_bytes(&cache).unwrap();
    assert_eq!(&mdd[..16], b"\0\0\0\x01\0\0\0\x02\x40\0\0\0\x3f\x80\0\0");
}

#[test]
fn obj_sequences_survive_and_must_have_one_topology() {
    let folder = Folder::new("sequence");
    let frames: Vec<Vec<Vec3>> = (0..12).map(|f| vec![Vec3::ZERO, Vec3::X, Vec3::Y * f as f32]).collect();
    let written = write_obj_sequence(folder.file("cloth_#.obj"), &frames, &[[0, 1, 2]]).unwrap();
    assert!(written[10].ends_with("cloth_10.obj"));
    for spec in [folder.0.clone(), folder.file("cloth_####.obj"), folder.file("cloth_")] {
        assert_eq!(find_obj_sequence(&spec).unwrap(), written, "{spec:?}");
    }
    let sequence = read_obj_sequence(&written, 24.0).unwrap();
    let names: Vec<_> = written.iter().map(|path| path.file_name().unwrap().to_string_lossy()).collect();
    let mut files = |name: &str| std::fs::read(folder.file(name));
    assert_eq!(read_obj_sequence_bytes(&names, 24.0, &mut files).unwrap(), sequence);
    let error = read_obj_sequence_bytes(&names, 24.0, &mut supple_io::no_other_files).unwrap_err();
    assert_eq!(error.file, Path::new(names[0].as_ref()));
    assert_eq!(sequence.cache, VertexCache::evenly(frames.clone(), 0.0, 24.0));
    write_obj(&written[4], &[Vec3::X; 4], &[[0, 1, 2], [0, 2, 3]], None, None).unwrap();
    let error = read_obj_sequence(&written, 24.0).unwrap_err().to_string();
    assert!(error.contains("cloth_4.obj: sequence: has 4 vertices and 2 triangles"), "{error}");
    assert!(error.contains("cloth_0.obj has 3 and 1"), "{error}");
    write_obj(&written[4], &frames[0], &[[0, 2, 1]], None, None).unwrap();
    let error = read_obj_sequence(&written, 24.0).unwrap_err().to_string();
    assert!(error.contains("cloth_4.obj: triangle 0: names other vertices"), "{error}");
    assert!(find_obj_sequence(folder.file("silk_")).is_err());
    assert!(write_obj_sequence(folder.file("cloth.obj"), &frames, &[]).is_err());
}

#[test]
fn every_hand_made_model_survives_as_glb() {
    let folder = Folder::new("glb");
    for (name, model) in hand_made::models() {
        let file = folder.file(&format!("{name}.glb"));
        write_glb(&file, &model).unwrap_or_else(|error| panic!("{name}: {error}"));
        let back = load(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        compare(name, &model, &back);
    }
}

#[test]
fn a_static_mesh_survives_as_glb() {
    let folder = Folder::new("static");
    let model = &hand_made::models()[0].1;
    write_static_glb(folder.file("static.glb"), model.mesh()).unwrap();
    let back = load(folder.file("static.glb")).unwrap();
    assert_eq!(back.mesh(), model.mesh());
    assert!(back.clips().is_empty());
}

#[test]
fn every_real_model_survives_as_glb() {
    let Some(assets) = assets() else { return };
    let files = files_in(&assets, &["glb", "gltf", "vrm"]);
    let mut compared = 0;
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let model = match load(file) {
            Ok(model) => model,
            Err(LoadError { problem: Problem::UnsupportedExtension { .. }, .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        let bytes = glb_bytes(&model).unwrap_or_else(|error| panic!("{name}: {error}"));
        compare(&name, &model, &read_gltf(&bytes).unwrap().model);
        compared += 1;
    }
    println!("{compared} of {} files compared", files.len());
    assert!(compared > 0, "no file in {}", assets.display());
}

#[test]
fn every_real_obj_survives() {
    let Some(assets) = assets() else { return };
    let folder = Folder::new("real-obj");
    for file in files_in(&assets, &["obj"]) {
        let model = load(&file).unwrap();
        let mesh = model.mesh();
        let copy = folder.file("copy.obj");
        write_obj(&copy, mesh.positions(), mesh.triangles(), mesh.normals(), mesh.uvs()).unwrap();
        let back = load(&copy).unwrap();
        assert_eq!(bits(back.mesh().positions()), bits(mesh.positions()));
        assert_eq!(back.mesh().triangles(), mesh.triangles());
        glb_bytes(&model).unwrap();
    }
}

/// Rest positions and triangles are the same numbers; weights agree to 1e-7; poses agree to a few roundings.
fn compare(name: &str, a: &Model, b: &Model) {
    assert_eq!(bits(a.mesh().positions()), bits(b.mesh().positions()), "{name}");
    assert_eq!(a.mesh().triangles(), b.mesh().triangles(), "{name}");
    assert_eq!(a.mesh().uvs(), b.mesh().uvs(), "{name}");
    assert_eq!(a.mesh().normals().is_some(), b.mesh().normals().is_some(), "{name}");
    compare_parts(name, a, b);
    compare_weights(name, a, b);
    assert_eq!(a.clips().len(), b.clips().len(), "{name}");
    compare_pose(name, a, b, None);
    for index in 0..a.clips().len() {
        for step in 0..=6 {
            compare_pose(name, a, b, Some((index, f64::from(step) / 6.0)));
        }
    }
}

fn compare_parts(name: &str, a: &Model, b: &Model) {
    assert_eq!(a.parts().len(), b.parts().len(), "{name}");
    for (a, b) in a.parts().iter().zip(b.parts()) {
        assert_eq!((&a.vertices, &a.triangles), (&b.vertices, &b.triangles), "{name}");
        assert_eq!(a.name, b.name, "{name}");
        let materials = |part: &supple::model::Part| {
            part.primitives.iter().map(|p| p.material.clone()).collect::<Vec<_>>()
        };
        assert_eq!(materials(a), materials(b), "{name}");
    }
}

/// Weights by name of the joint's node, because palettes may be in another order. The node of a rigid part may have
/// become a child of the node it follows.
fn compare_weights(name: &str, a: &Model, b: &Model) {
    let weights = |model: &Model, vertex: u32| {
        let node = |joint: JointId| model.skeleton().joints()[joint.0 as usize].node;
        let mut list: Vec<(String, f32)> = model
            .skin()
            .influences(vertex)
            .map(|(joint, weight)| (model.skeleton().nodes()[node(joint)].name.clone(), weight))
            .collect();
        list.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        list
    };
    for vertex in 0..a.mesh().positions().len() as u32 {
        let (left, right) = (weights(a, vertex), weights(b, vertex));
        assert_eq!(left.len(), right.len(), "{name}, vertex {vertex}");
        let rigid = left.len() == 1;
        for (left, right) in left.iter().zip(&right) {
            assert!(
                (rigid || left.0 == right.0) && (left.1 - right.1).abs() <= 1e-7,
                "{name}: {left:?} {right:?}"
            );
        }
    }
}

/// `at` is a clip and a part of its duration.
fn compare_pose(name: &str, a: &Model, b: &Model, at: Option<(usize, f64)>) {
    let positions = |model: &Model| {
        let pose = match at {
            None => model.rest_pose(),
            Some((clip, part)) => {
                let clip: &Clip = &model.clips()[clip];
                model.sample(clip, clip.duration() * part).unwrap()
            }
        };
        model.posed(&pose, Skinning::Linear).unwrap().positions()
    };
    let (left, right) = (positions(a), positions(b));
    let size = left.iter().fold(0.0f32, |size, p| size.max(p.abs().max_element()));
    let worst = left.iter().zip(&right).map(|(p, q)| (*p - *q).abs().max_element()).fold(0.0, f32::max);
    // Matrices and sheared nodes are stored in f32: a few roundings along a chain of nodes.
    assert!(worst <= 4e-6 * size, "{name}, {at:?}: {worst} of {size}");
}

#[test]
fn truncated_and_garbage_input_is_an_error_with_a_place() {
    let cache = awkward_cache();
    let glb = glb_bytes(&hand_made::models()[0].1).unwrap();
    let (pc2, mdd) = (pc2_bytes(&cache, 25.0).unwrap(), mdd_bytes(&cache).unwrap());
    type Reader = fn(&[u8]) -> Result<(), Problem>;
    let formats: [(&str, Vec<u8>, Reader); 3] = [
        ("glb", glb, |bytes| read_gltf(bytes).map(drop)),
        ("pc2", pc2, |bytes| read_pc2_bytes(bytes, 25.0).map(drop)),
        ("mdd", mdd, |bytes| read_mdd_bytes(bytes).map(drop)),
    ];
    for (name, bytes, read) in formats {
        read(&bytes).unwrap();
        for length in (0..bytes.len()).step_by(bytes.len() / 97 + 1) {
            let problem = read(&bytes[..length]).expect_err(name);
            assert!(!place(problem).is_empty(), "{name}");
        }
        for fill in [0x00, 0x20, 0x7f, 0xff] {
            assert!(!place(read(&[fill; 200]).expect_err(name)).is_empty(), "{name}");
        }
    }
    for text in ["", "\0\u{1}\u{2}", "v 1 2", "f 1 2 3", "v nan 0 0", "v 1 2 3\nf 1 1 1 9999999999999999999"]
    {
        assert!(!place(read_obj(text.as_bytes()).expect_err(text)).is_empty());
    }
    assert!(read_obj(&[0xff; 300]).is_err());
}

/// A header may promise anything; nothing of that size may be allocated.
#[test]
fn absurd_counts_in_tiny_files_are_errors() {
    let mut pc2 = pc2_bytes(&awkward_cache(), 25.0).unwrap();
    assert_eq!(place(read_pc2_bytes(&pc2, 0.0).unwrap_err()), "frame rate");
    pc2[16..20].copy_from_slice(&i32::MAX.to_le_bytes());
    pc2[28..32].copy_from_slice(&i32::MAX.to_le_bytes());
    let message = read_pc2_bytes(&pc2, 25.0).unwrap_err().to_string();
    assert!(
        message.starts_with("header: the header promises a file of 55340232169589047340 bytes"),
        "{message}"
    );
    pc2[16..20].copy_from_slice(&(-1i32).to_le_bytes());
    assert_eq!(read_pc2_bytes(&pc2, 25.0).unwrap_err().to_string(), "byte 16: -1 points");
    pc2[16..20].copy_from_slice(&0i32.to_le_bytes());
    assert!(read_pc2_bytes(&pc2[..32], 25.0).is_err());
    let mdd = [i32::MAX.to_be_bytes(), i32::MAX.to_be_bytes()].concat();
    assert_eq!(place(read_mdd_bytes(&mdd).unwrap_err()), "header");
    let mut nan = mdd_bytes(&awkward_cache()).unwrap();
    nan[28..32].copy_from_slice(&f32::NAN.to_be_bytes());
    assert_eq!(place(read_mdd_bytes(&nan).unwrap_err()), "frame 0, vertex 0");
}

fn files_in(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if extensions.iter().any(|e| path.extension().is_some_and(|x| x == *e)) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}
