//! Twigs: small nodes whose vertices are posed together.
//!
//! A twig is a node of a few dozen triangles, and no node above it is one. To pose all its vertices, once per pose, costs less than to bound
//! it by its groups, and gives the tightest bounds of everything below. So twigs, and nodes below them, have no groups.
//! Must hold: every leaf is a twig or below one.

use super::layout::Tree;

/// A twig has at most this many triangles. With 96, first contacts took longer; with 32, everything did.
pub(crate) const MOST_IN_TWIG: usize = 64;

impl Tree {
    /// Marks and lists twigs, and what is above them: the topmost nodes of which this is true are twigs, and leaves.
    pub fn mark_twigs(&mut self, is_twig: impl Fn(&Self, usize) -> bool) {
        self.twig_of_triangle = vec![0; self.triangles.len()];
        for node in 0..self.nodes.len() {
            let above = self.nodes[node].twig();
            let twig = above.or_else(|| (self.nodes[node].is_leaf() || is_twig(self, node)).then_some(node));
            let Some(twig) = twig else {
                self.nodes[node].set_above_twigs(self.above_twigs.len());
                self.above_twigs.push(node as u32);
                continue;
            };
            self.nodes[node].set_twig(twig);
            if twig == node {
                self.twigs.push(node as u32);
                for &triangle in &self.triangles[self.triangles_below(twig)] {
                    self.twig_of_triangle[triangle as usize] = twig as u32;
                }
            }
            if !self.nodes[node].is_leaf() {
                self.nodes[node].range().for_each(|child| self.nodes[child].set_twig(twig));
            }
        }
    }

    /// The number of a node that is above twigs, among its like.
    #[inline(always)]
    pub fn number_above_twigs(&self, node: usize) -> usize {
        self.nodes[node].above_twigs().expect("nodes in twigs have no groups")
    }

    /// The bends that vertices below a node above twigs have, by its number.
    #[inline(always)]
    pub fn bends_of(&self, number: usize) -> &[u32] {
        let start = if number == 0 { 0 } else { self.bend_ends[number - 1] as usize };
        &self.bends_of_nodes[start..self.bend_ends[number] as usize]
    }

    /// The nodes of a twig, itself included.
    #[inline(always)]
    pub fn nodes_in_twig(&self, twig: usize) -> impl Iterator<Item = usize> {
        let below = match self.nodes[twig].is_leaf() {
            true => self.nodes.len(),
            false => self.nodes[twig].range().start,
        };
        // What is below a node stands together.
        let of_twig = move |node: &usize| self.nodes.get(*node).is_some_and(|node| node.twig() == Some(twig));
        std::iter::once(twig).chain((below..).take_while(of_twig))
    }

    /// The twig of a triangle of the mesh, or the node above where that is a leaf: something with children.
    pub fn twig_or_above(&self, triangle: u32) -> usize {
        let twig = self.twig_of_triangle[triangle as usize] as usize;
        if self.nodes[twig].is_leaf() { self.parent(twig) } else { twig }
    }

    /// The joints that move the vertices of a twig; some may be there several times.
    pub fn twig_joints(&self, twig: usize) -> &[u32] {
        self.slots.joints(self.nodes[twig].slots())
    }
}
