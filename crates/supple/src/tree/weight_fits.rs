//! Weights of joints as functions of the place at rest: for every node and joint the plane that fits best, and how far weights are off it.
//!
//! ```text
//! w(p)  =  mean + gradient . (p - center)  +  at most off         for every p of a triangle below the node
//! ```
//!
//! Sums over vertices give the fits of all nodes, children first. Weights are divided by their sum, which rounding makes differ
//! from 1.

use std::ops::Range;

use glam::{DMat3, DVec3};

use super::layout::Tree;
use crate::math::Aabb;
use crate::model::Model;

/// How the weight of a joint varies below a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Fit {
    pub joint: u32,
    pub mean: f64,
    pub gradient: DVec3,
    /// How far weights are off at most.
    pub off: f64,
    pub least: f64,
    pub most: f64,
    /// How far, at most, the weighted place of a point is from its weight times its place, as both are linear on triangles.
    pub product: f64,
}

/// Sums from which a fit follows.
#[derive(Clone, Copy, Default)]
struct JointSums {
    weight: f64,
    weighted: DVec3,
}

#[derive(Clone, Copy)]
struct Sums {
    count: f64,
    position: DVec3,
    square: DMat3,
}

/// Fits of all nodes.
pub(super) struct WeightFits {
    /// Of the boxes of nodes: middles, and the distance of their corners, rounded up.
    pub centers: Vec<DVec3>,
    pub radii: Vec<f64>,
    ranges: Vec<Range<usize>>,
    fits: Vec<Fit>,
}

impl WeightFits {
    /// `boxes` are those of nodes.
    pub fn new(tree: &Tree, model: &Model, boxes: &[Aabb]) -> Self {
        let centers: Vec<DVec3> = boxes.iter().map(|around| around.center().as_dvec3()).collect();
        let radius = |(around, &center): (&Aabb, &DVec3)| {
            let farthest = (around.max.as_dvec3() - center).max(center - around.min.as_dvec3());
            farthest.length() * (1.0 + 1e-12)
        };
        let radii = boxes.iter().zip(&centers).map(radius).collect();
        let mut fits = Self { radii, centers, ranges: vec![0..0; tree.nodes.len()], fits: Vec::new() };
        fits.fill(tree, model);
        fits
    }

    /// Fits of a node, joints ascending.
    pub fn of(&self, node: usize) -> &[Fit] {
        &self.fits[self.ranges[node].clone()]
    }

    fn fill(&mut self, tree: &Tree, model: &Model) {
        let none = Sums { count: 0.0, position: DVec3::ZERO, square: DMat3::ZERO };
        let mut sums = vec![none; tree.nodes.len()];
        let mut joint_sums: Vec<JointSums> = Vec::new();
        // Children come after their parents.
        for (index, node) in tree.nodes.iter().enumerate().rev() {
            let start = self.fits.len();
            if node.is_leaf() {
                let triangles = tree.triangles[node.range()].iter();
                let vertices: Vec<u32> =
                    triangles.flat_map(|&triangle| model.mesh().triangles()[triangle as usize]).collect();
                sums[index] = self.sum_of_vertices(model, &vertices, &mut joint_sums);
                self.solve(index, start, &sums[index], &joint_sums);
                self.fit_leaf(index, start, model, &vertices);
            } else {
                sums[index] = self.sum_of_children(node.range(), &sums, &mut joint_sums);
                self.solve(index, start, &sums[index], &joint_sums);
                self.fit_inner(index, start, node.range());
            }
            self.ranges[index] = start..self.fits.len();
        }
    }

    /// Where the fit of a joint is, from a start on; a new one in the order of joints if there is none.
    fn place(&mut self, start: usize, joint: u32, sums: &mut Vec<JointSums>) -> usize {
        let at = start + self.fits[start..].partition_point(|fit| fit.joint < joint);
        if self.fits.get(at).is_none_or(|fit| fit.joint != joint) {
            self.fits.insert(at, Fit { joint, ..Fit::default() });
            sums.insert(at, JointSums::default());
        }
        at
    }

    fn sum_of_vertices(&mut self, model: &Model, vertices: &[u32], of_joints: &mut Vec<JointSums>) -> Sums {
        let start = self.fits.len();
        let mut sums = Sums { count: 0.0, position: DVec3::ZERO, square: DMat3::ZERO };
        for &vertex in vertices {
            let position = model.mesh().positions()[vertex as usize].as_dvec3();
            sums.count += 1.0;
            sums.position += position;
            sums.square += product(position, position);
            for (joint, weight) in weights(model, vertex) {
                let at = self.place(start, joint, of_joints);
                of_joints[at].weight += weight;
                of_joints[at].weighted += position * weight;
            }
        }
        sums
    }

    fn sum_of_children(
        &mut self,
        children: Range<usize>,
        sums: &[Sums],
        of_joints: &mut Vec<JointSums>,
    ) -> Sums {
        let start = self.fits.len();
        let mut all = Sums { count: 0.0, position: DVec3::ZERO, square: DMat3::ZERO };
        for child in children {
            let own = &sums[child];
            all.count += own.count;
            all.position += own.position;
            all.square += own.square;
            for of_child in self.ranges[child].clone() {
                let at = self.place(start, self.fits[of_child].joint, of_joints);
                let own = of_joints[of_child];
                of_joints[at].weight += own.weight;
                of_joints[at].weighted += own.weighted;
            }
        }
        all
    }

    /// The planes of least squares. What they are matters little: how far weights are off is bounded afterwards.
    fn solve(&mut self, node: usize, start: usize, sums: &Sums, of_joints: &[JointSums]) {
        let mean = sums.position / sums.count;
        let spread = sums.square * (1.0 / sums.count) - product(mean, mean);
        let trace = spread.x_axis.x + spread.y_axis.y + spread.z_axis.z;
        // Across a flat patch nothing is known.
        let spread = spread + DMat3::from_diagonal(DVec3::splat(1e-3 * trace));
        let inverse = if trace > 0.0 { spread.inverse() } else { DMat3::ZERO };
        for (fit, sums_of_joint) in self.fits[start..].iter_mut().zip(&of_joints[start..]) {
            let weight = sums_of_joint.weight / sums.count;
            let gradient = inverse * (sums_of_joint.weighted / sums.count - mean * weight);
            fit.gradient = if gradient.is_finite() { gradient } else { DVec3::ZERO };
            fit.mean = weight + fit.gradient.dot(self.centers[node] - mean);
        }
    }

    fn fit_leaf(&mut self, node: usize, start: usize, model: &Model, vertices: &[u32]) {
        let own = &mut self.fits[start..];
        own.iter_mut().for_each(|fit| fit.least = f64::INFINITY);
        let mut at_corners = vec![[0.0; 3]; own.len()];
        for corners in vertices.chunks_exact(3) {
            let positions = [0, 1, 2].map(|k| model.mesh().positions()[corners[k] as usize].as_dvec3());
            let longest = longest_edge(&positions);
            at_corners.fill([0.0; 3]);
            for (corner, &vertex) in corners.iter().enumerate() {
                for (joint, weight) in weights(model, vertex) {
                    at_corners[own.partition_point(|fit| fit.joint < joint)][corner] = weight;
                }
            }
            for (fit, weights) in own.iter_mut().zip(&at_corners) {
                for (weight, position) in weights.iter().zip(&positions) {
                    let plane = fit.mean + fit.gradient.dot(*position - self.centers[node]);
                    fit.off = fit.off.max((weight - plane).abs());
                }
                let (least, most) = ends(weights);
                fit.product = fit.product.max(product_error(most - least, longest));
                (fit.least, fit.most) = (fit.least.min(least), fit.most.max(most));
            }
        }
    }

    fn fit_inner(&mut self, node: usize, start: usize, children: Range<usize>) {
        let (of_children, own) = self.fits.split_at_mut(start);
        for fit in own {
            fit.least = f64::INFINITY;
            for child in children.clone() {
                let below = &of_children[self.ranges[child].clone()];
                let below = find(below, fit.joint).unwrap_or_default();
                let apart =
                    below.mean - fit.mean - fit.gradient.dot(self.centers[child] - self.centers[node]);
                let turned = (below.gradient - fit.gradient).length();
                fit.off = fit.off.max(below.off + apart.abs() + turned * self.radii[child]);
                (fit.least, fit.most) = (fit.least.min(below.least), fit.most.max(below.most));
                fit.product = fit.product.max(below.product);
            }
        }
    }
}

/// The fit of a joint among those of a node.
pub(super) fn find(fits: &[Fit], joint: u32) -> Option<Fit> {
    fits.binary_search_by_key(&joint, |fit| fit.joint).ok().map(|at| fits[at])
}

/// Joints of a vertex with weights of sum 1.
pub(super) fn weights(model: &Model, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
    let (joints, weights) = model.skin().joints_and_weights(vertex as usize);
    let sum: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    joints.iter().zip(weights).map(move |(&joint, &weight)| (joint, f64::from(weight) / sum))
}

/// Least and greatest of three.
pub(super) fn ends(&[a, b, c]: &[f64; 3]) -> (f64, f64) {
    (a.min(b).min(c), a.max(b).max(c))
}

pub(super) fn longest_edge([p, q, r]: &[DVec3; 3]) -> f64 {
    p.distance_squared(*q).max(q.distance_squared(*r)).max(r.distance_squared(*p)).sqrt()
}

/// A bound of `sum l_k w_k p_k - (sum l_k w_k) (sum l_k p_k)` for convex `l`: a covariance, so at most the product of two deviations. That
/// of numbers is at most half their range, that of corners at most the radius around them.
pub(super) fn product_error(range: f64, longest: f64) -> f64 {
    0.5 * range * longest / 3f64.sqrt()
}

/// `a b^T`.
fn product(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}
