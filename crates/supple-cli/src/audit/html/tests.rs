//! What the page must say and must never do, on the sample.

use serde_json::{Value, json};

use super::super::picture::MARKS;
use super::super::report::{EventReport, FileReport, Report, Status, Totals};
use super::fixture::{event, fill_moments, of_files, report, report_of};
use super::*;
use supple_audit::Class;
use supple_draw::Colour;

/// What the body says, without markup, and without styles and script.
fn text(page: &str) -> String {
    let body = page.split_once("<body>").expect("a body").1.split("<script ").next().expect("a page");
    let mut text = String::new();
    let mut is_markup = false;
    for c in body.chars() {
        match c {
            '<' => (is_markup, text) = (true, text + " "),
            '>' if is_markup => is_markup = false,
            c if !is_markup => text.push(c),
            _ => {}
        }
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn decided(mut report: Report, status: Status) -> Report {
    report.files.iter_mut().flat_map(|file| &mut file.events).for_each(|event| event.status = status);
    of_files(report.files, report.skipped, report.failed)
}

#[test]
fn the_verdict_comes_first() {
    let all = text(&page(&report()));
    assert!(all.contains("5 faults to look at in 6 of 12 clips of 3 files"), "{}", &all[..400]);
    let hero = text(&page(&report_of(|file| file == 0)));
    assert!(hero.contains("3 faults to look at in 3 of 7 clips"), "{}", &hero[..400]);
    assert!(hero.contains(
        "The worst: left hand into left thigh , 3.4 % of the size deep, sit down , frame 52 (own frame 42), 1.73 s."
    ));
    assert!(hero.contains("1 of these was accepted or known before, and got worse."));
    assert!(hero.contains(
        "Not counted, and folded below: 1 accepted, 1 known, 1 hidden, 1 graze, 2 creases, 1 layered."
    ));
    assert!(
        hero.contains("Left out: up to 312 triangle pairs of bones that are near each other (in 1 clip).")
    );
}

#[test]
fn a_clean_report_says_so_and_what_it_did_not_look_at() {
    let statue = text(&page(&report_of(|file| file == 2)));
    assert!(statue.contains("Nothing intersects in the rest pose"), "{statue}");
    let accepted = text(&page(&decided(report_of(|file| file == 0), Status::Accepted)));
    assert!(accepted.contains("No faults to look at in what was looked at: 7 clips"), "{}", &accepted[..400]);
    assert!(accepted.contains("5 accepted, 1 hidden"));
    let nothing = text(&page(&of_files(Vec::new(), Vec::new(), report().failed)));
    assert!(nothing.contains("Nothing was audited") && nothing.contains("1 file was not audited."));
}

#[test]
fn classes_that_fail_have_cards_and_others_rows() {
    let mut report = report_of(|file| file == 0);
    let cards = |report: &Report| page(report).matches("<article class=\"card\"").count();
    let rows = |report: &Report| page(report).matches("<tr data-class").count();
    assert_eq!((cards(&report), rows(&report)), (3, 7));
    report.settings.classes.push(Class::Crease);
    report = Report { totals: Totals::new(&report.files, &report.settings), ..report };
    assert_eq!((cards(&report), rows(&report)), (5, 5));
    assert!(text(&page(&report)).contains("5 events to look at in"));
}

#[test]
fn pictures_are_those_of_events_to_look_at() {
    assert_eq!(page(&report()).matches("src=\"data:image/png;base64,").count(), 3);
    assert_eq!(
        page(&decided(report(), Status::Known)).matches("data:image/png").count(),
        0,
        "what is folded has no picture"
    );
}

/// The colours beside the names of the two sides are those of the pictures.
#[test]
fn captions_have_the_colours_of_pictures() {
    for (side, hex) in
        ["i.a { background: #f57c00; }", "i.b { background: #1f5fd6; }"].iter().zip([0xf57c00, 0x1f5fd6])
    {
        assert!(STYLE.contains(side), "{side}");
        assert!(MARKS.contains(&Colour::hex(hex)), "{side}");
    }
}

#[test]
fn files_that_were_not_audited_are_named() {
    let all = text(&page(&report()));
    assert!(all.contains("1 file was not audited.") && all.contains("1 file was skipped."));
    assert!(all.contains("Not audited characters/broken.glb buffer 0 ends"), "{all}");
    assert!(all.contains("Skipped characters/fish.glb has no clip"));
    assert!(all.contains("The worst of all files"));
}

#[test]
fn clips_are_named_with_what_is_in_them() {
    let hero = text(&page(&report_of(|file| file == 0)));
    let clips = hero.rsplit_once(" Clips ").expect("an overview").1;
    assert!(
        clips.starts_with("walk frames 3–22 (own frames 2–18), 0.10–0.73 s; deepest in frame 15"),
        "{clips}"
    );
    assert!(
        clips.contains("14 of 37 frames: left hand into left thigh , right forearm into belly"),
        "{clips}"
    );
    assert!(
        clips.contains("nothing to look at 2 clips with events of the folds above: idle , run"),
        "{clips}"
    );
    assert!(clips.contains("clean 1 clip in which nothing intersects: blink"), "{clips}");
    assert!(clips.contains("nothing but what was left out wave up to 312 triangle pairs"), "{clips}");
}

/// Every tag of the page is one of ours, and every attribute that runs something is absent.
#[test]
fn names_from_files_are_text() {
    let page = page(&report());
    assert_eq!(page.matches("<script").count(), 1);
    assert_eq!(page.matches("</script").count(), 1);
    let body = page.split_once("<body>").expect("a body").1;
    let known = [
        "main",
        "header",
        "p",
        "b",
        "h1",
        "h2",
        "h3",
        "a",
        "bdi",
        "span",
        "details",
        "summary",
        "dl",
        "dt",
        "dd",
        "div",
        "section",
        "article",
        "figure",
        "figcaption",
        "img",
        "svg",
        "title",
        "path",
        "rect",
        "code",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "form",
        "label",
        "input",
        "select",
        "option",
        "button",
        "output",
        "ul",
        "i",
        "li",
        "dialog",
        "script",
        "body",
        "html",
    ];
    let markup = body.split("<script ").next().expect("a page");
    for tag in markup.split('<').skip(1) {
        let tag = tag.split('>').next().expect("an end of the tag");
        let element = tag.trim_start_matches('/').split([' ', '/']).next().expect("an element");
        assert!(known.contains(&element), "<{tag}>");
        // Of attributes only what stands between their quotes may come from files.
        let outside: String = tag.split('"').step_by(2).collect();
        assert!(!outside.contains(" on") && !outside.contains('\''), "<{tag}>");
        assert_eq!(tag.matches('"').count() % 2, 0, "<{tag}>");
    }
    assert!(page.chars().all(|c| c == '\n' || !c.is_control()));
    assert!(!page.contains(&"W".repeat(200)), "very long names are cut");
    for outside in ["http:", "https:", "//cdn", "url(", "@import"] {
        assert!(!page.contains(outside), "{outside}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    let page = page(&report());
    let links = page.split("href=\"#").skip(1).map(|rest| rest.split('"').next().expect("an end"));
    let mut count = 0;
    for link in links.filter(|link| !link.is_empty()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link}");
        count += 1;
    }
    assert!(count > 5, "{count}");
}

/// 76 clips of 120 frames; 200 events, each in every third clip, several times.
fn large() -> FileReport {
    let mut file = report_of(|file| file == 0).files.remove(0);
    let clip = serde_json::to_value(&file.clips[0]).expect("JSON");
    let sample = serde_json::to_value(&file.events[0].event).expect("JSON");
    let named = |mut value: Value, key: &str, name: String| {
        value[key] = name.into();
        value
    };
    file.clips = (0..76)
        .map(|number| {
            let mut clip = named(clip.clone(), "name", format!("Attack 1H Slice Horizontal {number}"));
            (clip["number"], clip["frames"]) = (number.into(), 120.into());
            serde_json::from_value(clip).expect("a clip")
        })
        .collect();
    let mut first = file.events.remove(0);
    first.picture = None;
    file.events = (0..200)
        .map(|number| {
            let mut value = named(sample.clone(), "id", format!("event-{number}"));
            let mut occurrences = Vec::new();
            for clip in (number % 3..76).step_by(3) {
                for start in [3, 40, 80] {
                    let mut occurrence = json!({ "clip": clip, "first_frame": start, "last_frame": start + 30, "frames": 31,
                                                 "worst_frame": start + number % 31, "depth": 0.061 });
                    fill_moments(&mut occurrence);
                    occurrences.push(occurrence);
                }
            }
            value["occurrences"] = occurrences.into();
            EventReport {
                event: event(value),
                status: Status::Open,
                reason: None,
                why_worse: None,
                compared: None,
                hint: first.hint.clone(),
                command: first.command.clone(),
                picture: None,
            }
        })
        .collect();
    file
}

#[test]
fn a_large_report_makes_a_page_of_bounded_size() {
    let page = page(&of_files(vec![large()], Vec::new(), Vec::new()));
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
}
