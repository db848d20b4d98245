//! Models that only displacement fields move, and clips that show the fields.

use std::f32::consts::{PI, TAU};

use supple::pose::{Channel, Interpolation, Target};
use supple::rest::{Field, Fields, Rest};
use supple::{Clip, Mesh, Model, ModelError};

/// A rigid model that fields bend.
///
/// # Errors
/// Fields of another mesh; clips that do not fit.
pub fn flexible_model(mesh: Mesh, fields: &[Field], clips: Vec<Clip>) -> Result<Model, ModelError> {
    let rest = Rest::Fields(Fields::new(mesh.positions().len(), fields)?);
    Model::rigid(mesh).with_rest(rest)?.with_clips(clips)
}

/// A clip in which each of `count` coefficients goes there and back once, within -1 and 1 and to one of them, for 1.2 seconds that
/// overlap the next one's by half; at rest at both ends.
///
/// # Errors
/// No coefficients.
pub fn showing_clip(name: &str, count: usize) -> Result<Clip, ModelError> {
    const SECONDS: f32 = 1.2;
    const FRAMES_PER_SECOND: f32 = 20.0;
    let duration = SECONDS * 0.5 * (count as f32 + 1.0);
    let frames = (duration * FRAMES_PER_SECOND).round() as usize;
    let value = |frame: usize, field: usize| {
        let time = (frame % frames) as f32 / FRAMES_PER_SECOND;
        let share = ((time - 0.5 * SECONDS * field as f32) / SECONDS).clamp(0.0, 1.0);
        // 1.54 makes the largest coefficient 1. Exactly at rest before and after.
        let value = 1.54 * (PI * share).sin().powi(2) * (TAU * share).sin();
        if share == 0.0 || share == 1.0 { 0.0 } else { value }
    };
    let values = (0..=frames).flat_map(|frame| (0..count).map(move |field| value(frame, field))).collect();
    let times = (0..=frames).map(|frame| frame as f32 / FRAMES_PER_SECOND).collect();
    let target = Target::Coefficients(0..count);
    let channel = Channel { target, interpolation: Interpolation::Linear, times, values };
    Ok(Clip::new(name, vec![channel])?)
}
