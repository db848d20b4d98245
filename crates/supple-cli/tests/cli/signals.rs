//! Signals in the middle of the work: old files stay, nothing unfinished is left.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::outputs::names;
use crate::supple::text;

fn started(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_supple"))
        .env("SUPPLE_NO_PROGRESS", "1")
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Waits until something hidden is in the folder, with so many files in it.
fn until_unfinished(folder: &Path, files: usize) {
    let start = Instant::now();
    loop {
        let hidden = names(folder).into_iter().find(|name| name.contains(".unfinished-"));
        let inside = |name: String| fs::read_dir(folder.join(name)).map_or(0, Iterator::count);
        if hidden.is_some_and(|name| inside(name) >= files) {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "nothing was begun");
        sleep(Duration::from_millis(2));
    }
}

fn send(signal: &str, child: &Child) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_signal_in_the_middle_of_a_sequence_leaves_the_old_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.obj");
    let first = folder.path().join("out_0000.obj");
    fs::write(&first, "old").unwrap();
    for (signal, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        let mut child =
            started(&["deform", "zoo:man", "--clip", "0", "--loop", "--frames", "100000", "-o", text(&file)]);
        until_unfinished(folder.path(), 3);
        send(signal, &child);
        // Ended by the signal, which a shell tells as 128 and its number.
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{signal}");
        assert_eq!(names(folder.path()), ["out_0000.obj"], "{signal}");
        assert_eq!(fs::read_to_string(&first).unwrap(), "old");
    }
}

#[test]
fn a_signal_before_anything_is_written_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    for (signal, number, name, line) in [
        ("INT", 2, "a.pc2", "deform zoo:man --clip 0 --loop --frames 500000 -o"),
        ("TERM", 15, "a.html", "audit zoo:human zoo:man:1 --fps 2000 --html"),
    ] {
        let file = folder.path().join(name);
        fs::write(&file, "old").unwrap();
        let mut child = started(&line.split(' ').chain([text(&file)]).collect::<Vec<_>>());
        sleep(Duration::from_millis(700));
        send(signal, &child);
        assert_eq!(child.wait().unwrap().signal(), Some(number), "{line}");
        assert_eq!(names(folder.path()), [name], "{line}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        fs::remove_file(&file).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_is_ignored_stays_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("out.obj");
    let script = "trap '' HUP; exec \"$0\" \"$@\"";
    let mut child = Command::new("sh")
        .env("SUPPLE_NO_PROGRESS", "1")
        .args(["-c", script, env!("CARGO_BIN_EXE_supple"), "deform", "zoo:man", "--clip", "0", "--loop"])
        .args(["--frames", "100000", "-o", text(&file)])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    until_unfinished(folder.path(), 1);
    send("HUP", &child);
    let written = fs::read_dir(folder.path().join(&names(folder.path())[0])).unwrap().count();
    until_unfinished(folder.path(), written + 5);
    send("TERM", &child);
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(names(folder.path()), [""; 0]);
}
