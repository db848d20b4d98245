//! The fitted model as a file, read back and compared.

use supple::Skinning;
use supple_fit::{Distortion, Fitted, MeshSequence};

use crate::failure::{Blame, Failure, OrBlame};
use crate::read_back::{ReadBack, frames};

/// A file that plays what was fitted.
pub struct Exported {
    pub file: ReadBack,
    /// The distortion, in percent, where joints are blended as matrices, as other tools do.
    pub linear_percent: f64,
}

impl Exported {
    /// Makes the file and plays it.
    ///
    /// # Errors
    /// The model does not fit into GLB; what is read back is not what was written.
    pub fn new(fitted: &Fitted, sequence: &MeshSequence) -> Result<Self, Failure> {
        let times = sequence.times();
        let file = ReadBack::new(&fitted.model, times, fitted.skinning)?;
        let linear_percent = match fitted.skinning {
            Skinning::Linear => fitted.distortion.percent,
            _ => {
                let linear = frames(&file.model, times, Skinning::Linear).or_blame(Blame::Check)?;
                Distortion::new(sequence.frames(), &linear).percent
            }
        };
        Ok(Self { file, linear_percent })
    }
}
