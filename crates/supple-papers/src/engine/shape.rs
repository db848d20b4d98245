//! What a method stores per node of a tree.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, section 5.3; D. L. James, D. K. Pai, BD-Tree, 2004,
//! section 3.4; T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003,
//! section 3.

use std::sync::Arc;

use glam::DVec3;

use super::corners::{MAX_JOINTS, weight_corners};
use super::fields::FieldVolumes;
use super::method::only_joint;
use super::morph::{MOST_BETWEEN, MorphVolumes};
use super::{Method, MethodError, Tree, Volume};
use supple::rest::Rest;
use supple::{Model, Skinning};

/// A model with one of the papers' trees, for one method. Immutable; share it with `Arc`.
#[derive(Clone, Debug)]
pub struct Shape<V: Volume> {
    model: Arc<Model>,
    skinning: Skinning,
    method: Method,
    tree: Arc<Tree>,
    /// Empty where the tree is another one in every pose.
    nodes: Vec<NodeVolumes<V>>,
}

/// What depends on the kind of model.
#[derive(Clone, Debug)]
pub(super) enum NodeVolumes<V: Volume> {
    /// What lies below the node at rest, and joint-sets that occur there.
    Skinned(V::Rest, Vec<SetCorners>),
    Fields(FieldVolumes<V>),
    Morph(MorphVolumes<V>),
    /// The vertices below, for methods that look at them; none where they look at the children instead.
    Vertices(Vec<usize>),
}

/// A joint-set with the corners of the weights that occur.
#[derive(Clone, Debug)]
pub(super) struct SetCorners {
    pub set: usize,
    pub corners: Vec<Vec<f64>>,
}

impl<V: Volume> Shape<V> {
    /// Computes what the method stores. Costs about the size of all nodes together.
    ///
    /// # Errors
    /// The method does not bound such models, or not by this tree; a vertex with more than 13 joints where the papers enumerate
    /// corners by brute force; more than 255 volumes between reference shapes.
    pub fn new(
        model: &Arc<Model>,
        skinning: Skinning,
        tree: Tree,
        method: Method,
    ) -> Result<Self, MethodError> {
        if !method.applies_to(model, skinning) {
            return Err(MethodError::DoesNotApply { method });
        }
        let (expected, found) = (model.mesh().triangles().len(), tree.triangles_below(0).len());
        if expected != found {
            return Err(MethodError::OtherTree { expected, found });
        }
        if let Method::Morph { between } = method
            && between > MOST_BETWEEN
        {
            return Err(MethodError::TooManyBetween { found: between, limit: MOST_BETWEEN });
        }
        let (joints, limit) = (model.skin().max_influences(), MAX_JOINTS);
        let nodes_need_corners =
            !method.is_eager() && matches!(model.rest(), Rest::Plain) && method != Method::Fields;
        if nodes_need_corners && joints > limit {
            return Err(MethodError::TooManyJoints { found: joints, limit });
        }
        let count = if method == Method::Rebuild { 0 } else { tree.nodes().len() };
        let first = tree.first_from_vertices(method);
        let nodes = (0..count).map(|node| node_volumes(model, &tree, method, first, node)).collect();
        Ok(Self { model: Arc::clone(model), skinning, method, tree: Arc::new(tree), nodes })
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// How joints are blended.
    pub fn skinning(&self) -> Skinning {
        self.skinning
    }

    /// How volumes follow a pose.
    pub fn method(&self) -> Method {
        self.method
    }

    /// The tree at rest.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Enlarges the volumes above a level so that they contain those of the level, in every pose: they can then stand for what is
    /// below them (BD-Tree, section 3.4, where smooth fields are trusted to keep what is wrapped at rest).
    ///
    /// # Errors
    /// The method does not bound displacement fields.
    pub fn wrapping_level(mut self, level: usize) -> Result<Self, MethodError> {
        if self.method != Method::Fields {
            return Err(MethodError::DoesNotApply { method: self.method });
        }
        let tree = Arc::clone(&self.tree);
        for (index, node) in tree.nodes().iter().enumerate().rev().filter(|(_, node)| node.level() < level) {
            // Children come after their parent.
            let (above, below) = self.nodes.split_at_mut(index + 1);
            for child in node.children() {
                if let (NodeVolumes::Fields(own), NodeVolumes::Fields(of_child)) =
                    (&mut above[index], &below[child - index - 1])
                {
                    own.wrap(of_child);
                }
            }
        }
        Ok(self)
    }

    /// `|dR|_2` of a node: how much fields can enlarge it (BD-Tree, section 3.3); 0 for other methods, and where there is no such node.
    pub fn radius_increment(&self, node: usize) -> f64 {
        match self.nodes.get(node) {
            Some(NodeVolumes::Fields(fields)) => fields.radius_increment(),
            _ => 0.0,
        }
    }

    /// The joint in whose space the volumes are: the one that moves all vertices, unless the method bounds what joints do.
    pub(super) fn frame_joint(&self) -> Option<usize> {
        match self.method {
            Method::Linear | Method::Spherical | Method::SphericalAsPrinted | Method::DualQuaternion => None,
            _ => only_joint(&self.model),
        }
    }

    /// `None` where the tree is another one in every pose.
    pub(super) fn node(&self, node: usize) -> Option<&NodeVolumes<V>> {
        self.nodes.get(node)
    }
}

fn node_volumes<V: Volume>(
    model: &Model,
    tree: &Tree,
    method: Method,
    first_from_vertices: usize,
    node: usize,
) -> NodeVolumes<V> {
    let found = &tree.nodes()[node];
    if method.is_eager() && !found.is_leaf() && found.level() < first_from_vertices {
        return NodeVolumes::Vertices(Vec::new());
    }
    let vertices = tree.vertices_below(node, model.mesh().triangles());
    if method.is_eager() {
        return NodeVolumes::Vertices(vertices);
    }
    let points: Vec<DVec3> = vertices.iter().map(|&v| model.mesh().positions()[v].as_dvec3()).collect();
    match (model.rest(), method) {
        (Rest::Morph(morph), Method::Morph { between }) => {
            NodeVolumes::Morph(MorphVolumes::new(morph, &vertices, between))
        }
        (Rest::Fields(fields), _) => NodeVolumes::Fields(FieldVolumes::new(Some(fields), &vertices, &points)),
        (_, Method::Fields) => NodeVolumes::Fields(FieldVolumes::new(None, &vertices, &points)),
        _ => NodeVolumes::Skinned(V::at_rest(&points), set_corners(model, &vertices)),
    }
}

/// Weight intervals per joint-set, then their corners (thesis, section 5.3).
fn set_corners(model: &Model, vertices: &[usize]) -> Vec<SetCorners> {
    let skin = model.skin();
    let mut by_set: Vec<(usize, usize)> =
        vertices.iter().map(|&v| (skin.set_of_vertex(v as u32), v)).collect();
    by_set.sort_unstable();
    let corners = |run: &[(usize, usize)]| {
        let mut intervals = vec![[f64::INFINITY, f64::NEG_INFINITY]; skin.joint_set(run[0].0).len()];
        for &(_, vertex) in run {
            let weights = || skin.influences(vertex as u32).map(|(_, weight)| f64::from(weight));
            // Rounded weights have the sum 1 up to rounding only; the margin covers the difference.
            let sum: f64 = weights().sum();
            for (interval, weight) in intervals.iter_mut().zip(weights()) {
                let weight = weight / sum;
                *interval = [interval[0].min(weight), interval[1].max(weight)];
            }
        }
        SetCorners { set: run[0].0, corners: weight_corners(&intervals) }
    };
    by_set.chunk_by(|a, b| a.0 == b.0).map(corners).collect()
}
