//! Which way a motion and a character stand at rest, and the turn between them.
//!
//! In: matched bones with their names. Out: the one of the 24 rotations of a cube that turns the motion to where the character faces, and
//! the character's upward axis; nothing where the names do not tell left from right, or nothing is above.
//!
//! To the left is from bones of the right side to their namesakes of the left one. Upwards is from the feet to between hips and head; where
//! no bone is called a foot, from the hips to the head.

use std::collections::BTreeMap;

use glam::{DMat3, DVec3};

use super::rest::{Bone, Bones, degrees};

/// How the character stands, compared with the motion.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facing {
    /// Turns the motion. Its entries are -1, 0 and 1.
    pub turn: DMat3,
    /// The axis that is nearest to upwards in the character.
    pub up: DVec3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    Left,
    Right,
}

impl Facing {
    /// `name` is that of a bone.
    pub fn new<'n>(bones: &Bones, name: impl Fn(&Bone) -> &'n str) -> Option<Self> {
        let names: Vec<(Option<Hand>, Vec<String>)> =
            bones.all.iter().map(|bone| parsed(name(bone))).collect();
        let [source, target] = [0, 1].map(|side| frame(bones, &names, side));
        let (source, target) = (source?, target?);
        Some(Self { turn: nearest_of_cube(target * source.transpose()), up: nearest_axis(target.y_axis) })
    }

    /// What is to be said about the turn; nothing where there is none.
    pub fn remark(&self) -> Option<String> {
        let turn = self.turn;
        let trace = turn.x_axis.x + turn.y_axis.y + turn.z_axis.z;
        let (angle, axis) = match trace.round() as i32 {
            3 => return None,
            // A half turn: the sum with the identity is twice the projection to the axis.
            -1 => (180, (turn + DMat3::IDENTITY) * DVec3::new(1.0, 0.3, 0.1)),
            other => {
                let axis = DVec3::new(
                    turn.y_axis.z - turn.z_axis.y,
                    turn.z_axis.x - turn.x_axis.z,
                    turn.x_axis.y - turn.y_axis.x,
                );
                (if other == 1 { 90 } else { 120 }, axis)
            }
        };
        let axis = axis / axis.abs().max_element();
        let (sign, about) = match axis.round().to_array().map(|number| number as i32) {
            [x, 0, 0] => (x, "X".to_owned()),
            [0, y, 0] => (y, "Y".to_owned()),
            [0, 0, z] => (z, "Z".to_owned()),
            [x, y, z] => (1, format!("the direction {x},{y},{z}")),
        };
        let sign = if angle == 180 { 1 } else { sign };
        let stands = if turn.transpose() * self.up == self.up { "faces" } else { "stands" };
        Some(format!(
            "the character {stands} another way than the motion: the motion is turned by {} degrees about {about}",
            sign * angle
        ))
    }
}

/// To the left, upwards and forwards.
fn frame(bones: &Bones, names: &[(Option<Hand>, Vec<String>)], side: usize) -> Option<DMat3> {
    let place = |index: usize| bones.all[index].places[side];
    let mut right = BTreeMap::new();
    for (index, (hand, words)) in names.iter().enumerate() {
        if *hand == Some(Hand::Right) {
            right.entry(words).or_insert(index);
        }
    }
    let (mut left, mut apart) = (DVec3::ZERO, 0.0);
    for (index, (_, words)) in names.iter().enumerate().filter(|(_, (hand, _))| *hand == Some(Hand::Left)) {
        let Some(&other) = right.get(words) else { continue };
        let across = place(index) - place(other);
        left += across;
        apart += across.length();
    }
    let called = |beginnings: &[&str]| -> Vec<usize> {
        let is_called = |words: &[String]| {
            words.iter().any(|word| beginnings.iter().any(|start| word.starts_with(start)))
        };
        (0..names.len()).filter(|&index| is_called(&names[index].1)).collect()
    };
    let head = place(*called(&["head"]).first().or(called(&["neck"]).first())?);
    let hips = place(*bones.carriers().last()?);
    let feet = called(&["foot", "toe", "ankle", "paw", "hoof"]);
    let up = match feet.len() {
        0 => head - hips,
        count => 0.5 * (head + hips) - feet.iter().map(|&foot| place(foot)).sum::<DVec3>() / count as f64,
    };
    // Bones that are on all sides, or above each other, say nothing.
    let agrees = left.length() > 0.5 * apart && (45.0..=135.0).contains(&degrees(left, up));
    let left = left.try_normalize().filter(|_| agrees)?;
    let up = up.reject_from_normalized(left).try_normalize()?;
    Some(DMat3::from_cols(left, up, left.cross(up)))
}

/// The side that a name tells, and its other words in lower case.
fn parsed(name: &str) -> (Option<Hand>, Vec<String>) {
    let (mut hands, mut others) = (Vec::new(), Vec::new());
    for word in words(name) {
        let (hand, rest) = match word.as_str() {
            "l" => (Hand::Left, ""),
            "r" => (Hand::Right, ""),
            word => match (word.strip_prefix("left"), word.strip_prefix("right")) {
                (Some(rest), _) => (Hand::Left, rest),
                (_, Some(rest)) => (Hand::Right, rest),
                _ => {
                    others.push(word.to_owned());
                    continue;
                }
            },
        };
        hands.push(hand);
        if !rest.is_empty() {
            others.push(rest.to_owned());
        }
    }
    (if let [hand] = hands[..] { Some(hand) } else { None }, others)
}

/// `J_Bip_L_UpperArm`, `LHipJoint01`: words end at separators, digits, and before capitals.
fn words(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words = vec![String::new()];
    for (at, &c) in letters.iter().enumerate() {
        let last = at.checked_sub(1).map(|last| letters[last]);
        let starts = last.is_some_and(|last| {
            let is_lower = |c: Option<&char>| c.is_some_and(|c| c.is_lowercase());
            let is_capital = c.is_uppercase() && (!last.is_uppercase() || is_lower(letters.get(at + 1)));
            is_capital || c.is_numeric() != last.is_numeric()
        });
        if starts || !c.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (c.is_alphanumeric(), words.last_mut()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

const AXES: [DVec3; 6] = [DVec3::X, DVec3::Y, DVec3::Z, DVec3::NEG_X, DVec3::NEG_Y, DVec3::NEG_Z];

fn nearest_axis(direction: DVec3) -> DVec3 {
    let nearer =
        |best: DVec3, axis: DVec3| if axis.dot(direction) > best.dot(direction) { axis } else { best };
    AXES.into_iter().fold(DVec3::Y, nearer)
}

fn nearest_of_cube(rotation: DMat3) -> DMat3 {
    let likeness =
        |other: &DMat3| (0..3).map(|column| other.col(column).dot(rotation.col(column))).sum::<f64>();
    let mut best = DMat3::IDENTITY;
    for x in AXES {
        for y in AXES.into_iter().filter(|y| y.dot(x) == 0.0) {
            let other = DMat3::from_cols(x, y, x.cross(y));
            if likeness(&other) > likeness(&best) {
                best = other;
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_side() {
        let expect = |name: &str, hand: Option<Hand>, rest: &str| {
            let (found, words) = parsed(name);
            assert_eq!((found, words.join(" ")), (hand, rest.to_owned()), "{name}");
        };
        for name in
            ["LeftUpLeg", "L_UpLeg", "up_leg.L", "UpLeg_l", "lUpLeg", "LUpLeg", "left up-leg", "UpLegL"]
        {
            expect(name, Some(Hand::Left), "up leg");
        }
        expect("mixamorig:RightHandIndex1", Some(Hand::Right), "mixamorig hand index 1");
        expect("rightfoot", Some(Hand::Right), "foot");
        for (name, rest) in
            [("Leg", "leg"), ("upright", "upright"), ("Root", "root"), ("l_to_r", "to"), ("", "")]
        {
            expect(name, None, rest);
        }
    }

    #[test]
    fn turns_are_told_in_words() {
        let told =
            |turn: DMat3| Facing { turn: nearest_of_cube(turn), up: DVec3::Y }.remark().unwrap_or_default();
        let turn = |axis: DVec3, angle: f64| DMat3::from_axis_angle(axis.normalize(), angle.to_radians());
        assert_eq!(told(turn(DVec3::Y, 20.0)), "");
        assert!(
            told(turn(DVec3::Y, 170.0))
                .ends_with("faces another way than the motion: the motion is turned by 180 degrees about Y")
        );
        assert!(
            told(turn(DVec3::X, -80.0))
                .ends_with("stands another way than the motion: the motion is turned by -90 degrees about X")
        );
        assert!(
            told(turn(DVec3::new(1.0, -1.0, 1.0), 120.0)).ends_with("120 degrees about the direction 1,-1,1")
        );
        assert!(
            told(turn(DVec3::new(0.0, 1.0, -1.0), 180.0)).ends_with("180 degrees about the direction 0,1,-1")
        );
    }
}
