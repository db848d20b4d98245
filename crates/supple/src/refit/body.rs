//! A body: one instance of a shape, in a pose, with a placement.

use std::borrow::Cow;
use std::sync::Arc;

use glam::Affine3A;

use super::cache::Cache;
use super::children::{Children, EightVolumes};
use super::given_vertices::GivenVertices;
use super::mode::Mode;
use super::volume::Volume;
use crate::answer::QueryStats;
use crate::math::outward::radius_of;
use crate::math::{Aabb, Isometry};
use crate::model::Model;
use crate::pose::{Pose, PoseError, PosedJoints, Skeleton, Transform};
use crate::skin::{Magnitude, Palette, PosedBends, Skinning};
use crate::tree::{MAX_COORDINATE, Shape, Tree};

/// An instance of a [`Shape`]: cheap to pose, asked by queries.
///
/// There is no refit call. Setting a pose costs O(joints); bounds and vertices are computed inside queries, only where
/// a query looks, and kept until the next pose.
///
/// ```
/// use std::sync::Arc;
/// use glam::Vec3;
/// use supple::{Body, BuildOptions, Isometry, Mesh, Model, Shape, Skinning};
///
/// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.set_placement(Isometry::from_translation(Vec3::new(0.25, 0.25, 0.0)))?;
/// assert_eq!(supple::collide(&mut a, &mut b).found, [[0, 0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    pub(super) shape: Arc<Shape>,
    pub(super) palette: Palette,
    pub(super) bends: PosedBends,
    /// Empty where all are 0.
    pub(super) coefficients: Vec<f32>,
    joints: PosedJoints,
    /// Joints that are being taken: if they are refused, the body keeps those it had.
    next_joints: PosedJoints,
    /// Memory for a pose between two others, kept from one to the next.
    spare_pose: Pose,
    pub(super) placement: Isometry,
    pub(super) mode: Mode,
    /// The tree that is walked: the shape's, or one that was built for the vertices given.
    pub(super) tree: Arc<Tree>,
    pub(super) vertices: GivenVertices,
    pub(super) cache: Cache,
}

impl Body {
    /// A body in the rest pose at the origin.
    ///
    /// # Errors
    /// The rest pose does not fit into f32.
    pub fn new(shape: &Arc<Shape>, skinning: Skinning) -> Result<Self, PoseError> {
        let model = shape.model();
        let unplaced = vec![Affine3A::IDENTITY; model.skin().joint_count()];
        let mut body = Self {
            shape: Arc::clone(shape),
            palette: Palette::new(model.skin(), skinning, &unplaced)?,
            bends: PosedBends::default(),
            coefficients: Vec::new(),
            joints: PosedJoints::default(),
            next_joints: PosedJoints::default(),
            spare_pose: Pose::default(),
            placement: Isometry::IDENTITY,
            mode: Mode::Joints,
            tree: Arc::clone(shape.tree()),
            vertices: GivenVertices::default(),
            cache: Cache::new(shape.tree().nodes.len()),
        };
        body.set_pose(&model.rest_pose())?;
        Ok(body)
    }

    /// Takes a pose. O(nodes of the skeleton + coefficients). Vertices that were given are forgotten.
    ///
    /// # Errors
    /// The pose does not fit the model or is not finite; the body then keeps the pose it had.
    pub fn set_pose(&mut self, pose: &Pose) -> Result<(), PoseError> {
        self.set_pose_at(pose, self.placement)
    }

    /// Moves the body without changing its pose, or the vertices that were given.
    ///
    /// # Errors
    /// The placement is not finite, or takes the body beyond f32; the body then stays where it was.
    pub fn set_placement(&mut self, placement: Isometry) -> Result<(), PoseError> {
        if let Mode::Vertices(_) = self.mode {
            return self.place_vertices(placement);
        }
        let mut joints = std::mem::take(&mut self.joints);
        let taken = joints.place(&placement).and_then(|()| self.take(&mut joints, None));
        self.joints = joints;
        taken?;
        self.placement = placement;
        Ok(())
    }

    /// Takes a pose and a placement at once, for the price of one.
    ///
    /// # Errors
    /// Like [`set_pose`](Self::set_pose) and [`set_placement`](Self::set_placement); the body is then unchanged.
    pub fn set_pose_at(&mut self, pose: &Pose, placement: Isometry) -> Result<(), PoseError> {
        let set = |joints: &mut PosedJoints, skeleton: &Skeleton| joints.set(skeleton, pose);
        let taken = self.exchange(set, &pose.coefficients, placement);
        // Numbers that are not finite are found at the joints: the error names the node where they began.
        taken.or_else(|error| self.model().skeleton().check_nodes(pose).and(Err(error)))
    }

    /// Takes joint matrices that somebody else computed, e.g. an engine: `world(joint) * inverse_bind`; and the rest
    /// stage's coefficients. The placement stays and is applied in front of them: leave it at the identity if the
    /// matrices already contain it.
    ///
    /// # Errors
    /// Wrong counts or numbers that are not finite; the body is then unchanged.
    pub fn set_joint_matrices(
        &mut self,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<(), PoseError> {
        self.set_joint_matrices_at(matrices, coefficients, self.placement)
    }

    /// Takes joint matrices, coefficients and a placement in front of them at once, for the price of one.
    ///
    /// # Errors
    /// Like [`set_joint_matrices`](Self::set_joint_matrices) and [`set_placement`](Self::set_placement); the body is then unchanged.
    pub fn set_joint_matrices_at(
        &mut self,
        matrices: &[Affine3A],
        coefficients: &[f32],
        placement: Isometry,
    ) -> Result<(), PoseError> {
        self.take_joint_matrices(matrices.iter().copied(), coefficients, placement)
    }

    /// Joint matrices, coefficients and a placement in front of them.
    pub(crate) fn take_joint_matrices(
        &mut self,
        matrices: impl Iterator<Item = Affine3A>,
        coefficients: &[f32],
        placement: Isometry,
    ) -> Result<(), PoseError> {
        let set = |joints: &mut PosedJoints, _: &Skeleton| {
            joints.set_matrices(matrices);
            Ok(())
        };
        self.exchange(set, coefficients, placement)
    }

    /// Replaces the old joints by new ones, unless something is wrong with them.
    fn exchange(
        &mut self,
        set: impl FnOnce(&mut PosedJoints, &Skeleton) -> Result<(), PoseError>,
        coefficients: &[f32],
        placement: Isometry,
    ) -> Result<(), PoseError> {
        let mut joints = std::mem::take(&mut self.next_joints);
        let checked = self.model().rest().checked_coefficients(coefficients);
        let taken = checked.and_then(|coefficients| {
            set(&mut joints, self.model().skeleton())?;
            joints.place(&placement)?;
            self.take(&mut joints, Some(coefficients))
        });
        if taken.is_ok() {
            self.placement = placement;
            std::mem::swap(&mut self.joints, &mut joints);
        }
        self.next_joints = joints;
        taken
    }

    /// The shape.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// How joints are blended.
    pub fn skinning(&self) -> Skinning {
        self.palette.skinning()
    }

    /// Where the body is.
    pub fn placement(&self) -> Isometry {
        self.placement
    }

    /// A box around the body in its current pose: the bound of its tree's root. Computed once per pose.
    pub fn bound(&mut self) -> Aabb {
        let entry = self.children::<Aabb>(self.above_root(), &mut QueryStats::default());
        self.bounds::<Aabb>(entry).bounds.get(0)
    }

    /// Bytes of memory that the body takes, besides its shape. It grows with the largest part of the tree that a query
    /// has looked at in one pose.
    pub fn memory_bytes(&self) -> usize {
        let pose = self.spare_pose.nodes.capacity() * size_of::<Transform>()
            + self.spare_pose.coefficients.capacity() * size_of::<f32>();
        let vertices = self.vertices.bytes()
            + if Arc::ptr_eq(&self.tree, self.shape.tree()) { 0 } else { self.tree.bytes() };
        let joints = self.palette.bytes() + self.joints.bytes() + self.next_joints.bytes();
        self.cache.bytes() + joints + pose + vertices
    }

    /// Everything is checked before anything is changed.
    fn take(&mut self, joints: &mut PosedJoints, coefficients: Option<Cow<[f32]>>) -> Result<(), PoseError> {
        let tree = self.shape.tree();
        let displacement: f32 = {
            let coefficients = coefficients.as_deref().unwrap_or(&self.coefficients);
            let moved = tree.field_lengths.iter().zip(coefficients);
            radius_of(moved.map(|(&length, &q)| f64::from(length) * f64::from(q.abs())).sum())
        };
        let (magnitude, total) = Magnitude::of_joints(&joints.matrices, &tree.rest_radii, displacement);
        // A NaN is not near either.
        let surely_near = total <= SURELY_NEAR;
        if joints.matrices.len() != tree.rest_radii.len() || !surely_near {
            check_joints(joints, &tree.rest_radii, displacement)?;
        }
        self.palette.exchange(self.shape.model().skin(), &mut joints.matrices);
        self.palette.set_magnitude(magnitude);
        if self.palette.skinning() != Skinning::Linear {
            self.bends.set(&tree.bends, &self.palette, displacement);
        }
        if let Some(coefficients) = coefficients {
            self.coefficients.clear();
            if coefficients.iter().any(|&q| q != 0.0) {
                self.coefficients.extend_from_slice(&coefficients);
            }
        }
        if self.mode != Mode::Joints {
            self.mode = Mode::Joints;
            self.take_tree(Arc::clone(self.shape.tree()));
        }
        self.cache.forget();
        Ok(())
    }

    /// Forgets what was computed, and walks this tree from now on.
    pub(super) fn take_tree(&mut self, tree: Arc<Tree>) {
        self.cache.make_room(tree.nodes.len());
        self.cache.forget();
        self.tree = tree;
    }

    pub(crate) fn model(&self) -> &Model {
        self.shape.model()
    }

    /// The tree that is walked.
    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// Joints of blended rotations in the current pose; nothing for linear skinning.
    pub(super) fn bends(&self) -> &PosedBends {
        &self.bends
    }

    /// Joints in the current pose.
    pub(super) fn palette(&self) -> &Palette {
        &self.palette
    }

    /// How far vertices that follow each joint, and others, are from their linear blend, at most.
    pub(super) fn bends_of_joints(&self) -> Vec<f32> {
        let (skin, bends) = (self.model().skin(), &self.tree.bends);
        let mut of_joints = vec![0.0f32; skin.joint_count()];
        let sets = if self.skinning() == Skinning::Linear { 0 } else { skin.joint_set_count() };
        for set in 0..sets {
            let bend = self.bends.of_set(bends.of_set(set));
            for &joint in skin.joint_set(set) {
                of_joints[joint as usize] = of_joints[joint as usize].max(bend);
            }
        }
        of_joints
    }

    /// Whether fields displace vertices in this pose.
    pub(crate) fn is_displaced(&self) -> bool {
        !self.coefficients.is_empty()
    }

    /// A pose to be overwritten, which has grown before.
    pub(crate) fn take_spare_pose(&mut self) -> Pose {
        std::mem::take(&mut self.spare_pose)
    }

    pub(crate) fn keep_spare_pose(&mut self, pose: Pose) {
        self.spare_pose = pose;
    }

    /// The node above the root, whose only child is the root.
    pub(crate) fn above_root(&self) -> usize {
        self.tree().nodes.len()
    }

    /// Where a descent begins: above the root; at the root where all boxes are known, and it has children.
    #[inline(always)]
    pub(crate) fn descent_start(&self) -> usize {
        if self.cache.whole && !self.tree.nodes[0].is_leaf() { 0 } else { self.above_root() }
    }

    /// Where the bounds of a node's children are; computed at most once per pose.
    #[inline(always)]
    pub(crate) fn children<V: Volume>(&mut self, node: usize, stats: &mut QueryStats) -> usize {
        let entry = self.loose_children::<V>(node, stats);
        let loose = self.bounds::<V>(entry).loose;
        if loose != 0 {
            self.tighten::<V>(entry, loose, stats);
        }
        entry
    }

    /// The same, for who can do with bounds that were cheap: see [`tighten_where`](Self::tighten_where).
    #[inline(always)]
    pub(crate) fn loose_children<V: Volume>(&mut self, node: usize, stats: &mut QueryStats) -> usize {
        match V::stored_ref(&self.cache).find(node) {
            Some(entry) => entry,
            None => self.refit_children::<V>(node, stats),
        }
    }

    /// Makes bounds tight that are loose and matter; `mattering` tells the children that do.
    #[inline(always)]
    pub(crate) fn tighten_where<V: Volume>(
        &mut self,
        entry: usize,
        stats: &mut QueryStats,
        mattering: impl Fn(&Children<V>) -> u8,
    ) {
        let children = self.bounds::<V>(entry);
        if children.loose != 0 {
            let chosen = children.loose & mattering(children);
            if chosen != 0 {
                self.tighten_some::<V>(entry, chosen, stats);
            }
        }
    }

    /// The bounds of children that were computed for this pose.
    #[inline(always)]
    pub(crate) fn bounds<V: Volume>(&self, entry: usize) -> &Children<V> {
        V::stored_ref(&self.cache).get(entry)
    }

    #[inline(never)]
    fn refit_children<V: Volume>(&mut self, node: usize, stats: &mut QueryStats) -> usize {
        match self.mode {
            Mode::Joints => {
                self.pose_everything_if_cheaper::<V>(stats);
                match V::stored_ref(&self.cache).find(node) {
                    Some(entry) => entry,
                    None => self.bound_by_joints::<V>(node, stats),
                }
            }
            Mode::Vertices(update) => self.bound_by_vertices::<V>(node, update, stats),
        }
    }

    /// Forgets all that was computed for this pose.
    pub(super) fn forget(&mut self) {
        self.cache.forget();
    }
}

/// A joint may scale by this much at most, whatever it scales: the number itself has to fit into f32.
const MAX_STRETCH: f32 = 1e30;

/// Joints whose numbers have no larger sum need not be looked at one by one: half of what is allowed, as sums are rounded.
const SURELY_NEAR: f32 = 0.5 * MAX_COORDINATE;

/// Refuses joints that are not finite, take vertices farther than [`MAX_COORDINATE`], or are too few or many.
fn check_joints(joints: &PosedJoints, rest_radii: &[f32], displacement: f32) -> Result<(), PoseError> {
    joints.check_finite()?;
    for (index, (matrix, &radius)) in joints.matrices.iter().zip(rest_radii).enumerate() {
        let Magnitude { rest, stretch, translation, .. } =
            Magnitude::of_joint(matrix, radius.max(0.0) + displacement);
        let distance = f64::from(stretch) * f64::from(rest) + f64::from(translation);
        // Rest positions too: fields may displace them far, and a small joint bring them back.
        let near = rest <= MAX_COORDINATE && distance <= f64::from(MAX_COORDINATE);
        if !near || stretch > MAX_STRETCH {
            return Err(PoseError::TooFar { joint: index as u32, distance: distance.max(rest.into()) });
        }
    }
    match (rest_radii.len(), joints.matrices.len()) {
        (expected, found) if expected != found => Err(PoseError::JointCount { expected, found }),
        _ => Ok(()),
    }
}
