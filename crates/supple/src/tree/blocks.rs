//! Vertices in blocks of eight, as they are posed: rest positions, joints and weights side by side.
//!
//! In: the vertex of every slot, eight slots to a block. Out: per block eight rest positions, axis by axis, and its *terms*: joints with
//! a weight per lane.
//! Must hold: a lane has its vertex' joints with their weights in the order of the vertex' joint-set, and weight 0 for the other
//! joints of the block. So a sum over the terms of a block has, in every lane, the bits of the sum over the vertex alone
//! (`skin/eight_vertices.rs`).

use std::ops::Range;

use glam::Vec3;

use super::layout::WIDTH;
use super::threads;
use crate::skin::{EightWeights, Skin};

/// As many blocks are worth handing to a thread.
const PART: usize = 512;

/// What posing blocks takes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Blocks {
    /// Per block and axis.
    rest: Vec<[[f32; WIDTH]; 3]>,
    /// Where the terms of each block start; one more at the end.
    first_term: Vec<u32>,
    joints: Vec<u32>,
    weights: Vec<[f32; WIDTH]>,
}

impl Blocks {
    /// Of vertices, eight to a block.
    pub fn new(slots: &[u32], positions: &[Vec3], skin: &Skin) -> Self {
        let parts = threads::map_parts(slots.as_chunks::<WIDTH>().0, PART, |blocks| {
            let mut part = Self::default();
            for vertices in blocks {
                let axis = |axis: usize| vertices.map(|vertex| positions[vertex as usize][axis]);
                part.rest.push([axis(0), axis(1), axis(2)]);
                part.push_terms(vertices.map(|vertex| skin.joints_and_weights(vertex as usize)));
                part.first_term.push(part.joints.len() as u32);
            }
            part
        });
        let mut all = Self { first_term: vec![0], ..Self::default() };
        for part in parts {
            let before = all.joints.len() as u32;
            all.rest.extend(part.rest);
            all.first_term.extend(part.first_term.iter().map(|end| before + end));
            all.joints.extend(part.joints);
            all.weights.extend(part.weights);
        }
        all
    }

    /// Merges eight lists of joints into one of which each is a part, in order. The next joint is one that no lane has later on, if there is
    /// such a joint; of these the one that most lanes take.
    fn push_terms(&mut self, mut lanes: [(&[u32], &[f32]); WIDTH]) {
        loop {
            let heads = lanes.iter().filter_map(|(joints, _)| joints.first());
            let cost = |&joint: &u32| {
                let at = |(joints, _): &(&[u32], &[f32])| joints.iter().position(|&other| other == joint);
                let (mut later, mut now) = (0, 0);
                for place in lanes.iter().filter_map(at) {
                    if place == 0 { now += 1 } else { later += 1 }
                }
                (later, WIDTH - now, joint)
            };
            let Some((_, _, joint)) = heads.map(cost).min() else { return };
            let mut weights = [0.0; WIDTH];
            for (weight, (joints, own)) in weights.iter_mut().zip(&mut lanes) {
                if joints.first() == Some(&joint) {
                    *weight = own[0];
                    (*joints, *own) = (&joints[1..], &own[1..]);
                }
            }
            self.joints.push(joint);
            self.weights.push(weights);
        }
    }

    /// Rest positions of a block, axis by axis.
    #[inline(always)]
    pub fn rest(&self, block: usize) -> &[[f32; WIDTH]; 3] {
        &self.rest[block]
    }

    /// Joints of a block, with their weights.
    #[inline(always)]
    pub fn terms(&self, block: usize) -> EightWeights<'_> {
        let range = self.first_term[block] as usize..self.first_term[block + 1] as usize;
        EightWeights { joints: &self.joints[range.clone()], weights: &self.weights[range] }
    }

    /// All joints of some blocks; some may be there several times.
    pub fn joints(&self, blocks: Range<usize>) -> &[u32] {
        &self.joints[self.first_term[blocks.start] as usize..self.first_term[blocks.end] as usize]
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.rest[..])
            + size_of_val(&self.first_term[..])
            + size_of_val(&self.joints[..])
            + size_of_val(&self.weights[..])
    }
}
