//! The command that shows an event again: as a file with colours, which any program for meshes opens.

use supple::Skinning;
use supple_audit::{Event, PlayedClip};

use crate::arguments::AuditArguments;

/// `supple audit hero.glb --clip walk --event left-hand/left-thigh --glb worst`
pub fn command(arguments: &AuditArguments, file: &str, event: &Event, clip: &PlayedClip) -> String {
    let mut words: Vec<String> = vec!["supple".into(), "audit".into(), file.into()];
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    if let Some(number) = clip.number {
        add("--clip", if clip.name.is_empty() { number.to_string() } else { clip.name.clone() });
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
    add("--class", event.class.name().to_owned());
    add("--event", event.id.clone());
    add("--glb", "worst".to_owned());
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
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
