//! Events that nobody has to look at, folded: accepted, known, and the classes that do not fail, one row each.
//!
//! In: a file. Out: one `<details>` for every kind that there is, with how many there are and what that kind is.

use supple_audit::Class;

use super::super::report::{EventReport, FileReport, Settings, Status};
use super::super::text::length;
use super::card::in_clip;
use super::item::ClipNames;
use super::words::{counted_class, decision, meaning, name, percent, seconds, sentence, visibility};
use crate::table::{counted, grouped};

/// Rows of a fold: what is more is in the JSON.
const ROWS: usize = 300;

/// All folds of a file.
pub fn folds(file: &FileReport, settings: &Settings, clips: &ClipNames) -> String {
    let fails = |class: Class| settings.classes.contains(&class);
    let decided = |status: Status| {
        file.events.iter().filter(|e| fails(e.event.class) && e.status == status).collect::<Vec<_>>()
    };
    let fold = |what: String, means: &str, events: &[&EventReport]| {
        if events.is_empty() { String::new() } else { fold(&what, means, events, file, settings, clips) }
    };
    let accepted = decided(Status::Accepted);
    let from = settings.accept.as_deref().unwrap_or("the list of accepted events");
    let mut text = fold(
        format!("{} accepted", grouped(accepted.len())),
        &format!("Listed in {}, and not worse than there.", sentence(from)),
        &accepted,
    );
    let known = decided(Status::Known);
    let from = settings.baseline.as_deref().unwrap_or("the earlier audit");
    text += &fold(
        format!("{} known", grouped(known.len())),
        &format!("Found in {}, too, and not worse than there.", sentence(from)),
        &known,
    );
    for class in Class::ALL.into_iter().filter(|&class| !fails(class)) {
        let events: Vec<&EventReport> = file.events.iter().filter(|e| e.event.class == class).collect();
        text += &fold(counted_class(events.len(), class), &meaning(class, settings), &events);
    }
    text
}

fn fold(
    what: &str,
    means: &str,
    events: &[&EventReport],
    file: &FileReport,
    settings: &Settings,
    clips: &ClipNames,
) -> String {
    let mut rows = String::new();
    for event in events.iter().take(ROWS) {
        rows += &row(event, file, settings, clips);
    }
    let more = match events.len().saturating_sub(ROWS) {
        0 => String::new(),
        more => format!("<p class=\"dim\">{} more: --json has them all.</p>", grouped(more)),
    };
    format!(
        "<details class=\"fold\"><summary><b>{what}</b> <span class=\"dim\">{means}</span> <span class=\"count\"></span></summary>\
         <div class=\"wide\"><table><thead><tr><th>what</th><th class=\"n\">depth</th><th class=\"n\">% of size</th>\
         <th class=\"n\">how long</th><th class=\"n\">frames</th><th>deepest</th><th>visible</th></tr></thead><tbody>{rows}</tbody>\
         </table></div>{more}</details>"
    )
}

fn row(report: &EventReport, file: &FileReport, settings: &Settings, clips: &ClipNames) -> String {
    let event = &report.event;
    let worst = file
        .clips
        .get(event.worst.clip)
        .map_or(String::new(), |clip| in_clip(clip, event.worst.frame, settings));
    let mut in_clips: Vec<usize> = event.occurrences.iter().map(|occurrence| occurrence.clip).collect();
    in_clips.dedup();
    let others = match in_clips.len() {
        0 | 1 => String::new(),
        many => format!(" <span class=\"dim\">and in {}</span>", counted(many - 1, "other clip")),
    };
    format!(
        "<tr {}><td class=\"what\"><span class=\"name\">{}</span> {}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>\
         <td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"what\">{worst}{others}</td><td>{}</td></tr>",
        clips.attributes(report, file),
        name(&event.name),
        decision(report),
        length(event.depth),
        percent(event.depth_percent).trim_end_matches("\u{a0}%"),
        seconds(event.seconds),
        grouped(event.frames),
        visibility(event.visibility)
    )
}
