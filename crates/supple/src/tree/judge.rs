//! Ways to bound one node, compared by what they cost: which groups are divided, which are united, and whether joints alone are better.
//!
//! Costs grow with boxes and with their number, also rounded. So what costs too much before it is complete is left out.

use std::collections::BTreeMap;

use glam::Vec3;

use super::draft::Draft;
use super::members::Members;
use super::outline::{Outline, Straight};
use super::samples::SAMPLES;
use crate::math::Aabb;

/// Groups of an inner node are divided while its box is larger than the vertices' by more than this, on average.
const TARGET: f32 = 1.06;
/// Divisions per node.
const MAX_DIVISIONS: usize = 12;
/// What a box that is larger than need be costs, in images of boxes under joints per whole size. From 60 to 500 times hardly
/// change; higher values visit fewer nodes.
const IMAGES_PER_SIZE: f32 = 320.0;
/// Nodes of more groups than this are too high up for uniting them to pay, and trying all pairs would take long.
const MOST_UNITED: usize = 12;

/// Compares ways to bound one node.
pub(super) struct Judge<'a> {
    /// The least boxes in the sampled poses.
    exact: [Aabb; SAMPLES],
    members: &'a Members<'a>,
}

impl<'a> Judge<'a> {
    pub fn new(members: &'a Members<'a>) -> Self {
        Self { exact: members.exact_boxes(), members }
    }

    /// Divides those of some drafts that make the node's box too large.
    pub fn divided(&self, mut drafts: Vec<Draft>) -> Vec<Draft> {
        let mut indivisible = Vec::new();
        for _ in 0..MAX_DIVISIONS {
            let (ratio, culprit) = looseness(&drafts, &self.exact, self.members.samples.len(), &indivisible);
            let Some(culprit) = culprit.filter(|_| ratio > TARGET) else { break };
            match drafts[culprit].divided(self.members) {
                Some([left, right]) => {
                    drafts[culprit] = left;
                    drafts.push(right);
                }
                None => indivisible.push(culprit),
            }
        }
        drafts
    }

    /// Groups as they are, or united as long as that pays; or one draft per joint. `straight` is of the node's joint-sets.
    pub fn cheapest(&self, mut by_set: Vec<Draft>, straight: &[Straight]) -> Vec<Draft> {
        let mut cost = self.cost(&Sum::of(by_set.iter().map(|draft| &draft.outline)));
        // Drafts keep their numbers while others are united, and so do outlines of pairs.
        let mut numbers: Vec<usize> = (0..by_set.len()).collect();
        let mut tried: BTreeMap<[usize; 2], Outline> = BTreeMap::new();
        let mut next = by_set.len();
        while by_set.len() > 1 && by_set.len() <= MOST_UNITED {
            let mut best = None;
            for j in 1..by_set.len() {
                for i in 0..j {
                    let others = (0..by_set.len()).filter(|&k| k != i && k != j);
                    let others = Sum::of(others.map(|k| &by_set[k].outline));
                    let joints = by_set[i].outline.united_joints(&by_set[j].outline);
                    if self.cost(&Sum { images: others.images + joints.count(), ..others }) >= cost {
                        continue;
                    }
                    let united = tried
                        .entry([numbers[i], numbers[j]])
                        .or_insert_with(|| by_set[i].united_outline(&by_set[j], self.members));
                    let united_cost = self.cost(&others.with(united));
                    if united_cost < cost {
                        cost = united_cost;
                        best = Some((i, j));
                    }
                }
            }
            let Some((i, j)) = best else { break };
            let Some(outline) = tried.remove(&[numbers[i], numbers[j]]) else { break };
            let other = by_set.swap_remove(j);
            by_set[i].unite(&other, outline);
            numbers.swap_remove(j);
            (numbers[i], next) = (next, next + 1);
        }
        self.joint_drafts(cost, straight).unwrap_or(by_set)
    }

    /// One draft per joint: a linearly blended vertex is inside the hull of its images under its joints. `None` where that does not cost
    /// less.
    fn joint_drafts(&self, cost: f32, straight: &[Straight]) -> Option<Vec<Draft>> {
        let (sets, skin) = (&self.members.sets, self.members.model.skin());
        let mut joints: Vec<u32> = sets.iter().flat_map(|(set, _)| skin.joint_set(*set)).copied().collect();
        joints.sort_unstable();
        joints.dedup();
        let mut sum = Sum { images: joints.len(), whole: [Aabb::EMPTY; SAMPLES] };
        let mut drafts = Vec::with_capacity(joints.len());
        for joint in joints {
            let parts = sets.iter().zip(straight);
            let moved = parts.filter(|((set, _), _)| skin.joint_set(*set).contains(&joint));
            let draft =
                Draft::of_joint(self.members, joint, moved.map(|((_, own), straight)| (own, straight)));
            sum.whole = sum.with(&draft.outline).whole;
            if self.cost(&sum) >= cost {
                return None;
            }
            drafts.push(draft);
        }
        Some(drafts)
    }

    /// What bounds cost: images of boxes under joints, and what a loose box leads to.
    fn cost(&self, sum: &Sum) -> f32 {
        let samples = self.members.samples.len();
        let ratios = sum.whole[..samples].iter().zip(&self.exact).map(|(whole, exact)| {
            (whole.max - whole.min).element_sum()
                / (exact.max - exact.min).element_sum().max(f32::MIN_POSITIVE)
        });
        sum.images as f32 + IMAGES_PER_SIZE * ratios.sum::<f32>() / samples as f32
    }
}

/// Some outlines together.
#[derive(Clone, Copy)]
struct Sum {
    /// Images of boxes under joints.
    images: usize,
    /// Around all of them in the sampled poses.
    whole: [Aabb; SAMPLES],
}

impl Sum {
    fn of<'o>(outlines: impl Iterator<Item = &'o Outline>) -> Self {
        outlines.fold(Self { images: 0, whole: [Aabb::EMPTY; SAMPLES] }, |sum, outline| sum.with(outline))
    }

    fn with(mut self, outline: &Outline) -> Self {
        self.images += outline.joints.len();
        for (whole, aabb) in self.whole.iter_mut().zip(&outline.boxes) {
            *whole = whole.union(aabb);
        }
        self
    }
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
        let whole = drafts.iter().fold(Aabb::EMPTY, |all, draft| all.union(&draft.outline.boxes[s]));
        let extent = (exact[s].max - exact[s].min).element_sum().max(f32::MIN_POSITIVE);
        ratio += (whole.max - whole.min).element_sum() / extent / samples as f32;
        for (draft, blame) in drafts.iter().zip(&mut blame) {
            // How far the group itself sticks out of the exact box, on all six sides.
            let out = (draft.outline.boxes[s].max - exact[s].max).max(Vec3::ZERO)
                + (exact[s].min - draft.outline.boxes[s].min).max(Vec3::ZERO);
            *blame += out.element_sum() / extent;
        }
    }
    let candidates = (0..drafts.len()).filter(|i| !excused.contains(i) && blame[*i] > 0.0);
    (ratio, candidates.max_by(|&a, &b| blame[a].total_cmp(&blame[b])))
}
