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
    assert!(said.starts_with("note: ") && said.contains("man.glb: ") && said.contains("bones"), "{said}");
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
    assert!(report.contains("tail_turn.bvh: only 1 of "), "{report}");
    assert!(
        report.contains("bones are moved; 1 clip\n") && report.contains("not in the character: tail"),
        "{report}"
    );
    let report = supple(["inspect", "zoo:man", "--json", "--clips", text(&wave)]).ok();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["other_clips"][0]["superfluous"][0], "tail");
    assert_eq!(report["other_clips"][0]["clips"][0], "tail_turn");
    let error = supple(["inspect", "zoo:man", "--clips", text(&strange)]).fails_in_one_line(2);
    assert!(error.contains("strange.bvh") && error.contains("(--ignore-prefix mixamorig:)"), "{error}");
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

/// Names that differ in case and separators alone: the option that helps is proposed, and helps.
#[test]
fn an_empty_prefix_is_proposed_where_it_helps() {
    let folder = tempfile::tempdir().unwrap();
    let shouted = folder.path().join("shouted.bvh");
    fs::write(&shouted, WAVE.replace("ROOTNAME", "HIPS").replace("tail", "Upper.Arm.L")).unwrap();
    let error = supple(["inspect", "zoo:man", "--clips", text(&shouted)]).fails_in_one_line(2);
    assert!(error.contains("(--ignore-prefix '')"), "{error}");
    let report = supple(["inspect", "zoo:man", "--clips", text(&shouted), "--ignore-prefix", ""]).ok();
    assert!(report.contains("only 2 of "), "{report}");
    for arguments in [&["inspect", "zoo:man"][..], &["collide", "zoo:man", "zoo:man"]] {
        let run = supple(arguments.iter().chain(&["--ignore-prefix", "a"]));
        assert!(run.code == 2 && run.stderr.contains("--clips"), "{}", run.stderr);
    }
    let b = ["collide", "zoo:man", "zoo:man", "--clips-b", "zoo:man", "--ignore-prefix", "a", "--fps", "1"];
    assert_eq!(supple(b).code, 0);
}

/// Lines on stderr are short notes; `inspect` has all names, whole, without what they begin with.
#[test]
fn notes_fit_into_a_line_and_inspect_has_everything() {
    let Some(folder) = assets() else { return };
    let (vrm, bvh) = (folder.join("vrm/100Avatars_013_Mint.vrm"), folder.join("bvh/cmu_02_01.bvh"));
    let clips = ["--clips", text(&bvh), "--ignore-prefix", "mixamorig:"];
    let ray =
        ["ray", text(&vrm), "--clip", "cmu_02_01", "--time", "1.2", "--view", "side", "--pixel", "320,200"];
    let run = supple(ray.iter().chain(&clips));
    assert_eq!(run.code, 0, "{}", run.stderr);
    for line in run.stderr.lines() {
        assert!(line.starts_with("note: ") && line.chars().count() <= 110, "{line}");
    }
    assert!(run.stderr.lines().next().unwrap().contains("cmu_02_01.bvh: only "), "{}", run.stderr);
    assert!(run.stderr.contains("the motion is turned by 180 degrees about Y"), "{}", run.stderr);
    assert!(run.stderr.contains("… and ") && !run.stderr.contains("mixamorig:"), "{}", run.stderr);
    let report = supple(["inspect", text(&vrm)].iter().chain(&clips)).ok();
    let (_, about) = report.split_once("cmu_02_01.bvh: only ").unwrap();
    assert!(about.contains("RightHandThumb3") && !about.contains("mixamorig:"), "{about}");
    assert!(!about.contains('…'), "{about}");
}

/// A folder of clips: those that fit are played, the others are said; a character among them does not play its own again.
#[test]
fn all_clips_of_a_folder_that_fit_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let clips = folder.path().join("clips");
    fs::create_dir_all(clips.join("deeper")).unwrap();
    let (man, chair) = (clips.join("man.glb"), clips.join("bare.glb"));
    supple(["zoo", "man", "-o", text(&man)]).ok();
    supple(["deform", "zoo:man", "-o", text(&chair)]).ok(); // no clips
    let root = supple_zoo::make("man", 0).unwrap().joint_name(supple::JointId(0)).to_owned();
    fs::write(clips.join("deeper/turn.bvh"), WAVE.replace("ROOTNAME", &root)).unwrap();
    fs::write(clips.join("strange.BVH"), WAVE.replace("ROOTNAME", "what")).unwrap();
    fs::write(clips.join("readme.txt"), "no clips").unwrap();
    fs::write(clips.join(".hidden.bvh"), "broken").unwrap();
    let clips_of = |character: &str| {
        let run = supple(["inspect", character, "--json", "--clips", text(&clips)]);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let names = report["clips"].as_array().unwrap().iter().map(|clip| clip["name"].as_str().unwrap());
        let files = report["other_clips"].as_array().unwrap().iter().map(|file| {
            let name = file["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
            (name, file["clips"].as_array().unwrap().len())
        });
        (names.map(str::to_owned).collect::<Vec<_>>(), files.collect::<Vec<_>>())
    };
    let file = |name: &str, clips| (name.to_owned(), clips);
    let (names, files) = clips_of("zoo:human");
    assert_eq!(files, [file("bare.glb", 0), file("turn.bvh", 1), file("man.glb", 6), file("strange.BVH", 0)]);
    assert_eq!(names.len(), 6 + 7);
    assert!(names.contains(&"turn".to_owned()) && names.contains(&"man.glb:walk".to_owned()), "{names:?}");
    let (names, files) = clips_of(text(&man));
    assert_eq!((names.len(), files.len()), (6 + 1, 3));
    // Only what is not played, or moves little, is worth a note.
    let run = supple([
        "deform",
        "zoo:dwarf",
        "--clips",
        text(&clips),
        "--clip",
        "turn",
        "--format",
        "obj",
        "-o",
        "-",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let lines: Vec<&str> =
        run.stderr.lines().filter(|line| line.contains(".glb: ") || line.contains(": not")).collect();
    assert_eq!(lines.len(), 2, "{}", run.stderr);
    assert!(lines.iter().all(|line| line.ends_with(": not played")), "{lines:?}");
    assert!(
        run.stderr.contains("has no clips") && run.stderr.contains("no bone has the name"),
        "{}",
        run.stderr
    );
}

#[test]
fn folders_of_clips_without_any_that_fits_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let (clips, bare) = (folder.path().join("clips"), folder.path().join("bare.glb"));
    fs::create_dir(&clips).unwrap();
    let error = supple(["inspect", "zoo:man", "--clips", text(&clips)]).fails_in_one_line(3);
    assert!(error.contains("no clips in this folder, expected .glb"), "{error}");
    let strange = clips.join("strange.bvh");
    fs::write(&strange, WAVE.replace("ROOTNAME", "what")).unwrap();
    supple(["deform", "zoo:man", "-o", text(&bare)]).ok();
    let error = supple(["inspect", text(&bare), "--clips", text(&clips)]).fails_in_one_line(2);
    assert!(error.contains("bare.glb: has no clips, and none of 1 file fits: "), "{error}");
    assert!(error.contains("strange.bvh: no bone has the name"), "{error}");
    fs::write(&strange, "broken").unwrap();
    let error = supple(["inspect", "zoo:man", "--clips", text(&clips)]).fails_in_one_line(3);
    assert!(error.contains("strange.bvh"), "{error}");
    // A file of the folder is an input.
    let taken = clips.join("taken.glb");
    fs::copy(&bare, &taken).unwrap();
    fs::remove_file(&strange).unwrap();
    let error =
        supple(["deform", "zoo:man", "--clips", text(&clips), "-o", text(&taken)]).fails_in_one_line(2);
    assert!(error.contains("taken.glb: this would overwrite the input"), "{error}");
}

/// Every character of a folder plays every clip of another.
#[test]
fn a_folder_of_characters_plays_a_folder_of_clips() {
    let folder = tempfile::tempdir().unwrap();
    let [characters, clips] = ["characters", "clips"].map(|name| folder.path().join(name));
    fs::create_dir(&characters).unwrap();
    fs::create_dir(&clips).unwrap();
    let root = supple_zoo::make("man", 0).unwrap().joint_name(supple::JointId(0)).to_owned();
    for name in ["man", "dwarf"] {
        supple(["zoo", name, "-o", text(&characters.join(format!("{name}.glb")))]).ok();
    }
    for name in ["one", "two"] {
        fs::write(clips.join(format!("{name}.bvh")), WAVE.replace("ROOTNAME", &root)).unwrap();
    }
    let run = supple([
        "audit",
        text(&characters),
        "--clips",
        text(&clips),
        "--clip",
        "one",
        "--clip",
        "two",
        "--fps",
        "2",
        "--json",
        "-",
    ]);
    assert!(run.code < 2, "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let files = report["files"].as_array().unwrap();
    assert_eq!(files.len(), 2);
    for file in files {
        let names: Vec<_> = file["clips"].as_array().unwrap().iter().map(|clip| &clip["name"]).collect();
        assert_eq!(names, ["one", "two"], "{file}");
    }
}
