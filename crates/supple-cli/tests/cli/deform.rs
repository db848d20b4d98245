//! `supple deform` writes bit by bit what the library computes.

use std::path::Path;

use glam::Vec3;
use supple::Model;
use supple::Skinning;

use crate::supple::{supple, text};

const SKINNINGS: [(&str, Skinning); 3] =
    [("linear", Skinning::Linear), ("spherical", Skinning::Spherical), ("dual", Skinning::DualQuaternion)];

fn man() -> Model {
    supple_zoo::make("man", 0).unwrap()
}

fn positions(model: &Model, clip: &str, time: f64, skinning: Skinning) -> Vec<Vec3> {
    let pose = model.sample(model.clip(clip).unwrap(), time).unwrap();
    model.posed(&pose, skinning).unwrap().positions()
}

fn assert_same_bits(found: &[Vec3], expected: &[Vec3], what: &str) {
    let bits =
        |all: &[Vec3]| -> Vec<[u32; 3]> { all.iter().map(|p| p.to_array().map(f32::to_bits)).collect() };
    assert!(bits(found) == bits(expected), "{what}: other bits than the library's");
}

fn deform(arguments: &str, output: &Path) -> String {
    supple(["deform"].into_iter().chain(arguments.split(' ')).chain(["-o", text(output)])).ok()
}

#[test]
fn obj_and_glb_hold_the_pose_of_every_skinning_model() {
    let folder = tempfile::tempdir().unwrap();
    let man = man();
    for (name, skinning) in SKINNINGS {
        for extension in ["obj", "glb"] {
            let file = folder.path().join(format!("{name}.{extension}"));
            let said = deform(&format!("zoo:man --clip twist --time 1.3 --skinning {name}"), &file);
            assert!(said.contains("twist at 1.3 s") && said.contains(name), "{said}");
            let read = supple_io::load(&file).unwrap();
            assert_same_bits(read.mesh().positions(), &positions(&man, "twist", 1.3, skinning), &said);
            assert_eq!(read.mesh().triangles(), man.mesh().triangles());
        }
    }
}

#[test]
fn without_a_clip_the_rest_pose_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("rest.obj");
    assert!(deform("zoo:man", &file).contains("rest pose"));
    let man = man();
    let rest = man.posed(&man.rest_pose(), Skinning::Linear).unwrap().positions();
    assert_same_bits(supple_io::load(&file).unwrap().mesh().positions(), &rest, "rest pose");
}

#[test]
fn times_outside_the_clip_are_held_or_wrapped() {
    let folder = tempfile::tempdir().unwrap();
    let man = man();
    let file = folder.path().join("a.obj");
    let read = || supple_io::load(&file).unwrap().mesh().positions().to_vec();
    assert!(deform("zoo:man --clip walk --time 99", &file).contains("at its end"));
    assert_same_bits(&read(), &positions(&man, "walk", f64::INFINITY, Skinning::Linear), "held");
    assert!(deform("zoo:man --clip walk --time -1", &file).contains("at its start"));
    assert_same_bits(&read(), &positions(&man, "walk", 0.0, Skinning::Linear), "held at the start");
    let said = deform("zoo:man --clip walk --time 99 --loop", &file);
    let wrapped = 99.0f64.rem_euclid(man.clip("walk").unwrap().duration());
    assert!(said.contains(&format!("walk at {wrapped:.3} s (99 s, wrapped)")), "{said}");
    let mut pose = man.rest_pose();
    man.clip("walk").unwrap().sample_looped(99.0, &mut pose).unwrap();
    assert_same_bits(&read(), &man.posed(&pose, Skinning::Linear).unwrap().positions(), "wrapped");
}

#[test]
fn frames_become_a_sequence_of_objs() {
    let folder = tempfile::tempdir().unwrap();
    let said = deform(
        "zoo:man --clip 0 --frames 3 --fps 10 --start 0.2 --skinning dual",
        &folder.path().join("out.obj"),
    );
    assert!(said.contains("out_0000.obj") && said.contains("out_0002.obj"), "{said}");
    let man = man();
    let files = supple_io::find_obj_sequence(folder.path()).unwrap();
    assert_eq!(files.len(), 3);
    let read = supple_io::read_obj_sequence(&files, 10.0).unwrap();
    for (i, frame) in read.cache.frames.iter().enumerate() {
        let time = 0.2 + i as f64 / 10.0;
        let clip = man.clips()[0].name();
        assert_same_bits(
            frame,
            &positions(&man, clip, time, Skinning::DualQuaternion),
            &format!("frame {i}"),
        );
    }
}

#[test]
fn caches_hold_the_frames_of_the_whole_clip() {
    let folder = tempfile::tempdir().unwrap();
    let (man, fps) = (man(), 8.0f32);
    let (pc2, mdd) = (folder.path().join("a.pc2"), folder.path().join("a.mdd"));
    for file in [&pc2, &mdd] {
        deform("zoo:man --clip twist --fps 8 --skinning spherical", file);
    }
    let count = (man.clip("twist").unwrap().duration() * 8.0).round() as usize + 1;
    for cache in [supple_io::read_pc2(&pc2, fps).unwrap(), supple_io::read_mdd(&mdd).unwrap()] {
        assert_eq!(cache.frames.len(), count);
        assert!((cache.times[1] - 0.125).abs() < 1e-6, "{:?}", cache.times);
        for (i, frame) in cache.frames.iter().enumerate() {
            let expected = positions(&man, "twist", i as f64 / 8.0, Skinning::Spherical);
            assert_same_bits(frame, &expected, &format!("frame {i}"));
        }
    }
}

#[test]
fn weights_set_morph_targets_by_name_and_number() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.obj");
    let chair = supple_zoo::make("chair", 0).unwrap();
    let name = chair.rest().names()[2].clone();
    let weight = format!("{name}=-0.5");
    let arguments =
        ["deform", "zoo:chair", "-o", text(&file), "--weights", "0=0.25", "--weights", weight.as_str()];
    let said = supple(arguments).ok();
    assert!(said.contains("rest pose with 2 morph targets set"), "{said}");
    let mut pose = chair.rest_pose();
    (pose.coefficients[0], pose.coefficients[2]) = (0.25, -0.5);
    let expected = chair.posed(&pose, Skinning::Linear).unwrap().positions();
    assert_same_bits(supple_io::load(&file).unwrap().mesh().positions(), &expected, "weights");
}

#[test]
fn unknown_clips_and_targets_are_answered_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.obj");
    let run = |arguments: &str| {
        supple(["deform", "-o", text(&file)].into_iter().chain(arguments.split(' '))).fails_in_one_line(2)
    };
    let error = run("zoo:man --clip swim");
    for clip in man().clips() {
        assert!(error.contains(clip.name()), "{error}");
    }
    assert!(run("zoo:man --clip 99").contains("\"99\""));
    let error = run("zoo:chair --weights lean=1");
    assert!(error.contains(&supple_zoo::make("chair", 0).unwrap().rest().names()[0]), "{error}");
    assert!(run("zoo:man --weights lean=1").contains("no morph targets"));
    assert!(run("zoo:blob --weights 0=-1").contains("non-negative"));
    assert!(!file.exists());
}
