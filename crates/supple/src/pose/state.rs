//! A pose: one local transform per node, one coefficient per displacement field or reference shape.

use thiserror::Error;

use super::Transform;

/// Everything an animation may change in one frame. Plain data; set what you like.
///
/// The order of `nodes` is that of [`Skeleton::nodes`](super::Skeleton::nodes), the order of `coefficients` that of
/// the model's rest stage.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pose {
    /// Local transforms, one per node.
    pub nodes: Vec<Transform>,
    /// Blend coefficients of the rest stage.
    pub coefficients: Vec<f32>,
}

/// Why a pose does not fit a model.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum PoseError {
    /// A pose of another skeleton.
    #[error("the pose has {found} nodes, the skeleton has {expected}")]
    NodeCount {
        /// Nodes of the skeleton.
        expected: usize,
        /// Nodes of the pose.
        found: usize,
    },
    /// A pose of another rest stage.
    #[error("the pose has {found} coefficients, the model has {expected}")]
    CoefficientCount {
        /// Coefficients of the model.
        expected: usize,
        /// Coefficients of the pose.
        found: usize,
    },
    /// As many joint matrices as joints are needed.
    #[error("{found} joint matrices were given, the skin has {expected} joints")]
    JointCount {
        /// Joints of the skin.
        expected: usize,
        /// Matrices given.
        found: usize,
    },
    /// A number that is not finite, or that became infinite along the chain of parents.
    #[error("the transform of {object} {index} is not finite")]
    NotFinite {
        /// A node, joint or coefficient.
        object: &'static str,
        /// Which one.
        index: usize,
    },
    /// A placement that is not a rotation and a translation.
    #[error("the placement is not rigid: a number is not finite, or its rotation is not a unit quaternion")]
    NotRigid,
    /// A joint takes vertices too far away for f32.
    #[error(
        "joint {joint} takes vertices up to {distance:e} away; bodies must stay within 1e18 of the origin"
    )]
    TooFar {
        /// The joint.
        joint: u32,
        /// How far.
        distance: f64,
    },
    /// As many positions as vertices are needed.
    #[error("{found} positions were given, the mesh has {expected} vertices")]
    VertexCount {
        /// Vertices of the mesh.
        expected: usize,
        /// Positions given.
        found: usize,
    },
    /// A position that is not finite.
    #[error("the position of vertex {vertex} is not finite")]
    VertexNotFinite {
        /// The vertex.
        vertex: u32,
    },
    /// A position that is, or is placed, too far away for f32.
    #[error("vertex {vertex} is {distance:e} away from the origin; bodies must stay within 1e18 of it")]
    VertexTooFar {
        /// The vertex.
        vertex: u32,
        /// How far.
        distance: f64,
    },
    /// Weights of a convex morph must not be negative and must have a positive sum.
    #[error(
        "the weights of a convex morph must be non-negative with a positive sum, weight {index} is {value}"
    )]
    NotConvex {
        /// Which one.
        index: usize,
        /// Its value.
        value: f32,
    },
    /// A clip, node or shape that does not exist.
    #[error("there is no {what} {name:?}; the model has {available}")]
    NoSuchName {
        /// What kind of thing.
        what: &'static str,
        /// What was asked for.
        name: String,
        /// What there is.
        available: String,
    },
}

impl Pose {
    /// Between `self` (0) and `other` (1), node by node and coefficient by coefficient.
    ///
    /// # Errors
    /// The two poses are of different skeletons or rest stages.
    pub fn blend(&self, other: &Self, t: f32) -> Result<Self, PoseError> {
        self.check_counts(other.nodes.len(), other.coefficients.len())?;
        let nodes = self.nodes.iter().zip(&other.nodes).map(|(a, b)| a.lerp(b, f64::from(t))).collect();
        let coefficients =
            self.coefficients.iter().zip(&other.coefficients).map(|(a, b)| a + (b - a) * t).collect();
        Ok(Self { nodes, coefficients })
    }

    /// Compares the pose's lengths with what a model needs.
    pub(crate) fn check_counts(&self, nodes: usize, coefficients: usize) -> Result<(), PoseError> {
        if self.nodes.len() != nodes {
            return Err(PoseError::NodeCount { expected: nodes, found: self.nodes.len() });
        }
        if self.coefficients.len() != coefficients {
            return Err(PoseError::CoefficientCount {
                expected: coefficients,
                found: self.coefficients.len(),
            });
        }
        Ok(())
    }
}
