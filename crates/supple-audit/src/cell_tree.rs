//! The triangles of one cell with a tree over them, and how far points are from them in a pose.
//!
//! In: triangles on welded vertices. Out: the nearest point of a cell, and whether it lies on a border: an edge of one triangle
//! only, which is a rim, or an edge to another cell.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use supple::Aabb;
use supple::narrow::closest_point_of_triangle;

use crate::surface::Surface;

/// Triangles per leaf of the tree.
const LEAF: usize = 4;

/// Stands for no cell behind a border.
pub const RIM: u32 = u32::MAX;

/// What never changes.
#[derive(Clone, Debug, Default)]
pub struct CellTree {
    /// Numbers and corners, in the order of the tree.
    triangles: Vec<(u32, [u32; 3])>,
    /// What is behind each edge on the border: other cells, or [`RIM`].
    border: BTreeMap<[u32; 2], Vec<u32>>,
    /// The same for vertices on the border.
    border_vertices: BTreeMap<u32, BTreeSet<u32>>,
    nodes: Vec<Node>,
}

/// A node of the tree: children follow it at once and at `right`; 0 for a leaf.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    end: u32,
    right: u32,
}

/// A cell in a pose.
#[derive(Clone, Debug)]
pub struct PosedCell {
    boxes: Vec<Aabb>,
}

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub distance_sq: f64,
    /// In the cell's own order.
    triangle: u32,
    barycentrics: [f64; 3],
}

/// All cells of a surface.
pub fn cell_trees(surface: &Surface, rest: &[Vec3]) -> Vec<CellTree> {
    let mut behind: BTreeMap<[u32; 2], Vec<u32>> = BTreeMap::new();
    let mut of_cells = vec![Vec::new(); surface.cells.len()];
    for (number, corners) in (0u32..).zip(&surface.triangles) {
        let cell = surface.cell[number as usize];
        if corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0] {
            continue;
        }
        of_cells[cell as usize].push((number, *corners));
        for side in 0..3 {
            behind.entry(edge(corners, side)).or_default().push(cell);
        }
    }
    let tree = |(cell, triangles)| CellTree::new(cell, triangles, &behind, rest);
    (0u32..).zip(of_cells).map(tree).collect()
}

impl CellTree {
    fn new(
        cell: u32,
        mut triangles: Vec<(u32, [u32; 3])>,
        behind: &BTreeMap<[u32; 2], Vec<u32>>,
        rest: &[Vec3],
    ) -> Self {
        let mut nodes = Vec::new();
        if !triangles.is_empty() {
            split(&mut triangles, 0, rest, &mut nodes);
        }
        let (mut border, mut border_vertices) = (BTreeMap::new(), BTreeMap::<u32, BTreeSet<u32>>::new());
        for (_, corners) in &triangles {
            for side in 0..3 {
                let edge = edge(corners, side);
                let cells = &behind[&edge];
                let others: Vec<u32> = match cells.len() {
                    1 => vec![RIM],
                    _ => cells.iter().copied().filter(|&other| other != cell).collect(),
                };
                if !others.is_empty() {
                    edge.iter().for_each(|&v| border_vertices.entry(v).or_default().extend(&others));
                    border.insert(edge, others);
                }
            }
        }
        Self { triangles, border, border_vertices, nodes }
    }

    /// Puts the tree around posed vertices.
    pub fn posed(&self, positions: &[Vec3]) -> PosedCell {
        let mut boxes = vec![Aabb::EMPTY; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            boxes[index] = if node.right == 0 {
                let triangles = &self.triangles[node.first as usize..node.end as usize];
                Aabb::from_points(triangles.iter().flat_map(|(_, t)| t.map(|v| positions[v as usize])))
            } else {
                boxes[index + 1].union(&boxes[node.right as usize])
            };
        }
        PosedCell { boxes }
    }

    /// The nearest point of the cell if it is nearer than `best`; the search ends early once something is at most `enough` away.
    pub fn nearer(
        &self,
        posed: &PosedCell,
        positions: &[Vec3],
        point: Vec3,
        best_sq: f64,
        enough_sq: f64,
    ) -> Option<Nearest> {
        let mut best = None;
        let mut best_sq = best_sq;
        let distance_sq = |index: usize| {
            let Aabb { min, max } = posed.boxes[index];
            (point.clamp(min, max) - point).as_dvec3().length_squared()
        };
        let mut open = if self.nodes.is_empty() { Vec::new() } else { vec![(0, distance_sq(0))] };
        while let Some((index, least_sq)) = open.pop() {
            if least_sq >= best_sq {
                continue;
            }
            let node = &self.nodes[index];
            if node.right == 0 {
                for triangle in node.first..node.end {
                    let corners = self.triangles[triangle as usize].1.map(|v| positions[v as usize]);
                    let found = closest_point_of_triangle(point, &corners);
                    if found.distance_sq < best_sq {
                        best_sq = found.distance_sq;
                        best = Some(Nearest {
                            distance_sq: best_sq,
                            triangle,
                            barycentrics: found.barycentrics,
                        });
                        if best_sq <= enough_sq {
                            return best;
                        }
                    }
                }
                continue;
            }
            let children = [index + 1, node.right as usize].map(|child| (child, distance_sq(child)));
            // The nearer one is looked at first.
            let nearer = usize::from(children[1].1 < children[0].1);
            open.extend([children[1 - nearer], children[nearer]]);
        }
        best
    }

    /// Whether a nearest point lies on a border behind which there is none of these cells.
    pub fn is_on_rim(&self, nearest: &Nearest, cells: &[u32]) -> bool {
        let is_open = |behind: &u32| !cells.contains(behind);
        let corners = &self.triangles[nearest.triangle as usize].1;
        // Weights of corners are exactly 0 on the edge opposite to them.
        let without = nearest.barycentrics.map(|weight| weight == 0.0);
        let at_vertex = |v: u32| self.border_vertices.get(&v).is_some_and(|b| b.iter().any(is_open));
        match without {
            [false, true, true] => at_vertex(corners[0]),
            [true, false, true] => at_vertex(corners[1]),
            [true, true, false] => at_vertex(corners[2]),
            _ => (0..3).any(|corner| {
                without[corner]
                    && self
                        .border
                        .get(&edge(corners, (corner + 1) % 3))
                        .is_some_and(|b| b.iter().any(is_open))
            }),
        }
    }
}

fn edge(corners: &[u32; 3], side: usize) -> [u32; 2] {
    let (from, to) = (corners[side], corners[(side + 1) % 3]);
    [from.min(to), from.max(to)]
}

/// Halves the triangles along the longest side of their middles.
fn split(triangles: &mut [(u32, [u32; 3])], first: u32, positions: &[Vec3], nodes: &mut Vec<Node>) {
    let (index, count) = (nodes.len(), triangles.len());
    nodes.push(Node { first, end: first + count as u32, right: 0 });
    if count <= LEAF {
        return;
    }
    let middle = |corners: &[u32; 3]| corners.iter().map(|&v| positions[v as usize]).sum::<Vec3>();
    let axis = Aabb::from_points(triangles.iter().map(|(_, t)| middle(t))).half_extents().max_position();
    triangles.sort_by(|(_, a), (_, b)| middle(a)[axis].total_cmp(&middle(b)[axis]));
    let (left, right) = triangles.split_at_mut(count / 2);
    split(left, first, positions, nodes);
    nodes[index].right = nodes.len() as u32;
    split(right, first + count as u32 / 2, positions, nodes);
}
