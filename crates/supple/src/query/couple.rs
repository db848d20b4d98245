//! What a walk walks over: two bodies, or one body against itself.
//!
//! The walk is written once. For two bodies everything that concerns one body only is a constant, and compiles to nothing.

use crate::refit::Body;
use crate::tree::{Kin, WIDTH};

/// Two sides of a walk.
///
/// Law: where both sides are one body, `a` and `b` are that body, so what is computed for one is there for the other.
pub(super) trait Couple {
    /// Whether both sides are the same body. Two equal children are then a node against itself.
    const ONE_BODY: bool;
    fn a(&self) -> &Body;
    fn b(&self) -> &Body;
    fn a_mut(&mut self) -> &mut Body;
    fn b_mut(&mut self) -> &mut Body;
    /// Whether no pair of triangles below two nodes is wanted, or none can touch.
    fn nothing_between(&self, node_a: usize, node_b: usize) -> bool;
    /// Which pairs of triangles of two leaves are not asked for, as they always touch in a vertex that they share.
    fn kin(&self, leaves: [usize; 2]) -> Kin;
    /// Of some triangles in the lanes of the second leaf, those that are wanted together with the triangle in a lane of the first.
    fn wanted(&self, leaves: [usize; 2], lane: usize, others: u8) -> u8;
}

/// Two bodies: all is wanted.
pub(super) struct TwoBodies<'a> {
    pub a: &'a mut Body,
    pub b: &'a mut Body,
}

impl Couple for TwoBodies<'_> {
    const ONE_BODY: bool = false;

    #[inline(always)]
    fn a(&self) -> &Body {
        self.a
    }

    #[inline(always)]
    fn b(&self) -> &Body {
        self.b
    }

    #[inline(always)]
    fn a_mut(&mut self) -> &mut Body {
        self.a
    }

    #[inline(always)]
    fn b_mut(&mut self) -> &mut Body {
        self.b
    }

    #[inline(always)]
    fn nothing_between(&self, _: usize, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn kin(&self, _: [usize; 2]) -> Kin {
        [0; WIDTH]
    }

    #[inline(always)]
    fn wanted(&self, _: [usize; 2], _: usize, others: u8) -> u8 {
        others
    }
}
