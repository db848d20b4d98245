//! Tests of what `refit/children` keeps to itself.

use glam::Vec3;

use super::*;
use crate::simd::{self, Kernel};

struct Distances<'a>(&'a EightBoxes, &'a Aabb);

impl Kernel for Distances<'_> {
    type Output = [f32; WIDTH];

    #[inline(always)]
    fn run<E: Eight>(self) -> [f32; WIDTH] {
        self.0.distances_sq::<E>(self.1)
    }
}

#[test]
fn distances_of_eight_boxes_are_close_lower_bounds() {
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / 8_388_608.0 - 1.0
    };
    for size in [1e-30f32, 1e-20, 1e-3, 1.0, 1e7, 1e18] {
        for _ in 0..200 {
            let mut aabb = || {
                let [p, q] = [(); 2].map(|()| Vec3::new(random(), random(), random()) * size);
                Aabb::from_points([p, p + q * 0.3])
            };
            let other = aabb();
            let all: [Aabb; WIDTH] = std::array::from_fn(|_| aabb());
            let mut boxes = EightBoxes::NOWHERE;
            all.iter().enumerate().for_each(|(lane, aabb)| boxes.set(lane, aabb));
            for (found, aabb) in simd::run(Distances(&boxes, &other)).into_iter().zip(&all) {
                let (found, exact) = (f64::from(found), aabb.distance_sq(&other));
                assert!(found <= exact, "{found} {exact}");
                assert!(exact * 0.999_998 - 2e-38 <= found, "{found} {exact}");
            }
        }
    }
}
