//! `supple build` and the files that it writes.

use std::fs;

use crate::supple::{supple, text};

#[test]
fn a_built_shape_is_read_like_any_model() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hand.supple");
    let said = supple(["build", "zoo:hand", "-o", text(&file)]).ok();
    assert!(said.contains("4,800 triangles"), "{said}");
    let inspected = supple(["inspect", text(&file)]).ok();
    assert!(inspected.contains("supple shape") && inspected.contains("joints         19"), "{inspected}");
    let frames = |file: &str| {
        let run = supple([
            "collide",
            file,
            "--clip-a",
            "0",
            "--frames",
            "2",
            "--offset-b",
            "0.05,0,0",
            "--json",
            "-",
        ]);
        let json: serde_json::Value = serde_json::from_str(&run.ok()).unwrap();
        (json["frames"][0]["pairs"].clone(), json["frames"][1]["pairs"].clone(), json["a"]["nodes"].clone())
    };
    assert_eq!(frames(text(&file)), frames("zoo:hand"));
}

#[test]
fn damaged_shapes_and_bad_places_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("dolphin.supple");
    supple(["build", "zoo:dolphin", "-o", text(&file)]).ok();
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).unwrap();
    for command in ["inspect", "collide"] {
        let error = supple([command, text(&file)]).fails_in_one_line(3);
        assert_eq!(error.matches("dolphin.supple").count(), 1, "{error}");
    }
    let error = supple(["collide", "missing.supple"]).fails_in_one_line(3);
    assert!(error.contains("missing.supple: cannot be read"), "{error}");
    assert!(supple(["build", "zoo:dolphin", "-o", "x.glb"]).fails_in_one_line(2).contains(".supple"));
    let nowhere = folder.path().join("nowhere/x.supple");
    supple(["build", "zoo:dolphin", "-o", text(&nowhere)]).fails_in_one_line(4);
}
