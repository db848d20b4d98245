//! Which triangles of one refitted tree touch each other.
//!
//! A node against itself is replaced by its children against themselves and by the pairs of them that overlap; the rest is
//! as for two trees.
#![allow(unsafe_code, reason = "the processor has the features, `avx2` proves it")]

use super::Avx2;
use super::kin::Kin;
use super::planes::Planes;
use super::query::{Query, lane, overlapping, size};
use super::tree::BoxTree;

impl Query {
    /// All touching pairs that share no vertex and are wanted, ascending, the smaller triangle first.
    pub fn self_pairs(
        &mut self,
        tree: &mut BoxTree,
        kin: &Kin,
        wanted: impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        pairs.clear();
        let Avx2(()) = tree.avx2;
        // SAFETY: the processor has the features, `avx2` proves it.
        unsafe { self.walk_self(tree, kin, &wanted, pairs) };
        pairs.sort_unstable();
    }

    #[target_feature(enable = "avx2,fma")]
    fn walk_self(
        &mut self,
        tree: &mut BoxTree,
        kin: &Kin,
        wanted: &impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let missing = tree.bounds.len() as u32 - 1;
        self.open.clear();
        self.open.push((0, 0));
        while let Some((i, j)) = self.open.pop() {
            let (leaf_i, leaf_j) = (i as usize >= tree.nodes.len(), j as usize >= tree.nodes.len());
            if leaf_i && leaf_j {
                leaves(tree, [i as usize, j as usize], kin, wanted, pairs);
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
    kin: &Kin,
    wanted: &impl Fn(u32, u32) -> bool,
    pairs: &mut Vec<[u32; 2]>,
) {
    let [i, j] = indices.map(|index| index - tree.nodes.len());
    tree.prepare_leaf(i);
    tree.prepare_leaf(j);
    let (triangles_i, triangles_j) = (&tree.triangles[i], &tree.triangles[j]);
    let bounds = indices.map(|index| &tree.bounds[index]);
    let mut hits_i = overlapping(&triangles_i.boxes, bounds[1]);
    let reaching_j = overlapping(&triangles_j.boxes, bounds[0]);
    let (leaf_i, leaf_j) = (&tree.leaves.leaves[i], &tree.leaves.leaves[j]);
    let planes = Planes::new(triangles_i, triangles_j, bounds);
    while hits_i != 0 {
        let s = hits_i.trailing_zeros() as usize;
        hits_i &= hits_i - 1;
        let mut near = overlapping(&triangles_j.boxes, &lane(&triangles_i.boxes, s)) & reaching_j;
        if i == j {
            near &= 0xfe << s;
        }
        if near != 0 {
            near &= !kin.sharing(i, s, j);
        }
        if near == 0 {
            continue;
        }
        let heights = planes.heights(s);
        near &= !planes.apart(&heights);
        if near == 0 {
            continue;
        }
        let sides = planes.sides(&heights);
        while near != 0 {
            let t = near.trailing_zeros() as usize;
            near &= near - 1;
            let (a, b) = (leaf_i.ids[s], leaf_j.ids[t]);
            if wanted(a, b) && planes.touch(&sides, s, t) {
                pairs.push([a.min(b), a.max(b)]);
            }
        }
    }
}
