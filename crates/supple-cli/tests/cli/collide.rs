//! `supple collide`: what it finds is what the library and brute force find.

use std::fs;
use std::sync::Arc;

use serde_json::Value;
use supple::Isometry;
use supple::{Body, BuildOptions, Shape, Skinning};

use crate::supple::{Run, supple, text};

fn collide(arguments: &str) -> Run {
    supple(["collide"].into_iter().chain(arguments.split(' ')))
}

fn collide_json(arguments: &str) -> Value {
    serde_json::from_str(&collide(&format!("{arguments} --json -")).ok()).unwrap()
}

fn pairs(frame: &Value) -> Vec<[u32; 2]> {
    serde_json::from_value(frame["pairs"].clone()).unwrap()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn men_of_different_skinning_are_right_in_every_frame() {
    let text = collide(
        "zoo:man --clip-a walk --skinning-a dual --skinning-b spherical --start-b 0.4 --turn-b 90 \
         --offset-b 0.4,0,0 --velocity-b -0.3,0,0 --fps 4 --frames 3 --check",
    )
    .ok();
    assert!(text.contains("gives the same in all 3 frames"), "{text}");
    for expected in
        ["dual skinning, clip \"walk\"", "spherical skinning, clip \"walk\"", "In contact in 2 of 3 frames"]
    {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 110), "{text}");
}

#[test]
fn the_json_holds_the_pairs_of_the_library() {
    let json = collide_json(
        "zoo:dolphin --clip-a 0 --start-a 0.1 --start-b 0.3 --offset-b 0.1,0,-0.05 --velocity-b 0,0.2,0 --fps 10 \
         --frames 4",
    );
    assert_eq!(keys(&json), ["a", "b", "frames", "totals"]);
    assert_eq!(keys(&json["a"]), ["clip", "file", "joints", "nodes", "skinning", "triangles", "vertices"]);
    let shape = Shape::build(supple_zoo::make("dolphin", 0).unwrap(), &BuildOptions::default()).unwrap();
    let (shape, mut total) = (Arc::new(shape), 0);
    let clip = &shape.model().clips()[0];
    assert_eq!((&json["b"]["clip"], &json["b"]["nodes"]), (&clip.name().into(), &shape.node_count().into()));
    let frames = json["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 4);
    for (i, frame) in frames.iter().enumerate() {
        let time = i as f64 / 10.0;
        assert_eq!((&frame["frame"], frame["time"].as_f64()), (&i.into(), Some(time)));
        let at = |start: f64, placement| {
            let (mut body, mut pose) =
                (Body::new(&shape, Skinning::Linear).unwrap(), shape.model().rest_pose());
            clip.sample_looped(start + time, &mut pose).unwrap();
            body.set_pose_at(&pose, placement).unwrap();
            body
        };
        let aside = Isometry::from_translation(glam::DVec3::new(0.1, 0.2 * time, -0.05));
        let expected = supple::collide(&mut at(0.1, Isometry::IDENTITY), &mut at(0.3, aside));
        assert_eq!(pairs(frame), expected.found);
        assert!(expected.found.is_sorted() && !expected.found.is_empty());
        assert_eq!(frame["stats"]["node_visits"], expected.stats.node_visits);
        assert_eq!(frame["stats"]["triangle_tests"], expected.stats.triangle_tests);
        assert!(frame["stats"]["microseconds"].as_f64().unwrap() > 0.0);
        total += expected.found.len();
    }
    assert_eq!((&json["totals"]["pairs"], &json["totals"]["frames_in_contact"]), (&total.into(), &4.into()));
    let baking = &json["totals"]["baking"];
    assert!(baking["frames"] == 4 && baking["microseconds"].as_f64().unwrap() > 0.0, "{baking}");
    assert!(frames.iter().all(|frame| frame["baking_microseconds"].as_f64().unwrap() > 0.0));
}

#[test]
fn the_first_pair_is_one_of_all() {
    let arguments = "zoo:hand zoo:dwarf --clip-a 0 --clip-b walk --offset-b 0,-0.3,0 --fps 5 --frames 3";
    let (all, first) = (collide_json(arguments), collide_json(&format!("{arguments} --first --check")));
    for (all, first) in all["frames"].as_array().unwrap().iter().zip(first["frames"].as_array().unwrap()) {
        let (all, first) = (pairs(all), pairs(first));
        assert_eq!(first.len(), usize::from(!all.is_empty()));
        assert!(first.iter().all(|pair| all.contains(pair)));
    }
    assert!(first["totals"]["pairs"].as_u64().unwrap() > 0, "the hand touches the dwarf");
    let table = collide(&format!("{arguments} --first")).ok();
    let [a, b] = pairs(&first["frames"][0])[0];
    assert!(table.contains(&format!(" {a}/{b} ")), "{table}");
}

#[test]
fn shapes_without_joints_and_rigid_files_collide_too() {
    let folder = tempfile::tempdir().unwrap();
    let wall = folder.path().join("wall.obj");
    fs::write(&wall, "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3 4\n").unwrap();
    for animal in ["dolphin --clip-a 0", "face --clip-a 0", "chair --clip-a 0"] {
        let report = collide(&format!("zoo:{animal} {} --fps 2 --frames 2 --check", text(&wall))).ok();
        assert!(report.contains("all 2 frames") && report.contains("2 triangles"), "{report}");
        assert!(report.contains("In contact in 2 of 2 frames"), "{report}");
    }
    // Nothing moves: one frame is enough.
    let report = collide(&format!("{} --check", text(&wall))).ok();
    assert!(report.contains("in 1 frame.") && report.contains("4 pairs"), "{report}");
}

#[test]
fn frames_are_counted_as_documented() {
    let frames = |arguments: &str| collide_json(arguments)["totals"]["frames"].as_u64().unwrap();
    let clip = supple_zoo::make("dolphin", 0).unwrap().clips()[0].duration();
    assert_eq!(frames("zoo:dolphin --clip-a 0 --fps 20"), (clip * 20.0).round() as u64);
    assert_eq!(frames("zoo:dolphin --velocity-b 0,0,1"), 60);
    let long = collide("zoo:dolphin --velocity-b 0,0,1 --frames 200").ok();
    assert!(long.lines().count() < 60 && long.contains("--all-frames"), "{long}");
    let all = collide("zoo:dolphin --velocity-b 0,0,1 --frames 200 --all-frames").ok();
    assert!(all.lines().count() > 200, "{all}");
}

#[test]
fn json_goes_beside_the_table_into_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.json");
    let table = collide(&format!("zoo:dolphin --json {}", text(&file))).ok();
    assert!(table.contains("1 frame"), "{table}");
    let json: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!((&json["a"]["clip"], &json["a"]["file"]), (&Value::Null, &"zoo:dolphin".into()));
    let nowhere = folder.path().join("nowhere/out.json");
    // Told before any file is read.
    let error = collide(&format!("missing.glb --json {}", text(&nowhere))).fails_in_one_line(4);
    assert!(error.contains("cannot be written"), "{error}");
    collide(&format!("missing.glb --json {}", text(&file))).fails_in_one_line(3);
    let kept: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(kept, json, "a failure keeps the last result");
}

#[test]
fn bad_numbers_and_names_are_bad_usage() {
    for arguments in [
        "zoo:dolphin --offset-b 1,2",
        "zoo:dolphin --offset-b 1,2,x",
        "zoo:dolphin --velocity-b 1,2,inf",
        "zoo:dolphin --turn-b left",
        "zoo:dolphin --fps 0",
        "zoo:dolphin --fps -3",
        "zoo:dolphin --frames 0",
        "missing.glb --frames 100001",
        "zoo:dolphin --start-a soon --clip-a 0",
        "zoo:dolphin --skinning-b cubic",
    ] {
        let error = collide(arguments).fails(2);
        assert!(error.contains("--help"), "{arguments}: {error}");
    }
    for (arguments, expected) in [
        ("zoo:dolphin --clip-a fly", "\"fly\""),
        ("zoo:dolphin --clip-b fly", "\"fly\""),
        ("zoo:dolphin --start-a 1", "--start-a needs a clip"),
        ("zoo:dolphin zoo:dolphin --clip-a 0 --start-b 1", "--start-b needs a clip"),
        ("zoo:dolphin --clip-a 0 --fps 1e9", "too many"),
        ("zoo:dolphin --offset-b 1e300,0,0", "not finite"),
        ("zoo:dolphin zoo:unicorn", "\"unicorn\""),
    ] {
        let error = collide(arguments).fails_in_one_line(2);
        assert!(error.contains(expected), "{arguments}: {error}");
    }
    assert!(collide("zoo:dolphin missing.glb").fails_in_one_line(3).contains("missing.glb: cannot be read"));
}

#[test]
fn pairs_are_listed_by_the_joints_that_own_them() {
    let arguments = "zoo:man zoo:dwarf --clip-a walk --clip-b walk --offset-b 0.2,0,0 --fps 5 --frames 2";
    let (plain, json) = (collide_json(arguments), collide_json(&format!("{arguments} --pairs")));
    assert!(plain["frames"][0].get("by_joints").is_none(), "only when asked for");
    let models = ["man", "dwarf"].map(|animal| supple_zoo::make(animal, 0).unwrap());
    let owner =
        |side: usize, triangle: u32| models[side].joint_name(models[side].owning_joint(triangle)).to_owned();
    let listed = collide(&format!("{arguments} --pairs")).ok();
    for frame in json["frames"].as_array().unwrap() {
        let (mut all, mut seen) = (Vec::new(), Vec::new());
        for group in frame["by_joints"].as_array().unwrap() {
            let [a, b]: [String; 2] = serde_json::from_value(group["joints"].clone()).unwrap();
            let own = pairs(group);
            assert!(
                own.is_sorted() && own.iter().all(|&[i, j]| owner(0, i) == a && owner(1, j) == b),
                "{group}"
            );
            let heading = format!("  {a} / {b}: {} pair", own.len());
            assert!(listed.contains(&heading), "{heading:?} in\n{listed}");
            assert!(own.iter().all(|[i, j]| listed.contains(&format!(" {i}/{j}"))));
            all.extend(own);
            seen.push([a, b]);
        }
        all.sort_unstable();
        assert!(!all.is_empty() && all == pairs(frame), "every pair is in one group");
        seen.sort_unstable();
        assert!(seen.windows(2).all(|two| two[0] != two[1]), "{seen:?}");
    }
    assert!(
        listed.contains("\nframe 1, 0.200 s: ") && listed.lines().all(|line| line.chars().count() <= 110)
    );
    let apart = collide("zoo:dolphin --offset-b 9,0,0 --pairs").ok();
    assert!(apart.contains("by the joints that own them:\n  none\n"), "{apart}");
}

#[test]
fn the_picture_marks_what_touches() {
    let folder = tempfile::tempdir().unwrap();
    let (near, far) = (folder.path().join("near.png"), folder.path().join("far.png"));
    for (offset, file) in [("0.3,0,0", &near), ("30,0,0", &far)] {
        let options = ["--offset-b", offset, "--picture", file.to_str().unwrap()];
        supple(["collide", "zoo:man", "zoo:dwarf"].into_iter().chain(options)).ok();
    }
    let width = |file| u32::from_be_bytes(fs::read(file).unwrap()[16..20].try_into().unwrap());
    // Beside the whole there is a close-up where something touches.
    assert!(width(&near) > 2 * width(&far) && width(&far) > 100, "{} and {}", width(&near), width(&far));
    let refused = supple(["collide", "zoo:man", "--picture", "/no/such/folder/a.png"]);
    assert!(refused.fails(4).contains("/no/such/folder/a.png"));
}
