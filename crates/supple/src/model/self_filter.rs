//! Which pairs of triangles of one model are of no interest to self-collision.
//!
//! Neighbours touch by construction, and parts that are jointed together touch at the joint in every pose. What is left
//! out is decided on the mesh, the skin and the skeleton alone, never on a pose, so that the same pairs are left out in
//! every frame.
//!
//! *Seams.* Vertices at the same position in the file and in the rest pose are one vertex here ([`Model::welded_vertices`]), also
//! where weights or morph targets move the two sides of a seam differently. Such sides are usually meant to
//! stay together (weights of two parts, rounded differently; closed lips); taken as strangers, their triangles would be
//! reported all along the seam in the rest pose already. The price is small: where a seam is torn open and pushed
//! through itself, the triangles that meet at one and the same rest position are left out; their neighbours are not.

use thiserror::Error;

use super::Model;
use crate::pose::JointId;

/// Which pairs of triangles of one body are left out. Pairs that share a vertex (after welding seams) always are.
///
/// Joints at the same node of the skeleton (as files with several skins have them) count as one joint for `same_joint` and
/// `parent_and_child`.
///
/// ```
/// use supple::{JointId, SelfFilter};
///
/// let filter = SelfFilter::default().without_creases().with_rings(2).without_joints([JointId(3), JointId(7)]);
/// assert!(filter.same_joint && filter.parent_and_child);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SelfFilter {
    /// Also leave out pairs within this many rings of each other: triangles that share no vertex but a neighbour are one
    /// ring apart. 0: only those that share a vertex.
    pub adjacent_rings: u32,
    /// Leave out pairs that belong to one joint ([`Model::owning_joint`]).
    pub same_joint: bool,
    /// Leave out pairs that belong to a joint and its parent: the nearest ancestor in the skeleton that is a joint.
    pub parent_and_child: bool,
    /// Leave out pairs that belong to these pairs of joints, in either order.
    pub joint_pairs: Vec<[JointId; 2]>,
    /// Whether proofs that triangles cannot touch are used. Pairs do not depend on it, cost does: leave it alone unless you measure.
    pub certificates: Certificates,
}

/// Whether self-collision may stop at triangles that are known not to touch before they are posed: those of parts that hardly bend, and
/// that are far enough apart at rest. There are none for vertices that were given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Certificates {
    /// It may.
    #[default]
    Used,
    /// It looks at everything, for comparison.
    Ignored,
}

impl SelfFilter {
    /// Leaves out pairs within this many rings of each other.
    #[must_use]
    pub fn with_rings(self, adjacent_rings: u32) -> Self {
        Self { adjacent_rings, ..self }
    }

    /// Leaves out pairs that belong to one joint, and those of a joint and its parent: the creases of elbows and knees.
    #[must_use]
    pub fn without_creases(self) -> Self {
        Self { same_joint: true, parent_and_child: true, ..self }
    }

    /// With or without certificates.
    #[must_use]
    pub fn with_certificates(self, certificates: Certificates) -> Self {
        Self { certificates, ..self }
    }

    /// Leaves out what happens between these two joints.
    #[must_use]
    pub fn without_joints(mut self, pair: [JointId; 2]) -> Self {
        self.joint_pairs.push(pair);
        self
    }
}

/// Why a filter does not fit a model.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelfFilterError {
    /// A joint that does not exist.
    #[error("pair {pair} of the filter names joint {joint}, but there are only {joints} joints")]
    JointOutOfRange {
        /// Which pair.
        pair: usize,
        /// The joint it names.
        joint: u32,
        /// How many there are.
        joints: usize,
    },
}

/// Pairs of joints whose triangles are left out: a bit for each pair, in either order.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointPairs {
    joints: usize,
    bits: Vec<u64>,
}

impl JointPairs {
    /// What a filter says of a model's joints.
    ///
    /// # Errors
    /// A joint out of range.
    pub fn new(filter: &SelfFilter, model: &Model) -> Result<Self, SelfFilterError> {
        let (skeleton, joints) = (model.skeleton(), model.skin().joint_count());
        for (pair, named) in filter.joint_pairs.iter().enumerate() {
            if let Some(&joint) = named.iter().map(|joint| &joint.0).find(|&&joint| joint as usize >= joints)
            {
                return Err(SelfFilterError::JointOutOfRange { pair, joint, joints });
            }
        }
        if !(filter.same_joint || filter.parent_and_child) && filter.joint_pairs.is_empty() {
            return Ok(Self::default());
        }
        let mut pairs = Self { joints, bits: vec![0; (joints * joints).div_ceil(64)] };
        for &[a, b] in &filter.joint_pairs {
            pairs.insert(a.0 as usize, b.0 as usize);
        }
        let node = |joint: usize| skeleton.joints()[joint].node;
        let parents = if filter.parent_and_child { skeleton.nodes_of_parents() } else { vec![None; joints] };
        for joint in 0..joints {
            for other in 0..joints {
                if (filter.same_joint && node(other) == node(joint)) || parents[joint] == Some(node(other)) {
                    pairs.insert(joint, other);
                }
            }
        }
        Ok(pairs)
    }

    /// Whether any pair is left out.
    pub fn any(&self) -> bool {
        !self.bits.is_empty()
    }

    /// Whether the triangles of two joints are left out; false for joints out of range.
    #[inline(always)]
    pub fn contains(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        let bit = a * self.joints + b;
        a < self.joints && b < self.joints && self.bits[bit / 64] >> (bit % 64) & 1 != 0
    }

    fn insert(&mut self, a: usize, b: usize) {
        for bit in [a * self.joints + b, b * self.joints + a] {
            self.bits[bit / 64] |= 1 << (bit % 64);
        }
    }
}
