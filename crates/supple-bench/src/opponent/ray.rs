//! The first hit of a ray on a refitted tree.
//!
//! Eight boxes are tested at once, children are visited front to back; of the triangles of a leaf eight boxes and then eight
//! triangles are tested at once. The exact test is the library's, and so are the answers. Boxes are tested with the margins that keep an exact test from losing hits.
#![allow(unsafe_code, reason = "intrinsics and unchecked indices; every index was made by `build`")]

use std::arch::x86_64::*;

use supple::narrow::ray_crosses;
use supple::{Ray, RayHit};

use super::Avx2;
use super::shear::Shear;
use super::tree::{BoxTree, EightBoxes};

/// Lists that keep their memory from ray to ray.
#[derive(Default)]
pub struct RayQuery {
    /// Time of entry, and index of the bounds in the tree.
    open: Vec<(f32, u32)>,
}

/// A ray, spread over registers. The rays of the workload have no component that is 0 or tiny.
struct Spread {
    origin: [__m256; 3],
    inverse: [__m256; 3],
    positive: [bool; 3],
}

/// More than the three roundings of a time, twice.
const LATER: f32 = 1.0 + 4.0 * f32::EPSILON;

impl RayQuery {
    /// The first hit; among those of equal time the one with the smallest number.
    ///
    /// # Panics
    /// A component of the direction is 0: this opponent does not handle it.
    pub fn cast_ray(&mut self, tree: &mut BoxTree, ray: Ray) -> Option<RayHit> {
        assert!(ray.direction().cmpne(glam::Vec3::ZERO).all(), "no rays parallel to axes here");
        let Avx2(()) = tree.avx2;
        // SAFETY: the processor has the features, `avx2` proves it.
        unsafe { self.walk(tree, ray) }
    }

    #[target_feature(enable = "avx2,fma")]
    fn walk(&mut self, tree: &mut BoxTree, ray: Ray) -> Option<RayHit> {
        let inverse = ray.direction().recip();
        let spread = Spread {
            origin: ray.origin().to_array().map(|x| _mm256_set1_ps(x)),
            inverse: inverse.to_array().map(|x| _mm256_set1_ps(x)),
            positive: inverse.to_array().map(|x| x > 0.0),
        };
        let shear = Shear::new(&ray);
        let (mut best, mut limit) = (None, f32::INFINITY);
        self.open.clear();
        self.open.push((0.0, 0));
        while let Some((time, index)) = self.open.pop() {
            if time > limit {
                continue;
            }
            if let Some(node) = tree.nodes.get(index as usize) {
                let (mut hits, times) = entered(&node.boxes, &spread, limit);
                let first = self.open.len();
                while hits != 0 {
                    let lane = hits.trailing_zeros() as usize;
                    hits &= hits - 1;
                    let own = (times[lane], node.children[lane]);
                    self.open.push(own);
                    let mut at = self.open.len() - 1;
                    while at > first && self.open[at - 1].0 < own.0 {
                        self.open[at] = self.open[at - 1];
                        at -= 1;
                    }
                    self.open[at] = own;
                }
                continue;
            }
            let leaf = index as usize - tree.nodes.len();
            tree.prepare_leaf(leaf);
            let (mut hits, _) = entered(&tree.triangles[leaf].boxes, &spread, limit);
            if hits == 0 {
                continue;
            }
            hits &= !shear.beside(&tree.triangles[leaf], &tree.bounds[index as usize]);
            while hits != 0 {
                let lane = hits.trailing_zeros() as usize;
                hits &= hits - 1;
                consider(tree, leaf, lane, &ray, &mut best);
            }
            limit = best.map_or(limit, |hit: RayHit| hit.time * LATER);
        }
        best
    }
}

/// Tests a triangle exactly and keeps the better hit.
#[inline(always)]
fn consider(tree: &BoxTree, leaf: usize, lane: usize, ray: &Ray, best: &mut Option<RayHit>) {
    let Some(found) = ray_crosses(ray, &tree.triangles[leaf].get(lane)) else { return };
    let triangle = tree.leaves.leaves[leaf].ids[lane];
    if best.is_none_or(|hit| (found.time, triangle) < (hit.time, hit.triangle)) {
        *best =
            Some(RayHit { triangle, time: found.time, barycentrics: found.barycentrics, back: found.back });
    }
}

/// Which of eight boxes a ray enters before a time, as bits, and when.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn entered(boxes: &EightBoxes, ray: &Spread, limit: f32) -> (u32, [f32; 8]) {
    let (mut entry, mut exit) = (_mm256_setzero_ps(), _mm256_set1_ps(limit));
    for axis in 0..3 {
        let (first, last) = match ray.positive[axis] {
            true => (&boxes.min[axis], &boxes.max[axis]),
            false => (&boxes.max[axis], &boxes.min[axis]),
        };
        // SAFETY: `Eight` is aligned.
        let (first, last) = unsafe { (_mm256_load_ps(first.0.as_ptr()), _mm256_load_ps(last.0.as_ptr())) };
        let first = _mm256_mul_ps(_mm256_sub_ps(first, ray.origin[axis]), ray.inverse[axis]);
        let last = _mm256_mul_ps(_mm256_sub_ps(last, ray.origin[axis]), ray.inverse[axis]);
        entry = _mm256_max_ps(entry, first);
        exit = _mm256_min_ps(exit, _mm256_mul_ps(last, _mm256_set1_ps(LATER)));
    }
    let hits = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_LE_OQ>(entry, exit));
    let mut times = [0.0; 8];
    // SAFETY: eight numbers fit.
    unsafe { _mm256_storeu_ps(times.as_mut_ptr(), entry) };
    (hits as u32, times)
}
