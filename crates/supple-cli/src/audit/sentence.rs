//! An event in words, for what build servers show.

use supple_audit::Occurrence;

use super::earlier::{clips_of, listed, percent, percent_of};
use super::report::{EventReport, FileReport, Status, title};

/// Clips that are named; there may be hundreds.
const MOST_CLIPS: usize = 5;

/// `left hand into left thigh: 3.2 % of the size deep, for 1.20 s in walk; worst in walk, frame 12 (0.40 s)`
pub fn of_event(report: &EventReport, file: &FileReport, fps: f32) -> String {
    let event = &report.event;
    let clips = clips_of(event, file);
    let (named, more) = clips.split_at(clips.len().min(MOST_CLIPS));
    let mut named = named.to_vec();
    if !more.is_empty() {
        named.push(format!("{} more clips", more.len()));
    }
    let (depth, clips) = (percent(event.depth_percent), listed(&named));
    let worst = file.clips.get(event.worst.clip).map(title).unwrap_or_default();
    let at = seconds(event.worst.frame, fps);
    let mut text = format!("{}: {depth} of the size deep", event.name);
    if event.seconds > 0.0 {
        text += &format!(", for {:.2} s", event.seconds);
    }
    text += &format!(" in {clips}; worst in {worst}, frame {} ({at})", event.worst.frame);
    with_decisions(text, report)
}

/// What was decided of an event, and what helps, behind a text.
fn with_decisions(mut text: String, report: &EventReport) -> String {
    if let Some(why) = &report.why_worse {
        text += &format!(". It got worse: {why}");
    }
    if let Some(hint) = &report.hint {
        text += &format!(". Hint: {hint}");
    }
    text
}

/// What happens in one clip, as lines: what, how deep, when. Nothing where it does not happen there.
pub fn in_clip(report: &EventReport, clip: usize, fps: f32) -> Option<String> {
    let event = &report.event;
    let here: Vec<&Occurrence> = event.occurrences.iter().filter(|o| o.clip == clip).collect();
    let worst = here.iter().copied().reduce(|a, b| if b.depth > a.depth { b } else { a })?;
    let depth = percent(percent_of(event, worst.depth));
    let (frame, at) = (worst.worst_frame, seconds(worst.worst_frame, fps));
    let spans = here.iter().map(|o| match (o.first_frame, o.last_frame) {
        (first, last) if first == last => format!("frame {first} ({})", seconds(first, fps)),
        (first, last) => {
            format!("frames {first} to {last} ({} to {})", seconds(first, fps), seconds(last, fps))
        }
    });
    let mut text = format!(
        "{} ({})\n  {depth} of the size deep here, worst in frame {frame} ({at})\n  {}\n",
        event.name,
        event.class.name(),
        spans.collect::<Vec<_>>().join(", ")
    );
    if let Some(why) = &report.why_worse {
        text += &format!("  got worse: {why}\n");
    }
    let reason = report.reason.as_ref().filter(|_| report.status == Status::Accepted);
    if let Some(reason) = reason {
        text += &format!("  accepted: {reason}\n");
    }
    if report.status == Status::Known {
        text += "  known: the earlier audit has it, too\n";
    }
    if let Some(hint) = &report.hint {
        text += &format!("  hint: {hint}\n");
    }
    if !report.command.is_empty() {
        text += &format!("  look: {}\n", report.command);
    }
    Some(text + &format!("  id: {}\n", event.id))
}

fn seconds(frame: usize, fps: f32) -> String {
    format!("{:.2} s", frame as f64 / f64::from(fps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file};
    use supple_audit::Class;

    #[test]
    fn events_read_well() {
        let clips = ["a", "b", "c", "d", "e", "f", "g"];
        let mut file = file("hero.glb", &clips, vec![event("hand/thigh", Class::Fault, 3.24, &[1, 0])]);
        file.events[0].why_worse = Some("deeper".to_owned());
        let sentence = of_event(&file.events[0], &file, 10.0);
        let start =
            "hand into thigh: 3.2 % of the size deep, for 2.00 s in a and b; worst in b, frame 7 (0.70 s)";
        assert_eq!(sentence, format!("{start}. It got worse: deeper"));
        let lines = in_clip(&file.events[0], 0, 10.0).unwrap();
        let expected = "hand into thigh (fault)\n  1.6 % of the size deep here, worst in frame 7 (0.70 s)\n  frames 3 to \
                        12 (0.30 s to 1.20 s)\n  got worse: deeper\n  id: hand/thigh\n";
        assert_eq!(lines, expected);
        assert_eq!(in_clip(&file.events[0], 2, 10.0), None);
    }

    #[test]
    fn many_clips_are_counted() {
        let clips = ["a", "b", "c", "d", "e", "f", "g"];
        let file = file("hero.glb", &clips, vec![event("x/y", Class::Fault, 1.0, &[0, 1, 2, 3, 4, 5, 6])]);
        assert!(of_event(&file.events[0], &file, 10.0).contains(" in a, b, c, d, e and 2 more clips; worst"));
    }
}
