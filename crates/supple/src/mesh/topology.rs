//! How triangles hang together: boundary and non-manifold edges.

use std::collections::HashMap;

/// Edges of a mesh, counted by how many triangles use them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EdgeCounts {
    /// Edges of exactly one triangle: the mesh is open there.
    pub boundary: usize,
    /// Edges of exactly two triangles.
    pub manifold: usize,
    /// Edges of three triangles and more.
    pub non_manifold: usize,
    /// Edges of an odd number of triangles, those of one among them: without any, the surface divides space into inside and
    /// outside.
    pub odd: usize,
    /// Triangles that use one vertex twice; their edges are not counted.
    pub collapsed_triangles: usize,
}

impl EdgeCounts {
    /// Whether the surface has no boundary.
    pub fn is_closed(&self) -> bool {
        self.boundary == 0
    }
}

/// Counts edges after replacing every vertex `v` by `welded[v]`.
///
/// ```
/// let triangles = [[0, 1, 2], [0, 2, 1]];
/// let edges = supple::mesh::edge_counts(&triangles, &[0, 1, 2]);
/// assert!(edges.is_closed() && edges.manifold == 3);
/// ```
pub fn edge_counts(triangles: &[[u32; 3]], welded: &[u32]) -> EdgeCounts {
    let mut uses: HashMap<(u32, u32), u32> = HashMap::with_capacity(triangles.len() * 2);
    let mut counts = EdgeCounts::default();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|v| welded[v as usize]);
        if a == b || b == c || c == a {
            counts.collapsed_triangles += 1;
            continue;
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            *uses.entry((from.min(to), from.max(to))).or_insert(0) += 1;
        }
    }
    for &count in uses.values() {
        counts.odd += count as usize % 2;
        match count {
            1 => counts.boundary += 1,
            2 => counts.manifold += 1,
            _ => counts.non_manifold += 1,
        }
    }
    counts
}
