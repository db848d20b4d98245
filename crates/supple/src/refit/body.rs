//! A body: one instance of a shape, in a pose, at a place.

use std::borrow::Cow;
use std::sync::Arc;

use glam::{Affine3A, DAffine3, Vec3};

use super::Volume;
use super::cache::{Cache, LeafTriangle};
use crate::math::{Aabb, Isometry};
use crate::model::{Job, Model, POSITION, deform, with_stages};
use crate::pose::{Pose, PoseError};
use crate::query_stats::QueryStats;
use crate::rest::RestStage;
use crate::simd::TwoFours;
use crate::skin::{Palette, SkinStage, Skinning};
use crate::tree::{MAX_COORDINATE, Shape, Tree};

/// An instance of a [`Shape`]: cheap to pose, asked by queries.
///
/// There is no refit call. Setting a pose costs O(joints); bounds and vertices are computed inside queries, only where
/// a query looks, and kept until the next pose.
///
/// ```
/// use std::sync::Arc;
/// use glam::Vec3;
/// use supple::{Body, BuildOptions, Shape, Skinning, math::Isometry, mesh::Mesh, model::Model};
///
/// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let shape = Arc::new(Shape::build(Model::rigid(mesh), &BuildOptions::default())?);
/// let mut a = Body::new(&shape, Skinning::Linear)?;
/// let mut b = Body::new(&shape, Skinning::Linear)?;
/// b.place(Isometry::from_translation(Vec3::new(0.25, 0.25, 0.0)))?;
/// assert_eq!(supple::collide(&mut a, &mut b).pairs, [[0, 0]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Body {
    shape: Arc<Shape>,
    palette: Palette,
    coefficients: Vec<f32>,
    /// `world * inverse_bind` of the current pose, before the placement.
    joints: Vec<DAffine3>,
    placement: Isometry,
    cache: Cache,
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
            coefficients: Vec::new(),
            joints: Vec::new(),
            placement: Isometry::IDENTITY,
            cache: Cache::default(),
        };
        body.set_pose(&model.rest_pose())?;
        Ok(body)
    }

    /// Takes a pose. O(nodes of the skeleton + coefficients).
    ///
    /// # Errors
    /// The pose does not fit the model or is not finite; the body then keeps the pose it had.
    pub fn set_pose(&mut self, pose: &Pose) -> Result<(), PoseError> {
        self.set_pose_and_place(pose, self.placement)
    }

    /// Moves the body without changing its pose.
    ///
    /// # Errors
    /// The placement is not finite, or takes the body beyond f32; the body then stays where it was.
    pub fn place(&mut self, placement: Isometry) -> Result<(), PoseError> {
        let matrices = placed(&self.joints, &placement)?;
        self.take(&matrices, None)?;
        self.placement = placement;
        Ok(())
    }

    /// Takes a pose and a placement at once, for the price of one.
    ///
    /// # Errors
    /// Like [`set_pose`](Self::set_pose) and [`place`](Self::place); the body is then unchanged.
    pub fn set_pose_and_place(&mut self, pose: &Pose, placement: Isometry) -> Result<(), PoseError> {
        let model = Arc::clone(self.shape.model());
        let coefficients = model.rest().checked_coefficients(&pose.coefficients)?;
        let world = model.skeleton().world_matrices(pose)?;
        let joints: Vec<DAffine3> =
            model.skeleton().joints().iter().map(|j| world[j.node] * j.inverse_bind).collect();
        let matrices = placed(&joints, &placement)?;
        self.take(&matrices, Some(coefficients))?;
        (self.joints, self.placement) = (joints, placement);
        Ok(())
    }

    /// Takes joint matrices that somebody else computed, e.g. an engine: `world(joint) * inverse_bind`; and the rest
    /// stage's coefficients. The placement stays and is applied in front of them: leave it at the identity if the
    /// matrices already take the body to its place.
    ///
    /// # Errors
    /// Wrong counts or numbers that are not finite; the body is then unchanged.
    pub fn set_joint_matrices(
        &mut self,
        matrices: &[Affine3A],
        coefficients: &[f32],
    ) -> Result<(), PoseError> {
        let coefficients = self.model().rest().checked_coefficients(coefficients)?.into_owned();
        let joints: Vec<DAffine3> = matrices.iter().map(|m| m.as_daffine3()).collect();
        let placed = placed(&joints, &self.placement)?;
        self.take(&placed, Some(Cow::Owned(coefficients)))?;
        self.joints = joints;
        Ok(())
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
    pub fn placement(&self) -> &Isometry {
        &self.placement
    }

    /// The posed position of a vertex, in the world; computed at most once per pose.
    ///
    /// # Panics
    /// The vertex is out of range.
    pub fn position(&mut self, vertex: usize) -> Vec3 {
        self.cache.positions.make_room(self.shape.model().mesh().positions().len(), Vec3::ZERO);
        self.pose_vertices(&[vertex as u32], &mut QueryStats::default());
        *self.cache.positions.get(vertex)
    }

    /// Posed positions of all vertices, in the world, one by one through the cache. To only deform a mesh, use
    /// [`Model::posed_at`](crate::model::Model::posed_at), which is vectorised and gives the same bits.
    pub fn positions(&mut self) -> Vec<Vec3> {
        (0..self.model().mesh().positions().len()).map(|v| self.position(v)).collect()
    }

    /// Everything is checked before anything is changed.
    fn take(&mut self, matrices: &[Affine3A], coefficients: Option<Cow<[f32]>>) -> Result<(), PoseError> {
        let shape = Arc::clone(&self.shape);
        let tree = shape.tree();
        let displacement: f32 = {
            let coefficients = coefficients.as_deref().unwrap_or(&self.coefficients);
            tree.field_reaches.iter().zip(coefficients).map(|(reach, q)| reach * q.abs()).sum()
        };
        let rest_reaches = || tree.rest_reaches.iter().map(|rest| rest + displacement);
        for (index, (matrix, rest)) in matrices.iter().zip(rest_reaches()).enumerate() {
            check_range(index, matrix, rest)?;
        }
        self.palette.set(shape.model().skin(), matrices)?;
        self.palette.set_rest_reaches(rest_reaches());
        if let Some(coefficients) = coefficients {
            self.coefficients.clear();
            self.coefficients.extend_from_slice(&coefficients);
        }
        self.cache.next_epoch();
        Ok(())
    }

    pub(crate) fn model(&self) -> &Model {
        self.shape.model()
    }

    pub(crate) fn tree(&self) -> &Tree {
        self.shape.tree()
    }

    /// An empty list that has grown in earlier queries: after the first few, queries allocate nothing.
    pub(crate) fn take_open_pairs(&mut self) -> Vec<(u32, u32)> {
        std::mem::take(&mut self.cache.open_pairs)
    }

    pub(crate) fn keep_open_pairs(&mut self, mut open: Vec<(u32, u32)>) {
        open.clear();
        self.cache.open_pairs = open;
    }

    /// An empty list, likewise.
    pub(crate) fn take_candidates(&mut self) -> Vec<LeafTriangle> {
        std::mem::take(&mut self.cache.candidates)
    }

    pub(crate) fn keep_candidates(&mut self, mut candidates: Vec<LeafTriangle>) {
        candidates.clear();
        self.cache.candidates = candidates;
    }

    /// Bounds the root.
    pub(crate) fn refit_root<V: Volume>(&mut self, stats: &mut QueryStats) {
        let nodes = self.tree().nodes.len();
        V::stored(&mut self.cache).make_room(nodes, V::NOWHERE);
        let vertices = self.model().mesh().positions().len();
        self.cache.positions.make_room(vertices, Vec3::ZERO);
        self.refit::<V>(0..1, stats);
    }

    /// Bounds the children of an inner node.
    #[inline(always)]
    pub(crate) fn refit_children<V: Volume>(&mut self, node: usize, stats: &mut QueryStats) {
        let children = self.shape.tree().nodes[node].range();
        // Children are bounded together, so the first one speaks for all.
        if !V::stored_ref(&self.cache).is_current(children.start, self.cache.epoch()) {
            self.refit::<V>(children, stats);
        }
    }

    /// The bound of a node that was refitted for this pose.
    #[inline(always)]
    pub(crate) fn bound<V: Volume>(&self, node: usize) -> &V {
        debug_assert!(V::stored_ref(&self.cache).is_current(node, self.cache.epoch()));
        V::stored_ref(&self.cache).get(node)
    }

    #[inline(never)]
    fn refit<V: Volume>(&mut self, nodes: std::ops::Range<usize>, stats: &mut QueryStats) {
        let Self { shape, palette, cache, coefficients, .. } = self;
        let epoch = cache.epoch();
        let stored = V::stored(cache);
        if stored.is_current(nodes.start, epoch) {
            return;
        }
        let (model, tree) = (shape.model(), shape.tree());
        if palette.skinning() != Skinning::Linear {
            for group in tree.nodes[nodes.clone()].iter().flat_map(|n| &tree.groups[n.groups()]) {
                palette.prepare_set(model.skin(), group.set as usize);
            }
        }
        stats.refits += nodes.len() as u64;
        with_stages(model, palette, coefficients, Refit::<V> { tree, model, nodes, epoch, stored });
    }

    /// Poses the vertices of a leaf's triangles.
    #[inline(always)]
    pub(crate) fn pose_leaf(&mut self, leaf: usize, stats: &mut QueryStats) {
        let shape = Arc::clone(&self.shape);
        let triangles = shape.tree().nodes[leaf].range();
        self.pose_vertices(shape.tree().corners[triangles].as_flattened(), stats);
    }

    /// The triangle at a place in leaf order; its leaf has been posed.
    #[inline(always)]
    pub(crate) fn leaf_triangle(&self, place: usize) -> LeafTriangle {
        let tree = self.tree();
        let corners = tree.corners[place].map(|v| *self.cache.positions.get(v as usize));
        let [p, q, r] = corners;
        let bounds = Aabb { min: p.min(q).min(r), max: p.max(q).max(r) };
        LeafTriangle { id: tree.triangles[place], corners, bounds }
    }

    /// Appends the triangles of a posed leaf that may reach into a bound.
    #[inline(always)]
    pub(crate) fn triangles_reaching<V: Volume>(&self, leaf: usize, bound: &V, out: &mut Vec<LeafTriangle>) {
        let triangles = self.tree().nodes[leaf].range().map(|place| self.leaf_triangle(place));
        out.extend(triangles.filter(|triangle| bound.overlaps_box(&triangle.bounds)));
    }

    fn pose_vertices(&mut self, vertices: &[u32], stats: &mut QueryStats) {
        let Self { shape, palette, cache, coefficients, .. } = self;
        let epoch = cache.epoch();
        let positions = &mut cache.positions;
        if vertices.iter().all(|&v| positions.is_current(v as usize, epoch)) {
            return;
        }
        let model = shape.model();
        if palette.skinning() == Skinning::Spherical {
            for &vertex in vertices {
                palette.prepare_set(model.skin(), model.skin().set_of_vertex(vertex as usize));
            }
        }
        let posed = with_stages(model, palette, coefficients, PoseVertices { vertices, epoch, positions });
        stats.vertices_deformed += posed;
    }
}

/// Joint matrices with the placement in front, rounded once.
fn placed(joints: &[DAffine3], placement: &Isometry) -> Result<Vec<Affine3A>, PoseError> {
    let placement = DAffine3::from(*placement);
    let place = |(index, joint): (usize, &DAffine3)| {
        let matrix = (placement * *joint).as_affine3a();
        if matrix.is_finite() { Ok(matrix) } else { Err(PoseError::NotFinite { object: "joint", index }) }
    };
    joints.iter().enumerate().map(place).collect()
}

/// A joint may scale by this much at most, whatever it scales: the number itself has to fit into f32.
const MAX_STRETCH: f64 = 1e30;

/// Refuses joints that take vertices farther than [`MAX_COORDINATE`].
fn check_range(index: usize, matrix: &Affine3A, rest: f32) -> Result<(), PoseError> {
    let columns = [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let stretch = columns.map(|c| c.as_dvec3().length()).iter().sum::<f64>();
    let reach = stretch * f64::from(rest) + matrix.translation.as_dvec3().length();
    if stretch <= MAX_STRETCH && reach <= f64::from(MAX_COORDINATE) {
        Ok(())
    } else {
        Err(PoseError::TooFar { joint: index, reach })
    }
}

struct Refit<'a, V> {
    tree: &'a Tree,
    model: &'a Model,
    nodes: std::ops::Range<usize>,
    epoch: u32,
    stored: &'a mut super::cache::Stamped<V>,
}

impl<V: Volume> Job for Refit<'_, V> {
    type Output = ();

    fn run(self, rest: impl RestStage, skin: impl SkinStage) {
        for node in self.nodes {
            let bound = V::refit(self.tree, self.model.skin(), rest, skin, &self.tree.nodes[node]);
            self.stored.set(node, self.epoch, bound);
        }
    }
}

struct PoseVertices<'a> {
    vertices: &'a [u32],
    epoch: u32,
    positions: &'a mut super::cache::Stamped<Vec3>,
}

impl Job for PoseVertices<'_> {
    type Output = u64;

    fn run(self, rest: impl RestStage, skin: impl SkinStage) -> u64 {
        let mut posed = 0;
        for &vertex in self.vertices {
            let vertex = vertex as usize;
            if !self.positions.is_current(vertex, self.epoch) {
                let position = deform::<TwoFours, POSITION>(rest, skin, vertex);
                self.positions.set(vertex, self.epoch, position);
                posed += 1;
            }
        }
        posed
    }
}
