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
        sum.at_most(radii.times(radii).times(E::all(SLACK)).plus(E::all(f32::MIN_POSITIVE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{self, Kernel};

    struct Tests<'a>(&'a EightSpheres, &'a Sphere, &'a Aabb);

    impl Kernel for Tests<'_> {
        type Output = [u8; 2];

        #[inline(always)]
        fn run<E: Eight>(self) -> [u8; 2] {
            [self.0.overlapping::<E>(self.1), self.0.overlapping_box::<E>(self.2)]
        }
    }

    /// Whatever the scale, and where spheres just touch.
    #[test]
    fn eight_tests_are_those_of_one_sphere() {
        let mut state = 1u32;
        let mut random = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / 8_388_608.0 - 1.0
        };
        let (mut touching, mut apart) = (0, 0);
        for size in [1e-38f32, 1e-23, 1e-3, 1.0, 1e7, 1e17] {
            for round in 0..300 {
                let mut point = || Vec3::new(random(), random(), random()) * size;
                let (center, corner) = (point(), point());
                let other = Sphere::new(center, corner.x.abs());
                let aabb = Aabb::from_points([center, corner]);
                let mut spheres = EightSpheres::NOWHERE;
                for lane in 0..round % (WIDTH + 1) {
                    let own = point();
                    // Radii that just touch the other sphere, or just do not.
                    let radius = (own.distance(center) - other.radius).max(0.0);
                    let radius = [radius, radius.next_up(), radius.next_down().max(0.0)][lane % 3];
                    spheres.set(lane, &Sphere::new(own, radius));
                }
                let [overlapping, reaching] = simd::run(Tests(&spheres, &other, &aabb));
                for lane in 0..WIDTH {
                    let (sphere, there) = (spheres.get(lane), lane < round % (WIDTH + 1));
                    let nearest = sphere.center.clamp(aabb.min, aabb.max);
                    assert_eq!(
                        overlapping >> lane & 1 != 0,
                        there && sphere.intersects(&other),
                        "{sphere:?}"
                    );
                    assert_eq!(reaching >> lane & 1 != 0, there && sphere.contains(nearest), "{sphere:?}");
                    *(if sphere.intersects(&other) { &mut touching } else { &mut apart }) += 1;
                }
            }
        }
        assert!(touching > 1000 && apart > 1000, "{touching} {apart}");
    }
}
