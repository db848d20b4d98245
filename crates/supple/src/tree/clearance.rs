//! How far apart triangles are at rest: what certificates divide by.
//!
//! The *clearance* of a triangle is a lower bound of its distance from every triangle with which it shares no vertex; that of a node is the
//! smallest below it. A certificate (`refit/certificates.rs`) says that posed points are apart by a share of their distance at rest, before
//! rounding.
//!
//! Distances are bounded from below (`separation.rs`). Only what is nearer than a small share of the whole mesh is looked for.
//!
//! What is known of triangles spares comparisons, so the order of these matters. Threads share them in a way that keeps it
//! (`independent.rs`), and find what one of them would find.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec3;

use super::independent::independent_lists;
use super::kinship::{Kinship, united};
use super::layout::{Tree, WIDTH};
use super::separation::separation;
use super::threads;
use super::weight_fits::longest_edge;
use crate::math::Aabb;
use crate::model::Model;
use crate::simd::{self, Eight, Kernel, lanes};

/// Clearances are not looked for beyond this share of the longest side of the mesh, or that of the mean of triangles' longest edges.
const FARTHEST: f64 = 1.0 / 512.0;
const FARTHEST_EDGE: f64 = 0.75;

/// As many pairs of leaves are collected before they are compared: a few megabytes.
const BATCH: usize = 1 << 18;

/// Clearances of all triangles, in the order of the leaves, and of all nodes.
pub(super) fn clearances(tree: &Tree, model: &Model, kinship: &Kinship) -> (Vec<f64>, Vec<f32>) {
    let search = Search::new(tree, model, kinship);
    search.run();
    let least = |found: &[f64]| found.iter().copied().fold(f64::INFINITY, f64::min);
    // Rounded down; below that, f32 would round up.
    let rounded = |clearance: f64| match (clearance * (1.0 - 1e-6)) as f32 {
        tiny if tiny < f32::MIN_POSITIVE => 0.0,
        clearance => clearance,
    };
    let known: Vec<f64> = search.known.iter().map(Known::get).collect();
    let of_nodes = united(&tree.nodes, &known, least).into_iter().map(rounded).collect();
    (known, of_nodes)
}

/// A walk of the tree against itself that looks for triangles near each other.
struct Search<'a> {
    tree: &'a Tree,
    kinship: &'a Kinship,
    /// Around the triangles below each node.
    around_nodes: Vec<Aabb>,
    leaves: Vec<Leaf>,
    /// The leaf of each node that is one.
    leaf_of_node: Vec<u32>,
    corners: Vec<[Vec3; 3]>,
    /// Clearances of triangles, as far as they are known.
    known: Vec<Known>,
    farthest: f64,
}

/// Triangles of a leaf at rest.
struct Leaf {
    triangles: Range<usize>,
    around: Aabb,
    around_triangles: [Aabb; WIDTH],
    /// The same: least coordinates, axis by axis, then greatest ones.
    bounds: [[f32; WIDTH]; 6],
}

impl Leaf {
    fn new(triangles: Range<usize>, corners: &[[Vec3; 3]]) -> Self {
        let mut around_triangles = [Aabb::EMPTY; WIDTH];
        for (around, &corners) in around_triangles.iter_mut().zip(&corners[triangles.clone()]) {
            *around = Aabb::from_points(corners);
        }
        let least = |axis: usize| around_triangles.map(|around| around.min[axis]);
        let greatest = |axis: usize| around_triangles.map(|around| around.max[axis]);
        let bounds = [least(0), least(1), least(2), greatest(0), greatest(1), greatest(2)];
        let around = around_triangles.iter().fold(Aabb::EMPTY, |all, own| all.union(own));
        Self { triangles, around, around_triangles, bounds }
    }
}

/// A clearance. Only the thread that compares the triangle's leaf looks at it.
struct Known(AtomicU64);

impl Known {
    fn new(clearance: f64) -> Self {
        Self(AtomicU64::new(clearance.to_bits()))
    }

    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    fn set(&self, clearance: f64) {
        self.0.store(clearance.to_bits(), Ordering::Relaxed);
    }
}

impl<'a> Search<'a> {
    fn new(tree: &'a Tree, model: &Model, kinship: &'a Kinship) -> Self {
        let positions = model.mesh().positions();
        let extent = Aabb::from_points(positions.iter().copied());
        let size = (extent.max - extent.min).as_dvec3().max_element();
        let corners =
            |&t: &u32| model.mesh().triangles()[t as usize].map(|vertex| positions[vertex as usize]);
        let corners: Vec<[Vec3; 3]> = tree.triangles.iter().map(corners).collect();
        let edges: f64 =
            corners.iter().map(|corners| longest_edge(&corners.map(|corner| corner.as_dvec3()))).sum();
        let farthest = (FARTHEST * size).max(FARTHEST_EDGE * edges / corners.len().max(1) as f64);
        let boxes: Vec<Aabb> = corners.iter().map(|&corners| Aabb::from_points(corners)).collect();
        let all = |boxes: &[Aabb]| boxes.iter().fold(Aabb::EMPTY, |all, own| all.union(own));
        let around_nodes = united(&tree.nodes, &boxes, all);
        let (mut leaves, mut leaf_of_node) = (Vec::new(), vec![0; tree.nodes.len()]);
        for (node, leaf) in tree.nodes.iter().zip(&mut leaf_of_node).filter(|(node, _)| node.is_leaf()) {
            *leaf = leaves.len() as u32;
            leaves.push(Leaf::new(node.range(), &corners));
        }
        let known = corners.iter().map(|_| Known::new(farthest)).collect();
        Self { tree, kinship, around_nodes, leaves, leaf_of_node, corners, known, farthest }
    }

    fn run(&self) {
        let mut open = vec![(0, 0)];
        while !open.is_empty() {
            let pairs = self.next_pairs(&mut open);
            for lists in independent_lists(&pairs, self.leaves.len()) {
                threads::map(lists, |pairs| simd::run(Compare { search: self, pairs: &pairs }));
            }
        }
    }

    /// Goes on with the walk, up to a number of pairs of leaves that may tell something.
    fn next_pairs(&self, open: &mut Vec<(usize, usize)>) -> Vec<[u32; 2]> {
        let nodes = &self.tree.nodes;
        let mut pairs = Vec::new();
        while pairs.len() < BATCH
            && let Some((a, b)) = open.pop()
        {
            if gap(&self.around_nodes[a], &self.around_nodes[b]) >= self.farthest {
                continue;
            }
            match (nodes[a].is_leaf(), nodes[b].is_leaf()) {
                (true, true) => {
                    let pair = [self.leaf_of_node[a], self.leaf_of_node[b]];
                    pairs.extend(self.may_tell(pair.map(|leaf| leaf as usize)).then_some(pair));
                }
                (false, _) if a == b => {
                    let children = nodes[a].range();
                    open.extend(children.clone().flat_map(|i| (i..children.end).map(move |j| (i, j))));
                }
                (false, leaf) if leaf || extent(&self.around_nodes[a]) >= extent(&self.around_nodes[b]) => {
                    open.extend(nodes[a].range().map(|child| (child, b)));
                }
                _ => open.extend(nodes[b].range().map(|child| (a, child))),
            }
        }
        pairs
    }

    /// Whether leaves are nearer than what is known of one of their triangles.
    fn may_tell(&self, pair: [usize; 2]) -> bool {
        let [a, b] = pair.map(|leaf| &self.leaves[leaf]);
        let most =
            |leaf: &Leaf| self.known[leaf.triangles.clone()].iter().map(Known::get).fold(0.0, f64::max);
        gap(&a.around, &b.around) < most(a).max(most(b))
    }

    /// What is known of the triangles of a leaf; nothing can become known of those that are not there.
    fn known_of(&self, leaf: &Leaf) -> [f64; WIDTH] {
        let mut known = [0.0; WIDTH];
        for (own, of_triangle) in known.iter_mut().zip(&self.known[leaf.triangles.clone()]) {
            *own = of_triangle.get();
        }
        known
    }

    fn set_known(&self, leaf: &Leaf, known: &[f64; WIDTH]) {
        self.known[leaf.triangles.clone()]
            .iter()
            .zip(known)
            .for_each(|(of_triangle, &own)| of_triangle.set(own));
    }
}

/// Compares the triangles of pairs of leaves.
struct Compare<'a> {
    search: &'a Search<'a>,
    pairs: &'a [[u32; 2]],
}

impl Kernel for Compare<'_> {
    type Output = ();

    #[inline(always)]
    fn run<E: Eight>(self) {
        for &pair in self.pairs {
            compare::<E>(self.search, pair.map(|leaf| leaf as usize));
        }
    }
}

#[inline(always)]
fn compare<E: Eight>(search: &Search, [a, b]: [usize; 2]) {
    if !search.may_tell([a, b]) {
        return;
    }
    let [own, other] = [a, b].map(|leaf| &search.leaves[leaf]);
    let mut known = [search.known_of(own), search.known_of(other)];
    let mut changed = false;
    let limits = [rounded_up(&known[0]), rounded_up(&known[1])];
    for i in 0..own.triangles.len() {
        let limits = E::all(limits[0][i]).greatest(E::load(&limits[1]));
        let near = E::bits(gaps::<E>(&own.around_triangles[i], other).at_most(limits));
        // Triangles of one leaf are compared once.
        let near = if a == b { near & (0xfe << i) } else { near };
        for j in lanes(near) {
            // A leaf compared with itself is known once.
            let enough = known[0][i].max(known[usize::from(a != b)][j]);
            let (one, two) = (own.triangles.start + i, other.triangles.start + j);
            if gap(&own.around_triangles[i], &other.around_triangles[j]) >= enough
                || search.kinship.share_a_vertex(one, two)
            {
                continue;
            }
            let apart = separation(&search.corners[one], &search.corners[two], enough);
            if apart < enough {
                known[0][i] = known[0][i].min(apart);
                let known = &mut known[usize::from(a != b)][j];
                *known = known.min(apart);
                changed = true;
            }
        }
    }
    if changed {
        search.set_known(own, &known[0]);
        if a != b {
            search.set_known(other, &known[1]);
        }
    }
}

/// Numbers of f32 that are larger. What is rounded to f32 does not get beyond such a number.
#[inline(always)]
fn rounded_up(numbers: &[f64; WIDTH]) -> [f32; WIDTH] {
    let mut larger = [0.0; WIDTH];
    for lane in 0..WIDTH {
        larger[lane] = (numbers[lane] as f32).next_up();
    }
    larger
}

/// As [`gap`], of a box and the triangles of a leaf, rounded to f32.
#[inline(always)]
fn gaps<E: Eight>(aabb: &Aabb, leaf: &Leaf) -> E {
    let mut gap = E::all(0.0);
    for axis in 0..3 {
        let above = E::load(&leaf.bounds[axis]).minus(E::all(aabb.max[axis]));
        let below = E::all(aabb.min[axis]).minus(E::load(&leaf.bounds[axis + 3]));
        gap = gap.greatest(above.greatest(below));
    }
    gap
}

/// Distance of boxes along the axis in which they are farthest apart; 0 where they overlap.
pub(super) fn gap(a: &Aabb, b: &Aabb) -> f64 {
    let between = (b.min.as_dvec3() - a.max.as_dvec3()).max(a.min.as_dvec3() - b.max.as_dvec3());
    between.max_element().max(0.0)
}

fn extent(aabb: &Aabb) -> f32 {
    (aabb.max - aabb.min).max_element()
}
