//! A shape: a model with its tree, built once and shared by any number of bodies.

use std::sync::{Arc, OnceLock};

use glam::{DAffine3, Vec3};
use thiserror::Error;

use super::clearance::clearances;
use super::collapse::collapsed;
use super::group::add_groups;
use super::kinship::Kinship;
use super::layout::{Tree, WIDTH};
use super::samples::{SAMPLES, sampled_poses};
use super::split::{Axes, BinaryNode, binary_tree};
use crate::math::outward::radius_of;
use crate::math::smallest_enclosing_sphere;
use crate::mesh::EdgeCounts;
use crate::model::Model;
use crate::rest::Rest;
use crate::skin::Bends;

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
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { leaf_size: 8, collapse: 0.6 }
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

        // Splitting takes about a third of the time, bounds the rest.
        let (mut done, total) = (0, corners.len() as f32);
        let (binary, triangles) =
            binary_tree::<SAMPLES>(&poses, corners, options.leaf_size, Axes::All, |count| {
                done += count;
                progress(0.3 * done as f32 / total);
            });
        let radii = rest_radii(&binary, poses[0], corners, &triangles);
        let mut tree =
            Tree { nodes: collapsed(&binary, &radii, options.collapse), triangles, ..Tree::default() };
        tree.add_leaf_vertices(corners);
        add_groups(&mut tree, &model, &samples, |fraction| progress(0.3 + 0.7 * fraction));
        add_facts(&mut tree, &model);
        tree.clearances = clearances(&tree, &model, &tree.kinship);
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

/// Radii of the exact smallest spheres around all nodes in the rest pose.
fn rest_radii(binary: &[BinaryNode], positions: &[Vec3], corners: &[[u32; 3]], order: &[u32]) -> Vec<f32> {
    let mut points = Vec::new();
    let radius = |node: &BinaryNode| {
        points.clear();
        let triangles = order[node.triangles.clone()].iter().map(|&t| corners[t as usize]);
        points.extend(triangles.flatten().map(|v| positions[v as usize]));
        smallest_enclosing_sphere(&points).radius
    };
    binary.iter().map(radius).collect()
}

/// What a tree knows of its model besides nodes and terms.
pub(crate) fn add_facts(tree: &mut Tree, model: &Model) {
    tree.most_changes = tree.nodes.iter().map(|node| node.changes().len()).max().unwrap_or(0);
    tree.rest_radii = radii(model, -1.0, |_, p| length(p));
    let binds: Vec<DAffine3> = model.skeleton().joints().iter().map(|joint| joint.inverse_bind).collect();
    tree.bind_radii =
        radii(model, 0.0, |joint, p| radius_of(binds[joint].transform_point3(p.as_dvec3()).length()));
    let joints = tree.linear_groups.iter().map(|group| group.joint_count as usize).max().unwrap_or(0);
    tree.most_joints = joints.max(model.skin().max_influences());
    tree.bends = Bends::new(model.skin(), |vertex| match model.rest() {
        Rest::Morph(morph) => morph.of_vertex(vertex as u32),
        _ => std::slice::from_ref(&model.mesh().positions()[vertex]),
    });
    tree.field_lengths = field_lengths(model);
    tree.kinship = Kinship::new(tree, model);
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
