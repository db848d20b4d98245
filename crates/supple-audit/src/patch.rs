//! The surface of one bone: its triangles on welded vertices, how they hang together, and a tree over them.
//!
//! In: the triangles that a bone owns. Out: neighbours to flood over, and for a pose the distance of a point from the
//! surface and how far the surface surrounds it: the winding number, a sum of solid angles,
//!
//! ```text
//! winding(p) = sum over triangles solid_angle(triangle seen from p) / 4 pi      > 0 where its back is seen
//! ```
//!
//! which is 1 inside of a closed surface and 0 outside. The surface of a bone is an open patch, like a sleeve: then it is
//! the share of all directions in which the patch is seen from behind, close to 1/2 just behind a flat piece and 1/4 just
//! behind a straight rim. The side of the nearest triangle would be simpler, but is wrong where a patch is folded: points
//! half a body away are behind a crease in the hollow of a knee.
//!
//! Where the nearest point of an open patch lies on its rim, a point is beside it rather than behind: the top of an arm,
//! which begins in the hole that the arm's triangles leave in the chest's.
//!
//! Based on: A. Jacobson, L. Kavan, O. Sorkine-Hornung, *Robust inside-outside segmentation using generalized winding
//! numbers* (2013); G. Barill et al., *Fast winding numbers for soups and clouds* (2018), section 3: a far node counts as
//! one dipole.

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use supple::Aabb;
use supple::narrow::closest_point_of_triangle;

/// Triangles per leaf of the tree.
const LEAF: usize = 4;

/// Nodes farther away than this many of their radii are seen as one dipole; its error is then below one percent.
const FAR: f32 = 2.5;

/// What never changes.
#[derive(Clone, Debug, Default)]
pub struct Patch {
    /// Corners as welded vertices of the mesh, in the order of the tree.
    triangles: Vec<[u32; 3]>,
    /// Vertices that share an edge with each vertex, ascending.
    neighbours: BTreeMap<u32, Vec<u32>>,
    /// Edges of one triangle only, as their smaller and larger vertex.
    rim: BTreeSet<[u32; 2]>,
    rim_vertices: BTreeSet<u32>,
    nodes: Vec<Node>,
}

/// The nearest point of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    pub distance: f32,
    pub on_rim: bool,
}

/// A node of the tree: children follow it at once and at `right`; 0 for a leaf.
#[derive(Clone, Copy, Debug)]
struct Node {
    first: u32,
    end: u32,
    right: u32,
}

/// A patch in a pose.
#[derive(Clone, Debug)]
pub struct PosedPatch<'p> {
    patch: &'p Patch,
    positions: &'p [Vec3],
    bounds: Vec<Bound>,
}

/// A node in a pose: its box, and the sum of its triangles' areas times their normals.
#[derive(Clone, Copy, Debug)]
struct Bound {
    around: Aabb,
    dipole: Vec3,
}

impl Patch {
    /// Takes triangles of welded vertices; `rest_positions` only shape the tree.
    pub fn new(mut triangles: Vec<[u32; 3]>, rest_positions: &[Vec3]) -> Self {
        triangles.retain(|[a, b, c]| a != b && b != c && c != a);
        let mut nodes = Vec::new();
        if !triangles.is_empty() {
            split(&mut triangles, 0, rest_positions, &mut nodes);
        }
        let mut uses: BTreeMap<[u32; 2], u32> = BTreeMap::new();
        for corners in &triangles {
            for side in 0..3 {
                *uses.entry(edge(corners, side)).or_default() += 1;
            }
        }
        let mut neighbours: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &[a, b] in uses.keys() {
            neighbours.entry(a).or_default().push(b);
            neighbours.entry(b).or_default().push(a);
        }
        let rim: BTreeSet<[u32; 2]> =
            uses.into_iter().filter(|(_, uses)| *uses == 1).map(|(edge, _)| edge).collect();
        let rim_vertices = rim.iter().flatten().copied().collect();
        Self { triangles, neighbours, rim, rim_vertices, nodes }
    }

    /// Vertices that share an edge with one of the patch; none for others.
    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        self.neighbours.get(&vertex).map_or(&[], Vec::as_slice)
    }

    /// Whether a point of a triangle lies on the rim. Weights of corners are exactly 0 on the edge opposite to them.
    fn is_on_rim(&self, triangle: u32, barycentrics: [f64; 3]) -> bool {
        let corners = &self.triangles[triangle as usize];
        let without = [0, 1, 2].map(|corner| barycentrics[corner] == 0.0);
        match without {
            [false, true, true] => self.rim_vertices.contains(&corners[0]),
            [true, false, true] => self.rim_vertices.contains(&corners[1]),
            [true, true, false] => self.rim_vertices.contains(&corners[2]),
            _ => (0..3).any(|corner| without[corner] && self.rim.contains(&edge(corners, (corner + 1) % 3))),
        }
    }

    /// Puts the tree around posed vertices.
    pub fn posed<'p>(&'p self, positions: &'p [Vec3]) -> PosedPatch<'p> {
        let mut bounds = vec![Bound { around: Aabb::EMPTY, dipole: Vec3::ZERO }; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().rev() {
            bounds[index] = if node.right == 0 {
                let triangles = &self.triangles[node.first as usize..node.end as usize];
                let corners = triangles.iter().map(|t| t.map(|v| positions[v as usize]));
                Bound {
                    around: Aabb::from_points(corners.clone().flatten()),
                    dipole: corners.map(|[a, b, c]| 0.5 * (b - a).cross(c - a)).sum(),
                }
            } else {
                let (left, right) = (bounds[index + 1], bounds[node.right as usize]);
                Bound { around: left.around.union(&right.around), dipole: left.dipole + right.dipole }
            };
        }
        PosedPatch { patch: self, positions, bounds }
    }
}

impl PosedPatch<'_> {
    /// The point of the surface that is nearest to a point; none where there is no surface.
    pub fn nearest(&self, point: Vec3) -> Option<Nearest> {
        let (mut best_sq, mut best) = (f64::INFINITY, None);
        let mut open = vec![(0, 0.0)];
        while let Some((index, least_sq)) = open.pop() {
            let Some(node) = self.patch.nodes.get(index).filter(|_| f64::from(least_sq) < best_sq) else {
                continue;
            };
            if node.right == 0 {
                for (triangle, corners) in (node.first..).zip(self.corners(node)) {
                    let found = closest_point_of_triangle(point, &corners);
                    if found.distance_sq < best_sq {
                        (best_sq, best) = (found.distance_sq, Some((triangle, found.barycentrics)));
                    }
                }
                continue;
            }
            let children = [index + 1, node.right as usize].map(|child| {
                let Aabb { min, max } = self.bounds[child].around;
                (child, (point.clamp(min, max) - point).length_squared())
            });
            // The nearer one is looked at first.
            let nearer = usize::from(children[1].1 < children[0].1);
            open.extend([children[1 - nearer], children[nearer]]);
        }
        let (triangle, barycentrics) = best?;
        Some(Nearest {
            distance: best_sq.sqrt() as f32,
            on_rim: self.patch.is_on_rim(triangle, barycentrics),
        })
    }

    /// How far the surface surrounds a point: about 1 inside, 0 outside, in between where it is open.
    pub fn winding(&self, point: Vec3) -> f32 {
        let (mut solid_angle, mut open) = (0.0, vec![0]);
        while let Some(index) = open.pop() {
            let Some(node) = self.patch.nodes.get(index) else { continue };
            let Bound { around, dipole } = &self.bounds[index];
            let to_node = around.center() - point;
            let distance = to_node.length();
            if distance > FAR * around.half_extents().length() {
                // A small piece with the area vector N at d is seen under the solid angle N . d / |d|^3.
                solid_angle += dipole.dot(to_node / distance) / (distance * distance);
            } else if node.right == 0 {
                solid_angle += self.corners(node).map(|c| seen(c.map(|c| c - point))).sum::<f32>();
            } else {
                open.extend([node.right as usize, index + 1]);
            }
        }
        solid_angle / (4.0 * std::f32::consts::PI)
    }

    fn corners(&self, node: &Node) -> impl Iterator<Item = [Vec3; 3]> {
        let triangles = &self.patch.triangles[node.first as usize..node.end as usize];
        triangles.iter().map(|t| t.map(|v| self.positions[v as usize]))
    }
}

fn edge(corners: &[u32; 3], side: usize) -> [u32; 2] {
    let (from, to) = (corners[side], corners[(side + 1) % 3]);
    [from.min(to), from.max(to)]
}

/// The solid angle of a triangle seen from the origin; positive if its back is seen.
///
/// ```text
/// tan(angle / 2) = det(a, b, c) / (|a||b||c| + (a . b)|c| + (b . c)|a| + (c . a)|b|)
/// ```
///
/// Based on: A. van Oosterom, J. Strackee, *The solid angle of a plane triangle* (1983).
fn seen(corners: [Vec3; 3]) -> f32 {
    // Unit vectors first: neither tiny nor huge triangles may lose their angle.
    let [a, b, c] = corners.map(Vec3::normalize_or_zero);
    2.0 * a.dot(b.cross(c)).atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}

/// Halves the triangles along the longest side of their middles.
fn split(triangles: &mut [[u32; 3]], first: u32, positions: &[Vec3], nodes: &mut Vec<Node>) {
    let (index, count) = (nodes.len(), triangles.len());
    nodes.push(Node { first, end: first + count as u32, right: 0 });
    if count <= LEAF {
        return;
    }
    let middle = |corners: &[u32; 3]| corners.iter().map(|&v| positions[v as usize]).sum::<Vec3>();
    let axis = Aabb::from_points(triangles.iter().map(middle)).half_extents().max_position();
    triangles.sort_by(|a, b| middle(a)[axis].total_cmp(&middle(b)[axis]));
    let (left, right) = triangles.split_at_mut(count / 2);
    split(left, first, positions, nodes);
    nodes[index].right = nodes.len() as u32;
    split(right, first + count as u32 / 2, positions, nodes);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box of two triangles per side, outward.
    fn cube() -> (Vec<Vec3>, Vec<[u32; 3]>) {
        let corner = |i: u32| Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2 & 1) as f32);
        let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let triangles = sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        ((0..8).map(corner).collect(), triangles)
    }

    #[test]
    fn closed_surfaces_have_an_inside_and_distances() {
        let (positions, triangles) = cube();
        let patch = Patch::new(triangles, &positions);
        let posed = patch.posed(&positions);
        for i in 0..1000u32 {
            let random = |k: u32| {
                (i.wrapping_mul(2654435761).wrapping_add(k * 40503) >> 8 & 1023) as f32 / 511.0 - 0.5
            };
            let point = Vec3::new(random(1), random(7), random(31));
            let inside = point.min_element() > 0.0 && point.max_element() < 1.0;
            let winding = posed.winding(point);
            assert!((winding - f32::from(u8::from(inside))).abs() < 0.02, "{point}: {winding}");
            let to_box = (point.clamp(Vec3::ZERO, Vec3::ONE) - point).length();
            let to_side = point.min_element().min(1.0 - point.max_element());
            let expected = if inside { to_side } else { to_box };
            let nearest = posed.nearest(point).unwrap();
            assert!((nearest.distance - expected).abs() < 1e-6 && !nearest.on_rim, "{point}");
        }
    }

    #[test]
    fn open_surfaces_surround_in_part() {
        let (positions, mut triangles) = cube();
        triangles.drain(2..4); // without the side at z = 1
        let patch = Patch::new(triangles, &positions);
        let is_on_rim = |x, z| patch.posed(&positions).nearest(Vec3::new(x, 0.5, z)).unwrap().on_rim;
        assert!(is_on_rim(0.9, 1.2) && !is_on_rim(0.9, 0.8) && is_on_rim(0.5, 1.0));
        let winding = |z: f32| patch.posed(&positions).winding(Vec3::new(0.5, 0.5, z));
        assert!((winding(0.5) - 5.0 / 6.0).abs() < 1e-3);
        assert!((winding(1.0) - 0.5).abs() < 1e-3 && winding(1.5) < 0.2 && winding(-0.5) < 0.0);
    }

    #[test]
    fn nothing_and_degenerate_triangles_surround_nothing() {
        let line = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        let nothing = Patch::new(vec![[0, 0, 1]], &line);
        assert_eq!(
            (nothing.posed(&line).nearest(Vec3::Y), nothing.posed(&line).winding(Vec3::Y)),
            (None, 0.0)
        );
        let flat = Patch::new(vec![[0, 1, 2]], &line);
        assert_eq!(
            (flat.posed(&line).nearest(Vec3::Y).unwrap().distance, flat.posed(&line).winding(Vec3::Y)),
            (1.0, 0.0)
        );
    }
}
