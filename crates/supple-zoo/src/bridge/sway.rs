//! How the bridge moves: what it is made of, where it stands, and a clip in which the wind grows dangerous.

use glam::DVec3;
use supple::model::ModelError;
use supple::pose::Clip;
use supple_fit::reduce::ModeOptions;

use super::plan::HALF_LENGTH;
use crate::flexible::{looping_clip, wave};

/// Steel, in cells of 3 m, which join members that stand apart; held by the ground, and by the blocks at both ends.
pub(super) fn options() -> ModeOptions {
    // The ends of the deck do not move either: they are a hand away from the blocks.
    let end = f64::from(HALF_LENGTH) - 1.0;
    let ground = [DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, 0.0, f64::INFINITY)];
    let near = [DVec3::NEG_INFINITY, DVec3::new(f64::INFINITY, f64::INFINITY, -end)];
    let far = [DVec3::new(f64::NEG_INFINITY, f64::NEG_INFINITY, end), DVec3::INFINITY];
    ModeOptions {
        count: 10,
        amplitude: Some(4.0),
        resolution: 80,
        density: 7800.0,
        young: 2e11,
        poisson: 0.3,
        held: vec![ground, near, far],
        ..ModeOptions::default()
    }
}

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
