//! FBX files, and what a build without their reader says.

use std::path::Path;

use crate::supple::{supple, text};

/// A square of 1 m, skinned, with a blend shape and a clip.
const SQUARE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../supple-io/tests/fbx_files/square.fbx");

#[cfg(feature = "fbx")]
#[test]
fn a_file_is_inspected_deformed_and_found_in_a_folder() {
    use crate::supple::inspect_json;
    use std::fs;

    let report = supple(["inspect", SQUARE]).ok();
    for line in
        ["FBX (text), converted to metres", "rest pose      1 x 1 x 0", "turn", "bulge", "no problems"]
    {
        assert!(report.contains(line), "{line}: {report}");
    }
    assert_eq!(inspect_json(SQUARE)["problems"].as_array().unwrap().len(), 0);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("turned.obj");
    supple(["deform", SQUARE, "--clip", "turn", "--time", "1", "-o", text(&out)]).ok();
    let turned = supple_io::load(&out).unwrap();
    assert!(turned.mesh().positions()[2].distance(glam::Vec3::new(0.0, 2.0, 0.0)) < 1e-5);
    fs::copy(SQUARE, folder.path().join("Square.FBX")).unwrap();
    assert!(supple(["audit", text(folder.path())]).ok().contains("Square.FBX"));
}

#[cfg(feature = "fbx")]
#[test]
fn clips_without_a_mesh_are_an_error_that_says_so() {
    use std::fs;

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("walk.fbx");
    fs::write(&file, fs::read_to_string(SQUARE).unwrap().replace("C: \"OO\",10,20", "")).unwrap();
    let error = supple(["inspect", text(&file)]).fails_in_one_line(3);
    assert!(error.contains("clips without a mesh"), "{error}");
}

#[cfg(not(feature = "fbx"))]
#[test]
fn a_build_without_the_reader_says_how_to_get_it() {
    let error = supple(["inspect", SQUARE]).fails_in_one_line(3);
    assert!(error.contains("--no-default-features"), "{error}");
}

#[test]
fn help_names_the_format() {
    assert!(Path::new(SQUARE).is_file());
    assert!(supple(["--help"]).ok().contains(".fbx"));
}
