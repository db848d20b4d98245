//! The surface of each part: how many vertices are really different, whether it is closed, what is wrong with it.
//!
//! Seams are welded inside a part, where equal positions are one point. Not between parts: two of them may stand in
//! different spaces until they are posed, and one mesh under two nodes is two things.

use serde::Serialize;
use supple::Model;
use supple::mesh::{edge_counts, weld_positions};

/// Counts of one part, or of all together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Surface {
    pub vertices: usize,
    pub distinct_positions: usize,
    /// Vertices that no triangle uses.
    pub unused_vertices: usize,
    pub triangles: usize,
    /// Triangles without area at rest.
    pub degenerate_triangles: usize,
    /// Triangles with the same three corners as an earlier one, in any order.
    pub duplicate_triangles: usize,
    pub closed: bool,
    /// Edges of one triangle.
    pub boundary_edges: usize,
    /// Edges of three triangles and more.
    pub non_manifold_edges: usize,
}

impl Surface {
    /// All counts added up; closed if all are.
    pub fn sum(surfaces: &[Self]) -> Self {
        let sum = |count: fn(&Self) -> usize| surfaces.iter().map(count).sum();
        Self {
            vertices: sum(|s| s.vertices),
            distinct_positions: sum(|s| s.distinct_positions),
            unused_vertices: sum(|s| s.unused_vertices),
            triangles: sum(|s| s.triangles),
            degenerate_triangles: sum(|s| s.degenerate_triangles),
            duplicate_triangles: sum(|s| s.duplicate_triangles),
            closed: surfaces.iter().all(|s| s.closed),
            boundary_edges: sum(|s| s.boundary_edges),
            non_manifold_edges: sum(|s| s.non_manifold_edges),
        }
    }
}

/// The surface of every part.
pub fn surfaces(model: &Model) -> Vec<Surface> {
    let mesh = model.mesh();
    let mut welded: Vec<u32> = (0..mesh.positions().len() as u32).collect();
    let mut used = vec![false; mesh.positions().len()];
    for &vertex in mesh.triangles().iter().flatten() {
        used[vertex as usize] = true;
    }
    for part in model.parts() {
        let first = part.vertices.start as u32;
        let in_part = weld_positions(&mesh.positions()[part.vertices.clone()]);
        for (vertex, same) in part.vertices.clone().zip(in_part) {
            welded[vertex] = first + same;
        }
    }
    model
        .parts()
        .iter()
        .map(|part| {
            let triangles = &mesh.triangles()[part.triangles.clone()];
            let edges = edge_counts(triangles, &welded);
            Surface {
                vertices: part.vertices.len(),
                distinct_positions: part.vertices.clone().filter(|&v| welded[v] as usize == v).count(),
                unused_vertices: part.vertices.clone().filter(|&v| !used[v]).count(),
                triangles: triangles.len(),
                degenerate_triangles: triangles.iter().filter(|t| has_no_area(model, t)).count(),
                duplicate_triangles: duplicates(triangles, &welded),
                closed: edges.is_closed(),
                boundary_edges: edges.boundary,
                non_manifold_edges: edges.non_manifold,
            }
        })
        .collect()
}

fn has_no_area(model: &Model, triangle: &[u32; 3]) -> bool {
    let [a, b, c] = triangle.map(|v| model.mesh().positions()[v as usize].as_dvec3());
    (b - a).cross(c - a) == glam::DVec3::ZERO
}

/// Triangles that repeat another one. Collapsed ones are degenerate already and not counted again.
fn duplicates(triangles: &[[u32; 3]], welded: &[u32]) -> usize {
    let sorted = |triangle: &[u32; 3]| {
        let mut corners = triangle.map(|v| welded[v as usize]);
        corners.sort_unstable();
        corners
    };
    let mut all: Vec<[u32; 3]> = triangles.iter().map(sorted).filter(|[a, b, c]| a != b && b != c).collect();
    all.sort_unstable();
    all.windows(2).filter(|pair| pair[0] == pair[1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use supple::Mesh;

    #[test]
    fn a_tetrahedron_with_a_seam_is_closed() {
        // Vertex 4 repeats vertex 0; the last two triangles are a repetition and a needle; vertex 5 is unused.
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z, Vec3::ZERO, Vec3::ONE];
        let tetrahedron = vec![[0, 2, 1], [0, 1, 3], [4, 3, 2], [1, 2, 3]];
        let model = |triangles| Model::rigid(Mesh::new(positions.clone(), triangles).unwrap());
        let surface = &surfaces(&model(tetrahedron.clone()))[0];
        assert!(surface.closed && surface.boundary_edges == 0);
        assert_eq!((surface.vertices, surface.distinct_positions, surface.unused_vertices), (6, 5, 1));

        let with_faults = [tetrahedron, vec![[3, 2, 1], [0, 4, 1]]].concat();
        let surface = &surfaces(&model(with_faults))[0];
        assert_eq!((surface.duplicate_triangles, surface.degenerate_triangles), (1, 1));
        assert_eq!(surface.non_manifold_edges, 3);

        let surface = &surfaces(&model(vec![[0, 2, 1], [0, 1, 3]]))[0];
        assert!(!surface.closed && surface.boundary_edges == 4);
    }
}
