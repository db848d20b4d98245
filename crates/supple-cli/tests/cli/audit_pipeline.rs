//! `supple audit` every night: accepted events, earlier audits, and files for build servers.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use supple::pose::Clip;
use supple::{JointId, Model, Skin};

use crate::json_schema::JsonSchema;
use crate::supple::{Run, supple, text};

/// Audits the man's random clip with more arguments, `@` being a folder.
fn audit(folder: &Path, arguments: &str) -> Run {
    audit_of("zoo:man --clip random", folder, arguments)
}

fn audit_of(what: &str, folder: &Path, arguments: &str) -> Run {
    let arguments = format!("audit {what} --fps 5 {arguments}").replace('@', text(folder));
    supple(arguments.split_whitespace())
}

fn read_json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn write_json(path: &Path, value: &Value) {
    fs::write(path, value.to_string()).unwrap();
}

/// Nothing but the last line of stderr, of a run that fails its check.
fn failing(run: Run) -> String {
    assert_eq!(run.code, 1, "{}{}", run.stdout, run.stderr);
    run.stderr.lines().last().unwrap().to_owned()
}

#[test]
fn accepted_events_pass_until_they_are_worse() {
    let folder = tempfile::tempdir().unwrap();
    let (at, list) = (folder.path(), folder.path().join("list.json"));
    let found = failing(audit(at, "--write-accept @/list.json"));
    assert!(found.ends_with("faults to look at"), "{found}");
    let mut accepted = read_json(&list);
    let count = accepted["accepted"].as_array().unwrap().len();
    assert!(found.contains(&format!(" {count} ")) && count > 2, "{found}");
    assert_eq!(accepted["accepted"][0]["reason"], "no reason given yet");
    assert_eq!(accepted["accepted"][0]["file"], "zoo:man");
    assert!(audit(at, "--accept @/list.json").ok().contains(&format!("{count} accepted")));

    // One less deep, one in another clip, one that does not happen: two fail, and the third is told.
    accepted["accepted"][0]["depth_percent"] = json!(0.01);
    accepted["accepted"][0]["reason"] = json!("the cape hides it");
    accepted["accepted"][1]["clips"] = json!(["walk"]);
    accepted["accepted"].as_array_mut().unwrap().push(json!({
        "file": "zoo:man", "event": "tail/head", "class": "fault", "clips": ["random"], "depth_percent": 1, "reason": "gone"
    }));
    write_json(&list, &accepted);
    let run = audit(at, "--accept @/list.json --write-accept @/list.json --json @/audit.json");
    assert_eq!(
        run.stderr.lines().next().unwrap(),
        "note: 1 accepted event no longer happens: tail/head in zoo:man"
    );
    assert_eq!(
        failing(run),
        format!("error: 2 faults to look at, 2 of them worse than before, {} accepted", count - 2)
    );
    let report = read_json(&at.join("audit.json"));
    assert_eq!(report["totals"]["worse"], 2);
    let why: Vec<&str> = report["files"][0]["events"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|e| e["why_worse"].as_str())
        .collect();
    assert!(why.iter().any(|why| why.contains("0.01 % when it was accepted")), "{why:?}");
    assert!(why.contains(&"also in \"random\", which it was not when it was accepted"), "{why:?}");

    // The same list was read and written: all are accepted again, with their reasons.
    let updated = read_json(&list);
    assert_eq!(updated["accepted"].as_array().unwrap().len(), count);
    assert_eq!(updated["accepted"][0]["reason"], "the cape hides it");
    assert_eq!(updated["accepted"][1]["clips"], json!(["walk", "random"]));
    audit(at, "--accept @/list.json").ok();
}

#[test]
fn known_events_pass_and_new_ones_fail() {
    let folder = tempfile::tempdir().unwrap();
    let (at, earlier) = (folder.path(), folder.path().join("earlier.json"));
    failing(audit(at, "--json @/earlier.json"));
    assert!(audit(at, "--baseline @/earlier.json").ok().contains(" known"));
    // A model of the same name in another folder is the same; a clip that was not played is not.
    let mut changed = read_json(&earlier);
    changed["files"][0]["file"] = json!("other/zoo:man");
    write_json(&earlier, &changed);
    audit(at, "--baseline @/earlier.json").ok();
    changed["files"][0]["clips"][0]["name"] = json!("walk");
    write_json(&earlier, &changed);
    let report = audit(at, "--baseline @/earlier.json --json -");
    assert!(report.stdout.contains("also in \\\"random\\\", which it was not in the earlier audit"));
    failing(report);
    // Without one of the events.
    changed["files"][0]["clips"][0]["name"] = json!("random");
    changed["files"][0]["events"].as_array_mut().unwrap().remove(0);
    write_json(&earlier, &changed);
    let found = failing(audit(at, "--baseline @/earlier.json"));
    assert!(found.starts_with("error: 1 fault to look at, ") && found.ends_with(" known"), "{found}");
    // With another frame rate it is said that the two cannot be compared.
    changed["settings"]["fps"] = json!(30);
    write_json(&earlier, &changed);
    let run = audit(at, "--baseline @/earlier.json");
    assert!(
        run.stderr.contains("other settings") && run.stderr.contains(": fps is 5, was 30\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn every_format_has_every_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::create_dir(at.join("models")).unwrap();
    let man = supple_zoo::make("man", 0).unwrap();
    supple_io::write_glb(at.join("models/a&b.glb"), &man).unwrap();
    fs::write(at.join("models/broken.glb"), "glTF, but not really").unwrap();
    let outputs = "--junit @/a.xml --sarif @/a.sarif --json @/a.json --write-accept @/list.json --github";
    let run = audit_of("@/models zoo:chair --clip random --class fault,crease", at, outputs);
    assert_eq!(run.code, 3, "{}", run.stderr);

    let report = read_json(&at.join("a.json"));
    let shown = (&report["totals"]["fault"], &report["totals"]["crease"]);
    let shown = shown.0.as_u64().unwrap() + shown.1.as_u64().unwrap();
    assert!(shown > 3 && report["totals"]["failing"] == shown);

    let sarif = read_json(&at.join("a.sarif"));
    let run_of = &sarif["runs"][0];
    assert_eq!(
        (&sarif["version"], run_of["results"].as_array().unwrap().len() as u64),
        (&json!("2.1.0"), shown)
    );
    let uri = &run_of["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().unwrap().ends_with("/models/a%26b.glb"), "{uri}");
    assert_eq!(run_of["invocations"][0]["executionSuccessful"], false);
    assert_eq!(run_of["invocations"][0]["toolExecutionNotifications"].as_array().unwrap().len(), 2);

    let junit = fs::read_to_string(at.join("a.xml")).unwrap();
    assert!(junit.contains(
        "<testsuites name=\"supple audit\" tests=\"3\" failures=\"1\" errors=\"1\" skipped=\"1\">"
    ));
    assert!(junit.contains("/models/a&amp;b.glb\"") && junit.matches("  id: ").count() as u64 == shown);

    let errors = run.stdout.lines().filter(|line| line.starts_with("::error file=")).count() as u64;
    assert_eq!(errors, (shown + 1).min(10));
    assert!(
        run.stdout
            .lines()
            .last()
            .unwrap()
            .starts_with(&format!("::notice title=supple audit::{shown} events"))
    );

    let list = read_json(&at.join("list.json"));
    assert_eq!(list["accepted"].as_array().unwrap().len() as u64, shown);
    assert_eq!(list["accepted"][0]["file"], "models/a&b.glb");
}

#[test]
fn a_single_file_that_fails_is_in_the_files_for_build_servers() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("broken.glb"), "no").unwrap();
    let run = audit_of("@/broken.glb", at, "--junit @/a.xml --sarif @/a.sarif --github");
    assert_eq!((run.code, run.stderr.lines().count()), (3, 1), "{}", run.stderr);
    assert!(run.stdout.starts_with("::error file=") && run.stdout.lines().count() == 2);
    assert!(fs::read_to_string(at.join("a.xml")).unwrap().contains("<error message="));
    assert_eq!(read_json(&at.join("a.sarif"))["runs"][0]["invocations"][0]["executionSuccessful"], false);
}

#[test]
fn one_output_may_be_stdout() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (option, start) in
        [("--junit", "<?xml"), ("--sarif", "{\n"), ("--write-accept", "{\n  \"schema\": 1")]
    {
        let run = audit(at, &format!("{option} -"));
        assert!(run.code == 1 && run.stdout.starts_with(start), "{option}: {}", run.stdout);
        assert!(!run.stdout.contains("faults to look at"));
    }
    let refused = audit(at, "--junit - --sarif -").fails_in_one_line(2);
    assert!(refused.contains("cannot both be written to stdout"), "{refused}");
    let refused = audit(at, "--json - --github").fails_in_one_line(2);
    assert!(refused.contains("--github prints to stdout, and --json is written there"), "{refused}");
}

#[test]
fn lists_are_no_outputs_and_bad_ones_are_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let good = "{\"schema\": 1, \"accepted\": []}";
    fs::write(at.join("list.json"), good).unwrap();
    for arguments in [
        "--accept @/list.json --json @/list.json",
        "--accept @/list.json --write-accept @/list.json --json @/list.json",
        "--baseline @/list.json --write-accept @/list.json",
    ] {
        audit_of("@/none.glb", at, arguments).fails_in_one_line(2);
        assert_eq!(fs::read_to_string(at.join("list.json")).unwrap(), good);
    }
    for (contents, message) in [
        ("", "EOF while parsing"),
        ("{\"schema\": 1, \"accepted\": [{}]}", "missing field `file` at line 1"),
        ("{\"schema\": 9, \"accepted\": []}", "has schema 9"),
        ("\u{1b}[2J", "this is no list of accepted events"),
    ] {
        fs::write(at.join("bad.json"), contents).unwrap();
        let error = audit_of("@/none.glb", at, "--accept @/bad.json").fails_in_one_line(3);
        assert!(error.contains("bad.json") && error.contains(message), "{error}");
    }
    for (contents, message) in
        [(good, "for --accept"), ("{\"schema\": 1}", "schema 1"), ("[1]", "this is not the JSON of an audit")]
    {
        fs::write(at.join("bad.json"), contents).unwrap();
        let error = audit_of("@/none.glb", at, "--baseline @/bad.json").fails_in_one_line(3);
        assert!(error.contains(message), "{error}");
    }
    for option in ["--accept", "--baseline"] {
        let error = audit_of("@/none.glb", at, &format!("{option} @/missing.json")).fails_in_one_line(3);
        assert!(error.contains(option) && error.contains("missing.json"), "{error}");
        audit_of("@/none.glb", at, &format!("{option} @")).fails_in_one_line(3);
        #[cfg(unix)]
        audit_of("@/none.glb", at, &format!("{option} /dev/zero")).fails_in_one_line(3);
    }
}

#[test]
fn names_in_files_cannot_break_a_format() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let man = supple_zoo::make("man", 0).unwrap();
    let name = "]]><b>&\"' ::error::x, y %0A\r\n::error file=z::\u{1b}[2J";
    let random = man.clips().iter().find(|clip| clip.name() == "random").unwrap().channels().to_vec();
    let man = man.with_clips(vec![Clip::new(name, random).unwrap()]).unwrap();
    supple_io::write_glb(at.join("man.glb"), &man).unwrap();
    let outputs = "--junit @/a.xml --sarif @/a.sarif --json @/a.json --write-accept @/list.json --github";
    let run = audit_of("@/man.glb", at, outputs);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_eq!(read_json(&at.join("a.json"))["files"][0]["clips"][0]["name"], name);
    assert_eq!(read_json(&at.join("list.json"))["accepted"][0]["clips"][0], name);
    let sarif = read_json(&at.join("a.sarif"));
    let message = sarif["runs"][0]["results"][0]["message"]["text"].as_str().unwrap().to_owned();
    assert!(message.contains(name), "{message}");
    let junit = fs::read_to_string(at.join("a.xml")).unwrap();
    let quoted =
        "name=\"]]&gt;&lt;b&gt;&amp;&quot;' ::error::x, y %0A\u{fffd}&#10;::error file=z::\u{fffd}[2J\"";
    assert!(junit.contains(quoted), "{junit}");
    let failing = read_json(&at.join("a.json"))["totals"]["failing"].as_u64().unwrap();
    let commands = run.stdout.lines().filter(|line| line.trim_start().starts_with("::")).count() as u64;
    assert_eq!(commands, failing.min(10) + 1, "{}", run.stdout);
    audit_of("@/man.glb", at, "--accept @/list.json").ok();
    audit_of("@/man.glb", at, "--baseline @/a.json").ok();
}

/// The list that docs/audit.md shows is one, and the workflow uses options that there are.
#[test]
fn what_the_documentation_shows_works() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let read = |name: &str| fs::read_to_string(docs.join(name)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let page = read("audit.md");
    let list = page.split("```json\n").nth(1).unwrap().split("```").next().unwrap();
    fs::write(folder.path().join("list.json"), list).unwrap();
    audit_of("zoo:chair", folder.path(), "--accept @/list.json").ok();

    let workflow = read("audit-workflow.yml");
    let help = supple(["audit", "--help"]).ok();
    let command = workflow.split("supple audit $MODELS").nth(1).unwrap().split("\n\n").next().unwrap();
    let options: Vec<&str> = command.split_whitespace().filter(|word| word.starts_with("--")).collect();
    assert!(
        options.len() > 4
            && options
                .iter()
                .all(|option| help.contains(&format!("{option} ")) || help.contains(&format!("{option}\n"))),
        "{options:?}"
    );
}

/// docs/audit.schema.json describes what is written, and nothing else.
/// The zoo's man, with a weight of the thigh at one vertex of the hand.
fn man_whose_hand_follows_a_thigh() -> Model {
    let man = supple_zoo::make("man", 0).unwrap();
    let joint = |name: &str| (0..27).find(|&joint| man.joint_name(JointId(joint)) == name).unwrap();
    let (hand, thigh) = (joint("hand_l"), joint("thigh_l"));
    let vertices = 0..man.mesh().positions().len() as u32;
    let mut lists: Vec<Vec<(u32, f32)>> = vertices
        .map(|v| man.skin().influences(v).map(|(joint, weight)| (joint.0, weight)).collect())
        .collect();
    let spoilt = lists.iter_mut().find(|list| **list == [(hand, 1.0)]).unwrap();
    *spoilt = vec![(hand, 0.8), (thigh, 0.2)];
    let skin = Skin::new(man.skin().joint_count(), lists.iter().map(Vec::as_slice)).unwrap();
    let clips = man.clips().to_vec();
    Model::new(man.mesh().clone(), skin, man.skeleton().clone()).unwrap().with_clips(clips).unwrap()
}

#[test]
fn the_json_is_what_its_schema_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("broken.glb"), "no").unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/audit.schema.json");
    let mut schema = JsonSchema::new(&fs::read_to_string(path).unwrap());
    let all = audit_of("zoo:man zoo:chair @/broken.glb --clip random", at, "--json -");
    let document: Value = serde_json::from_str(&all.stdout).unwrap();
    assert_eq!(schema.faults(&document), [""; 0]);
    supple_io::write_glb(at.join("bleeding.glb"), &man_whose_hand_follows_a_thigh()).unwrap();
    let bleeding = audit_of("@/bleeding.glb --clip walk --hints", at, "--json -");
    let bleeding: Value = serde_json::from_str(&bleeding.stdout).unwrap();
    assert_eq!(schema.faults(&bleeding), [""; 0]);
    let found = &bleeding["files"][0]["bleeding"][0];
    assert_eq!((&found["bone"], &found["follows"]), (&json!("hand_l"), &json!("thigh_l")), "{found}");
    assert_eq!(schema.unseen(), [""; 0]);
    let rest: Value = serde_json::from_str(&audit_of("zoo:chair", at, "--json -").stdout).unwrap();
    assert_eq!(schema.faults(&rest), [""; 0]);
}
