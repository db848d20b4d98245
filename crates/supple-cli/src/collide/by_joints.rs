//! Pairs of triangles by the joints that own them.
//!
//! In: the pairs of a frame. Out: one group per pair of joints, all pairs in one of them.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use supple_audit::Bones;

use super::actor::Actor;
use super::play::Frame;
use crate::short_names::ShortNames;
use crate::table::{counted, printable};

/// Characters of a line of pairs, and of a joint's name.
const WIDTH: usize = 100;
const NAME: usize = 40;

/// Who owns the triangles of both bodies.
#[derive(Clone, Debug)]
pub struct Owners {
    a: Bones,
    b: Bones,
    short_names: [ShortNames; 2],
}

/// Two joints and the touching triangles that they own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct JointPair<'a> {
    /// Names: a joint of A, a joint of B.
    pub joints: [&'a str; 2],
    /// Ascending.
    pub pairs: Vec<[u32; 2]>,
}

impl Owners {
    pub fn new(a: &Actor, b: &Actor) -> Self {
        let bones = |actor: &Actor| Bones::new(actor.body.shape().model());
        let short_names = [a, b].map(|actor| ShortNames::of(actor.body.shape().model()));
        Self { a: bones(a), b: bones(b), short_names }
    }

    /// Groups in the order of the joints.
    pub fn grouped(&self, pairs: &[[u32; 2]]) -> Vec<JointPair<'_>> {
        let owner = |bones: &Bones, triangle: u32| bones.of_triangles()[triangle as usize];
        let mut groups: BTreeMap<[u32; 2], Vec<[u32; 2]>> = BTreeMap::new();
        for &[a, b] in pairs {
            groups.entry([owner(&self.a, a), owner(&self.b, b)]).or_default().push([a, b]);
        }
        let named = |([a, b], pairs): ([u32; 2], Vec<[u32; 2]>)| JointPair {
            joints: [self.a.label(a), self.b.label(b)],
            pairs,
        };
        groups.into_iter().map(named).collect()
    }
}

/// All pairs of all frames that have some, beginning and ending with a line break.
pub fn text(owners: &Owners, frames: &[Frame]) -> String {
    let mut text = "\nPairs of triangles, A/B, by the joints that own them:\n".to_owned();
    let remarks: BTreeSet<String> = owners.short_names.iter().filter_map(ShortNames::remark).collect();
    for remark in remarks {
        text += &format!("{remark}\n");
    }
    let touching = frames.iter().filter(|frame| !frame.pairs.is_empty());
    if touching.clone().next().is_none() {
        text += "  none\n";
    }
    for frame in touching {
        let pairs = counted(frame.pairs.len(), "pair");
        text += &format!("\nframe {}, {:.3} s: {pairs}\n", frame.frame, frame.time);
        for JointPair { joints, pairs } in owners.grouped(&frame.pairs) {
            let name = |body: usize| printable(owners.short_names[body].cut(joints[body]), NAME);
            let [a, b] = [0, 1].map(name);
            text += &format!("  {a} / {b}: {}\n{}", counted(pairs.len(), "pair"), lines(&pairs));
        }
    }
    text
}

/// As many pairs in a line as there is room for.
fn lines(pairs: &[[u32; 2]]) -> String {
    let (mut text, mut line) = (String::new(), "   ".to_owned());
    for [a, b] in pairs {
        let word = format!(" {a}/{b}");
        if line.len() + word.len() > WIDTH {
            text += &line;
            text.push('\n');
            line = "   ".to_owned();
        }
        line += &word;
    }
    text + &line + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_full_and_hold_all_pairs() {
        let pairs: Vec<[u32; 2]> = (0..100).map(|i| [i, 1000 + i]).collect();
        let text = lines(&pairs);
        assert!(text.lines().all(|line| line.starts_with("    ") && line.len() <= WIDTH));
        assert!(text.lines().next().unwrap().len() > WIDTH - 10);
        let words: Vec<&str> = text.split_whitespace().collect();
        assert_eq!((words.len(), words[0], words[99]), (100, "0/1000", "99/1099"));
    }
}
