//! How the fish swims.

use supple::{Clip, ModelError};

use crate::flexible::{looping_clip, wave};

/// Two strokes of the tail in a second, which twists as it changes sides; once up and down.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const FRAMES: usize = 30;
    looping_clip("flap", FRAMES, 30.0, |frame| {
        let share = frame as f32 / FRAMES as f32;
        [wave(2.0, 0.0, share), 0.3 * wave(1.0, 0.25, share), 0.6 * wave(2.0, 0.25, share)]
    })
}
