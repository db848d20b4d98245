//! Eight spheres side by side.
//!
//! Tests are those of [`Sphere`], in f64. Before them stands a filter in f32, eight at a time, which lets everything pass that
//! they would. With `u = 2^-24` a squared distance is computed too large by a factor of at most `(1 + u)^5`; the square of a sum of
//! radii, with what is added to it, too small by at most `(1 - u)^5`: less than `1 + 11 u` together, and a factor `1 + 16 u` makes up
//! for it. Squares below the normal numbers are rounded absolutely, by less than the smallest of those. Nothing finite becomes infinite:
//! coordinates stay below 1e18.

use glam::Vec3;

use super::children::EightVolumes;
use crate::math::{Aabb, Sphere};
use crate::simd::{Eight, lanes};
use crate::tree::WIDTH;

/// Centers axis by axis, then radii.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightSpheres {
    center: [[f32; WIDTH]; 3],
    /// Negative where there is no sphere.
    radius: [f32; WIDTH],
}

/// `1 + 16 u`.
const SLACK: f32 = 1.0 + 8.0 * f32::EPSILON;

impl EightVolumes<Sphere> for EightSpheres {
    const NOWHERE: Self = Self { center: [[0.0; WIDTH]; 3], radius: [-1.0; WIDTH] };

    #[inline(always)]
    fn set(&mut self, lane: usize, volume: &Sphere) {
        for axis in 0..3 {
            self.center[axis][lane] = volume.center[axis];
        }
        self.radius[lane] = volume.radius;
    }

    #[inline(always)]
    fn get(&self, lane: usize) -> Sphere {
        let [x, y, z] = &self.center;
        Sphere::new(Vec3::new(x[lane], y[lane], z[lane]), self.radius[lane])
    }

    #[inline(always)]
    fn overlapping<E: Eight>(&self, other: &Sphere) -> u8 {
        let point = Aabb { min: other.center, max: other.center };
        let near = self.within::<E>(&point, other.radius);
        self.those(near, |sphere| sphere.intersects(other))
    }

    fn depths<E: Eight>(&self, other: &Sphere) -> [f32; WIDTH] {
        std::array::from_fn(|lane| {
            let sphere = self.get(lane);
            sphere.radius + other.radius - sphere.center.distance(other.center)
        })
    }
}

impl EightSpheres {
    /// Bit `i` is set where sphere `i` overlaps a box.
    #[inline(always)]
    pub fn overlapping_box<E: Eight>(&self, aabb: &Aabb) -> u8 {
        let near = self.within::<E>(aabb, 0.0);
        self.those(near, |sphere| sphere.contains(sphere.center.clamp(aabb.min, aabb.max)))
    }

    /// Bit `i` is set where sphere `i` passes a test.
    #[inline(always)]
    pub fn those(&self, mask: u8, test: impl Fn(&Sphere) -> bool) -> u8 {
        let mut passed = 0;
        for lane in lanes(mask) {
            passed |= u8::from(self.radius[lane] >= 0.0 && test(&self.get(lane))) << lane;
        }
        passed
    }

    /// Bit `i` is set where sphere `i` is within a distance of a box, and maybe where it is slightly beyond.
    #[inline(always)]
    fn within<E: Eight>(&self, aabb: &Aabb, distance: f32) -> u8 {
        let mut sum = E::all(0.0);
        for axis in 0..3 {
            let center = E::load(&self.center[axis]);
            let before = E::all(aabb.min[axis]).minus(center);
            let behind = center.minus(E::all(aabb.max[axis]));
            let gap = before.greatest(behind).greatest(E::all(0.0));
            sum = sum.plus(gap.times(gap));
        }
        let radii = E::load(&self.radius).plus(E::all(distance)).greatest(E::all(0.0));
        E::bits(sum.at_most(radii.times(radii).times(E::all(SLACK)).plus(E::all(f32::MIN_POSITIVE))))
    }
}

#[cfg(test)]
#[path = "../../tests/inside/refit/eight_spheres.rs"]
mod tests;
