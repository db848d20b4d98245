//! A sphere around spheres by their centroid, in space and among quaternions.
//!
//! Based on: L. Kavan, Real-time Skeletal Animation, 2007, Algorithm 5.1.

use std::ops::{AddAssign, Mul};

/// Algorithm 5.1: `s = sum s_k / n`, `r = max_k (|s_k - s| + r_k)`. Takes centers with radii.
pub(super) fn centroid_sphere<P: Copy + Default + AddAssign + Mul<f64, Output = P>>(
    spheres: impl ExactSizeIterator<Item = (P, f64)> + Clone,
    distance: fn(P, P) -> f64,
) -> (P, f64) {
    let share = 1.0 / spheres.len() as f64;
    let mut center = P::default();
    spheres.clone().for_each(|(own, _)| center += own * share);
    let radius = spheres.map(|(own, radius)| distance(own, center) + radius).fold(0.0, f64::max);
    (center, radius)
}

#[cfg(test)]
mod tests {
    use glam::DVec2;

    use super::*;

    #[test]
    fn centroid_and_reach() {
        let spheres = [(DVec2::ZERO, 1.0), (DVec2::X * 4.0, 0.5)];
        assert_eq!(centroid_sphere(spheres.into_iter(), DVec2::distance), (DVec2::X * 2.0, 3.0));
    }
}
