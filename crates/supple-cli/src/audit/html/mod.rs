//! The report as one page that needs no other file and no server: the verdict, a card for every event to look at, the worst first, all
//! others folded, and the clips.
//!
//! In: the report. Out: HTML with styles, pictures and a small script in it. Without the script everything can be read; with it, it can be
//! filtered, sorted, enlarged and copied. All text from files is escaped, and no script is made of it.

mod words;
mod item;
mod timeline;
mod card;
mod folds;
mod clips;
mod verdict;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tests;

use std::fmt::Write;

use super::report::{FileReport, Report, Settings};
use super::text::length;
use crate::page::document;
use crate::table::{counted, grouped};

use self::card::{anchor, card};
use self::item::ClipNames;
use self::words::{name, path, sentence};

// The files `viewer.*` are shared with the page in web/page.
const STYLE: &str = concat!(include_str!("viewer.css"), include_str!("page.css"));
const SCRIPT: &str = concat!(include_str!("viewer.js"), include_str!("page.js"));

/// Cards of a file before the others are folded away.
const CARDS: usize = 12;

/// A picture as large as the window, and what is said of a place on a timeline: filled by the script.
const OVERLAYS: &str = "<dialog id=\"large\"><form method=\"dialog\"><button>Close</button></form><img alt=\"\"><p></p>\
                        <a href=\"#\">Show the event</a></dialog><div id=\"tip\" hidden></div>";

/// The whole page.
pub fn page(report: &Report) -> String {
    let clips = ClipNames::new(report);
    let mut body = verdict::header(report);
    body += &not_audited(report);
    body += &verdict::worst_of_all(report);
    body += &clips.controls(report);
    for (index, file) in report.files.iter().enumerate() {
        body += &of_file(index, file, &report.settings, &clips);
    }
    let _ = write!(
        body,
        "{OVERLAYS}<script type=\"module\" data-fps=\"{}\">{SCRIPT}</script>",
        report.settings.fps
    );
    document(&verdict::page_title(report), STYLE, &body)
}

/// Files that could not be audited, and those without the clips that were asked for.
fn not_audited(report: &Report) -> String {
    let list = |heading: &str, class: &str, files: Vec<(&String, &String)>| {
        let mut items = String::new();
        for (file, why) in &files {
            // Most reasons begin with the file.
            let why = why
                .strip_prefix(file.as_str())
                .map_or(why.as_str(), |rest| rest.trim_start_matches([':', ' ']));
            let _ = write!(items, "<li><b>{}</b> {}</li>", name(file), sentence(why));
        }
        match items.as_str() {
            "" => String::new(),
            items => format!("<section class=\"{class}\"><h2>{heading}</h2><ul>{items}</ul></section>"),
        }
    };
    let failed = report.failed.iter().map(|file| (&file.file, &file.error)).collect();
    let skipped = report.skipped.iter().map(|file| (&file.file, &file.remark)).collect();
    list("Not audited", "failed", failed) + &list("Skipped", "skipped", skipped)
}

fn of_file(index: usize, file: &FileReport, settings: &Settings, clips: &ClipNames) -> String {
    let mut text = format!(
        "<section class=\"file\"><h2>{}</h2><p class=\"dim\">{}, {}, {}, size {}{}</p>",
        path(&file.file),
        counted(file.clips.iter().filter(|clip| clip.number.is_some()).count(), "clip"),
        counted(file.triangles, "triangle"),
        counted(file.bones, "bone"),
        length(file.size),
        file.short_names.remark().map_or(String::new(), |remark| format!("; {}", sentence(&remark)))
    );
    for remark in file.remarks() {
        let _ = write!(text, "<p class=\"remark\">{}</p>", sentence(&remark));
    }
    let cards: Vec<String> = file
        .events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.fails(settings))
        .map(|(number, event)| card(&anchor(index, number), event, file, settings, clips))
        .collect();
    let (first, others) = cards.split_at(cards.len().min(CARDS));
    text += &match first {
        [] => "<p><span class=\"badge good\">nothing to look at</span></p>".to_owned(),
        first => format!("<div class=\"cards\">{}</div>", first.concat()),
    };
    if !others.is_empty() {
        let _ = write!(
            text,
            "<details class=\"fold\"><summary><b>{} more to look at</b> <span class=\"dim\">Less severe than those \
             above.</span> <span class=\"count\"></span></summary><div class=\"cards\">{}</div></details>",
            grouped(others.len()),
            others.concat()
        );
    }
    text + &folds::folds(file, settings, clips) + &clips::overview(index, file, settings) + "</section>"
}
