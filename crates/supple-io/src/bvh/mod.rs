//! BVH motion files in: a skeleton and one clip, no mesh.
//!
//! In: `HIERARCHY` with `ROOT`, `JOINT` and `End Site`, channels in any order and number, then `MOTION` with its frames. Keywords
//! may have any case, white space and line ends are free, names may have spaces. Out: nodes whose rest pose has no rotation; a
//! clip without a name, with a key per frame, linear in between.
//! Must hold: errors name the line; nothing is allocated on the word of the file alone; depth costs no stack.
//!
//! Rotations are multiplied in the order of their channels, in f64. Position channels replace the offset of their joint. BVH says
//! nothing about units: lengths stay those of the file. An end site becomes a node called after its joint.

mod words;

use glam::{DQuat, DVec3};
use supple::pose::{Channel, Clip, Interpolation, Node, Skeleton, Target};
use supple::{ModelError, Transform};

use self::words::Words;
use crate::Problem;
use crate::motion::{Motion, bones_of};

/// More joints than this are no skeleton.
const MAX_JOINTS: usize = 20_000;

/// What one number of a frame moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moves {
    Position(usize),
    Rotation(usize),
}

/// A joint or end site.
#[derive(Debug)]
struct Joint {
    name: String,
    parent: Option<usize>,
    offset: DVec3,
    moves: Vec<Moves>,
}

/// Reads the bytes of a BVH file.
///
/// # Errors
/// They are no BVH, or end too early; the error names the line.
pub(crate) fn read(bytes: &[u8]) -> Result<Motion, Problem> {
    let text = String::from_utf8_lossy(bytes);
    let mut words = Words::new(text.strip_prefix('\u{feff}').unwrap_or(&text));
    let mut notes = Vec::new();
    let read = read_words(&mut words, &mut notes);
    let (joints, frames) = read.map_err(|message| match words.peek() {
        None => Problem::invalid("end of file", message),
        Some(_) => Problem::invalid(format!("line {}", words.line()), message),
    })?;
    let nodes: Vec<Node> = joints
        .iter()
        .map(|joint| {
            Node::new(&joint.name, joint.parent, Transform::from_translation(joint.offset.as_vec3()))
        })
        .collect();
    let bones = bones_of(0..nodes.len());
    let skeleton = Skeleton::new(nodes, bones).map_err(ModelError::from)?;
    let clips = match frames.count {
        0 => Vec::new(),
        _ => vec![frames.clip(&joints).map_err(|error| Problem::invalid("MOTION", error.to_string()))?],
    };
    Ok(Motion { skeleton, clips, morph_targets: Vec::new(), notes })
}

fn read_words(words: &mut Words<'_>, notes: &mut Vec<String>) -> Result<(Vec<Joint>, Frames), String> {
    expect(words, "HIERARCHY")?;
    let mut joints = Vec::new();
    while words.take("ROOT") {
        read_root(words, &mut joints)?;
    }
    if joints.is_empty() {
        return Err(expected("ROOT", words.peek()));
    }
    let width: usize = joints.iter().map(|joint| joint.moves.len()).sum();
    Ok((joints, read_frames(words, width, notes)?))
}

/// Numbers of all frames, one frame after the other.
#[derive(Debug)]
struct Frames {
    count: usize,
    seconds: f64,
    width: usize,
    numbers: Vec<f64>,
}

/// A joint and all below it. `open` are the joints whose closing brace has not come yet.
fn read_root(words: &mut Words<'_>, joints: &mut Vec<Joint>) -> Result<(), String> {
    let mut open = vec![begin_joint(words, joints, None, false)?];
    while let Some(&joint) = open.last() {
        if words.take("}") {
            open.pop();
        } else if words.take("OFFSET") {
            for axis in 0..3 {
                joints[joint].offset[axis] = f64::from(number(words)? as f32);
            }
        } else if words.take("CHANNELS") {
            joints[joint].moves = read_channels(words)?;
        } else if words.take("JOINT") {
            open.push(begin_joint(words, joints, Some(joint), false)?);
        } else if words.take("End") {
            open.push(begin_joint(words, joints, Some(joint), true)?);
        } else {
            return Err(expected("OFFSET, CHANNELS, JOINT, End Site or }", words.peek()));
        }
    }
    Ok(())
}

fn begin_joint(
    words: &mut Words<'_>,
    joints: &mut Vec<Joint>,
    parent: Option<usize>,
    is_end: bool,
) -> Result<usize, String> {
    if joints.len() == MAX_JOINTS {
        return Err(format!("more than {MAX_JOINTS} joints"));
    }
    let named = words.rest_of_line();
    let name = match parent {
        // Cut, as chains of end sites would grow it.
        Some(parent) if is_end => {
            format!("{} end", joints[parent].name.chars().take(200).collect::<String>())
        }
        _ => named.to_owned(),
    };
    expect(words, "{")?;
    joints.push(Joint { name, parent, offset: DVec3::ZERO, moves: Vec::new() });
    Ok(joints.len() - 1)
}

fn read_channels(words: &mut Words<'_>) -> Result<Vec<Moves>, String> {
    let count = whole_number(words)?;
    let mut moves = Vec::new();
    for _ in 0..count {
        let found = words.peek().unwrap_or_default().to_ascii_lowercase();
        let axis = ["x", "y", "z"].iter().position(|axis| found.starts_with(axis));
        moves.push(match (axis, found.get(1..)) {
            (Some(axis), Some("position")) => Moves::Position(axis),
            (Some(axis), Some("rotation")) => Moves::Rotation(axis),
            _ => return Err(expected("a channel like Xposition or Zrotation", words.peek())),
        });
        words.next();
    }
    Ok(moves)
}

fn read_frames(words: &mut Words<'_>, width: usize, notes: &mut Vec<String>) -> Result<Frames, String> {
    expect(words, "MOTION")?;
    expect_label(words, &["Frames"])?;
    let promised = whole_number(words)?;
    expect_label(words, &["Frame", "Time"])?;
    let seconds = number(words)?;
    if seconds <= 0.0 && promised > 1 {
        return Err(format!("a frame time of {seconds} s; expected more than 0"));
    }
    let mut numbers = Vec::new();
    while words.peek().is_some() && width > 0 && numbers.len() / width < promised {
        numbers.push(number(words)?);
    }
    if width > 0 && numbers.len() % width != 0 {
        let (frame, found) = (numbers.len() / width, numbers.len() % width);
        return Err(format!("frame {frame} has {found} numbers; expected {width}"));
    }
    let count = numbers.len().checked_div(width).unwrap_or(0);
    if count < promised {
        notes.push(format!("MOTION: {promised} frames are promised, {count} are there"));
    }
    if words.peek().is_some() {
        notes.push(format!("line {}: what comes after {count} frames was ignored", words.line()));
    }
    Ok(Frames { count, seconds, width, numbers })
}

impl Frames {
    fn clip(&self, joints: &[Joint]) -> Result<Clip, supple::pose::ClipError> {
        let times: Vec<f32> = (0..self.count).map(|frame| (frame as f64 * self.seconds) as f32).collect();
        let mut channels = Vec::new();
        let mut first = 0;
        for (node, joint) in joints.iter().enumerate() {
            let of_frame = |frame: usize| &self.numbers[frame * self.width + first..][..joint.moves.len()];
            let keyed = |target, values| Channel {
                target,
                interpolation: Interpolation::Linear,
                times: times.clone(),
                values,
            };
            if joint.moves.iter().any(|moves| matches!(moves, Moves::Position(_))) {
                let positions =
                    (0..self.count).flat_map(|f| joint.position(of_frame(f)).as_vec3().to_array());
                channels.push(keyed(Target::Translation(node), positions.collect()));
            }
            if joint.moves.iter().any(|moves| matches!(moves, Moves::Rotation(_))) {
                let mut values = Vec::with_capacity(self.count * 4);
                let mut last = DQuat::IDENTITY;
                for frame in 0..self.count {
                    let turn = joint.rotation(of_frame(frame));
                    // Both signs are the same rotation; neighbours should look alike.
                    last = if turn.dot(last) < 0.0 { -turn } else { turn };
                    values.extend(last.as_quat().to_array());
                }
                channels.push(keyed(Target::Rotation(node), values));
            }
            first += joint.moves.len();
        }
        Clip::new("", channels)
    }
}

impl Joint {
    fn position(&self, numbers: &[f64]) -> DVec3 {
        let mut position = self.offset;
        for (moves, &number) in self.moves.iter().zip(numbers) {
            if let Moves::Position(axis) = moves {
                position[*axis] = number;
            }
        }
        position
    }

    fn rotation(&self, numbers: &[f64]) -> DQuat {
        let turn = |(moves, degrees): (&Moves, &f64)| match moves {
            Moves::Rotation(axis) => DQuat::from_axis_angle(DVec3::AXES[*axis], degrees.to_radians()),
            Moves::Position(_) => DQuat::IDENTITY,
        };
        self.moves.iter().zip(numbers).map(turn).fold(DQuat::IDENTITY, |all, turn| all * turn).normalize()
    }
}

fn expect(words: &mut Words<'_>, word: &str) -> Result<(), String> {
    if words.take(word) { Ok(()) } else { Err(expected(word, words.peek())) }
}

/// `Frame Time:`, where the colon may stand alone or be missing.
fn expect_label(words: &mut Words<'_>, label: &[&str]) -> Result<(), String> {
    for word in label {
        if !words.take(word) && !words.take(&format!("{word}:")) {
            return Err(expected(&format!("{}:", label.join(" ")), words.peek()));
        }
    }
    words.take(":");
    Ok(())
}

fn expected(what: &str, found: Option<&str>) -> String {
    match found {
        None => format!("expected {what}"),
        Some(found) => format!("{:?}; expected {what}", found.chars().take(40).collect::<String>()),
    }
}

fn number(words: &mut Words<'_>) -> Result<f64, String> {
    let word = words.peek();
    let number = word.and_then(|word| word.parse().ok()).filter(|number: &f64| (*number as f32).is_finite());
    let number = number.ok_or_else(|| expected("a number", word))?;
    words.next();
    Ok(number)
}

fn whole_number(words: &mut Words<'_>) -> Result<usize, String> {
    let word = words.peek();
    let number = word.and_then(|word| word.parse().ok()).ok_or_else(|| expected("a whole number", word))?;
    words.next();
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "HIERARCHY\nROOT hip bone\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n JOINT knee {\n OFFSET 0 -1 0 CHANNELS 1 Xrotation\n End Site\n { OFFSET 0 -1 0 }\n }\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 1 0 0 0 0 0\n1 2 3 90 0 0 -90";

    #[test]
    fn oddly_written_files_say_the_same() {
        let plain = read(TWO.as_bytes()).unwrap();
        let names: Vec<&str> = plain.skeleton.nodes().iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["hip bone", "knee", "knee end"]);
        assert_eq!(plain.clips[0].duration(), 0.5);
        for odd in [
            TWO.replace('\n', "\r\n"),
            TWO.replace('\n', "\r"),
            TWO.replace(' ', "\t").replace("hip\tbone", "hip bone"),
            TWO.replace("HIERARCHY", "Hierarchy").replace("OFFSET", "offset").replace("Frames:", "FRAMES :"),
            format!("\u{feff}{TWO}\n\n"),
        ] {
            assert_eq!(read(odd.as_bytes()).unwrap(), plain, "{odd:?}");
        }
    }

    #[test]
    fn errors_name_the_line() {
        for (from, to, message) in [
            ("HIERARCHY", "<html>", "line 1: \"<html>\"; expected HIERARCHY"),
            ("OFFSET 0 1 0", "OFFSET 0 1", "line 5: \"CHANNELS\"; expected a number"),
            (
                "Xposition",
                "Wposition",
                "line 5: \"Wposition\"; expected a channel like Xposition or Zrotation",
            ),
            ("Frames: 2", "Frames: two", "line 13: \"two\"; expected a whole number"),
            ("Frame Time: 0.5", "Frame Time: 0", "line 15: a frame time of 0 s; expected more than 0"),
            ("1 2 3 90", "1 2 nan 90", "line 16: \"nan\"; expected a number"),
            (" 0 0 -90", "", "end of file: frame 1 has 4 numbers; expected 7"),
            ("MOTION", "", "line 13: \"Frames:\"; expected MOTION"),
        ] {
            assert_eq!(read(TWO.replace(from, to).as_bytes()).unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn frames_that_are_promised_or_left_over_are_noted() {
        let notes = |text: String| read(text.as_bytes()).unwrap().notes;
        assert_eq!(notes(TWO.replace("Frames: 2", "Frames: 900000000000")).len(), 1);
        assert_eq!(notes(TWO.replace("Frames: 2", "Frames: 1")).len(), 1);
        assert!(notes(TWO.to_owned()).is_empty());
    }

    #[test]
    fn depth_costs_no_stack() {
        let open = "JOINT a { OFFSET 0 1 0 ".repeat(MAX_JOINTS - 1);
        let text =
            format!("HIERARCHY ROOT a\n{{ {open} {} MOTION Frames: 0 Frame Time: 1", "}".repeat(MAX_JOINTS));
        let deep = read(text.replace("a {", "a\n{").as_bytes()).unwrap();
        assert_eq!((deep.skeleton.nodes().len(), deep.clips.len()), (MAX_JOINTS, 0));
        let text = text.replacen("JOINT a {", "JOINT a { JOINT b { }", 1);
        assert!(read(text.as_bytes()).unwrap_err().to_string().contains("more than 20000 joints"));
    }
}
