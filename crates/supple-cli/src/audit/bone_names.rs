//! Names of bones as the user writes and reads them: `A:B` on the command line, and without what all share in tables.

use supple_audit::Bones;

use super::ask::blamed;
use crate::failure::{Failure, bad_usage};

/// What can be told before any model is read.
pub fn check(texts: &[String]) -> Result<(), Failure> {
    match texts.iter().find(|text| !text.contains(':')) {
        Some(text) => Err(no_pair(text)),
        None => Ok(()),
    }
}

fn no_pair(text: &str) -> Failure {
    bad_usage(format!("--bones {text:?}: expected two bones with a colon between them, A:B"))
}

/// Understands `A:B`. Names may contain colons (`mixamorig:Hips`), so every colon is tried.
pub fn split(bones: &Bones, text: &str) -> Result<[String; 2], Failure> {
    let splits: Vec<[&str; 2]> =
        text.match_indices(':').map(|(at, _)| [&text[..at], &text[at + 1..]]).collect();
    let mut found = splits.iter().filter(|names| names.iter().all(|name| bones.named(name).is_ok()));
    match (found.next(), found.next()) {
        (Some(names), None) => return Ok(names.map(str::to_owned)),
        (Some(_), Some(_)) => {
            return Err(bad_usage(format!(
                "--bones {text:?} can be split at more than one colon; rename a bone"
            )));
        }
        (None, _) => {}
    }
    // The split whose one half exists tells which half does not; without any, the middle is as good as another.
    let half = splits.iter().find_map(|&[a, b]| match (bones.named(a), bones.named(b)) {
        (Ok(_), Err(error)) | (Err(error), Ok(_)) => Some(error),
        _ => None,
    });
    let middle = || splits.get(splits.len() / 2).and_then(|[a, _]| bones.named(a).err());
    Err(match half.or_else(middle) {
        Some(error) => blamed(error),
        None => no_pair(text),
    })
}

/// What all labels begin with, up to a sign that is neither letter nor digit: `mixamorig:`, `Armature_`. Empty where a label
/// would have nothing left.
pub fn common_prefix(labels: &[impl AsRef<str>]) -> &str {
    let Some((first, others)) = labels.split_first().filter(|(_, others)| !others.is_empty()) else {
        return "";
    };
    let first = first.as_ref();
    let is_shared = |end: usize| {
        first.len() > end
            && others.iter().all(|l| l.as_ref().len() > end && l.as_ref().starts_with(&first[..end]))
    };
    let ends = first.char_indices().filter(|(_, c)| !c.is_alphanumeric()).map(|(i, c)| i + c.len_utf8());
    &first[..ends.filter(|&end| is_shared(end)).max().unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DAffine3, Vec3};
    use supple::Mesh;
    use supple::Model;
    use supple::Skin;
    use supple::pose::{Joint, Node, Skeleton, Transform};

    /// Bones of these names, each with a triangle.
    fn bones(names: [&str; 2]) -> Bones {
        let positions = (0..6).map(|v| Vec3::new(v as f32, (v * v) as f32, 0.0)).collect();
        let mesh = Mesh::new(positions, vec![[0, 1, 2], [3, 4, 5]]).unwrap();
        let lists: Vec<[(u32, f32); 1]> = (0..6).map(|v| [(v / 3, 1.0)]).collect();
        let skin = Skin::new(2, lists.iter().map(|l| l.as_slice())).unwrap();
        let nodes = names.map(|name| Node::new(name, None, Transform::IDENTITY)).to_vec();
        let joints = [0, 1].map(|node| Joint { node, inverse_bind: DAffine3::IDENTITY }).to_vec();
        Bones::new(&Model::new(mesh, skin, Skeleton::new(nodes, joints).unwrap()).unwrap())
    }

    #[test]
    fn a_common_prefix_ends_with_a_sign_and_leaves_something() {
        let prefix = |labels: &[&str]| common_prefix(labels).to_owned();
        assert_eq!(prefix(&["rig:a_arm", "rig:a_leg"]), "rig:a_");
        assert_eq!(prefix(&["rig:arm", "rig:armour"]), "rig:");
        assert_eq!(prefix(&["rig:", "rig:arm"]), "");
        assert_eq!(prefix(&["thigh", "thumb"]), "");
        assert_eq!((prefix(&["rig:arm"]), prefix(&[])), (String::new(), String::new()));
        assert_eq!(prefix(&["é:arm", "é:leg", "è:leg"]), "");
    }

    #[test]
    fn colons_in_names_are_no_obstacle() {
        let bones = bones(["rig:arm", "rig:leg"]);
        assert_eq!(split(&bones, "rig:arm:rig:leg").unwrap(), ["rig:arm", "rig:leg"]);
        assert_eq!(split(&bones, "rig:arm+:rig:leg").unwrap(), ["rig:arm+", "rig:leg"]);
    }

    #[test]
    fn unknown_names_are_told_with_near_ones() {
        let bones = bones(["arm", "leg"]);
        let error = split(&bones, "armx:leg").unwrap_err();
        assert_eq!(error.exit_code(), 2);
        assert!(error.to_string().contains("no bone \"armx\""), "{error}");
        assert!(error.to_string().contains("nearest of 2 bones with triangles: \"arm\""), "{error}");
        let error = split(&bones, "arm").unwrap_err();
        assert!(error.to_string().contains("A:B"), "{error}");
    }
}
