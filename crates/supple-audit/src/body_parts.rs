//! Parts of a body as people call them: `left hand` for a hand and all its fingers.
//!
//! In: the bones of a model, by their names. Out: for each bone the part that it belongs to, and the name of each part.
//!
//! A name is taken apart into words: at separators, digits and capitals. `L`, `left` and the like tell the side. What is left is
//! looked for in a table of words of common rigs; the first row that fits tells the part. Other bones belong together if they have the
//! same words: `cape_01` and `cape_02`. Names that only say that something is a bone stay as they are.

use std::collections::{BTreeMap, BTreeSet};

use supple::Model;

use crate::bones::Bones;

/// The body part and what names of its bones contain; a word in quotes of its own begins with `=` and must be a whole word. The first row
/// that fits counts.
const WORDS: [(&str, &[&str]); 18] = [
    ("eye", &["eyeball", "=eye", "oculi"]),
    ("jaw", &["jaw", "=chin"]),
    ("tongue", &["tongue"]),
    ("foot", &["foot", "=feet", "toe", "ankle", "heel", "=ball", "metatars"]),
    ("forearm", &["forearm", "lowerarm", "lowarm", "armlower", "elbow"]),
    ("upper arm", &["upperarm", "uparm", "armupper", "bicep"]),
    (
        "hand",
        &[
            "hand", "wrist", "palm", "finger", "thumb", "pinky", "pinkie", "metacarp", "=index", "=middle",
            "=ring", "=little",
        ],
    ),
    ("shoulder", &["shoulder", "clavicle", "collar", "scapula", "shldr"]),
    ("thigh", &["thigh", "upleg", "upperleg", "legupper", "femur"]),
    ("shin", &["shin", "calf", "lowerleg", "lowleg", "leglower", "knee"]),
    ("neck", &["neck"]),
    ("ear", &["=ear", "=ears"]),
    ("hair", &["hair", "ponytail", "bangs", "braid"]),
    (
        "head",
        &[
            "head",
            "skull",
            "=face",
            "brow",
            "cheek",
            "=lip",
            "lips",
            "mouth",
            "=nose",
            "eyelid",
            "orbicularis",
            "oris",
            "levator",
            "temporalis",
            "risorius",
        ],
    ),
    ("chest", &["chest", "breast", "thorax", "=rib", "=ribs", "pectoral"]),
    ("hips", &["pelvis", "=hip", "=hips"]),
    ("torso", &["spine", "torso", "abdomen", "belly", "waist", "stomach", "lowerback"]),
    ("tail", &["tail"]),
];

/// Parts that have no sides.
const IN_THE_MIDDLE: [&str; 7] = ["jaw", "tongue", "neck", "head", "chest", "hips", "torso"];

/// Words that tell nothing.
const EMPTY_WORDS: [&str; 20] = [
    "bone",
    "bones",
    "joint",
    "joints",
    "jnt",
    "jt",
    "node",
    "def",
    "deform",
    "org",
    "skeleton",
    "armature",
    "rig",
    "skin",
    "bip",
    "bip001",
    "mixamorig",
    "j",
    "b",
    "end",
];

const LEFT: [&str; 3] = ["l", "left", "lft"];
const RIGHT: [&str; 4] = ["r", "right", "rgt", "rt"];

/// The parts of a body, by the names of its bones.
///
/// ```
/// use supple_audit::{BodyParts, Bones};
///
/// let human = supple_zoo::make("human", 0)?;
/// let bones = Bones::new(&human);
/// let parts = BodyParts::new(&human, &bones);
/// let thumb = bones.named("thumb_1_l")?.into_iter().next().expect("a bone of that name");
/// assert_eq!(parts.name(parts.of_bones()[thumb as usize]), "left hand");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodyParts {
    names: Vec<String>,
    of_bone: Vec<u32>,
    /// The most steps from a root to a bone of the part.
    depths: Vec<u32>,
}

impl BodyParts {
    /// Of all bones, by their names. A bone that is called like a mesh of the model carries that mesh, and is called so.
    pub fn new(model: &Model, bones: &Bones) -> Self {
        let meshes: BTreeSet<&str> = model.parts().iter().map(|part| part.name.as_str()).collect();
        let count = bones.count() as u32;
        let words: Vec<Words> = (0..count).map(|bone| Words::of(bones.name(bone))).collect();
        let named: Vec<Option<String>> = words.iter().map(Words::body_part).collect();
        // Rigs that know only legs and arms mean the lower one beside an upper one.
        let has = |part: &str| named.iter().flatten().any(|name| name.ends_with(part));
        let (has_thigh, has_upper_arm) = (has("thigh"), has("upper arm") || has("forearm"));
        let name_of = |bone: u32| {
            let own = &words[bone as usize];
            let limb = |word: &str| own.words.iter().any(|w| w == word);
            match &named[bone as usize] {
                _ if meshes.contains(bones.name(bone)) && !own.is_body_part() => bones.name(bone).to_owned(),
                Some(name) => name.clone(),
                None if limb("leg") => own.sided(if has_thigh { "shin" } else { "leg" }),
                None if limb("arm") => own.sided(if has_upper_arm { "upper arm" } else { "arm" }),
                None if own.words.is_empty() => bones.label(bone).to_owned(),
                None => own.sided(&own.words.join(" ")),
            }
        };
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let (mut names, mut of_bone) = (Vec::new(), Vec::new());
        for bone in 0..count {
            let name = name_of(bone);
            let number = *numbers.entry(name.clone()).or_insert_with(|| {
                names.push(name);
                names.len() as u32 - 1
            });
            of_bone.push(number);
        }
        let mut depths = vec![0; names.len()];
        for bone in 0..count {
            let depth =
                std::iter::successors(bones.parent(bone), |&above| bones.parent(above)).count() as u32;
            let of_part = &mut depths[of_bone[bone as usize] as usize];
            *of_part = depth.max(*of_part);
        }
        Self { names, of_bone, depths }
    }

    /// The part that a mesh is called like; none where its name says something else.
    pub(crate) fn named_like(mesh: &str) -> Option<String> {
        let words = Words::of(mesh);
        words.is_body_part().then(|| words.body_part()).flatten()
    }

    /// The name of a part.
    ///
    /// # Panics
    /// There is no such part.
    pub fn name(&self, part: u32) -> &str {
        &self.names[part as usize]
    }

    /// How far out in the skeleton a part is: the most steps from a root to one of its bones.
    pub(crate) fn depth(&self, part: u32) -> u32 {
        self.depths[part as usize]
    }

    /// The part of each bone.
    pub fn of_bones(&self) -> &[u32] {
        &self.of_bone
    }
}

/// The words of a bone's name, without digits and what tells nothing.
#[derive(Debug, PartialEq, Eq)]
struct Words {
    side: Option<&'static str>,
    words: Vec<String>,
}

impl Words {
    fn of(name: &str) -> Self {
        let (mut side, mut words) = (None, Vec::new());
        for word in split(name) {
            if side.is_none() && LEFT.contains(&word.as_str()) {
                side = Some("left");
            } else if side.is_none() && RIGHT.contains(&word.as_str()) {
                side = Some("right");
            } else if side.is_none() && word.len() > 6 && word.starts_with("left") {
                side = Some("left");
                words.push(word["left".len()..].to_owned());
            } else if side.is_none() && word.len() > 7 && word.starts_with("right") {
                side = Some("right");
                words.push(word["right".len()..].to_owned());
            } else if !EMPTY_WORDS.contains(&word.as_str()) {
                words.push(word);
            }
        }
        Self { side, words }
    }

    fn body_part(&self) -> Option<String> {
        let joined = self.words.concat();
        let fits = |word: &str| match word.strip_prefix('=') {
            Some(whole) => self.words.iter().any(|w| w == whole),
            None => joined.contains(word),
        };
        WORDS.iter().find(|(_, words)| words.iter().any(|word| fits(word))).map(|(part, _)| self.sided(part))
    }

    /// Whether the words are a body part and nothing else: `LowerLeg`, but not `sword offhand`.
    fn is_body_part(&self) -> bool {
        let joined = self.words.concat();
        let all = WORDS.iter().flat_map(|(_, words)| words.iter()).map(|word| word.trim_start_matches('='));
        all.chain(["arm", "leg"]).any(|word| word == joined)
    }

    fn sided(&self, part: &str) -> String {
        match self.side {
            Some(side) if !IN_THE_MIDDLE.contains(&part) => format!("{side} {part}"),
            _ => part.to_owned(),
        }
    }
}

/// At separators, digits, before a capital that follows a small letter, and before the last of several capitals that a small letter
/// follows (`LHip`); in small letters.
fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let (mut words, mut word) = (Vec::new(), String::new());
    for (at, c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |at| letters[at]);
        let after = letters.get(at + 1).copied().unwrap_or(' ');
        let begins =
            c.is_uppercase() && (before.is_lowercase() || before.is_uppercase() && after.is_lowercase());
        if !c.is_alphabetic() || begins {
            words.push(std::mem::take(&mut word));
        }
        if c.is_alphabetic() {
            word.extend(c.to_lowercase());
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str) -> String {
        Words::of(name).body_part().unwrap_or_else(|| format!("? {:?}", Words::of(name).words))
    }

    #[test]
    fn names_of_common_rigs_are_understood() {
        for (name, expected) in [
            ("mixamorig:LeftHandIndex1", "left hand"),
            ("mixamorig:LeftUpLeg", "left thigh"),
            ("Bip01 R Forearm", "right forearm"),
            ("upperarm_twist_01_l", "left upper arm"),
            ("J_Bip_L_LowerLeg", "left shin"),
            ("DEF-forearm.L.001", "left forearm"),
            ("metacarpal1.L", "left hand"),
            ("finger2-1.R", "right hand"),
            ("toe1-1.L", "left foot"),
            ("upperleg02.R", "right thigh"),
            ("hand_r", "right hand"),
            ("Spine1", "torso"),
            ("oculi01.R", "right eye"),
            ("CC_Base_L_Clavicle", "left shoulder"),
            ("RightToeBase", "right foot"),
            ("lThumb1", "left hand"),
            ("rightFoot", "right foot"),
            ("LHipJoint", "hips"),
        ] {
            assert_eq!(part(name), expected, "{name}");
        }
        assert_eq!(part("b_Tail01_012"), "tail");
        assert!(part("string_01").starts_with('?'));
    }
}
