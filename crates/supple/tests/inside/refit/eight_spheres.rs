//! Tests of what `refit/eight_spheres` keeps to itself.

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
                assert_eq!(overlapping >> lane & 1 != 0, there && sphere.intersects(&other), "{sphere:?}");
                assert_eq!(reaching >> lane & 1 != 0, there && sphere.contains(nearest), "{sphere:?}");
                *(if sphere.intersects(&other) { &mut touching } else { &mut apart }) += 1;
            }
        }
    }
    assert!(touching > 1000 && apart > 1000, "{touching} {apart}");
}
