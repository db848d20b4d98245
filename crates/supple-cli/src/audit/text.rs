//! The report for eyes: the verdict of every file, and a few lines per event.

use supple_audit::{Class, Event, Occurrence};

use super::report::{EventReport, FileReport, Report, Settings, Status, Totals, left_out_words, title};
use crate::table::{counted, grouped, printable, shortened, wrapped};

/// Events of a file before the rest is only counted.
const EVENTS: usize = 20;

/// Characters of a line, and of an event's name.
const WIDTH: usize = 100;
const NAME: usize = 46;

const MEANING: &str =
    "  depth: how far what is cut off of one surface reaches from the other, in the file's units
  and in percent of the size. Frames count from 0.
";

/// The whole report, ending with a line break.
pub fn text(report: &Report) -> String {
    let mut text = String::new();
    for file in &report.files {
        text += &of_file(file, &report.settings);
        text.push('\n');
    }
    for skipped in &report.skipped {
        text += &format!("{}: {}, skipped\n", skipped.file, skipped.remark);
    }
    for failed in &report.failed {
        text += &format!("{}: not audited\n", failed.file);
    }
    if !report.skipped.is_empty() || !report.failed.is_empty() {
        text.push('\n');
    }
    text + &summary(report)
}

fn of_file(file: &FileReport, settings: &Settings) -> String {
    let mut text = format!(
        "{}: {}, {}, size {}\n",
        file.file,
        counted(file.triangles, "triangle"),
        counted(file.bones, "bone"),
        length(file.size)
    );
    let frames: usize = file.clips.iter().map(|clip| clip.frames).sum();
    text += &match file.clips.first() {
        Some(clip) if clip.number.is_none() => "  no clips: only the rest pose was looked at\n".to_owned(),
        _ => format!("  {}, {}\n", counted(file.clips.len(), "clip"), counted(frames, "frame")),
    };
    for remark in file.remarks() {
        text += &wrapped(&printable(&remark, usize::MAX), 2, WIDTH);
    }
    text += &left_out(file);
    let shown: Vec<&EventReport> =
        file.events.iter().filter(|e| settings.classes.contains(&e.event.class)).collect();
    let (open, settled): (Vec<&EventReport>, Vec<&EventReport>) =
        shown.into_iter().partition(|event| event.fails(settings));
    text += &verdict(file, &open, settings);
    for event in open.iter().take(EVENTS) {
        text += &of_event(event, file);
    }
    if open.len() > EVENTS {
        let more = grouped(open.len() - EVENTS);
        text += &format!("\n  and {more} more: --json FILE or --html FILE has all\n");
    }
    if !open.is_empty() {
        text.push('\n');
        text += MEANING;
    }
    text + &not_shown(file, &settled, settings)
}

/// `3 faults, the worst first:`
fn verdict(file: &FileReport, open: &[&EventReport], settings: &Settings) -> String {
    let counts: Vec<String> = settings
        .classes
        .iter()
        .map(|&class| (class, open.iter().filter(|e| e.event.class == class).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| events(count, class))
        .collect();
    if !counts.is_empty() {
        return format!("  {}, the worst first:\n", counts.join(", "));
    }
    let looked_at_all = file.clips.iter().all(|clip| clip.left_out.is_nothing());
    if file.events.is_empty() && looked_at_all {
        return "  clean: no triangles intersect\n".to_owned();
    }
    let classes: Vec<String> =
        settings.classes.iter().map(|&class| events(2, class)[2..].to_owned()).collect();
    format!("  no {}\n", classes.join(", no "))
}

/// What there is besides the events that are listed.
fn not_shown(file: &FileReport, settled: &[&EventReport], settings: &Settings) -> String {
    let mut text = String::new();
    let count = |status| settled.iter().filter(|e| e.status == status).count();
    for (status, word) in [(Status::Accepted, "accepted"), (Status::Known, "known from the baseline")] {
        if count(status) > 0 {
            text += &format!("  {} {word}\n", counted(count(status), "event"));
        }
    }
    let others: Vec<String> = Class::ALL
        .into_iter()
        .filter(|class| !settings.classes.contains(class))
        .map(|class| (class, file.events.iter().filter(|e| e.event.class == class).count()))
        .filter(|(_, count)| *count > 0)
        .map(|(class, count)| events(count, class))
        .collect();
    if !others.is_empty() {
        text += &format!("  not shown: {} (--class all shows them)\n", others.join(", "));
    }
    text
}

/// `2 faults`
fn events(count: usize, class: Class) -> String {
    match (class, count) {
        (Class::Hidden, _) => format!("{} hidden", grouped(count)),
        (Class::Layered, _) => format!("{} layered", grouped(count)),
        (class, _) => counted(count, class.name()),
    }
}

fn of_event(report: &EventReport, file: &FileReport) -> String {
    let event = &report.event;
    let worst = &file.clips[event.worst.clip];
    let class = match event.class {
        Class::Fault => String::new(),
        class => format!("{}: ", class.name()),
    };
    let name = shortened(&format!("{class}{}", event.name), WIDTH - 2);
    // A name that is longer than its column has a line of its own.
    let gap = if name.chars().count() > NAME { "\n    " } else { "  " };
    let mut text = format!(
        "\n  {name:<NAME$}{gap}depth {} ({:.1} %), {}\n",
        length(event.depth),
        event.depth_percent,
        match worst.number {
            None => "in the rest pose".to_owned(),
            Some(_) => format!("{}, {:.1} s", counted(event.frames, "frame"), event.seconds),
        }
    );
    if worst.number.is_some() {
        let clip = printable(&title(worst), 30);
        let places = format!("{}; worst: {clip} frame {}", places(event, file), event.worst.frame);
        text += &wrapped(&places, 4, WIDTH);
    }
    for line in report.hint.iter().chain(&report.why_worse) {
        text += &wrapped(&printable(line, usize::MAX), 4, WIDTH);
    }
    text
}

/// `walk 3-7, 12; run 2-9`, as far as there is room.
fn places(event: &Event, file: &FileReport) -> String {
    let mut text = String::new();
    let mut clip = None;
    let (mut shown, all) = (0, event.occurrences.len());
    for occurrence in &event.occurrences {
        let frames = frames(occurrence);
        let next = match clip {
            Some(known) if known == occurrence.clip => format!(", {frames}"),
            _ => {
                let name = printable(&title(&file.clips[occurrence.clip]), 30);
                format!("{}{name} {frames}", if text.is_empty() { "" } else { "; " })
            }
        };
        if text.chars().count() + next.chars().count() > WIDTH - 20 {
            break;
        }
        text += &next;
        clip = Some(occurrence.clip);
        shown += 1;
    }
    if shown < all { format!("{text}; and {} more times", grouped(all - shown)) } else { text }
}

fn frames(occurrence: &Occurrence) -> String {
    match (occurrence.first_frame, occurrence.last_frame) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}-{last}"),
    }
}

fn left_out(file: &FileReport) -> String {
    let mut text = String::new();
    for clip in file.clips.iter().filter(|clip| !clip.left_out.is_nothing()).take(EVENTS) {
        let words = left_out_words(&clip.left_out, clip.frames);
        text += &wrapped(&format!("left out of {}: {words}", printable(&title(clip), 30)), 2, WIDTH);
    }
    text
}

fn summary(report: &Report) -> String {
    let (totals, all) = (&report.totals, report.all_files());
    let files = if totals.files == all { String::new() } else { format!("{} of ", grouped(totals.files)) };
    let mut text = format!(
        "{files}{}, {}, {}: {}{}{}.\n",
        counted(all, "file"),
        counted(totals.clips, "clip"),
        counted(totals.frames, "frame"),
        outcome(totals, &report.settings),
        unread(report.skipped.len(), "skipped"),
        unread(report.failed.len(), "not audited"),
    );
    if totals.clips > 0 {
        text += &format!(
            "Clips were looked at with {} frames per second; what happens in between was not.\n",
            report.settings.fps
        );
    }
    text
}

/// `3 faults to look at, 2 accepted`
pub fn outcome(totals: &Totals, settings: &Settings) -> String {
    let what = match settings.classes.as_slice() {
        [Class::Fault] => "fault",
        _ => "event",
    };
    let mut text = match totals.failing {
        0 => format!("no {what}s to look at"),
        count => format!("{} to look at", counted(count, what)),
    };
    for (count, word) in
        [(totals.worse, "of them worse than before"), (totals.accepted, "accepted"), (totals.known, "known")]
    {
        if count > 0 {
            text += &format!(", {} {word}", grouped(count));
        }
    }
    text
}

fn unread(files: usize, why: &str) -> String {
    if files == 0 { String::new() } else { format!("; {} {why}", counted(files, "file")) }
}

/// Three digits that count.
pub fn length(length: f32) -> String {
    let size = length.abs();
    match size {
        0.0 => "0".to_owned(),
        _ if !(1e-4..1e6).contains(&size) => format!("{length:.2e}"),
        _ => {
            let decimals = (2 - size.log10().floor() as i32).clamp(0, 6) as usize;
            format!("{length:.decimals$}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_three_digits() {
        let shown = [0.0, 0.01234, 1.7349, 178.31, 2_345.6, 1.5e-7, 3e9].map(length);
        assert_eq!(shown, ["0", "0.0123", "1.73", "178", "2346", "1.50e-7", "3.00e9"]);
    }
}
