//! How the triangles of one tree are related: which share a vertex, which joint they belong to.
//!
//! In: a tree whose triangles are in order, and its model. Out: what self-collision leaves out, in the order of the leaves.
//! Must hold: what is said of a node holds for every triangle below it.

use super::layout::{Node, Tree, WIDTH};
use super::threads;
use crate::model::Model;
use crate::simd::Eight;

/// Stands for several joints, or none: the number of no joint.
const SEVERAL: u32 = u32::MAX;

/// As many triangles are worth handing to a thread.
const PART: usize = 4096;

/// Relations of triangles, in the order of the leaves, and of nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Kinship {
    /// Corners of the triangles; vertices of a seam have the same number.
    corners: Vec<[u32; 3]>,
    /// The same as [`Name`]s, by leaf, corner and lane. Inner nodes have none.
    names: Vec<[[Name; WIDTH]; 3]>,
    /// The joint that each triangle belongs to.
    owners: Vec<u32>,
    /// The joint that all triangles below each node belong to, or [`SEVERAL`].
    nodes: Vec<u32>,
}

/// A number that stands for a vertex and that eight can be compared with at once: the float whose bits are the vertex' number and
/// 2^23. Such floats are neither subnormal nor, below 2^30 vertices, infinite, so they are equal where the vertices are.
type Name = f32;

/// The name of a corner that is not there, which no vertex has.
const NOBODY: Name = 0.0;

fn name(vertex: u32) -> Name {
    f32::from_bits(vertex + (1 << 23))
}

/// Side by side what stands below each leaf.
fn names(nodes: &[Node], corners: &[[u32; 3]]) -> Vec<[[Name; WIDTH]; 3]> {
    let of_leaf = |node: &Node| {
        let mut names = [[NOBODY; WIDTH]; 3];
        if node.is_leaf() {
            for (lane, triangle) in corners[node.range()].iter().enumerate() {
                (0..3).for_each(|corner| names[corner][lane] = name(triangle[corner]));
            }
        }
        names
    };
    nodes.iter().map(of_leaf).collect()
}

/// The joint that all belong to.
fn common(owners: &[u32]) -> u32 {
    owners.iter().copied().reduce(|a, b| if a == b { a } else { SEVERAL }).unwrap_or(SEVERAL)
}

impl Kinship {
    pub fn new(tree: &Tree, model: &Model) -> Self {
        let owners_of = |triangles: &[u32]| -> Vec<u32> {
            triangles.iter().map(|&triangle| model.owning_joint(triangle).0).collect()
        };
        let (welded, owners) = threads::both(
            || model.welded_vertices(),
            || threads::map_parts(&tree.triangles, PART, owners_of).concat(),
        );
        let triangles = model.mesh().triangles();
        let corners = |&t: &u32| triangles[t as usize].map(|vertex| welded[vertex as usize]);
        let corners: Vec<[u32; 3]> = tree.triangles.iter().map(corners).collect();
        Self {
            names: names(&tree.nodes, &corners),
            corners,
            nodes: united(&tree.nodes, &owners, common),
            owners,
        }
    }

    /// The same for another tree over the same triangles, which stood in an old order here.
    pub fn reordered(&self, old_order: &[u32], tree: &Tree) -> Self {
        let mut indices = vec![0; old_order.len()];
        for (index, &triangle) in old_order.iter().enumerate() {
            indices[triangle as usize] = index;
        }
        let order = || tree.triangles.iter().map(|&triangle| indices[triangle as usize]);
        let owners: Vec<u32> = order().map(|index| self.owners[index]).collect();
        let corners: Vec<[u32; 3]> = order().map(|index| self.corners[index]).collect();
        Self {
            names: names(&tree.nodes, &corners),
            corners,
            nodes: united(&tree.nodes, &owners, common),
            owners,
        }
    }

    /// Whether two triangles (by their indices in the order of the leaves) share a vertex.
    #[inline(always)]
    pub fn share_a_vertex(&self, a: usize, b: usize) -> bool {
        let (a, [x, y, z]) = (&self.corners[a], self.corners[b]);
        a.iter().any(|&corner| (corner == x) | (corner == y) | (corner == z))
    }

    /// Bit `i` is set where triangle `i` of a leaf shares a vertex with a triangle of another leaf, given by its lane. Lanes without a
    /// triangle mean nothing.
    #[inline(always)]
    pub fn sharing<E: Eight>(&self, other: usize, lane: usize, leaf: usize) -> u8 {
        let ([p, q, r], [x, y, z]) = (&self.names[other], &self.names[leaf]);
        let (p, q, r) = (E::all(p[lane]), E::all(q[lane]), E::all(r[lane]));
        let (x, y, z) = (E::load(x), E::load(y), E::load(z));
        let has_x = E::either(E::either(x.equal(p), x.equal(q)), x.equal(r));
        let has_y = E::either(E::either(y.equal(p), y.equal(q)), y.equal(r));
        let has_z = E::either(E::either(z.equal(p), z.equal(q)), z.equal(r));
        E::bits(E::either(E::either(has_x, has_y), has_z))
    }

    /// Corners of all triangles in the order of the mesh, welded.
    pub fn welded_triangles(&self, order: &[u32]) -> Vec<[u32; 3]> {
        let mut welded = vec![[0; 3]; order.len()];
        for (&triangle, &corners) in order.iter().zip(&self.corners) {
            welded[triangle as usize] = corners;
        }
        welded
    }

    /// The joint of a triangle (by its index in the order of the leaves).
    #[inline(always)]
    pub fn owner(&self, triangle: usize) -> u32 {
        self.owners[triangle]
    }

    /// The joint that all triangles below a node belong to; no joint's number where there are several.
    #[inline(always)]
    pub fn owner_of_node(&self, node: usize) -> u32 {
        self.nodes[node]
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.names[..])
            + size_of_val(&self.corners[..])
            + size_of_val(&self.owners[..])
            + size_of_val(&self.nodes[..])
    }
}

/// Something of every node, from the same of the triangles below it.
pub(super) fn united<T: Copy>(nodes: &[Node], triangles: &[T], unite: impl Fn(&[T]) -> T) -> Vec<T> {
    let mut found: Vec<T> = nodes.iter().map(|_| unite(&[])).collect();
    // Children come after their parents.
    for (index, node) in nodes.iter().enumerate().rev() {
        let below = if node.is_leaf() { triangles } else { &found[..] };
        found[index] = unite(&below[node.range()]);
    }
    found
}
