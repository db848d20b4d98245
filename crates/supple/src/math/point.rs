//! Points in the world that a query is asked about.

use glam::Vec3;
use thiserror::Error;

/// A point in the world. Its numbers are finite: checked once, so that queries cannot fail on it.
///
/// ```
/// use glam::Vec3;
/// use supple::Point;
///
/// let hand = Point::new(Vec3::new(0.3, 1.1, 0.0))?;
/// assert_eq!(hand.get().y, 1.1);
/// assert!(Point::new(Vec3::NAN).is_err());
/// # Ok::<(), supple::PointError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Vec3", into = "Vec3")
)]
pub struct Point(Vec3);

/// Numbers that are no point.
#[derive(Clone, Copy, Debug, Error, PartialEq)]
#[error("a point must be finite, it is {0}")]
pub struct PointError(pub Vec3);

impl Point {
    /// Checks and keeps the numbers.
    ///
    /// # Errors
    /// A number that is not finite.
    pub fn new(point: Vec3) -> Result<Self, PointError> {
        if point.is_finite() { Ok(Self(point)) } else { Err(PointError(point)) }
    }

    /// The numbers.
    pub fn get(self) -> Vec3 {
        self.0
    }
}

impl TryFrom<Vec3> for Point {
    type Error = PointError;

    fn try_from(point: Vec3) -> Result<Self, PointError> {
        Self::new(point)
    }
}

impl From<Point> for Vec3 {
    fn from(point: Point) -> Vec3 {
        point.0
    }
}
