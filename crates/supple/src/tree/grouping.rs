//! Making groups: the vertices below a node are divided by joint-set, with all that bounds need of them.
//!
//! A group's bound takes weights and positions independently, so a group whose weights vary widely along a limb is
//! bounded loosely. Where that makes a node's box larger than it need be in the sampled poses, the group that sticks out
//! is divided, until the box is tight or dividing does not pay.
//!
//! Where joints blend linearly, vertices of different joint-sets may share a group, and vertices are also inside the hull
//! of boxes that follow one joint each, as if it had all the weight: near the root, with its dozens of joint-sets but few
//! joints, that is the better bargain. So every node has linear groups of its own, chosen by cost.
//!
//! Nodes do not depend on each other: threads share them, and what they make is put together in the order of the nodes.
//!
//! A twig and what is below it have neither: to pose their few dozen vertices costs less than to bound them, and is exact.

use std::ops::Range;

use super::change::Changes;
use super::draft::Draft;
use super::groups::{Groups, NodeGroups};
use super::judge::Judge;
use super::layout::Tree;
use super::members::Members;
use super::outline::Straight;
use super::samples::{Sample, sampled_poses};
use super::threads;
use crate::model::Model;

/// The groups of all nodes above twigs of a tree whose nodes and triangles are laid out.
pub(super) fn groups(
    tree: &Tree,
    model: &Model,
    samples: &[Sample],
    mut progress: impl FnMut(f32),
) -> Groups {
    let triangles = |node: &u32| tree.triangles_below(*node as usize);
    let parts = threads::equal_parts(&tree.above_twigs, |node| triangles(node).len());
    let (mut all, mut made) = (Groups::default(), 0);
    for at_once in parts.chunks(threads::AT_ONCE) {
        let made_at_once = threads::map(at_once.to_vec(), |nodes| {
            let (mut part, mut maker) = (Groups::default(), Maker::new(model, samples));
            nodes.iter().for_each(|node| maker.add(&mut part, &tree.triangles[triangles(node)]));
            part
        });
        made += made_at_once.len();
        made_at_once.into_iter().for_each(|part| all.append(part));
        progress(made as f32 / parts.len() as f32);
    }
    all
}

/// Groups for each of some sets of triangles, which need not be related: bounds of sets, not of a tree. `None` where the rest pose cannot
/// be evaluated.
pub(super) fn groups_of_sets(model: &Model, sets: &[&[u32]]) -> Option<Groups> {
    let samples = sampled_poses(model);
    if samples.is_empty() {
        return None;
    }
    let (mut groups, mut maker) = (Groups::default(), Maker::new(model, &samples));
    sets.iter().for_each(|triangles| maker.add(&mut groups, triangles));
    Some(groups)
}

/// Makes groups node by node, reusing its memory.
struct Maker<'a> {
    members: Members<'a>,
    changes: Changes,
}

impl<'a> Maker<'a> {
    fn new(model: &'a Model, samples: &'a [Sample]) -> Self {
        Self { members: Members::new(model, samples), changes: Changes::new(model) }
    }

    /// Appends the groups of one node with the given triangles; none for no triangles.
    fn add(&mut self, groups: &mut Groups, triangles: &[u32]) {
        let firsts = |groups: &Groups| {
            [groups.all.len(), groups.linear.len(), groups.changes.len()].map(|count| count as u32)
        };
        let starts = firsts(groups);
        if !triangles.is_empty() {
            self.members.collect(triangles);
            let members = &self.members;
            self.changes.push(groups, members.model, &members.vertices);
            let judge = Judge::new(members);
            let of_set =
                |(set, own): &(usize, Range<u32>)| Draft::of_set(members, *set, own.clone().collect());
            let by_set: Vec<Draft> = members.sets.iter().map(of_set).collect();
            let straight: Vec<Straight> = by_set.iter().map(|draft| draft.outline.straight).collect();
            let by_set = judge.divided(by_set);
            by_set.iter().for_each(|draft| draft.push_group(groups, members));
            let cheapest = judge.cheapest(by_set, &straight);
            cheapest.iter().for_each(|draft| draft.push_linear_group(groups, members));
        }
        let ends = firsts(groups);
        groups.nodes.push(NodeGroups {
            all: starts[0]..ends[0],
            linear: starts[1]..ends[1],
            changes: starts[2]..ends[2],
        });
    }
}
