//! The surface of a model as a net of vertices: what hangs together with what, and how far it is along the surface.
//!
//! In: a model and the body part of every triangle. Out: triangles on welded vertices, neighbours, connected components, and
//! *cells*: the triangles of one body part in one component. No pose changes any of it.

use glam::Vec3;
use supple::{Aabb, Model};

/// What never changes.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Corners as welded vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Of each triangle.
    pub component: Vec<u32>,
    /// Of each triangle.
    pub cell: Vec<u32>,
    pub cells: Vec<Cell>,
    /// Rest positions of vertices, for lengths along the surface.
    rest: Vec<Vec3>,
    /// Of each component.
    extents: Vec<f32>,
    /// Of each vertex: whether it is on an edge that has only one triangle.
    is_on_rim: Vec<bool>,
    /// Triangles around each vertex.
    around: Lists,
    /// Vertices that share an edge with each vertex, ascending.
    neighbours: Lists,
}

/// Triangles of one body part that hang together with each other, perhaps over other body parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    pub component: u32,
    pub part: u32,
}

impl Surface {
    /// Vertices of a seam are one. `parts` has the body part of every triangle.
    pub fn new(model: &Model, parts: &[u32], rest: &[Vec3]) -> Self {
        let welded = model.welded_vertices();
        let triangles: Vec<[u32; 3]> =
            model.mesh().triangles().iter().map(|t| t.map(|v| welded[v as usize])).collect();
        let corners = (0u32..).zip(&triangles).flat_map(|(t, corners)| corners.map(|v| (v, t)));
        let around = Lists::new(rest.len(), corners.collect());
        let edges = triangles.iter().flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
        let both_ways = edges.filter(|[a, b]| a != b).flat_map(|[a, b]| [(a, b), (b, a)]);
        let neighbours = Lists::new(rest.len(), both_ways.collect());
        let component = components(&triangles, &around);
        let cell_of = |t: usize| Cell { component: component[t], part: parts[t] };
        let mut cells: Vec<Cell> = (0..triangles.len()).map(cell_of).collect();
        let of_triangles = cells.clone();
        cells.sort_unstable();
        cells.dedup();
        let number = |cell: &Cell| cells.binary_search(cell).map_or(0, |number| number as u32);
        let cell = of_triangles.iter().map(number).collect();
        let is_on_rim = rim(&triangles, rest.len());
        let count = component.iter().max().map_or(0, |&last| last as usize + 1);
        let mut boxes = vec![Aabb::EMPTY; count];
        for (corners, &component) in triangles.iter().zip(&component) {
            let own = Aabb::from_points(corners.map(|v| rest[v as usize]));
            boxes[component as usize] = boxes[component as usize].union(&own);
        }
        let extents = boxes.iter().map(|around| 2.0 * around.half_extents().length()).collect();
        Self {
            triangles,
            component,
            cell,
            cells,
            rest: rest.to_vec(),
            extents,
            is_on_rim,
            around,
            neighbours,
        }
    }

    pub fn vertex_count(&self) -> usize {
        self.rest.len()
    }

    /// Whether the surface ends at a vertex.
    pub fn is_on_rim(&self, vertex: u32) -> bool {
        self.is_on_rim[vertex as usize]
    }

    pub fn around(&self, vertex: u32) -> &[u32] {
        self.around.of(vertex)
    }

    pub fn neighbours(&self, vertex: u32) -> &[u32] {
        self.neighbours.of(vertex)
    }

    /// The length of an edge at rest.
    pub fn length(&self, a: u32, b: u32) -> f32 {
        self.rest[a as usize].distance(self.rest[b as usize])
    }

    /// The longest edge of a triangle at rest.
    pub fn longest_edge(&self, triangle: u32) -> f32 {
        let [a, b, c] = self.triangles[triangle as usize];
        self.length(a, b).max(self.length(b, c)).max(self.length(c, a))
    }

    /// How large a component is at rest: the diagonal of its box.
    pub fn extent(&self, component: u32) -> f32 {
        self.extents[component as usize]
    }

    /// Whether two triangles share a vertex.
    pub fn touch(&self, a: u32, b: u32) -> bool {
        let other = self.triangles[b as usize];
        a == b || self.triangles[a as usize].iter().any(|v| other.contains(v))
    }
}

/// Which vertices are on an edge that has only one triangle; one that is a line or a point is none.
fn rim(triangles: &[[u32; 3]], vertices: usize) -> Vec<bool> {
    let real = triangles.iter().filter(|[a, b, c]| a != b && b != c && c != a);
    let edges = real.flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]]);
    let mut edges: Vec<[u32; 2]> = edges.map(|[a, b]| [a.min(b), a.max(b)]).collect();
    edges.sort_unstable();
    let mut is_on_rim = vec![false; vertices];
    for same in edges.chunk_by(|a, b| a == b).filter(|same| same.len() == 1) {
        same[0].iter().for_each(|&v| is_on_rim[v as usize] = true);
    }
    is_on_rim
}

/// Triangles that hang together over vertices have the same number; numbers ascend with the first triangle.
fn components(triangles: &[[u32; 3]], around: &Lists) -> Vec<u32> {
    const NONE: u32 = u32::MAX;
    let (mut of_triangle, mut count) = (vec![NONE; triangles.len()], 0);
    for first in 0..triangles.len() {
        if of_triangle[first] != NONE {
            continue;
        }
        of_triangle[first] = count;
        let mut open = vec![first as u32];
        while let Some(triangle) = open.pop() {
            for &next in triangles[triangle as usize].iter().flat_map(|&v| around.of(v)) {
                if of_triangle[next as usize] == NONE {
                    of_triangle[next as usize] = count;
                    open.push(next);
                }
            }
        }
        count += 1;
    }
    of_triangle
}

/// A list of numbers per vertex.
#[derive(Clone, Debug)]
struct Lists {
    offsets: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(vertices: usize, mut entries: Vec<(u32, u32)>) -> Self {
        entries.sort_unstable();
        entries.dedup();
        let mut offsets = vec![0u32; vertices + 1];
        for &(vertex, _) in &entries {
            offsets[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            offsets[vertex + 1] += offsets[vertex];
        }
        Self { offsets, items: entries.into_iter().map(|(_, item)| item).collect() }
    }

    fn of(&self, vertex: u32) -> &[u32] {
        let [from, to] = [vertex, vertex + 1].map(|v| self.offsets[v as usize] as usize);
        &self.items[from..to]
    }
}
