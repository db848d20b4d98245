//! A shape in a pose: volumes are refitted as their method does, vertices posed when a leaf is reached.
//!
//! A model with one joint is bounded in the space of that joint, as the papers do: volumes then do not follow rigid motion, and two
//! bodies are tested across their spaces. All others are bounded in the world.
//! Must hold: what is bounded are the vertices as skinning computes them in f32, from the same rounded numbers (matrices,
//! quaternions, rotation centers). Volumes are f64, whose own rounding disappears in the margin for the vertices.

use std::sync::Arc;

use glam::{Affine3A, DAffine3, DVec3, Vec3};

use super::coherence::Coherence;
use super::shape::NodeVolumes;
use super::spherical::CapRule;
use super::{Method, MethodError, PosedJoint, Shape, Tree, UNIT_ROUNDOFF, Volume, dual, linear, spherical};
use supple::rest::Rest;
use supple::{Isometry, Pose, PoseError, PosedModel, QueryStats};

/// An instance of a [`Shape`] in a pose.
#[derive(Clone, Debug)]
pub struct Body<V: Volume> {
    shape: Arc<Shape<V>>,
    /// The shape's, or one that was built for this pose.
    tree: Arc<Tree>,
    /// `world(joint) * inverse_bind`.
    matrices: Vec<Affine3A>,
    coefficients: Vec<f32>,
    /// The model in this pose; made when the first vertex is asked for.
    posed: Option<PosedModel<'static>>,
    /// All of them, or the one whose space the volumes are in. Empty for other models whose vertices are looked at.
    joints: Vec<PosedJoint>,
    /// From the space of the volumes to the world.
    frame: DAffine3,
    /// How far a vertex may be off, because it is computed in f32.
    margin: f64,
    /// Longest rest position, and longest displacement per field.
    rest_radius: f64,
    field_lengths: Vec<f64>,
    /// What is marked with it was computed for this pose.
    epoch: u32,
    volumes: Vec<(u32, V)>,
    vertices: Vec<(u32, Vec3)>,
    /// Rotation centers of joint-sets.
    centers: Vec<(u32, DVec3)>,
    /// All vertices in the space of the volumes, and for which pose.
    points: (u32, Vec<DVec3>),
    /// For which pose eager methods did their work.
    updated: u32,
    coherence: Option<Coherence<V>>,
    /// Memory for the points below one node.
    below: Vec<DVec3>,
}

impl<V: Volume> Body<V> {
    /// A body in the rest pose at the origin.
    ///
    /// # Errors
    /// A joint of the rest pose scales, and the method knows rigid joints only.
    pub fn new(shape: &Arc<Shape<V>>) -> Result<Self, MethodError> {
        let model = shape.model();
        let mut body = Self {
            shape: Arc::clone(shape),
            tree: Arc::clone(shape.tree()),
            matrices: Vec::new(),
            coefficients: Vec::new(),
            posed: None,
            joints: Vec::new(),
            frame: DAffine3::IDENTITY,
            margin: 0.0,
            rest_radius: longest_rest_position(model.rest(), model.mesh().positions()),
            field_lengths: field_lengths(model.rest(), model.mesh().positions().len()),
            epoch: 0,
            volumes: vec![(0, V::ORIGIN); shape.tree().nodes().len()],
            vertices: vec![(0, Vec3::ZERO); model.mesh().positions().len()],
            centers: vec![(0, DVec3::ZERO); model.skin().joint_set_count()],
            points: (0, Vec::new()),
            updated: 0,
            coherence: None,
            below: Vec::new(),
        };
        body.set_pose(&model.rest_pose(), &Isometry::IDENTITY)?;
        Ok(body)
    }

    /// Lets volumes of earlier coefficients grow instead of refitting them, while they grow by at most `tolerance` of their
    /// [size](Volume::size): BD-Tree, equation 11. Models of displacement fields only; for others it does nothing. Volumes that
    /// grow do not wrap those below them as [`Shape::wrapping_level`] makes them do.
    #[must_use]
    pub fn with_coherence(mut self, tolerance: f64) -> Self {
        self.coherence = Some(Coherence::new(self.tree.nodes().len(), tolerance, &self.coefficients));
        self
    }

    /// Takes a pose and a placement.
    ///
    /// # Errors
    /// A joint is not rigid and the method needs it, or the pose does not fit the model; the body then keeps the pose it had.
    pub fn set_pose(&mut self, pose: &Pose, placement: &Isometry) -> Result<(), MethodError> {
        let matrices = self.shape.model().skeleton().joint_matrices(pose, *placement)?;
        self.set_joint_matrices(&matrices, &pose.coefficients)
    }

    /// Takes joint matrices, `world(joint) * inverse_bind`, and the rest stage's coefficients.
    ///
    /// # Errors
    /// A joint is not rigid and the method needs it, or the numbers do not fit the model; the body then keeps the pose it had.
    pub fn set_joint_matrices(
        &mut self,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<(), MethodError> {
        let model = Arc::clone(self.shape.model());
        let frame_joint = self.shape.frame_joint();
        let coefficients = model.rest().checked_coefficients(coefficients)?.into_owned();
        let (expected, found) = (model.skin().joint_count(), matrices.len());
        if expected != found {
            return Err(PoseError::JointCount { expected, found }.into());
        }
        if let Some(index) = matrices.iter().position(|matrix| !matrix.is_finite()) {
            return Err(PoseError::NotFinite { object: "joint", index }.into());
        }
        let joint = |index: usize| {
            let posed = PosedJoint::new(&matrices[index], self.shape.skinning());
            posed.ok_or(MethodError::NotRigid { joint: index })
        };
        let joints = match frame_joint {
            Some(only) => vec![joint(only)?],
            None if self.shape.method().is_eager() => Vec::new(),
            None => (0..matrices.len()).map(joint).collect::<Result<_, _>>()?,
        };
        self.matrices.clear();
        self.matrices.extend_from_slice(matrices);
        self.posed = None;
        self.joints = joints;
        self.frame = frame_joint.map_or(DAffine3::IDENTITY, |_| self.joints[0].matrix);
        self.coefficients = coefficients;
        self.margin = self.vertex_margin(matrices);
        self.epoch += 1;
        if let Some(coherence) = &mut self.coherence {
            coherence.set(&self.coefficients);
        }
        Ok(())
    }

    /// The shape.
    pub fn shape(&self) -> &Arc<Shape<V>> {
        &self.shape
    }

    /// The tree: the shape's, or where the method builds a new one for every pose, the one that queries last built.
    pub fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }

    /// From the space of the volumes to the world: the only joint's, or the world's own.
    pub fn frame(&self) -> &DAffine3 {
        &self.frame
    }

    /// The volume of a node in this pose, computed once, or each time if `again`; in the space of [`frame`](Self::frame).
    ///
    /// # Panics
    /// There is no such node.
    pub fn volume(&mut self, node: usize, again: bool, stats: &mut QueryStats) -> V {
        self.update(stats);
        let (epoch, volume) = self.volumes[node];
        if epoch == self.epoch && (!again || self.shape.method().is_eager()) {
            return volume;
        }
        let volume = self.refit(node, stats);
        self.volumes[node] = (self.epoch, volume);
        volume
    }

    /// The tree of this pose, which some methods have to build first.
    pub(super) fn tree_of_pose(&mut self, stats: &mut QueryStats) -> Arc<Tree> {
        self.update(stats);
        Arc::clone(&self.tree)
    }

    /// Whether a node's volume has been computed for this pose.
    ///
    /// # Panics
    /// There is no such node.
    pub fn is_refitted(&self, node: usize) -> bool {
        self.volumes[node].0 == self.epoch
    }

    /// The posed corners of a triangle in the world.
    ///
    /// # Panics
    /// There is no such triangle.
    pub fn triangle(&mut self, triangle: u32, stats: &mut QueryStats) -> [Vec3; 3] {
        let corners = self.shape.model().mesh().triangles()[triangle as usize];
        corners.map(|vertex| self.vertex(vertex as usize, stats))
    }

    /// The posed position of a vertex in the world, computed once.
    pub(super) fn vertex(&mut self, vertex: usize, stats: &mut QueryStats) -> Vec3 {
        if self.vertices[vertex].0 != self.epoch {
            self.vertices[vertex] = (self.epoch, self.posed().position(vertex as u32));
            stats.vertices_deformed += 1;
        }
        self.vertices[vertex].1
    }

    /// All vertices in the space of the volumes.
    pub(super) fn points(&mut self) -> &[DVec3] {
        if self.points.0 != self.epoch {
            let positions = match self.shape.frame_joint() {
                Some(_) => self.posed().rest_positions(),
                None => self.posed().positions(),
            };
            self.points = (self.epoch, positions.iter().map(|p| p.as_dvec3()).collect());
        }
        &self.points.1
    }

    /// The model in this pose.
    fn posed(&mut self) -> &PosedModel<'static> {
        self.posed.get_or_insert_with(|| {
            let (model, skinning) = (self.shape.model(), self.shape.skinning());
            PosedModel::shared(model, skinning, &self.matrices, &self.coefficients)
                .expect("matrices and coefficients were checked when they were taken")
        })
    }

    /// What the eager methods do before the first question: all volumes, or those of the upper half of the levels.
    fn update(&mut self, stats: &mut QueryStats) {
        let method = self.shape.method();
        if !method.is_eager() || self.updated == self.epoch {
            return;
        }
        self.updated = self.epoch;
        stats.vertices_deformed += self.points().len() as u64;
        if method == Method::Rebuild {
            let positions: Vec<Vec3> = self.points().iter().map(|p| p.as_vec3()).collect();
            let triangles = self.shape.model().mesh().triangles();
            self.tree = Arc::new(self.shape.tree().rebuilt(&positions, triangles));
            self.volumes = vec![(0, V::ORIGIN); self.tree.nodes().len()];
        }
        let tree = Arc::clone(&self.tree);
        let last = tree.first_from_vertices(method);
        let mut children = Vec::new();
        for (index, node) in tree.nodes().iter().enumerate().rev().filter(|(_, node)| node.level() <= last) {
            let volume = if node.is_leaf() || node.level() == last {
                self.around_vertices(index)
            } else {
                children.clear();
                children.extend(node.children().map(|child| self.volumes[child].1));
                V::layered(&children)
            };
            stats.refits += 1;
            self.volumes[index] = (self.epoch, volume);
        }
    }

    fn around_vertices(&mut self, node: usize) -> V {
        let (shape, tree) = (Arc::clone(&self.shape), Arc::clone(&self.tree));
        let mut below = std::mem::take(&mut self.below);
        let points = self.points();
        below.clear();
        if let Some(NodeVolumes::Vertices(vertices)) = shape.node(node) {
            below.extend(vertices.iter().map(|&vertex| points[vertex]));
        } else {
            let triangles = shape.model().mesh().triangles();
            let corners = tree.triangles_below(node).iter().flat_map(|&t| triangles[t as usize]);
            below.extend(corners.map(|vertex| points[vertex as usize]));
        }
        let volume = V::smallest(&below).grown(self.margin);
        self.below = below;
        volume
    }

    fn refit(&mut self, node: usize, stats: &mut QueryStats) -> V {
        let shape = Arc::clone(&self.shape);
        let skin = shape.model().skin();
        if let (Some(NodeVolumes::Fields(fields)), Some(coherence)) = (shape.node(node), &mut self.coherence)
        {
            return coherence.volume(node, fields, &self.coefficients, stats).grown(self.margin);
        }
        stats.refits += 1;
        let volume = match shape.node(node) {
            Some(NodeVolumes::Fields(fields)) => fields.displaced(&self.coefficients),
            Some(NodeVolumes::Morph(shapes)) => shapes.blended(&self.coefficients),
            Some(NodeVolumes::Skinned(rest, sets)) => match shape.method() {
                Method::Spherical | Method::SphericalAsPrinted => {
                    let rule = CapRule::of(shape.method());
                    spherical::refit(rest, sets, skin, &self.joints, &mut self.centers, self.epoch, rule)
                }
                Method::DualQuaternion => dual::refit(rest, sets, skin, &self.joints),
                _ => linear::refit(rest, sets, skin, &self.joints),
            },
            Some(NodeVolumes::Vertices(_)) | None => return self.around_vertices(node),
        };
        volume.grown(self.margin)
    }

    /// How far f32 takes a vertex off, in space: the blend of `n` matrices, its application and the weights' sum `2 n + 4` per
    /// coordinate, a rest stage of `m` terms `m + 1`, the rest generously for products of errors; in units of all terms' absolute
    /// values; twice for the step from coordinates to lengths.
    fn vertex_margin(&self, matrices: &[Affine3A]) -> f64 {
        let model = self.shape.model();
        let (n, m) = (model.skin().max_influences(), model.rest().coefficient_count());
        let displaced = self.field_lengths.iter().zip(&self.coefficients);
        let radius =
            self.rest_radius + displaced.map(|(length, &q)| length * f64::from(q).abs()).sum::<f64>();
        let magnitude = |matrix: &Affine3A| {
            let matrix = matrix.as_daffine3();
            let stretch = matrix.matrix3.to_cols_array().iter().map(|x| x * x).sum::<f64>().sqrt();
            stretch * radius + matrix.translation.length()
        };
        let largest = matrices.iter().map(magnitude).fold(0.0, f64::max);
        2.0 * (2 * n + m + 8) as f64 * UNIT_ROUNDOFF * largest + f64::from(f32::MIN_POSITIVE)
    }
}

fn longest_rest_position(rest: &Rest, positions: &[Vec3]) -> f64 {
    let length = |p: &Vec3| p.as_dvec3().length();
    match rest {
        Rest::Morph(morph) => {
            let vertices = (0..positions.len() as u32).flat_map(|vertex| morph.of_vertex(vertex));
            vertices.map(length).fold(0.0, f64::max)
        }
        _ => positions.iter().map(length).fold(0.0, f64::max),
    }
}

fn field_lengths(rest: &Rest, vertices: usize) -> Vec<f64> {
    let Rest::Fields(fields) = rest else { return Vec::new() };
    let mut lengths = vec![0.0f64; fields.count()];
    for (field, u) in (0..vertices as u32).flat_map(|vertex| fields.of_vertex(vertex)) {
        lengths[field] = lengths[field].max(u.as_dvec3().length());
    }
    lengths
}
