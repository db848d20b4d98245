//! The tree of nodes, and the joints that skins refer to.
//!
//! In: nodes with parents in any order, joints with inverse bind matrices.
//! Out: joint matrices `C_i = placement * world(node_i) * inverse_bind_i`, computed in f64 and rounded once.
//! Must hold: parents come before children in the order of evaluation; a cycle is an error.

use glam::{Affine3A, DAffine3, DVec3};
use thiserror::Error;

use super::chain::{Columns, Step, Worlds, wide_columns};
use super::posed_joints::{PosedJoints, affine};
use super::{Pose, PoseError, Transform};
use crate::math::Isometry;
use crate::simd;

/// One node of a file's scene graph: a bone, a group, what a mesh hangs on.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// As the file calls it; may be empty and need not be unique.
    pub name: String,
    /// Index of the parent, `None` for a root.
    pub parent: Option<usize>,
    /// The transform when nothing animates the node.
    pub rest: Transform,
    /// A constant matrix applied before the transform: `local = transform * offset`. Only needed for file matrices
    /// that are not made of translation, rotation and scale.
    pub offset: Option<DAffine3>,
}

impl Node {
    /// A node with a name, a parent and a rest transform.
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest: Transform) -> Self {
        Self { name: name.into(), parent, rest, offset: None }
    }

    /// A node whose local transform is any affine matrix, taken apart into translation, rotation and scale where
    /// that is possible to f32 precision, and kept as [`offset`](Self::offset) otherwise.
    pub fn from_matrix(name: impl Into<String>, parent: Option<usize>, matrix: DAffine3) -> Self {
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        let rest = Transform {
            translation: translation.as_vec3(),
            rotation: rotation.as_quat(),
            scale: scale.as_vec3(),
        };
        let size = matrix.to_cols_array().iter().fold(0.0f64, |m, x| m.max(x.abs()));
        if rest.is_finite() && rest.matrix().abs_diff_eq(matrix, 1e-6 * size) {
            return Self::new(name, parent, rest);
        }
        Self { offset: Some(matrix), ..Self::new(name, parent, Transform::IDENTITY) }
    }
}

/// A joint, by its number in [`Skeleton::joints`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JointId(pub u32);

/// A node that moves vertices, with the matrix that takes rest positions into the node's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// Index into [`Skeleton::nodes`].
    pub node: usize,
    /// From rest space to the node's space.
    pub inverse_bind: DAffine3,
}

/// Nodes and joints, checked; evaluates poses.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    nodes: Vec<Node>,
    joints: Vec<Joint>,
    /// All nodes, parents first.
    steps: Vec<Step>,
    /// Those that joints hang on, level by level.
    pub(super) steps_to_joints: Vec<Step>,
    /// The other nodes.
    pub(super) idle_nodes: Vec<u32>,
    /// Node and inverse bind matrix of each joint.
    pub(super) binds: Vec<(u32, Columns)>,
}

/// Why nodes and joints do not make a skeleton.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum SkeletonError {
    /// A skin needs something to follow.
    #[error("the skeleton has no joints")]
    NoJoints,
    /// A parent that does not exist.
    #[error("node {node} has parent {parent}, but there are only {nodes} nodes")]
    ParentOutOfRange {
        /// The child.
        node: usize,
        /// What it names as its parent.
        parent: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A node that is its own ancestor.
    #[error("node {node} is its own ancestor")]
    Cycle {
        /// One node of the cycle.
        node: usize,
    },
    /// A joint without a node.
    #[error("joint {joint} refers to node {node}, but there are only {nodes} nodes")]
    JointOutOfRange {
        /// The joint.
        joint: usize,
        /// The node it names.
        node: usize,
        /// How many there are.
        nodes: usize,
    },
    /// A matrix or transform that is not finite.
    #[error("the {what} of {object} {index} is not finite")]
    NotFinite {
        /// Rest transform or inverse bind matrix.
        what: &'static str,
        /// Node or joint.
        object: &'static str,
        /// Which one.
        index: usize,
    },
}

impl Skeleton {
    /// Checks and keeps nodes and joints.
    ///
    /// # Errors
    /// No joint, an index out of range, a cycle, a number that is not finite.
    pub fn new(nodes: Vec<Node>, joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::NoJoints);
        }
        for (index, node) in nodes.iter().enumerate() {
            if !node.rest.is_finite() || node.offset.is_some_and(|m| !m.is_finite()) {
                return Err(SkeletonError::NotFinite { what: "transform", object: "node", index });
            }
        }
        for (index, joint) in joints.iter().enumerate() {
            if joint.node >= nodes.len() {
                return Err(SkeletonError::JointOutOfRange {
                    joint: index,
                    node: joint.node,
                    nodes: nodes.len(),
                });
            }
            if !joint.inverse_bind.is_finite() {
                return Err(SkeletonError::NotFinite { what: "inverse bind matrix", object: "joint", index });
            }
        }
        let order = parents_first(&nodes)?;
        Ok(Self::from_checked(nodes, joints, &order))
    }

    /// One root node that is the only joint: the skeleton of a rigid thing.
    pub fn single() -> Self {
        let nodes = vec![Node::new("root", None, Transform::IDENTITY)];
        Self::from_checked(nodes, vec![Joint { node: 0, inverse_bind: DAffine3::IDENTITY }], &[0])
    }

    fn from_checked(nodes: Vec<Node>, joints: Vec<Joint>, order: &[u32]) -> Self {
        let step = |&node: &u32| Step {
            node,
            parent: nodes[node as usize].parent.map_or(node, |parent| parent as u32),
            offset: nodes[node as usize].offset.map(|offset| Box::new(wide_columns(&offset))),
        };
        let steps: Vec<Step> = order.iter().map(step).collect();
        let mut needed = vec![false; nodes.len()];
        joints.iter().for_each(|joint| needed[joint.node] = true);
        for step in steps.iter().rev() {
            needed[step.parent as usize] |= needed[step.node as usize];
        }
        let mut steps_to_joints: Vec<Step> =
            steps.iter().filter(|step| needed[step.node as usize]).cloned().collect();
        // Level by level, as nodes of one level do not wait for each other.
        let mut levels = vec![0; nodes.len()];
        for step in steps.iter().filter(|step| step.parent != step.node) {
            levels[step.node as usize] = levels[step.parent as usize] + 1;
        }
        steps_to_joints.sort_by_key(|step| levels[step.node as usize]);
        let idle_nodes = (0..nodes.len() as u32).filter(|&node| !needed[node as usize]).collect();
        let binds =
            joints.iter().map(|joint| (joint.node as u32, wide_columns(&joint.inverse_bind))).collect();
        Self { nodes, joints, steps, steps_to_joints, idle_nodes, binds }
    }

    /// All nodes, in file order.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All joints; skins refer to them by index.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The first node of that name.
    pub fn node_named(&self, name: &str) -> Option<usize> {
        self.nodes.iter().position(|n| n.name == name)
    }

    /// For every joint the nearest node above its own that is a joint's too.
    pub fn nodes_of_parents(&self) -> Vec<Option<usize>> {
        let mut is_joint = vec![false; self.nodes.len()];
        self.joints.iter().for_each(|joint| is_joint[joint.node] = true);
        let parent = |joint: &Joint| {
            let mut above = self.nodes[joint.node].parent;
            while let Some(node) = above.filter(|&node| !is_joint[node]) {
                above = self.nodes[node].parent;
            }
            above
        };
        self.joints.iter().map(parent).collect()
    }

    /// Nodes that joints hang on, parents first.
    pub(crate) fn nodes_to_joints(&self) -> impl Iterator<Item = usize> {
        self.steps_to_joints.iter().map(|step| step.node as usize)
    }

    /// World matrices of all nodes.
    ///
    /// # Errors
    /// The pose has another number of nodes, or a number that is not finite.
    pub fn world_matrices(&self, pose: &Pose) -> Result<Vec<DAffine3>, PoseError> {
        self.check_nodes(pose)?;
        let mut world = vec![Columns::default(); self.nodes.len()];
        simd::run(Worlds { steps: &self.steps, transforms: &pose.nodes, world: &mut world });
        let affine = |[x, y, z, t]: &Columns| {
            let column = |v: &[f64; 4]| DVec3::new(v[0], v[1], v[2]);
            DAffine3::from_cols(column(x), column(y), column(z), column(t))
        };
        Ok(world.iter().map(affine).collect())
    }

    /// The palette: one matrix per joint, `placement * world(node) * inverse_bind`, rounded to f32.
    ///
    /// # Errors
    /// The pose has another number of nodes, or a matrix does not fit into f32.
    pub fn joint_matrices(&self, pose: &Pose, placement: Isometry) -> Result<Vec<Affine3A>, PoseError> {
        self.check_nodes(pose)?;
        let mut posed = PosedJoints::default();
        posed.set(self, pose)?;
        posed.place(&placement)?;
        posed.check_finite()?;
        Ok(posed.matrices.iter().map(affine).collect())
    }

    /// The first thing that is wrong with a pose's nodes.
    ///
    /// # Errors
    /// The pose has another number of nodes, or a number that is not finite.
    pub(crate) fn check_nodes(&self, pose: &Pose) -> Result<(), PoseError> {
        if pose.nodes.len() != self.nodes.len() {
            return Err(PoseError::NodeCount { expected: self.nodes.len(), found: pose.nodes.len() });
        }
        match pose.nodes.iter().position(|transform| !transform.is_finite()) {
            Some(index) => Err(PoseError::NotFinite { object: "node", index }),
            None => Ok(()),
        }
    }
}

/// Orders nodes so that every parent stands before its children, keeping file order where it already does.
fn parents_first(nodes: &[Node]) -> Result<Vec<u32>, SkeletonError> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = vec![Mark::New; nodes.len()];
    let mut order = Vec::with_capacity(nodes.len());
    let mut chain = Vec::new();
    for start in 0..nodes.len() {
        let mut at = Some(start);
        // Climb to the first finished ancestor, then write the chain down from the top.
        while let Some(index) = at {
            match marks[index] {
                Mark::Done => break,
                Mark::Open => return Err(SkeletonError::Cycle { node: index }),
                Mark::New => {
                    marks[index] = Mark::Open;
                    chain.push(index);
                }
            }
            at = nodes[index].parent;
            if let Some(parent) = at.filter(|&p| p >= nodes.len()) {
                return Err(SkeletonError::ParentOutOfRange { node: index, parent, nodes: nodes.len() });
            }
        }
        while let Some(index) = chain.pop() {
            marks[index] = Mark::Done;
            order.push(index as u32);
        }
    }
    Ok(order)
}
