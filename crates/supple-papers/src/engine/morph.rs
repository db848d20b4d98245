//! Convex morphs: volumes of the reference shapes, blended like the vertices.
//!
//! ```text
//! (s', e') = (sum_i s_i w_i, sum_i e_i w_i)          (3), for the slabs of boxes and k-DOPs
//! (c', r') = (sum_i c_i w_i, sum_i r_i w_i)          (7), for spheres
//! ```
//!
//! Where a shape morphs into the next one, volumes of blends between both are tighter (section 5): a blend lies between two
//! neighbours of `i, i + 1 / n, .., i + 1`.
//!
//! Based on: T. Larsson, T. Akenine-Moller, Efficient Collision Detection for Models Deformed by Morphing, 2003.

use glam::DVec3;

use super::Volume;
use supple::rest::ConvexMorph;

/// As many volumes between two shapes are stored at most; the papers' authors had one.
pub(super) const MOST_BETWEEN: usize = 255;

/// Volumes of a node's vertices: of the first shape, of blends on the way to the next one, of that, and so on.
#[derive(Clone, Debug)]
pub(super) struct MorphVolumes<V> {
    steps: usize,
    volumes: Vec<V>,
}

impl<V: Volume> MorphVolumes<V> {
    pub fn new(morph: &ConvexMorph, vertices: &[usize], between: usize) -> Self {
        let steps = between + 1;
        let volume = |step: usize| {
            let (shape, part) = (step / steps, (step % steps) as f64 / steps as f64);
            let point = |&vertex: &usize| -> DVec3 {
                let shapes = morph.of_vertex(vertex as u32);
                let own = shapes[shape].as_dvec3();
                if part == 0.0 { own } else { own.lerp(shapes[shape + 1].as_dvec3(), part) }
            };
            V::smallest(&vertices.iter().map(point).collect::<Vec<_>>())
        };
        let count = (morph.count() - 1) * steps + 1;
        Self { steps, volumes: (0..count).map(volume).collect() }
    }

    /// Equations 3 and 7, between neighbours where only two shapes that follow each other are blended.
    pub fn blended(&self, weights: &[f32]) -> V {
        let mut sum = V::ORIGIN;
        if self.steps > 1
            && let Some(progress) = progress(weights)
        {
            let along = progress * self.steps as f64;
            let first = (along as usize).min(self.volumes.len() - 2);
            sum.add_scaled(&self.volumes[first], 1.0 - (along - first as f64));
            sum.add_scaled(&self.volumes[first + 1], along - first as f64);
            return sum;
        }
        for (volume, &weight) in self.volumes.iter().step_by(self.steps).zip(weights) {
            sum.add_scaled(volume, f64::from(weight));
        }
        sum
    }
}

/// `i + t` where shapes `i` and `i + 1` have all the weight, `1 - t` and `t`.
fn progress(weights: &[f32]) -> Option<f64> {
    let first = weights.iter().position(|&w| w != 0.0)?;
    let rest = weights.get(first + 2..).unwrap_or(&[]);
    if weights.len() < 2 || rest.iter().any(|&w| w != 0.0) {
        return None;
    }
    // Weights have the sum 1 up to rounding, which the margin covers.
    let next = weights.get(first + 1).map_or(0.0, |&w| f64::from(w));
    Some(first as f64 + next / (next + f64::from(weights[first])))
}
