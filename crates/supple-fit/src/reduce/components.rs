//! Principal components of a mesh sequence: the displacement fields that say most about how it moves.
//!
//! ```text
//! frame_t = mean + sum_j c_tj field_j,   fields = U S of the singular value decomposition U S V^T of frames minus mean
//! ```
//!
//! Must hold: no as many fields are nearer to the frames in the sum of squares. A field is as large as its largest excursion, so that
//! coefficients lie within -1 and 1 and one of each is at an end of it.
//!
//! Based on: M. Alexa, W. Mueller, Representing Animations by Principal Components, 2000 (without its alignment of whole bodies).

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use supple::mesh::vertex_normals;
use supple::pose::{Channel, Interpolation, Target};
use supple::rest::Field;
use supple::{Clip, Mesh, Model, ModelError, Skinning};

use super::{ReduceError, flexible_model};
use crate::corrections::EigenDisplacements;
use crate::{Distortion, MeshSequence};

/// Singular values below this part of the largest, squared, are the rounding of positions to f32.
const ROUNDING: f64 = 1e-14;

/// A sequence as a mean and a few fields.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// The mean of all frames, with normals.
    pub mean: Mesh,
    /// Fields of the mean, by descending share.
    pub fields: Vec<Field>,
    /// What each field has of the sum of squares of all displacements from the mean; together 1 if nothing is left.
    pub shares: Vec<f64>,
    /// How fields are combined from the frames: a unit vector per field, a number per frame.
    /// `sum_t combination_jt (frame_t - mean)` is field `j` before it is made as large as its largest excursion.
    pub combinations: Vec<Vec<f64>>,
    /// Coefficients of the fields, frame by frame.
    pub coefficients: Vec<Vec<f32>>,
    /// How far mean and fields are from the frames, as `supple` computes them.
    pub distortion: Distortion,
    times: Vec<f32>,
}

impl Components {
    /// A model that plays the sequence as a clip of that name.
    ///
    /// # Errors
    /// None that a sequence could cause.
    pub fn model(&self, clip: &str) -> Result<Model, ModelError> {
        let target = Target::Coefficients(0..self.fields.len());
        let (times, values) = (self.times.clone(), self.coefficients.concat());
        let channel = Channel { target, interpolation: Interpolation::Linear, times, values };
        flexible_model(self.mean.clone(), &self.fields, vec![Clip::new(clip, vec![channel])?])
    }
}

/// The first `count` principal components of a sequence.
///
/// ```
/// use supple_fit::{MeshSequence, reduce::components};
/// use supple_zoo::cloth::{Cloth, sequence};
///
/// let (rest, frames) = sequence(Cloth::Flag, 20, 15, 24)?;
/// let flag = components(&MeshSequence::evenly(rest, frames, 24.0)?, 6)?;
/// assert!(flag.distortion.percent < 10.0 && flag.model("waves")?.clips().len() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A single frame, no components or more than there are.
pub fn components(sequence: &MeshSequence, count: usize) -> Result<Components, ReduceError> {
    let frames = sequence.frames();
    if frames.len() < 2 {
        return Err(ReduceError::OneFrame);
    }
    if count == 0 {
        return Err(ReduceError::BadOption { option: "count", value: 0.0, expected: "at least 1" });
    }
    let sum = |vertex: usize| frames.iter().map(|frame| frame[vertex].as_dvec3()).sum::<DVec3>();
    let mean: Vec<DVec3> =
        (0..frames[0].len()).into_par_iter().map(|vertex| sum(vertex) / frames.len() as f64).collect();
    let from_mean =
        |frame: &Vec<Vec3>| frame.iter().zip(&mean).map(|(p, mean)| p.as_dvec3() - mean).collect();
    let displacements: Vec<Vec<DVec3>> = frames.par_iter().map(from_mean).collect();
    let decomposition = EigenDisplacements::new(&displacements);
    let squares = &decomposition.squares;
    let available = squares.iter().filter(|&&s| s > ROUNDING * squares[0] && s > 0.0).count();
    if count > available {
        return Err(ReduceError::TooMany { what: "components", wanted: count, available });
    }
    let mean = mesh_at(sequence.rest(), mean.iter().map(|p| p.as_vec3()).collect())?;
    let mut found = decomposition.correction(count);
    let field = |(number, field): (usize, &Field)| {
        let of = found.coefficients.iter().map(|frame| frame[number].abs());
        let largest = of.fold(0.0, f32::max);
        let scaled: Vec<Vec3> = field.displacements.iter().map(|(_, d)| *d * largest).collect();
        (Field::displacing(format!("component {}", number + 1), &mean, &scaled), largest)
    };
    let (fields, largest): (Vec<Field>, Vec<f32>) = found.fields.par_iter().enumerate().map(field).unzip();
    for frame in &mut found.coefficients {
        frame.iter_mut().zip(&largest).for_each(|(c, largest)| *c /= largest);
    }
    let total: f64 = squares.iter().sum();
    let mut components = Components {
        shares: squares[..count].iter().map(|s| s / total).collect(),
        mean,
        fields,
        combinations: decomposition.vectors[..count].to_vec(),
        coefficients: found.coefficients,
        distortion: Distortion::default(),
        times: sequence.times().to_vec(),
    };
    let model = components.model("")?;
    let played = |coefficients: &Vec<f32>| {
        let mut pose = model.rest_pose();
        pose.coefficients.clone_from(coefficients);
        Ok(model.posed(&pose, Skinning::Linear)?.positions())
    };
    let played: Result<Vec<_>, ReduceError> = components.coefficients.par_iter().map(played).collect();
    components.distortion = Distortion::new(frames, &played?);
    Ok(components)
}

/// The mesh at other positions.
fn mesh_at(mesh: &Mesh, positions: Vec<Vec3>) -> Result<Mesh, ModelError> {
    let normals = vertex_normals(&positions, mesh.triangles());
    let moved = Mesh::new(positions, mesh.triangles().to_vec())?.with_normals(normals)?;
    Ok(match mesh.uvs() {
        Some(uvs) => moved.with_uvs(uvs.to_vec())?,
        None => moved,
    })
}
