//! Binary splits by the surface area heuristic.
//!
//! In: boxes of triangles. Out: a binary tree over an order of the triangles.
//! Large ranges are binned; small ones, where most of a query's time goes, are swept exactly.

use std::ops::Range;

use glam::Vec3;
use supple::Aabb;

/// Below this many triangles every split is tried.
const SWEEP: usize = 128;
const BINS: usize = 32;

/// A node of the binary tree.
pub(super) struct Binary {
    pub(super) bounds: Aabb,
    /// Its triangles, as a range of the order.
    pub(super) triangles: Range<usize>,
    /// Two children, or a leaf.
    pub(super) children: Option<[usize; 2]>,
}

/// The box that contains nothing.
pub(super) const NOWHERE: Aabb = Aabb { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

/// Half the surface.
pub(super) fn area(bounds: &Aabb) -> f32 {
    let e = (bounds.max - bounds.min).max(Vec3::ZERO);
    e.x * e.y + e.y * e.z + e.z * e.x
}

/// Splits triangles until leaves hold at most `leaf_size`. Node 0 is the root; also returns the order of triangles.
pub(super) fn split(boxes: &[Aabb], leaf_size: usize) -> (Vec<Binary>, Vec<u32>) {
    let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
    let root = Binary { bounds: union(boxes, &order), triangles: 0..boxes.len(), children: None };
    let (mut nodes, mut open) = (vec![root], vec![0]);
    let mut scratch = Scratch { leaf_size, areas: Vec::new() };
    while let Some(node) = open.pop() {
        let range = nodes[node].triangles.clone();
        if range.len() <= leaf_size {
            continue;
        }
        let middle = range.start + scratch.divide(boxes, &mut order[range.clone()]);
        let first = nodes.len();
        for part in [range.start..middle, middle..range.end] {
            let bounds = union(boxes, &order[part.clone()]);
            open.push(nodes.len());
            nodes.push(Binary { bounds, triangles: part, children: None });
        }
        nodes[node].children = Some([first, first + 1]);
    }
    (nodes, order)
}

fn union(boxes: &[Aabb], order: &[u32]) -> Aabb {
    order.iter().fold(NOWHERE, |sum, &t| sum.union(&boxes[t as usize]))
}

fn center(bounds: &Aabb) -> Vec3 {
    bounds.min + bounds.max
}

struct Scratch {
    leaf_size: usize,
    areas: Vec<f32>,
}

impl Scratch {
    /// Half-full leaves cost as much as full ones.
    fn cost(&self, area: f32, count: usize) -> f32 {
        area * count.div_ceil(self.leaf_size) as f32
    }

    /// Orders triangles so that a good split is at the returned index, which is neither 0 nor the end.
    fn divide(&mut self, boxes: &[Aabb], order: &mut [u32]) -> usize {
        let best = if order.len() <= SWEEP { None } else { self.binned(boxes, order) };
        best.unwrap_or_else(|| self.swept(boxes, order))
    }

    fn swept(&mut self, boxes: &[Aabb], order: &mut [u32]) -> usize {
        let mut best = (f32::INFINITY, 0, order.len() / 2);
        for axis in 0..3 {
            sort(boxes, order, axis);
            self.areas.clear();
            let mut bounds = NOWHERE;
            for &t in order.iter().rev() {
                bounds = bounds.union(&boxes[t as usize]);
                self.areas.push(area(&bounds));
            }
            let mut bounds = NOWHERE;
            for left in 1..order.len() {
                bounds = bounds.union(&boxes[order[left - 1] as usize]);
                let right = order.len() - left;
                let cost = self.cost(area(&bounds), left) + self.cost(self.areas[right - 1], right);
                if cost < best.0 {
                    best = (cost, axis, left);
                }
            }
        }
        sort(boxes, order, best.1);
        best.2
    }

    fn binned(&self, boxes: &[Aabb], order: &mut [u32]) -> Option<usize> {
        let centers = Aabb::from_points(order.iter().map(|&t| center(&boxes[t as usize])));
        let scale = BINS as f32 / (centers.max - centers.min);
        let bin = |t: u32, axis: usize| {
            let bin = (center(&boxes[t as usize])[axis] - centers.min[axis]) * scale[axis];
            (bin as usize).min(BINS - 1)
        };
        let mut best = (f32::INFINITY, 0, 0);
        for axis in (0..3).filter(|&axis| scale[axis].is_finite()) {
            let mut bins = [(NOWHERE, 0); BINS];
            for &t in order.iter() {
                let (bounds, count) = &mut bins[bin(t, axis)];
                *bounds = bounds.union(&boxes[t as usize]);
                *count += 1;
            }
            let grow = |sum: (Aabb, usize), bin: &(Aabb, usize)| (sum.0.union(&bin.0), sum.1 + bin.1);
            for at in 1..BINS {
                let left = bins[..at].iter().fold((NOWHERE, 0), grow);
                let right = bins[at..].iter().fold((NOWHERE, 0), grow);
                let cost = self.cost(area(&left.0), left.1) + self.cost(area(&right.0), right.1);
                if left.1 > 0 && right.1 > 0 && cost < best.0 {
                    best = (cost, axis, at);
                }
            }
        }
        let (cost, axis, at) = best;
        cost.is_finite().then(|| {
            order.sort_by_key(|&t| bin(t, axis) >= at);
            order.partition_point(|&t| bin(t, axis) < at)
        })
    }
}

fn sort(boxes: &[Aabb], order: &mut [u32], axis: usize) {
    order.sort_by(|&s, &t| {
        center(&boxes[s as usize])[axis].total_cmp(&center(&boxes[t as usize])[axis]).then(s.cmp(&t))
    });
}
