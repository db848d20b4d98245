//! Which triangles of one refitted tree touch each other.
//!
//! A node against itself is replaced by its children against themselves and by the pairs of them that overlap; the rest is
//! as for two trees.
#![allow(unsafe_code, reason = "the processor has the features, `avx2` proves it")]

use supple::narrow::triangles_touch;

use super::Avx2;
use super::query::{Query, corners, lane, overlapping, size};
use super::tree::BoxTree;

impl Query {
    /// All touching pairs that are wanted, ascending, the smaller triangle first.
    pub fn self_pairs(
        &mut self,
        tree: &mut BoxTree,
        wanted: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        pairs.clear();
        let Avx2(()) = tree.avx2;
        // SAFETY: the processor has the features, `avx2` proves it.
        unsafe { self.walk_self(tree, &wanted, pairs) };
        pairs.sort_unstable();
    }

    #[target_feature(enable = "avx2,fma")]
    fn walk_self(
        &mut self,
        tree: &mut BoxTree,
        wanted: &impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let missing = tree.bounds.len() as u32 - 1;
        self.open.clear();
        self.open.push((0, 0));
        while let Some((i, j)) = self.open.pop() {
            let (leaf_i, leaf_j) = (i as usize >= tree.nodes.len(), j as usize >= tree.nodes.len());
            if leaf_i && leaf_j {
                leaves(tree, [i as usize, j as usize], wanted, pairs);
                continue;
            }
            if i == j {
                let node = &tree.nodes[i as usize];
                for (child_lane, &child) in node.children.iter().enumerate().filter(|(_, c)| **c != missing) {
                    let mut hits =
                        overlapping(&node.boxes, &lane(&node.boxes, child_lane)) & (0xfe << child_lane);
                    while hits != 0 {
                        self.open.push((child, node.children[hits.trailing_zeros() as usize]));
                        hits &= hits - 1;
                    }
                    self.open.push((child, child));
                }
                continue;
            }
            let (box_i, box_j) = (tree.bounds[i as usize], tree.bounds[j as usize]);
            if leaf_j || (!leaf_i && size(&box_i) >= size(&box_j)) {
                let node = &tree.nodes[i as usize];
                self.open_node::<false>(&node.boxes, &node.children, &box_j, |child| (child, j));
            } else {
                let node = &tree.nodes[j as usize];
                self.open_node::<false>(&node.boxes, &node.children, &box_i, |child| (i, child));
            }
        }
    }
}

/// Tests the triangles of two leaves, or of one.
#[inline]
#[target_feature(enable = "avx2,fma")]
fn leaves(
    tree: &mut BoxTree,
    indices: [usize; 2],
    wanted: &impl Fn(u32, u32) -> bool,
    pairs: &mut Vec<[u32; 2]>,
) {
    let [i, j] = indices.map(|index| index - tree.nodes.len());
    tree.prepare_leaf(i);
    tree.prepare_leaf(j);
    let (boxes_i, boxes_j) = (&tree.triangle_boxes[i], &tree.triangle_boxes[j]);
    let overlapping_j = overlapping(boxes_j, &tree.bounds[indices[0]]);
    let mut hits_i = overlapping(boxes_i, &tree.bounds[indices[1]]);
    let (leaf_i, leaf_j) = (&tree.leaves.leaves[i], &tree.leaves.leaves[j]);
    while hits_i != 0 {
        let s = hits_i.trailing_zeros() as usize;
        hits_i &= hits_i - 1;
        let mut hits_j = overlapping(boxes_j, &lane(boxes_i, s)) & overlapping_j;
        if i == j {
            hits_j &= 0xfe << s;
        }
        while hits_j != 0 {
            let t = hits_j.trailing_zeros() as usize;
            hits_j &= hits_j - 1;
            let (a, b) = (leaf_i.ids[s], leaf_j.ids[t]);
            let corners = |entries| corners(&tree.positions, entries);
            if wanted(a, b) && triangles_touch(&corners(&leaf_i.corners[s]), &corners(&leaf_j.corners[t])) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
}
