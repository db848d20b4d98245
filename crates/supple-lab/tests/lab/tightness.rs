//! `supple-lab tightness`: ratios of at least one, and no vertex outside a bound.

use std::fs;

use serde_json::Value;
use supple::{BuildOptions, Shape};

use crate::lab::{lab, text};

fn tightness_json(arguments: &str) -> Value {
    let run = lab(["tightness"].into_iter().chain(arguments.split(' ')).chain(["--json"]));
    serde_json::from_str(&run.ok()).unwrap()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

#[test]
fn bounds_are_never_smaller_than_the_smallest() {
    let report = tightness_json("zoo:man --clip walk --samples 2");
    assert_eq!((&report["poses"], list(&report["skinnings"]).len()), (&2.into(), 3));
    for measured in list(&report["skinnings"]) {
        let names: Vec<&str> =
            list(&measured["bounds"]).iter().map(|b| b["name"].as_str().unwrap()).collect();
        let paper = match measured["skinning"].as_str().unwrap() {
            "linear" => ["thesis-5.2-sphere", "thesis-5.2-box"],
            "spherical" => ["thesis-6.1-sphere", "thesis-6.1-box"],
            _ => ["dual-quaternion-sphere", "dual-quaternion-box"],
        };
        assert_eq!((&names[..2], &names[2..]), (&["box", "ball"][..], &paper[..]));
        for bounds in list(&measured["bounds"]) {
            assert_eq!(bounds["violations"], 0);
            let levels = list(&bounds["levels"]);
            assert!(levels.len() > 3 && levels[0]["nodes"] == 1, "{levels:?}");
            let nodes: u64 = levels.iter().map(|l| l["nodes"].as_u64().unwrap()).sum();
            assert_eq!(nodes, report["nodes"].as_u64().unwrap());
            for level in levels {
                let (mean, worst) = (level["mean"].as_f64().unwrap(), level["worst"].as_f64().unwrap());
                assert!((1.0..=worst).contains(&mean), "{level}");
            }
        }
        let root = &measured["bounds"][1]["levels"][0];
        assert!(root["mean"].as_f64().unwrap() < 1.5, "the ball of a walking man is tight: {root}");
    }
}

#[test]
fn models_of_one_joint_are_measured_once() {
    for (animal, paper) in [("chair", "bd-tree"), ("dolphin", "morph")] {
        let text = lab(["tightness", &format!("zoo:{animal}"), "--samples", "2"]).ok();
        assert_eq!(text.matches(" skinning\n").count(), 1, "{text}");
        for expected in ["linear skinning", "; 2 poses", "contains all vertices below it"] {
            assert!(text.contains(expected), "{expected:?} in\n{text}");
        }
        let header: Vec<&str> = text.lines().nth(3).unwrap().split_whitespace().collect();
        let of_paper = ["sphere", "box"].map(|volume| format!("{paper}-{volume}"));
        let expected =
            ["level", "nodes", "box", "worst", "ball", "worst", &of_paper[0], "worst", &of_paper[1], "worst"];
        assert_eq!(header, expected, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
    }
}

#[test]
fn unknown_clips_and_no_samples_are_bad_usage() {
    let error = lab(["tightness", "zoo:dolphin", "--clip", "fly"]).fails_in_one_line(2);
    assert!(error.contains("\"fly\""), "{error}");
    lab(["tightness", "zoo:dolphin", "--samples", "0"]).fails(2);
    lab(["tightness", "zoo:dolphin", "--skinning", "cubic"]).fails(2);
}

#[test]
fn damaged_shapes_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dolphin.supple");
    let dolphin = supple_zoo::make("dolphin", 0).unwrap();
    let mut bytes = Shape::build(dolphin, &BuildOptions::default()).unwrap().to_bytes().unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    let error = lab(["tightness", text(&file)]).fails_in_one_line(3);
    assert_eq!(error.matches("dolphin.supple").count(), 1, "{error}");
}
