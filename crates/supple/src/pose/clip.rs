//! Animation clips: channels of keyframes that write a pose for a time.
//!
//! In: a time in seconds. Out: the animated part of a pose; what the clip does not animate stays as it is.
//! Must hold: a clip starts at 0 and lasts until its last key; looping wraps there.
//!
//! Based on: Khronos Group, glTF 2.0 specification, section 3.11 and appendix C.

use std::ops::Range;

use glam::{DQuat, Vec3};
use thiserror::Error;

use super::keyframes::{Span, component, find_span};
use super::{Interpolation, Pose, PoseError};
use crate::math::shortest_arc::{shortest_arc, unit};

/// What a channel animates.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Translation of a node.
    Translation(usize),
    /// Rotation of a node, as quaternions x, y, z, w.
    Rotation(usize),
    /// Scale of a node.
    Scale(usize),
    /// A range of the pose's coefficients.
    Coefficients(Range<usize>),
}

impl Target {
    fn width(&self) -> usize {
        match self {
            Self::Translation(_) | Self::Scale(_) => 3,
            Self::Rotation(_) => 4,
            Self::Coefficients(range) => range.len(),
        }
    }
}

/// Keyframes of one target.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// What is animated.
    pub target: Target,
    /// How values between keys are found.
    pub interpolation: Interpolation,
    /// Key times in seconds, ascending, not negative.
    pub times: Vec<f32>,
    /// Tuples of values, one per key (three for cubic splines), flat.
    pub values: Vec<f32>,
}

/// A named animation.
///
/// ```
/// use glam::Vec3;
/// use supple::pose::{Channel, Clip, Interpolation, Pose, Target, Transform};
///
/// let rise = Channel {
///     target: Target::Translation(0),
///     interpolation: Interpolation::Linear,
///     times: vec![0.0, 2.0],
///     values: vec![0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
/// };
/// let clip = Clip::new("rise", vec![rise])?;
/// let mut pose = Pose { nodes: vec![Transform::IDENTITY], coefficients: vec![] };
/// clip.sample(0.5, &mut pose)?;
/// assert_eq!(pose.nodes[0].translation, Vec3::new(0.0, 0.25, 0.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    name: String,
    channels: Vec<Channel>,
    duration: f64,
    /// How many nodes and coefficients a pose must have to be written.
    nodes: usize,
    coefficients: usize,
}

/// Why channels do not make a clip.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ClipError {
    /// A channel needs a key.
    #[error("channel {channel} has no keys")]
    NoKeys {
        /// The channel.
        channel: usize,
    },
    /// Times must ascend and must not be negative.
    #[error("channel {channel}: key {key} is at {time} s; times must be finite, not negative and ascending")]
    BadTime {
        /// The channel.
        channel: usize,
        /// The key.
        key: usize,
        /// Its time.
        time: f32,
    },
    /// A range of coefficients that ends before it starts.
    #[error("channel {channel} animates coefficients from {start} back to {end}")]
    BackwardRange {
        /// The channel.
        channel: usize,
        /// Where the range starts.
        start: usize,
        /// Where it ends.
        end: usize,
    },
    /// A wrong number of values.
    #[error("channel {channel} has {found} values, its keys need {expected}")]
    WrongCount {
        /// The channel.
        channel: usize,
        /// Keys times the width of the target.
        expected: usize,
        /// What there was.
        found: usize,
    },
    /// A value that is not finite.
    #[error("channel {channel}: value {value} is not finite")]
    NotFinite {
        /// The channel.
        channel: usize,
        /// Index into its values.
        value: usize,
    },
}

impl Clip {
    /// Checks and keeps the channels.
    ///
    /// # Errors
    /// A channel without keys, times that do not ascend, a wrong number of values, a number that is not finite.
    pub fn new(name: impl Into<String>, channels: Vec<Channel>) -> Result<Self, ClipError> {
        let (mut duration, mut nodes, mut coefficients) = (0.0f64, 0, 0);
        for (index, channel) in channels.iter().enumerate() {
            check_channel(index, channel)?;
            duration = duration.max(channel.times.last().map_or(0.0, |&t| f64::from(t)));
            match &channel.target {
                Target::Translation(n) | Target::Rotation(n) | Target::Scale(n) => {
                    nodes = nodes.max(n.saturating_add(1))
                }
                Target::Coefficients(range) => coefficients = coefficients.max(range.end),
            }
        }
        Ok(Self { name: name.into(), channels, duration, nodes, coefficients })
    }

    /// As the file calls it; may be empty.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Time of the last key, in seconds.
    pub fn duration(&self) -> f64 {
        self.duration
    }

    /// The channels.
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Writes the animated part of the pose at a time in seconds. Times before 0 (and NaN) mean 0, times after the
    /// end mean the end.
    ///
    /// # Errors
    /// The pose is too small for what the clip animates.
    pub fn sample(&self, time: f64, pose: &mut Pose) -> Result<(), PoseError> {
        if pose.nodes.len() < self.nodes {
            return Err(PoseError::NodeCount { expected: self.nodes, found: pose.nodes.len() });
        }
        if pose.coefficients.len() < self.coefficients {
            return Err(PoseError::CoefficientCount {
                expected: self.coefficients,
                found: pose.coefficients.len(),
            });
        }
        let time = if time > 0.0 { time } else { 0.0 };
        for channel in &self.channels {
            channel.write(time, pose);
        }
        Ok(())
    }

    /// Like [`sample`](Self::sample), with the time wrapped at the clip's duration.
    ///
    /// # Errors
    /// The pose is too small for what the clip animates.
    pub fn sample_looped(&self, time: f64, pose: &mut Pose) -> Result<(), PoseError> {
        let wrapped = if self.duration > 0.0 { time.rem_euclid(self.duration) } else { 0.0 };
        self.sample(wrapped, pose)
    }

    pub(crate) fn needed_counts(&self) -> (usize, usize) {
        (self.nodes, self.coefficients)
    }
}

impl Channel {
    fn write(&self, time: f64, pose: &mut Pose) {
        let span = find_span(&self.times, time);
        let width = self.target.width();
        let get = |c| component(self.interpolation, &self.values, width, span, c);
        let get_vec3 = || Vec3::new(get(0) as f32, get(1) as f32, get(2) as f32);
        match &self.target {
            Target::Translation(node) => pose.nodes[*node].translation = get_vec3(),
            Target::Scale(node) => pose.nodes[*node].scale = get_vec3(),
            Target::Rotation(node) => pose.nodes[*node].rotation = self.rotation(span).as_quat(),
            Target::Coefficients(range) => {
                for (c, coefficient) in pose.coefficients[range.clone()].iter_mut().enumerate() {
                    *coefficient = get(c) as f32;
                }
            }
        }
    }

    fn rotation(&self, span: Span) -> DQuat {
        if self.interpolation == Interpolation::Linear {
            let key = |k: usize| {
                let v = |c: usize| f64::from(self.values[k * 4 + c]);
                DQuat::from_xyzw(v(0), v(1), v(2), v(3))
            };
            return shortest_arc(key(span.before), key(span.after), span.fraction);
        }
        let get = |c| component(self.interpolation, &self.values, 4, span, c);
        unit(DQuat::from_xyzw(get(0), get(1), get(2), get(3)))
    }
}

fn check_channel(index: usize, channel: &Channel) -> Result<(), ClipError> {
    if channel.times.is_empty() {
        return Err(ClipError::NoKeys { channel: index });
    }
    let mut previous = 0.0;
    for (key, &time) in channel.times.iter().enumerate() {
        if !time.is_finite() || time < previous {
            return Err(ClipError::BadTime { channel: index, key, time });
        }
        previous = time;
    }
    if let Target::Coefficients(range) = &channel.target
        && range.start > range.end
    {
        return Err(ClipError::BackwardRange { channel: index, start: range.start, end: range.end });
    }
    // Saturated: a product that overflows must not meet a small number of values by chance.
    let tuples = channel.times.len().saturating_mul(channel.interpolation.tuples_per_key());
    let expected = tuples.saturating_mul(channel.target.width());
    let found = channel.values.len();
    if found != expected {
        return Err(ClipError::WrongCount { channel: index, expected, found });
    }
    match channel.values.iter().position(|v| !v.is_finite()) {
        Some(value) => Err(ClipError::NotFinite { channel: index, value }),
        None => Ok(()),
    }
}
