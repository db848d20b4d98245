//! Groups of a node: the vertices below it, divided by joint-set, with all that bounds need of them.
//!
//! A group's bound takes weights and positions independently, so a group whose weights vary widely along a limb is
//! bounded loosely. Where that makes a node's box larger than it need be in the sampled poses, the group that sticks out
//! is divided, until the box is tight or dividing does not pay.
//!
//! Nodes near the root have dozens of joint-sets but few joints. Linearly blended vertices are also inside the hull of
//! boxes that follow one joint each, as if it had all the weight: looser, but far fewer. Where that is the better bargain, a
//! node has joint terms as well.
//!
//! A leaf has neither: to pose its dozen vertices costs hardly more than to bound them, and is exact.

use std::collections::BTreeMap;

use glam::Vec3;

use super::draft::Draft;
use super::layout::Tree;
use super::samples::{SAMPLES, Sample};
use crate::math::Aabb;
use crate::model::Model;

/// Groups of an inner node are divided while its box is larger than the vertices' by more than this, on average.
const TARGET: f32 = 1.06;
/// Divisions per node.
const MAX_DIVISIONS: usize = 12;
/// What a box that is larger than need be costs, in images of boxes under joints per whole size.
const IMAGES_PER_SIZE: f32 = 240.0;
/// Appends groups and joint terms of all nodes to a tree whose nodes and triangles are laid out.
pub(super) fn add_groups(tree: &mut Tree, model: &Model, samples: &[Sample], mut progress: impl FnMut(f32)) {
    let mut collector = Collector::new(model);
    let count = tree.nodes.len();
    for node in 0..count {
        let (first_group, first_joint_term) = (tree.groups.len() as u32, tree.joint_terms.len() as u32);
        if !tree.nodes[node].is_leaf() {
            let triangles = tree.triangles[tree.triangles_below(node)].iter();
            let corners = triangles.flat_map(|&t| model.mesh().triangles()[t as usize]);
            let (by_joint, by_set) = drafts(model, samples, collector.collect(model, corners));
            by_joint.into_iter().chain(by_set).for_each(|draft| draft.push_to(tree, model));
        }
        tree.nodes[node].set_groups(first_group..tree.groups.len() as u32);
        tree.nodes[node].set_joint_terms(first_joint_term..tree.joint_terms.len() as u32);
        if node % 256 == 0 {
            progress(node as f32 / count as f32);
        }
    }
}

/// Joint terms, if they pay, and groups.
fn drafts(model: &Model, samples: &[Sample], sets: Vec<(usize, Vec<u32>)>) -> (Vec<Draft>, Vec<Draft>) {
    let exact = exact_boxes(samples, sets.iter().flat_map(|(_, vertices)| vertices));
    let by_joint = joint_drafts(model, samples, &sets);
    let by_set = divided_groups(model, samples, sets, &exact);
    let cost = |drafts: &[Draft]| {
        let images = drafts.iter().map(Draft::cost).sum::<usize>() as f32;
        images + IMAGES_PER_SIZE * looseness(drafts, &exact, samples.len(), &[]).0
    };
    let pays = cost(&by_joint) < cost(&by_set);
    (if pays { by_joint } else { Vec::new() }, by_set)
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
            let set = model.skin().set_of_vertex(vertex as usize);
            if self.by_set[set].is_empty() {
                sets.push(set);
            }
            self.by_set[set].push(vertex);
        }
        sets.sort_unstable();
        sets.into_iter().map(|set| (set, std::mem::take(&mut self.by_set[set]))).collect()
    }
}

/// One group per joint-set, then divisions of those that make the node's box too large.
fn divided_groups(
    model: &Model,
    samples: &[Sample],
    sets: Vec<(usize, Vec<u32>)>,
    exact: &[Aabb; SAMPLES],
) -> Vec<Draft> {
    let mut drafts: Vec<Draft> =
        sets.into_iter().map(|(set, vertices)| Draft::of_set(model, samples, set, vertices)).collect();
    let mut indivisible = Vec::new();
    for _ in 0..MAX_DIVISIONS {
        let (ratio, culprit) = looseness(&drafts, exact, samples.len(), &indivisible);
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
