//! `supple-lab drop`: what it prints, writes and refuses.

use crate::lab::{lab, text};

#[test]
fn a_short_fall_is_told_and_written() {
    let folder = tempfile::tempdir().unwrap();
    let (film, sheet) = (folder.path().join("chairs.glb"), folder.path().join("chairs.png"));
    let said = lab(["drop", "chairs", "--count", "2", "--seconds", "0.2", "--out", text(&film)]).ok();
    for word in ["2 bodies", "10 modes", "0.20 seconds in 60 steps", "broad phase", "flexible / rigid:"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 100 || line.starts_with("written")), "{said}");
    let model = supple_io::load(&film).unwrap();
    assert_eq!((model.parts().len(), model.clips().len()), (2, 1));
    assert!((model.clips()[0].duration() - 0.2).abs() < 1e-6);
    let said =
        lab(["drop", "chairs", "--count", "1", "--seconds", "0.05", "--rigid", "--out", text(&sheet)]).ok();
    assert!(!said.contains("flexible"), "{said}");
    assert!(std::fs::read(&sheet).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn the_curtain_is_compared_with_layers() {
    let said = lab(["drop", "curtain", "--seconds", "0.1"]).ok();
    for word in ["110 frames", "on demand", "layered", "paper: BD-Tree", "layered / on demand:"] {
        assert!(said.contains(word), "{word} in {said}");
    }
    assert!(said.lines().all(|line| line.chars().count() <= 100), "{said}");
}

#[test]
fn bad_scenes_and_numbers_are_refused_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing/x.glb");
    for (arguments, expected) in [
        ("chairs --count 0", "1 to 20000"),
        ("chairs --count 20001", "1 to 20000"),
        ("curtain --count 101", "1 to 100"),
        ("chairs --rate 5", "30 to 10000"),
        ("chairs --seconds 1e9", "too many"),
        ("chairs --count 65 --out x.glb", "write a .png instead"),
        ("chairs --out x.gif", "expected .glb or .png"),
        ("chairs --out x", "expected .glb or .png"),
    ] {
        let error = lab(["drop"].into_iter().chain(arguments.split(' '))).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    for arguments in [
        "boats",
        "chairs --seconds 0",
        "chairs --seconds nan",
        "chairs --rigid --flexible",
        "chairs --count -1",
    ] {
        let error = lab(["drop"].into_iter().chain(arguments.split(' '))).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
    let error = lab(["drop", "boats"]).fails(2);
    assert!(error.contains("chairs, fish, curtain"), "{error}");
    let error = lab(["drop", "chairs", "--out", text(&missing)]).fails_in_one_line(4);
    assert!(error.contains("cannot be written"), "{error}");
}
