//! Names of bones as people read and write them: without what the names of all bones of a model begin with.
//!
//! In: the names of a model's bones. Out: what they share (`mixamorig:`, `Bip01 `, `Armature_`), names without it for text, pages
//! and pictures, and whole names for what the user wrote without it. JSON has whole names.
//!
//! The prefix ends with one of `: _ . | -` or a space. Every bone's name begins with it, except for a root that is called like the
//! prefix itself (`Bip01` beside `Bip01 Head`). What is left of a name is not too short to be one: it begins with a letter, and has
//! two characters or more. No two names become the same.

use std::collections::BTreeSet;

use supple::Model;

const SEPARATORS: [char; 6] = [':', '_', ' ', '.', '|', '-'];

/// What is cut off the names of a model's bones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortNames {
    prefix: String,
}

impl ShortNames {
    /// Of all bones of a model.
    pub fn of(model: &Model) -> Self {
        let skeleton = model.skeleton();
        Self::new(skeleton.joints().iter().map(|joint| skeleton.nodes()[joint.node].name.as_str()))
    }

    /// Of some names; those that are empty say nothing.
    pub fn new<'n>(names: impl IntoIterator<Item = &'n str>) -> Self {
        let names: BTreeSet<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
        // The last is no root that is called like the prefix: it is shorter, so it comes first.
        let last = names.last().copied().unwrap_or_default();
        let ends =
            last.char_indices().filter(|(_, c)| SEPARATORS.contains(c)).map(|(at, c)| at + c.len_utf8());
        let prefix = ends.map(|end| &last[..end]).rfind(|prefix| is_shared(prefix, &names));
        Self { prefix: prefix.unwrap_or_default().to_owned() }
    }

    /// A name without the prefix.
    pub fn cut<'n>(&self, name: &'n str) -> &'n str {
        name.strip_prefix(self.prefix.as_str()).unwrap_or(name)
    }

    /// What to say once where names are cut: `names without "mixamorig:"`.
    pub fn remark(&self) -> Option<String> {
        let shown: String =
            self.prefix.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        (!shown.is_empty()).then(|| format!("names without {shown:?}"))
    }

    /// The whole name of what may be one without the prefix.
    pub fn whole(&self, name: &str) -> String {
        format!("{}{name}", self.prefix)
    }
}

fn is_shared(prefix: &str, names: &BTreeSet<&str>) -> bool {
    let root = prefix.trim_end_matches(SEPARATORS);
    let is_name = |rest: &str| rest.chars().count() > 1 && rest.starts_with(char::is_alphabetic);
    let cut: Option<BTreeSet<&str>> = names
        .iter()
        .map(|name| match name.strip_prefix(prefix) {
            Some(rest) => is_name(rest).then_some(rest),
            None => (*name == root).then_some(*name),
        })
        .collect();
    names.len() > 1 && cut.is_some_and(|cut| cut.len() == names.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(names: &[&str]) -> String {
        ShortNames::new(names.iter().copied()).prefix
    }

    #[test]
    fn a_prefix_ends_with_a_separator_and_leaves_names() {
        assert_eq!(prefix(&["rig:a_arm", "rig:a_leg"]), "rig:a_");
        assert_eq!(prefix(&["rig:arm", "rig:armour", "rig:arm", ""]), "rig:");
        assert_eq!(prefix(&["Armature|hips", "Armature|spine"]), "Armature|");
        assert_eq!(prefix(&["Bip01", "Bip01 Head", "Bip01 L Hand"]), "Bip01 ");
        assert_eq!(prefix(&["é:arm", "é:leg"]), "é:");
        for none in [
            &["rig:", "rig:arm"][..],
            &["thigh", "thumb"],
            &["rig:arm"],
            &[],
            &["é:arm", "é:leg", "è:leg"],
            &["hand_l", "hand_r"],
            &["Bone.001", "Bone.002"],
            &["Bip01", "Bip01 Bip01", "Bip01 Head"],
            &["rig:arm", "rig:leg", "root"],
        ] {
            assert_eq!(prefix(none), "", "{none:?}");
        }
    }

    #[test]
    fn names_are_cut_and_made_whole() {
        let names = ShortNames::new(["mixamorig:Hips", "mixamorig:Spine"]);
        assert_eq!((names.cut("mixamorig:Hips"), names.cut("trunk")), ("Hips", "trunk"));
        assert_eq!(names.whole("Hips"), "mixamorig:Hips");
        assert_eq!(names.remark().as_deref(), Some("names without \"mixamorig:\""));
        assert_eq!((ShortNames::default().cut("a"), ShortNames::default().remark()), ("a", None));
    }
}
