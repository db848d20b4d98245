//! Words and numbers of the page: names from files, depths, frames and seconds, what the classes mean.
//!
//! In: plain values. Out: markup in which nothing from a file means anything but itself. A name is isolated from the direction of the
//! text around it, and loses its middle where it is very long.

use supple_audit::{Class, Event, PlayedClip};

use super::super::report::{Compared, EventReport, Settings, Status, title};
use super::super::text::length;
use crate::page::escaped;
use crate::table::shortened;

/// Characters of a name that are shown.
const NAME: usize = 90;

/// Characters of a sentence that has names in it.
const SENTENCE: usize = 600;

/// Shares of all directions from which on something is seen from some sides, and from most: what lies on a flat surface is seen from
/// half of them.
const SOME_SIDES: f32 = 0.1;
const MOST_SIDES: f32 = 0.3;

/// A name from a file.
pub fn name(text: &str) -> String {
    format!("<bdi>{}</bdi>", escaped(&shortened(text, NAME)))
}

/// The path of a file: its folder, and its name on a line that stands out.
pub fn path(path: &str) -> String {
    match path.rfind(['/', '\\']) {
        Some(at) => format!("<span class=\"folder\">{}</span>{}", name(&path[..=at]), name(&path[at + 1..])),
        None => name(path),
    }
}

/// A sentence or a path with names from files in it; may be empty.
pub fn sentence(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!("<bdi>{}</bdi>", escaped(&shortened(text, SENTENCE)))
    }
}

/// The name of a clip.
pub fn clip_name(clip: &PlayedClip) -> String {
    name(&title(clip))
}

/// `0.0231, 3.2 % of the size`
pub fn depth(event: &Event) -> String {
    format!("{}, {} of the size", length(event.depth), percent(event.depth_percent))
}

/// Two digits that count.
pub fn percent(percent: f32) -> String {
    match percent {
        p if p >= 9.95 => format!("{p:.0}\u{a0}%"),
        p if p >= 0.995 => format!("{p:.1}\u{a0}%"),
        p if p >= 0.005 || p <= 0.0 => format!("{p:.2}\u{a0}%"),
        _ => "below 0.01\u{a0}%".to_owned(),
    }
}

/// `1.40 s`
pub fn seconds(seconds: f64) -> String {
    format!("{seconds:.2}\u{a0}s")
}

/// `frame 12 (own frame 10), 0.40 s`; the rest pose has no time.
pub fn when(clip: &PlayedClip, frame: usize, settings: &Settings) -> String {
    if clip.number.is_none() {
        return "rest pose".to_owned();
    }
    let own =
        own_frame(clip, frame, settings).map_or(String::new(), |own| format!(" (own\u{a0}frame\u{a0}{own})"));
    format!("frame\u{a0}{frame}{own}, {}", seconds(seconds_at(frame, settings)))
}

/// `frames 10–32 (own frames 8–26), 0.33–1.07 s`
pub fn from_to(clip: &PlayedClip, first: usize, last: usize, settings: &Settings) -> String {
    if first == last || clip.number.is_none() {
        return when(clip, first, settings);
    }
    let own = match (own_frame(clip, first, settings), own_frame(clip, last, settings)) {
        (Some(first), Some(last)) => format!(" (own\u{a0}frames\u{a0}{first}–{last})"),
        _ => String::new(),
    };
    let [from, to] = [first, last].map(|frame| seconds_at(frame, settings));
    format!("frames\u{a0}{first}–{last}{own}, {from:.2}–{to:.2}\u{a0}s")
}

fn seconds_at(frame: usize, settings: &Settings) -> f64 {
    frame as f64 / f64::from(settings.fps)
}

/// The clip's own frames per second, where they are known and others than those of the audit.
pub fn own_fps(clip: &PlayedClip, settings: &Settings) -> Option<f64> {
    let fps = f64::from(settings.fps);
    clip.own_fps.filter(|own| own.is_finite() && *own > 0.0 && (own - fps).abs() > 1e-3 * fps)
}

/// The nearest of the clip's own frames, from 0 on.
fn own_frame(clip: &PlayedClip, frame: usize, settings: &Settings) -> Option<u64> {
    own_fps(clip, settings).map(|own| (seconds_at(frame, settings) * own).round() as u64)
}

/// From how many sides the worst frame's contact is seen.
pub fn visibility(share: f32) -> &'static str {
    match share {
        s if s >= MOST_SIDES => "seen from most sides",
        s if s >= SOME_SIDES => "seen from some sides",
        s if s > 0.0 => "hardly seen",
        _ => "not seen from outside",
    }
}

/// `1 fault`, `3 grazes`, `2 hidden`
pub fn counted_class(count: usize, class: Class) -> String {
    let ending = if count == 1 || matches!(class, Class::Hidden | Class::Layered) { "" } else { "s" };
    format!("{} {}{ending}", crate::table::grouped(count), class.name())
}

/// What an event of a class is.
pub fn meaning(class: Class, settings: &Settings) -> String {
    match class {
        Class::Fault => "One surface goes through another, and that can be seen from outside.".to_owned(),
        Class::Hidden => "One surface goes through another where nobody can see it from outside.".to_owned(),
        Class::Graze => {
            let of = if settings.min_depth.ends_with('%') { " of the size" } else { " units" };
            let frames = match settings.min_frames {
                0 | 1 => String::new(),
                frames => format!(", or in fewer than {frames} frames"),
            };
            format!(
                "Surfaces that touch, but go less than {}{of} deep{frames}.",
                escaped(&settings.min_depth)
            )
        }
        Class::Crease => {
            "A fold, as inside of a bent elbow: the two surfaces are near each other along the surface."
                .to_owned()
        }
        _ => "Goes through in the rest pose, too, and not deeper now: eyes in sockets, layers of clothes."
            .to_owned(),
    }
}

/// The label of a class.
pub fn class_badge(class: Class) -> String {
    format!("<span class=\"badge {0}\">{0}</span>", class.name())
}

/// What was decided of an event, and why.
pub fn decision(report: &EventReport) -> String {
    let badge = match report.status {
        Status::Open if report.compared == Some(Compared::New) => {
            return "<span class=\"badge bad\">new</span>".to_owned();
        }
        Status::Open => return String::new(),
        Status::Accepted => "<span class=\"badge good\">accepted</span>",
        Status::Known => "<span class=\"badge\">known</span>",
        Status::Worse => "<span class=\"badge bad\">got worse</span>",
    };
    let accepted = report.reason.as_ref().map(|reason| match report.status {
        Status::Worse => format!("accepted before: {}", sentence(reason)),
        _ => sentence(reason),
    });
    let why: Vec<String> = report.why_worse.as_deref().map(sentence).into_iter().chain(accepted).collect();
    format!("{badge} <span class=\"dim\">{}</span>", why.join("; "))
}
