//! A report for code scanning: SARIF 2.1.0.
//!
//! In: a report. Out: a run with a rule for every class and a result for every event of the classes that were asked for.
//! Must hold: an event has the same fingerprint in every run, so that alerts are neither opened twice nor lost.

use std::path::Path;

use serde_json::{Map, Value, json};
use supple_audit::Class;

use super::earlier::clips_of;
use super::model_path::for_build_server;
use super::report::{Compared, EventReport, FileReport, Report, Status};
use super::sentence;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The whole document. Files that are below `folder` are named from there on.
pub fn json(report: &Report, folder: &Path) -> Value {
    let mut results = Vec::new();
    for file in &report.files {
        let shown = file.events.iter().filter(|event| report.settings.classes.contains(&event.event.class));
        results.extend(shown.map(|event| result(report, file, event, folder)));
    }
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "supple",
                "version": env!("CARGO_PKG_VERSION"),
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "informationUri": env!("CARGO_PKG_REPOSITORY"),
                "rules": Class::ALL.map(rule),
            }},
            "automationDetails": { "id": "supple-audit/" },
            "originalUriBaseIds": { "SRCROOT": { "description": { "text": "The folder in which the audit ran." } } },
            "invocations": [{
                "executionSuccessful": report.failed.is_empty(),
                "toolExecutionNotifications": notifications(report, folder),
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

/// What a class is, and what to do about it.
fn rule(class: Class) -> Value {
    let (name, short, full, help) = match class {
        Class::Hidden => (
            "HiddenPenetration",
            "One surface goes through another where nobody can see it.",
            "Two parts of the body intersect, but from no direction outside can that be seen in any frame.",
            "Usually nothing has to be done. Look at it if the model is cut open, worn away or seen from inside.",
        ),
        Class::Graze => (
            "Graze",
            "One surface just touches another.",
            "Two parts of the body intersect, but less deep than --min-depth, or in fewer frames than --min-frames.",
            "Usually nothing has to be done. Look at it if the camera comes near.",
        ),
        Class::Crease => (
            "Crease",
            "A fold of the surface touches itself.",
            "Two surfaces intersect that are near each other along the surface, like both sides of an elbow.",
            "Usually nothing has to be done. Where a fold looks pinched, change the weights of its vertices.",
        ),
        Class::Layered => (
            "LayeredSurfaces",
            "Surfaces that cross in the rest pose cross in the clip, too.",
            "Two surfaces intersect in the rest pose, and not deeper in any frame: eyes in sockets, layers of clothes.",
            "Usually nothing has to be done: it was modelled that way.",
        ),
        _ => (
            "VisiblePenetration",
            "One surface goes through another, and it can be seen.",
            "Two parts of the body intersect in some frames of a clip, and that can be seen from outside.",
            "Look at the worst frame. Turn the bone in the clip, or change the weights. If it is meant, accept it with a \
             reason: supple audit --write-accept.",
        ),
    };
    json!({
        "id": rule_id(class),
        "name": name,
        "shortDescription": { "text": short },
        "fullDescription": { "text": full },
        "help": { "text": help, "markdown": help },
        "helpUri": concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/audit.md"),
        "defaultConfiguration": { "level": level(class) },
        "properties": { "tags": ["animation", "mesh"] },
    })
}

fn rule_id(class: Class) -> String {
    format!("supple-{}", class.name())
}

fn level(class: Class) -> &'static str {
    match class {
        Class::Fault => "error",
        Class::Hidden | Class::Graze => "warning",
        _ => "note",
    }
}

fn result(report: &Report, file: &FileReport, event: &EventReport, folder: &Path) -> Value {
    let (found, uri) = (&event.event, uri(&file.file, folder));
    let identity = format!("{uri}#{}#{}", found.id, found.class.name());
    let text = sentence::of_event(event, file, report.settings.fps);
    // A part that goes through itself is one place, not two: the format wants them different.
    let mut places: Vec<Value> = Vec::new();
    let parts = found.sides.iter().map(|side| logical(&file.file, &side.body_part, "bodyPart"));
    let clips = clips_of(found, file);
    for place in parts.chain(clips.iter().map(|clip| logical(&file.file, clip, "clip"))) {
        if !places.contains(&place) {
            places.push(place);
        }
    }
    let mut result = json!({
        "ruleId": rule_id(found.class),
        "ruleIndex": Class::ALL.iter().position(|class| *class == found.class),
        "level": level(found.class),
        "message": { "text": text },
        "locations": [{
            "physicalLocation": physical(uri),
            "logicalLocations": places,
        }],
        // The second is the one that GitHub looks at; without it the file's first line would decide.
        "partialFingerprints": {
            "suppleEvent/v1": identity,
            "primaryLocationLineHash": format!("{:016x}:1", hash(&identity)),
        },
        "properties": {
            "event": found.id,
            "severity": found.severity,
            "depthPercent": found.depth_percent,
            "seconds": found.seconds,
            "frames": found.frames,
            "visibility": found.visibility,
        },
    });
    if report.settings.accept.is_some() {
        let suppression =
            |reason: &String| json!({ "kind": "external", "status": "accepted", "justification": reason });
        let reason = event.reason.as_ref().filter(|_| event.status == Status::Accepted);
        result["suppressions"] = reason.into_iter().map(suppression).collect();
    }
    if let Some(compared) = event.compared {
        result["baselineState"] = match compared {
            Compared::New => "new",
            Compared::Same => "unchanged",
            Compared::Worse => "updated",
        }
        .into();
    }
    result
}

/// Files that were not audited, and remarks.
fn notifications(report: &Report, folder: &Path) -> Vec<Value> {
    let notification = |level: &str, text: &str, file: Option<&String>| {
        let mut notification = json!({ "level": level, "message": { "text": text } });
        if let Some(file) = file {
            notification["locations"] = json!([{ "physicalLocation": physical(uri(file, folder)) }]);
        }
        notification
    };
    let failed = report.failed.iter().map(|f| notification("error", &f.error, Some(&f.file)));
    let skipped = report.skipped.iter().map(|f| notification("note", &f.remark, Some(&f.file)));
    let remarks = report.remarks.iter().map(|remark| notification("note", remark, None));
    failed.chain(skipped).chain(remarks).collect()
}

/// A file; it has no lines, but GitHub shows nothing that has none.
fn physical(uri: String) -> Value {
    let mut artifact = Map::new();
    if !uri.contains(':') {
        artifact.insert("uriBaseId".to_owned(), "SRCROOT".into());
    }
    artifact.insert("uri".to_owned(), uri.into());
    json!({ "artifactLocation": artifact, "region": { "startLine": 1 } })
}

fn logical(file: &str, name: &str, kind: &str) -> Value {
    json!({ "name": name, "fullyQualifiedName": format!("{file}/{name}"), "kind": kind })
}

/// A file as a URI: relative to the folder, or with a scheme.
fn uri(file: &str, folder: &Path) -> String {
    let name = for_build_server(file, folder);
    if let Some(animal) = name.strip_prefix("zoo:") {
        return format!("zoo:{}", percent_encoded(animal));
    }
    let name = if cfg!(windows) { name.replace('\\', "/") } else { name };
    match Path::new(&name).is_absolute() {
        true => format!("file:///{}", percent_encoded(name.trim_start_matches('/'))),
        false => percent_encoded(&name),
    }
}

fn percent_encoded(path: &str) -> String {
    let mut encoded = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                encoded.push(byte.into())
            }
            _ => encoded += &format!("%{byte:02X}"),
        }
    }
    encoded
}

/// FNV-1a: the same on every machine and in every version, which the standard library's hash does not promise.
fn hash(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file, report};

    fn sample() -> Report {
        let events = vec![
            event("hand/thigh", Class::Fault, 3.0, &[0]),
            event("foot/foot", Class::Fault, 2.0, &[0, 1]),
            event("eye/head", Class::Layered, 1.0, &[0]),
        ];
        report(vec![file("a/old hero.glb", &["walk", "run"], events)])
    }

    #[test]
    fn results_are_the_events_that_were_asked_for() {
        let sarif = json(&sample(), Path::new("/art"));
        let run = &sarif["runs"][0];
        let results = run["results"].as_array().unwrap();
        assert_eq!(results.len(), 2);
        assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&"supple-fault".into(), &"error".into()));
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "supple-fault");
        let location = &results[1]["locations"][0];
        assert_eq!(location["physicalLocation"]["artifactLocation"]["uri"], "a/old%20hero.glb");
        let places: Vec<&str> = location["logicalLocations"]
            .as_array()
            .unwrap()
            .iter()
            .map(|l| l["name"].as_str().unwrap())
            .collect();
        assert_eq!(places, ["foot", "walk", "run"]);
        assert!(results[0].get("suppressions").is_none() && results[0].get("baselineState").is_none());
        assert_eq!(run["invocations"][0]["executionSuccessful"], false);
        assert_eq!(run["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().len(), 2);

        let mut all = sample();
        all.settings.classes = Class::ALL.to_vec();
        let sarif = json(&all, Path::new("/art"));
        assert_eq!(
            (&sarif["runs"][0]["results"][2]["ruleIndex"], &sarif["runs"][0]["results"][2]["level"]),
            (&4.into(), &"note".into())
        );
    }

    #[test]
    fn decisions_are_told() {
        let mut decided = sample();
        (decided.settings.accept, decided.settings.baseline) =
            (Some("list".to_owned()), Some("old".to_owned()));
        let [first, second, third] = &mut decided.files[0].events[..] else { panic!() };
        (first.status, first.reason, first.compared) =
            (Status::Accepted, Some("cape".to_owned()), Some(Compared::New));
        (second.status, second.reason, second.compared) =
            (Status::Worse, Some("cape".to_owned()), Some(Compared::Worse));
        third.compared = Some(Compared::Same);
        let sarif = json(&decided, Path::new("/art"));
        let results = &sarif["runs"][0]["results"];
        let suppression = json!([{ "kind": "external", "status": "accepted", "justification": "cape" }]);
        assert_eq!((&results[0]["suppressions"], &results[1]["suppressions"]), (&suppression, &json!([])));
        assert_eq!(
            (&results[0]["baselineState"], &results[1]["baselineState"]),
            (&"new".into(), &"updated".into())
        );
    }

    #[test]
    fn fingerprints_stay_and_differ() {
        let prints = |report: &Report, folder: &str| {
            let sarif = json(report, Path::new(folder));
            let results = sarif["runs"][0]["results"].as_array().unwrap().clone();
            results
                .iter()
                .map(|r| r["partialFingerprints"]["primaryLocationLineHash"].clone())
                .collect::<Vec<_>>()
        };
        let before = prints(&sample(), "/art");
        assert_ne!(before[0], before[1]);
        let mut deeper = sample();
        deeper.files[0].events[0] =
            file("x", &["walk"], vec![event("hand/thigh", Class::Fault, 9.0, &[1])]).events.remove(0);
        deeper.files[0].file = "/elsewhere/a/old hero.glb".to_owned();
        assert_eq!(prints(&deeper, "/elsewhere"), before);
        assert_eq!(hash("foobar"), 0x85944171f73967e8); // from the tables of the hash's authors
    }

    #[cfg(unix)]
    #[test]
    fn names_become_uris() {
        let uri = |file| uri(file, Path::new("/art"));
        assert_eq!(uri("zoo:man:2"), "zoo:man%3A2");
        assert_eq!(uri("/else where/ü.glb"), "file:///else%20where/%C3%BC.glb");
        assert_eq!(uri("a:b#?%\n.glb"), "a%3Ab%23%3F%25%0A.glb");
    }
}
