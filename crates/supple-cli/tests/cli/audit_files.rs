//! `supple audit` and files: folders, broken files, files without the clip, names that would harm, options out of range.

use std::fs;
use std::process::Command;

use serde_json::{Value, json};

use crate::audit_models::{at_ten, audit, audit_json, hand_and_thigh, written};
use crate::outputs::names;
use crate::supple::{supple, text};

#[test]
fn folders_are_searched_and_broken_files_do_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("b/c");
    fs::create_dir_all(&inner).unwrap();
    written(folder.path(), "z.glb", 5.0);
    written(&inner, "a.GLB", 2.05);
    fs::write(folder.path().join("notes.txt"), "no model").unwrap();
    fs::write(folder.path().join(".hidden.glb"), "no model").unwrap();
    let json = audit_json(&at_ten(folder.path()));
    let files = |json: &Value| -> Vec<String> {
        let files = json["files"].as_array().unwrap().iter();
        files.map(|f| f["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(files(&json), ["a.GLB", "z.glb"]);
    let totals = &json["totals"];
    assert_eq!((&totals["fault"], &totals["frames"], &totals["clips"]), (&json!(1), &json!(22), &json!(2)));
    fs::write(inner.join("broken.glb"), "glTF?").unwrap();
    let run = audit(&at_ten(folder.path()));
    assert_eq!(run.code, 3, "a file that was not audited weighs more than a fault");
    assert!(run.stdout.contains("a.GLB: 24 triangles") && run.stdout.contains("z.glb: 24 triangles"));
    assert!(
        run.stdout
            .contains("z.glb: 24 triangles, 2 bones, size 6.20\n  1 clip, 11 frames\n  clean: no triangles")
    );
    assert!(
        run.stdout.contains("2 of 3 files, 2 clips, 22 frames: 1 fault to look at; 1 file not audited.\n"),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("1 of 3 files could not be audited"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("broken.glb").count(), 1, "{}", run.stderr);
    let run = audit(&format!("{} --json -", at_ten(folder.path())));
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    assert!(json["failed"][0]["file"].as_str().unwrap().ends_with("b/c/broken.glb"));
    assert!(!json["failed"][0]["error"].as_str().unwrap().is_empty());
    let empty = tempfile::tempdir().unwrap();
    assert!(audit(text(empty.path())).fails_in_one_line(3).contains("no model in this folder"));
}

#[test]
fn files_without_the_clip_are_passed_over_unless_no_file_has_it() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "a.glb", 2.05);
    hand_and_thigh(&folder.path().join("b.glb"), ["thigh", "hand"], "pull", 2.05);
    let (all, page) = (text(folder.path()), folder.path().join("page.html"));
    let run = audit(&format!("--clip push {all} --fps 10 --html {}", text(&page)));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("b.glb: has no clip \"push\", skipped"), "{}", run.stdout);
    assert!(run.stdout.contains("1 of 2 files, 1 clip, 11 frames: 1 fault to look at; 1 file skipped."));
    assert!(fs::read_to_string(&page).unwrap().contains("has no clip &quot;push&quot;"));
    let json = audit_json(&format!("{all} --clip push --clip pull"));
    assert_eq!((&json["totals"]["files"], &json["totals"]["clips"]), (&json!(2), &json!(2)));
    assert_eq!(json["files"][0]["missing_clips"], json!(["pull"]));
    assert_eq!(json["skipped"], json!([]));

    let run = audit(&format!("{all} --clip push --clip fly --fps 10"));
    assert_eq!(run.code, 2);
    assert!(run.stdout.contains("has no clip \"fly\"") && run.stdout.contains("thigh"), "{}", run.stdout);
    assert!(run.stderr.contains("none of 2 files has the clip"), "{}", run.stderr);
    assert!(run.stderr.contains("a.glb: there is no clip \"fly\"; the model has 1 clip"), "{}", run.stderr);
    let alone = folder.path().join("a.glb");
    let error = audit(&format!("{} --clip push --clip fly", text(&alone))).fails_in_one_line(2);
    assert!(error.contains("there is no clip \"fly\""), "{error}");
}

#[test]
fn the_page_stands_alone_and_names_are_text_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("<hero>&.glb"), folder.path().join("page.html"));
    let clip = "<script>alert(1)</script>\u{1b}[2J";
    hand_and_thigh(&file, ["<b>x\u{7}", "zz\"'\u{7}"], clip, 2.05);
    let arguments = ["audit", text(&file), "--fps", "10", "--hints", "--html", text(&page)];
    let run = supple(arguments);
    assert_eq!(run.code, 1, "{}", run.stderr);
    for said in [&run.stdout, &run.stderr] {
        assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
    }
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    for expected in
        ["&lt;hero&gt;&amp;.glb", "&lt;script&gt;alert(1)&lt;/script&gt;", "data:image/png;base64,iVBOR"]
    {
        assert!(html.contains(expected), "{expected}");
    }
    for forbidden in ["<script>alert", "<b>x", "<hero>", "http://", "https://", "<link", "@import"] {
        assert!(!html.contains(forbidden), "{forbidden}");
    }
}

#[test]
fn models_without_clips_skins_or_triangles_have_defined_answers() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, contents: &str| {
        let file = folder.path().join(name);
        fs::write(&file, contents).unwrap();
        file
    };
    let crossing = "v 0 0 0\nv 2 0 0\nv 0 2 0\nv 0.5 0.5 -1\nv 0.5 0.5 1\nv 0.6 0.7 1\nf 1 2 3\nf 4 5 6\n";
    let file = write("crossing.obj", crossing);
    let run = audit(&format!("{} --class all", text(&file)));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(run.stdout.contains("no clips: only the rest pose was looked at"), "{}", run.stdout);
    assert!(run.stdout.contains("1 file, 0 clips, 1 frame: 1 event to look at.\n"), "{}", run.stdout);
    let page = folder.path().join("page.html");
    audit(&format!("{} --class all --html {}", text(&file), text(&page)));
    assert!(fs::read_to_string(&page).unwrap().contains("rest pose"));
    let points = write("points.obj", "v 0 0 0\nv 1 0 0\n");
    assert!(audit(text(&points)).fails_in_one_line(3).contains("points.obj"));
    // All in one point: no size to take percents of.
    let point = write("point.obj", "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n");
    assert!(audit(text(&point)).ok().contains("size 0\n"));
}

#[test]
fn bad_numbers_names_and_places_are_errors() {
    for arguments in [
        "zoo:man --fps 0",
        "zoo:man --fps nan",
        "zoo:man --fps -1",
        "zoo:man --fps inf",
        "zoo:man --bones-apart -1",
        "zoo:man --min-depth -1",
        "zoo:man --min-depth -1%",
        "zoo:man --min-depth nan",
        "zoo:man --min-depth 5%%",
        "zoo:man --min-depth deep",
        "zoo:man --min-frames -1",
        "zoo:man --min-frames 0.5",
        "zoo:man --class error",
        "zoo:man --class fault,,all",
        "zoo:man --skinning cubic",
        "--clip walk",
    ] {
        let error = audit(arguments).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
    // Options of earlier versions.
    for gone in
        ["--max-pairs 0", "--ignore-rest", "--rings 2", "--skip-same-bone=false", "--skip-parent-child"]
    {
        assert!(audit(&format!("zoo:man {gone}")).fails(2).contains("unexpected argument"), "{gone}");
    }
    for (arguments, expected) in
        [("zoo:man --fps 1e9", "too many"), ("zoo:man --clip fly", "\"fly\""), ("zoo:unicorn", "\"unicorn\"")]
    {
        let error = audit(arguments).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    assert!(
        audit("zoo:man --min-depth 1cm")
            .fails(2)
            .contains("in percent of the size (0.5%) or in units (0.01)")
    );
    audit("missing.glb").fails_in_one_line(3);
    let run = audit("zoo:unicorn zoo:man missing.glb --clip walk --fps 2");
    assert_eq!(run.code, 2, "the code is that of the first");
    assert!(run.stdout.contains("zoo:man") && run.stderr.lines().count() == 3, "{}", run.stderr);
}

/// Outputs with one file each; the folder of `--glb` is no file.
const OUTPUTS: [&str; 6] = ["--json", "--json-lines", "--html", "--junit", "--sarif", "--write-accept"];

#[test]
fn no_output_is_an_input_or_another_output() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "hero.glb", 2.05);
    let before = fs::read(&file).unwrap();
    for (number, option) in OUTPUTS.iter().enumerate() {
        let error = audit(&format!("{} {option} {0}", text(&file))).fails_in_one_line(2);
        assert!(error.contains("this would overwrite the input"), "{error}");
        let (other, new) = (OUTPUTS[(number + 1) % OUTPUTS.len()], folder.path().join("new"));
        let error = audit(&format!("zoo:man {option} {0} {other} {0}", text(&new))).fails_in_one_line(2);
        assert!(error.contains("the same file"), "{error}");
        let error = audit(&format!("zoo:man {option} - {other} -")).fails_in_one_line(2);
        assert!(error.contains("cannot both be written to stdout"), "{error}");
        // Told before any file is read.
        let error = audit(&format!("missing.glb {option} nowhere/x")).fails_in_one_line(4);
        assert!(error.contains("cannot be written"), "{error}");
    }
    // What `--glb` would write of one input is the other.
    let other = written(folder.path(), "hero-01-hand-thigh-layers.glb", 5.0);
    let other_before = fs::read(&other).unwrap();
    let run = audit(&format!("{0} --glb {0}", text(folder.path())));
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("this would overwrite the input"), "{}", run.stderr);
    assert_eq!((fs::read(&file).unwrap(), fs::read(&other).unwrap()), (before, other_before));
    assert_eq!(names(folder.path()), ["hero-01-hand-thigh-layers.glb", "hero.glb"]);
}

#[test]
fn answers_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: &str| {
        let at = |name: &str| folder.path().join(name);
        let command = "audit zoo:man zoo:unicorn zoo:creature --clip twist --fps 2 --class all --hints";
        let (glb, lines) = (at("glb"), at("a.jsonl"));
        let output = Command::new(env!("CARGO_BIN_EXE_supple"))
            .args(command.split(' '))
            .args(["--json", text(&at("a.json")), "--html", text(&at("a.html")), "--glb", text(&glb)])
            .args(["--json-lines", text(&lines)])
            .env("RAYON_NUM_THREADS", threads)
            .env("SUPPLE_NO_PROGRESS", "1")
            .output()
            .unwrap();
        let glbs: Vec<(String, Vec<u8>)> =
            names(&glb).into_iter().map(|name| (name.clone(), fs::read(glb.join(name)).unwrap())).collect();
        let files = ["a.json", "a.html", "a.jsonl"].map(|name| fs::read(at(name)).unwrap());
        (output.stdout, output.stderr, files, glbs)
    };
    let one = run("1");
    assert!(one.2.iter().all(|file| !file.is_empty()) && !one.3.is_empty());
    assert!(run("2") == one && run("5") == one);
}
