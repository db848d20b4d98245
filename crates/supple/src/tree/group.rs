//! Groups of a node: the vertices below it, divided by joint-set, with all that bounds need of them.
//!
//! A group's bound takes weights and positions independently, so a group whose weights vary widely along a limb is
//! bounded loosely. Where that makes a node's box larger than it need be in the sampled poses, the group that sticks out
//! is divided, until the box is tight or dividing does not pay.

use glam::Vec3;

use super::draft::Draft;
use super::layout::Tree;
use super::samples::{SAMPLES, Sample};
use crate::math::Aabb;
use crate::model::Model;

/// Groups of an inner node are divided while its box is larger than the vertices' by more than this, on average.
const INNER_TARGET: f32 = 1.06;
/// Leaves are many and small: a looser box costs less than another group (1.08 here saves 2 % of the visits, and balls of
/// many small groups are looser than one).
const LEAF_TARGET: f32 = 1.12;
/// Divisions per node.
const MAX_DIVISIONS: usize = 12;

/// Appends the groups of all nodes to a tree whose nodes and triangles are laid out.
pub(super) fn add_groups(tree: &mut Tree, model: &Model, samples: &[Sample], mut progress: impl FnMut(f32)) {
    let mut collector = Collector::new(model);
    let count = tree.nodes.len();
    for node in 0..count {
        let first = tree.groups.len() as u32;
        let triangles = tree.triangles_below(node);
        let sets = collector.collect(model, &tree.corners[triangles]);
        let target = if tree.nodes[node].is_leaf() { LEAF_TARGET } else { INNER_TARGET };
        for draft in divided_groups(model, samples, sets, target) {
            draft.push_to(tree, model);
        }
        let groups = first..tree.groups.len() as u32;
        tree.nodes[node].set_groups(groups);
        if node % 256 == 0 {
            progress(node as f32 / count as f32);
        }
    }
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
    fn collect(&mut self, model: &Model, corners: &[[u32; 3]]) -> Vec<(usize, Vec<u32>)> {
        self.round += 1;
        let mut sets = Vec::new();
        for &vertex in corners.iter().flatten() {
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
    target: f32,
) -> Vec<Draft> {
    let exact = exact_boxes(samples, sets.iter().flat_map(|(_, vertices)| vertices));
    let mut drafts: Vec<Draft> =
        sets.into_iter().map(|(set, vertices)| Draft::new(model, samples, set, vertices)).collect();
    let mut indivisible = Vec::new();
    for _ in 0..MAX_DIVISIONS {
        let (ratio, culprit) = looseness(&drafts, &exact, samples.len(), &indivisible);
        let Some(culprit) = culprit.filter(|_| ratio > target) else { break };
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
