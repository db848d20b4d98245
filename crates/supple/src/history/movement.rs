//! How much something moves between two ticks, at most: enough to know how far its path leaves the chord.
//!
//! Time runs from 0 to 1 between two ticks. A path `f` with `|f''| <= a` stays within `a / 8` of the chord from `f(0)` to `f(1)`:
//! the error of linear interpolation is at most `t (1 - t) / 2` times the largest second derivative. See `docs/math/sweep.md`.

use std::ops::{Add, Mul};

/// Upper bounds of the length of a vector (or the norm of a matrix) and of its first two derivatives by time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Movement {
    pub size: f64,
    pub speed: f64,
    pub acceleration: f64,
}

/// Short arcs are interpolated by normalised chords, whose speed is not quite constant: below 0.07 radians by less than a
/// thousandth, and with a tangential acceleration below a quarter of the angle cubed.
const ARC_SLACK: f64 = 1.05;

impl Movement {
    /// Something that does not move.
    pub fn still(size: f64) -> Self {
        Self { size, ..Self::default() }
    }

    /// From one value to another in a straight line: the largest of both lengths and the distance.
    pub fn straight(size: f64, distance: f64) -> Self {
        Self { size, speed: distance, acceleration: 0.0 }
    }

    /// A rotation by an angle at constant speed.
    pub fn turn(angle: f64) -> Self {
        // More than its rounding.
        let angle = angle * ARC_SLACK + 1e-7;
        Self { size: 1.0, speed: angle, acceleration: angle * angle }
    }

    /// How far the path may leave the chord.
    pub fn sagitta(&self) -> f64 {
        self.acceleration / 8.0
    }
}

impl Add for Movement {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            size: self.size + other.size,
            speed: self.speed + other.speed,
            acceleration: self.acceleration + other.acceleration,
        }
    }
}

/// `(A f)'' = A'' f + 2 A' f' + A f''`.
impl Mul for Movement {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            size: self.size * other.size,
            speed: self.speed * other.size + self.size * other.speed,
            acceleration: self.acceleration * other.size
                + 2.0 * self.speed * other.speed
                + self.size * other.acceleration,
        }
    }
}
