//! Which classes of triangles are below the nodes of a tree.
//!
//! In: a class per triangle, checked by [`TriangleClasses`](super::TriangleClasses). Out: for pairs of nodes, whether a wanted pair
//! of classes is among the triangles below them.

use super::layout::Tree;

/// Classes of the triangles below every node, a bit for each class.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Partition {
    words: usize,
    /// By node.
    below: Vec<u64>,
}

impl Partition {
    /// `of_triangle` is in the order of the mesh.
    pub fn new(tree: &Tree, of_triangle: &[u32], classes: usize) -> Self {
        let words = classes.div_ceil(64);
        let mut below = vec![0; words * tree.nodes.len()];
        // Children come after their parents.
        for (index, node) in tree.nodes.iter().enumerate().rev() {
            for member in node.range() {
                if node.is_leaf() {
                    let class = of_triangle[tree.triangles[member] as usize] as usize;
                    below[index * words + class / 64] |= 1 << (class % 64);
                } else {
                    (0..words).for_each(|word| below[index * words + word] |= below[member * words + word]);
                }
            }
        }
        Self { words, below }
    }

    fn of_node(&self, node: usize) -> &[u64] {
        &self.below[node * self.words..(node + 1) * self.words]
    }
}

/// Pairs of classes, in either order.
#[derive(Clone, Debug)]
pub(crate) struct ClassPairs {
    words: usize,
    /// By class, the classes it is paired with.
    partners: Vec<u64>,
}

impl ClassPairs {
    /// Every class of the pairs is below `classes`.
    pub fn new(classes: usize, pairs: &[[u32; 2]]) -> Self {
        let words = classes.div_ceil(64);
        let mut partners = vec![0; words * classes];
        for &[a, b] in pairs {
            for [own, other] in [[a as usize, b as usize], [b as usize, a as usize]] {
                partners[own * words + other / 64] |= 1 << (other % 64);
            }
        }
        Self { words, partners }
    }

    #[inline(always)]
    pub fn contains(&self, a: u32, b: u32) -> bool {
        self.partners[a as usize * self.words + b as usize / 64] >> (b % 64) & 1 != 0
    }

    /// Whether any pair is between the triangles below two nodes.
    #[inline(always)]
    pub fn any_between(&self, partition: &Partition, node_a: usize, node_b: usize) -> bool {
        let (of_a, of_b) = (partition.of_node(node_a), partition.of_node(node_b));
        for (word, &bits) in of_a.iter().enumerate() {
            let mut left = bits;
            while left != 0 {
                let class = word * 64 + left.trailing_zeros() as usize;
                let partners = &self.partners[class * self.words..(class + 1) * self.words];
                if partners.iter().zip(of_b).any(|(partners, there)| partners & there != 0) {
                    return true;
                }
                left &= left - 1;
            }
        }
        false
    }
}
