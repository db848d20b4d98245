//! The binary tree: top-down splits by surface area, judged on all sampled poses at once (`bins.rs`).
//!
//! The number of poses is a constant, so that one pose, as for a tree that is built anew in every frame, costs what one pose costs.
//! Must hold: the tree does not depend on how many threads build it. Large nodes are split level by level, the triangles of
//! each in parts; what is below a small one is built in one go.

use std::ops::Range;

use glam::Vec3;

use super::bins::{Axes, Cut, CutOptions, Item, Piles, best_cut};
use super::extents::Extents;
use super::threads;

/// A node of the binary tree: a range of the sorted triangles, and children unless it is a leaf.
#[derive(Clone, Debug)]
pub(super) struct BinaryNode {
    pub triangles: Range<usize>,
    pub children: Option<[usize; 2]>,
}

/// What is below a node of at most so many triangles is built in one go.
const SMALL: usize = 4096;

/// As many triangles are moved by one thread.
const PART: usize = 16384;

/// Sorts the triangles and builds the tree; node 0 is the root, children come after their parent. `ROWS` says for how many poses there is
/// room (`extents.rs`). Progress is the share of the work that is done.
pub(super) fn binary_tree<const ROWS: usize>(
    poses: &[&[Vec3]],
    triangles: &[[u32; 3]],
    leaf_size: usize,
    axes: Axes,
    mut progress: impl FnMut(f32),
) -> (Vec<BinaryNode>, Vec<u32>) {
    let options = CutOptions { poses: poses.len(), leaf_size, axes };
    let parts = (0u32..).step_by(PART).zip(triangles.chunks(PART)).collect();
    let items_of = |(first, part): (u32, &[[u32; 3]])| -> Vec<Item<ROWS>> {
        let item = |(id, triangle)| Item { extents: Extents::new(poses, triangle), id };
        (first..).zip(part).map(item).collect()
    };
    let mut items = threads::map(parts, items_of).concat();
    let (mut spare, mut order) = (items.clone(), vec![0; items.len()]);
    let mut nodes = vec![BinaryNode { triangles: 0..items.len(), children: None }];
    let mut open =
        vec![Branch { node: 0, first: 0, items: &mut items, spare: &mut spare, order: &mut order }];
    // A level is a pass over all triangles.
    let levels = |count: usize| count.div_ceil(leaf_size).max(2).ilog2() as f32;
    let (mut done, all) = (0.0, triangles.len() as f32 * levels(triangles.len()));
    while !open.is_empty() {
        let grown = threads::map(open, |branch| branch.grown(&options));
        open = Vec::new();
        for grown in grown {
            match grown {
                Grown::Halves(node, halves) => {
                    done += nodes[node].triangles.len() as f32;
                    open.extend(halves.map(|half| half.below(node, &mut nodes)));
                }
                Grown::Subtree(node, mut subtree) => {
                    let count = nodes[node].triangles.len();
                    done += count as f32 * levels(count);
                    // Its root has a number already.
                    let before = nodes.len() - 1;
                    let numbered = |children: [usize; 2]| children.map(|child| before + child);
                    subtree.iter_mut().for_each(|node| node.children = node.children.map(numbered));
                    nodes[node].children = subtree[0].children;
                    nodes.extend(subtree.drain(1..));
                }
            }
        }
        progress((done / all).min(1.0));
    }
    (nodes, order)
}

/// A node whose triangles are known, but not what is below it.
struct Branch<'a, const ROWS: usize> {
    node: usize,
    /// Number of triangles before its own.
    first: usize,
    items: &'a mut [Item<ROWS>],
    /// As long as the items.
    spare: &'a mut [Item<ROWS>],
    /// Where the order of its triangles is written.
    order: &'a mut [u32],
}

/// What has become of a branch; nodes are given by their numbers.
enum Grown<'a, const ROWS: usize> {
    Halves(usize, [Branch<'a, ROWS>; 2]),
    Subtree(usize, Vec<BinaryNode>),
}

impl<'a, const ROWS: usize> Branch<'a, ROWS> {
    fn grown(self, options: &CutOptions) -> Grown<'a, ROWS> {
        let mut piles = Box::new(Piles::EMPTY);
        if self.items.len() > SMALL {
            return Grown::Halves(self.node, self.halves(options, &mut piles));
        }
        let node = self.node;
        let mut nodes = vec![BinaryNode { triangles: self.triangles(), children: None }];
        let mut open = vec![Branch { node: 0, ..self }];
        while let Some(branch) = open.pop() {
            if branch.items.len() <= options.leaf_size {
                branch.order.iter_mut().zip(&*branch.items).for_each(|(place, item)| *place = item.id);
                continue;
            }
            let above = branch.node;
            open.extend(branch.halves(options, &mut piles).map(|half| half.below(above, &mut nodes)));
        }
        Grown::Subtree(node, nodes)
    }

    fn triangles(&self) -> Range<usize> {
        self.first..self.first + self.items.len()
    }

    /// Gets the next number, as a child of a node; the left child comes first.
    fn below(self, parent: usize, nodes: &mut Vec<BinaryNode>) -> Self {
        let node = nodes.len();
        nodes.push(BinaryNode { triangles: self.triangles(), children: None });
        let [left, _] = nodes[parent].children.unwrap_or([node; 2]);
        nodes[parent].children = Some([left, node]);
        Self { node, ..self }
    }

    /// Divides the triangles at the best cut, or in the middle where all centers coincide. Both sides keep their order.
    fn halves(self, options: &CutOptions, piles: &mut Piles<ROWS>) -> [Self; 2] {
        let Self { node, first, mut items, mut spare, order } = self;
        let mut middle = items.len() / 2;
        if let Some(cut) = best_cut(items, options, piles) {
            middle = divide(items, &cut, spare);
            (items, spare) = (spare, items);
        }
        let (left_items, right_items) = items.split_at_mut(middle);
        let (left_spare, right_spare) = spare.split_at_mut(middle);
        let (left_order, right_order) = order.split_at_mut(middle);
        [
            Self { node, first, items: left_items, spare: left_spare, order: left_order },
            Self { node, first: first + middle, items: right_items, spare: right_spare, order: right_order },
        ]
    }
}

/// Copies items to both sides of a cut, and returns where the right side starts.
fn divide<const ROWS: usize>(items: &[Item<ROWS>], cut: &Cut, to: &mut [Item<ROWS>]) -> usize {
    let left_count = |items: &[Item<ROWS>]| items.iter().filter(|item| cut.is_left(item)).count();
    if items.len() <= PART {
        let middle = left_count(items);
        let (left, right) = to.split_at_mut(middle);
        deal(items, cut, [left, right]);
        return middle;
    }
    let counts = threads::map_parts(items, PART, left_count);
    let middle = counts.iter().sum();
    let (mut left, mut right) = to.split_at_mut(middle);
    let mut parts = Vec::with_capacity(counts.len());
    for (items, count) in items.chunks(PART).zip(counts) {
        let (own_left, other_left) = left.split_at_mut(count);
        let (own_right, other_right) = right.split_at_mut(items.len() - count);
        parts.push((items, [own_left, own_right]));
        (left, right) = (other_left, other_right);
    }
    threads::map(parts, |(items, sides)| deal(items, cut, sides));
    middle
}

/// Copies items to both sides of a cut, which have room for just that many.
fn deal<const ROWS: usize>(items: &[Item<ROWS>], cut: &Cut, sides: [&mut [Item<ROWS>]; 2]) {
    // Without a branch: which side is right cannot be predicted.
    let mut next = [0, 0];
    for item in items {
        let side = usize::from(!cut.is_left(item));
        sides[side][next[side]] = *item;
        next[side] += 1;
    }
}
