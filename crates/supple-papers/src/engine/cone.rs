//! Directions as sums of three directions of slabs.
//!
//! Where `d = sum_j p_j n_j`, a point that lies in the slabs along `n_1, n_2, n_3` lies in `sum_j p_j [lo_j, hi_j]` along `d`. The
//! smaller the parts, the tighter: the best three are those whose cone contains `d`. For boxes there is no choice, and the test
//! with the axes of both boxes is the one called SAT lite.
//!
//! Based on: G. Zachmann, Rapid Collision Detection by Dynamically Aligned DOP-Trees, 1998; G. van den Bergen, Efficient
//! Collision Detection of Complex Deformable Models using AABB Trees, 1997 (SAT lite).

use std::array::from_fn;

use glam::{DMat3, DVec3};

/// Three slabs and how much of their directions a direction is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cone {
    pub slabs: [usize; 3],
    pub parts: [f64; 3],
}

/// This many slabs are tried: those nearest to a direction.
const NEAREST: usize = 6;

/// What directions are made of.
pub(super) fn cones<const N: usize>(slabs: &[DVec3; N], directions: &[DVec3; N]) -> [Cone; N] {
    from_fn(|i| cone(slabs, directions[i]))
}

fn cone<const N: usize>(slabs: &[DVec3; N], direction: DVec3) -> Cone {
    // The axes always do.
    let mut best = Cone { slabs: [0, 1, 2], parts: direction.to_array() };
    let mut order: [usize; N] = from_fn(|i| i);
    order.sort_by(|&a, &b| {
        let nearness = |i: usize| slabs[i].dot(direction).abs();
        nearness(b).total_cmp(&nearness(a))
    });
    let near = &order[..NEAREST.min(N)];
    for (i, &a) in near.iter().enumerate() {
        for (j, &b) in near.iter().enumerate().skip(i + 1) {
            for &c in &near[j + 1..] {
                let columns = DMat3::from_cols(slabs[a], slabs[b], slabs[c]);
                // Flat threes span nothing; all others have a determinant of at least a quarter.
                if columns.determinant().abs() < 0.01 {
                    continue;
                }
                let parts = (columns.inverse() * direction).to_array();
                let total = |parts: &[f64; 3]| parts.iter().map(|p| p.abs()).sum::<f64>();
                if total(&parts) < total(&best.parts) {
                    best = Cone { slabs: [a, b, c], parts };
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Slabs;

    #[test]
    fn parts_make_the_direction() {
        let slabs = &Slabs::<13>::DIRECTIONS;
        // All cones are those of an axis, an edge and a corner. Parts have the sum `<n, d>` where `n` has the product 1 with all three.
        let worst = DVec3::new(1.0, 2f64.sqrt() - 1.0, 3f64.sqrt() - 2f64.sqrt()).length() + 1e-12;
        for i in 0..100 {
            let direction =
                DVec3::new((f64::from(i) * 0.7).sin(), (f64::from(i) * 1.3).cos(), 0.3).normalize();
            let Cone { slabs: [a, b, c], parts: [p, q, r] } = cone(slabs, direction);
            let sum = slabs[a] * p + slabs[b] * q + slabs[c] * r;
            assert!(sum.distance(direction) < 1e-14);
            assert!(p.abs() + q.abs() + r.abs() < worst, "{direction}");
        }
    }
}
