//! Lengths that limit a query.

use thiserror::Error;

/// A length that limits a query: how far apart is still near, how exact is exact enough. Never negative, never NaN; checked once,
/// so that queries cannot fail on it.
///
/// ```
/// use supple::Distance;
///
/// let near = Distance::new(0.05)?;
/// assert!(near < Distance::UNLIMITED);
/// assert!(Distance::new(-1.0).is_err() && Distance::new(f32::NAN).is_err());
/// # Ok::<(), supple::DistanceError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "f32", into = "f32")
)]
pub struct Distance(f32);

/// A number that is no distance.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("a distance must be a number that is not negative, it is {0}")]
pub struct DistanceError(pub f32);

impl Distance {
    /// Touching only.
    pub const ZERO: Self = Self(0.0);
    /// However far.
    pub const UNLIMITED: Self = Self(f32::INFINITY);

    /// Checks and keeps a number; infinity is [`UNLIMITED`](Self::UNLIMITED).
    ///
    /// # Errors
    /// A negative number, or NaN.
    pub fn new(distance: f32) -> Result<Self, DistanceError> {
        // Also turns -0 into 0.
        if distance >= 0.0 { Ok(Self(distance + 0.0)) } else { Err(DistanceError(distance)) }
    }

    /// The number.
    pub fn get(self) -> f32 {
        self.0
    }

    /// This, or a smaller one.
    pub(crate) fn at_most(self, other: f32) -> Self {
        Self(self.0.min(other.max(0.0)))
    }

    /// The square, exact.
    pub(crate) fn squared(self) -> f64 {
        f64::from(self.0) * f64::from(self.0)
    }
}

impl TryFrom<f32> for Distance {
    type Error = DistanceError;

    fn try_from(distance: f32) -> Result<Self, DistanceError> {
        Self::new(distance)
    }
}

impl From<Distance> for f32 {
    fn from(distance: Distance) -> f32 {
        distance.0
    }
}

/// A length in f64 as it is reported: rounded once, but never to 0 unless it is 0.
pub(crate) fn reported(length: f64) -> f32 {
    let rounded = length as f32;
    if rounded == 0.0 && length > 0.0 { f32::from_bits(1) } else { rounded }
}
