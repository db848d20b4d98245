//! The binary tree: top-down splits by surface area, judged on all sampled poses at once.
//!
//! A candidate sorts triangles by a coordinate of their centres in one sampled pose and cuts. Its cost is the surface
//! area heuristic summed over all poses: `sum_s (area_s(left) n_left + area_s(right) n_right) / area_s(node)`.
//!
//! Based on: I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007 (bins).

use std::ops::Range;

use glam::Vec3;

use super::samples::SAMPLES;
use crate::math::Aabb;

/// A node of the binary tree: a range of the sorted triangles, and children unless it is a leaf.
#[derive(Clone, Debug)]
pub(super) struct BinaryNode {
    pub triangles: Range<usize>,
    pub children: Option<[usize; 2]>,
}

/// Sorts the triangles and builds the tree; node 0 is the root, children come after their parent.
pub(super) fn binary_tree(
    poses: &[&[Vec3]],
    triangles: &[[u32; 3]],
    leaf_size: usize,
    mut progress: impl FnMut(usize),
) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut items: Vec<Item> = (0u32..).zip(triangles).map(|(id, t)| Item::new(id, poses, t)).collect();
    let mut nodes = vec![BinaryNode { triangles: 0..items.len(), children: None }];
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let range = nodes[index].triangles.clone();
        if range.len() <= leaf_size {
            progress(range.len());
            continue;
        }
        let middle = range.start + partition(&mut items[range.clone()], poses.len());
        let children = [nodes.len(), nodes.len() + 1];
        nodes.push(BinaryNode { triangles: range.start..middle, children: None });
        nodes.push(BinaryNode { triangles: middle..range.end, children: None });
        nodes[index].children = Some(children);
        open.extend(children);
    }
    (nodes, items.into_iter().map(|item| item.id).collect())
}

/// A triangle's boxes in all poses.
#[derive(Clone)]
struct Item {
    id: u32,
    boxes: [Aabb; SAMPLES],
}

impl Item {
    fn new(id: u32, poses: &[&[Vec3]], triangle: &[u32; 3]) -> Self {
        let mut boxes = [Aabb::EMPTY; SAMPLES];
        for (aabb, positions) in boxes.iter_mut().zip(poses) {
            *aabb = Aabb::from_points(triangle.map(|v| positions[v as usize]));
        }
        Self { id, boxes }
    }
}

const BINS: usize = 16;

/// What has fallen into a bin, or lies on one side of a cut.
#[derive(Clone)]
struct Pile {
    count: usize,
    boxes: [Aabb; SAMPLES],
}

impl Pile {
    const EMPTY: Self = Self { count: 0, boxes: [Aabb::EMPTY; SAMPLES] };

    fn add(&mut self, count: usize, boxes: &[Aabb; SAMPLES]) {
        self.count += count;
        for (own, other) in self.boxes.iter_mut().zip(boxes) {
            *own = own.union(other);
        }
    }

    fn cost(&self, poses: usize, scale: &[f32; SAMPLES]) -> f32 {
        let areas = self.boxes[..poses].iter().zip(scale).map(|(aabb, scale)| half_area(aabb) * scale);
        areas.sum::<f32>() * self.count as f32
    }
}

/// Reorders the items and returns where the right side starts: the best binned cut, or the middle where all centres
/// coincide.
fn partition(items: &mut [Item], poses: usize) -> usize {
    let mut whole = Pile::EMPTY;
    for item in items.iter() {
        whole.add(1, &item.boxes);
    }
    let scale = std::array::from_fn(|s| 1.0 / half_area(&whole.boxes[s]).max(f32::MIN_POSITIVE));
    let mut best: Option<(f32, Cut)> = None;
    for pose in 0..poses {
        for cut in Cut::candidates(items, pose) {
            if let Some((cost, bin)) = best_bin(items, &cut, poses, &scale)
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
            {
                best = Some((cost, Cut { bin, ..cut }));
            }
        }
    }
    let Some((_, cut)) = best else { return items.len() / 2 };
    items.sort_by_key(|item| cut.bin_of(item) >= cut.bin);
    items.partition_point(|item| cut.bin_of(item) < cut.bin)
}

/// A coordinate in one pose, divided into bins; the cut lies before a bin.
#[derive(Clone)]
struct Cut {
    pose: usize,
    axis: usize,
    start: f32,
    per_unit: f32,
    bin: usize,
}

impl Cut {
    fn candidates(items: &[Item], pose: usize) -> impl Iterator<Item = Self> {
        let centers = Aabb::from_points(items.iter().map(|item| item.boxes[pose].center()));
        (0..3).filter_map(move |axis| {
            let (start, end) = (centers.min[axis], centers.max[axis]);
            let per_unit = BINS as f32 / (end - start);
            (end > start && per_unit.is_finite()).then_some(Self { pose, axis, start, per_unit, bin: 0 })
        })
    }

    fn bin_of(&self, item: &Item) -> usize {
        let center = item.boxes[self.pose].center()[self.axis];
        (((center - self.start) * self.per_unit) as usize).min(BINS - 1)
    }
}

fn best_bin(items: &[Item], cut: &Cut, poses: usize, scale: &[f32; SAMPLES]) -> Option<(f32, usize)> {
    let mut bins = vec![Pile::EMPTY; BINS];
    for item in items {
        bins[cut.bin_of(item)].add(1, &item.boxes);
    }
    // Costs of everything from a bin on, from the right; then sweep from the left.
    let mut right_costs = [0.0; BINS];
    let mut right = Pile::EMPTY;
    for bin in (1..BINS).rev() {
        right.add(bins[bin].count, &bins[bin].boxes);
        right_costs[bin] = right.cost(poses, scale);
    }
    let mut left = Pile::EMPTY;
    let mut best = None;
    for bin in 1..BINS {
        left.add(bins[bin - 1].count, &bins[bin - 1].boxes);
        if left.count == 0 || left.count == items.len() {
            continue;
        }
        let cost = left.cost(poses, scale) + right_costs[bin];
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, bin));
        }
    }
    best
}

fn half_area(aabb: &Aabb) -> f32 {
    let d = (aabb.max - aabb.min).max(Vec3::ZERO);
    d.x * d.y + d.y * d.z + d.z * d.x
}
