//! `supple` without arguments, and the demos.

use serde_json::Value;

use crate::supple::supple;

/// The numbers of a line of a table.
fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().filter_map(|word| word.replace(',', "").parse().ok()).collect()
}

/// The demo's table of frames: second, pairs, microseconds by supple and by baking, their ratio.
fn rows(text: &str) -> Vec<Vec<f64>> {
    let rows = text.lines().filter(|line| line.trim_start().starts_with(|c: char| c.is_ascii_digit()));
    rows.map(numbers).filter(|row| row.len() == 5).collect()
}

#[test]
fn two_people_brush_past_each_other() {
    let text = supple::<&str>([]).ok();
    let rows = rows(&text);
    assert!(rows.len() >= 12, "{text}");
    let (passing, inside) = rows.split_at(rows.len() - 2);
    assert!(passing[0][1] == 0.0 && passing.iter().any(|row| row[1] > 50.0), "{text}");
    assert!(inside.iter().all(|row| row[1] > 2000.0), "{text}");
    assert!(rows.iter().all(|row| (row[4] / (row[3] / row[2]) - 1.0).abs() < 0.1), "{text}");
    for expected in
        ["deform all 26,004 vertices", "Brute force", "agrees", "Try next", "a shot", "supple audit"]
    {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    assert!(text.lines().all(|line| line.chars().count() <= 110) && !text.contains('\x1b'), "{text}");
    // The command that it prints gives its frames.
    let (_, command) = text.split_once("  supple collide zoo:human ").unwrap();
    let (command, _) = command.split_once(" --check --picture").unwrap();
    let arguments = command.split_whitespace().filter(|word| *word != "\\");
    let json = supple(["collide", "zoo:human", "--json", "-"].into_iter().chain(arguments)).ok();
    let report: Value = serde_json::from_str(&json).unwrap();
    let pairs_at = |second: f64| {
        let frames = report["frames"].as_array().unwrap().iter();
        let mut near = frames.filter(|frame| (frame["time"].as_f64().unwrap() - second).abs() < 0.006);
        near.next().unwrap()["pairs"].as_array().unwrap().len() as f64
    };
    for row in passing {
        assert_eq!(row[1], pairs_at(row[0]), "{row:?}");
    }
}

#[test]
fn terminals_that_show_colours_show_a_picture() {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_supple"));
    let output = command
        .arg("demo")
        .env_remove("COLORTERM")
        .env("CLICOLOR_FORCE", "1")
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| line.contains('▀')).collect();
    assert!(lines.len() > 10 && lines.iter().all(|line| line.ends_with("\x1b[0m")), "{text}");
    // Red: what touches.
    assert!(
        lines
            .iter()
            .any(|line| line.contains(";5;160") || line.contains(";5;167") || line.contains(";5;196"))
    );
}

#[test]
fn the_skinning_demo_shows_what_twisting_does() {
    let text = supple(["demo", "skinning"]).ok();
    let lines: Vec<Vec<f64>> =
        text.lines().filter(|l| l.trim_start().starts_with("twist ")).map(numbers).collect();
    assert_eq!(lines.len(), 5, "{text}");
    // Second, linear, spherical, dual, gap.
    let (first, last) = (&lines[0], &lines[4]);
    assert_eq!(first[1..], [100.0, 100.0, 100.0, 0.0]);
    assert!(last[1] < 97.0 && last[2] > 98.0 && last[3] > 98.0 && last[4] > 1.0, "{text}");
    assert!(text.contains("µs") && text.contains("Try next"), "{text}");
}
