//! All clips of a file: a line with a strip for each that has something to look at, the others by name.
//!
//! In: a file and the cards that it has. Out: markup; events link to their cards.

use std::fmt::Write;

use supple_audit::{Occurrence, PlayedClip};

use super::super::report::{EventReport, FileReport, Settings, left_out_words};
use super::card::{anchor, cells};
use super::timeline::{Cell, strip};
use super::words::{clip_name, name};
use crate::table::{counted, grouped};

/// More events than this, and a line names only the worst.
const EVENTS: usize = 2;

/// The overview; nothing for the rest pose alone.
pub fn overview(index: usize, file: &FileReport, settings: &Settings) -> String {
    if file.clips.iter().all(|clip| clip.number.is_none()) {
        return String::new();
    }
    let (mut lines, mut clean, mut others, mut partly) =
        (String::new(), Vec::new(), Vec::new(), String::new());
    for (number, clip) in file.clips.iter().enumerate() {
        let here: Vec<(usize, &EventReport)> = file
            .events
            .iter()
            .enumerate()
            .filter(|(_, e)| e.fails(settings) && e.event.occurrences.iter().any(|o| o.clip == number))
            .collect();
        let has_event = file.events.iter().any(|e| e.event.occurrences.iter().any(|o| o.clip == number));
        match (here.is_empty(), has_event) {
            (false, _) => lines += &line(index, number, clip, &here, settings),
            (true, true) => others.push(clip_name(clip)),
            (true, false) if clip.left_out.is_nothing() => clean.push(clip_name(clip)),
            (true, false) => {
                let words = left_out_words(&clip.left_out, clip.frames);
                let _ = write!(
                    partly,
                    "<p><span class=\"badge partly\">nothing but what was left out</span> {} <span class=\"dim\">{words}</span></p>",
                    clip_name(clip)
                );
            }
        }
    }
    let mut text = format!("<h3>Clips</h3>{lines}");
    if !others.is_empty() {
        let _ = write!(
            text,
            "<p><span class=\"badge good\">nothing to look at</span> {} <span class=\"dim\">with events of the folds above:</span> \
             {}</p>",
            counted(others.len(), "clip"),
            others.join(", ")
        );
    }
    if !clean.is_empty() {
        let _ = write!(
            text,
            "<p><span class=\"badge good\">clean</span> {} <span class=\"dim\">in which nothing intersects:</span> {}</p>",
            counted(clean.len(), "clip"),
            clean.join(", ")
        );
    }
    format!("<div class=\"clips\">{text}{partly}</div>")
}

fn line(
    index: usize,
    number: usize,
    clip: &PlayedClip,
    here: &[(usize, &EventReport)],
    settings: &Settings,
) -> String {
    let mut all: Vec<Cell> = Vec::new();
    for (event, report) in here {
        let occurrences: Vec<&Occurrence> =
            report.event.occurrences.iter().filter(|o| o.clip == number).collect();
        all.extend(cells(&occurrences, &report.event, Some(*event)));
    }
    let mut frames: Vec<usize> = all.iter().map(|cell| cell.frame).collect();
    frames.sort_unstable();
    frames.dedup();
    let named = if here.len() > EVENTS { 1 } else { here.len() };
    let mut links: Vec<String> = here
        .iter()
        .take(named)
        .map(|(event, report)| {
            format!("<a href=\"#{}\">{}</a>", anchor(index, *event), name(&report.event.name))
        })
        .collect();
    if here.len() > named {
        links.push(format!("and {} more", grouped(here.len() - named)));
    }
    format!(
        "<div class=\"line\" data-file=\"{index}\"><span>{}</span>{}<span class=\"dim\">{} of {}: {}</span></div>",
        clip_name(clip),
        strip(clip, &all, settings),
        grouped(frames.len()),
        counted(clip.frames, "frame"),
        links.join(", ")
    )
}
