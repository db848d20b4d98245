//! `audit --against` and `--between`: props, second characters, clothes.

use std::fs;

use serde_json::Value;

use crate::assets::assets;
use crate::supple::{supple, text};

/// An audit as JSON, and what was said beside it. Faults are no failure here.
fn audit(arguments: &[&str]) -> (Value, String) {
    let run = supple(["audit", "--fps", "4", "--class", "all", "--json", "-"].iter().chain(arguments));
    assert!(run.code < 2, "{}", run.stderr);
    (serde_json::from_str(&run.stdout).unwrap(), run.stderr)
}

/// The meshes of every event of the first file.
fn meshes(report: &Value) -> Vec<[&str; 2]> {
    let events = report["files"][0]["events"].as_array().unwrap();
    let mesh = |event: &'_ Value, side: usize| event["sides"][side]["mesh"].as_str().unwrap_or("").to_owned();
    events
        .iter()
        .map(|event| {
            let sides = [0, 1].map(|side| mesh(event, side));
            [0, 1].map(|side| match sides[side].as_str() {
                "man" => "man",
                "man (2)" => "man (2)",
                "chair" => "chair",
                "box" => "box",
                _ => "?",
            })
        })
        .collect()
}

fn all_between(report: &Value, a: &str, b: &str) {
    let found = meshes(report);
    assert!(!found.is_empty());
    for sides in found {
        assert!(sides == [a, b] || sides == [b, a], "{sides:?}");
    }
}

#[test]
fn a_prop_is_carried_by_a_bone() {
    let (report, said) =
        audit(&["zoo:man", "--against", "zoo:chair", "--attach", "hand_r", "--offset", "0,-0.3,0"]);
    all_between(&report, "man", "chair");
    assert!(said.contains("note: zoo:chair: a prop stays in its rest pose; 1 clip not played\n"), "{said}");
    assert_eq!(report["settings"]["attach"], "hand_r");
    // Far from the hand it touches nothing; small, too.
    for place in [["--offset", "0,-30,0"], ["--scale", "0.001"]] {
        let prop = ["zoo:man", "--against", "zoo:chair", "--attach", "hand_r", "--turn", "0,90,0"];
        let run = supple(["audit", "--fps", "4"].iter().chain(&prop).chain(&place));
        assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    }
}

/// A file whose mesh has no name: it is called after the file.
#[test]
fn a_prop_without_a_name_is_called_after_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("box.obj");
    let corners = "v 0 0 0\nv 0.4 0 0\nv 0 0.4 0\nv 0 0 0.4\n";
    fs::write(&file, format!("{corners}f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")).unwrap();
    let (report, said) = audit(&["zoo:man", "--against", text(&file), "--attach", "HAND_R"]);
    all_between(&report, "man", "box");
    assert_eq!(said.lines().filter(|line| line.starts_with("note:")).count(), 0, "{said}");
    // What is read is not written over.
    let error =
        supple(["audit", "zoo:man", "--against", text(&file), "--json", text(&file)]).fails_in_one_line(2);
    assert!(error.contains("this would overwrite the input"), "{error}");
}

#[test]
fn a_second_character_plays_clips_of_the_same_names() {
    let (report, said) = audit(&[
        "zoo:man",
        "--clip",
        "walk",
        "--against",
        "zoo:man",
        "--offset",
        "0.3,0,0",
        "--turn",
        "0,180,0",
    ]);
    all_between(&report, "man", "man (2)");
    assert!(!said.contains("note:"), "{said}");
    // Rest poses side by side mean nothing.
    let classes: Vec<_> =
        report["files"][0]["events"].as_array().unwrap().iter().map(|e| &e["class"]).collect();
    assert!(classes.iter().all(|class| *class != "layered"), "{classes:?}");
    let said = |first: &str, second: &str| {
        let clip = ["--clip", "walk", "--against", second, "--offset", "9,0,0"];
        audit(&[&[first], &clip[..]].concat()).1
    };
    let notes = said("zoo:man", "zoo:fish");
    assert!(notes.contains("note: zoo:fish: plays flap in 6 clips of another name\n"), "{notes}");
    let notes = said("zoo:man", "zoo:hand");
    assert!(
        notes.contains("note: zoo:hand: stays in its rest pose in 3 clips: walk, run, fall\n"),
        "{notes}"
    );
    assert!(
        notes.contains("2 clips without a partner of the same name not played: grasp, point\n"),
        "{notes}"
    );
}

#[test]
fn meshes_and_materials_are_looked_at_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("two.obj");
    let corners = |x: f32| format!("v {x} 0 0\nv {} 0 0\nv {x} 1 0\nv {x} 0 1\n", x + 1.0);
    let faces = |first: usize| {
        let [a, b, c, d] = [first, first + 1, first + 2, first + 3];
        format!("f {a} {c} {b}\nf {a} {b} {d}\nf {a} {d} {c}\nf {b} {c} {d}\n")
    };
    let part = |name: &str, x: f32, first: usize| format!("o {name}\n{}{}", corners(x), faces(first));
    fs::write(&file, part("body", 0.0, 1) + &part("Shirt", 0.2, 5) + &part("hat", 7.0, 9)).unwrap();
    let file = text(&file);
    let events =
        |names: &str| audit(&[file, "--between", names]).0["files"][0]["events"].as_array().unwrap().len();
    assert!(events("body,shirt") > 0);
    assert_eq!(events("body,shirt"), events("Shirt,hat,body"));
    assert_eq!((events("body,hat"), events("hat,body,Shirt")), (0, 0));
    let error = supple(["audit", file, "--between", "body,skirt"]).fails_in_one_line(2);
    assert!(error.contains("no mesh and no material \"skirt\"; the nearest of 3: \"Shirt\""), "{error}");
    let error = supple(["audit", file, "--between", "body"]).fails_in_one_line(2);
    assert!(error.contains("expected two meshes"), "{error}");
}

#[test]
fn mistakes_are_explained() {
    let error =
        supple(["audit", "zoo:man", "--against", "zoo:chair", "--attach", "hnad_r"]).fails_in_one_line(2);
    assert!(error.contains("zoo:man: there is no bone \"hnad_r\"; the nearest: \"hand_r\""), "{error}");
    let error = supple(["audit", "zoo:blob", "--against", "zoo:chair"]).fails_in_one_line(2);
    assert!(error.contains("zoo:blob with zoo:chair: ") && error.contains("reference shapes"), "{error}");
    let error = supple(["audit", "zoo:man", "--against", "nothing.glb"]).fails_in_one_line(3);
    assert!(error.contains("nothing.glb"), "{error}");
    for needs in
        [&["--attach", "hand_r"][..], &["--offset", "1,2,3"], &["--turn", "1,2,3"], &["--scale", "2"]]
    {
        let error = supple(["audit", "zoo:man"].iter().chain(needs)).fails(2);
        assert!(error.contains("--against"), "{error}");
    }
    let both = ["audit", "zoo:man", "--against", "zoo:chair", "--between", "man,chair"];
    assert!(supple(both).fails(2).contains("cannot be used with"));
}

#[test]
fn bones_of_files_carry_props_by_short_names() {
    let Some(folder) = assets() else { return };
    let rocketbox = folder.join("rocketbox/rocketbox_Male_Adult_01.glb");
    let (report, _) =
        audit(&[text(&rocketbox), "--clip", "m_run_fast_01", "--against", "zoo:chair", "--attach", "R Hand"]);
    let events = report["files"][0]["events"].as_array().unwrap();
    assert!(events.iter().all(|event| event["sides"].to_string().contains("\"mesh\":\"chair\"")));
    assert!(!events.is_empty());
}
