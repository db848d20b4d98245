//! `supple audit`: what it finds is what the library finds, and its codes and files are what a CI needs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use glam::{DAffine3, Vec3};
use serde_json::Value;
use supple::Mesh;
use supple::Model;
use supple::Skin;
use supple::pose::{Channel, Clip, Interpolation, Joint, Node, Skeleton, Target, Transform};
use supple::{Body, BuildOptions, SelfFilter, Shape, Skinning};

use crate::assets::assets;
use crate::supple::{Run, same_keys, supple, text};

fn audit(arguments: &str) -> Run {
    supple(["audit"].into_iter().chain(arguments.split(' ')))
}

fn audit_json(arguments: &str) -> Value {
    serde_json::from_str(&audit(&format!("{arguments} --json -")).ok()).unwrap()
}

/// A box, outward.
fn cube(half: f32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let side = |i: u32, bit: u32| if i >> bit & 1 == 0 { -half } else { half };
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    ((0..8).map(|i| Vec3::new(side(i, 0), side(i, 1), side(i, 2))).collect(), triangles)
}

/// A thigh of height 2 and a small hand beside it at `start`, which a clip of a second moves by -1 along X.
fn hand_and_thigh(file: &Path, names: [&str; 2], clip: &str, start: f32) {
    let ((mut positions, mut triangles), (hand, own)) = (cube(1.0), cube(0.2));
    positions.extend(hand);
    triangles.extend(own.iter().map(|t| t.map(|v| v + 8)));
    let lists: Vec<[(u32, f32); 1]> = (0..16).map(|v| [(u32::from(v >= 8), 1.0)]).collect();
    let skin = Skin::new(2, lists.iter().map(|l| l.as_slice())).unwrap();
    let mut nodes = names.map(|name| Node::new(name, None, Transform::IDENTITY)).to_vec();
    nodes[1].rest.translation = Vec3::X * start;
    let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
    let push = Channel {
        target: Target::Translation(1),
        interpolation: Interpolation::Linear,
        times: vec![0.0, 1.0],
        values: vec![start, 0.0, 0.0, start - 1.0, 0.0, 0.0],
    };
    let model =
        Model::new(Mesh::new(positions, triangles).unwrap(), skin, Skeleton::new(nodes, joints).unwrap());
    let model = model.unwrap().with_clips(vec![Clip::new(clip, vec![push]).unwrap()]).unwrap();
    supple_io::write_glb(file, &model).unwrap();
}

fn written(folder: &Path, name: &str, start: f32) -> PathBuf {
    let file = folder.join(name);
    hand_and_thigh(&file, ["thigh", "hand"], "push", start);
    file
}

#[test]
fn a_hand_is_found_in_a_thigh_with_its_frames_and_its_depth() {
    let folder = tempfile::tempdir().unwrap();
    // The hand's front is at 2.05 - 0.2 - t, the thigh's side at 1: inside by t - 0.85.
    let file = written(folder.path(), "hero.glb", 2.05);
    let report = audit(&format!("{} --fps 10", text(&file))).ok();
    assert!(report.contains("rest pose: nothing intersects"), "{report}");
    let row = report.lines().find(|line| line.contains("hand")).unwrap();
    let cells: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(cells[..5], ["thigh", "hand", "9-10", "(2)", "10"], "{report}");
    assert_eq!(cells[6..], ["0", "0.150", "7.50"], "{report}");
    assert!(report.contains("1 file, 1 clip: 2 of 11 frames"), "{report}");
    let json = audit_json(&format!("{} --fps 10", text(&file)));
    let pair = &json["files"][0]["clips"][0]["bone_pairs"][0];
    assert_eq!(pair["bones"], serde_json::json!(["thigh", "hand"]));
    let depths: Vec<f64> =
        pair["timeline"].as_array().unwrap().iter().map(|m| m["depth"].as_f64().unwrap()).collect();
    assert!((depths[0] - 0.05).abs() < 1e-5 && (depths[1] - 0.15).abs() < 1e-5, "{depths:?}");
}

#[test]
fn the_json_counts_what_the_library_finds() {
    let json = audit_json("zoo:man --clip twist --clip random --fps 3 --skinning dual");
    let shape =
        Arc::new(Shape::build(supple_zoo::make("man", 0).unwrap(), &BuildOptions::default()).unwrap());
    let model = shape.model();
    let filter = SelfFilter::default().without_creases();
    let mut body = Body::new(&shape, Skinning::DualQuaternion).unwrap();
    let clips = json["files"][0]["clips"].as_array().unwrap();
    assert_eq!(clips.len(), 2);
    let mut total = 0;
    for clip in clips {
        let played = &model.clips()[clip["clip"].as_u64().unwrap() as usize];
        assert_eq!(clip["name"], played.name());
        let frames = clip["frames"].as_u64().unwrap();
        assert_eq!(frames, (played.duration() * 3.0 + 1e-4) as u64 + 1);
        for frame in 0..frames {
            body.set_pose(&model.sample(played, frame as f64 / 3.0).unwrap()).unwrap();
            let expected = supple::self_collide_with(&mut body, &filter).unwrap().found.len();
            let moments =
                clip["bone_pairs"].as_array().unwrap().iter().flat_map(|p| p["timeline"].as_array().unwrap());
            let found: u64 = moments
                .filter(|m| m["frame"] == frame)
                .map(|m| m["new_pairs"].as_u64().unwrap() + m["rest_pairs"].as_u64().unwrap())
                .sum();
            assert_eq!(found as usize, expected, "frame {frame} of {}", played.name());
            total += expected;
        }
    }
    assert!(total > 0);
}

#[test]
fn the_report_reads_well() {
    let report = audit("zoo:man zoo:creature --clip random --fps 3").ok();
    for expected in
        ["zoo:man: 8,796 triangles, 27 bones", "chest", "upper_arm_l", "worst", "zoo:creature: ", "2 files"]
    {
        assert!(report.contains(expected), "{expected:?} in\n{report}");
    }
    let wide = report.lines().find(|line| line.chars().count() > 100);
    assert_eq!(wide, None);
}

#[test]
fn the_json_in_the_help_is_the_json_that_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "hero.glb", 2.05);
    fs::write(folder.path().join("broken.glb"), "").unwrap();
    hand_and_thigh(&folder.path().join("other.glb"), ["thigh", "hand"], "pull", 2.05);
    let sample: Value = serde_json::from_str(include_str!("../../src/audit/sample.json")).unwrap();
    let run = audit(&format!("{} --clip push --max-pairs 0 --json -", text(folder.path())));
    assert_eq!(run.code, 3, "{}", run.stderr);
    let printed: Value = serde_json::from_str(&run.stdout).unwrap();
    same_keys("", &sample, &printed);
    assert!(!printed["failed"][0]["error"].as_str().unwrap().is_empty());
    assert!(audit("--help").ok().contains("\"worst_triangles\""));
}

#[test]
fn pairs_at_rest_are_told_apart_and_can_be_ignored() {
    let folder = tempfile::tempdir().unwrap();
    // At rest the hand is already 0.1 inside.
    let file = written(folder.path(), "hero.glb", 1.1);
    let pair = |json: &Value| json["files"][0]["clips"][0]["bone_pairs"][0].clone();
    let all = audit_json(&format!("{} --fps 4", text(&file)));
    let at_rest = all["files"][0]["rest"]["most_pairs"].as_u64().unwrap();
    assert!(at_rest > 0);
    let first = &pair(&all)["timeline"][0];
    assert_eq!((&first["rest_pairs"], &first["new_pairs"]), (&at_rest.into(), &0.into()));
    let new = audit_json(&format!("{} --fps 4 --ignore-rest", text(&file)));
    assert_eq!(new["files"][0]["rest"]["most_pairs"], at_rest, "the rest pose is still reported");
    let moments = new["files"][0]["clips"][0]["bone_pairs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|p| p["timeline"].as_array().unwrap().clone());
    for moment in moments {
        assert!(moment["rest_pairs"] == 0 && moment["frame"] != 0, "{moment}");
    }
    let limit = |arguments: &str| audit(&format!("{} --fps 1e-3 {arguments}", text(&file))).code;
    // One frame, which is the rest pose.
    assert_eq!((limit("--max-pairs 0"), limit("--max-pairs 0 --ignore-rest")), (1, 0));
    assert_eq!(limit(&format!("--max-pairs {at_rest}")), 0);
}

#[test]
fn limits_end_with_code_1_after_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let file = written(folder.path(), "hero.glb", 2.05);
    let run = audit(&format!("{} --fps 10 --max-pairs 3", text(&file)));
    assert_eq!(run.code, 1);
    assert!(run.stdout.contains("over the limit"), "{}", run.stdout);
    assert!(run.stderr.starts_with("error: ") && run.stderr.contains("\"push\""), "{}", run.stderr);
    assert!(run.stderr.contains("more than --max-pairs 3"), "{}", run.stderr);
    audit(&format!("{} --fps 10 --max-pairs 1000", text(&file))).ok();
}

#[test]
fn bones_are_chosen_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    hand_and_thigh(&file, ["rig:thigh", "rig:hand"], "push", 2.05);
    let found = |bones: &str| {
        let json = audit_json(&format!("{} --fps 10 --bones {bones}", text(&file)));
        json["totals"]["frames_with_pairs"].as_u64().unwrap()
    };
    assert_eq!(
        (found("rig:hand:rig:thigh"), found("rig:thigh:rig:hand+"), found("rig:hand:rig:hand")),
        (2, 2, 0)
    );
    let error = audit(&format!("{} --bones rig:hand:rig:tigh", text(&file))).fails_in_one_line(2);
    assert!(error.contains("no bone \"rig:tigh\"") && error.contains("\"rig:thigh\""), "{error}");
    assert!(error.contains("hero.glb"), "{error}");
    let error = audit(&format!("{} --bones hand", text(&file))).fails_in_one_line(2);
    assert!(error.contains("A:B"), "{error}");
}

#[test]
fn folders_are_searched_and_broken_files_do_not_stop_the_others() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("b/c");
    fs::create_dir_all(&inner).unwrap();
    written(folder.path(), "z.glb", 5.0);
    written(&inner, "a.GLB", 2.05);
    fs::write(folder.path().join("notes.txt"), "no model").unwrap();
    fs::write(folder.path().join(".hidden.glb"), "no model").unwrap();
    let json = audit_json(&format!("{} --fps 10", text(folder.path())));
    let names = |json: &Value| -> Vec<String> {
        let files = json["files"].as_array().unwrap().iter();
        files.map(|f| f["file"].as_str().unwrap().rsplit('/').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&json), ["a.GLB", "z.glb"]);
    assert_eq!(json["totals"]["frames_with_pairs"], 2);
    fs::write(inner.join("broken.glb"), "glTF?").unwrap();
    let run = audit(&format!("{} --fps 10 --max-pairs 0", text(folder.path())));
    assert_eq!(run.code, 3, "a file that was not audited weighs more than a limit");
    assert!(run.stdout.contains("a.GLB") && run.stdout.contains("z.glb"), "{}", run.stdout);
    assert!(run.stdout.contains("2 of 3 files, 2 clips: 2 of 22 frames"), "{}", run.stdout);
    assert!(run.stdout.contains("; 1 file not audited.\n"), "{}", run.stdout);
    assert!(run.stderr.contains("1 of 3 files could not be audited"), "{}", run.stderr);
    assert_eq!(run.stderr.matches("broken.glb").count(), 1, "{}", run.stderr);
    let empty = tempfile::tempdir().unwrap();
    assert!(audit(text(empty.path())).fails_in_one_line(3).contains("no model in this folder"));
}

#[test]
fn files_without_the_clip_are_passed_over_unless_no_file_has_it() {
    let folder = tempfile::tempdir().unwrap();
    written(folder.path(), "a.glb", 2.05);
    hand_and_thigh(&folder.path().join("b.glb"), ["thigh", "hand"], "pull", 2.05);
    let (all, page) = (text(folder.path()), folder.path().join("page.html"));
    let report = audit(&format!("--clip push {all} --fps 10 --html {}", text(&page))).ok();
    assert!(report.contains("b.glb: has no clip \"push\", skipped"), "{report}");
    assert!(report.contains("1 of 2 files, 1 clip: 2 of 11 frames"), "{report}");
    assert!(fs::read_to_string(&page).unwrap().contains("Skipped: has no clip &quot;push&quot;"));
    let json = audit_json(&format!("{all} --clip push --clip pull"));
    assert_eq!((&json["totals"]["files"], &json["totals"]["clips"]), (&2.into(), &2.into()));
    assert_eq!(json["files"][0]["missing_clips"], serde_json::json!(["pull"]));
    assert_eq!(json["skipped"], serde_json::json!([]));

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
fn long_tables_say_where_the_rest_is_and_names_lose_what_all_share() {
    let report =
        audit("zoo:man --clip random --fps 10 --skip-same-bone=false --skip-parent-child=false").ok();
    assert!(report.contains(" more: --json FILE or --html FILE has all"), "{report}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hero.glb");
    hand_and_thigh(&file, ["mixamorig:a_bone_called_thigh", "mixamorig:hand"], "push", 2.05);
    let report = audit(&format!("{} --fps 10", text(&file))).ok();
    assert_eq!(report.matches("names without \"mixamorig:\"\n").count(), 1, "{report}");
    assert!(report.contains("\n  a_bone_called_thigh  hand  "), "{report}");
    let page = folder.path().join("page.html");
    let json = audit_json(&format!(
        "{} --fps 10 --bones hand:a_bone_called_thigh --html {}",
        text(&file),
        text(&page)
    ));
    let pair = &json["files"][0]["clips"][0]["bone_pairs"][0];
    assert_eq!(pair["bones"], serde_json::json!(["mixamorig:a_bone_called_thigh", "mixamorig:hand"]));
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("a_bone_called_thigh <span class=\"dim\">×</span> hand"), "{html}");
    assert_eq!(html.matches("mixamorig:").count(), 1);
}

#[test]
fn the_page_stands_alone_and_names_are_text_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let (file, page) = (folder.path().join("<hero>&.glb"), folder.path().join("page.html"));
    hand_and_thigh(&file, ["<b>thigh", "hand\"'\u{7}"], "<script>alert(1)</script>", 2.05);
    let report = supple(["audit", text(&file), "--fps", "10", "--html", text(&page)]).ok();
    assert!(!report.contains('\u{7}'));
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.starts_with("<!DOCTYPE html>") && html.ends_with("</html>\n"));
    for expected in [
        "<title>&lt;hero&gt;&amp;.glb – supple audit</title>",
        "9–10 (2)",
        "crosses, no vertex inside",
        "&lt;b&gt;thigh",
        "hand&quot;&#39;",
        "&lt;script&gt;alert(1)&lt;/script&gt;",
        "data:image/png;base64,iVBOR",
        "<svg ",
        "prefers-color-scheme: dark",
        "covers at least a quarter",
    ] {
        assert!(html.contains(expected), "{expected}");
    }
    for forbidden in ["<script", "<b>thigh", "http://", "https://", "<link", "@import", "url("] {
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
    let report = audit(text(&file)).ok();
    assert!(report.contains("no clips: only the rest pose"), "{report}");
    let row = report.lines().find(|line| line.contains("0-0")).unwrap();
    assert!(row.ends_with("0     1      -  -"), "{row:?}");
    assert_eq!(audit(&format!("{} --max-pairs 0", text(&file))).code, 1);
    let page = folder.path().join("page.html");
    audit(&format!("{} --html {}", text(&file), text(&page))).ok();
    assert!(fs::read_to_string(&page).unwrap().contains("no clips"));
    let points = write("points.obj", "v 0 0 0\nv 1 0 0\n");
    assert!(audit(text(&points)).fails_in_one_line(3).contains("points.obj"));
    // Flat: no height to take percents of.
    let flat = write("flat.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    assert!(audit(text(&flat)).ok().contains("height 0"));
}

#[test]
fn bad_numbers_names_and_places_are_errors() {
    for arguments in [
        "zoo:man --fps 0",
        "zoo:man --fps nan",
        "zoo:man --fps -1",
        "zoo:man --fps inf",
        "zoo:man --rings -1",
        "zoo:man --rings 65",
        "zoo:man --max-pairs -1",
        "zoo:man --skinning cubic",
        "--clip walk",
    ] {
        let error = audit(arguments).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
    for (arguments, expected) in
        [("zoo:man --fps 1e9", "too many"), ("zoo:man --clip fly", "\"fly\""), ("zoo:unicorn", "\"unicorn\"")]
    {
        let error = audit(arguments).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    assert!(audit("zoo:man --max-pairs -1").fails(2).contains("a whole number, 0 or more"));
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("x");
    let error = audit(&format!("zoo:man --json {0} --html {0}", text(&page))).fails_in_one_line(2);
    assert!(error.contains("the same file") && !page.exists(), "{error}");
    audit("missing.glb").fails_in_one_line(3);
    // Told before any file is read.
    for option in ["--json", "--html"] {
        let error = audit(&format!("missing.glb {option} nowhere/x")).fails_in_one_line(4);
        assert!(error.contains("cannot be written"), "{error}");
    }
    let run = audit("zoo:unicorn zoo:man missing.glb --clip walk --fps 2");
    assert_eq!(run.code, 2, "the code is that of the first");
    assert!(run.stdout.contains("zoo:man") && run.stderr.lines().count() == 3, "{}", run.stderr);
}

#[test]
fn answers_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let run = |threads: &str| {
        let (json, html) = (folder.path().join("a.json"), folder.path().join("a.html"));
        let output = Command::new(env!("CARGO_BIN_EXE_supple"))
            .args([
                "audit",
                "zoo:man",
                "zoo:unicorn",
                "zoo:creature",
                "--clip",
                "twist",
                "--fps",
                "2",
                "--json",
            ])
            .args([text(&json), "--html", text(&html)])
            .env("RAYON_NUM_THREADS", threads)
            .env("SUPPLE_NO_PROGRESS", "1")
            .output()
            .unwrap();
        (output.stdout, output.stderr, fs::read(json).unwrap(), fs::read(html).unwrap())
    };
    let one = run("1");
    assert!(!one.2.is_empty() && !one.3.is_empty());
    assert!(run("2") == one && run("5") == one);
}

#[test]
fn a_real_man_rubs_his_arms_against_his_chest() {
    let Some(folder) = assets() else { return };
    let man = folder.join("khronos/CesiumMan.glb");
    let json = audit_json(&format!("{} --fps 10", text(&man)));
    let clip = &json["files"][0]["clips"][0];
    assert_eq!((&clip["frames"], &clip["frames_with_pairs"]), (&21.into(), &21.into()));
    for pair in clip["bone_pairs"].as_array().unwrap() {
        // Nothing of a man is deeper in him than his chest is thick.
        assert!(pair["depth_percent"].as_f64().unwrap() < 5.0, "{pair}");
    }
    let bent = audit_json(&format!("{} --fps 10 --skip-parent-child=false", text(&man)));
    assert!(bent["files"][0]["clips"][0]["most_pairs"].as_u64() > clip["most_pairs"].as_u64());
    let apart = audit_json(&format!("{} --fps 10 --skip-parent-child=false --rings 2", text(&man)));
    assert!(
        apart["files"][0]["clips"][0]["most_pairs"].as_u64()
            < bent["files"][0]["clips"][0]["most_pairs"].as_u64()
    );
}

/// Frames with any pair of intersecting triangles that share no vertex, by brute force.
fn frames_that_intersect(model: &Model, fps: f64) -> (usize, usize) {
    let (mut intersecting, mut frames) = (0, 0);
    for clip in model.clips() {
        for frame in 0..=(clip.duration() * fps + 1e-4) as usize {
            let pose = model.sample(clip, frame as f64 / fps).unwrap();
            let positions = model.posed(&pose, Skinning::Linear).unwrap().positions();
            let pairs = supple::oracle::self_collide_with(model, &positions, &SelfFilter::default());
            (intersecting, frames) = (intersecting + usize::from(!pairs.is_empty()), frames + 1);
        }
    }
    (intersecting, frames)
}

#[test]
fn a_model_of_morph_targets_alone_is_not_falsely_clean() {
    let report = audit("zoo:face --fps 5 --max-pairs 0");
    assert_eq!(report.code, 1);
    assert!(
        report.stdout.contains("4 clips: 5 of 116 frames with reported intersections"),
        "{}",
        report.stdout
    );
    assert!(report.stdout.contains("): clean, no triangles intersect"), "{}", report.stdout);
    let Some(folder) = assets() else { return };
    let file = folder.join("khronos/AnimatedMorphSphere.glb");
    let (intersecting, frames) = frames_that_intersect(&supple_io::load(&file).unwrap(), 10.0);
    assert!(intersecting > 0 && intersecting < frames);
    let run = audit(&format!("{} --fps 10 --max-pairs 0", text(&file)));
    assert_eq!(run.code, 1, "{}", run.stderr);
    let expected = format!("{intersecting} of {frames} frames with reported intersections");
    assert!(run.stdout.contains(&expected), "{expected} in {}", run.stdout);
}

#[test]
fn what_is_left_out_is_said_beside_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    // At rest the hand is 0.1 inside; in the only frame of the clip, too.
    let (file, page) = (written(folder.path(), "hero.glb", 1.1), folder.path().join("page.html"));
    let arguments = format!("{} --fps 1e-3 --max-pairs 0", text(&file));
    let report = audit(&format!("{arguments} --ignore-rest --html {}", text(&page))).ok();
    assert!(report.contains("): clean except what was left out\n  left out: "), "{report}");
    assert!(report.contains(" that intersect in the rest pose\n"), "{report}");
    assert!(report.contains("what happens in between was not"), "{report}");
    let html = fs::read_to_string(&page).unwrap();
    assert!(
        html.contains("badge partly") && !html.contains("badge good") && !html.contains("tile good"),
        "{html}"
    );
    let json = audit_json(&format!("{arguments} --ignore-rest"));
    let clip = &json["files"][0]["clips"][0];
    assert_eq!(
        (&clip["verdict"], &clip["left_out"]["rest"]["frames"]),
        (&"clean_except_left_out".into(), &1.into())
    );
    assert_eq!((&json["totals"]["clean"], &json["totals"]["clean_except_left_out"]), (&0.into(), &1.into()));
    let other = audit(&format!("{arguments} --bones hand:hand")).ok();
    assert!(other.contains(" between bones that were not asked for\n"), "{other}");
    let apart = written(folder.path(), "apart.glb", 5.0);
    audit(&format!("{} --max-pairs 0 --html {}", text(&apart), text(&page))).ok();
    let html = fs::read_to_string(&page).unwrap();
    assert!(html.contains("<span class=\"badge good\">clean</span> push"), "{html}");
}
