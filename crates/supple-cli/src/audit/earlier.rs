//! What an event was when somebody accepted it, or when an earlier audit found it, compared with what it is now.
//!
//! Frames do not matter, so that clips may be cut, moved and retimed. What matters: the class, the depth, the clips.

use supple_audit::{Class, Event};

use super::report::{FileReport, title};

/// An event as it was.
#[derive(Clone, Copy, Debug)]
pub struct Earlier<'a> {
    pub class: Class,
    pub depth_percent: f32,
    /// Names of clips; all if none.
    pub clips: Option<&'a [String]>,
}

/// How much deeper an event may get and still be what it was: by a factor, and by percents of the size.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    pub factor: f32,
    pub percent: f32,
}

/// Whether two events of one name can be the same one: what goes through something else may be hidden today and seen
/// tomorrow, a crease or a layer is something else.
pub fn is_same_kind(a: Class, b: Class) -> bool {
    let is_free = |class| matches!(class, Class::Fault | Class::Hidden | Class::Graze);
    a == b || (is_free(a) && is_free(b))
}

/// Names of the clips in which an event happens, in the order of the file, each once.
pub fn clips_of(event: &Event, file: &FileReport) -> Vec<String> {
    let mut names = Vec::new();
    for (number, clip) in file.clips.iter().enumerate() {
        let name = title(clip);
        if event.occurrences.iter().any(|occurrence| occurrence.clip == number) && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// A clip in which an event happens, and how deep it is there in percent of the size.
#[derive(Clone, Debug, PartialEq)]
pub struct InClip {
    pub name: String,
    pub depth_percent: f32,
}

/// Clips in which an event happens, in the order of the file.
pub fn in_clips(event: &Event, file: &FileReport) -> Vec<InClip> {
    let depth_percent = |name: &String| {
        let here =
            event.occurrences.iter().filter(|o| file.clips.get(o.clip).is_some_and(|c| title(c) == *name));
        percent_of(event, here.map(|occurrence| occurrence.depth).fold(0.0, f32::max))
    };
    let names = clips_of(event, file).into_iter();
    names.map(|name| InClip { depth_percent: depth_percent(&name), name }).collect()
}

/// A depth of an event in percent of the size.
pub fn percent_of(event: &Event, depth: f32) -> f32 {
    if event.depth > 0.0 { event.depth_percent / event.depth * depth } else { 0.0 }
}

/// In what an event is worse than it was; nothing where it is not. `when` ends the sentences: `when it was accepted`.
///
/// In clips in which it did not happen it was 0 deep. What was a graze and is a little deeper now may be a fault for just that.
pub fn why_worse(
    was: Earlier<'_>,
    event: &Event,
    clips: &[InClip],
    allowance: Allowance,
    when: &str,
) -> Option<String> {
    let allowed = |depth: f32| allowance.factor * depth + allowance.percent;
    let is_deeper = event.depth_percent > allowed(was.depth_percent);
    let is_graze_of_depth =
        was.class == Class::Graze && was.depth_percent < event.depth_percent && !is_deeper;
    let mut reasons = Vec::new();
    if event.class < was.class && !is_graze_of_depth {
        reasons.push(format!("a {} now, a {} {when}", noun(event.class), noun(was.class)));
    }
    if is_deeper {
        let [now, then] = [event.depth_percent, was.depth_percent].map(percent);
        reasons.push(format!("{now} of the size deep now, {then} {when}"));
    }
    let is_other = |clip: &&InClip| {
        was.clips.is_some_and(|known| !known.contains(&clip.name)) && clip.depth_percent > allowed(0.0)
    };
    let others: Vec<String> = clips.iter().filter(is_other).map(|clip| format!("{:?}", clip.name)).collect();
    if !others.is_empty() {
        reasons.push(format!("also in {}, which it was not {when}", listed(&others)));
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

/// Behind "a".
fn noun(class: Class) -> &'static str {
    match class {
        Class::Hidden => "hidden fault",
        Class::Layered => "layer",
        other => other.name(),
    }
}

/// `3.1 %`
pub fn percent(percent: f32) -> String {
    match percent {
        p if p >= 10.0 => format!("{p:.0} %"),
        p if p >= 1.0 => format!("{p:.1} %"),
        p => format!("{p:.2} %"),
    }
}

/// `a`, `a and b`, `a, b and c`
pub fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::fixture::{event, file};

    const ALLOWANCE: Allowance = Allowance { factor: 1.25, percent: 0.1 };

    fn reason(class: Class, depth_percent: f32, clips: Option<&[&str]>) -> Option<String> {
        let clips: Option<Vec<String>> =
            clips.map(|clips| clips.iter().map(|&clip| clip.to_owned()).collect());
        let was = Earlier { class, depth_percent, clips: clips.as_deref() };
        let event = event("a/b", Class::Hidden, 2.0, &[0, 1, 0]);
        let now = in_clips(&event, &file("hero.glb", &["walk", ""], vec![]));
        assert_eq!(now.iter().map(|clip| clip.name.as_str()).collect::<Vec<_>>(), ["walk", "clip 1"]);
        assert_eq!(now.iter().map(|clip| clip.depth_percent).collect::<Vec<_>>(), [2.0, 1.0]);
        why_worse(was, &event, &now, ALLOWANCE, "before")
    }

    #[test]
    fn what_stays_within_the_allowance_is_the_same() {
        assert_eq!(reason(Class::Hidden, 1.53, None), None); // 1.25 x 1.53 + 0.1 = 2.0125
        assert_eq!(reason(Class::Fault, 9.0, Some(&["walk", "clip 1", "run"])), None);
    }

    #[test]
    fn what_is_worse_is_said() {
        let deeper = reason(Class::Hidden, 1.51, None).unwrap(); // 1.9875
        assert_eq!(deeper, "2.0 % of the size deep now, 1.5 % before");
        let elsewhere = reason(Class::Hidden, 2.0, Some(&["clip 1"])).unwrap();
        assert_eq!(elsewhere, "also in \"walk\", which it was not before");
        let all = reason(Class::Graze, 0.1, Some(&[])).unwrap();
        assert_eq!(
            all,
            "a hidden fault now, a graze before; 2.0 % of the size deep now, 0.10 % before; also in \"walk\" and \
             \"clip 1\", which it was not before"
        );
    }

    #[test]
    fn a_touch_in_another_clip_and_a_graze_that_grows_a_little_are_no_change() {
        let reason = |class, was_percent, depth_percent| {
            let was = Earlier { class, depth_percent: was_percent, clips: Some(&["walk".to_owned()]) };
            let event = event("a/b", Class::Fault, depth_percent, &[0, 1]);
            let clips = in_clips(&event, &file("hero.glb", &["walk", "run"], vec![]));
            why_worse(was, &event, &clips, ALLOWANCE, "before")
        };
        assert_eq!(reason(Class::Fault, 0.2, 0.19), None); // 0.095 % deep in the other clip
        assert_eq!(reason(Class::Fault, 0.2, 0.21).unwrap(), "also in \"run\", which it was not before");
        assert_eq!(reason(Class::Graze, 0.15, 0.19), None);
        // As deep as before: it was a graze for being in few frames.
        assert_eq!(reason(Class::Graze, 0.19, 0.19).unwrap(), "a fault now, a graze before");
        assert_eq!(reason(Class::Hidden, 0.15, 0.19).unwrap(), "a fault now, a hidden fault before");
    }

    #[test]
    fn kinds_and_lists() {
        assert!(is_same_kind(Class::Fault, Class::Graze) && is_same_kind(Class::Crease, Class::Crease));
        assert!(!is_same_kind(Class::Fault, Class::Crease) && !is_same_kind(Class::Layered, Class::Crease));
        let words = |words: &[&str]| listed(&words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>());
        assert_eq!([words(&[]), words(&["a"]), words(&["a", "b", "c"])], ["", "a", "a, b and c"]);
        assert_eq!([0.004, 0.999, 3.149, 31.4].map(percent), ["0.00 %", "1.00 %", "3.1 %", "31 %"]);
    }
}
