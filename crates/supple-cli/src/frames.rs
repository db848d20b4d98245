//! Evenly spaced times of a clip.

use supple::Clip;

use crate::failure::{Failure, bad_usage};

/// Frames per second where the user does not say.
pub const DEFAULT_FPS: f32 = 30.0;

/// More frames than this are a mistake in the frame rate: nine hours at 30 per second.
const MAX_FRAMES: usize = 1_000_000;

/// Evenly spaced times.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frames {
    count: usize,
    start: f64,
    pub fps: f32,
}

impl Frames {
    /// One frame.
    pub fn single(time: f64) -> Self {
        Self { count: 1, start: time, fps: DEFAULT_FPS }
    }

    /// As many as asked for; otherwise from the start to the clip's end; one without a clip.
    pub fn of_clip(
        clip: Option<&Clip>,
        start: f64,
        fps: Option<f32>,
        count: Option<u32>,
    ) -> Result<Self, Failure> {
        let fps = fps.unwrap_or(DEFAULT_FPS);
        // A duration that is a whole number of frames, up to its rounding to f32, ends with a frame.
        let steps =
            |clip: &Clip| ((clip.duration() - start) * f64::from(fps) + 1e-4).floor().max(0.0) as usize;
        let whole = || clip.map_or(0, steps).saturating_add(1);
        let count = count.map_or_else(whole, |n| n as usize);
        if count > MAX_FRAMES {
            return Err(bad_usage(format!("{count} frames are too many, at most {MAX_FRAMES} are made")));
        }
        Ok(Self { count, start, fps })
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Seconds of the first frame.
    pub fn start(&self) -> f32 {
        self.start as f32
    }

    /// Seconds of each frame.
    pub fn times(&self) -> impl Iterator<Item = f64> {
        let Self { count, start, fps } = *self;
        (0..count).map(move |frame| start + frame as f64 / f64::from(fps))
    }
}
