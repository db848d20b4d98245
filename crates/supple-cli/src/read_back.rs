//! A model as a file that was read back and plays the same.
//!
//! Must hold: what is written is compared with what was made, in every frame that is asked for, before the program says so.

use glam::Vec3;
use rayon::prelude::*;
use supple::Model;
use supple::PoseError;
use supple::Skinning;

use crate::failure::{Blame, Failure, OrBlame, failed_check};

/// How far a vertex of the file may be from the model's, as a part of the model's size: some roundings of f32.
const ALLOWED: f32 = 1e-5;

/// A file and what is in it.
pub struct ReadBack {
    pub bytes: Vec<u8>,
    pub model: Model,
    /// The largest distance of a vertex in any frame from where it was, in the model's units.
    pub difference: f32,
}

impl ReadBack {
    /// Makes the file and plays its first clip.
    ///
    /// # Errors
    /// The model does not fit into GLB; what is read back is not what was written.
    pub fn new(model: &Model, times: &[f32], skinning: Skinning) -> Result<Self, Failure> {
        let bytes = supple_io::glb_bytes(model).or_blame(Blame::Output)?;
        let read = supple_io::read_bytes("glb", &bytes, &mut supple_io::no_other_files)
            .or_blame(Blame::Check)?
            .model;
        let written = frames(model, times, skinning).or_blame(Blame::Check)?;
        let played = frames(&read, times, skinning).or_blame(Blame::Check)?;
        let pairs = written.iter().flatten().zip(played.iter().flatten());
        let difference = pairs.fold(0.0f32, |largest, (a, b)| largest.max(a.distance(*b)));
        let corners = written
            .iter()
            .flatten()
            .fold([Vec3::INFINITY, Vec3::NEG_INFINITY], |[min, max], p| [min.min(*p), max.max(*p)]);
        if difference > ALLOWED * corners[0].abs().max(corners[1].abs()).max_element() {
            return Err(failed_check(format!("read back, a vertex is {difference} from where it was")));
        }
        Ok(Self { bytes, model: read, difference })
    }

    /// How alike they are, in words.
    pub fn likeness(&self) -> String {
        match self.difference {
            0.0 => "the same in every frame".to_owned(),
            difference => format!("the same in every frame up to {difference:.1e} units of the file"),
        }
    }
}

/// The first clip of a model at some times.
pub fn frames(model: &Model, times: &[f32], skinning: Skinning) -> Result<Vec<Vec<Vec3>>, PoseError> {
    let frame = |&time: &f32| {
        let pose = model.sample(&model.clips()[0], f64::from(time))?;
        Ok(model.posed(&pose, skinning)?.positions())
    };
    times.par_iter().map(frame).collect()
}
