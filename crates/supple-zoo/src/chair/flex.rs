//! How the chair shows its modes.

use std::f32::consts::{PI, TAU};

use supple::{Clip, ModelError};

use crate::flexible::looping_clip;

const MODES: usize = 10;

/// Each mode goes there and back once, for 1.2 seconds that overlap the next one's by half; at rest at both ends.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const SECONDS: f32 = 1.2;
    const FRAMES_PER_SECOND: f32 = 20.0;
    let duration = SECONDS * 0.5 * (MODES as f32 + 1.0);
    let frames = (duration * FRAMES_PER_SECOND).round() as usize;
    looping_clip("flex", frames, FRAMES_PER_SECOND, |frame| {
        let time = frame as f32 / FRAMES_PER_SECOND;
        std::array::from_fn::<f32, MODES, _>(|mode| {
            let share = ((time - 0.5 * SECONDS * mode as f32) / SECONDS).clamp(0.0, 1.0);
            // 1.54 makes the largest coefficient 1. Exactly at rest before and after.
            let value = 1.54 * (PI * share).sin().powi(2) * (TAU * share).sin();
            if share == 0.0 || share == 1.0 { 0.0 } else { value }
        })
    })
}
