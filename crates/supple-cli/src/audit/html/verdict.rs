//! The top of the page: the verdict in one line, the worst event, what is not counted and what was left out.
//!
//! In: the whole report. Out: a `<header>` that somebody who never saw a page like this understands.

use std::fmt::Write;

use supple_audit::{Class, LeftOut, LeftOutPairs};

use super::super::report::{EventReport, FileReport, Report, Settings, left_out_words};
use super::card::{anchor, in_clip};
use super::timeline::legend;
use super::words::{class_badge, counted_class, meaning, name, percent, sentence};
use crate::page::escaped;
use crate::table::{counted, first_few, grouped};

/// Characters of the files in the page's title.
const TITLE: usize = 60;

/// Rows of the list of the worst.
const WORST: usize = 10;

/// What a tab of a browser shows: the files first, as far as there is room.
pub fn page_title(report: &Report) -> String {
    let files = report.files.iter().map(|f| f.file.as_str());
    let others =
        report.skipped.iter().map(|f| f.file.as_str()).chain(report.failed.iter().map(|f| f.file.as_str()));
    let names = files.chain(others).map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file));
    format!("{} – supple audit", first_few(names, TITLE))
}

/// The verdict, and all that must be known to trust it.
pub fn header(report: &Report) -> String {
    let (verdict, colour) = verdict(report);
    let mut text = format!(
        "<header><p class=\"brand\"><b>supple audit</b> where surfaces go through each other</p>\
         <h1 class=\"verdict {colour}\">{verdict}</h1>"
    );
    if let Some((file, index, event)) = worst(report).first() {
        let _ = write!(text, "<p>The worst: {}.</p>", said(event, file, *index, &report.settings));
    }
    if !report.failed.is_empty() {
        let _ = write!(text, "<p class=\"remark\">{} not audited.</p>", were(report.failed.len()));
    }
    if !report.skipped.is_empty() {
        let _ = write!(text, "<p class=\"remark\">{} skipped.</p>", were(report.skipped.len()));
    }
    if let Some(besides) = besides(report) {
        let _ = write!(text, "<p>{besides}</p>");
    }
    for remark in &report.remarks {
        let _ = write!(text, "<p class=\"remark\">{}</p>", sentence(remark));
    }
    let left_out = left_out(report);
    if !left_out.is_empty() {
        let _ = write!(text, "<p class=\"left-out\"><b>Left out:</b> {left_out}.</p>");
    }
    let _ = write!(
        text,
        "<p class=\"settings\">{}</p><details><summary>What the words mean</summary>{}</details></header>",
        settings(report),
        definitions(&report.settings)
    );
    text
}

fn were(files: usize) -> String {
    format!("{} {}", counted(files, "file"), if files == 1 { "was" } else { "were" })
}

/// The headline, and how it is coloured.
fn verdict(report: &Report) -> (String, &'static str) {
    let (totals, only_faults) = (&report.totals, report.settings.classes == [Class::Fault]);
    let noun = if only_faults { "fault" } else { "event" };
    let of_files = if report.files.len() > 1 {
        format!(" of {}", counted(report.files.len(), "file"))
    } else {
        String::new()
    };
    if report.files.is_empty() {
        return ("Nothing was audited".to_owned(), "bad");
    }
    if totals.failing > 0 {
        let hit: usize = report.files.iter().map(|file| clips_to_look_at(file, &report.settings)).sum();
        let place = match (totals.clips, hit) {
            (0, _) => format!("in the rest pose{of_files}"),
            (1, _) => format!("in the only clip{of_files}"),
            (2, 2) => format!("in both clips{of_files}"),
            (all, hit) if all == hit => format!("in all {}{of_files}", counted(all, "clip")),
            (all, hit) => format!("in {} of {}{of_files}", grouped(hit), counted(all, "clip")),
        };
        return (format!("{} to look at {place}", counted(totals.failing, noun)), "bad");
    }
    let place = match totals.clips {
        0 => format!("the rest pose{of_files}"),
        clips => format!("{}{of_files}", counted(clips, "clip")),
    };
    let others = report.files.iter().map(|file| file.events.len()).sum::<usize>();
    match (others, left_out(report).is_empty() && report.failed.is_empty()) {
        (0, true) => (format!("Nothing intersects in {place}"), "good"),
        (0, false) => (format!("No {noun}s in what was looked at: {place}"), "partly"),
        (_, true) => (format!("No {noun}s to look at in {place}"), "good"),
        (_, false) => (format!("No {noun}s to look at in what was looked at: {place}"), "partly"),
    }
}

/// How many clips of a file have something to look at.
fn clips_to_look_at(file: &FileReport, settings: &Settings) -> usize {
    let failing = || file.events.iter().filter(|event| event.fails(settings));
    let is_hit = |clip: usize| failing().any(|event| event.event.occurrences.iter().any(|o| o.clip == clip));
    (0..file.clips.len()).filter(|&clip| is_hit(clip)).count()
}

/// `2 accepted, 4 hidden, 7 creases`: what is not counted in the headline.
fn besides(report: &Report) -> Option<String> {
    let totals = &report.totals;
    let mut kinds = Vec::new();
    if totals.accepted > 0 {
        kinds.push(format!("{} accepted", grouped(totals.accepted)));
    }
    if totals.known > 0 {
        kinds.push(format!("{} known", grouped(totals.known)));
    }
    let others = Class::ALL.into_iter().filter(|class| !report.settings.classes.contains(class));
    kinds.extend(others.map(|c| (totals.of(c), c)).filter(|(n, _)| *n > 0).map(|(n, c)| counted_class(n, c)));
    let worse = match totals.worse {
        0 => String::new(),
        1 => "1 of these was accepted or known before, and got worse. ".to_owned(),
        many => format!("{} of these were accepted or known before, and got worse. ", grouped(many)),
    };
    let folded = if kinds.is_empty() {
        String::new()
    } else {
        format!("Not counted, and folded below: {}.", kinds.join(", "))
    };
    Some(worse + &folded).filter(|text| !text.is_empty())
}

/// What intersects and is in no event, of all clips together.
fn left_out(report: &Report) -> String {
    let mut sum = LeftOut::default();
    let add = |sum: &mut LeftOutPairs, clip: LeftOutPairs| {
        sum.frames += clip.frames;
        sum.most_pairs = sum.most_pairs.max(clip.most_pairs);
    };
    let (mut clips, mut frames) = (0, 0);
    for clip in report.files.iter().flat_map(|file| &file.clips).filter(|clip| !clip.left_out.is_nothing()) {
        add(&mut sum.other_meshes, clip.left_out.other_meshes);
        add(&mut sum.other_bones, clip.left_out.other_bones);
        add(&mut sum.near_bones, clip.left_out.near_bones);
        add(&mut sum.hidden_bones, clip.left_out.hidden_bones);
        (clips, frames) = (clips + 1, frames + clip.frames);
    }
    let words = left_out_words(&sum, frames);
    match clips {
        0 => words,
        _ if report.totals.clips < 2 => words,
        clips => format!("{words} (in {})", counted(clips, "clip")),
    }
}

fn settings(report: &Report) -> String {
    let settings = &report.settings;
    let mut parts = vec![
        format!("{} looked at", counted(report.totals.frames, "frame")),
        format!("{} per second", settings.fps),
        format!("{} skinning", settings.skinning),
    ];
    if !settings.clips.is_empty() {
        parts.push(format!("only clips {}", settings.clips.join(", ")));
    }
    if !settings.bones.is_empty() {
        parts.push(format!("only bones {}", settings.bones.join(", ")));
    }
    if settings.bones_apart > 0 {
        parts.push(format!("only bones {} or more steps apart", settings.bones_apart));
    }
    if let Some(part) = &settings.part {
        parts.push(format!("only part {part}"));
    }
    if !settings.without.is_empty() {
        parts.push(format!("without {}", settings.without.join(", ")));
    }
    if let Some(scene) = &settings.scene {
        parts.push(format!("scene {scene}"));
    }
    if let Some(between) = &settings.between {
        parts.push(format!("only between {between}"));
    }
    if let Some(against) = &settings.against {
        let attached = settings.attach.as_ref().map_or(String::new(), |bone| format!(" attached to {bone}"));
        parts.push(format!("only against {against}{attached}"));
    }
    sentence(&parts.join("; "))
}

fn definitions(settings: &Settings) -> String {
    let mut text = "<dl class=\"words\">".to_owned();
    for class in Class::ALL {
        let _ = write!(text, "<dt>{}</dt><dd>{}</dd>", class_badge(class), meaning(class, settings));
    }
    let fps = escaped(&settings.fps.to_string());
    let _ = write!(
        text,
        "<dt>event</dt><dd>Everything that happens between the same two parts of the body, in all frames and clips. Bones belong to \
         parts of the body: fingers to the hand, toes to the foot.</dd>\
         <dt>depth</dt><dd>Where two surfaces cross, a piece of each is cut off. The depth is how far the smaller piece reaches from \
         the other surface. Percentages are of the longest side of the character in its rest pose.</dd>\
         <dt>worst first</dt><dd>By severity: depth, area, how long, from how many sides it is seen, and change against the rest \
         pose.</dd>\
         <dt>frame</dt><dd>Clips are looked at {fps} times per second; frames count from 0. Own frames are those of the clip, where it \
         has keys at another even rate. What happens between two frames is not looked at.</dd></dl>"
    );
    text + &legend()
}

/// All events to look at, the most severe first, with the files and their numbers.
fn worst(report: &Report) -> Vec<(&FileReport, (usize, usize), &EventReport)> {
    let mut all = Vec::new();
    for (f, file) in report.files.iter().enumerate() {
        let events = file.events.iter().enumerate().filter(|(_, event)| event.fails(&report.settings));
        all.extend(events.map(|(e, event)| (file, (f, e), event)));
    }
    all.sort_by(|a, b| b.2.event.severity.total_cmp(&a.2.event.severity));
    all
}

/// `left hand into left thigh, 3.2 % of the size deep, in walk, frame 12, 0.40 s`
fn said(report: &EventReport, file: &FileReport, at: (usize, usize), settings: &Settings) -> String {
    let event = &report.event;
    let place = file
        .clips
        .get(event.worst.clip)
        .map_or(String::new(), |clip| in_clip(clip, event.worst.frame, settings));
    format!(
        "<a href=\"#{}\">{}</a>, {} of the size deep, {place}",
        anchor(at.0, at.1),
        name(&event.name),
        percent(event.depth_percent)
    )
}

/// The worst of several files.
pub fn worst_of_all(report: &Report) -> String {
    let all = worst(report);
    if report.files.len() < 2 || all.is_empty() {
        return String::new();
    }
    let mut rows = String::new();
    for (file, at, event) in all.iter().take(WORST) {
        let place = file.clips.get(event.event.worst.clip);
        let _ = write!(
            rows,
            "<tr><td class=\"what\"><a href=\"#{}\">{}</a></td><td class=\"n\">{}</td><td class=\"what\">{}</td>\
             <td class=\"what\">{}</td></tr>",
            anchor(at.0, at.1),
            name(&event.event.name),
            percent(event.event.depth_percent),
            name(&file.file),
            place.map_or(String::new(), |clip| in_clip(clip, event.event.worst.frame, &report.settings))
        );
    }
    let more = match all.len().saturating_sub(WORST) {
        0 => String::new(),
        more => format!("<p class=\"dim\">{} more in the files below.</p>", grouped(more)),
    };
    format!(
        "<section><h2>The worst of all files</h2><div class=\"wide\"><table><thead><tr><th>what</th><th class=\"n\">deep</th>\
         <th>file</th><th>deepest</th></tr></thead><tbody>{rows}</tbody></table></div>{more}</section>"
    )
}
