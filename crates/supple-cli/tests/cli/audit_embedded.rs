//! A program with a model in memory gets the report that the command writes.

use std::fs;
use std::sync::Arc;

use supple::{BuildOptions, Shape, Skinning};
use supple_cli::audit::embedded::{
    ModelReport, ReportError, ReportOptions, auditor, report, report_of_audit, wanted_parts,
};
use supple_zoo::make;

use crate::supple::{supple, text};

fn shape(name: &str) -> Arc<Shape> {
    Arc::new(Shape::build(make(name, 0).unwrap(), &BuildOptions::default()).unwrap())
}

fn options(change: impl FnOnce(&mut ReportOptions)) -> ReportOptions {
    let mut options = ReportOptions::default();
    options.fps = 5.0;
    change(&mut options);
    options
}

/// What the command writes and prints: JSON, page, text.
fn written(arguments: &[&str]) -> [String; 3] {
    let folder = tempfile::tempdir().unwrap();
    let (page, json) = (folder.path().join("page.html"), folder.path().join("all.json"));
    let outputs = ["--fps", "5", "--html", text(&page), "--json", text(&json)];
    let run = supple(["audit"].iter().chain(arguments).chain(&outputs));
    assert!(run.code < 2, "{}", run.stderr);
    [fs::read_to_string(&json).unwrap(), fs::read_to_string(&page).unwrap(), run.stdout]
}

fn is_same(found: &ModelReport, command: &[&str]) {
    let [json, page, text] = written(command);
    assert!(found.json().unwrap() == json, "JSON of {command:?}");
    assert!(found.page().unwrap() == page, "page of {command:?}");
    assert_eq!(found.text(), text);
}

#[test]
fn json_and_page_are_those_of_the_command() {
    let man = shape("man");
    let found = report("zoo:man", &man, &options(|_| {}), |_, _| true).unwrap();
    assert!(found.failing() > 0 && !found.audit().events.is_empty());
    is_same(&found, &["zoo:man"]);
    let asked = options(|asked| {
        asked.clips = vec!["random".to_owned(), "1".to_owned()];
        asked.skinning = Skinning::DualQuaternion;
        asked.bones = vec!["hand_l+:thigh_l".to_owned(), "hand_r:thigh_r".to_owned()];
        asked.bones_apart = 1;
        (asked.min_depth, asked.min_frames) = ("0.001".to_owned(), 2);
        asked.classes = vec!["fault".to_owned(), "graze".to_owned()];
        asked.hints = true;
    });
    let command = "zoo:man --clip random --clip 1 --skinning dual --bones hand_l+:thigh_l --bones hand_r:thigh_r \
                   --bones-apart 1 --min-depth 0.001 --min-frames 2 --class fault,graze --hints";
    let command: Vec<&str> = command.split_whitespace().collect();
    is_same(&report("zoo:man", &man, &asked, |_, _| true).unwrap(), &command);
}

#[test]
fn audits_in_parts_are_reported_alike() {
    let (man, options) = (shape("man"), options(|asked| asked.hints = true));
    let auditor = auditor(&man, &options).unwrap();
    let parts = auditor.spans(20).into_iter().map(|span| auditor.part(&[span]).unwrap());
    let audit = auditor.finish(parts.collect::<Vec<_>>()).unwrap();
    let found = report_of_audit("zoo:man", &man, &options, audit.clone()).unwrap();
    let whole = report("zoo:man", &man, &options, |_, _| true).unwrap();
    assert!(found.json() == whole.json() && found.page() == whole.page() && found.audit() == whole.audit());
    let error = report_of_audit("zoo:dwarf", &shape("hand"), &options, audit).unwrap_err();
    assert_eq!(error, ReportError::Model("zoo:dwarf: the audit is not of this model".to_owned()));
}

#[test]
fn a_report_can_be_watched_and_stopped() {
    let (man, options) = (shape("man"), options(|_| {}));
    let mut told = Vec::new();
    report("zoo:man", &man, &options, |done, frames| {
        told.push((done, frames));
        true
    })
    .unwrap();
    let (last, frames) = told[told.len() - 1];
    assert_eq!((told[0], last), ((0, frames), frames));
    let stopped = report("zoo:man", &man, &options, |done, _| done > 0).unwrap_err();
    assert_eq!(stopped, ReportError::Stopped { done: 0, frames });
}

#[test]
fn errors_name_the_option() {
    let man = shape("man");
    let error = |change: fn(&mut ReportOptions)| match report("man", &man, &options(change), |_, _| true) {
        Err(ReportError::Option(text)) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(error(|o| o.fps = 0.0), "fps 0: expected a number greater than 0");
    assert!(error(|o| o.fps = 1e9).starts_with("fps: "), "{}", error(|o| o.fps = 1e9));
    assert!(error(|o| o.fps = f32::NAN).starts_with("fps NaN: "));
    let depth =
        "min_depth \"deep\": expected a depth, 0 or more, in percent of the size (0.5%) or in units (0.01)";
    assert_eq!(error(|o| o.min_depth = "deep".to_owned()), depth);
    let classes = "classes \"bad\": expected fault, hidden, graze, crease, layered or all";
    assert_eq!(error(|o| o.classes = vec!["bad".to_owned()]), classes);
    assert_eq!(error(|o| o.classes.clear()), "classes: expected one or more, or all");
    assert!(error(|o| o.clips = vec!["fly".to_owned()]).starts_with("clips: there is no clip \"fly\""));
    let pair = "bones \"hand_l\": expected two bones with a colon between them, A:B";
    assert_eq!(error(|o| o.bones = vec!["hand_l".to_owned()]), pair);
    assert!(
        error(|o| o.bones = vec!["hand_l:thihg_l".to_owned()])
            .starts_with("bones: there is no bone \"thihg_l\"")
    );
    let between = "between \"body\": expected two meshes or materials with a comma between them, A,B";
    assert_eq!(error(|o| o.between = Some("body".to_owned())), between);
    assert!(error(|o| o.between = Some("body,shirt".to_owned())).starts_with("between: there is no mesh"));
    assert!(
        error(|o| o.events = vec!["a/b".to_owned()]).starts_with("events \"a/b\": there is no such event")
    );
}

#[test]
fn parts_are_taken_out_before_the_shape_is_built() {
    let man = make("man", 0).unwrap();
    let whole = options(|o| o.part = Some(man.parts()[0].name.clone()));
    assert_eq!(wanted_parts(man.clone(), &whole).unwrap().mesh(), man.mesh());
    for (wrong, name) in [
        (options(|o| o.part = Some("hat".to_owned())), "part: "),
        (options(|o| o.without = vec!["hat".to_owned()]), "without: "),
    ] {
        let error = wanted_parts(man.clone(), &wrong).unwrap_err().to_string();
        assert!(error.starts_with(name), "{error}");
    }
}

/// An audit that was read from somewhere may say anything: that is a report or an error, and no panic.
#[test]
fn changed_audits_do_not_panic() {
    let (man, options) = (shape("man"), options(|o| (o.hints, o.clips) = (true, vec!["random".to_owned()])));
    let audit = report("man", &man, &options, |_, _| true).unwrap().audit().clone();
    let mut no_triangles = audit.clone();
    no_triangles.events.truncate(1);
    no_triangles.events[0].worst.triangles.clear();
    let mut no_nodes = audit.clone();
    no_nodes.events.truncate(1);
    no_nodes.events[0].sides.iter_mut().for_each(|side| side.nodes.clear());
    for changed in [no_triangles, no_nodes] {
        let _ = report_of_audit("man", &man, &options, changed).map(|report| (report.json(), report.page()));
    }
    let refused = |change: fn(&mut supple_audit::Audit)| {
        let mut audit = audit.clone();
        change(&mut audit);
        report_of_audit("man", &man, &options, audit).is_err()
    };
    assert!(refused(|audit| audit.events[0].worst.triangles[0][1] = u32::MAX));
    assert!(refused(|audit| audit.events[0].worst.clip = 7));
    assert!(refused(|audit| audit.events[0].occurrences[0].clip = 7));
    assert!(refused(|audit| audit.events[0].sides[0].nodes[0] = usize::MAX));
    assert!(refused(|audit| audit.clips[0].number = Some(99)));
    assert!(refused(|audit| audit.clips.clear()));
}
