//! Temporal coherence: volumes that were refitted for earlier coefficients grow by one product.
//!
//! ```text
//! V'' = V' grown by dR |q'' - q|                     (11)
//! ```
//!
//! Every node remembers for which coefficients it was last refitted. It is refitted again, which centers it anew, where it would have to
//! grow by more than a share of its size.
//!
//! Based on: D. L. James, D. K. Pai, BD-Tree, 2004, section 3.5.

use super::Volume;
use super::fields::FieldVolumes;
use supple::QueryStats;

/// Earlier coefficients are kept for this many poses; then all nodes start anew.
const MOST_KEYS: usize = 64;

/// What is known of earlier poses.
#[derive(Clone, Debug)]
pub(super) struct Coherence<V> {
    tolerance: f64,
    /// Coefficients, and how far the current ones are from them.
    keys: Vec<(Vec<f32>, f64)>,
    /// Per node the number of its key, and its volume then.
    volumes: Vec<Option<(usize, V)>>,
}

impl<V: Volume> Coherence<V> {
    pub fn new(nodes: usize, tolerance: f64, coefficients: &[f32]) -> Self {
        Self { tolerance, keys: vec![(coefficients.to_vec(), 0.0)], volumes: vec![None; nodes] }
    }

    /// Takes the coefficients of a pose.
    pub fn set(&mut self, coefficients: &[f32]) {
        if self.keys.len() >= MOST_KEYS {
            self.keys.clear();
            self.volumes.fill(None);
        }
        let square = |(a, b): (&f32, &f32)| (f64::from(*a) - f64::from(*b)).powi(2);
        for (key, distance) in &mut self.keys {
            *distance = key.iter().zip(coefficients).map(square).sum::<f64>().sqrt();
        }
        self.keys.push((coefficients.to_vec(), 0.0));
    }

    /// A node's volume; counts as a refit only where it is centered anew.
    pub fn volume(
        &mut self,
        node: usize,
        fields: &FieldVolumes<V>,
        coefficients: &[f32],
        stats: &mut QueryStats,
    ) -> V {
        if let Some((key, volume)) = &self.volumes[node] {
            let grown = volume.grown(fields.growth(self.keys[*key].1));
            if grown.size() <= (1.0 + self.tolerance) * volume.size() {
                return grown;
            }
        }
        stats.refits += 1;
        let volume = fields.displaced(coefficients);
        self.volumes[node] = Some((self.keys.len() - 1, volume));
        volume
    }
}
