//! What falls: a mesh with its tree, its mass and its vibration modes, shared by all bodies of its kind.
//!
//! In: a mesh. Out: everything about it that does not change while it falls.
//! Must hold: a prop and its rigid counterpart have the same mesh, mass and inertia, and differ in the modes alone.

use std::collections::BTreeSet;
use std::f64::consts::{PI, TAU};
use std::sync::Arc;

use glam::{DMat3, DVec3};
use supple::rest::Rest;
use supple::{BuildOptions, Mesh, Model, ModelError, NodeId, Shape};
use supple_fit::reduce::{ModeOptions, Modes, flexible_model, modes};

use crate::error::DropError;

/// What a flexible prop is made of.
#[derive(Clone, Copy, Debug)]
pub struct Material {
    /// kg per cubic metre.
    pub density: f64,
    /// Young's modulus in Pa.
    pub young: f64,
    /// Damping ratio of all modes, below 1.
    pub damping: f64,
    /// How many vibration modes are kept.
    pub modes: usize,
    /// How far a coefficient of 1 moves the farthest vertex, in metres. Coefficients stay within -1 ..= 1, which is the
    /// strain limit.
    pub amplitude: f64,
}

/// A kind of body.
#[derive(Clone, Debug)]
pub struct Prop {
    shape: Arc<Shape>,
    inertia: Inertia,
    modes: Vec<Mode>,
    level: u32,
    pieces: usize,
    /// Mean displacement of a piece's vertices by a mode: `displacements[piece * modes + mode]`.
    displacements: Vec<DVec3>,
    /// By node of the tree.
    piece_of_node: Vec<u32>,
}

/// Mass and its distribution at rest. It stays the same while the body flexes: displacements are small.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inertia {
    /// kg.
    pub mass: f64,
    /// Center of mass.
    pub center: DVec3,
    /// About the center of mass.
    pub about_center: DMat3,
    /// The inverse of that.
    pub inverse: DMat3,
}

impl Inertia {
    fn new(mass: f64, center: DVec3, about_center: DMat3) -> Self {
        Self { mass, center, about_center, inverse: about_center.inverse() }
    }
}

/// A vibration mode.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mode {
    /// Angular frequency in 1/s.
    pub frequency: f64,
    /// Damping ratio.
    pub damping: f64,
    /// kg: kinetic energy is `mass q'^2 / 2`.
    pub mass: f64,
}

impl Prop {
    /// A flexible prop. Its contacts are found between pieces of the surface: those of a level of its tree, from the root at 0.
    ///
    /// # Errors
    /// The mesh has no such modes, or no tree.
    pub fn flexible(mesh: &Mesh, material: &Material, level: u32) -> Result<Self, DropError> {
        let options = ModeOptions::default()
            .with_count(material.modes)
            .with_amplitude(Some(material.amplitude))
            .with_density(material.density)
            .with_young(material.young);
        let Modes { fields, frequencies, masses, mass, center, inertia } = modes(mesh, &options)?;
        let model = flexible_model(mesh.clone(), &fields, Vec::new())?;
        let mode = |(&frequency, &mass): (&f64, &f64)| Mode {
            frequency: TAU * frequency,
            damping: material.damping,
            mass,
        };
        let modes = frequencies.iter().zip(&masses).map(mode).collect();
        Self::new(model, Inertia::new(mass, center, inertia), modes, level)
    }

    /// The same thing without modes, and without fields in its tree.
    ///
    /// # Errors
    /// None where the prop itself could be made.
    pub fn rigid(&self) -> Result<Self, DropError> {
        let model = Model::rigid(self.model().mesh().clone());
        Self::new(model, self.inertia, Vec::new(), self.level)
    }

    /// A solid rigid sphere, in metres and kg per cubic metre.
    ///
    /// # Errors
    /// None for a positive radius and density.
    pub fn sphere(radius: f32, density: f64) -> Result<Self, DropError> {
        let (positions, triangles) = supple_zoo::icosphere(3);
        let positions = positions.into_iter().map(|p| p * radius).collect();
        let mesh = Mesh::new(positions, triangles).map_err(ModelError::from)?;
        let radius = f64::from(radius);
        let mass = 4.0 / 3.0 * PI * radius.powi(3) * density;
        let about_center = DMat3::IDENTITY * (0.4 * mass * radius * radius);
        let inertia = Inertia::new(mass, DVec3::ZERO, about_center);
        Self::new(Model::rigid(mesh), inertia, Vec::new(), 0)
    }

    fn new(model: Model, inertia: Inertia, modes: Vec<Mode>, level: u32) -> Result<Self, DropError> {
        let shape = Arc::new(Shape::build(model, &BuildOptions::default())?);
        let pieces = shape.pieces(level);
        let nodes = pieces.iter().map(|piece| piece.node.0 as usize + 1).max().unwrap_or(0);
        let mut piece_of_node = vec![u32::MAX; nodes];
        let mut displacements = Vec::with_capacity(pieces.len() * modes.len());
        for (number, piece) in (0u32..).zip(&pieces) {
            piece_of_node[piece.node.0 as usize] = number;
            displacements.extend(mean_displacements(shape.model(), &piece.triangles, modes.len()));
        }
        Ok(Self { shape, inertia, modes, level, pieces: pieces.len(), displacements, piece_of_node })
    }

    /// The model, as it is drawn and written.
    pub fn model(&self) -> &Model {
        self.shape.model()
    }

    /// The shape that all bodies share.
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// kg.
    pub fn mass(&self) -> f64 {
        self.inertia.mass
    }

    /// Frequencies of the modes in Hz; none for a rigid prop.
    pub fn frequencies(&self) -> Vec<f64> {
        self.modes.iter().map(|mode| mode.frequency / TAU).collect()
    }

    /// The level of the tree at which contacts are found.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// How many pieces that level divides the surface into.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// How far the surface is from the center of mass, at rest.
    pub(crate) fn radius(&self) -> f64 {
        let distance = |p: &glam::Vec3| p.as_dvec3().distance(self.inertia.center);
        self.model().mesh().positions().iter().map(distance).fold(0.0, f64::max)
    }

    pub(crate) fn inertia(&self) -> &Inertia {
        &self.inertia
    }

    pub(crate) fn modes(&self) -> &[Mode] {
        &self.modes
    }

    /// How far each mode moves the piece at a node, for a coefficient of 1, at rest.
    pub(crate) fn displacements(&self, node: NodeId) -> &[DVec3] {
        let piece = self.piece_of_node[node.0 as usize] as usize;
        &self.displacements[piece * self.modes.len()..][..self.modes.len()]
    }
}

/// Means over the vertices of some triangles, for each mode.
fn mean_displacements(model: &Model, triangles: &[u32], modes: usize) -> Vec<DVec3> {
    let mut means = vec![DVec3::ZERO; modes];
    let Rest::Fields(fields) = model.rest() else { return means };
    let corners = triangles.iter().flat_map(|&t| model.mesh().triangles()[t as usize]);
    let vertices: BTreeSet<u32> = corners.collect();
    for &vertex in &vertices {
        for (mode, displacement) in fields.of_vertex(vertex) {
            means[mode] += displacement.as_dvec3() / vertices.len() as f64;
        }
    }
    means
}
