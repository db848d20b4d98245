//! The command that shows an event again: as a file with colours, which any program for meshes opens.

use supple::{Model, Skinning};
use supple_audit::{Class, Depth, Event, PlayedClip};

use super::arguments::AuditArguments;
use crate::clip::find_clip;

/// `supple audit hero.glb --clip walk --class fault,hidden,graze --event left-hand/left-thigh --glb worst`
///
/// Only the worst clip is played then, so that a fault may be a graze there: all classes are asked for that it may have.
pub fn command(
    arguments: &AuditArguments,
    file: &str,
    model: &Model,
    event: &Event,
    clip: &PlayedClip,
) -> String {
    let mut words: Vec<String> = vec!["supple".into(), "audit".into(), named(file)];
    let mut add = |option: &str, value: String| match value.starts_with('-') {
        true => words.push(format!("{option}={value}")),
        false => words.extend([option.to_owned(), value]),
    };
    if let Some(number) = clip.number {
        let is_found = find_clip(model, &clip.name).is_ok_and(|c| std::ptr::eq(c, &model.clips()[number]));
        add("--clip", if is_found { clip.name.clone() } else { number.to_string() });
    }
    for clips in &arguments.other_clips.clips {
        add("--clips", clips.clone());
    }
    for prefix in &arguments.other_clips.ignore_prefix {
        add("--ignore-prefix", prefix.clone());
    }
    for (option, value) in [
        ("--part", &arguments.part),
        ("--scene", &arguments.scene),
        ("--against", &arguments.against.against),
        ("--attach", &arguments.against.attach),
        ("--between", &arguments.between),
    ] {
        value.iter().for_each(|value| add(option, value.clone()));
    }
    arguments.without.iter().for_each(|part| add("--without", part.clone()));
    arguments.bones.iter().for_each(|bones| add("--bones", bones.clone()));
    if arguments.bones_apart > 0 {
        add("--bones-apart", arguments.bones_apart.to_string());
    }
    match arguments.min_depth {
        Depth::Percent(0.25) => {}
        Depth::Percent(percent) => add("--min-depth", format!("{percent}%")),
        Depth::Units(units) => add("--min-depth", units.to_string()),
        _ => {}
    }
    for (option, vector) in [("--offset", arguments.against.offset), ("--turn", arguments.against.turn)] {
        vector.iter().for_each(|v| add(option, format!("{},{},{}", v.x, v.y, v.z)));
    }
    arguments.against.scale.iter().for_each(|scale| add("--scale", scale.to_string()));
    if arguments.fps != 30.0 {
        add("--fps", arguments.fps.to_string());
    }
    let skinning = Skinning::from(arguments.skinning);
    if skinning != Skinning::Linear {
        add("--skinning", skinning.name().to_owned());
    }
    let classes = match event.class {
        Class::Fault | Class::Hidden | Class::Graze => "fault,hidden,graze",
        class => class.name(),
    };
    add("--class", classes.to_owned());
    add("--event", event.id.clone());
    add("--glb", "worst".to_owned());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

/// A file whose name does not look like an option.
fn named(file: &str) -> String {
    if file.starts_with('-') { format!("./{file}") } else { file.to_owned() }
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_./:+-,@%=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("hero.glb"), "hero.glb");
        assert_eq!(quoted("my hero's.glb"), "'my hero'\\''s.glb'");
        assert_eq!(quoted("left-hand/left-thigh"), "left-hand/left-thigh");
        assert_eq!(quoted(""), "''");
        assert_eq!(quoted("a#2"), "'a#2'");
    }
}
