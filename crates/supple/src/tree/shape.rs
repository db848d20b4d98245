//! A shape: a model with its tree, built once and shared by any number of bodies.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use glam::{DAffine3, Vec3};
use thiserror::Error;

use super::bins::Axes;
use super::clearance::clearances;
use super::collapse::collapsed;
use super::extents::FOUR_POSES;
use super::grouping::groups;
use super::kinship::Kinship;
use super::layout::{Tree, WIDTH};
use super::radii::rest_radii;
use super::samples::sampled_poses;
use super::smoothness_search::smoothness;
use super::split::binary_tree;
use super::threads;
use super::twigs::MOST_IN_TWIG;
use crate::math::outward::radius_of;
use crate::mesh::EdgeCounts;
use crate::model::Model;
use crate::rest::Rest;
use crate::skin::{Bends, RIGID};

/// A model that can be asked questions. Immutable; share it with `Arc`.
///
/// ```
/// use glam::{DAffine3, Vec3};
/// use supple::{BuildOptions, Shape, mesh::Mesh, model::Model};
///
/// let mesh = Mesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]])?;
/// let shape = Shape::build(Model::rigid(mesh), &BuildOptions::default())?;
/// assert_eq!(shape.node_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shape {
    model: Arc<Model>,
    /// Shared with bodies.
    tree: Arc<Tree>,
    /// Of the model; counted when somebody first asks.
    edges: OnceLock<EdgeCounts>,
}

impl PartialEq for Shape {
    fn eq(&self, other: &Self) -> bool {
        self.model == other.model && self.tree == other.tree
    }
}

/// How a tree is built.
///
/// ```
/// let options = supple::BuildOptions::default().with_leaf_size(4);
/// assert_eq!(options.leaf_size, 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct BuildOptions {
    /// A leaf has at most this many triangles, from 1 to 8.
    pub leaf_size: usize,
    /// A node is removed if its sphere's radius exceeds this share of its parent's (thesis, section 5.1); 1 and more
    /// removes nothing.
    pub collapse: f32,
    /// Nodes of at most this many triangles, from 1 to 64, are bounded by posing all vertices below them, larger ones from joints alone.
    /// A size below that of leaves counts as that.
    pub twig_size: usize,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { leaf_size: 8, collapse: 0.6, twig_size: MOST_IN_TWIG }
    }
}

impl BuildOptions {
    /// With at most this many triangles per leaf, from 1 to 8.
    #[must_use]
    pub fn with_leaf_size(self, leaf_size: usize) -> Self {
        Self { leaf_size, ..self }
    }

    /// With another share of the radius from which on nodes are removed.
    #[must_use]
    pub fn with_collapse(self, collapse: f32) -> Self {
        Self { collapse, ..self }
    }

    /// With other sizes of nodes that are bounded by posing them, from 1 to 64 triangles.
    #[must_use]
    pub fn with_twig_size(self, twig_size: usize) -> Self {
        Self { twig_size, ..self }
    }
}

/// Coordinates at rest and posed stay below this, so that areas and squared distances fit into f32.
pub const MAX_COORDINATE: f32 = 1e18;

/// Why a shape cannot be built.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum BuildError {
    /// A leaf must hold a triangle, and no more than the processor tests at once.
    #[error("a leaf size of {0} was asked for; leaves hold 1 to {WIDTH} triangles")]
    BadLeafSize(usize),
    /// A twig must hold a triangle, and no more than have corners that a byte can number.
    #[error("a twig size of {0} was asked for; twigs hold 1 to {MOST_IN_TWIG} triangles")]
    BadTwigSize(usize),
    /// A share must be a positive number.
    #[error("a collapse factor of {0} was asked for; it must be a positive number, e.g. 0.6")]
    BadCollapse(f32),
    /// A rest position whose square does not fit into f32.
    #[error("vertex {vertex} is {length:e} away from the origin; shapes must stay within 1e18")]
    TooLarge {
        /// The vertex.
        vertex: u32,
        /// How far.
        length: f64,
    },
    /// The rest pose itself cannot be evaluated.
    #[error("the model's rest pose is not finite")]
    RestPose,
}

impl Shape {
    /// Builds the tree of a model.
    ///
    /// # Errors
    /// Options that make no sense, or a model whose rest pose is not finite.
    pub fn build(model: impl Into<Arc<Model>>, options: &BuildOptions) -> Result<Self, BuildError> {
        Self::build_with_progress(model, options, |_| {})
    }

    /// Builds the tree of a model and says how far it is, from 0 to 1.
    ///
    /// # Errors
    /// Options that make no sense, or a model whose rest pose is not finite.
    pub fn build_with_progress(
        model: impl Into<Arc<Model>>,
        options: &BuildOptions,
        mut progress: impl FnMut(f32),
    ) -> Result<Self, BuildError> {
        if !(1..=WIDTH).contains(&options.leaf_size) {
            return Err(BuildError::BadLeafSize(options.leaf_size));
        }
        if !(1..=MOST_IN_TWIG).contains(&options.twig_size) {
            return Err(BuildError::BadTwigSize(options.twig_size));
        }
        if !(options.collapse.is_finite() && options.collapse > 0.0) {
            return Err(BuildError::BadCollapse(options.collapse));
        }
        let model = model.into();
        check_size(&model)?;
        let samples = sampled_poses(&model);
        if samples.is_empty() {
            return Err(BuildError::RestPose);
        }
        let poses: Vec<&[Vec3]> = samples.iter().map(|s| s.positions.as_slice()).collect();
        let corners = model.mesh().triangles();

        // Splitting takes about a third of the time, groups another one.
        let (binary, triangles) =
            binary_tree::<FOUR_POSES>(&poses, corners, options.leaf_size, Axes::All, |fraction| {
                progress(0.3 * fraction);
            });
        let twig_size = options.twig_size.max(options.leaf_size);
        let radii = rest_radii(&binary, poses[0], corners, &triangles, twig_size);
        let nodes = collapsed(&binary, &radii, options.collapse, twig_size);
        let mut tree = Tree { nodes, triangles, ..Tree::default() };
        tree.mark_twigs(|tree, node| tree.triangles_below(node).len() <= twig_size);
        let (groups, (kinship, clearances, smoothness, of_joints)) = threads::beside(
            || groups(&tree, &model, &samples, |fraction| progress(0.3 + 0.4 * fraction)),
            || {
                let kinship = Kinship::new(&tree, &model);
                let (of_triangles, clearances) = clearances(&tree, &model, &kinship);
                let smoothness = smoothness(&tree, &model, &of_triangles);
                (kinship, clearances, smoothness, JointFacts::new(&model))
            },
        );
        (tree.groups, tree.kinship) = (groups, kinship);
        (tree.clearances, tree.smoothness) = (clearances, smoothness);
        of_joints.add(&mut tree, &model);
        progress(1.0);
        Ok(Self { model, tree: Arc::new(tree), edges: OnceLock::new() })
    }

    /// The model.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Number of nodes of the tree.
    pub fn node_count(&self) -> usize {
        self.tree.nodes.len()
    }

    /// Bytes of memory that the tree takes, besides the model.
    pub fn memory_bytes(&self) -> usize {
        self.tree.bytes()
    }

    /// A model with a tree that was built for it.
    pub(crate) fn from_parts(model: Model, tree: Tree) -> Self {
        Self { model: Arc::new(model), tree: Arc::new(tree), edges: OnceLock::new() }
    }

    /// The edges of the model's surface, see [`Model::edge_counts`]; counted once.
    pub(crate) fn edge_counts(&self) -> &EdgeCounts {
        self.edges.get_or_init(|| self.model.edge_counts())
    }

    pub(crate) fn tree(&self) -> &Arc<Tree> {
        &self.tree
    }
}

pub(crate) fn check_size(model: &Model) -> Result<(), BuildError> {
    let length = |vertex: usize| -> f64 {
        let own = model.mesh().positions()[vertex].as_dvec3().length();
        let others: f64 = match model.rest() {
            Rest::Plain => 0.0,
            Rest::Fields(fields) => {
                fields.of_vertex(vertex as u32).map(|(_, u)| u.as_dvec3().length()).fold(0.0, f64::max)
            }
            Rest::Morph(morph) => {
                morph.of_vertex(vertex as u32).iter().map(|p| p.as_dvec3().length()).fold(0.0, f64::max)
            }
        };
        own.max(others)
    };
    let vertices = 0..model.mesh().positions().len();
    match vertices.map(|v| (v, length(v))).find(|(_, length)| *length > f64::from(MAX_COORDINATE)) {
        Some((vertex, length)) => Err(BuildError::TooLarge { vertex: vertex as u32, length }),
        None => Ok(()),
    }
}

/// What a tree knows of its model besides nodes, whose twigs are marked, groups and clearances.
pub(crate) fn add_facts(tree: &mut Tree, model: &Model) {
    let (kinship, of_joints) = threads::both(|| Kinship::new(tree, model), || JointFacts::new(model));
    tree.kinship = kinship;
    of_joints.add(tree, model);
}

/// What a tree knows of joints and fields.
struct JointFacts {
    rest_radii: Vec<f32>,
    bind_radii: Vec<f32>,
    bends: Bends,
    field_lengths: Vec<f32>,
}

impl JointFacts {
    fn new(model: &Model) -> Self {
        let binds: Vec<DAffine3> = model.skeleton().joints().iter().map(|joint| joint.inverse_bind).collect();
        let in_bind = |joint: usize, p: Vec3| radius_of(binds[joint].transform_point3(p.as_dvec3()).length());
        let bends = Bends::new(model.skin(), |vertex| match model.rest() {
            Rest::Morph(morph) => morph.of_vertex(vertex as u32),
            _ => std::slice::from_ref(&model.mesh().positions()[vertex]),
        });
        Self {
            rest_radii: radii(model, -1.0, |_, p| length(p)),
            bind_radii: radii(model, 0.0, in_bind),
            bends,
            field_lengths: field_lengths(model),
        }
    }

    /// Adds them to a tree, and what follows from its groups and twigs.
    fn add(self, tree: &mut Tree, model: &Model) {
        let changes = tree.groups.nodes.iter().map(|node| node.changes.len());
        tree.most_changes = changes.max().unwrap_or(0);
        let joints = tree.groups.linear.iter().map(|group| group.joint_count as usize).max().unwrap_or(0);
        tree.most_joints = joints.max(model.skin().max_influences());
        let Self { rest_radii, bind_radii, bends, field_lengths } = self;
        (tree.rest_radii, tree.bind_radii) = (rest_radii, bind_radii);
        for number in 0..tree.groups.nodes.len() {
            let numbers = tree.groups.of(number).iter().map(|group| bends.of_set(group.set as usize));
            let numbers: BTreeSet<u32> = numbers.filter(|&number| number != RIGID).collect();
            tree.bends_of_nodes.extend(numbers);
            tree.bend_ends.push(tree.bends_of_nodes.len() as u32);
        }
        (tree.bends, tree.field_lengths) = (bends, field_lengths);
        tree.add_places(model.mesh().triangles(), model.mesh().positions().len());
        tree.add_slots(model.mesh().positions(), model.skin());
    }
}

/// The longest of all rest positions that each joint moves, as it measures them; `none` where it moves none.
fn radii(model: &Model, none: f32, measure: impl Fn(usize, Vec3) -> f32) -> Vec<f32> {
    let mut radii = vec![none; model.skin().joint_count()];
    for (vertex, position) in model.mesh().positions().iter().enumerate() {
        let positions = match model.rest() {
            Rest::Morph(morph) => morph.of_vertex(vertex as u32),
            _ => std::slice::from_ref(position),
        };
        for (joint, _) in model.skin().influences(vertex as u32) {
            let radius = &mut radii[joint.0 as usize];
            *radius = positions.iter().map(|&p| measure(joint.0 as usize, p)).fold(*radius, f32::max);
        }
    }
    radii
}

/// Length of the longest displacement of each field.
fn field_lengths(model: &Model) -> Vec<f32> {
    let Rest::Fields(fields) = model.rest() else { return Vec::new() };
    let mut lengths = vec![0.0f32; fields.count()];
    for vertex in 0..fields.vertex_count() {
        for (field, displacement) in fields.of_vertex(vertex as u32) {
            lengths[field] = lengths[field].max(length(displacement));
        }
    }
    lengths
}

/// Rounded up; no square of an f32 over- or underflows in f64.
fn length(v: Vec3) -> f32 {
    radius_of(v.as_dvec3().length())
}
