//! Convex blends of reference shapes: `p_k(w) = sum_i w_i v_ki` with `w_i >= 0`, `sum w_i = 1`.
//!
//! In: reference shapes of equal topology and convex weights. Out: the blended vertex.
//! Must hold: weights are made convex (divided by their sum) before they get here.
//!
//! Based on: T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003,
//! section 3.

use glam::Vec3;
use thiserror::Error;

use super::RestStage;
use crate::pose::PoseError;

/// One reference shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reference {
    /// What it shows.
    pub name: String,
    /// One position per vertex.
    pub positions: Vec<Vec3>,
    /// One normal per vertex, or none.
    pub normals: Vec<Vec3>,
}

/// Reference shapes to blend, stored vertex by vertex because queries ask for single vertices.
#[derive(Clone, Debug, PartialEq)]
pub struct ConvexMorph {
    names: Vec<String>,
    /// `positions[vertex * count + reference]`.
    positions: Vec<Vec3>,
    /// The same for normals; empty if any reference has none.
    normals: Vec<Vec3>,
}

/// Why shapes cannot be blended.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum MorphError {
    /// Nothing to blend.
    #[error("a convex morph needs at least one reference shape")]
    NoReferences,
    /// Shapes of different sizes.
    #[error("reference {reference} has {found} {what}, the first has {expected} vertices")]
    WrongCount {
        /// Which one.
        reference: usize,
        /// Positions or normals.
        what: &'static str,
        /// As many as the first has.
        expected: usize,
        /// What there was.
        found: usize,
    },
    /// A number that is not finite.
    #[error("vertex {vertex} of reference {reference} is not finite")]
    NotFinite {
        /// Which shape.
        reference: usize,
        /// Where.
        vertex: usize,
    },
}

impl ConvexMorph {
    /// Checks and keeps the shapes.
    ///
    /// # Errors
    /// No shape, different vertex counts, a number that is not finite.
    pub fn new(references: &[Reference]) -> Result<Self, MorphError> {
        let first = references.first().ok_or(MorphError::NoReferences)?;
        let expected = first.positions.len();
        for (reference, shape) in references.iter().enumerate() {
            check_shape(reference, shape, expected)?;
        }
        let with_normals = references.iter().all(|r| !r.normals.is_empty());
        let by_vertex = |values: fn(&Reference) -> &[Vec3]| -> Vec<Vec3> {
            (0..expected).flat_map(|v| references.iter().map(move |r| values(r)[v])).collect()
        };
        Ok(Self {
            names: references.iter().map(|r| r.name.clone()).collect(),
            positions: by_vertex(|r| &r.positions),
            normals: if with_normals { by_vertex(|r| &r.normals) } else { Vec::new() },
        })
    }

    /// Number of reference shapes.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// Names of the reference shapes.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Number of vertices of each shape.
    pub fn vertex_count(&self) -> usize {
        self.positions.len() / self.count()
    }

    /// Positions of one vertex in all reference shapes.
    #[inline(always)]
    pub fn of_vertex(&self, vertex: u32) -> &[Vec3] {
        &self.positions[vertex as usize * self.count()..][..self.count()]
    }

    /// The shapes as they were given.
    pub fn to_references(&self) -> Vec<Reference> {
        let column =
            |values: &[Vec3], i: usize| values.iter().skip(i).step_by(self.count()).copied().collect();
        (0..self.count())
            .map(|i| Reference {
                name: self.names[i].clone(),
                positions: column(&self.positions, i),
                normals: column(&self.normals, i),
            })
            .collect()
    }

    /// All weight on the first shape.
    pub fn default_weights(&self) -> Vec<f32> {
        let mut weights = vec![0.0; self.count()];
        weights[0] = 1.0;
        weights
    }
}

/// Divides convex weights by their sum.
pub(super) fn normalized_weights(given: &[f32]) -> Result<Vec<f32>, PoseError> {
    if let Some(index) = given.iter().position(|&w| w < 0.0) {
        return Err(PoseError::NotConvex { index, value: given[index] });
    }
    let sum: f64 = given.iter().map(|&w| f64::from(w)).sum();
    if sum <= 0.0 {
        return Err(PoseError::NotConvex { index: 0, value: given[0] });
    }
    Ok(given.iter().map(|&w| (f64::from(w) / sum) as f32).collect())
}

/// Reference shapes with their weights.
#[derive(Clone, Copy)]
pub(crate) struct MorphAt<'a> {
    pub morph: &'a ConvexMorph,
    pub weights: &'a [f32],
}

impl RestStage for MorphAt<'_> {
    #[inline(always)]
    fn position(&self, vertex: usize) -> Vec3 {
        blend(self.morph.of_vertex(vertex as u32), self.weights)
    }

    #[inline(always)]
    fn normal(&self, vertex: usize) -> Vec3 {
        if self.morph.normals.is_empty() {
            return Vec3::ZERO;
        }
        let count = self.morph.count();
        blend(&self.morph.normals[vertex * count..][..count], self.weights)
    }
}

#[inline(always)]
fn blend(values: &[Vec3], weights: &[f32]) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for (&value, &weight) in values.iter().zip(weights) {
        sum += value * weight;
    }
    sum
}

fn check_shape(reference: usize, shape: &Reference, expected: usize) -> Result<(), MorphError> {
    let wrong = |what, found| MorphError::WrongCount { reference, what, expected, found };
    if shape.positions.len() != expected {
        return Err(wrong("positions", shape.positions.len()));
    }
    if !shape.normals.is_empty() && shape.normals.len() != expected {
        return Err(wrong("normals", shape.normals.len()));
    }
    let values = shape.positions.iter().chain(&shape.normals);
    match values.enumerate().find(|(_, v)| !v.is_finite()) {
        Some((index, _)) => Err(MorphError::NotFinite { reference, vertex: index % expected }),
        None => Ok(()),
    }
}
