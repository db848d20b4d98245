//! Which triangles of two leaves share a vertex, looked up: a leaf has few neighbours, and neither changes with the pose.
//!
//! Must hold: what is looked up is what corners say. A vertex with thousands of triangles would make every leaf around it a neighbour of all others,
//! so rows have an end, beyond which corners are compared.

use super::layout::{Node, WIDTH};
use super::threads;

/// Bit `b` of number `a`: whether triangle `a` of one leaf and triangle `b` of another are no pair to ask for, as they share a vertex; within one
/// leaf also where `b` comes first, so that every pair is there once. Bits of triangles that are not there are set, but not where nothing is shared.
pub(crate) type Kin = [u8; WIDTH];

/// Leaves that have more neighbours have no row.
const LONGEST_ROW: usize = 32;

/// As many leaves are worth handing to a thread.
const PART: usize = 512;

/// For each leaf the leaves that it shares vertices with, itself among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct KinOfLeaves {
    /// Where the row of each node ends; inner nodes, and leaves with too many neighbours, have an empty one.
    ends: Vec<u32>,
    leaves: Vec<u32>,
    kin: Vec<Kin>,
}

/// A triangle by its leaf and its lane.
#[derive(Clone, Copy, Default)]
struct At {
    leaf: u32,
    lane: u8,
}

impl KinOfLeaves {
    /// From the corners of the triangles, in the order of the leaves.
    pub fn new(nodes: &[Node], corners: &[[u32; 3]]) -> Self {
        let around = Around::new(nodes, corners);
        let numbers: Vec<u32> = (0..nodes.len() as u32).collect();
        let rows_of = |part: &[u32]| {
            let rows = part.iter().map(|&leaf| around.row(nodes, corners, leaf));
            rows.collect::<Vec<_>>()
        };
        let mut found = Self::default();
        for row in threads::map_parts(&numbers, PART, rows_of).into_iter().flatten() {
            for (leaf, kin) in row {
                found.leaves.push(leaf);
                found.kin.push(kin);
            }
            found.ends.push(found.leaves.len() as u32);
        }
        found
    }

    /// What two leaves share; none where that has to be seen from the corners.
    #[inline(always)]
    pub fn between(&self, a: usize, b: usize) -> Option<Kin> {
        let start = if a == 0 { 0 } else { self.ends[a - 1] as usize };
        let end = self.ends[a] as usize;
        if start == end {
            return None;
        }
        let at = self.leaves[start..end].iter().position(|&leaf| leaf as usize == b);
        Some(at.map_or([0; WIDTH], |at| self.kin[start + at]))
    }

    /// Bytes of memory held.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.ends[..]) + size_of_val(&self.leaves[..]) + size_of_val(&self.kin[..])
    }
}

/// The triangles around each vertex.
struct Around {
    ends: Vec<u32>,
    triangles: Vec<At>,
}

impl Around {
    fn new(nodes: &[Node], corners: &[[u32; 3]]) -> Self {
        let vertices = corners.iter().flatten().max().map_or(0, |&last| last as usize + 1);
        // Counted one place later, and moved up by filling: then each vertex ends where the next starts.
        let mut ends = vec![0; vertices + 1];
        for &vertex in corners.iter().flatten() {
            ends[vertex as usize + 1] += 1;
        }
        for vertex in 1..ends.len() {
            ends[vertex] += ends[vertex - 1];
        }
        let mut triangles = vec![At::default(); 3 * corners.len()];
        for (leaf, node) in nodes.iter().enumerate().filter(|(_, node)| node.is_leaf()) {
            for (lane, triangle) in corners[node.range()].iter().enumerate() {
                for &vertex in triangle {
                    let place = &mut ends[vertex as usize];
                    triangles[*place as usize] = At { leaf: leaf as u32, lane: lane as u8 };
                    *place += 1;
                }
            }
        }
        Self { ends, triangles }
    }

    fn of_vertex(&self, vertex: u32) -> &[At] {
        let vertex = vertex as usize;
        let start = if vertex == 0 { 0 } else { self.ends[vertex - 1] };
        &self.triangles[start as usize..self.ends[vertex] as usize]
    }

    /// The neighbours of a leaf; empty where there are too many.
    fn row(&self, nodes: &[Node], corners: &[[u32; 3]], leaf: u32) -> Vec<(u32, Kin)> {
        let mut row: Vec<(u32, Kin)> = Vec::new();
        let node = &nodes[leaf as usize];
        if !node.is_leaf() {
            return row;
        }
        for (lane, triangle) in corners[node.range()].iter().enumerate() {
            for other in triangle.iter().flat_map(|&vertex| self.of_vertex(vertex)) {
                let known = row.iter().position(|(known, _)| *known == other.leaf);
                if known.is_none() && row.len() == LONGEST_ROW {
                    return Vec::new();
                }
                let at = known.unwrap_or_else(|| {
                    row.push((other.leaf, no_pairs(nodes, [leaf as usize, other.leaf as usize])));
                    row.len() - 1
                });
                row[at].1[lane] |= 1 << other.lane;
            }
        }
        row
    }
}

/// What two leaves share, seen from the corners.
#[inline(never)]
pub(super) fn kin_by_corners(corners: &[[u32; 3]], nodes: &[Node], leaves: [usize; 2]) -> Kin {
    let mut kin = no_pairs(nodes, leaves);
    let [own, others] = leaves.map(|leaf| &corners[nodes[leaf].range()]);
    for (lane, triangle) in own.iter().enumerate() {
        for (other, [x, y, z]) in others.iter().enumerate() {
            let shared = triangle.iter().any(|corner| (corner == x) | (corner == y) | (corner == z));
            kin[lane] |= u8::from(shared) << other;
        }
    }
    kin
}

/// Lanes of two leaves that are no pairs of triangles, whatever they share.
fn no_pairs(nodes: &[Node], leaves: [usize; 2]) -> Kin {
    let [own, others] = leaves.map(|leaf| nodes[leaf].range().len());
    std::array::from_fn(|lane| {
        let first = if leaves[0] == leaves[1] { lane + 1 } else { 0 };
        let pairs = if lane < own { ((1u32 << others) - 1) & !((1u32 << first) - 1) } else { 0 };
        !(pairs as u8)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::Vec3;

    use super::*;
    use crate::{BuildOptions, Mesh, Model, Shape};

    /// How many pairs of leaves were looked up, after what is said of all was compared with corners.
    fn looked_up(model: Model) -> usize {
        let shape = Shape::build(Arc::new(model), &BuildOptions::default()).unwrap();
        let tree = shape.tree();
        let corners = tree.kinship.corners();
        let kin = KinOfLeaves::new(&tree.nodes, corners);
        let leaves: Vec<usize> = (0..tree.nodes.len()).filter(|&node| tree.nodes[node].is_leaf()).collect();
        let mut found = 0;
        for (&a, &b) in leaves.iter().flat_map(|a| leaves.iter().map(move |b| (a, b))) {
            found += usize::from(kin.between(a, b).is_some());
            let kin = kin.between(a, b).unwrap_or_else(|| kin_by_corners(corners, &tree.nodes, [a, b]));
            for (lane, one) in tree.nodes[a].range().enumerate() {
                for (other, two) in tree.nodes[b].range().enumerate() {
                    let expected = tree.kinship.share_a_vertex(one, two) || (a == b && other <= lane);
                    assert_eq!(kin[lane] >> other & 1 != 0, expected, "{one} of {a}, {two} of {b}");
                }
            }
        }
        found
    }

    #[test]
    fn what_is_looked_up_is_what_corners_say() {
        let across = 20;
        let place = |i: u32| Vec3::new((i % across) as f32, (i / across) as f32, (i % 7) as f32);
        let cell = |i: u32| [[i, i + 1, i + across], [i + 1, i + across + 1, i + across]];
        let cells = (0..across * (across - 1)).filter(|i| (i + 1) % across != 0);
        let positions = (0..across * across).map(place).collect();
        let grid = Mesh::new(positions, cells.flat_map(cell).collect()).unwrap();
        assert!(looked_up(Model::rigid(grid)) > 0);
    }

    #[test]
    fn triangles_around_one_vertex_are_compared_by_corners() {
        let turn = |i: u32| Vec3::new((i as f32 * 0.01).cos(), (i as f32 * 0.01).sin(), 0.1 * (i % 3) as f32);
        let positions = std::iter::once(Vec3::ZERO).chain((0..601).map(turn)).collect();
        let triangles = (1..601).map(|i| [0, i, i + 1]).collect();
        let fan = Model::rigid(Mesh::new(positions, triangles).unwrap());
        assert_eq!(looked_up(fan), 0);
    }
}
