//! Eight spheres side by side: tests of one sphere against all of them, in two vectors of four numbers, which glam computes with vector
//! instructions where the processor has them.
//!
//! Tests are those of [`Sphere::intersects`], in f64. Before them stands a filter in f32, eight at a time, which lets everything pass
//! that they would. With `u = 2^-24` a squared distance is computed too large by a factor of at most `(1 + u)^5`; the square of a sum
//! of radii, with what is added to it, too small by at most `(1 - u)^5`: less than `1 + 11 u` together, and a factor `1 + 16 u` makes
//! up for it. Squares below the normal numbers are rounded absolutely, by less than the smallest of those.

use glam::{Vec3, Vec4};
use supple::Sphere;

/// How many are tested at once.
pub(crate) const LANES: usize = 8;

/// `1 + 16 u`.
const SLACK: f32 = 1.0 + 8.0 * f32::EPSILON;

/// Lanes of a vector.
const FOUR: usize = LANES / 2;

/// Centers axis by axis, then radii.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EightSpheres {
    /// Not a number where there is no sphere: that is near nothing.
    center: [[Vec4; 2]; 3],
    radius: [Vec4; 2],
}

impl EightSpheres {
    /// No sphere in any lane.
    pub const NONE: Self = Self { center: [[Vec4::NAN; 2]; 3], radius: [Vec4::ZERO; 2] };

    #[inline(always)]
    pub fn set(&mut self, lane: usize, sphere: &Sphere) {
        for axis in 0..3 {
            self.center[axis][lane / FOUR][lane % FOUR] = sphere.center[axis];
        }
        self.radius[lane / FOUR][lane % FOUR] = sphere.radius;
    }

    #[inline(always)]
    pub fn get(&self, lane: usize) -> Sphere {
        let (half, lane) = (lane / FOUR, lane % FOUR);
        let [x, y, z] = self.center.map(|axis| axis[half][lane]);
        Sphere::new(Vec3::new(x, y, z), self.radius[half][lane])
    }

    /// Bit `i` is set where sphere `i` has a point in common with another.
    #[inline(always)]
    pub fn overlapping(&self, other: &Sphere) -> u8 {
        let mut overlapping = 0;
        for lane in lanes(self.near(other)) {
            overlapping |= u8::from(self.get(lane).intersects(other)) << lane;
        }
        overlapping
    }

    /// Bit `i` is set where sphere `i` overlaps another, or nearly does.
    #[inline(always)]
    fn near(&self, other: &Sphere) -> u8 {
        let [x, y, z] = other.center.to_array().map(Vec4::splat);
        let [first, second] = [0, 1].map(|half| {
            let (dx, dy, dz) = (self.center[0][half] - x, self.center[1][half] - y, self.center[2][half] - z);
            let sum = self.radius[half] + Vec4::splat(other.radius);
            let limit = sum * sum * SLACK + Vec4::splat(f32::MIN_POSITIVE);
            (dx * dx + dy * dy + dz * dz).cmple(limit).bitmask() as u8
        });
        first | second << FOUR
    }
}

/// The lanes whose bits are set, ascending.
#[inline(always)]
pub(crate) fn lanes(mut mask: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < LANES).then_some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the scale, and where spheres just touch.
    #[test]
    fn eight_tests_are_those_of_one_sphere() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        let (mut touching, mut apart) = (0, 0);
        for size in [1e-38f32, 1e-23, 1e-3, 1.0, 1e7, 1e17, 1e38] {
            for round in 0..300 {
                let mut point = || Vec3::new(random(), random(), random()) * size;
                let center = point();
                let other = Sphere::new(center, point().x.abs());
                let mut spheres = EightSpheres::NONE;
                let count = round % (LANES + 1);
                for lane in 0..count {
                    let own = point();
                    // Radii that just touch the other sphere, or just do not.
                    let distance = own.as_dvec3().distance(center.as_dvec3()) as f32;
                    let radius = (distance - other.radius).max(0.0);
                    let radius = [radius, radius.next_up(), radius.next_down().max(0.0)][lane % 3];
                    spheres.set(lane, &Sphere::new(own, radius));
                }
                let overlapping = spheres.overlapping(&other);
                for lane in 0..LANES {
                    let sphere = spheres.get(lane);
                    let expected = lane < count && sphere.intersects(&other);
                    assert_eq!(overlapping >> lane & 1 != 0, expected, "{sphere:?} {other:?}");
                    *(if expected { &mut touching } else { &mut apart }) += 1;
                }
            }
        }
        assert!(touching > 1000 && apart > 1000, "{touching} {apart}");
    }

    /// Numbers that no body has, but that somebody may pass.
    #[test]
    fn strange_numbers_are_tested_as_one_by_one() {
        let numbers = [0.0, -1.0, 2.0, f32::MAX, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for x in numbers {
            for radius in numbers {
                let mut spheres = EightSpheres::NONE;
                for (lane, own) in numbers.into_iter().enumerate() {
                    spheres.set(
                        lane,
                        &Sphere::new(Vec3::new(own, 0.0, 0.0), numbers[(lane + 3) % numbers.len()]),
                    );
                }
                let other = Sphere::new(Vec3::new(x, 0.0, 0.0), radius);
                let expected =
                    (0..LANES).map(|lane| u8::from(spheres.get(lane).intersects(&other)) << lane).sum::<u8>();
                assert_eq!(spheres.overlapping(&other), expected, "{other:?}");
            }
        }
    }

    #[test]
    fn lanes_are_the_bits_that_are_set() {
        assert_eq!(lanes(0).count(), 0);
        assert_eq!(lanes(0b1000_0101).collect::<Vec<_>>(), [0, 2, 7]);
        assert_eq!(lanes(0xff).count(), LANES);
    }
}
