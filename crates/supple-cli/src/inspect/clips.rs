//! Clips: how long, and what they animate.

use serde::Serialize;
use supple::Model;
use supple::pose::{Clip, Target};

/// One clip.
#[derive(Debug, Serialize)]
pub struct ClipReport {
    pub name: String,
    /// Seconds.
    pub duration: f64,
    pub channels: Channels,
    /// Keys of all channels.
    pub keys: usize,
}

/// How many channels animate what.
#[derive(Debug, Serialize)]
pub struct Channels {
    pub translation: usize,
    pub rotation: usize,
    pub scale: usize,
    pub weights: usize,
}

/// All clips, in file order.
pub fn clips(model: &Model) -> Vec<ClipReport> {
    model.clips().iter().map(clip).collect()
}

fn clip(clip: &Clip) -> ClipReport {
    let count = |wanted: fn(&Target) -> bool| clip.channels().iter().filter(|c| wanted(&c.target)).count();
    ClipReport {
        name: clip.name().to_owned(),
        duration: clip.duration(),
        channels: Channels {
            translation: count(|t| matches!(t, Target::Translation(_))),
            rotation: count(|t| matches!(t, Target::Rotation(_))),
            scale: count(|t| matches!(t, Target::Scale(_))),
            weights: count(|t| matches!(t, Target::Coefficients(_))),
        },
        keys: clip.channels().iter().map(|c| c.times.len()).sum(),
    }
}
