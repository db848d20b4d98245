//! Posed vertices of a body, as far as they were asked for: twig by twig.
//!
//! Must hold: vertices stand at the tree's places; a vertex of two twigs is posed with both, with the same bits.

use crate::tree::Tree;

/// A vertex; the fourth number has no meaning. Not a vector of glam's: the system gives memory that is all zeros without touching it, so a
/// body that is hardly looked at hardly takes any.
pub(crate) type Point = [f32; 4];

/// Posed vertices of a body.
#[derive(Clone, Debug, Default)]
pub(crate) struct PosedTwigs {
    /// By place; empty until something is posed.
    points: Vec<Point>,
    /// In which pose each twig was posed last, by node.
    stamps: Vec<u32>,
    /// The current pose: not 0.
    stamp: u32,
    /// How many slots were posed.
    count: usize,
}

impl PosedTwigs {
    /// Whether a twig is posed.
    #[inline(always)]
    pub fn has(&self, twig: usize) -> bool {
        self.stamps.get(twig) == Some(&self.stamp)
    }

    /// Vertices by place. Those of twigs that are not posed have no meaning.
    #[inline(always)]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// Says that a twig is posed that was not; its vertices are to be written to their places.
    #[inline(always)]
    pub fn add(&mut self, tree: &Tree, twig: usize) -> &mut [Point] {
        debug_assert!(!self.has(twig));
        self.make_room(tree);
        self.stamps[twig] = self.stamp;
        self.count += tree.nodes[twig].slots().len();
        &mut self.points
    }

    /// Says that all twigs are posed; all vertices are to be written to their places.
    #[inline(always)]
    pub fn add_all(&mut self, tree: &Tree) -> &mut [Point] {
        self.make_room(tree);
        for &twig in &tree.twigs {
            self.stamps[twig as usize] = self.stamp;
        }
        self.count = tree.slots.places.len();
        &mut self.points
    }

    /// How many slots were posed.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    fn make_room(&mut self, tree: &Tree) {
        if self.points.len() < tree.vertices.len() || self.stamps.len() < tree.nodes.len() {
            self.points = vec![[0.0; 4]; tree.vertices.len()];
            self.stamps = vec![0; tree.nodes.len()];
            self.stamp = self.stamp.max(1);
        }
    }

    /// Forgets everything and keeps its memory.
    #[inline(always)]
    pub fn clear(&mut self) {
        self.count = 0;
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        self.stamps.capacity() * size_of::<u32>() + self.points.capacity() * size_of::<Point>()
    }
}
