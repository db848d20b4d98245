//! Every real glTF file at hand, against an independent implementation in f64.
//!
//! `SUPPLE_ASSETS` names the folder; without it the tests say that they were skipped. In the CI (variable `CI`) a
//! missing folder is a failure.

mod assets;
mod gltf_files;
mod reference;

use std::fs;
use std::path::Path;

use assets::assets;
use gltf_files::gltf_files;
use supple::Skinning;
use supple_io::Problem;

/// Of the size of the posed model (diagonal of its bounding box).
const TOLERANCE: f64 = 1e-5;

/// One file needs Draco, which the reference does not read; `draco.rs` compares it.
const DRACO: &str = "RiggedSimple-Draco.glb";

#[test]
fn all_files_deform_like_the_reference() {
    let Some(folder) = assets() else { return };
    let files = gltf_files(&folder);
    assert!(files.len() >= 32, "only {} files in {folder:?}", files.len());
    let mut worst: f64 = 0.0;
    for path in files.iter().filter(|p| !p.ends_with(DRACO)) {
        let error = compare(path);
        println!("{error:.2e} of the size  {}", path.display());
        worst = worst.max(error);
    }
    println!("largest difference: {worst:.2e} of the model's size");
}

/// Largest difference over all clips and times.
fn compare(path: &Path) -> f64 {
    let model = supple_io::load(path).unwrap();
    let document = reference::Document::open(path);
    assert_eq!(model.mesh().triangles(), reference::triangles(&document), "{path:?}");
    let rest = model.posed(&model.rest_pose(), Skinning::Linear).unwrap();
    let mut worst = difference(path, "rest", &rest.positions(), &reference::positions(&document, None));
    assert_eq!(model.clips().len(), document.list("animations").len(), "{path:?}");
    for (index, clip) in model.clips().iter().enumerate() {
        let duration = reference::duration(&document, index);
        assert_eq!(clip.duration(), duration, "{path:?} {}", clip.name());
        for time in [0.0, 0.3 * duration, 0.5 * duration, duration, duration + 1.0] {
            let pose = model.sample(clip, time).unwrap();
            let posed = model.posed(&pose, Skinning::Linear).unwrap().positions();
            let expected = reference::positions(&document, Some((index, time)));
            worst = worst.max(difference(path, clip.name(), &posed, &expected));
        }
    }
    worst
}

fn difference(path: &Path, clip: &str, posed: &[glam::Vec3], expected: &[[f64; 3]]) -> f64 {
    assert_eq!(posed.len(), expected.len(), "{path:?}");
    let expected: Vec<glam::DVec3> = expected.iter().map(|&p| p.into()).collect();
    let min = expected.iter().copied().reduce(glam::DVec3::min).unwrap();
    let max = expected.iter().copied().reduce(glam::DVec3::max).unwrap();
    let size = (max - min).length();
    let mut worst: f64 = 0.0;
    for (vertex, (p, q)) in posed.iter().zip(&expected).enumerate() {
        let error = p.as_dvec3().distance(*q) / size;
        assert!(error <= TOLERANCE, "{path:?} {clip}: vertex {vertex} is at {p}, expected {q}: {error:e}");
        worst = worst.max(error);
    }
    worst
}

/// Bytes with a way to other files give what the path gives, also under a name that says nothing.
#[test]
fn bytes_are_read_like_files() {
    let Some(folder) = assets() else { return };
    for path in &gltf_files(&folder) {
        let bytes = fs::read(path).unwrap();
        let mut asked = Vec::new();
        let mut other_files = |name: &str| {
            asked.push(name.to_owned());
            fs::read(path.with_file_name(name))
        };
        let file_name = path.file_name().unwrap().to_string_lossy();
        let by_path = supple_io::read(path).unwrap();
        assert_eq!(supple_io::read_bytes(&file_name, &bytes, &mut other_files).unwrap(), by_path, "{path:?}");
        assert_eq!(supple_io::read_bytes("", &bytes, &mut other_files).unwrap(), by_path, "{path:?}");
        // Without its other files it names the first.
        if let Some(first) = asked.first() {
            let error =
                supple_io::read_bytes(&file_name, &bytes, &mut supple_io::no_other_files).unwrap_err();
            let Problem::OtherFile { place, name, .. } = &error.problem else { panic!("{error}") };
            assert!(place == "buffer 0" && name == first, "{error}");
        }
    }
}

/// File, vertices, triangles, joints in the palette, targets, clips, most influences.
type Figures = (&'static str, usize, usize, usize, usize, usize, usize);

#[test]
fn figures_are_those_of_the_list() {
    let Some(folder) = assets() else { return };
    let figures: [Figures; 12] = [
        ("khronos/CesiumMan.glb", 3273, 4672, 19, 0, 1, 4),
        ("khronos/Fox.glb", 1728, 576, 24, 0, 3, 4),
        ("khronos/RiggedSimple.glb", 160, 188, 2, 0, 1, 2),
        ("khronos/SimpleSkin.gltf", 10, 8, 2, 0, 1, 2),
        ("khronos/SimpleMorph.gltf", 3, 1, 1, 2, 1, 1),
        ("khronos/MorphStressTest.glb", 1528, 2412, 1, 8, 3, 1),
        ("khronos/AnimatedMorphCube-Quantized.glb", 24, 12, 1, 2, 1, 1),
        ("makehuman/makehuman_default163.glb", 13380, 26756, 163, 78, 2, 9),
        ("makehuman/makehuman_layers.glb", 17958, 35108, 31, 0, 2, 8),
        ("rocketbox/rocketbox_Male_Adult_01.glb", 4803, 7440, 80, 175, 2, 4),
        ("ict/ict_face_head.glb", 11248, 22288, 1, 57, 0, 1),
        ("momentum/test_24fps.glb", 328, 463, 161, 0, 1, 8),
    ];
    for (file, vertices, triangles, joints, targets, clips, influences) in figures {
        let model = supple_io::load(folder.join(file)).unwrap();
        assert_eq!(model.mesh().positions().len(), vertices, "vertices of {file}");
        assert_eq!(model.mesh().triangles().len(), triangles, "triangles of {file}");
        assert_eq!(model.skeleton().joints().len(), joints, "joints of {file}");
        assert_eq!(model.rest().coefficient_count(), targets, "targets of {file}");
        assert_eq!(model.clips().len(), clips, "clips of {file}");
        assert_eq!(model.skin().max_influences(), influences, "influences of {file}");
    }
}

#[test]
fn what_is_odd_is_noted_with_a_place() {
    let Some(folder) = assets() else { return };
    let notes = |file: &str| supple_io::read(folder.join(file)).unwrap().notes.join("\n");
    let robot = notes("quaternius/RobotExpressive.glb");
    assert!(robot.contains("weights that do not sum to 1 (up to 1.755); normalised"), "{robot}");
    assert_eq!(total(&robot, "vertices have weights"), 743);
    let yeti = notes("babylon/Yeti.glb");
    assert_eq!(total(&yeti, "vertices have weights"), 3227);
    assert_eq!(total(&yeti, "joints that do not exist have weight 0; dropped"), 12_339);
    assert_eq!(notes("khronos/CesiumMan.glb"), "");
}

/// Sum of the numbers before `what`: `mesh 0, primitive 0: 17 vertices have weights` counts 17.
fn total(notes: &str, what: &str) -> usize {
    let count =
        |note: &str| note.split(what).next().unwrap().trim().rsplit(' ').next().unwrap().parse::<usize>();
    notes.lines().filter(|note| note.contains(what)).map(|note| count(note).unwrap()).sum()
}
