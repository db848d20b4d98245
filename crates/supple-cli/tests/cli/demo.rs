//! `supple` without arguments, and the demos.

use serde_json::Value;

use crate::supple::supple;

/// The numbers of a line of a table.
fn numbers(line: &str) -> Vec<f64> {
    line.split_whitespace().filter_map(|word| word.replace(',', "").parse().ok()).collect()
}

/// The demo's table: second, metres apart, pairs, visits, refits, vertices, microseconds.
fn rows(text: &str) -> Vec<Vec<f64>> {
    text.lines().filter(|line| line.contains(" m  ")).map(numbers).filter(|row| row.len() == 7).collect()
}

#[test]
fn two_men_walk_into_each_other() {
    let text = supple::<&str>([]).ok();
    let rows = rows(&text);
    assert!(rows.len() >= 10, "{text}");
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    assert_eq!(first[2..6], [0.0, 1.0, 2.0, 0.0], "{text}");
    assert!(last[1] < 0.1 && last[2] > 500.0 && last[5] < 2.0 * 8800.0, "{text}");
    assert!(!text.contains("all µs"), "{text}");
    for expected in ["Deforming all 8,800 vertices", "found the same pairs", "Try next", "µs"] {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    assert!(text.contains("supple audit") && text.lines().all(|line| line.chars().count() <= 100), "{text}");
    assert_eq!(supple(["demo"]).ok().lines().next(), text.lines().next());
}

#[test]
fn the_command_that_the_demo_prints_gives_its_frames() {
    let text = supple::<&str>([]).ok();
    let (_, command) = text.split_once("  supple collide zoo:man ").unwrap();
    let (command, _) = command.split_once(" --check\n").unwrap();
    let arguments = command.split_whitespace().filter(|word| *word != "\\");
    let json = supple(["collide", "zoo:man", "--json", "-"].into_iter().chain(arguments)).ok();
    let frames: Value = serde_json::from_str(&json).unwrap();
    let last = frames["frames"].as_array().unwrap().last().unwrap();
    let rows = rows(&text);
    let row = rows.last().unwrap();
    assert_eq!(last["pairs"].as_array().unwrap().len() as f64, row[2]);
    assert_eq!(last["stats"]["node_visits"].as_f64(), Some(row[3]));
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
