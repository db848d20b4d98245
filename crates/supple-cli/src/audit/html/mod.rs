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
use crate::table::counted;

use self::card::{anchor, card};
use self::item::ClipNames;
use self::words::{name, sentence};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// A picture as large as the window, and what is said of a place on a timeline: filled by the script.
const OVERLAYS: &str = "<dialog id=\"large\"><form method=\"dialog\"><button>Close</button></form><img alt=\"\"><p></p>\
                        <a href=\"#\">Show the event</a></dialog><div id=\"tip\" hidden></div>";

/// The whole page.
pub fn page(report: &Report) -> String {
    let clips = ClipNames::new(report);
    let mut body = verdict::header(report);
    for failed in &report.failed {
        let _ = write!(
            body,
            "<section class=\"failed\"><h2>{}</h2><p>Not audited: {}</p></section>",
            name(&failed.file),
            sentence(&failed.error)
        );
    }
    for skipped in &report.skipped {
        let _ = write!(
            body,
            "<section class=\"skipped\"><h2>{}</h2><p class=\"remark\">Skipped: {}</p></section>",
            name(&skipped.file),
            sentence(&skipped.remark)
        );
    }
    body += &verdict::worst_of_all(report);
    body += &clips.controls(report);
    for (index, file) in report.files.iter().enumerate() {
        body += &of_file(index, file, &report.settings, &clips);
    }
    let _ = write!(body, "{OVERLAYS}<script data-fps=\"{}\">{SCRIPT}</script>", report.settings.fps);
    document(&verdict::page_title(report), STYLE, &body)
}

fn of_file(index: usize, file: &FileReport, settings: &Settings, clips: &ClipNames) -> String {
    let mut text = format!(
        "<section class=\"file\"><h2>{}</h2><p class=\"dim\">{}, {}, {}, size {}{}</p>",
        name(&file.file),
        counted(file.clips.iter().filter(|clip| clip.number.is_some()).count(), "clip"),
        counted(file.triangles, "triangle"),
        counted(file.bones, "bone"),
        length(file.size),
        file.short_names.remark().map_or(String::new(), |remark| format!("; {}", sentence(&remark)))
    );
    for remark in file.remarks() {
        let _ = write!(text, "<p class=\"remark\">{}</p>", sentence(&remark));
    }
    let cards: String = file
        .events
        .iter()
        .enumerate()
        .filter(|(_, event)| event.fails(settings))
        .map(|(number, event)| card(&anchor(index, number), event, file, settings, clips))
        .collect();
    text += &match cards.as_str() {
        "" => "<p><span class=\"badge good\">nothing to look at</span></p>".to_owned(),
        cards => format!("<div class=\"cards\">{cards}</div>"),
    };
    text + &folds::folds(file, settings, clips) + &clips::overview(index, file, settings) + "</section>"
}
