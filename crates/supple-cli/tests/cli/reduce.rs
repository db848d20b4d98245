//! `supple reduce`: meshes with their modes, sequences with their components, and what is refused.

use std::fs;
use std::path::Path;

use glam::Vec3;
use supple::Model;
use supple::Skinning;
use supple::rest::Rest;

use crate::supple::{supple, text};

fn reduce(input: &str, arguments: &str, output: &Path) -> String {
    let words = arguments.split(' ').filter(|word| !word.is_empty());
    let said = supple(["reduce", input].into_iter().chain(words).chain(["-o", text(output)])).ok();
    assert!(said.lines().all(|line| line.chars().count() <= 100 || line.contains(text(output))), "{said}");
    said
}

fn posed(model: &Model, time: f64) -> Vec<Vec3> {
    let pose = model.sample(&model.clips()[0], time).unwrap();
    model.posed(&pose, Skinning::Linear).unwrap().positions()
}

#[test]
fn modes_become_morph_targets_with_a_clip_that_shows_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dolphin.glb");
    let said = reduce("zoo:dolphin", "--modes 4 --resolution 12 --amplitude 0.2", &file);
    for expected in ["4 modes of a free lattice", " Hz ", "0.200 m", "read back: the same in every frame"] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    let model = supple_io::load(&file).unwrap();
    let zoo = supple_zoo::make("dolphin", 0).unwrap();
    assert_eq!(model.mesh().positions(), zoo.mesh().positions());
    assert_eq!(model.rest().names(), ["mode 1", "mode 2", "mode 3", "mode 4"]);
    let Rest::Fields(fields) = model.rest() else { panic!("modes are fields") };
    for field in fields.to_fields() {
        let farthest = field.displacements.iter().map(|(_, d)| d.length()).fold(0.0, f32::max);
        assert!((farthest - 0.2).abs() < 1e-5, "{farthest}");
    }
    // Each mode in turn, at rest at both ends.
    let clip = &model.clips()[0];
    assert_eq!(posed(&model, 0.0), zoo.mesh().positions());
    assert_eq!(posed(&model, clip.duration()), zoo.mesh().positions());
    for mode in 0..4 {
        let largest = (0..100)
            .map(|i| clip.duration() * f64::from(i) / 100.0)
            .map(|time| model.sample(clip, time).unwrap().coefficients[mode].abs());
        assert!((0.9..=1.0).contains(&largest.fold(0.0, f32::max)), "{mode}");
    }
    // Held at the tail it swings more slowly than free.
    let frequency = |said: &str| -> f64 {
        let row = said.lines().find(|line| line.contains(" Hz ")).unwrap();
        row.split_whitespace().nth(1).unwrap().parse().unwrap()
    };
    let held = reduce("zoo:dolphin", "--modes 1 --resolution 12 --hold back", &file);
    assert!(held.contains("held lattice") && frequency(&held) < frequency(&said), "{held}");
}

#[test]
fn components_play_the_sequence_with_the_error_that_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (file, cache) = (folder.path().join("a.glb"), folder.path().join("a.pc2"));
    let said = reduce("zoo:dolphin", "--pca 2 --fps 12", &file);
    // Blends of three shapes have two components.
    assert!(said.contains("2 components") && said.contains("read back: the same in every frame"), "{said}");
    let (read, zoo) = (supple_io::load(&file).unwrap(), supple_zoo::make("dolphin", 0).unwrap());
    assert_eq!(read.rest().coefficient_count(), 2);
    for frame in 0..8 {
        let time = f64::from(frame) / 12.0;
        for (a, b) in posed(&read, time).iter().zip(posed(&zoo, time)) {
            assert!(a.distance(b) < 1e-5, "frame {frame}: {a} {b}");
        }
    }
    supple(["deform", "zoo:dolphin", "--clip", "0", "--fps", "12", "-o", text(&cache)]).ok();
    let again = folder.path().join("b.glb");
    reduce(text(&cache), "--pca 2 --fps 12 --rest zoo:dolphin", &again);
    assert_eq!(supple_io::load(&again).unwrap().mesh().positions(), read.mesh().positions());
}

#[test]
fn what_cannot_be_reduced_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let out = at("out.glb");
    let run = |input: &str, arguments: &str| {
        supple(["reduce", input].into_iter().chain(arguments.split(' ')).chain(["-o", text(&out)]))
    };
    for arguments in [
        "--modes 0",
        "--pca 0",
        "--modes -1",
        "--modes 3 --pca 3",
        "--pca 3 --density 1",
        "--modes 3 --fps 2",
        "--modes 3 --poisson 0.5",
        "--modes 3 --young 0",
        "--modes 3 --hold middle",
    ] {
        let error = run("zoo:dolphin", arguments).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
    assert!(supple(["reduce", "zoo:dolphin", "-o", text(&out)]).fails(2).contains("--modes <N>|--pca <N>"));
    let refused = |input: &str, arguments: &str| run(input, arguments).fails_in_one_line(3);
    // What the user asks for and nobody can give.
    let too_much = |input: &str, arguments: &str| run(input, arguments).fails_in_one_line(2);
    fs::write(at("points.obj"), "v 0 0 0\nv 1 0 0\n").unwrap();
    let error = refused(text(&at("points.obj")), "--modes 1");
    assert!(error.contains("no face"), "{error}");
    let error = too_much("zoo:dolphin", "--modes 19 --resolution 1");
    assert!(error.contains("19 modes are asked for, there are 18"), "{error}");
    assert!(too_much("zoo:dolphin", "--modes 1 --resolution 9999").contains("choose a lower one"));
    let error = too_much("zoo:bridge", "--modes 1 --resolution 2000");
    assert!(error.contains("choose a lower"), "{error}");
    assert!(too_much("zoo:dolphin", "--pca 3 --fps 12").contains("3 components are asked for, there are 2"));
    assert!(refused("zoo:dolphin", "--pca 1 --fps 0.01").contains("one frame"));
    fs::write(at("two.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 9 0 0\nv 10 0 0\nv 9 1 0\nf 1 2 3\nf 4 5 6\n")
        .unwrap();
    assert!(refused(text(&at("two.obj")), "--modes 1").contains("falls into 2 pieces"));
    assert!(too_much(text(&at("two.obj")), "--modes 1 --hold left").contains("can move without bending"));
    assert!(!out.exists());
    let error = supple(["reduce", "zoo:dolphin", "--modes", "1", "-o", "x.obj"]).fails_in_one_line(2);
    assert!(error.contains("expected .glb"), "{error}");
}
