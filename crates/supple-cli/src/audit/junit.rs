//! A test report as JUnit writes it, which Jenkins, GitLab and most build servers read.
//!
//! In: a report. Out: XML 1.0: a suite for every file, a test for every clip, and for the rest pose where there is none.
//! Must hold: well-formed whatever names files and clips have; a test fails if and only if an event that fails happens in its clip.
//!
//! Build servers show one failure of a test, so all events of a clip are in one. What is accepted or known is printed by the test
//! and does not skip it: a skipped test would say that nobody has looked.

use super::report::{EventReport, FailedFile, FileReport, Report, Settings, SkippedFile, Status, title};
use super::sentence;
use crate::table::counted;

/// What became of a test.
enum Outcome {
    Passed,
    /// In short, the class of the worst event, and all of it.
    Failed(String, &'static str, String),
    Error(String),
    Skipped(String),
}

struct Test {
    name: String,
    outcome: Outcome,
    /// What it prints.
    output: String,
}

/// The whole document.
pub fn xml(report: &Report) -> String {
    let audited = report.files.iter().map(|file| (&file.file, tests(file, &report.settings)));
    let skipped =
        report.skipped.iter().map(|SkippedFile { file, remark }| (file, Outcome::Skipped(remark.clone())));
    let failed = report.failed.iter().map(|FailedFile { file, error }| (file, Outcome::Error(error.clone())));
    let only =
        |(file, outcome)| (file, vec![Test { name: "audit".to_owned(), outcome, output: String::new() }]);
    let suites: Vec<(&String, Vec<Test>)> = audited.chain(skipped.chain(failed).map(only)).collect();

    let counts = counts(suites.iter().flat_map(|(_, tests)| tests));
    let mut xml =
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"supple audit\"{counts}>\n");
    for (file, tests) in &suites {
        xml += &suite(file, tests);
    }
    xml + "</testsuites>\n"
}

/// A test for every clip.
fn tests(file: &FileReport, settings: &Settings) -> Vec<Test> {
    let titles: Vec<String> = file.clips.iter().map(title).collect();
    let test = |(number, name): (usize, &String)| {
        let is_only = titles.iter().filter(|other| *other == name).count() == 1;
        let name = match file.clips[number].number {
            Some(in_model) if !is_only => format!("{name} (clip {in_model})"),
            _ => name.clone(),
        };
        let shown = file.events.iter().filter(|event| settings.classes.contains(&event.event.class));
        let (failing, passing): (Vec<&EventReport>, Vec<_>) = shown.partition(|event| event.fails(settings));
        let lines = |event: &&EventReport| sentence::in_clip(event, number, settings.fps);
        let texts: Vec<String> = failing.iter().filter_map(lines).collect();
        let first = failing.iter().find(|event| event.event.occurrences.iter().any(|o| o.clip == number));
        let outcome = match first {
            None => Outcome::Passed,
            Some(first) => {
                let more = texts.len() - 1;
                let more =
                    if more > 0 { format!(", and {}", counted(more, "other event")) } else { String::new() };
                Outcome::Failed(first.event.name.clone() + &more, first.event.class.name(), texts.join("\n"))
            }
        };
        let decided = passing.iter().filter(|event| matches!(event.status, Status::Accepted | Status::Known));
        Test { name, outcome, output: decided.filter_map(lines).collect::<Vec<_>>().join("\n") }
    };
    titles.iter().enumerate().map(test).collect()
}

fn suite(file: &str, tests: &[Test]) -> String {
    let quoted = attribute(file);
    let mut xml = format!("  <testsuite name=\"{quoted}\"{}>\n", counts(tests));
    // Jenkins takes what is in front of the last point for a package.
    let class = attribute(&file.replace('.', "_"));
    for Test { name, outcome, output } in tests {
        xml +=
            &format!("    <testcase name=\"{}\" classname=\"{class}\" file=\"{quoted}\">\n", attribute(name));
        xml += &match outcome {
            Outcome::Passed => String::new(),
            Outcome::Failed(short, kind, all) => {
                let short = attribute(short);
                format!("      <failure message=\"{short}\" type=\"{kind}\">{}</failure>\n", escaped(all))
            }
            Outcome::Error(error) => {
                let message = attribute(error);
                format!(
                    "      <error message=\"{message}\" type=\"not audited\">{}</error>\n",
                    escaped(error)
                )
            }
            Outcome::Skipped(why) => format!("      <skipped message=\"{}\"/>\n", attribute(why)),
        };
        if !output.is_empty() {
            xml += &format!("      <system-out>{}</system-out>\n", escaped(output));
        }
        xml += "    </testcase>\n";
    }
    xml + "  </testsuite>\n"
}

/// ` tests="3" failures="1" errors="0" skipped="0"`
fn counts<'t>(tests: impl IntoIterator<Item = &'t Test>) -> String {
    let [mut all, mut failures, mut errors, mut skipped] = [0; 4];
    for test in tests {
        all += 1;
        match test.outcome {
            Outcome::Passed => {}
            Outcome::Failed(..) => failures += 1,
            Outcome::Error(_) => errors += 1,
            Outcome::Skipped(_) => skipped += 1,
        }
    }
    format!(" tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

/// Text between tags. Characters that XML cannot have at all become the one for what cannot be shown.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml += "&amp;",
            '<' => xml += "&lt;",
            '>' => xml += "&gt;",
            '"' => xml += "&quot;",
            '\n' | '\t' => xml.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => xml.push('\u{fffd}'),
            c => xml.push(c),
        }
    }
    xml
}

/// Text in quotes, where a reader takes line breaks for spaces.
fn attribute(text: &str) -> String {
    escaped(text).replace('\n', "&#10;").replace('\t', "&#9;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file, report};
    use supple_audit::Class;

    #[test]
    fn a_test_fails_where_something_happens_in_its_clip() {
        let mut hero = file(
            "a/hero.glb",
            &["walk", "run", "idle", "idle"],
            vec![
                event("hand/thigh", Class::Fault, 3.0, &[0]),
                event("foot/foot", Class::Fault, 2.0, &[0, 1]),
                event("eye/head", Class::Layered, 1.0, &[2]),
                event("hair/head", Class::Fault, 1.0, &[3]),
            ],
        );
        hero.events[3].status = Status::Accepted;
        hero.events[3].reason = Some("a wig".to_owned());
        let xml = xml(&report(vec![hero]));
        let counts = |line: &str| xml.lines().find(|l| l.contains(line)).unwrap().to_owned();
        assert!(counts("<testsuites").ends_with("tests=\"6\" failures=\"2\" errors=\"1\" skipped=\"1\">"));
        assert!(
            counts("<testsuite name=\"a/hero.glb\"")
                .ends_with("tests=\"4\" failures=\"2\" errors=\"0\" skipped=\"0\">")
        );
        assert!(xml.contains(
            "<failure message=\"hand into thigh, and 1 other event\" type=\"fault\">hand into thigh (fault)\n"
        ));
        assert!(xml.contains("<failure message=\"foot into foot\" type=\"fault\">"));
        assert!(
            xml.contains("<testcase name=\"idle (clip 2)\" classname=\"a/hero_glb\" file=\"a/hero.glb\">")
        );
        assert!(xml.contains("<system-out>hair into head (fault)") && xml.contains("accepted: a wig"));
        assert!(xml.contains("<error message=\"bad.glb: is cut off\" type=\"not audited\">"));
        assert!(xml.contains("<skipped message=\"has no clip &quot;walk&quot;\"/>") && !xml.contains("eye"));
    }

    #[test]
    fn hostile_names_stay_text() {
        let hostile = "]]><x a='\"&\u{0}\u{1b}\u{7f}\u{ffff}\r\n\t";
        assert_eq!(
            escaped(hostile),
            "]]&gt;&lt;x a='&quot;&amp;\u{fffd}\u{fffd}\u{fffd}\u{fffd}\u{fffd}\n\t"
        );
        assert!(attribute(hostile).ends_with("&#10;&#9;"));
        let xml =
            xml(&report(vec![file(hostile, &[hostile], vec![event(hostile, Class::Fault, 3.0, &[0])])]));
        assert!(xml.chars().all(|c| matches!(c, '\n' | '\t') || !c.is_control()));
        assert_eq!(xml.matches('<').count(), xml.matches('>').count());
    }
}
