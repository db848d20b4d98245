//! Pieces of a body and their balls, for those who resolve contacts at a level of the tree.

use super::Body;
use super::children::EightVolumes;
use crate::math::Sphere;
use crate::query_stats::QueryStats;
use crate::tree::Piece;

impl Body {
    /// The pieces into which a level divides the surface, see [`Shape::pieces`](crate::Shape::pieces). They are those of the
    /// shape, unless vertices were given together with a new tree ([`Update::Rebuild`](crate::Update::Rebuild)).
    pub fn pieces(&self, level: usize) -> Vec<Piece> {
        self.tree().pieces(level)
    }

    /// The ball of a node in the current pose: it contains every vertex below the node. `None` if there is no such node.
    pub fn ball(&mut self, node: u32) -> Option<Sphere> {
        let node = node as usize;
        if node >= self.tree().nodes.len() {
            return None;
        }
        let parent = self.tree().parent(node);
        let first = self.tree().children(parent).start;
        let slot = self.children::<Sphere>(parent, &mut QueryStats::default());
        Some(self.bounds::<Sphere>(slot).bounds.get(node - first))
    }
}
