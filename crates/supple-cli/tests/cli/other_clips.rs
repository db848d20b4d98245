//! `--clips`: clips of one file on the character of another.

use std::fs;

use crate::assets::assets;
use crate::supple::{inspect_json, supple, text};

/// A root called like that of the zoo's man, and a bone that he lacks.
const WAVE: &str = "HIERARCHY\nROOT ROOTNAME\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT tail\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0 0 0 0\n0 0 90 0 0 0\n";

#[test]
fn clips_of_the_same_model_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let clips = folder.path().join("man.glb");
    supple(["zoo", "man", "-o", text(&clips)]).ok();
    let write = |name: &str, arguments: &[&str]| {
        let file = folder.path().join(name);
        let run = supple(["deform", "zoo:man", "--time", "0.4", "-o", text(&file)].iter().chain(arguments));
        assert_eq!(run.code, 0, "{}", run.stderr);
        (fs::read(file).unwrap(), run.stderr)
    };
    let (own, _) = write("own.obj", &["--clip", "walk"]);
    let (other, said) = write("other.obj", &["--clips", text(&clips), "--clip", "man.glb:walk"]);
    assert!(own == other, "other vertices");
    assert!(said.contains("man.glb: ") && said.contains("bones"), "{said}");
}

#[test]
fn bones_of_one_side_are_listed_and_mistakes_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (wave, strange) = (folder.path().join("tail_turn.bvh"), folder.path().join("strange.bvh"));
    let man = supple_zoo::make("man", 0).unwrap();
    fs::write(&wave, WAVE.replace("ROOTNAME", man.joint_name(supple::JointId(0)))).unwrap();
    fs::write(&strange, WAVE.replace("ROOTNAME", "mixamorig:what").replace("tail", "mixamorig:tail"))
        .unwrap();
    let report = supple(["inspect", "zoo:man", "--clips", text(&wave)]).ok();
    assert!(report.contains("1 clip on 1 bone") && report.contains("not in the character: tail"), "{report}");
    let report = supple(["inspect", "zoo:man", "--json", "--clips", text(&wave)]).ok();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["other_clips"][0]["superfluous"][0], "tail");
    assert_eq!(report["other_clips"][0]["clips"][0], "tail_turn");
    let error = supple(["inspect", "zoo:man", "--clips", text(&strange)]).fails_in_one_line(2);
    assert!(error.contains("strange.bvh") && error.contains("--ignore-prefix"), "{error}");
    let error = supple(["inspect", text(&wave)]).fails_in_one_line(3);
    assert!(error.contains("--clips"), "{error}");
    let error = supple(["inspect", "zoo:man", "--clips", "zoo:chair:x"]).fails_in_one_line(2);
    assert!(error.contains("not a number"), "{error}");
}

#[test]
fn two_people_of_one_recording_meet() {
    let Some(folder) = assets() else { return };
    let (person, bvh) =
        (folder.join("makehuman/makehuman_cmu_A.glb"), |name: &str| folder.join("bvh").join(name));
    let (a, b) = (bvh("cmu_18_01.bvh"), bvh("cmu_19_01.bvh"));
    let run = supple([
        "collide",
        text(&person),
        text(&person),
        "--clips-a",
        text(&a),
        "--clip-a",
        "cmu_18_01",
        "--clips-b",
        text(&b),
        "--clip-b",
        "cmu_19_01",
        "--fps",
        "4",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("LeftHandIndex1"), "{}", run.stderr);
    assert_eq!(inspect_json(text(&person))["other_clips"].as_array().unwrap().len(), 0);
}
