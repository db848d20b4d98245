//! Which bone of a motion moves which bone of a character, by their names.
//!
//! In: names on both sides. Out: pairs of nodes. Equal names go first; where prefixes are to be ignored, names that are equal
//! without prefix, case and separators follow.

use std::collections::{BTreeMap, BTreeSet};

use supple::Model;
use supple::pose::{Node, Target};

use crate::Motion;

/// A node of the motion and the node of the character that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub source: usize,
    pub target: usize,
}

/// Nodes that some clip moves.
pub(super) fn moved_nodes(motion: &Motion) -> BTreeSet<usize> {
    let channels = motion.clips.iter().flat_map(|clip| clip.channels());
    channels
        .filter_map(|channel| match channel.target {
            Target::Translation(node) | Target::Rotation(node) | Target::Scale(node) => Some(node),
            Target::Coefficients(_) => None,
        })
        .collect()
}

/// Pairs in the order of the character's nodes.
pub(super) fn pairs(
    model: &Model,
    motion: &Motion,
    moved: &BTreeSet<usize>,
    ignored_prefixes: &[String],
) -> Vec<Pair> {
    let (sources, targets) = (motion.skeleton.nodes(), model.skeleton().nodes());
    let joints: BTreeSet<usize> = model.skeleton().joints().iter().map(|joint| joint.node).collect();
    let mut source_of: Vec<Option<usize>> = vec![None; targets.len()];
    let mut used = vec![false; sources.len()];
    let exact = |name: &str| name.to_owned();
    let loose = |name: &str| loose_name(name, ignored_prefixes);
    let mut ways: Vec<&dyn Fn(&str) -> String> = vec![&exact];
    if !ignored_prefixes.is_empty() {
        ways.push(&loose);
    }
    for way in ways {
        let free_sources = by_name(sources, way, |node| !used[node], |node| moved.contains(&node));
        let free_targets =
            by_name(targets, way, |node| source_of[node].is_none(), |node| joints.contains(&node));
        for (name, found) in free_targets {
            let Some(from) = free_sources.get(&name) else { continue };
            // As many of a name on both sides: the same rig, in the same order. Otherwise those that matter go first.
            let in_order = from.len() == found.len();
            for (target, source) in ordered(&found, in_order).into_iter().zip(ordered(from, in_order)) {
                source_of[target] = Some(source);
                used[source] = true;
            }
        }
    }
    let pair = |(target, source): (usize, Option<usize>)| source.map(|source| Pair { source, target });
    source_of.into_iter().enumerate().filter_map(pair).collect()
}

type Named = BTreeMap<String, Vec<(usize, bool)>>;

fn by_name(
    nodes: &[Node],
    way: &dyn Fn(&str) -> String,
    is_free: impl Fn(usize) -> bool,
    matters: impl Fn(usize) -> bool,
) -> Named {
    let mut named = Named::new();
    for (index, node) in nodes.iter().enumerate().filter(|(index, _)| is_free(*index)) {
        let name = way(&node.name);
        if !name.is_empty() {
            named.entry(name).or_default().push((index, matters(index)));
        }
    }
    named
}

fn ordered(nodes: &[(usize, bool)], as_they_are: bool) -> Vec<usize> {
    let mut nodes = nodes.to_vec();
    if !as_they_are {
        nodes.sort_by_key(|(_, matters)| !matters);
    }
    nodes.into_iter().map(|(node, _)| node).collect()
}

/// A name without the first of the prefixes that it has, in lower case, without separators.
fn loose_name(name: &str, prefixes: &[String]) -> String {
    let starts =
        |prefix: &&String| name.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix));
    let cut = prefixes.iter().find(starts).map_or(0, |prefix| prefix.len());
    let kept = name[cut..].chars().filter(|c| !matches!(c, '_' | '.' | '-' | ':' | ' '));
    kept.flat_map(char::to_lowercase).collect()
}

/// What a user may want to ignore: a prefix, or an empty one for case and separators, with which more than twice as many moved bones have
/// a partner. Where none has one, a prefix is proposed that seems to be one.
pub(super) fn likely_prefix(model: &Model, motion: &Motion, moved: &BTreeSet<usize>) -> Option<String> {
    let count = |prefixes: &[String]| {
        pairs(model, motion, moved, prefixes).iter().filter(|pair| moved.contains(&pair.source)).count()
    };
    let (now, shared) = (count(&[]), shared_prefix(model, motion));
    let (mut best, mut most) = (shared.clone().filter(|_| now == 0), 2 * now);
    for prefix in shared.into_iter().chain([String::new()]) {
        let found = count(std::slice::from_ref(&prefix));
        if found > most {
            (best, most) = (Some(prefix), found);
        }
    }
    best
}

/// A prefix up to a colon that most names on one side have.
fn shared_prefix(model: &Model, motion: &Motion) -> Option<String> {
    let prefix = |nodes: &[Node]| {
        let mut counts = BTreeMap::<String, usize>::new();
        for node in nodes {
            if let Some((prefix, _)) = node.name.rsplit_once(':') {
                *counts.entry(format!("{prefix}:")).or_default() += 1;
            }
        }
        counts.into_iter().filter(|(_, count)| 2 * count > nodes.len()).map(|(prefix, _)| prefix).next()
    };
    prefix(motion.skeleton.nodes()).or_else(|| prefix(model.skeleton().nodes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_case_and_separators_do_not_count() {
        let prefixes = ["mixamorig:".to_owned(), "Bip01".to_owned()];
        for name in ["mixamorig:LeftArm", "MixamoRig:left_arm", "Bip01 Left Arm", "left.arm", "LEFT-ARM"] {
            assert_eq!(loose_name(name, &prefixes), "leftarm", "{name}");
        }
        assert_eq!(loose_name("mixamorig1:Hips", &prefixes), "mixamorig1hips");
    }
}
