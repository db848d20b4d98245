//! How smoothly weights vary in space around a node: what tells, in a pose, that nothing around the node can touch it.
//!
//! The *surroundings* of a node are all triangles within a distance of its rest box. For every joint that moves any of them
//!
//! ```text
//! |w(x) - w(y) - gradient . (x - y)|  <=  uneven |x - y|
//! ```
//!
//! for all points `x` of a triangle below the node and `y` of one in its surroundings that share no vertex. No path along the surface is
//! needed: it may be a sheet, a tube or several pieces. See `refit/certificates.rs` for what follows, `docs/math/certificates.md` for the proof.

use std::ops::Range;

use super::kinship::united;
use super::layout::Tree;
use super::weight_fits::longest_edge;
use crate::math::Aabb;
use crate::model::Model;

/// Slopes are those of triangles that are at least this share of the mean of all longest edges apart: nearer ones, which touch at rest or are
/// slivers, would make them useless for all others.
const LEAST_CLEARANCE: f64 = 1.0 / 32.0;

/// How far surroundings reach, in half diagonals of a node's box. With 0.5 and 1.5, more nodes were visited.
const REACH: f64 = 1.0;

/// How the weight of a joint varies around a node.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct JointSmoothness {
    pub joint: u32,
    /// Its weight and gradient, as a plane fits them best below the node.
    pub weight: f32,
    pub gradient: [f32; 3],
    /// What differences of weights, of weighted places and of places add up to that the joint is not followed with that weight.
    pub varying: f32,
    /// How far from a plane weights are, per distance.
    pub uneven: f32,
}

/// Stands for all fields: some displace vertices, and nothing is known of how.
pub(crate) const ANY_FIELD: u32 = u32::MAX;

/// How a field displaces vertices around a node, per unit of its coefficient.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct FieldSmoothness {
    /// Its number, or [`ANY_FIELD`].
    pub field: u32,
    /// How far displacements of two points differ at most, per distance at rest.
    pub slope: f32,
    /// The longest displacement.
    pub length: f32,
}

/// How far what is around a node is from its middle, and how it is divided into triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Scope {
    /// The distance of the farthest point from the middle of the node's box.
    pub radius: f32,
    /// By how much slopes between points may exceed those between vertices.
    pub steeper: f32,
}

/// How smoothly weights and fields vary around all nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Smoothness {
    /// Around the triangles below each node, at rest.
    pub boxes: Vec<Aabb>,
    /// Least and greatest coordinates that the triangles below each node reach, each with one of its corners.
    pub cores: Vec<Aabb>,
    /// How far the surroundings of a node reach beyond its box.
    pub reaches: Vec<f32>,
    /// What is said holds for triangles that are at least so far apart at rest; for nearer ones it is weaker by as much as they are nearer.
    pub least_clearance: f32,
    /// How far each node reaches with its surroundings; nothing for nodes of which no joints are kept.
    scopes: Vec<Scope>,
    /// Where joints and fields of a node end.
    ends: Vec<[u32; 2]>,
    joints: Vec<JointSmoothness>,
    fields: Vec<FieldSmoothness>,
}

impl Smoothness {
    /// The boxes of all nodes of a tree; nothing is said yet about what is in them.
    pub fn new(tree: &Tree, model: &Model) -> Self {
        let (triangles, positions) = (model.mesh().triangles(), model.mesh().positions());
        let corners = |&t: &u32| triangles[t as usize].map(|vertex| positions[vertex as usize]);
        let around: Vec<Aabb> =
            tree.triangles.iter().map(|triangle| Aabb::from_points(corners(triangle))).collect();
        // Each triangle reaches the core with one corner.
        let inverted: Vec<Aabb> = around.iter().map(|own| Aabb { min: own.max, max: own.min }).collect();
        let union = |boxes: &[Aabb]| boxes.iter().copied().reduce(|a, b| a.union(&b)).unwrap_or(Aabb::EMPTY);
        let boxes = united(&tree.nodes, &around, union);
        let reach =
            |around: &Aabb| (REACH * 0.5 * (around.max.as_dvec3() - around.min.as_dvec3()).length()) as f32;
        let longest = |triangle: &u32| longest_edge(&corners(triangle).map(|corner| corner.as_dvec3()));
        let edges: f64 = tree.triangles.iter().map(longest).sum();
        Self {
            least_clearance: (LEAST_CLEARANCE * edges / tree.triangles.len().max(1) as f64) as f32,
            reaches: boxes.iter().map(reach).collect(),
            cores: united(&tree.nodes, &inverted, union),
            boxes,
            ..Self::default()
        }
    }

    /// Says of the next node what was found about it.
    pub fn push(
        &mut self,
        scope: Scope,
        joints: impl IntoIterator<Item = JointSmoothness>,
        fields: impl IntoIterator<Item = FieldSmoothness>,
    ) {
        self.scopes.push(scope);
        self.joints.extend(joints);
        self.fields.extend(fields);
        self.ends.push([self.joints.len() as u32, self.fields.len() as u32]);
    }

    #[inline(always)]
    fn range(&self, node: usize, list: usize) -> Range<usize> {
        let start = if node == 0 { 0 } else { self.ends[node - 1][list] };
        start as usize..self.ends[node][list] as usize
    }

    /// Joints that move anything around a node, those that vary most first.
    #[inline(always)]
    pub fn joints(&self, node: usize) -> &[JointSmoothness] {
        &self.joints[self.range(node, 0)]
    }

    #[inline(always)]
    pub fn scope(&self, node: usize) -> Scope {
        self.scopes[node]
    }

    #[inline(always)]
    pub fn fields(&self, node: usize) -> &[FieldSmoothness] {
        &self.fields[self.range(node, 1)]
    }

    /// Whether all triangles below a node are in the surroundings of another one.
    #[inline(always)]
    pub fn surrounds(&self, node: usize, other: usize) -> bool {
        let (own, other, reach) = (&self.boxes[node], &self.cores[other], self.reaches[node]);
        // Differences of f32 may be rounded down.
        (own.min - other.min).max(other.max - own.max).max_element() <= (1.0 - 1e-6) * reach
    }

    pub fn scopes(&self) -> &[Scope] {
        &self.scopes
    }

    /// What was found about each node.
    pub fn iter(&self) -> impl Iterator<Item = (&[JointSmoothness], &[FieldSmoothness])> {
        (0..self.ends.len()).map(|node| (self.joints(node), self.fields(node)))
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.boxes[..])
            + size_of_val(&self.cores[..])
            + size_of_val(&self.reaches[..])
            + size_of_val(&self.scopes[..])
            + size_of_val(&self.ends[..])
            + size_of_val(&self.joints[..])
            + size_of_val(&self.fields[..])
    }
}
