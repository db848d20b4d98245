//! `supple audit`: what it finds is what brute force finds, in the right classes, and its code says whether there is a fault.

use std::fs;

use serde_json::{Value, json};
use supple::pose::{Clip, Target};
use supple::{Model, SelfFilter, Skinning};

use crate::assets::assets;
use crate::audit_models::{
    at_ten, audit, audit_json, channel, events, hand_and_thigh, hand_and_thigh_at_rest, written,
};
use crate::supple::{Run, text};

/// Stdout of a run that finds so many events to look at.
fn finds(run: Run, error: &str) -> String {
    assert_eq!((run.code, run.stderr), (1, format!("error: {error}\n")), "{}", run.stdout);
    run.stdout
}

/// The first bone of both sides, sorted.
fn bones_of_sides(event: &Value) -> [&str; 2] {
    let mut bones = [0, 1].map(|side| event["sides"][side]["bones"][0].as_str().unwrap());
    bones.sort_unstable();
    bones
}

#[test]
fn a_hand_is_found_in_a_thigh_with_its_frames_and_its_depth() {
    let folder = tempfile::tempdir().unwrap();
    // The hand's front is at 2.05 - 0.2 - t, the thigh's side at 1: inside by t - 0.85. From -1 to 2.25 the size is 3.25.
    let file = written(folder.path(), "hero.glb", 2.05);
    let report = finds(audit(&at_ten(&file)), "1 fault to look at");
    let lines: Vec<&str> = report.lines().map(str::trim).collect();
    assert!(lines[0].ends_with("hero.glb: 24 triangles, 2 bones, size 3.25"), "{report}");
    assert_eq!(lines[1..3], ["1 clip, 11 frames", "1 fault, the worst first:"], "{report}");
    let words: Vec<&str> = lines[4].split_whitespace().collect();
    let words = words.join(" ");
    assert!(words.ends_with(" depth 0.150 (4.6 %), 2 frames, 0.2 s"), "{report}");
    assert!(words.contains("hand") && words.contains(" into ") && words.contains("thigh"), "{report}");
    assert_eq!(lines[5], "push 9-10; worst: push frame 10", "{report}");
    assert!(lines.contains(&"1 file, 1 clip, 11 frames: 1 fault to look at."), "{report}");
    assert!(report.contains("looked at with 10 frames per second; what happens in between was not"));

    let json = audit_json(&at_ten(&file));
    let [event] = events(&json) else { panic!("{json}") };
    assert_eq!(
        (&event["id"], &event["class"], &event["frames"]),
        (&json!("hand/thigh/layers"), &json!("fault"), &json!(2))
    );
    assert_eq!(bones_of_sides(event), ["hand", "thigh"]);
    assert_eq!((&event["worst"]["clip"], &event["worst"]["frame"]), (&json!(0), &json!(10)));
    let [occurrence] = &event["occurrences"].as_array().unwrap()[..] else { panic!("{event}") };
    let moments = occurrence["moments"].as_array().unwrap();
    for (moment, (frame, depth)) in moments.iter().zip([(9, 0.05), (10, 0.15)]) {
        assert_eq!(moment["frame"], frame);
        assert!((moment["depth"].as_f64().unwrap() - depth).abs() < 1e-5, "{moments:?}");
    }
    assert_eq!(moments.len(), 2);
    // The middle of a contact around a square of 0.4, which is at 1 in x.
    let point: Vec<f64> =
        event["worst"]["point"].as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect();
    assert!((point[0] - 1.0).abs() < 0.2 && point[1].abs() < 0.2 && point[2].abs() < 0.2, "{point:?}");
    assert_eq!(json["files"][0]["clips"][0]["frames_with"]["fault"], 2);
}

/// What brute force finds in every frame of every clip: pairs that share no vertex.
fn pairs_by_frame(model: &Model, fps: f64, skinning: Skinning) -> Vec<Vec<usize>> {
    let frame = |clip: &Clip, frame: usize| {
        let pose = model.sample(clip, frame as f64 / fps).unwrap();
        let positions = model.posed(&pose, skinning).unwrap().positions();
        supple::oracle::self_collide_with(model, &positions, &SelfFilter::default()).len()
    };
    let frames = |clip: &Clip| 0..=(clip.duration() * fps + 1e-4) as usize;
    model.clips().iter().map(|clip| frames(clip).map(|number| frame(clip, number)).collect()).collect()
}

/// The same by the events of a file.
fn pairs_of_events(file: &Value) -> Vec<Vec<usize>> {
    let clips = file["clips"].as_array().unwrap().iter();
    let mut pairs: Vec<Vec<usize>> =
        clips.map(|clip| vec![0; clip["frames"].as_u64().unwrap() as usize]).collect();
    for event in file["events"].as_array().unwrap() {
        for occurrence in event["occurrences"].as_array().unwrap() {
            let clip = occurrence["clip"].as_u64().unwrap() as usize;
            for moment in occurrence["moments"].as_array().unwrap() {
                let frame = moment["frame"].as_u64().unwrap() as usize;
                pairs[clip][frame] += moment["pairs"].as_u64().unwrap() as usize;
            }
        }
    }
    pairs
}

#[test]
fn every_pair_that_brute_force_finds_is_in_an_event() {
    for (skinning, name) in [(Skinning::Linear, "linear"), (Skinning::DualQuaternion, "dual")] {
        let man = supple_zoo::make("man", 0).unwrap();
        let expected = pairs_by_frame(&man, 2.0, skinning);
        let json = audit_json(&format!("zoo:man --fps 2 --skinning {name}"));
        assert_eq!(pairs_of_events(&json["files"][0]), expected, "{name}");
        assert!(expected.iter().flatten().any(|&pairs| pairs > 0));
    }
}

#[test]
fn a_model_of_morph_targets_alone_is_not_falsely_clean() {
    let face = supple_zoo::make("face", 0).unwrap();
    let expected = pairs_by_frame(&face, 5.0, Skinning::Linear);
    let json = audit_json("zoo:face --fps 5");
    assert_eq!(pairs_of_events(&json["files"][0]), expected);
    assert!(expected.iter().flatten().any(|&pairs| pairs > 0));
    let Some(folder) = assets() else { return };
    let file = folder.join("khronos/AnimatedMorphSphere.glb");
    let expected = pairs_by_frame(&supple_io::load(&file).unwrap(), 10.0, Skinning::Linear);
    assert!(expected.iter().flatten().any(|&pairs| pairs > 0));
    assert_eq!(pairs_of_events(&audit_json(&at_ten(&file))["files"][0]), expected);
    assert_eq!(audit(&format!("{} --class all", at_ten(&file))).code, 1);
}

#[test]
fn thresholds_make_grazes_of_faults() {
    let folder = tempfile::tempdir().unwrap();
    let file = at_ten(&written(folder.path(), "hero.glb", 2.05));
    for (arguments, is_fault) in [
        ("--min-depth 0.149", true),
        ("--min-depth 0.151", false),
        // Of 3.25.
        ("--min-depth 4.6%", true),
        ("--min-depth 4.7%", false),
        ("--min-frames 2", true),
        ("--min-frames 3", false),
    ] {
        let run = audit(&format!("{file} {arguments}"));
        if is_fault {
            finds(run, "1 fault to look at");
            continue;
        }
        let report = run.ok();
        assert!(
            report.contains("\n  no faults\n  not shown: 1 graze (--class all shows them)\n"),
            "{report}"
        );
        assert!(report.contains(": no faults to look at.\n"), "{report}");
        for class in ["graze", "fault,graze", "all", "fault --class graze"] {
            let run = audit(&format!("{file} {arguments} --class {class}"));
            let report = finds(run, "1 event to look at");
            assert!(report.contains("\n  graze: "), "{report}");
        }
        for class in ["fault", "hidden,crease", "layered"] {
            audit(&format!("{file} {arguments} --class {class}")).ok();
        }
    }
}

#[test]
fn what_crosses_at_rest_is_layered() {
    let folder = tempfile::tempdir().unwrap();
    // At rest the hand is already 0.1 inside; after a quarter of a second, 0.35, which is 0.05 outside; after half a second it is
    // wholly inside, and crosses nothing.
    let file = written(folder.path(), "hero.glb", 1.1);
    let json = audit_json(&format!("{} --fps 4", text(&file)));
    let found: Vec<(&str, u64)> = events(&json)
        .iter()
        .map(|e| (e["class"].as_str().unwrap(), e["worst"]["frame"].as_u64().unwrap()))
        .collect();
    assert_eq!(found, [("layered", 0)]);
    assert!((events(&json)[0]["depth"].as_f64().unwrap() - 0.1).abs() < 1e-5);
    // One frame, which is the rest pose.
    let one = format!("{} --fps 1e-3", text(&file));
    let report = audit(&one).ok();
    assert!(report.contains("no faults\n  not shown: 1 layered (--class all shows them)"), "{report}");
    finds(audit(&format!("{one} --class layered")), "1 event to look at");
}

#[test]
fn a_thing_inside_a_closed_box_is_hidden() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hidden.obj");
    let cube = |first: usize, half: f32, x: f32| {
        let corner = |i: usize, bit: usize| if i >> bit & 1 == 0 { -half } else { half };
        let vertices: String =
            (0..8).map(|i| format!("v {} {} {}\n", corner(i, 0) + x, corner(i, 1), corner(i, 2))).collect();
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let faces = sides.map(|s| s.map(|v| (v + first).to_string()).join(" "));
        vertices + &faces.map(|face| format!("f {face}\n")).concat()
    };
    // Without clips there is only the rest pose, which nothing is compared with, for it would all be layered.
    fs::write(&file, cube(1, 0.2, 0.0) + &cube(9, 0.2, 0.3)).unwrap();
    let json = audit_json(text(&file));
    let seen = events(&json)[0]["visibility"].as_f64().unwrap();
    fs::write(&file, cube(1, 0.2, 0.0) + &cube(9, 0.2, 0.3) + &cube(17, 2.0, 0.0)).unwrap();
    let json = audit_json(text(&file));
    let unseen = events(&json)[0]["visibility"].as_f64().unwrap();
    assert!(seen > 0.1 && unseen == 0.0, "{seen} {unseen}");
}

#[test]
fn bones_are_chosen_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    hand_and_thigh(&file, ["rig:thigh", "rig:hand"], "push", 2.05);
    let found = |bones: &str| audit_json(&format!("{} --bones {bones}", at_ten(&file)));
    let count = |bones: &str| found(bones)["totals"]["fault"].as_u64().unwrap();
    assert_eq!(
        (count("rig:hand:rig:thigh"), count("rig:thigh:rig:hand+"), count("rig:hand:rig:hand")),
        (1, 1, 0)
    );
    assert_eq!((count("hand:thigh"), count("hand:hand --bones thigh+:rig:hand")), (1, 1));
    let chosen = found("hand:thigh");
    assert_eq!(bones_of_sides(&events(&chosen)[0]), ["rig:hand", "rig:thigh"], "the JSON has whole names");
    let none = found("hand:hand");
    let left_out = &none["files"][0]["clips"][0]["left_out"]["other_bones"];
    assert!(left_out["frames"] == 2 && left_out["most_pairs"].as_u64() > Some(0), "{left_out}");
    let report = audit(&format!("{} --bones hand:hand", at_ten(&file))).ok();
    assert!(report.contains("left out of push: up to ") && report.contains("\n  no faults\n"), "{report}");
    assert!(report.contains(" triangle pairs between bones that were not asked for\n"), "{report}");
    let error = audit(&format!("{} --bones rig:hand:rig:tigh", text(&file))).fails_in_one_line(2);
    assert!(error.contains("no bone \"rig:tigh\"") && error.contains("\"rig:thigh\""), "{error}");
    assert!(error.contains("hero.glb"), "{error}");
    let error = audit(&format!("{} --bones hand", text(&file))).fails_in_one_line(2);
    assert!(error.contains("A:B"), "{error}");
}

#[test]
fn bones_that_are_near_each_other_can_be_left_out() {
    let pairs = |apart: u32| -> usize {
        let json = audit_json(&format!("zoo:man --clip random --fps 5 --bones-apart {apart}"));
        assert_eq!(json["files"][0]["clips"][0]["left_out"]["near_bones"]["frames"] != 0, apart > 0);
        pairs_of_events(&json["files"][0]).iter().flatten().sum()
    };
    assert!(pairs(0) > pairs(2) && pairs(2) > pairs(60));
    assert_eq!(pairs(60), 0);
    let report = audit("zoo:man --clip random --fps 5 --bones-apart 60").ok();
    assert!(report.contains(" of bones that are near each other\n") && !report.contains("clean"), "{report}");
}

#[test]
fn parts_are_left_out_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("crossing.obj");
    let obj = "o belt\nv 0 0 0\nv 2 0 0\nv 0 2 0\nf 1 2 3\no sword\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 0.6 0.7 1\nf 4 5 6\n";
    fs::write(&file, obj).unwrap();
    let report = audit(&format!("{} --class all", text(&file)));
    assert!(report.code == 1 && report.stdout.contains("no clips: only the rest pose was looked at"));
    assert!(report.stdout.contains("in the rest pose\n"), "{}", report.stdout);
    for part in ["sword", "belt"] {
        let report = audit(&format!("{} --class all --without {part}", text(&file))).ok();
        assert!(
            report.contains(": 1 triangle, ") && report.contains("clean: no triangles intersect"),
            "{report}"
        );
    }
    let error = audit(&format!("{} --without sward", text(&file))).fails_in_one_line(2);
    assert!(error.contains("\"sward\"") && error.contains("crossing.obj"), "{error}");
    audit(&format!("{} --without sword --without belt", text(&file))).fails_in_one_line(2);
}

#[test]
fn bones_scaled_to_nothing_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    let [one, zero] = [[1.0; 3], [0.0; 3]];
    let at = |x: f32| channel(Target::Translation(1), [x, 0.0, 0.0], [x, 0.0, 0.0]);
    // Deep in the thigh from the start; as nothing it is still there.
    let clip = |name: &str, to: [f32; 3]| Clip::new(name, vec![at(1.0), channel(Target::Scale(1), to, to)]);
    let model = hand_and_thigh_at_rest(["rig:thigh", "rig:hand"], 5.0);
    let clips = vec![clip("shown", one).unwrap(), clip("hidden", zero).unwrap()];
    supple_io::write_glb(&file, &model.with_clips(clips).unwrap()).unwrap();
    let report = audit(&format!("{} --clip hidden", at_ten(&file))).ok();
    assert!(
        report.contains("scaled to almost nothing in some frames, and left out there: hand\n"),
        "{report}"
    );
    let json = audit_json(&at_ten(&file));
    assert_eq!(json["files"][0]["hidden_bones"], json!(["rig:hand"]));
    let [event] = events(&json) else { panic!("{json}") };
    assert_eq!(
        (&event["class"], &event["frames"], &event["worst"]["clip"]),
        (&json!("fault"), &json!(11), &json!(0))
    );
    let json = audit_json(&format!("{} --clip shown", at_ten(&file)));
    assert_eq!(json["files"][0]["hidden_bones"], json!([]));
}

#[test]
fn the_report_reads_well() {
    let run = audit("zoo:man zoo:creature --fps 3 --class all --hints");
    assert_eq!(run.code, 1, "{}", run.stderr);
    let report = run.stdout;
    for expected in [
        "zoo:man: 8,796 triangles, 27 bones, size ",
        " and ",
        " more: --json FILE or --html FILE has all\n",
        "crease: ",
        " into ",
        "worst: ",
        "zoo:creature: ",
        "2 files, ",
        " events to look at",
    ] {
        assert!(report.contains(expected), "{expected:?} in\n{report}");
    }
    let wide: Vec<&str> = report.lines().filter(|line| line.chars().count() > 100).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    let plain = audit("zoo:man --fps 3").stdout;
    assert!(plain.contains("\n  not shown: ") && plain.contains(" (--class all shows them)\n"), "{plain}");
    assert!(!plain.contains("crease: "), "{plain}");
}

#[test]
fn a_real_man_rubs_his_arms_against_his_chest() {
    let Some(folder) = assets() else { return };
    let man = folder.join("khronos/CesiumMan.glb");
    let json = audit_json(&at_ten(&man));
    let model = supple_io::load(&man).unwrap();
    assert_eq!(pairs_of_events(&json["files"][0]), pairs_by_frame(&model, 10.0, Skinning::Linear));
    assert_eq!(json["files"][0]["clips"][0]["frames"], 21);
    for event in events(&json) {
        // Nothing of a man is deeper in him than his chest is thick.
        assert!(event["depth_percent"].as_f64().unwrap() < 15.0, "{event}");
    }
}
