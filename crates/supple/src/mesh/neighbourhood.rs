//! Which triangles are within some rings of a triangle.
//!
//! Triangles that share a vertex are 0 rings apart, triangles with a common neighbour 1, and so on: as many as there are
//! edges on the shortest path from a corner of one to a corner of the other.

/// A mesh whose rings can be walked, and the vertices that were marked last.
pub(crate) struct Neighbourhood {
    triangles: Vec<[u32; 3]>,
    /// Triangles around vertex `v` are `around[offsets[v]..offsets[v + 1]]`.
    offsets: Vec<u32>,
    around: Vec<u32>,
    /// The round in which each vertex was last marked.
    marked: Vec<u32>,
    round: u32,
}

impl Neighbourhood {
    /// Of triangles over this many (welded) vertices.
    pub fn new(triangles: Vec<[u32; 3]>, vertices: usize) -> Self {
        let mut offsets = vec![0u32; vertices + 1];
        for &vertex in triangles.as_flattened() {
            offsets[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            offsets[vertex + 1] += offsets[vertex];
        }
        let (mut next, mut around) = (offsets.clone(), vec![0; 3 * triangles.len()]);
        for (triangle, corners) in (0u32..).zip(&triangles) {
            for &vertex in corners {
                around[next[vertex as usize] as usize] = triangle;
                next[vertex as usize] += 1;
            }
        }
        Self { triangles, offsets, around, marked: vec![0; vertices], round: 0 }
    }

    /// Marks all vertices within this many edges of a triangle.
    pub fn grow_from(&mut self, triangle: u32, rings: u32) {
        self.round += 1;
        let mut front = self.triangles[triangle as usize].to_vec();
        for &vertex in &front {
            self.marked[vertex as usize] = self.round;
        }
        for _ in 0..rings {
            let mut next = Vec::new();
            for &vertex in &front {
                let around =
                    self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize;
                for &triangle in &self.around[around] {
                    for corner in self.triangles[triangle as usize] {
                        if std::mem::replace(&mut self.marked[corner as usize], self.round) != self.round {
                            next.push(corner);
                        }
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            front = next;
        }
    }

    /// Whether a corner of a triangle is marked.
    pub fn contains(&self, triangle: u32) -> bool {
        self.triangles[triangle as usize].iter().any(|&vertex| self.marked[vertex as usize] == self.round)
    }
}
