//! How the triangles of one tree are related: which share a vertex, which joint they belong to, which move as one.
//!
//! In: a tree whose triangles are in order, and its model. Out: what self-collision leaves out, in the order of the leaves.
//! Must hold: what is said of a node holds for every triangle below it.

use super::layout::{Node, Tree, WIDTH};
use super::threads;
use crate::model::Model;
use crate::pose::Skeleton;
use crate::rest::Rest;
use crate::simd::Eight;

/// Stands for several joints, or none: the number of no joint.
pub(crate) const SEVERAL: u32 = u32::MAX;

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
    nodes: Vec<Kin>,
    /// Joints with the joint above them (themselves where there is none), parents first.
    joints_and_parents: Vec<[u32; 2]>,
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

/// What the triangles below a node have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Kin {
    /// The joint that they belong to; no joint's number where there are several.
    pub owner: u32,
    /// The joint that alone moves all their vertices; no joint's number where there is none.
    pub mover: u32,
    /// Whether a field displaces one of their vertices.
    pub displaced: bool,
}

impl Kin {
    /// Of no triangles, or of some that have nothing in common.
    const NOBODY: Self = Self { owner: SEVERAL, mover: SEVERAL, displaced: true };

    /// Of several.
    fn common(kin: &[Self]) -> Self {
        kin.iter().copied().reduce(Self::with).unwrap_or(Self::NOBODY)
    }

    /// Of a triangle.
    fn of_triangle(model: &Model, triangle: u32) -> Self {
        let skin = model.skin();
        let vertices = model.mesh().triangles()[triangle as usize].map(|vertex| vertex as usize);
        let mover = |vertex: usize| match skin.joint_set(skin.set_of_vertex(vertex as u32)) {
            [only] => *only,
            _ => SEVERAL,
        };
        let [a, b, c] = vertices.map(mover);
        let displaced = match model.rest() {
            Rest::Plain => false,
            Rest::Fields(fields) => {
                vertices.iter().any(|&vertex| fields.of_vertex(vertex as u32).next().is_some())
            }
            Rest::Morph(_) => true,
        };
        let mover = if a == b && b == c { a } else { SEVERAL };
        // Whom one joint moves belongs to it.
        let owner = if mover == SEVERAL { model.owning_joint(triangle).0 } else { mover };
        Self { owner, mover, displaced }
    }

    fn with(self, other: Self) -> Self {
        let common = |a: u32, b: u32| if a == b { a } else { SEVERAL };
        Self {
            owner: common(self.owner, other.owner),
            mover: common(self.mover, other.mover),
            displaced: self.displaced | other.displaced,
        }
    }
}

impl Kinship {
    pub fn new(tree: &Tree, model: &Model) -> Self {
        let kin_of = |triangles: &[u32]| -> Vec<Kin> {
            triangles.iter().map(|&triangle| Kin::of_triangle(model, triangle)).collect()
        };
        let (welded, kin) = threads::both(
            || model.welded_vertices(),
            || threads::map_parts(&tree.triangles, PART, kin_of).concat(),
        );
        let triangles = model.mesh().triangles();
        let corners = |&t: &u32| triangles[t as usize].map(|vertex| welded[vertex as usize]);
        let corners: Vec<[u32; 3]> = tree.triangles.iter().map(corners).collect();
        Self {
            names: names(&tree.nodes, &corners),
            corners,
            owners: kin.iter().map(|kin| kin.owner).collect(),
            joints_and_parents: joints_and_parents(model.skeleton()),
            nodes: united(&tree.nodes, &kin, Kin::common),
        }
    }

    /// The same for another tree over the same triangles, which stood in an old order here. Of joints it keeps only to whom
    /// triangles belong: nothing follows from what moves them.
    pub fn reordered(&self, old_order: &[u32], tree: &Tree) -> Self {
        let mut indices = vec![0; old_order.len()];
        for (index, &triangle) in old_order.iter().enumerate() {
            indices[triangle as usize] = index;
        }
        let order = || tree.triangles.iter().map(|&triangle| indices[triangle as usize]);
        let owners: Vec<u32> = order().map(|index| self.owners[index]).collect();
        let kin: Vec<Kin> = owners.iter().map(|&owner| Kin { owner, ..Kin::NOBODY }).collect();
        let corners: Vec<[u32; 3]> = order().map(|index| self.corners[index]).collect();
        Self {
            names: names(&tree.nodes, &corners),
            corners,
            owners,
            joints_and_parents: self.joints_and_parents.clone(),
            nodes: united(&tree.nodes, &kin, Kin::common),
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

    /// Joints with the joint above them (themselves where there is none), parents first.
    pub fn joints_and_parents(&self) -> &[[u32; 2]] {
        &self.joints_and_parents
    }

    #[inline(always)]
    pub fn of_node(&self, node: usize) -> Kin {
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

/// The first joint of a node stands for all joints there.
fn joints_and_parents(skeleton: &Skeleton) -> Vec<[u32; 2]> {
    let first_at = |node: usize| skeleton.joints().iter().position(|joint| joint.node == node);
    let first_at: Vec<Option<usize>> = (0..skeleton.nodes().len()).map(first_at).collect();
    let above = skeleton.nodes_of_parents();
    let parent = |joint: usize| match first_at[skeleton.joints()[joint].node] {
        Some(first) if first != joint => first,
        _ => above[joint].and_then(|node| first_at[node]).unwrap_or(joint),
    };
    let depth = |joint: u32| {
        let (mut at, mut depth) = (joint as usize, 0);
        while parent(at) != at {
            (at, depth) = (parent(at), depth + 1);
        }
        depth
    };
    let mut order: Vec<u32> = (0..skeleton.joints().len() as u32).collect();
    order.sort_by_cached_key(|&joint| depth(joint));
    order.into_iter().map(|joint| [joint, parent(joint as usize) as u32]).collect()
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
