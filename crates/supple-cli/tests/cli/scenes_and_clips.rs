//! Files with several scenes, and with a clip that is wrong.

use std::fs;
use std::path::PathBuf;

use base64::Engine;
use serde_json::{Value, json};

use crate::supple::{inspect_json, supple, text};

/// Two scenes: a triangle, and two of them. The clip `Broken` goes back in time.
fn write_file(folder: &tempfile::TempDir) -> PathBuf {
    let numbers: [f32; 21] = [
        0., 0., 0., 1., 0., 0., 0., 1., 0., /* times */ 0., 1., 1., 0.5, /* translations */ 0., 0.,
        0., 0., 1., 0., 0., 0.,
    ];
    let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let data = base64::prelude::BASE64_STANDARD.encode(&bytes);
    let accessor = |offset: usize, kind: &str, count: usize| json!({ "bufferView": 0, "byteOffset": offset * 4, "componentType": 5126, "type": kind, "count": count });
    let clip = |name: &str, times: usize| {
        json!({
            "name": name,
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
            "samplers": [{ "input": times, "output": 3 }],
        })
    };
    let file: Value = json!({
        "asset": { "version": "2.0" },
        "buffers": [{ "byteLength": bytes.len(), "uri": format!("data:;base64,{data}") }],
        "bufferViews": [{ "buffer": 0, "byteLength": bytes.len() }],
        "accessors": [accessor(0, "VEC3", 3), accessor(9, "SCALAR", 2), accessor(11, "SCALAR", 2), accessor(13, "VEC3", 2)],
        "meshes": [{ "primitives": [{ "attributes": { "POSITION": 0 } }] }],
        "nodes": [{ "name": "one", "mesh": 0 }, { "name": "two", "mesh": 0 }],
        "scenes": [{ "name": "Alone", "nodes": [0] }, { "name": "Both", "nodes": [0, 1] }],
        "animations": [clip("Good", 1), clip("Broken", 2)],
    });
    let path = folder.path().join("scenes.gltf");
    fs::write(&path, file.to_string()).unwrap();
    path
}

#[test]
fn scenes_are_listed_and_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(&folder);
    let report = inspect_json(text(&file));
    assert_eq!((&report["scenes"], &report["scene"]), (&json!(["Alone", "Both"]), &json!(0)));
    assert_eq!(report["surface"]["triangles"], 1);
    for scene in ["Both", "1"] {
        let report = supple(["inspect", text(&file), "--scene", scene]).ok();
        assert!(report.contains("2, read is 1: 0 Alone, 1 Both"), "{report}");
    }
    for command in ["inspect", "audit"] {
        let error = supple([command, text(&file), "--scene", "Cellar"]).fails_in_one_line(2);
        assert!(error.contains("the file has 0 \"Alone\", 1 \"Both\""), "{error}");
    }
    let error = supple(["inspect", "zoo:man", "--scene", "0"]).fails_in_one_line(2);
    assert!(error.contains("only glTF files have scenes"), "{error}");
    let run = supple(["collide", text(&file), text(&file), "--scene-a", "Both", "--json", "-"]);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!((&json["a"]["triangles"], &json["b"]["triangles"]), (&json!(2), &json!(1)));
}

#[test]
fn a_clip_that_is_left_out_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = write_file(&folder);
    let note = "animation 1 (Broken): channel 0: key 1 is at 0.5 s";
    let problems = inspect_json(text(&file))["problems"].to_string();
    assert!(problems.contains(note) && problems.contains("1 node with a mesh is not in it"), "{problems}");
    let output = folder.path().join("posed.obj");
    let run = supple(["deform", text(&file), "--clip", "Good", "-o", text(&output)]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(
        run.stderr.lines().all(|line| line.starts_with("note: ")) && run.stderr.contains(note),
        "{}",
        run.stderr
    );
    for arguments in [
        vec!["deform", text(&file), "--clip", "Broken", "-o", text(&output)],
        vec!["collide", text(&file), "--clip-a", "Broken"],
        vec![
            "ray",
            text(&file),
            "--from",
            "0,0,5",
            "--direction",
            "0,0,-1",
            "--clip",
            "Broken",
            "--time",
            "0",
        ],
    ] {
        let run = supple(arguments);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(
            run.stderr.contains(note) && run.stderr.contains("there is no clip \"Broken\""),
            "{}",
            run.stderr
        );
    }
}
