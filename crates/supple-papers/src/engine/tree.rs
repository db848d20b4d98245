//! The papers' trees: any number of children, usually one triangle per leaf.
//!
//! | tree | paper |
//! | --- | --- |
//! | [`Tree::octants`] | morphing, section 3: up to eight children, cut at the middles of the extents |
//! | [`Tree::halves`] | BD-Tree, section 3.1, after Quinlan: two children, cut at the mean along the longest axis |
//! | [`Tree::collapsed`] | thesis, section 5.1: children nearly as large as their parent are replaced by theirs |
//! | [`Tree::of_shape`] | the library's own, to compare bounds on one tree |
//!
//! Must hold: the root is node 0; children of a node are neighbours and come after it; every triangle is in one leaf.
//!
//! Based on: S. Quinlan, Efficient Distance Computation between Non-Convex Objects, 1994; and the papers above.

use std::ops::Range;

use glam::{DVec3, Vec3};

use super::{BoundingSphere, Method, Volume};
use supple::{NodeId, Shape};

/// A tree over the triangles of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Triangle numbers of the mesh, in the order of the leaves.
    triangles: Vec<u32>,
    cut: Cut,
    /// The factors it was collapsed by.
    collapses: Vec<f64>,
}

/// How nodes are cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    Octants,
    Halves,
}

/// A node; a leaf has no children.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    children: Range<usize>,
    /// All triangles below, by their rank in the order of the leaves.
    triangles: Range<usize>,
    level: usize,
}

impl Node {
    /// Numbers of the children.
    pub fn children(&self) -> Range<usize> {
        self.children.clone()
    }

    /// Whether it has no children.
    pub fn is_leaf(&self) -> bool {
        self.children.is_empty()
    }

    /// How far below the root it is.
    pub fn level(&self) -> usize {
        self.level
    }
}

impl Tree {
    /// Up to eight children per node, one triangle per leaf. A node is cut along the three axes at the middle of its extents;
    /// the middles of the triangles decide. `positions` is the mesh that is partitioned: the rest shape, or any blend.
    ///
    /// # Panics
    /// A triangle without a vertex.
    pub fn octants(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        Self::build(Cut::Octants, triangles.len(), |items| {
            let [min, max] = extents(items.iter().flat_map(|&t| corners_of(positions, triangles, t)));
            let middle = (min + max) * 0.5;
            let octant = |t: &u32| {
                let above = triangle_middle(positions, triangles, *t).cmpgt(middle);
                usize::try_from(above.bitmask()).expect("three bits")
            };
            partition(items, 8, octant)
        })
    }

    /// Two children per node, one triangle per leaf. A node is cut across the longest extent of the triangles' middles, at their
    /// mean.
    ///
    /// # Panics
    /// A triangle without a vertex.
    pub fn halves(positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let middles: Vec<DVec3> =
            (0..triangles.len() as u32).map(|t| triangle_middle(positions, triangles, t)).collect();
        Self::build(Cut::Halves, triangles.len(), |items| {
            let own = || items.iter().map(|&t| middles[t as usize]);
            let [min, max] = extents(own());
            let axis = (max - min).max_position();
            let mean = own().map(|p| p[axis]).sum::<f64>() / items.len() as f64;
            partition(items, 2, |&t| usize::from(middles[t as usize][axis] > mean))
        })
    }

    /// Replaces inner children whose sphere at rest has more than `factor` of their parent's radius by their own children.
    ///
    /// # Panics
    /// There are fewer triangles than the tree has, or one without a vertex.
    #[must_use]
    pub fn collapsed(&self, positions: &[Vec3], triangles: &[[u32; 3]], factor: f64) -> Self {
        let radius = |node: usize| {
            let below = self.vertices_below(node, triangles);
            BoundingSphere::smallest(&below.iter().map(|&v| positions[v].as_dvec3()).collect::<Vec<_>>())
                .radius
        };
        let radii: Vec<f64> = (0..self.nodes.len()).map(radius).collect();
        let mut nodes = vec![Node { children: 0..0, ..self.nodes[0].clone() }];
        // New node, old node.
        let mut open = vec![(0, 0)];
        while let Some((new, old)) = open.pop() {
            let mut children: Vec<usize> = self.nodes[old].children().collect();
            let mut next = 0;
            while next < children.len() {
                let child = &self.nodes[children[next]];
                if !child.is_leaf() && radii[children[next]] > factor * radii[old] {
                    children.splice(next..=next, child.children());
                } else {
                    next += 1;
                }
            }
            let (first, level) = (nodes.len(), nodes[new].level + 1);
            nodes[new].children = first..first + children.len();
            for child in children {
                open.push((nodes.len(), child));
                nodes.push(Node { children: 0..0, level, ..self.nodes[child].clone() });
            }
        }
        let mut collapses = self.collapses.clone();
        collapses.push(factor);
        Self { nodes, triangles: self.triangles.clone(), cut: self.cut, collapses }
    }

    /// The library's own tree.
    pub fn of_shape(shape: &Shape) -> Self {
        let triangles = shape.node(shape.root()).triangles().to_vec();
        let mut ranks = vec![0; triangles.len()];
        for (rank, &triangle) in triangles.iter().enumerate() {
            ranks[triangle as usize] = rank;
        }
        let node = |number: usize| {
            let node = shape.node(NodeId(number as u32));
            let mut children = node.children().map(|child| child.0 as usize);
            let children = children.next().map_or(0..0, |first| first..first + 1 + children.len());
            // Triangles below a node stand together.
            let first = node.triangles().first().map_or(0, |&triangle| ranks[triangle as usize]);
            Node { children, triangles: first..first + node.triangles().len(), level: 0 }
        };
        let mut nodes: Vec<Node> = (0..shape.node_count()).map(node).collect();
        for parent in 0..nodes.len() {
            let level = nodes[parent].level + 1;
            nodes[parent].children().for_each(|child| nodes[child].level = level);
        }
        Self { nodes, triangles, cut: Cut::Halves, collapses: Vec::new() }
    }

    /// A tree of the same kind for other positions; instead of the library's own, one of halves.
    ///
    /// # Panics
    /// A triangle without a vertex.
    #[must_use]
    pub fn rebuilt(&self, positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let tree = match self.cut {
            Cut::Octants => Self::octants(positions, triangles),
            Cut::Halves => Self::halves(positions, triangles),
        };
        self.collapses.iter().fold(tree, |tree, &factor| tree.collapsed(positions, triangles, factor))
    }

    /// The nodes; 0 is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Nodes of each level, from the root.
    pub fn levels(&self) -> Vec<Vec<usize>> {
        let depth = self.nodes.iter().map(|node| node.level + 1).max().unwrap_or(0);
        let mut levels = vec![Vec::new(); depth];
        for (index, node) in self.nodes.iter().enumerate() {
            levels[node.level].push(index);
        }
        levels
    }

    /// The level from which on eager methods look at vertices, not at children.
    pub(super) fn first_from_vertices(&self, method: Method) -> usize {
        let deepest = self.nodes.iter().map(|node| node.level).max().unwrap_or(0);
        if method == Method::Hybrid { deepest / 2 } else { deepest }
    }

    /// Triangle numbers of all triangles below a node.
    ///
    /// # Panics
    /// There is no such node.
    pub fn triangles_below(&self, node: usize) -> &[u32] {
        &self.triangles[self.nodes[node].triangles.clone()]
    }

    /// Different vertices below a node, ascending.
    ///
    /// # Panics
    /// There is no such node, or there are fewer triangles than the tree has.
    pub fn vertices_below(&self, node: usize, triangles: &[[u32; 3]]) -> Vec<usize> {
        let corners = self.triangles_below(node).iter().flat_map(|&t| triangles[t as usize]);
        let mut vertices: Vec<usize> = corners.map(|vertex| vertex as usize).collect();
        vertices.sort_unstable();
        vertices.dedup();
        vertices
    }

    /// Cuts until single triangles are left. `divide` reorders triangles and says where each part ends, one part or more.
    fn build(cut: Cut, count: usize, mut divide: impl FnMut(&mut [u32]) -> Vec<usize>) -> Self {
        let mut triangles: Vec<u32> = (0..count as u32).collect();
        let mut nodes = vec![Node { children: 0..0, triangles: 0..count, level: 0 }];
        let mut open = vec![0];
        while let Some(index) = open.pop() {
            let range = nodes[index].triangles.clone();
            if range.len() < 2 {
                continue;
            }
            let items = &mut triangles[range.clone()];
            let mut ends = divide(items);
            if ends.len() < 2 {
                // What no plane can tell apart.
                ends = vec![items.len() / 2, items.len()];
            }
            let (first, level) = (nodes.len(), nodes[index].level + 1);
            nodes[index].children = first..first + ends.len();
            let mut start = range.start;
            for end in ends {
                let triangles = start..range.start + end;
                start = triangles.end;
                open.push(nodes.len());
                nodes.push(Node { children: 0..0, triangles, level });
            }
        }
        Self { nodes, triangles, cut, collapses: Vec::new() }
    }
}

/// Sorts items by their part; the ends of those that are not empty.
fn partition(items: &mut [u32], parts: usize, part: impl Fn(&u32) -> usize) -> Vec<usize> {
    items.sort_by_cached_key(&part);
    let ends = (0..parts).map(|p| items.partition_point(|item| part(item) <= p));
    let mut ends: Vec<usize> = ends.filter(|&end| end > 0).collect();
    ends.dedup();
    ends
}

fn corners_of(positions: &[Vec3], triangles: &[[u32; 3]], triangle: u32) -> [DVec3; 3] {
    triangles[triangle as usize].map(|vertex| positions[vertex as usize].as_dvec3())
}

fn triangle_middle(positions: &[Vec3], triangles: &[[u32; 3]], triangle: u32) -> DVec3 {
    let [p, q, r] = corners_of(positions, triangles, triangle);
    (p + q + r) / 3.0
}

fn extents(points: impl Iterator<Item = DVec3>) -> [DVec3; 2] {
    points.fold([DVec3::INFINITY, DVec3::NEG_INFINITY], |[lo, hi], p| [lo.min(p), hi.max(p)])
}
