//! What is written: never over an input, whole or not at all, to stdout with `-`.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::supple::{supple, text};

/// Names in a folder, hidden ones too.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Bytes that a command writes to stdout.
fn bytes(arguments: &str) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_supple"));
    let run = command.args(arguments.split(' ')).env("SUPPLE_NO_PROGRESS", "1").output().unwrap();
    let said = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success() && said.is_empty(), "{arguments}: {} {said}", run.status);
    run.stdout
}

#[test]
fn no_output_is_an_input() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    supple(["zoo", "dolphin", "-o", text(&at("a.glb"))]).ok();
    supple(["zoo", "dolphin", "-o", text(&at("a.obj"))]).ok();
    supple(["build", "zoo:dolphin", "-o", text(&at("a.supple"))]).ok();
    fs::create_dir(at("below")).unwrap();
    fs::copy(at("a.obj"), at("below/f_0000.obj")).unwrap();
    fs::copy(at("a.obj"), at("below/f_0001.obj")).unwrap();
    let mut aliases = vec![("below/../a.glb", "a.glb")];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink("a.glb", at("soft.glb")).unwrap();
        fs::hard_link(at("a.glb"), at("hard.glb")).unwrap();
        fs::hard_link(at("below/f_0001.obj"), at("frame.glb")).unwrap();
        aliases.extend([("soft.glb", "a.glb"), ("hard.glb", "a.glb"), ("frame.glb", "below/f_0001.obj")]);
    }
    let before: Vec<_> = ["a.glb", "a.obj", "a.supple", "below/f_0001.obj"]
        .map(|name| (name, fs::read(at(name)).unwrap()))
        .into();
    let mut lines = vec![
        "deform A/a.glb -o A/a.glb",
        "deform A/a.obj -o A/a.obj",
        "deform A/a.glb -o A/below/../a.glb",
        "build A/a.supple -o A/a.supple",
        "audit A/a.glb --html A/a.glb",
        "audit A/a.glb --json A/a.glb",
        "audit A --json A/below/f_0000.obj",
        "collide A/a.glb --json A/a.glb",
        "collide zoo:dolphin A/a.obj --json A/a.obj",
        "chains A/a.glb -o A/a.glb",
        "chains A/a.glb --json A/a.glb",
        "ray A/a.glb --pixel 1,1 --json A/a.glb",
        "fit A/a.glb -o A/a.glb",
        "fit zoo:dolphin --rest A/a.glb -o A/a.glb",
        "reduce A/a.glb --modes 2 -o A/a.glb",
        "edit-rest A/a.glb A/a.obj -o A/a.glb",
        "edit-rest zoo:dolphin A/a.glb -o A/a.glb",
        "deform A/below/f_0001.obj --clip 0 --frames 3 -o A/below/f.obj",
    ];
    if cfg!(unix) {
        lines.extend([
            "deform A/a.glb -o A/soft.glb",
            "deform A/a.glb -o A/hard.glb",
            "deform A/soft.glb -o A/hard.glb",
            "fit A/below -o A/frame.glb",
            "fit A/below/f_####.obj -o A/frame.glb",
        ]);
    }
    for line in lines {
        let error =
            supple(line.split(' ').map(|word| word.replace('A', text(folder.path())))).fails_in_one_line(2);
        assert!(error.contains("would overwrite"), "{line}: {error}");
        for (name, bytes) in &before {
            assert!(fs::read(at(name)).unwrap() == *bytes, "{line} changed {name}");
        }
    }
    for (alias, name) in aliases {
        assert!(fs::read(at(alias)).unwrap() == fs::read(at(name)).unwrap(), "{alias}");
    }
}

#[test]
fn buffers_and_images_of_an_input_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let (model, buffer) = (folder.path().join("a.gltf"), folder.path().join("a b.bin"));
    let json = r#"{"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"uri":"a%20b.bin"}],
        "bufferViews":[{"buffer":0,"byteLength":36}],"images":[{"uri":"skin.png"}],
        "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3"}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}]}"#;
    let corners: Vec<u8> =
        [0f32, 0., 0., 1., 0., 0., 0., 1., 0.].iter().flat_map(|x| x.to_le_bytes()).collect();
    fs::write(&model, json).unwrap();
    fs::write(&buffer, &corners).unwrap();
    fs::write(folder.path().join("skin.png"), "skin").unwrap();
    let error = supple(["collide", text(&model), "--json", text(&buffer)]).fails_in_one_line(2);
    assert!(error.contains("belongs to the input"), "{error}");
    let picture = folder.path().join("skin.png");
    supple(["collide", text(&model), "--picture", text(&picture)]).fails_in_one_line(2);
    assert_eq!((fs::read(&buffer).unwrap(), fs::read(&picture).unwrap()), (corners, b"skin".to_vec()));
    supple(["collide", text(&model), "--json", text(&folder.path().join("new.json"))]).ok();
}

#[test]
fn a_dash_is_stdout_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    for (line, name) in [
        ("zoo dolphin --format glb", "a.glb"),
        ("zoo dolphin --format obj", "a.obj"),
        ("deform zoo:dolphin --clip 0 --time 0.1 --format glb", "b.glb"),
        ("deform zoo:dolphin --clip 0 --fps 5 --format pc2", "b.pc2"),
        ("deform zoo:dolphin --clip 0 --fps 5 --format mdd", "b.mdd"),
        ("build zoo:dolphin", "c.supple"),
        ("reduce zoo:dolphin --modes 2 --resolution 8", "d.glb"),
        ("edit-rest zoo:curtain zoo:curtain", "e.glb"),
    ] {
        let file = folder.path().join(name);
        supple(line.split(' ').chain(["-o", text(&file)])).ok();
        assert!(bytes(&format!("{line} -o -")) == fs::read(&file).unwrap(), "{line}");
    }
    assert!(bytes("collide zoo:dolphin --picture -").starts_with(b"\x89PNG"));
    assert!(bytes("ray zoo:dolphin --pixel 320,240 --picture -").starts_with(b"\x89PNG"));
    assert!(bytes("audit zoo:dolphin --fps 2 --html -").starts_with(b"<!"));
    assert!(
        serde_json::from_slice::<serde_json::Value>(&bytes("audit zoo:dolphin --fps 2 --json -")).is_ok()
    );
    for (line, expected) in [
        ("collide zoo:dolphin --json - --picture -", "cannot both be written to stdout"),
        ("audit zoo:dolphin --json - --html -", "--json and --html"),
        ("deform zoo:dolphin -o -", "--format obj or glb or pc2 or mdd"),
        ("zoo dolphin -o -", "--format glb or obj"),
        ("zoo dolphin -o - --format pc2", "cannot be written here"),
        ("zoo dolphin -o x.glb --format obj", "says something else"),
        ("deform zoo:dolphin -o - --format obj --clip 0 --frames 2", "need a name"),
    ] {
        let error = supple(line.split(' ')).fails_in_one_line(2);
        assert!(error.contains(expected), "{line}: {error}");
    }
}

#[test]
fn sequences_replace_their_frames_and_tell_of_older_ones() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.obj");
    let run =
        |frames| supple(["deform", "zoo:dolphin", "--clip", "0", "--frames", frames, "-o", text(&file)]).ok();
    assert!(!run("4").contains("note"));
    let said = run("2");
    assert!(said.contains("note: 2 files from") && said.contains("out_0003.obj"), "{said}");
    assert_eq!(names(folder.path()), ["out_0000.obj", "out_0001.obj", "out_0002.obj", "out_0003.obj"]);
    // The last of the frames cannot be replaced: none is.
    fs::remove_file(folder.path().join("out_0003.obj")).unwrap();
    fs::create_dir(folder.path().join("out_0003.obj")).unwrap();
    fs::write(folder.path().join("out_0000.obj"), "old").unwrap();
    let four = ["deform", "zoo:dolphin", "--clip", "0", "--frames", "4", "-o", text(&file)];
    supple(four).fails_in_one_line(4);
    assert_eq!(fs::read_to_string(folder.path().join("out_0000.obj")).unwrap(), "old");
    assert_eq!(names(folder.path()).len(), 4);
}

#[cfg(unix)]
mod unix {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn permissions_and_links_stay() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("elsewhere")).unwrap();
        fs::write(at("elsewhere/a.obj"), "old").unwrap();
        fs::set_permissions(at("elsewhere/a.obj"), fs::Permissions::from_mode(0o600)).unwrap();
        symlink("elsewhere/a.obj", at("link.obj")).unwrap();
        symlink("elsewhere/new.obj", at("new.obj")).unwrap();
        for name in ["link.obj", "new.obj"] {
            supple(["zoo", "dolphin", "-o", text(&at(name))]).ok();
            assert!(fs::symlink_metadata(at(name)).unwrap().is_symlink(), "{name}");
            assert!(fs::read_to_string(at(name)).unwrap().contains("\nf "), "{name}");
        }
        let mode = fs::metadata(at("elsewhere/a.obj")).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(names(&at("elsewhere")), ["a.obj", "new.obj"]);
    }

    #[test]
    fn what_is_open_already_is_no_way_around() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        supple(["zoo", "dwarf", "-o", text(&at("a.obj"))]).ok();
        let before = fs::read(at("a.obj")).unwrap();
        for script in [
            "deform a.obj -o /proc/self/cwd/a.obj",
            "deform a.obj -o - --format obj >> a.obj",
            "deform a.obj -o /dev/fd/3 --format obj 3<>a.obj",
            "ray a.obj --from 0,1,5 --direction 0,0,-1 --json - --picture x.png > x.png",
            "ray a.obj --from 0,1,5 --direction 0,0,-1 --json /dev/fd/3 --picture x.png 3> x.png",
        ] {
            let script = format!("cd \"$1\" && exec \"$0\" {script}");
            let arguments = ["-c", &script, env!("CARGO_BIN_EXE_supple"), text(folder.path())];
            let run = Command::new("sh").env("SUPPLE_NO_PROGRESS", "1").args(arguments).output().unwrap();
            assert_eq!(run.status.code(), Some(2), "{script}: {}", String::from_utf8_lossy(&run.stderr));
            assert_eq!(fs::read(at("a.obj")).unwrap(), before, "{script}");
        }
        // What is there before stays there.
        fs::write(at("log"), "before ").unwrap();
        let script =
            "cd \"$1\" && exec \"$0\" ray a.obj --from 0,1,5 --direction 0,0,-1 --json /dev/fd/3 3>>log";
        let arguments = ["-c", script, env!("CARGO_BIN_EXE_supple"), text(folder.path())];
        assert!(Command::new("sh").args(arguments).status().unwrap().success());
        assert!(fs::read_to_string(at("log")).unwrap().starts_with("before {"));
    }

    #[test]
    fn devices_and_pipes_are_written_to() {
        supple(["zoo", "dolphin", "-o", "/dev/null", "--format", "glb"]).ok();
        supple(["build", "zoo:dolphin", "-o", "/dev/null"]).ok();
        supple(["audit", "zoo:dolphin", "--fps", "2", "--html", "/dev/null", "--json", "/dev/null"]).ok();
        assert!(bytes("zoo dolphin --format glb -o /dev/stdout").starts_with(b"glTF"));
        if cfg!(target_os = "linux") {
            for line in ["build zoo:dolphin -o /dev/full", "collide zoo:dolphin --json /dev/full"] {
                let run = supple(line.split(' '));
                assert_eq!(run.code, 4, "{line}: {}", run.stderr);
                assert!(run.stderr.contains("/dev/full: cannot be written"), "{}", run.stderr);
            }
        }
    }

    /// What a full disk does: the limit of the shell lets a file grow to so many bytes, and no further.
    fn with_room_for(kilobytes: usize, arguments: &[&str]) -> (i32, String) {
        // dash and bash count in blocks of different sizes: 512 bytes and 1024.
        let script = format!("ulimit -f {kilobytes} && exec \"$0\" \"$@\"");
        let run = Command::new("sh")
            .env("SUPPLE_NO_PROGRESS", "1")
            .args(["-c", &script, env!("CARGO_BIN_EXE_supple")])
            .args(arguments)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let code = run.status.code().unwrap_or_else(|| panic!("{:?}: {run:?}", run.status));
        (code, String::from_utf8(run.stderr).unwrap())
    }

    #[test]
    fn a_full_disk_leaves_what_was_there() {
        let folder = tempfile::tempdir().unwrap();
        for (line, name) in [
            ("zoo man -o", "a.glb"),
            ("zoo man -o", "a.obj"),
            ("deform zoo:man --clip 0 --fps 5 -o", "a.pc2"),
            ("deform zoo:man --clip 0 --fps 5 -o", "a.mdd"),
            ("build zoo:dolphin -o", "a.supple"),
            ("reduce zoo:dolphin --modes 2 --resolution 8 -o", "c.glb"),
            ("fit zoo:dolphin --joints 5 -o", "d.glb"),
            ("edit-rest zoo:curtain zoo:curtain -o", "e.glb"),
            ("chains zoo:man --clip 0 --frames 2 -o", "f.glb"),
            ("collide zoo:man --clip-a 0 --offset-b 0.1,0,0 --frames 5 --json", "a.json"),
            ("ray zoo:man --pixel 320,200 --picture", "b.png"),
            ("audit zoo:man --fps 1 --html", "a.html"),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, "old").unwrap();
            let arguments: Vec<&str> = line.split(' ').chain([text(&file)]).collect();
            let (code, stderr) = with_room_for(8, &arguments);
            assert_eq!(code, 4, "{line}: {stderr}");
            assert!(stderr.contains(name) && stderr.contains("cannot be written"), "{line}: {stderr}");
            assert_eq!(fs::read_to_string(&file).unwrap(), "old", "{line}");
            assert_eq!(names(folder.path()), [name], "{line}");
            fs::remove_file(&file).unwrap();
        }
        // Where nothing was nothing is; of a sequence too.
        let file = folder.path().join("g.obj");
        let frames = ["deform", "zoo:man", "--clip", "0", "--frames", "3", "-o", text(&file)];
        assert_eq!(with_room_for(8, &frames).0, 4);
        assert_eq!(names(folder.path()), [""; 0]);
        assert_eq!(with_room_for(8_000_000, &frames).0, 0);
        assert_eq!(names(folder.path()).len(), 3);
    }

    #[test]
    fn endless_and_huge_inputs_end_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for name in ["huge.glb", "huge.obj", "huge.supple", "huge.pc2"] {
            let file = fs::File::create(at(name)).unwrap();
            // No file system of a test machine has to hold them: nothing is stored.
            file.set_len(100 << 30).unwrap();
        }
        for name in ["zero.glb", "zero.supple", "zero.mdd"] {
            symlink("/dev/zero", at(name)).unwrap();
        }
        for name in names(folder.path()) {
            let command = if name.ends_with("pc2") || name.ends_with("mdd") { "fit" } else { "deform" };
            // With little memory: what is refused must not be read first.
            let out = at("out.glb");
            let run = Command::new("sh")
                .env("SUPPLE_NO_PROGRESS", "1")
                .args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_supple")])
                .args([command, text(&at(&name)), "-o", text(&out)])
                .output()
                .unwrap();
            let stderr = String::from_utf8(run.stderr).unwrap();
            assert_eq!(run.status.code(), Some(3), "{name}: {stderr}");
            let expected = if name.starts_with("huge") { "107.4 GB" } else { "a device" };
            assert!(stderr.contains(expected) && stderr.lines().count() == 1, "{name}: {stderr}");
        }
    }

    #[test]
    fn models_come_through_pipes() {
        let script = "\"$0\" zoo dolphin -o - --format glb | \"$0\" inspect /dev/stdin";
        let run = Command::new("sh")
            .env("SUPPLE_NO_PROGRESS", "1")
            .args(["-c", script, env!("CARGO_BIN_EXE_supple")])
            .output()
            .unwrap();
        let (stdout, stderr) =
            (String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap());
        assert!(run.status.success() && stdout.contains("glTF 2.0 (binary)"), "{stdout}{stderr}");
    }
}
