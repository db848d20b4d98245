//! `supple audit --html`: the page says what the JSON of the same run says.

use std::fs;

use serde_json::Value;

use crate::supple::{supple, text};

/// Texts between two marks.
fn all_between<'p>(page: &'p str, from: &str, to: &str) -> Vec<&'p str> {
    page.split(from).skip(1).map(|rest| rest.split(to).next().unwrap()).collect()
}

/// Runs with both outputs.
fn page_and_json(arguments: &[&str]) -> (String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let (page, json) = (folder.path().join("page.html"), folder.path().join("all.json"));
    let outputs = ["--html", text(&page), "--json", text(&json)];
    let run = supple(["audit"].iter().chain(arguments).chain(&outputs));
    assert!(run.code < 2, "{}", run.stderr);
    let json = serde_json::from_str(&fs::read_to_string(&json).unwrap()).unwrap();
    (fs::read_to_string(&page).unwrap(), json)
}

fn names_of(json: &Value, is_shown: impl Fn(&str) -> bool) -> Vec<&str> {
    let files = json["files"].as_array().unwrap();
    let events = files.iter().flat_map(|file| file["events"].as_array().unwrap());
    events.filter(|e| is_shown(e["class"].as_str().unwrap())).map(|e| e["name"].as_str().unwrap()).collect()
}

#[test]
fn faults_are_cards_in_their_order_and_others_are_folded() {
    let (page, json) = page_and_json(&["zoo:man", "--fps", "10"]);
    let faults = names_of(&json, |class| class == "fault");
    assert!(!faults.is_empty());
    assert_eq!(all_between(&page, "<h3><bdi>", "</bdi>"), faults);
    let mut others: Vec<&str> = all_between(&page, "<span class=\"name\"><bdi>", "</bdi>");
    let mut expected = names_of(&json, |class| class != "fault");
    others.sort_unstable();
    expected.sort_unstable();
    assert_eq!(others, expected);
    let count = json["totals"]["failing"].as_u64().unwrap();
    assert!(page.contains(&format!("{count} faults to look at in ")), "{count}");
}

#[test]
fn classes_that_are_asked_for_are_cards_too() {
    let (page, json) = page_and_json(&["zoo:man", "zoo:hand", "--fps", "5", "--class", "all"]);
    assert_eq!(all_between(&page, "<h3><bdi>", "</bdi>"), names_of(&json, |_| true));
    assert!(!page.contains("<span class=\"name\">"));
    assert!(page.contains("The worst of all files"));
}

/// Times of the deepest frame are those of the JSON.
#[test]
fn times_are_frames_and_seconds() {
    let (page, json) = page_and_json(&["zoo:man", "--fps", "10"]);
    let event = &json["files"][0]["events"][0];
    let frame = event["worst"]["frame"].as_u64().unwrap();
    let clip = event["worst"]["clip"].as_u64().unwrap() as usize;
    let name = json["files"][0]["clips"][clip]["name"].as_str().unwrap();
    let first = all_between(&page, "<dd class=\"deepest\">", "</dd>")[0].replace('\u{a0}', " ");
    assert!(first.starts_with(&format!("<bdi>{name}</bdi>, frame {frame}")), "{first}");
    assert!(first.ends_with(&format!(", {:.2} s", frame as f64 / 10.0)), "{first}");
}
