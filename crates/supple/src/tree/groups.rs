//! What bounds are computed from: the groups of every node above twigs, with all their numbers.
//!
//! Must hold: the groups of a node cover the vertices below it, and so do its linear groups; numbers of groups stand in their order.

use std::ops::Range;

use crate::math::Sphere;
use crate::rest::{RestBox, RestChange};
use crate::skin::{Skin, SkinTerm, WeightRange};

/// Groups of some nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Groups {
    /// What each node has.
    pub nodes: Vec<NodeGroups>,
    pub all: Vec<Group>,
    pub linear: Vec<LinearGroup>,
    pub linear_joints: Vec<u32>,
    /// One per joint of a linear group.
    pub linear_weights: Vec<f32>,
    pub weights: Vec<f32>,
    pub products: Vec<[f32; 2]>,
    pub changes: Vec<RestChange>,
}

/// Where the groups of a node are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct NodeGroups {
    /// For models that blend rotations, and for spheres.
    pub all: Range<u32>,
    /// Instead of groups, where joints blend linearly.
    pub linear: Range<u32>,
    /// What the rest stage does to the vertices below.
    pub changes: Range<u32>,
}

/// Vertices below a node that have one joint-set: for models that blend rotations, and for spheres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Group {
    pub rest_box: RestBox,
    pub set: u32,
    /// Where the group's numbers start; the joint-set says how many there are.
    pub first_weight: u32,
    pub first_product: u32,
    /// Whether changes of the node move some of its vertices.
    pub moved: bool,
    pub spread: f32,
    pub total_product: f32,
    pub sphere: Sphere,
}

/// Vertices below a node that lie, linearly blended, in the hull of some weights of some joints; or that one joint moves,
/// alone or with others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct LinearGroup {
    pub rest_box: RestBox,
    /// Where joints and weights start.
    pub first_joint: u32,
    pub joint_count: u32,
    pub spread: f32,
    /// Whether changes of the node move some of its vertices.
    pub moved: bool,
}

fn wide(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

impl Groups {
    /// The groups of a node.
    #[inline(always)]
    pub fn of(&self, node: usize) -> &[Group] {
        &self.all[wide(&self.nodes[node].all)]
    }

    /// The linear groups of a node.
    #[inline(always)]
    pub fn linear_of(&self, node: usize) -> &[LinearGroup] {
        &self.linear[wide(&self.nodes[node].linear)]
    }

    /// What the rest stage does to the vertices of a node.
    #[inline(always)]
    pub fn changes_of(&self, node: usize) -> &[RestChange] {
        &self.changes[wide(&self.nodes[node].changes)]
    }

    /// Joints of a linear group, with the base of their weights.
    #[inline(always)]
    pub fn joints_of(&self, group: &LinearGroup) -> (&[u32], &[f32]) {
        let range = group.first_joint as usize..group.first_joint as usize + group.joint_count as usize;
        (&self.linear_joints[range.clone()], &self.linear_weights[range])
    }

    /// The joints of all linear groups of a node; some may be there several times.
    pub fn linear_joints_of(&self, node: usize) -> &[u32] {
        match self.linear_of(node) {
            [] => &[],
            groups @ [first, ..] => {
                let count: usize = groups.iter().map(|group| group.joint_count as usize).sum();
                &self.linear_joints[first.first_joint as usize..][..count]
            }
        }
    }

    /// What the skin stage needs of a group.
    #[inline(always)]
    pub fn skin_term<'a>(&'a self, skin: &'a Skin, group: &Group) -> SkinTerm<'a> {
        let joints = skin.joint_set(group.set as usize);
        let (n, first, pair) = (joints.len(), group.first_weight as usize, group.first_product as usize);
        SkinTerm {
            set: group.set as usize,
            joints,
            weights: WeightRange {
                base: &self.weights[first..first + n],
                spread: group.spread,
                total_product: group.total_product,
                products: &self.products[pair..pair + n * (n - 1) / 2],
            },
        }
    }

    /// Puts the groups of other nodes after these.
    pub fn append(&mut self, other: Self) {
        let moved = |range: Range<u32>, by: usize| range.start + by as u32..range.end + by as u32;
        let (all, linear, changes) = (self.all.len(), self.linear.len(), self.changes.len());
        self.nodes.extend(other.nodes.into_iter().map(|node| NodeGroups {
            all: moved(node.all, all),
            linear: moved(node.linear, linear),
            changes: moved(node.changes, changes),
        }));
        let (first_weight, first_product) = (self.weights.len() as u32, self.products.len() as u32);
        self.all.extend(other.all.into_iter().map(|group| Group {
            first_weight: group.first_weight + first_weight,
            first_product: group.first_product + first_product,
            ..group
        }));
        let first_joint = self.linear_joints.len() as u32;
        let linear = other.linear.into_iter();
        self.linear.extend(
            linear.map(|group| LinearGroup { first_joint: group.first_joint + first_joint, ..group }),
        );
        self.weights.extend(other.weights);
        self.products.extend(other.products);
        self.linear_joints.extend(other.linear_joints);
        self.linear_weights.extend(other.linear_weights);
        self.changes.extend(other.changes);
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..])
            + size_of_val(&self.all[..])
            + size_of_val(&self.linear[..])
            + size_of_val(&self.linear_joints[..])
            + size_of_val(&self.linear_weights[..])
            + size_of_val(&self.weights[..])
            + size_of_val(&self.products[..])
            + size_of_val(&self.changes[..])
    }
}
