//! Files that are not there, not models, or not writable; readers that go away.

use std::fs;
use std::io::Read;
use std::process::{Command, Stdio};

use crate::supple::{supple, text};

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.glb");
    for command in ["inspect", "deform"] {
        let mut arguments = vec![command, text(&missing)];
        if command == "deform" {
            arguments.extend(["-o", "x.obj"]);
        }
        let error = supple(arguments).fails_in_one_line(3);
        assert!(error.contains("missing.glb: cannot be read"), "{error}");
    }
}

#[test]
fn garbage_is_an_error_and_told_once() {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in [
        ("noise.glb", &b"\x93\x17 this is no model \x00\xff"[..]),
        ("cut.glb", b"glTF\x02\x00\x00\x00\xff\x00\x00\x00"),
        ("text.gltf", b"{ \"asset\": "),
        ("empty.obj", b""),
        ("kind.doc", b"v 0 0 0"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let error = supple(["inspect", text(&file)]).fails_in_one_line(3);
        assert_eq!(error.matches(name).count(), 1, "{error}");
    }
}

#[test]
fn what_is_no_model_at_first_sight_is_told_plainly() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &str| {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        file
    };
    for (file, expected) in [
        (folder.path().to_owned(), "this is a folder"),
        (write("bare", "v 0 0 0"), "has no extension"),
        (write("empty.glb", ""), "the file is empty"),
        (write("empty.supple", ""), "the file is empty"),
        (write("kind.stl", "solid"), ", .supple"),
    ] {
        for command in ["inspect", "collide"] {
            let error = supple([command, text(&file)]).fails_in_one_line(3);
            assert!(error.contains(expected) && !error.contains("\"\""), "{error}");
        }
    }
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = folder.path().join("nowhere");
    for arguments in ["zoo dolphin", "deform zoo:dolphin", "deform zoo:dolphin --clip 0 --frames 2"] {
        let file = nowhere.join("x.obj");
        let error = supple(arguments.split(' ').chain(["-o", text(&file)])).fails_in_one_line(4);
        assert!(error.contains("nowhere") && error.contains("cannot be written"), "{error}");
    }
    for name in ["x.glb", "x.pc2", "x.mdd"] {
        let file = nowhere.join(name);
        let error = supple(["deform", "zoo:dolphin", "-o", text(&file)]).fails_in_one_line(4);
        assert!(error.contains(name), "{error}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    // The pipe is closed before the model is made, long before anything is written.
    let mut run = Command::new(env!("CARGO_BIN_EXE_supple"))
        .args(["inspect", "zoo:chair", "--json"])
        .env("SUPPLE_NO_PROGRESS", "1")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(run.stdout.take());
    let mut stderr = String::new();
    run.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!((run.wait().unwrap().code(), stderr.as_str()), (Some(0), ""));
}
