//! Balls side by side, eight to a test.

use glam::Vec3;

use crate::math::Sphere;

/// The spheres of a body in one pose: coordinates side by side, padded to eights with balls that meet nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Balls {
    count: usize,
    /// Eight x, eight y, eight z, eight radii.
    eights: Vec<[[f32; 8]; 4]>,
}

/// No comparison with its radius holds.
const NOTHING: [[f32; 8]; 4] = [[0.0; 8], [0.0; 8], [0.0; 8], [f32::NAN; 8]];

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
        for Sphere { center, radius } in spheres {
            let place = self.count % 8;
            if place == 0 {
                self.eights.push(NOTHING);
            }
            let eight = self.eights.last_mut().expect("one was pushed");
            for (row, number) in eight.iter_mut().zip([center.x, center.y, center.z, radius]) {
                row[place] = number;
            }
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
        let [x, y, z, radius] = &self.eights[index / 8];
        let place = index % 8;
        Sphere::new(Vec3::new(x[place], y[place], z[place]), radius[place])
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = Sphere> {
        (0..self.count).map(|index| self.get(index))
    }

    pub(super) fn eights(&self) -> &[[[f32; 8]; 4]] {
        &self.eights
    }
}
