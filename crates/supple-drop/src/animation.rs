//! A recording as a GLB animation: one mesh, a node per body, morph weights that follow the modes.

use supple::Isometry;
use supple_io::{Instance, Instances, instances_glb_bytes};

use crate::error::DropError;
use crate::frame::Frame;
use crate::scenes::Cast;

/// More bodies than this make viewers slow: each morphs a mesh of its own.
pub const MOST_ANIMATED: usize = 64;

/// The bytes of a GLB file that plays the frames.
///
/// # Errors
/// No frames, or more bodies than [`MOST_ANIMATED`].
pub fn animation(cast: &Cast, frames: &[Frame]) -> Result<Vec<u8>, DropError> {
    let count = frames.first().ok_or(DropError::NoFrames)?.bodies.len();
    if count > MOST_ANIMATED {
        return Err(DropError::TooManyToExport { count, most: MOST_ANIMATED });
    }
    let times: Vec<f32> = frames.iter().map(|frame| frame.time as f32).collect();
    let kind = cast.kind();
    let body = |number: usize| Instance {
        name: format!("{kind} {number}"),
        placements: frames.iter().map(|frame| frame.bodies[number].0).collect(),
        coefficients: frames.iter().flat_map(|frame| &frame.bodies[number].1).copied().collect(),
    };
    let mut models =
        vec![Instances { model: cast.prop().model(), instances: (0..count).map(body).collect() }];
    if let Some(backdrop) = cast.backdrop() {
        let instance = Instance {
            name: "backdrop".to_owned(),
            placements: vec![Isometry::IDENTITY; frames.len()],
            coefficients: frames.iter().flat_map(|frame| &frame.backdrop).copied().collect(),
        };
        models.push(Instances { model: backdrop.model(), instances: vec![instance] });
    }
    Ok(instances_glb_bytes(&kind.to_string(), &times, &models)?)
}
