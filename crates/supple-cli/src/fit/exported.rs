//! The fitted model as a file, read back and compared.

use glam::Vec3;
use rayon::prelude::*;
use supple::model::Model;
use supple::pose::PoseError;
use supple::skin::Skinning;
use supple_fit::{Distortion, Fitted, MeshSequence};

use crate::failure::{Blame, Failure, OrBlame, failed_check};

/// How far a vertex of the file may be from the fitted one, as a part of the model's size: some roundings of f32.
const ALLOWED: f32 = 1e-5;

/// A file that plays what was fitted.
pub struct Exported {
    pub bytes: Vec<u8>,
    /// The largest distance of a vertex in any frame from the fitted model's.
    pub difference: f32,
    /// The distortion, in percent, where joints are blended as matrices, as other tools do.
    pub linear_percent: f64,
}

impl Exported {
    /// Makes the file and plays it.
    ///
    /// # Errors
    /// The model does not fit into GLB; what is read back is not what was written.
    pub fn new(fitted: &Fitted, sequence: &MeshSequence) -> Result<Self, Failure> {
        let bytes = supple_io::glb_bytes(&fitted.model).or_blame(Blame::Output)?;
        let read = supple_io::read_gltf_bytes(&bytes, None).or_blame(Blame::Check)?.model;
        let times = sequence.times();
        let written = frames(&fitted.model, times, fitted.skinning).or_blame(Blame::Check)?;
        let played = frames(&read, times, fitted.skinning).or_blame(Blame::Check)?;
        let pairs = || written.iter().flatten().zip(played.iter().flatten());
        let difference = pairs().fold(0.0f32, |largest, (a, b)| largest.max(a.distance(*b)));
        let corners = written
            .iter()
            .flatten()
            .fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], p| [min.min(*p), max.max(*p)]);
        if difference > ALLOWED * corners[0].abs().max(corners[1].abs()).max_element() {
            return Err(failed_check(format!(
                "read back, a vertex is {difference} from where it was fitted"
            )));
        }
        let linear_percent = match fitted.skinning {
            Skinning::Linear => fitted.distortion.percent,
            _ => {
                let linear = frames(&read, times, Skinning::Linear).or_blame(Blame::Check)?;
                Distortion::new(sequence.frames(), &linear).percent
            }
        };
        Ok(Self { bytes, difference, linear_percent })
    }
}

/// The first clip of a model at some times.
fn frames(model: &Model, times: &[f32], skinning: Skinning) -> Result<Vec<Vec<Vec3>>, PoseError> {
    let frame = |&time: &f32| {
        let pose = model.sample(&model.clips()[0], f64::from(time))?;
        Ok(model.posed(&pose, skinning)?.positions())
    };
    times.par_iter().map(frame).collect()
}
