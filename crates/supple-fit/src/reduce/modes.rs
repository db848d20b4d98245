//! Vibration modes of a mesh: the shapes in which it swings when it is let go.
//!
//! In: a mesh and what it is made of. Out: displacement fields by ascending frequency, the masses they move, and mass, center and inertia of
//! the whole.
//!
//! ```text
//! K x = w^2 M x,   frequency = w / 2 pi,   field = s x at the vertices,   modal mass = s^2 x^T M x
//! ```
//!
//! Must hold: fields of a free mesh move neither its center of mass nor its angular momentum; the kinetic energy of coefficients `q` is
//! `1/2 sum m_j q'_j^2`, the elastic one `1/2 sum m_j w_j^2 q_j^2`.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 2; K.-J. Bathe, Finite Element Procedures, 1996, chapter 10.

use std::f64::consts::TAU;

use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;
use supple::Mesh;
use supple::rest::Field;

use super::cells::Cells;
use super::lattice::Lattice;

use super::lowest_eigen::{Vibration, lowest};
use super::{ModeLattice, ModeOptions, ReduceError};

/// The shift, as a part of the largest eigenvalue: far below the lowest vibration of anything that is a thousand cells long and ten thick, and
/// large enough for eleven digits of the solutions.
const SHIFT: f64 = 1e-10;

/// What may be left of `K x - lambda M x`, relative to `lambda`, for `x^T M x = 1`.
const ALLOWED: f64 = 1e-5;

/// How a mesh vibrates.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Fields for a model of the mesh, by ascending frequency. A coefficient of 1 moves the vertex that moves farthest by
    /// [`ModeOptions::amplitude`].
    pub fields: Vec<Field>,
    /// In Hz.
    pub frequencies: Vec<f64>,
    /// The masses that the fields move, in kg.
    pub masses: Vec<f64>,
    /// Of the whole, in kg.
    pub mass: f64,
    /// The center of mass.
    pub center: DVec3,
    /// About the center of mass, in kg m^2.
    pub inertia: DMat3,
}

/// The lowest vibration modes of a mesh, open or closed: of a lattice of elastic cubes in all that its surface touches or encloses.
///
/// ```
/// use supple_fit::reduce::{ModeOptions, modes};
///
/// let fish = supple_zoo::make("dolphin", 0)?;
/// let modes = modes(fish.mesh(), &ModeOptions::default().with_count(3).with_resolution(12))?;
/// assert!(modes.fields.len() == 3 && modes.frequencies.is_sorted());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No size, options that make no sense, a lattice in several free pieces, more modes than there are.
pub fn modes(mesh: &Mesh, options: &ModeOptions) -> Result<Modes, ReduceError> {
    let (lattice, vibrations) = solved(mesh, options)?;
    let field = |(number, vibration): (usize, &Vibration)| {
        let (displacements, scale) = scaled(mesh, &lattice, vibration, options)?;
        let displacements: Vec<Vec3> = displacements.iter().map(|d| (scale * d).as_vec3()).collect();
        Ok((Field::displacing(format!("mode {}", number + 1), mesh, &displacements), scale * scale))
    };
    let scaled: Result<Vec<_>, ReduceError> = vibrations.par_iter().enumerate().map(field).collect();
    let (fields, masses) = scaled?.into_iter().unzip();
    Ok(Modes {
        fields,
        frequencies: vibrations.iter().map(|vibration| vibration.lambda.sqrt() / TAU).collect(),
        masses,
        mass: lattice.mass(),
        center: lattice.center(),
        inertia: lattice.inertia(),
    })
}

/// The modes that [`modes`] finds, as displacements of the lattice instead of the vertices: they say where any point goes, in a
/// fraction of the numbers if the mesh is fine.
///
/// ```
/// use supple_fit::reduce::{ModeOptions, mode_lattice};
///
/// let fish = supple_zoo::make("dolphin", 0)?;
/// let lattice = mode_lattice(fish.mesh(), &ModeOptions::default().with_count(3).with_resolution(12))?;
/// assert_eq!(lattice.displacements.len(), 3);
/// assert!(lattice.displacements.iter().all(|mode| mode.len() == lattice.nodes.len()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`modes`].
pub fn mode_lattice(mesh: &Mesh, options: &ModeOptions) -> Result<ModeLattice, ReduceError> {
    let (lattice, vibrations) = solved(mesh, options)?;
    let moved = |vibration: &Vibration| {
        let (_, scale) = scaled(mesh, &lattice, vibration, options)?;
        Ok(vibration.vector.chunks_exact(3).map(|d| scale * DVec3::from_slice(d)).collect())
    };
    let displacements = vibrations.iter().map(moved).collect::<Result<_, ReduceError>>()?;
    Ok(lattice.into_mode_lattice(displacements))
}

fn solved(mesh: &Mesh, options: &ModeOptions) -> Result<(Lattice, Vec<Vibration>), ReduceError> {
    options.check()?;
    let lattice = Lattice::new(Cells::new(mesh, options)?, options)?;
    let vibrations = vibrations(&lattice, options.count)?;
    Ok((lattice, vibrations))
}

/// What a vibration does to the vertices, and the factor that makes it as large as the options say.
fn scaled(
    mesh: &Mesh,
    lattice: &Lattice,
    vibration: &Vibration,
    options: &ModeOptions,
) -> Result<(Vec<DVec3>, f64), ReduceError> {
    let amplitude = options.amplitude.unwrap_or(0.1 * lattice.longest());
    let at = |&p: &Vec3| lattice.displacement(p.as_dvec3(), &vibration.vector);
    let displacements: Vec<DVec3> = mesh.positions().iter().map(at).collect();
    let squares = |a: &&DVec3, b: &&DVec3| a.length_squared().total_cmp(&b.length_squared());
    let farthest = displacements.iter().max_by(squares).copied().unwrap_or_default();
    let scale = forward(farthest) * amplitude / farthest.length();
    if !scale.is_finite() {
        return Err(ReduceError::Unsolved { problem: "a mode moves no vertex" });
    }
    Ok((displacements, scale))
}

/// The sign that makes the largest coordinate positive: which way is forward is for nobody to say, but the same one every time.
fn forward(v: DVec3) -> f64 {
    v.to_array()
        .into_iter()
        .fold(0.0, |largest: f64, x| if x.abs() > largest.abs() { x } else { largest })
        .signum()
}

/// The lowest, checked: `|K x - lambda M x|` is next to nothing beside `|lambda M x|`.
fn vibrations(lattice: &Lattice, count: usize) -> Result<Vec<Vibration>, ReduceError> {
    let (masses, rigid) = (lattice.unknown_masses(), lattice.rigid_motions());
    let available = lattice.unknowns().saturating_sub(rigid.len());
    if count > available {
        return Err(ReduceError::TooMany { what: "modes", wanted: count, available });
    }
    let unsolved = |problem| ReduceError::Unsolved { problem };
    let envelope = lattice.envelope()?;
    let shift = SHIFT * lattice.stiffest();
    let factor = lattice.shifted(&envelope, shift).factor(0.0);
    let factor = factor.ok_or(unsolved("the stiffness is not positive to working precision"))?;
    let found = lowest(count, &masses, &rigid, shift, |b| factor.solve(b));
    let vibrations = found.ok_or(unsolved("the solver did not converge"))?;
    for Vibration { lambda, vector } in &vibrations {
        let forces = lattice.forces(vector);
        let off = (0..vector.len()).map(|i| (forces[i] - lambda * masses[i] * vector[i]).powi(2) / masses[i]);
        let off = off.sum::<f64>().sqrt();
        if off.is_nan() || off > ALLOWED * lambda {
            return Err(unsolved("too many digits are lost in numbers of such different sizes"));
        }
    }
    Ok(vibrations)
}
