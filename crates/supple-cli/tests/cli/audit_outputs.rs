//! `supple audit`: lines of JSON, GLB files, the command that shows an event again, hints, and disks that are full.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use supple::pose::Clip;
use supple::{SelfFilter, Skinning};

use crate::audit_models::{at_ten, audit, audit_json, events, hand_and_thigh_at_rest, push, written};
use crate::outputs::names;
use crate::supple::{supple, text};

fn lines_of(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn every_frame_is_a_line() {
    let folder = tempfile::tempdir().unwrap();
    let (file, man) = (folder.path().join("lines"), supple_zoo::make("man", 0).unwrap());
    fs::write(&file, "old").unwrap();
    let arguments = ["audit", "zoo:man", "zoo:hand", "--fps", "2", "--json-lines", text(&file)];
    let run = supple(arguments);
    assert!(run.code == 1 && run.stdout.contains("to look at"), "{}", run.stderr);
    let lines = lines_of(&fs::read_to_string(&file).unwrap());
    let mut left = lines.iter();
    for clip in man.clips() {
        for frame in 0..=(clip.duration() * 2.0 + 1e-4) as usize {
            let line = left.next().unwrap();
            assert_eq!((&line["file"], &line["clip"]), (&json!("zoo:man"), &json!(clip.name())));
            assert_eq!((&line["frame"], &line["seconds"]), (&json!(frame), &json!(frame as f64 / 2.0)));
            let pose = man.sample(clip, frame as f64 / 2.0).unwrap();
            let positions = man.posed(&pose, Skinning::Linear).unwrap().positions();
            let expected = supple::oracle::self_collide_with(&man, &positions, &SelfFilter::default()).len();
            let contacts = line["contacts"].as_array().unwrap();
            let found: u64 = contacts.iter().map(|c| c["pairs"].as_u64().unwrap()).sum();
            assert_eq!(found as usize, expected, "frame {frame} of {}", clip.name());
        }
    }
    assert!(left.len() > 0 && left.all(|line| line["file"] == "zoo:hand"));
    assert!(lines.iter().any(|line| line["contacts"][0]["depth"].as_f64() > Some(0.0)));
    // On stdout, instead of the report.
    let run = supple([&arguments[..5], &["--json-lines", "-"]].concat());
    assert!(run.code == 1 && lines_of(&run.stdout) == lines, "{}", run.stderr);
}

/// The JSON of a GLB file.
fn glb_json(file: &Path) -> Value {
    let bytes = fs::read(file).unwrap();
    assert_eq!((&bytes[..4], &bytes[16..20]), (&b"glTF"[..], &b"JSON"[..]));
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&bytes[20..20 + length]).unwrap()
}

#[test]
fn the_worst_frame_is_a_coloured_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let file = written(at, "my.hero.glb", 2.05);
    let glb = at.join("new/folder");
    let run = audit(&format!("{} --glb {}", at_ten(&file), text(&glb)));
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_eq!(names(&glb), ["my-hero-01-hand-thigh-layers.glb"]);
    let file = glb.join("my-hero-01-hand-thigh-layers.glb");
    let model = supple_io::load(&file).unwrap();
    assert_eq!(model.mesh().triangles().len(), 24);
    // The hand is at 2.05 - 1 then, and reaches from 0.85 to 1.25.
    let [min, max] = [f32::min as fn(f32, f32) -> f32, f32::max]
        .map(|limit| model.mesh().positions().iter().map(|p| p.x).reduce(limit).unwrap());
    assert!(min == -1.0 && (max - 1.25).abs() < 1e-6, "{min} {max}");
    let json = glb_json(&file);
    assert!(json.to_string().contains(" - push, frame 10\""), "{json}");
    for mesh in json["meshes"].as_array().unwrap() {
        for primitive in mesh["primitives"].as_array().unwrap() {
            let count = |name: &str| {
                let accessor = primitive["attributes"][name].as_u64().unwrap() as usize;
                json["accessors"][accessor]["count"].as_u64().unwrap()
            };
            assert_eq!(count("COLOR_0"), count("POSITION"));
        }
    }
    // Only events that are shown.
    let run = audit(&format!(
        "{} --min-frames 5 --glb {}",
        at_ten(&at.join("my.hero.glb")),
        text(&at.join("none"))
    ));
    assert_eq!((run.code, names(&at.join("none"))), (0, Vec::new()));
}

/// Runs the command of an event in a shell, where `supple` is the one that is tested.
fn in_a_shell(command: &str, folder: &Path) {
    let binary = Path::new(env!("CARGO_BIN_EXE_supple")).parent().unwrap();
    let path = format!("{}:{}", text(binary), std::env::var("PATH").unwrap());
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", path)
        .env("SUPPLE_NO_PROGRESS", "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{command}: {}", String::from_utf8_lossy(&output.stderr));
}

/// That the command of every event of a run makes the GLB file of that event again.
fn commands_make_the_same(at: &Path, arguments: &[&str], most: usize) {
    let all = at.join("all");
    let run = supple(["audit", "--json", "-", "--class", "all", "--glb", text(&all)].iter().chain(arguments));
    assert_eq!(run.code, 1, "{}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    let files = names(&all);
    assert_eq!(files.len(), events(&json).len());
    // Some of all classes.
    let step = files.len().div_ceil(most);
    for (number, event) in events(&json).iter().enumerate().step_by(step) {
        let command = event["command"].as_str().unwrap();
        in_a_shell(command, at);
        let made = names(&at.join("worst"));
        assert_eq!(made.len(), 1, "{command}");
        let expected = files.iter().find(|name| name.contains(&format!("-{:02}-", number + 1))).unwrap();
        let same =
            fs::read(at.join("worst").join(&made[0])).unwrap() == fs::read(all.join(expected)).unwrap();
        assert!(same, "{command}");
        fs::remove_dir_all(at.join("worst")).unwrap();
    }
}

#[cfg(unix)]
#[test]
fn the_command_of_an_event_shows_it_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    commands_make_the_same(at, &["zoo:man", "--fps", "3"], 8);
}

#[cfg(unix)]
#[test]
fn commands_survive_names_and_options() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("it's a $HOME & \"place\"");
    fs::create_dir(&at).unwrap();
    // Equal names, none, that of an option, and one that is the number of another.
    for clips in [["walk", "walk"], ["", ""], ["--glb", "-x"], ["1", "it's `0`\n"]] {
        let model = hand_and_thigh_at_rest(["thigh", "hand"], 2.05);
        let still = Clip::new(clips[0], push("", 5.0).channels().to_vec()).unwrap();
        let model = model.with_clips(vec![still, push(clips[1], 2.05)]).unwrap();
        supple_io::write_glb(at.join("-he ro.glb"), &model).unwrap();
        let file = at.join("-he ro.glb");
        for options in [
            "--bones hand:thigh",
            "--min-depth 0",
            "--min-frames 30",
            "--min-depth 20%",
            "--skinning dual",
            "--bones-apart 1",
        ] {
            let arguments: Vec<&str> =
                [text(&file), "--fps", "10"].into_iter().chain(options.split(' ')).collect();
            commands_make_the_same(&at, &arguments, 1);
            fs::remove_dir_all(at.join("all")).unwrap();
        }
    }
}

#[test]
fn events_are_chosen_by_id() {
    let json = audit_json("zoo:man --clip random --fps 5 --class all");
    let [first, second] = [0, 1].map(|number| events(&json)[number]["id"].as_str().unwrap());
    let json =
        audit_json(&format!("zoo:man --clip random --fps 5 --class all --event {second} --event {first}"));
    let ids: Vec<&str> = events(&json).iter().map(|e| e["id"].as_str().unwrap()).collect();
    assert!(ids.len() >= 2 && ids.iter().all(|id| [first, second].contains(id)), "{ids:?}");
    let error = audit("zoo:man --clip random --fps 5 --event left-wing/tail").fails_in_one_line(2);
    assert!(error.contains("\"left-wing/tail\": there is no such event; there are: "), "{error}");
    assert!(error.contains(first.min(second)) || error.contains("… and "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let hero = written(folder.path(), "hero.glb", 2.05);
    let error = audit(&format!("{} --event hand/foot", at_ten(&hero))).fails_in_one_line(2);
    assert!(error.ends_with("there are: hand/thigh/layers\n"), "{error}");
    // One file may have it, another not.
    written(folder.path(), "other.glb", 5.0);
    let both = audit(&format!("{} --event hand/thigh/layers", at_ten(folder.path())));
    assert_eq!((both.code, both.stderr.as_str()), (1, "error: 1 fault to look at\n"));
}

#[test]
fn hints_say_which_bone_to_turn() {
    let json = audit_json("zoo:man --clip random --fps 5 --hints");
    let hints: Vec<&str> =
        events(&json).iter().filter(|e| e["class"] == "fault").map(|e| e["hint"].as_str().unwrap()).collect();
    assert!(hints.iter().any(|hint| hint.starts_with("to clear the worst frame, turn ")), "{hints:#?}");
    assert!(events(&json).iter().all(|e| e["class"] == "fault" || e["hint"].is_null()));
    let report = audit("zoo:man --clip random --fps 5 --hints").stdout;
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for hint in hints.iter().take(20) {
        assert!(words(&report).contains(&words(hint)), "{hint} in {report}");
    }
    let json = audit_json("zoo:man --clip random --fps 5");
    assert!(events(&json).iter().all(|event| event["hint"].is_null()));
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_unfinished() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let run = |kilobytes: usize, option: &str, place: &Path| {
        // dash and bash count in blocks of different sizes: 512 bytes and 1024.
        let script = format!("ulimit -f {kilobytes} && exec \"$0\" \"$@\"");
        let run = Command::new("sh")
            .env("SUPPLE_NO_PROGRESS", "1")
            .args(["-c", &script, env!("CARGO_BIN_EXE_supple"), "audit", "zoo:man", "--fps", "5"])
            .args([option, text(place)])
            .stdin(Stdio::null())
            .output()
            .unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stderr).unwrap())
    };
    let (lines, glb) = (at.join("lines"), at.join("glb"));
    fs::write(&lines, "old").unwrap();
    let (code, error) = run(8, "--json-lines", &lines);
    assert!(code == 4 && error.contains("lines: cannot be written") && error.lines().count() == 1, "{error}");
    assert_eq!((fs::read_to_string(&lines).unwrap().as_str(), names(at)), ("old", vec!["lines".to_owned()]));
    let (code, error) = run(8, "--glb", &glb);
    assert!(code == 4 && error.contains("cannot be written") && error.lines().count() == 1, "{code} {error}");
    assert_eq!(names(&glb), [""; 0]);
    assert_eq!(run(8_000_000, "--glb", &glb).0, 1);
    assert!(!names(&glb).is_empty());

    // Where no folder can be, and where one is.
    let error = audit(&format!("missing.glb --glb {}", text(&lines))).fails_in_one_line(4);
    assert!(error.contains("--glb") && error.contains("the folder cannot be made"), "{error}");
    let error = audit(&format!("missing.glb --json-lines {}", text(&glb))).fails_in_one_line(4);
    assert!(error.contains("this is a folder"), "{error}");
    if cfg!(target_os = "linux") {
        let (code, error) = run(8_000_000, "--json-lines", Path::new("/dev/full"));
        assert!(code == 4 && error.contains("/dev/full: cannot be written"), "{code} {error}");
    }
}
