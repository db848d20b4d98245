//! Linear skinning of all vertices, eight at a time.
//!
//! In: joint matrices. Out: posed positions, 16 bytes each, in the loop's own order ("entries").
//! Vertices of one joint-set stand together, padded to blocks of eight, so that a block broadcasts the numbers of its
//! matrices instead of gathering them, and vertices with fewer joints cost less. This is 1.5 operations per vertex and
//! influence; blending a matrix per vertex takes 3.
#![allow(unsafe_code, reason = "intrinsics read through pointers")]

use std::arch::x86_64::*;

use glam::{Affine3A, Vec4};
use supple::Model;

use super::{Avx2, Eight};

/// Lane of each entry of a block: the order in which the transposed registers are stored without a permutation.
const LANE_OF_ENTRY: [usize; 8] = [0, 4, 1, 5, 2, 6, 3, 7];

struct Block {
    rest: [Eight; 3],
    /// First of its joints and weights.
    first: u32,
    /// Number of joints.
    count: u32,
}

/// The vertices of a model, laid out for skinning.
pub struct SkinningLoop {
    avx2: Avx2,
    blocks: Vec<Block>,
    joints: Vec<u32>,
    weights: Vec<Eight>,
    entry_of_vertex: Vec<u32>,
    matrices: Vec<[f32; 16]>,
}

impl SkinningLoop {
    /// Lays out the vertices of a model. Where the joint-set leaves a choice, vertices are ordered by `rank`, e.g. their
    /// order in a tree, so that neighbours in the tree are neighbours in memory.
    pub fn new(avx2: Avx2, model: &Model, rank: &[u32]) -> Self {
        let skin = model.skin();
        let positions = model.mesh().positions();
        let mut order: Vec<u32> = (0..positions.len() as u32).collect();
        // By number of joints first: the loop over them is then predicted.
        order.sort_by_key(|&v| {
            (skin.joint_set(skin.set_of_vertex(v)).len(), skin.set_of_vertex(v), rank[v as usize])
        });
        let mut this = Self {
            avx2,
            blocks: Vec::new(),
            joints: Vec::new(),
            weights: Vec::new(),
            entry_of_vertex: vec![0; positions.len()],
            matrices: vec![[0.0; 16]; skin.joint_count()],
        };
        for set in order.chunk_by(|&v, &w| skin.set_of_vertex(v) == skin.set_of_vertex(w)) {
            for vertices in set.chunks(8) {
                this.add_block(model, vertices);
            }
        }
        this
    }

    fn add_block(&mut self, model: &Model, vertices: &[u32]) {
        let joints = model.skin().joint_set(model.skin().set_of_vertex(vertices[0]));
        let (first, entry) = (self.weights.len(), self.blocks.len() * 8);
        let mut rest = [Eight([0.0; 8]); 3];
        self.joints.extend_from_slice(joints);
        self.weights.resize(first + joints.len(), Eight([0.0; 8]));
        for (i, &lane) in LANE_OF_ENTRY.iter().enumerate() {
            // The last vertex fills the block.
            let vertex = vertices[i.min(vertices.len() - 1)];
            let position = model.mesh().positions()[vertex as usize];
            (0..3).for_each(|axis| rest[axis].0[lane] = position[axis]);
            // Weights stand in the order of the set.
            for (number, (_, weight)) in model.skin().influences(vertex).enumerate() {
                self.weights[first + number].0[lane] = weight;
            }
            if i < vertices.len() {
                self.entry_of_vertex[vertex as usize] = (entry + i) as u32;
            }
        }
        self.blocks.push(Block { rest, first: first as u32, count: joints.len() as u32 });
    }

    /// Number of entries, a few more than vertices.
    pub fn entries(&self) -> usize {
        self.blocks.len() * 8
    }

    /// Where the loop writes each vertex.
    pub fn entry_of_vertex(&self) -> &[u32] {
        &self.entry_of_vertex
    }

    /// Poses all vertices.
    ///
    /// # Panics
    /// There are not as many matrices as joints or not as many positions as entries.
    pub fn run(&mut self, matrices: &[Affine3A], out: &mut [Vec4]) {
        assert!(
            matrices.len() == self.matrices.len() && out.len() == self.entries(),
            "made for another model"
        );
        for (to, m) in self.matrices.iter_mut().zip(matrices) {
            let columns = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis, m.translation];
            for (c, column) in columns.iter().enumerate() {
                to[c * 4..c * 4 + 4].copy_from_slice(&column.extend(0.0).to_array());
            }
        }
        let Avx2(()) = self.avx2;
        // SAFETY: the processor has the features, `avx2` proves it; the lengths were just checked.
        unsafe { self.run_avx2(out) }
    }

    /// # Safety
    /// `out` has eight elements per block; joints are below the number of matrices, which `Skin` guarantees.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn run_avx2(&self, out: &mut [Vec4]) {
        let mut to = out.as_mut_ptr().cast::<f32>();
        for block in &self.blocks {
            // SAFETY: `add_block` made joints and weights for `first..first + count` and counted this block in.
            unsafe {
                let [x, y, z] = match block.count {
                    1 => self.blend::<1>(block),
                    2 => self.blend::<2>(block),
                    3 => self.blend::<3>(block),
                    4 => self.blend::<4>(block),
                    _ => self.blend::<0>(block),
                };
                let zero = _mm256_setzero_ps();
                let (xy, xy_high) = (_mm256_unpacklo_ps(x, y), _mm256_unpackhi_ps(x, y));
                let (z0, z0_high) = (_mm256_unpacklo_ps(z, zero), _mm256_unpackhi_ps(z, zero));
                _mm256_storeu_ps(to, _mm256_shuffle_ps::<0x44>(xy, z0));
                _mm256_storeu_ps(to.add(8), _mm256_shuffle_ps::<0xee>(xy, z0));
                _mm256_storeu_ps(to.add(16), _mm256_shuffle_ps::<0x44>(xy_high, z0_high));
                _mm256_storeu_ps(to.add(24), _mm256_shuffle_ps::<0xee>(xy_high, z0_high));
                to = to.add(32);
            }
        }
    }

    /// `sum_i w_i (M_i p)` of a block, with its number of joints known to the compiler, or 0.
    ///
    /// # Safety
    /// The block is one of `self`.
    #[inline]
    #[target_feature(enable = "avx2,fma")]
    unsafe fn blend<const JOINTS: usize>(&self, block: &Block) -> [__m256; 3] {
        let count = if JOINTS > 0 { JOINTS } else { block.count as usize };
        // SAFETY: see above; `Eight` is aligned.
        unsafe {
            let [x, y, z] = [0, 1, 2].map(|axis| _mm256_load_ps(block.rest[axis].0.as_ptr()));
            let mut sum = [_mm256_setzero_ps(); 3];
            for i in block.first as usize..block.first as usize + count {
                let m = self.matrices.get_unchecked(*self.joints.get_unchecked(i) as usize).as_ptr();
                let w = _mm256_load_ps(self.weights.get_unchecked(i).0.as_ptr());
                for axis in 0..3 {
                    let column = |c: usize| _mm256_broadcast_ss(&*m.add(c * 4 + axis));
                    let moved = _mm256_fmadd_ps(column(2), z, column(3));
                    let moved = _mm256_fmadd_ps(column(0), x, _mm256_fmadd_ps(column(1), y, moved));
                    // The weight of an only joint is 1.
                    sum[axis] = if JOINTS == 1 { moved } else { _mm256_fmadd_ps(w, moved, sum[axis]) };
                }
            }
            sum
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use supple::{Isometry, Skinning};

    #[test]
    fn agrees_with_the_library_up_to_rounding() {
        let model = supple_zoo::make("man", 0).unwrap();
        let avx2 = Avx2::detect().expect("the tests of the opponent need AVX2");
        let pose = model.sample(model.clip("walk").unwrap(), 0.3).unwrap();
        let matrices = model.skeleton().joint_matrices(&pose, Isometry::IDENTITY).unwrap();
        let rank: Vec<u32> = (0..model.mesh().positions().len() as u32).collect();
        let mut skinning = SkinningLoop::new(avx2, &model, &rank);
        let mut out = vec![Vec4::ZERO; skinning.entries()];
        skinning.run(&matrices, &mut out);
        let expected = model.posed(&pose, Skinning::Linear).unwrap().positions();
        for (vertex, position) in expected.iter().enumerate() {
            let posed = out[skinning.entry_of_vertex()[vertex] as usize].truncate();
            assert!(posed.distance(*position) < 1e-5, "vertex {vertex}: {posed} instead of {position}");
        }
    }
}
