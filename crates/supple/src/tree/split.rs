//! The binary tree: top-down splits by surface area, judged on all sampled poses at once.
//!
//! A candidate sorts triangles by a coordinate of their centers in one sampled pose and cuts. Its cost is the surface
//! area heuristic summed over all poses: `sum_s (area_s(left) n_left + area_s(right) n_right) / area_s(node)`.
//!
//! The number of poses is a constant, so that one pose, as for a tree that is built anew in every frame, costs what one pose costs.
//!
//! Based on: I. Wald, On fast Construction of SAH-based Bounding Volume Hierarchies, 2007 (bins).

use std::ops::Range;

use glam::{Vec3, Vec4};

/// A node of the binary tree: a range of the sorted triangles, and children unless it is a leaf.
#[derive(Clone, Debug)]
pub(super) struct BinaryNode {
    pub triangles: Range<usize>,
    pub children: Option<[usize; 2]>,
}

/// Along which axes cuts are tried.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Axes {
    /// All three, in every pose.
    All,
    /// The one along which centers are farthest apart, in every pose: as in the paper, for trees that are built in every frame.
    Longest,
}

/// Sorts the triangles and builds the tree; node 0 is the root, children come after their parent. There are at most `POSES`
/// poses.
pub(super) fn binary_tree<const POSES: usize>(
    poses: &[&[Vec3]],
    triangles: &[[u32; 3]],
    leaf_size: usize,
    axes: Axes,
    mut progress: impl FnMut(usize),
) -> (Vec<BinaryNode>, Vec<u32>) {
    let mut items: Vec<Item<POSES>> =
        (0u32..).zip(triangles).map(|(id, t)| Item::new(id, poses, t)).collect();
    let mut right = items.clone();
    let mut nodes = vec![BinaryNode { triangles: 0..items.len(), children: None }];
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        let range = nodes[index].triangles.clone();
        if range.len() <= leaf_size {
            progress(range.len());
            continue;
        }
        let middle = range.start + partition(&mut items[range.clone()], poses.len(), axes, &mut right);
        let children = [nodes.len(), nodes.len() + 1];
        nodes.push(BinaryNode { triangles: range.start..middle, children: None });
        nodes.push(BinaryNode { triangles: middle..range.end, children: None });
        nodes[index].children = Some(children);
        open.extend(children);
    }
    (nodes, items.into_iter().map(|item| item.id).collect())
}

/// A box whose corners are registers; the fourth numbers have no meaning.
#[derive(Clone, Copy)]
struct Extent {
    min: Vec4,
    max: Vec4,
}

impl Extent {
    const EMPTY: Self = Self { min: Vec4::INFINITY, max: Vec4::NEG_INFINITY };

    fn including(self, point: Vec4) -> Self {
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    fn union(self, other: &Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Halved first: the sum of two large coordinates may overflow.
    fn center(&self) -> Vec4 {
        self.min * 0.5 + self.max * 0.5
    }

    fn half_area(&self) -> f32 {
        let d = (self.max - self.min).max(Vec4::ZERO);
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}

/// A triangle's boxes in all poses.
#[derive(Clone, Copy)]
struct Item<const POSES: usize> {
    boxes: [Extent; POSES],
    id: u32,
}

impl<const POSES: usize> Item<POSES> {
    fn new(id: u32, poses: &[&[Vec3]], triangle: &[u32; 3]) -> Self {
        let mut boxes = [Extent::EMPTY; POSES];
        for (extent, positions) in boxes.iter_mut().zip(poses) {
            for &vertex in triangle {
                *extent = extent.including(positions[vertex as usize].extend(0.0));
            }
        }
        Self { id, boxes }
    }
}

const BINS: usize = 16;

/// What has fallen into a bin, or lies on one side of a cut.
#[derive(Clone, Copy)]
struct Pile<const POSES: usize> {
    boxes: [Extent; POSES],
    count: usize,
}

impl<const POSES: usize> Pile<POSES> {
    const EMPTY: Self = Self { count: 0, boxes: [Extent::EMPTY; POSES] };

    fn add(&mut self, count: usize, boxes: &[Extent; POSES]) {
        self.count += count;
        for (own, other) in self.boxes.iter_mut().zip(boxes) {
            *own = own.union(other);
        }
    }

    fn cost(&self, poses: usize, scale: &[f32; POSES]) -> f32 {
        let areas = self.boxes[..poses].iter().zip(scale).map(|(extent, scale)| extent.half_area() * scale);
        areas.sum::<f32>() * self.count as f32
    }
}

/// Reorders the items and returns where the right side starts: the best binned cut, or the middle where all centers
/// coincide. Both sides keep their order. `right` is memory for one of them, as long as all items.
fn partition<const POSES: usize>(
    items: &mut [Item<POSES>],
    poses: usize,
    axes: Axes,
    right: &mut [Item<POSES>],
) -> usize {
    let mut whole = Pile::EMPTY;
    let mut centers = [Extent::EMPTY; POSES];
    for item in items.iter() {
        whole.add(1, &item.boxes);
        for (centers, extent) in centers.iter_mut().zip(&item.boxes[..poses]) {
            *centers = centers.including(extent.center());
        }
    }
    let scale = std::array::from_fn(|s| 1.0 / whole.boxes[s].half_area().max(f32::MIN_POSITIVE));
    let mut best: Option<(f32, Cut)> = None;
    for (pose, centers) in centers[..poses].iter().enumerate() {
        let longest = (centers.max - centers.min).truncate().max_position();
        let axes = match axes {
            Axes::All => 0..3,
            Axes::Longest => longest..longest + 1,
        };
        for axis in axes {
            let Some(bins) = Bins::new(pose, axis, centers) else { continue };
            if let Some((cost, bin)) = best_bin(&bins.filled(items), items.len(), poses, &scale)
                && best.as_ref().is_none_or(|(least, _)| cost < *least)
            {
                best = Some((cost, Cut { bins, bin }));
            }
        }
    }
    let Some((_, cut)) = best else { return items.len() / 2 };
    // Written to both sides: which one is right cannot be predicted.
    let (mut left, mut others) = (0, 0);
    for item in 0..items.len() {
        let is_left = usize::from(cut.bins.of(&items[item]) < cut.bin);
        right[others] = items[item];
        items[left] = items[item];
        left += is_left;
        others += 1 - is_left;
    }
    items[left..].copy_from_slice(&right[..others]);
    left
}

/// A coordinate of centers in one pose, divided into bins.
#[derive(Clone, Copy)]
struct Bins {
    pose: usize,
    axis: usize,
    start: f32,
    per_unit: f32,
}

/// The cut lies before a bin.
struct Cut {
    bins: Bins,
    bin: usize,
}

impl Bins {
    /// None where all centers coincide, or nearly.
    fn new(pose: usize, axis: usize, centers: &Extent) -> Option<Self> {
        let (start, end) = (centers.min[axis], centers.max[axis]);
        let per_unit = BINS as f32 / (end - start);
        (end > start && per_unit.is_finite()).then_some(Self { pose, axis, start, per_unit })
    }

    /// The bin of an item.
    #[inline(always)]
    fn of<const POSES: usize>(&self, item: &Item<POSES>) -> usize {
        let Extent { min, max } = &item.boxes[self.pose];
        let center = min[self.axis] * 0.5 + max[self.axis] * 0.5;
        (((center - self.start) * self.per_unit) as u32 as usize).min(BINS - 1)
    }

    fn filled<const POSES: usize>(&self, items: &[Item<POSES>]) -> [Pile<POSES>; BINS] {
        let mut piles = [Pile::EMPTY; BINS];
        for item in items {
            piles[self.of(item)].add(1, &item.boxes);
        }
        piles
    }
}

fn best_bin<const POSES: usize>(
    bins: &[Pile<POSES>; BINS],
    count: usize,
    poses: usize,
    scale: &[f32; POSES],
) -> Option<(f32, usize)> {
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
        if left.count == 0 || left.count == count {
            continue;
        }
        let cost = left.cost(poses, scale) + right_costs[bin];
        if best.is_none_or(|(least, _)| cost < least) {
            best = Some((cost, bin));
        }
    }
    best
}
