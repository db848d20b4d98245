//! How the bridge moves: a clip in which the wind grows dangerous.

use supple::{Clip, ModelError};

use crate::flexible::{looping_clip, wave};

/// Eight seconds in which the wind takes hold of the bridge and lets go again.
pub(super) fn clip() -> Result<Clip, ModelError> {
    const FRAMES: usize = 240;
    /// Whole turns in the clip, how early they start, and how far they go, for each mode.
    const MOTIONS: [[f32; 3]; 10] = [
        [2.0, 0.0, 6.4],
        [3.0, 0.2, 1.6],
        [4.0, 0.4, 1.2],
        [6.0, 0.1, 1.0],
        [3.0, 0.3, 0.6],
        [5.0, 0.0, 1.0],
        [7.0, 0.6, 0.8],
        [4.0, 0.7, 0.8],
        [6.0, 0.5, 0.3],
        [3.0, 0.8, 0.6],
    ];
    looping_clip("sway", FRAMES, 30.0, |frame| {
        let share = frame as f32 / FRAMES as f32;
        let strength = 0.25 + 0.75 * (std::f32::consts::PI * share).sin().powi(2);
        MOTIONS.map(|[turns, lead, amount]| amount * strength * wave(turns, lead, share))
    })
}
