//! The joints of a pose, placed and rounded: from a skeleton, or as somebody else computed them.
//!
//! In: a pose or matrices, then a placement. Out: one matrix per joint.
//! Must hold: the same placement gives the same bits, whether it came with the pose or later.

use glam::{Affine3A, DAffine3, Mat3A, Vec3A};

use super::chain::{Columns, Joints, Placed, Worlds, wide_columns};
use super::{Pose, PoseError, Skeleton};
use crate::math::Isometry;
use crate::simd::{self, Block};

/// Joints of one pose, with memory that is used again for the next.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedJoints {
    world: Vec<Columns>,
    /// `world(node) * inverse_bind`; empty where somebody else computed it.
    joints: Vec<Columns>,
    /// What somebody else computed.
    given: Vec<Block<2>>,
    /// The joints with a placement in front, rounded to f32: four columns each, the fourth number of which is 0.
    pub matrices: Vec<Block<2>>,
}

impl PosedJoints {
    /// Takes another pose, to be placed. A number that is not finite, of a node that joints hang on, makes joints that are not
    /// finite; it is left for later to find.
    ///
    /// # Errors
    /// The pose has another number of nodes, or one that no joint hangs on is not finite.
    pub fn set(&mut self, skeleton: &Skeleton, pose: &Pose) -> Result<(), PoseError> {
        let idle = || skeleton.idle_nodes.iter().all(|&node| pose.nodes[node as usize].is_finite());
        if pose.nodes.len() != skeleton.nodes().len() || !idle() {
            return skeleton.check_nodes(pose);
        }
        self.world.resize(skeleton.nodes().len(), Columns::default());
        self.joints.resize(skeleton.binds.len(), Columns::default());
        let steps = &skeleton.steps_to_joints;
        simd::run(Worlds { steps, transforms: &pose.nodes, world: &mut self.world });
        simd::run(Joints { joints: &skeleton.binds, world: &self.world, out: &mut self.joints });
        Ok(())
    }

    /// Takes matrices `world(node) * inverse_bind` that somebody else computed, to be placed.
    pub fn set_matrices(&mut self, matrices: impl Iterator<Item = Affine3A>) {
        self.joints.clear();
        self.given.clear();
        self.given.extend(matrices.map(|matrix| columns(&matrix)));
    }

    /// Puts a placement in front of the joints, and rounds.
    ///
    /// The placement comes last, as it does for bodies that are moved without being posed anew: the same bits.
    ///
    /// # Errors
    /// The placement is not rigid.
    pub fn place(&mut self, placement: &Isometry) -> Result<(), PoseError> {
        let placement = placement.checked().ok_or(PoseError::NotRigid)?;
        let (front, out) = (&wide_columns(&DAffine3::from(placement)), &mut self.matrices);
        if !self.joints.is_empty() {
            out.resize(self.joints.len(), Block::default());
            simd::run(Placed { front, matrices: &self.joints, out });
        } else if placement != Isometry::IDENTITY {
            out.resize(self.given.len(), Block::default());
            simd::run(Placed { front, matrices: &self.given, out });
        } else {
            out.clone_from(&self.given);
        }
        Ok(())
    }

    /// The first joint that is not finite.
    ///
    /// # Errors
    /// There is one.
    pub fn check_finite(&self) -> Result<(), PoseError> {
        let is_finite = |matrix: &Block<2>| matrix.as_flattened().iter().all(|number| number.is_finite());
        match self.matrices.iter().position(|matrix| !is_finite(matrix)) {
            Some(index) => Err(PoseError::NotFinite { object: "joint", index }),
            None => Ok(()),
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        (self.world.capacity() + self.joints.capacity()) * size_of::<Columns>()
            + (self.matrices.capacity() + self.given.capacity()) * size_of::<Block<2>>()
    }
}

/// The columns of a matrix, the fourth number of which is 0.
#[inline(always)]
pub(crate) fn columns(m: &Affine3A) -> Block<2> {
    let mut block = Block::<2>::default();
    m.matrix3.x_axis.extend(0.0).write_to_slice(&mut block[0][..4]);
    m.matrix3.y_axis.extend(0.0).write_to_slice(&mut block[0][4..]);
    m.matrix3.z_axis.extend(0.0).write_to_slice(&mut block[1][..4]);
    m.translation.extend(0.0).write_to_slice(&mut block[1][4..]);
    block
}

/// The matrix of these columns.
pub(super) fn affine([xy, zt]: &Block<2>) -> Affine3A {
    let column = |half: &[f32]| Vec3A::from_slice(half);
    let matrix3 = Mat3A::from_cols(column(xy), column(&xy[4..]), column(zt));
    Affine3A { matrix3, translation: column(&zt[4..]) }
}
