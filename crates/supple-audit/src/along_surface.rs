//! Lengths along the surface, in the rest pose, over edges: from a set of vertices to others, up to a limit.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::surface::Surface;

/// Memory for searches on one surface.
#[derive(Clone, Debug)]
pub struct AlongSurface {
    /// The shortest way to a vertex so far, if the round is right.
    lengths: Vec<(u32, f32)>,
    round: u32,
}

impl AlongSurface {
    pub fn new(surface: &Surface) -> Self {
        Self { lengths: vec![(0, 0.0); surface.vertex_count()], round: 0 }
    }

    /// Visits vertices in the order of their distance from the nearest of `from`, up to `limit`; ends when `visit` says so.
    pub fn search(
        &mut self,
        surface: &Surface,
        from: impl Iterator<Item = u32>,
        limit: f32,
        mut visit: impl FnMut(u32, f32) -> Search,
    ) {
        self.round += 1;
        // Lengths are not negative, so their bits are in their order.
        let mut open: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for vertex in from {
            if self.is_shorter(vertex, 0.0) {
                open.push(Reverse((0.0f32.to_bits(), vertex)));
            }
        }
        while let Some(Reverse((bits, vertex))) = open.pop() {
            let length = f32::from_bits(bits);
            if self.lengths[vertex as usize] != (self.round, length) {
                continue;
            }
            if length > limit || visit(vertex, length) == Search::Ends {
                return;
            }
            for &next in surface.neighbours(vertex) {
                let longer = length + surface.length(vertex, next);
                if longer.is_finite() && self.is_shorter(next, longer) {
                    open.push(Reverse((longer.to_bits(), next)));
                }
            }
        }
    }

    fn is_shorter(&mut self, vertex: u32, length: f32) -> bool {
        let known = &mut self.lengths[vertex as usize];
        let is_shorter = known.0 != self.round || length < known.1;
        if is_shorter {
            *known = (self.round, length);
        }
        is_shorter
    }
}

/// Whether a search goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Search {
    GoesOn,
    Ends,
}
