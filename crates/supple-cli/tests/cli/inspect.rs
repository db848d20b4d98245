//! `supple inspect` on animals, whose figures are known.

use std::fs;

use serde_json::Value;

use crate::supple::{inspect_json, same_keys, supple, text};

#[test]
fn the_man_at_a_glance() {
    let report = supple(["inspect", "zoo:man"]).ok();
    let model = supple_zoo::make("man", 0).unwrap();
    for expected in ["zoo, detail 0", "closed", "joints         27", "parts\n", "clips\n", "walk", "twist"] {
        assert!(report.contains(expected), "{expected:?} in\n{report}");
    }
    let last = format!("0-{} ", model.mesh().positions().len() - 1);
    assert!(report.contains(&last), "{last} in\n{report}");
    assert!(report.lines().all(|line| line.chars().count() <= 100), "{report}");
}

#[test]
fn the_man_in_figures() {
    let report = inspect_json("zoo:man");
    let model = supple_zoo::make("man", 0).unwrap();
    let vertices = model.mesh().positions().len();
    assert_eq!(report["surface"]["vertices"], vertices);
    assert_eq!(report["surface"]["triangles"], model.mesh().triangles().len());
    assert_eq!(report["surface"]["closed"], true);
    assert_eq!(report["joints"].as_array().unwrap().len(), 27);
    assert_eq!(report["influences"]["max"], model.skin().max_influences());
    let histogram = report["influences"]["histogram"].as_array().unwrap();
    assert_eq!(histogram.iter().map(|h| h["vertices"].as_u64().unwrap()).sum::<u64>(), vertices as u64);
    let sets = report["joint_sets"]["by_size"].as_array().unwrap();
    assert_eq!(sets.iter().map(|s| s["sets"].as_u64().unwrap()).sum::<u64>(), report["joint_sets"]["count"]);
    for (clip, shown) in model.clips().iter().zip(report["clips"].as_array().unwrap()) {
        assert_eq!(
            (shown["name"].as_str(), shown["duration"].as_f64()),
            (Some(clip.name()), Some(clip.duration()))
        );
    }
    assert_eq!(report["scale"]["skinning_at_rest"]["none"], 27);
}

#[test]
fn detail_and_morph_targets_are_counted() {
    assert_eq!(inspect_json("zoo:dolphin:2")["surface"]["triangles"], 9024);
    let chair = inspect_json("zoo:chair");
    assert_eq!(chair["morphs"]["kind"], "displacements");
    assert_eq!(chair["morphs"]["targets"].as_array().unwrap().len(), 10);
    assert!(chair["morphs"]["targets"][0]["vertices"].as_u64().unwrap() > 1000);
    let blob = inspect_json("zoo:blob");
    assert_eq!(blob["morphs"]["kind"], "shapes");
    assert_eq!(blob["morphs"]["targets"][0]["vertices"], 0);
    assert!(blob["morphs"]["targets"][1]["vertices"].as_u64().unwrap() > 1000);
}

#[test]
fn faults_of_a_surface_are_found() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("faults.obj");
    // A square, one half of it twice, and a triangle without area; vertex 5 is in none.
    let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 5 5 5\nv 2 0 0\nf 1 2 3\nf 1 3 4\nf 3 1 2\nf 1 2 6\n";
    fs::write(&file, obj).unwrap();
    let report = supple(["inspect", text(&file)]).ok();
    for expected in [
        "open, ",
        "1 triangle without area",
        "1 triangle with the same corners as an earlier one",
        "edges with more than two triangles",
        "1 vertex in no triangle",
    ] {
        assert!(report.contains(expected), "{expected:?} in\n{report}");
    }
}

#[test]
fn what_other_commands_refuse_is_known_before() {
    let folder = tempfile::tempdir().unwrap();
    let [far, still] = ["far.obj", "still.obj"].map(|name| folder.path().join(name));
    fs::write(&far, "v 0 0 0\nv 1e19 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    fs::write(&still, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    // The reasons are those of the commands themselves.
    for (file, arguments) in [
        (&far, &["collide"][..]),
        (&far, &["ray", "--from", "0,0,5", "--direction", "0,0,-1"]),
        (&far, &["audit"]),
        (&still, &["chains"]),
    ] {
        let report = inspect_json(text(file));
        let refused = report["refused"].as_array().unwrap().iter();
        let told = refused.filter(|one| one["commands"].as_str().unwrap().contains(arguments[0]));
        let told: Vec<&str> = told.map(|one| one["why"].as_str().unwrap()).collect();
        let run = supple([arguments[0], text(file)].into_iter().chain(arguments[1..].iter().copied()));
        let error = run.fails(3);
        assert!(told.iter().any(|why| error.contains(why)), "{arguments:?}: {error}\n{told:?}");
    }
    let report = inspect_json("zoo:man");
    assert_eq!(report["refused"].as_array().unwrap().len(), 0, "{}", report["refused"]);
    let said = supple(["inspect", text(&still)]).ok();
    assert!(
        said.contains("not for every command") && said.contains("fit, reduce --pca: the model has no clips"),
        "{said}"
    );
}

#[test]
fn the_json_in_the_help_is_the_json_that_is_printed() {
    let sample: Value = serde_json::from_str(include_str!("../../src/inspect/sample.json")).unwrap();
    for file in ["zoo:man", "zoo:chair"] {
        same_keys("", &sample, &inspect_json(file));
    }
}
