//! What the papers store per node, for the nodes of a library's tree.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.3; D. L. James, D. K. Pai, BD-Tree, 2004,
//! section 3.3; T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003,
//! section 3.

use std::sync::Arc;

use glam::{Affine3A, Vec3};

use super::corners::{MAX_JOINTS, weight_corners};
use super::fields::FieldChange;
use super::morph::ShapeVolume;
use super::{Method, PosedReference, ReferenceError};
use crate::math::{Aabb, Isometry, Sphere, smallest_enclosing_ball};
use crate::model::Model;
use crate::pose::Pose;
use crate::rest::Rest;
use crate::tree::Shape;

/// The papers' precomputed numbers for all nodes of a shape.
#[derive(Clone, Debug)]
pub struct ReferenceBounds {
    shape: Arc<Shape>,
    nodes: Vec<NodeVolume>,
}

/// Rest geometry of one node and what its bounds need besides.
#[derive(Clone, Debug)]
pub(super) struct NodeVolume {
    /// Smallest ball around all vertices below the node.
    pub ball: Sphere,
    pub aabb: Aabb,
    pub stage: StageVolume,
}

/// What depends on the kind of model.
#[derive(Clone, Debug)]
pub(super) enum StageVolume {
    /// Joint-sets that occur below the node.
    Skinned(Vec<SetCorners>),
    /// Fields that move a vertex below the node.
    Fields(Vec<FieldChange>),
    /// One per reference shape.
    Morph(Vec<ShapeVolume>),
}

/// A joint-set with the corners of the weights that occur.
#[derive(Clone, Debug)]
pub(super) struct SetCorners {
    pub set: usize,
    pub corners: Vec<Vec<f64>>,
}

impl ReferenceBounds {
    /// Computes what the papers store. Costs about the size of all nodes together.
    ///
    /// # Errors
    /// A vertex with more than 13 joints: the papers enumerate corners by brute force.
    pub fn build(shape: &Arc<Shape>) -> Result<Self, ReferenceError> {
        let model = shape.model();
        let found = model.skin().max_influences();
        if matches!(model.rest(), Rest::Plain) && found > MAX_JOINTS {
            return Err(ReferenceError::TooManyJoints { found, limit: MAX_JOINTS });
        }
        let nodes = (0..shape.node_count()).map(|node| node_volume(shape, node)).collect();
        Ok(Self { shape: Arc::clone(shape), nodes })
    }

    /// The shape whose nodes are bounded.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// Takes a pose and a placement.
    ///
    /// # Errors
    /// The method does not bound such models, a joint is not rigid, or the pose does not fit the model.
    pub fn pose(
        &self,
        method: Method,
        pose: &Pose,
        placement: &Isometry,
    ) -> Result<PosedReference<'_>, ReferenceError> {
        let matrices = self.shape.model().skeleton().joint_matrices(pose, placement)?;
        self.pose_by_matrices(method, &matrices, &pose.coefficients)
    }

    /// Takes joint matrices, `world(joint) * inverse_bind`, and the rest stage's coefficients.
    ///
    /// # Errors
    /// The method does not bound such models, a joint is not rigid, or the numbers do not fit the model.
    pub fn pose_by_matrices(
        &self,
        method: Method,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<PosedReference<'_>, ReferenceError> {
        PosedReference::new(self, method, matrices, coefficients)
    }

    pub(super) fn node(&self, node: usize) -> &NodeVolume {
        &self.nodes[node]
    }
}

fn node_volume(shape: &Shape, node: usize) -> NodeVolume {
    let vertices = vertices_below(shape, node);
    let model = shape.model();
    let points: Vec<Vec3> = vertices.iter().map(|&v| model.mesh().positions()[v]).collect();
    let (ball, aabb) = (smallest_enclosing_ball(&points), Aabb::from_points(points));
    let stage = match model.rest() {
        Rest::Plain => StageVolume::Skinned(set_corners(model, &vertices)),
        Rest::Fields(fields) => StageVolume::Fields(FieldChange::of_vertices(fields, &vertices)),
        Rest::Morph(morph) => StageVolume::Morph(ShapeVolume::of_vertices(morph, &vertices)),
    };
    NodeVolume { ball, aabb, stage }
}

/// Different vertices below a node, ascending.
pub(super) fn vertices_below(shape: &Shape, node: usize) -> Vec<usize> {
    let tree = shape.tree();
    let triangles = tree.triangles[tree.triangles_below(node)].iter();
    let corners = triangles.flat_map(|&t| shape.model().mesh().triangles()[t as usize]);
    let mut vertices: Vec<usize> = corners.map(|v| v as usize).collect();
    vertices.sort_unstable();
    vertices.dedup();
    vertices
}

/// Weight intervals per joint-set, then their corners (thesis, section 5.3).
fn set_corners(model: &Model, vertices: &[usize]) -> Vec<SetCorners> {
    let skin = model.skin();
    let mut by_set: Vec<(usize, usize)> = vertices.iter().map(|&v| (skin.set_of_vertex(v), v)).collect();
    by_set.sort_unstable();
    let corners = |run: &[(usize, usize)]| {
        let mut intervals = vec![[f64::INFINITY, f64::NEG_INFINITY]; skin.joint_set(run[0].0).len()];
        for &(_, vertex) in run {
            let (_, weights) = skin.joints_and_weights(vertex);
            // Rounded weights have the sum 1 up to rounding only; the margin covers the difference.
            let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
            for (interval, &weight) in intervals.iter_mut().zip(weights) {
                let weight = f64::from(weight) / sum;
                *interval = [interval[0].min(weight), interval[1].max(weight)];
            }
        }
        SetCorners { set: run[0].0, corners: weight_corners(&intervals) }
    };
    by_set.chunk_by(|a, b| a.0 == b.0).map(corners).collect()
}
