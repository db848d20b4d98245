//! An event that somebody should look at: its picture, how deep, when and where, its timelines, and what to do; details folded.
//!
//! In: an event of a file. Out: one `<article>`, which links and the script find by its id.

use std::collections::BTreeMap;
use std::fmt::Write;

use supple_audit::{Event, Occurrence, PlayedClip};

use super::super::report::{EventReport, FileReport, Settings, title};
use super::super::text::length;
use super::item::ClipNames;
use super::timeline::{Cell, strip};
use super::words::{
    class_badge, clip_name, decision, depth, from_to, name, percent, seconds, sentence, visibility, when,
};
use crate::page::{escaped, png_url};
use crate::table::{counted, first_few, grouped, shortened};

/// Timelines of a card; other clips are named.
const TIMELINES: usize = 3;

/// Characters of the names of the other clips.
const OTHER_CLIPS: usize = 160;

/// Rows of the table of occurrences, the deepest: what is more is in the JSON.
const OCCURRENCES: usize = 16;

/// Characters of the words in place of a picture.
const ALT: usize = 120;

/// Bones of a side that are named.
const BONES: usize = 40;

/// The id of an event's card.
pub fn anchor(file: usize, event: usize) -> String {
    format!("e{file}-{event}")
}

/// The card of the event of that number.
pub fn card(
    anchor: &str,
    report: &EventReport,
    file: &FileReport,
    settings: &Settings,
    clips: &ClipNames,
) -> String {
    let event = &report.event;
    let mut text = format!("<article class=\"card\" id=\"{anchor}\" {}>", clips.attributes(report, file));
    let worst_clip = file.clips.get(event.worst.clip);
    let worst = worst_clip.map_or(String::new(), |clip| in_clip(clip, event.worst.frame, settings));
    if let Some(picture) = &report.picture {
        let _ = write!(
            text,
            "<figure><img loading=\"lazy\" alt=\"{}\" src=\"{}\"><figcaption>{}</figcaption></figure>",
            escaped(&shortened(&event.name, ALT)),
            png_url(&picture.png),
            colours(event)
        );
    }
    let _ = write!(
        text,
        "<div class=\"facts\"><h3>{}</h3><p class=\"badges\">{}{}</p>",
        name(&event.name),
        class_badge(event.class),
        decision(report)
    );
    let _ = write!(
        text,
        "<dl><div><dt>deep</dt><dd><b>{}</b> of the size <span class=\"dim\">({} units)</span></dd></div>\
         <div><dt>how long</dt><dd>{}</dd></div><div><dt>deepest</dt><dd class=\"deepest\">{worst}</dd></div>\
         <div><dt>visible</dt><dd>{}</dd></div></dl>",
        percent(event.depth_percent),
        length(event.depth),
        how_long(event, file),
        visibility(event.visibility)
    );
    if let Some(hint) = &report.hint {
        let _ = write!(text, "<p class=\"hint\"><b>Hint:</b> {}</p>", sentence(hint));
    }
    text += &timelines(event, file, settings);
    if !report.command.is_empty() {
        let _ = write!(text, "<p class=\"command\"><code>{}</code></p>", escaped(&report.command));
    }
    let _ = write!(
        text,
        "<details><summary>Bones, area, every occurrence</summary>{}</details></div></article>",
        details(event, file, settings)
    );
    text
}

/// Which side has which colour in the picture.
fn colours(event: &Event) -> String {
    let [a, b] = event.sides.each_ref().map(|side| match &side.mesh {
        Some(mesh) if *mesh != side.body_part => format!("{} ({})", name(&side.body_part), name(mesh)),
        _ => name(&side.body_part),
    });
    let b = if a == b { "itself".to_owned() } else { b };
    format!("<span><i class=\"a\"></i>{a}</span> <span><i class=\"b\"></i>{b}</span>")
}

/// `walk, frame 12, 0.40 s`
pub fn in_clip(clip: &PlayedClip, frame: usize, settings: &Settings) -> String {
    match clip.number {
        None => "rest pose".to_owned(),
        Some(_) => format!("{}, {}", clip_name(clip), when(clip, frame, settings)),
    }
}

/// `1.40 s in 43 frames of 2 clips`
fn how_long(event: &Event, file: &FileReport) -> String {
    if file.clips.iter().all(|clip| clip.number.is_none()) {
        return "in the rest pose".to_owned();
    }
    let mut clips: Vec<usize> = event.occurrences.iter().map(|occurrence| occurrence.clip).collect();
    clips.dedup();
    let clips = match clips.len() {
        2 if file.clips.len() == 2 => "both clips".to_owned(),
        all if all == file.clips.len() && all > 1 => format!("all {}", counted(all, "clip")),
        some => counted(some, "clip"),
    };
    format!("<b>{}</b> in {} of {clips}", seconds(event.seconds), counted(event.frames, "frame"))
}

/// One strip for each of the clips in which it is deepest.
fn timelines(event: &Event, file: &FileReport, settings: &Settings) -> String {
    let mut by_clip: BTreeMap<usize, Vec<&Occurrence>> = BTreeMap::new();
    for occurrence in &event.occurrences {
        by_clip.entry(occurrence.clip).or_default().push(occurrence);
    }
    let deepest = |occurrences: &[&Occurrence]| occurrences.iter().map(|o| o.depth).fold(0.0, f32::max);
    let mut clips: Vec<(usize, Vec<&Occurrence>)> = by_clip
        .into_iter()
        .filter(|(clip, _)| file.clips.get(*clip).is_some_and(|c| c.number.is_some()))
        .collect();
    clips.sort_by(|a, b| deepest(&b.1).total_cmp(&deepest(&a.1)));
    let mut text = String::new();
    for (clip, occurrences) in clips.iter().take(TIMELINES) {
        let clip = &file.clips[*clip];
        let first = occurrences.first().map_or(0, |o| o.first_frame);
        let last = occurrences.last().map_or(0, |o| o.last_frame);
        let times = match occurrences.len() {
            1 => String::new(),
            times => format!(", {times} times"),
        };
        let _ = write!(
            text,
            "<div class=\"line\"><span>{}</span>{}<span class=\"dim\">{}{times}</span></div>",
            clip_name(clip),
            strip(clip, &cells(occurrences, event, None), settings),
            from_to(clip, first, last, settings)
        );
    }
    if clips.len() > TIMELINES {
        let others: Vec<String> =
            clips[TIMELINES..].iter().map(|(clip, _)| title(&file.clips[*clip])).collect();
        let _ = write!(
            text,
            "<p class=\"dim more\">and in {}: <bdi>{}</bdi></p>",
            counted(others.len(), "other clip"),
            escaped(&first_few(others.iter().map(String::as_str), OTHER_CLIPS))
        );
    }
    text
}

/// The frames of some occurrences of an event. The event knows its depth in units and in percent: all others follow.
pub fn cells(occurrences: &[&Occurrence], event: &Event, card: Option<usize>) -> Vec<Cell> {
    let scale = if event.depth > 0.0 { event.depth_percent / event.depth } else { 0.0 };
    let moments = occurrences.iter().flat_map(|occurrence| &occurrence.moments);
    moments.map(|moment| Cell { frame: moment.frame, depth: scale * moment.depth, event: card }).collect()
}

fn details(event: &Event, file: &FileReport, settings: &Settings) -> String {
    let mut text = "<table class=\"plain\"><tbody>".to_owned();
    for (side, place) in event.sides.iter().zip(["goes in", "is entered"]) {
        let mesh = side.mesh.as_ref().map_or(String::new(), |mesh| format!(" of mesh {}", name(mesh)));
        let bones: Vec<String> =
            side.bones.iter().take(BONES).map(|bone| name(file.short_names.cut(bone))).collect();
        let more = match side.bones.len().saturating_sub(BONES) {
            0 => String::new(),
            more => format!(", and {} more", grouped(more)),
        };
        let _ = write!(
            text,
            "<tr><th>{place}</th><td>{}{mesh}: {}{more}</td></tr>",
            name(&side.body_part),
            bones.join(", ")
        );
    }
    let _ = write!(
        text,
        "<tr><th>depth</th><td>{}; in the rest pose {}</td></tr><tr><th>area</th><td>{} square units are cut off in the worst \
         frame</td></tr><tr><th>seen from</th><td>{:.0} % of all directions</td></tr><tr><th>severity</th><td>{}</td></tr>\
         <tr><th>id</th><td>{}</td></tr></tbody></table>",
        depth(event),
        length(event.rest_depth),
        length(event.area),
        100.0 * event.visibility,
        length(event.severity),
        name(&event.id)
    );
    text + &occurrences_table(event, file, settings)
}

fn occurrences_table(event: &Event, file: &FileReport, settings: &Settings) -> String {
    let mut deepest: Vec<&Occurrence> = event.occurrences.iter().collect();
    deepest.sort_by(|a, b| b.depth.total_cmp(&a.depth));
    deepest.truncate(OCCURRENCES);
    let mut rows = String::new();
    for occurrence in &deepest {
        let Some(clip) = file.clips.get(occurrence.clip) else { continue };
        let _ = write!(
            rows,
            "<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td><td>{}</td><td class=\"n\">{}</td></tr>",
            clip_name(clip),
            from_to(clip, occurrence.first_frame, occurrence.last_frame, settings),
            grouped(occurrence.frames),
            when(clip, occurrence.worst_frame, settings),
            length(occurrence.depth)
        );
    }
    let more = match event.occurrences.len().saturating_sub(OCCURRENCES) {
        0 => String::new(),
        more => format!("<p class=\"dim\">{} less deep: --json has them all.</p>", counted(more, "other")),
    };
    format!(
        "<div class=\"wide\"><table><thead><tr><th>clip</th><th>from, to</th><th class=\"n\">frames</th><th>deepest</th>\
         <th class=\"n\">depth</th></tr></thead><tbody>{rows}</tbody></table></div>{more}"
    )
}
