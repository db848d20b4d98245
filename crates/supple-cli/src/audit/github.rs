//! Annotations: lines that a workflow of GitHub takes for errors of files.
//!
//! In: a report. Out: lines `::error file=...,title=...::...`, the worst events first, and one that sums up.
//! Must hold: each is one line, whatever names files and clips have.

use std::path::Path;

use super::model_path::for_build_server;
use super::report::{EventReport, FileReport, Report};
use super::sentence;
use crate::table::counted;

/// GitHub shows no more errors of one step.
const MOST_ERRORS: usize = 10;

/// All lines. Files that are below `folder` are named from there on.
pub fn annotations(report: &Report, folder: &Path) -> String {
    let of_file = |file: &FileReport, event: &EventReport| {
        let message = sentence::of_event(event, file, report.settings.fps);
        error(&for_build_server(&file.file, folder), &event.event.name, &message)
    };
    let mut failing: Vec<(&FileReport, &EventReport)> = Vec::new();
    for file in &report.files {
        failing.extend(
            file.events.iter().filter(|event| event.fails(&report.settings)).map(|event| (file, event)),
        );
    }
    failing.sort_by(|(_, a), (_, b)| b.event.severity.total_cmp(&a.event.severity));
    let failed = report.failed.iter();
    let failed = failed.map(|f| error(&for_build_server(&f.file, folder), "not audited", &f.error));
    let lines = failed.chain(failing.iter().map(|(file, event)| of_file(file, event)));
    lines.take(MOST_ERRORS).collect::<String>() + &summary(report, failing.len())
}

fn error(file: &str, title: &str, message: &str) -> String {
    format!("::error file={},title={}::{}\n", property(file), property(title), data(message))
}

fn summary(report: &Report, failing: usize) -> String {
    let totals = &report.totals;
    let mut text = match failing {
        0 => "nothing to look at".to_owned(),
        count => format!("{} to look at", counted(count, "event")),
    };
    text += &format!(" in {}, {}", counted(totals.files, "file"), counted(totals.clips, "clip"));
    for (count, what) in
        [(totals.accepted, "accepted"), (totals.known, "known"), (report.failed.len(), "not audited")]
    {
        if count > 0 {
            text += &format!("; {count} {what}");
        }
    }
    if report.failed.len() + failing > MOST_ERRORS {
        text += &format!("; the {MOST_ERRORS} worst are shown");
    }
    format!("::notice title=supple audit::{}\n", data(&text))
}

/// Behind the second pair of colons.
fn data(text: &str) -> String {
    let escaped = text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    escaped.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// Between the pairs of colons.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file, report};
    use crate::audit::report::Status;
    use supple_audit::Class;

    #[test]
    fn the_worst_ten_come_first() {
        let events = |first: usize| {
            (first..first + 7)
                .map(|i| event(&format!("{i}/x"), Class::Fault, i as f32, &[0]))
                .collect::<Vec<_>>()
        };
        let mut files = vec![file("a.glb", &["walk"], events(1)), file("/art/b.glb", &["walk"], events(20))];
        files[1].events[6].status = Status::Accepted;
        let mut report = report(files);
        report.totals.accepted = 1;
        let text = annotations(&report, Path::new("/art"));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 11);
        assert_eq!(lines[0], "::error file=bad.glb,title=not audited::bad.glb: is cut off");
        assert!(
            lines[1].starts_with("::error file=b.glb,title=25 into x::25 into x: 25 %25 of the size deep"),
            "{}",
            lines[1]
        );
        assert!(lines[7].starts_with("::error file=a.glb,title=7 into x::"));
        let summary =
            "13 events to look at in 2 files, 2 clips; 1 accepted; 1 not audited; the 10 worst are shown";
        assert_eq!(lines[10], format!("::notice title=supple audit::{summary}"));
    }

    #[test]
    fn hostile_names_stay_in_their_line() {
        let hostile = "a,b:c%\r\n::error::x\u{1b}";
        let files = vec![file(hostile, &[hostile], vec![event(hostile, Class::Fault, 1.0, &[0])])];
        let text = annotations(&report(files), Path::new("/art"));
        assert_eq!(text.lines().count(), 3);
        let line = text.lines().nth(1).unwrap();
        assert!(
            line.starts_with("::error file=a%2Cb%3Ac%25%0D%0A%3A%3Aerror%3A%3Ax\u{fffd},title="),
            "{line}"
        );
        assert!(line.contains("::a,b:c%25%0D%0A::error::x\u{fffd} into"), "{line}");
    }
}
