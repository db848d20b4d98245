//! Balls side by side, eight to a test.

use crate::math::Sphere;
use crate::refit::{EightBalls, EightVolumes};

/// The spheres of a body in one pose.
#[derive(Clone, Debug, Default)]
pub struct Balls {
    count: usize,
    eights: Vec<EightBalls>,
}

impl Balls {
    /// Out of spheres.
    pub fn new(spheres: &[Sphere]) -> Self {
        let mut balls = Self::default();
        balls.set(spheres.iter().copied());
        balls
    }

    /// Takes spheres instead of those it had.
    pub(super) fn set(&mut self, spheres: impl Iterator<Item = Sphere>) {
        self.eights.clear();
        self.count = 0;
        for sphere in spheres {
            let place = self.count % 8;
            if place == 0 {
                self.eights.push(EightBalls::NOWHERE);
            }
            self.eights.last_mut().expect("one was pushed").set(place, &sphere);
            self.count += 1;
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A ball.
    ///
    /// # Panics
    /// There are not so many.
    #[inline(always)]
    pub fn get(&self, index: usize) -> Sphere {
        assert!(index < self.count, "ball {index} of {}", self.count);
        self.eights[index / 8].get(index % 8)
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Sphere> {
        (0..self.count).map(|index| self.get(index))
    }

    /// Eight by eight; none are missing before the last ones.
    pub(super) fn eights(&self) -> &[EightBalls] {
        &self.eights
    }
}
