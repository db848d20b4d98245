//! Places: where the posed vertices of a body stand, in the order in which the leaves name them.
//!
//! Must hold: every vertex of a triangle has one place; vertices of no triangle have none. So what is near each other in the tree is near each
//! other in memory, whatever the order of the mesh.

use super::layout::Tree;

/// A leaf lists at least so many places: eight triangles of a surface have 8 to 12 vertices.
const USUAL: usize = 12;

/// The place of a vertex that has none yet.
const NOWHERE: u32 = u32::MAX;

impl Tree {
    /// Gives vertices their places, and lists those of triangles and leaves. `vertices` is how many the mesh has.
    pub fn add_places(&mut self, triangles: &[[u32; 3]], vertices: usize) {
        let mut places = vec![NOWHERE; vertices];
        for &vertex in self.triangles.iter().flat_map(|&triangle| &triangles[triangle as usize]) {
            let place = &mut places[vertex as usize];
            if *place == NOWHERE {
                *place = self.vertices.len() as u32;
                self.vertices.push(vertex);
            }
        }
        let corners = |&triangle: &u32| triangles[triangle as usize].map(|vertex| places[vertex as usize]);
        self.corners = self.triangles.iter().map(corners).collect();
        for node in 0..self.nodes.len() {
            if self.nodes[node].is_leaf() {
                self.list_leaf(node);
            } else {
                let children = self.nodes[self.nodes[node].range()].iter().enumerate();
                let leaves = children.map(|(lane, child)| u8::from(child.is_leaf()) << lane).sum();
                self.nodes[node].set_leaves(leaves);
            }
        }
    }

    /// Lists the different places of a leaf, in multiples of four; most often as many, so that the processor foresees where a list ends.
    fn list_leaf(&mut self, leaf: usize) {
        let first = self.leaf_places.len();
        self.leaf_places.extend(self.corners[self.nodes[leaf].range()].as_flattened());
        self.leaf_places[first..].sort_unstable();
        let mut end = first;
        for index in first..self.leaf_places.len() {
            if end == first || self.leaf_places[end - 1] != self.leaf_places[index] {
                self.leaf_places[end] = self.leaf_places[index];
                end += 1;
            }
        }
        let least = self.leaf_places[first];
        self.leaf_places.truncate(end);
        self.leaf_places.resize(first + (end - first).next_multiple_of(4).max(USUAL), least);
        self.nodes[leaf].set_listed(first..self.leaf_places.len());
    }
}
