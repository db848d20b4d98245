//! A skin's weights, laid out for sums over vertices.
//!
//! Must hold: weights are those of the skin (f32), joints of a vertex in the skin's order: the first decides the signs
//! of quaternions.

use supple::Skin;

use crate::skyline::Envelope;

/// Weights of all vertices, and which joints meet in a vertex.
pub(crate) struct Blending {
    offsets: Vec<usize>,
    joints: Vec<u32>,
    weights: Vec<f64>,
    /// For every vertex and every two of its joints `a >= b` (by their order) the index of the pair.
    pair_offsets: Vec<usize>,
    pair_indices: Vec<u32>,
    /// Pairs of joints that meet in a vertex, each with itself first.
    pub pairs: Vec<[u32; 2]>,
    pub envelope: Envelope,
    pub joint_count: usize,
}

impl Blending {
    pub fn new(skin: &Skin) -> Self {
        let joint_count = skin.joint_count();
        let mut pairs: Vec<[u32; 2]> = (0..joint_count as u32).map(|joint| [joint, joint]).collect();
        let mut index_of: std::collections::HashMap<[u32; 2], u32> =
            (0u32..).zip(&pairs).map(|(i, &p)| (p, i)).collect();
        let mut blending = Self {
            offsets: vec![0],
            joints: Vec::new(),
            weights: Vec::new(),
            pair_offsets: vec![0],
            pair_indices: Vec::new(),
            pairs: Vec::new(),
            envelope: Envelope::new(0, &[]),
            joint_count,
        };
        for vertex in 0..skin.vertex_count() as u32 {
            let start = blending.joints.len();
            for (joint, weight) in skin.influences(vertex) {
                blending.joints.push(joint.0);
                blending.weights.push(f64::from(weight));
            }
            blending.offsets.push(blending.joints.len());
            let joints = &blending.joints[start..];
            for (number, &a) in joints.iter().enumerate() {
                for &b in &joints[..=number] {
                    let pair = [a.max(b), a.min(b)];
                    let index = *index_of.entry(pair).or_insert_with(|| {
                        pairs.push(pair);
                        pairs.len() as u32 - 1
                    });
                    blending.pair_indices.push(index);
                }
            }
            blending.pair_offsets.push(blending.pair_indices.len());
        }
        blending.envelope = Envelope::new(joint_count, &pairs);
        blending.pairs = pairs;
        blending
    }

    pub fn vertex_count(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Joints of a vertex and their weights.
    #[inline(always)]
    pub fn of_vertex(&self, vertex: usize) -> (&[u32], &[f64]) {
        let range = self.offsets[vertex]..self.offsets[vertex + 1];
        (&self.joints[range.clone()], &self.weights[range])
    }

    /// What the squares of a joint's weights sum to, in the mean: the size of a sum of squares in one unknown of length
    /// 1.
    pub fn mean_square_weight(&self) -> f64 {
        self.weights.iter().map(|w| w * w).sum::<f64>() / self.joint_count as f64
    }

    /// Indices of the pairs (0, 0), (1, 0), (1, 1), (2, 0) ... of a vertex.
    #[inline(always)]
    pub fn pairs_of_vertex(&self, vertex: usize) -> &[u32] {
        &self.pair_indices[self.pair_offsets[vertex]..self.pair_offsets[vertex + 1]]
    }
}
