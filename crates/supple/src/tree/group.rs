//! Groups of a node: the vertices below it, divided by joint-set, with all that bounds need of them.
//!
//! A group's bound takes weights and positions independently, so a group whose weights vary widely along a limb is
//! bounded loosely. Where that makes a node's box larger than it need be in the sampled poses, the group that sticks out
//! is divided, until the box is tight or dividing does not pay.
//!
//! Where joints blend linearly, vertices of different joint-sets may share a group, and vertices are also inside the hull
//! of boxes that follow one joint each, as if it had all the weight: near the root, with its dozens of joint-sets but few
//! joints, that is the better bargain. So every node has linear groups of its own, chosen by cost.
//!
//! A leaf has neither: to pose its dozen vertices costs hardly more than to bound them, and is exact.

use std::collections::BTreeMap;

use glam::Vec3;

use super::change::Changes;
use super::draft::Draft;
use super::layout::{Node, Tree};
use super::samples::{SAMPLES, Sample, sampled_poses};
use crate::math::Aabb;
use crate::model::Model;

/// Groups of an inner node are divided while its box is larger than the vertices' by more than this, on average.
const TARGET: f32 = 1.06;
/// Divisions per node.
const MAX_DIVISIONS: usize = 12;
/// What a box that is larger than need be costs, in images of boxes under joints per whole size. From 60 to 500 times hardly
/// change; higher values visit fewer nodes.
const IMAGES_PER_SIZE: f32 = 320.0;
/// Nodes of more groups than this are too high up for uniting them to pay, and trying all pairs would take long.
const MOST_UNITED: usize = 12;

/// Appends the groups of all nodes to a tree whose nodes and triangles are laid out.
pub(super) fn add_groups(tree: &mut Tree, model: &Model, samples: &[Sample], mut progress: impl FnMut(f32)) {
    let mut maker = Maker::new(model, samples);
    let count = tree.nodes.len();
    for node in 0..count {
        let triangles = match tree.nodes[node].is_leaf() {
            true => Vec::new(),
            false => tree.triangles[tree.triangles_below(node)].to_vec(),
        };
        maker.add(tree, node, &triangles);
        if node % 256 == 0 {
            progress(node as f32 / count as f32);
        }
    }
}

/// A node with groups for each of some sets of triangles, which need not be related: bounds of sets, not of a tree. `None` where
/// the rest pose cannot be evaluated.
pub(super) fn sets_with_groups(model: &Model, sets: &[&[u32]]) -> Option<Tree> {
    let samples = sampled_poses(model);
    if samples.is_empty() {
        return None;
    }
    let mut tree = Tree { nodes: vec![Node::inner(0..0); sets.len()], ..Tree::default() };
    let mut maker = Maker::new(model, &samples);
    for (node, triangles) in sets.iter().enumerate() {
        maker.add(&mut tree, node, triangles);
    }
    Some(tree)
}

/// Makes groups node by node, reusing its memory.
struct Maker<'a> {
    model: &'a Model,
    samples: &'a [Sample],
    collector: Collector,
    changes: Changes,
}

impl<'a> Maker<'a> {
    fn new(model: &'a Model, samples: &'a [Sample]) -> Self {
        Self { model, samples, collector: Collector::new(model), changes: Changes::new(model) }
    }

    /// Appends the groups of one node with the given triangles; none for no triangles.
    fn add(&mut self, tree: &mut Tree, node: usize, triangles: &[u32]) {
        let (model, samples) = (self.model, self.samples);
        let (first_group, first_linear) = (tree.groups.len() as u32, tree.linear_groups.len() as u32);
        if !triangles.is_empty() {
            let corners = triangles.iter().flat_map(|&t| model.mesh().triangles()[t as usize]);
            let sets = self.collector.collect(model, corners);
            let vertices: Vec<u32> = sets.iter().flat_map(|(_, vertices)| vertices).copied().collect();
            let moved = self.changes.push(tree, model, &vertices);
            tree.nodes[node].set_changes(moved);
            let judge = Judge { exact: exact_boxes(samples, vertices.iter()), samples, model };
            let by_joint = joint_drafts(model, samples, &sets);
            let by_set = judge.divided(sets);
            by_set.iter().for_each(|draft| draft.push_group(tree, model));
            judge.cheapest(by_joint, by_set).iter().for_each(|draft| draft.push_linear_group(tree, model));
        }
        tree.nodes[node].set_groups(first_group..tree.groups.len() as u32);
        tree.nodes[node].set_linear_groups(first_linear..tree.linear_groups.len() as u32);
    }
}

/// One draft per joint: a linearly blended vertex is inside the hull of its images under its joints.
fn joint_drafts(model: &Model, samples: &[Sample], sets: &[(usize, Vec<u32>)]) -> Vec<Draft> {
    let mut by_joint: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for (set, vertices) in sets {
        for &joint in model.skin().joint_set(*set) {
            by_joint.entry(joint).or_default().extend(vertices);
        }
    }
    by_joint.into_iter().map(|(joint, vertices)| Draft::of_joint(model, samples, joint, vertices)).collect()
}

/// Collects different vertices by joint-set, reusing its memory.
struct Collector {
    seen: Vec<u32>,
    round: u32,
    by_set: Vec<Vec<u32>>,
}

impl Collector {
    fn new(model: &Model) -> Self {
        let vertices = model.mesh().positions().len();
        Self { seen: vec![0; vertices], round: 0, by_set: vec![Vec::new(); model.skin().joint_set_count()] }
    }

    /// Sets in ascending order, each with its vertices.
    fn collect(&mut self, model: &Model, corners: impl Iterator<Item = u32>) -> Vec<(usize, Vec<u32>)> {
        self.round += 1;
        let mut sets = Vec::new();
        for vertex in corners {
            if std::mem::replace(&mut self.seen[vertex as usize], self.round) == self.round {
                continue;
            }
            let set = model.skin().set_of_vertex(vertex);
            if self.by_set[set].is_empty() {
                sets.push(set);
            }
            self.by_set[set].push(vertex);
        }
        sets.sort_unstable();
        sets.into_iter().map(|set| (set, std::mem::take(&mut self.by_set[set]))).collect()
    }
}

/// Compares ways to bound one node.
struct Judge<'a> {
    exact: [Aabb; SAMPLES],
    samples: &'a [Sample],
    model: &'a Model,
}

impl Judge<'_> {
    /// One group per joint-set, then divisions of those that make the node's box too large.
    fn divided(&self, sets: Vec<(usize, Vec<u32>)>) -> Vec<Draft> {
        let (model, samples) = (self.model, self.samples);
        let mut drafts: Vec<Draft> =
            sets.into_iter().map(|(set, vertices)| Draft::of_set(model, samples, set, vertices)).collect();
        let mut indivisible = Vec::new();
        for _ in 0..MAX_DIVISIONS {
            let (ratio, culprit) = looseness(&drafts, &self.exact, samples.len(), &indivisible);
            let Some(culprit) = culprit.filter(|_| ratio > TARGET) else { break };
            match drafts[culprit].divided(model, samples) {
                Some([left, right]) => {
                    drafts[culprit] = left;
                    drafts.push(right);
                }
                None => indivisible.push(culprit),
            }
        }
        drafts
    }

    /// Groups as they are, or united as long as that pays; or one draft per joint.
    fn cheapest(&self, by_joint: Vec<Draft>, mut by_set: Vec<Draft>) -> Vec<Draft> {
        let mut cost = self.cost(by_set.iter());
        while by_set.len() > 1 && by_set.len() <= MOST_UNITED {
            let mut best = None;
            for j in 1..by_set.len() {
                for i in 0..j {
                    let united = by_set[i].united(&by_set[j], self.model, self.samples);
                    let rest = (0..by_set.len()).filter(|&k| k != i && k != j).map(|k| &by_set[k]);
                    let united_cost = self.cost(rest.chain([&united]));
                    if united_cost < cost {
                        cost = united_cost;
                        best = Some((i, j, united));
                    }
                }
            }
            let Some((i, j, united)) = best else { break };
            by_set.swap_remove(j);
            by_set[i] = united;
        }
        if self.cost(by_joint.iter()) < cost { by_joint } else { by_set }
    }

    /// What bounds cost: images of boxes under joints, and what a loose box leads to.
    fn cost<'d>(&self, drafts: impl Iterator<Item = &'d Draft>) -> f32 {
        let (mut images, mut whole) = (0, [Aabb::EMPTY; SAMPLES]);
        for draft in drafts {
            images += draft.joints.len();
            for (whole, aabb) in whole.iter_mut().zip(&draft.boxes) {
                *whole = whole.union(aabb);
            }
        }
        let ratios = whole[..self.samples.len()].iter().zip(&self.exact).map(|(whole, exact)| {
            (whole.max - whole.min).element_sum()
                / (exact.max - exact.min).element_sum().max(f32::MIN_POSITIVE)
        });
        images as f32 + IMAGES_PER_SIZE * ratios.sum::<f32>() / self.samples.len() as f32
    }
}

fn exact_boxes<'v>(samples: &[Sample], vertices: impl Iterator<Item = &'v u32> + Clone) -> [Aabb; SAMPLES] {
    let mut boxes = [Aabb::EMPTY; SAMPLES];
    for (aabb, sample) in boxes.iter_mut().zip(samples) {
        *aabb = Aabb::from_points(vertices.clone().map(|&v| sample.positions[v as usize]));
    }
    boxes
}

/// Mean ratio of the node's extents to the exact ones, and the group that is to blame for most of the difference.
fn looseness(
    drafts: &[Draft],
    exact: &[Aabb; SAMPLES],
    samples: usize,
    excused: &[usize],
) -> (f32, Option<usize>) {
    let mut ratio = 0.0;
    let mut blame = vec![0.0; drafts.len()];
    for s in 0..samples {
        let whole = drafts.iter().fold(Aabb::EMPTY, |all, draft| all.union(&draft.boxes[s]));
        let extent = (exact[s].max - exact[s].min).element_sum().max(f32::MIN_POSITIVE);
        ratio += (whole.max - whole.min).element_sum() / extent / samples as f32;
        for (draft, blame) in drafts.iter().zip(&mut blame) {
            // How far the group itself sticks out of the exact box, on all six sides.
            let out = (draft.boxes[s].max - exact[s].max).max(Vec3::ZERO)
                + (exact[s].min - draft.boxes[s].min).max(Vec3::ZERO);
            *blame += out.element_sum() / extent;
        }
    }
    let candidates = (0..drafts.len()).filter(|i| !excused.contains(i) && blame[*i] > 0.0);
    (ratio, candidates.max_by(|&a, &b| blame[a].total_cmp(&blame[b])))
}
